"""The style sheet of the drawing. Colours are variables of the root, which the reader's dark mode sets anew."""

STYLE = """
.resistance {
  --panel: #f3f5f8; --ink: #1d2733; --quiet: #56657a; --line: #cfd7e2; --paper: #ffffff; --paper-edge: #b6c2d2;
  --lit: #fff3cf; --lit-edge: #b98a1c; --good: #1f6f54; --good-paper: #dcf1e7; --bad: #a8231b; --bad-paper: #fbe3e0;
  --chosen: #dbe6f5; --done-ink: #ffffff;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink);
  font-size: 13px; max-width: 100%; height: auto;
}
@media (prefers-color-scheme: dark) { .resistance {
  --panel: #171c23; --ink: #e7edf5; --quiet: #a3b1c4; --line: #313b48; --paper: #222a34; --paper-edge: #47566a;
  --lit: #453a1c; --lit-edge: #d9ac48; --good: #6fcfa5; --good-paper: #1d3a30; --bad: #ff9a8f; --bad-paper: #48231f;
  --chosen: #2c3b50; --done-ink: #12161c;
} }
.resistance .panel { fill: var(--panel); stroke: var(--line); }
.resistance .heading { font-size: 17px; font-weight: 650; }
.resistance .number { font-size: 24px; font-weight: 700; }
.resistance .small { font-size: 11.5px; }
.resistance .tiny { font-size: 9.5px; }
.resistance .strong { font-weight: 650; }
.resistance .centre { text-anchor: middle; }
.resistance .end { text-anchor: end; }
.resistance .quiet { fill: var(--quiet); }
.resistance .spy { fill: var(--bad); }
.resistance .mission { stroke: var(--paper-edge); stroke-width: 1.5; }
.resistance .mission.now { stroke: var(--lit-edge); stroke-width: 3; }
.resistance .to-come { fill: var(--paper); }
.resistance .succeeded { fill: var(--good); }
.resistance .failed { fill: var(--bad); }
.resistance .succeeded-ink, .resistance .failed-ink { fill: var(--done-ink); }
.resistance .seat { fill: var(--paper); stroke: var(--paper-edge); }
.resistance .seat.team { fill: var(--chosen); }
.resistance .seat.own { stroke: var(--lit-edge); stroke-width: 2; }
.resistance .chosen { fill: var(--chosen); }
.resistance .flag { fill: var(--lit-edge); stroke: var(--lit-edge); stroke-width: 1.4; stroke-linejoin: round; }
.resistance .mover { fill: var(--bad); }
.resistance .aye { fill: none; stroke: var(--good); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.resistance .no { fill: none; stroke: var(--bad); stroke-width: 2.2; stroke-linecap: round; }
.resistance .unknown { fill: var(--quiet); }
.resistance .card { stroke-width: 1.5; }
.resistance .card.good { fill: var(--good-paper); stroke: var(--good); }
.resistance .card.bad { fill: var(--bad-paper); stroke: var(--bad); }
"""
