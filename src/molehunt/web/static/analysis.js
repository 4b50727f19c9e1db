// The analysis of a finished game: who could believe what, as lines; moves beside the best; and from when on one could have known.

import { _, inNumbers, inPercent, later } from "./language.js";
import { make, setAll, setText } from "./dom.js";

const LINES_SVG = "http://www.w3.org/2000/svg";
const LINES_HEIGHT = 180;
const LINES_DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 4", "4 4 1 4", "8 2", "3 6"];
const GRADES = [later("good"), later("inaccurate"), later("mistaken")];

/**
 * The analysis in a dialog. `log` are the game's moves in words, by number; `showMove(move)` shows the game after so many moves, and
 * `ask()` fetches the analysis where the page does not have it yet.
 */
export class AnalysisDialog {
  constructor(dialog, log, showMove, ask) {
    this.dialog = dialog;
    this.log = new Map(log.map((entry) => [entry.n, entry.text]));
    this.showMove = showMove;
    this.ask = ask;
    this.viewer = null;
    this.at = 0;
    dialog.querySelector(".close-analysis").onclick = () => dialog.close();
    this.body = dialog.querySelector(".analysis-body");
    this.status = dialog.querySelector(".analysis-status"); // within the dialog: what lies outside is not read out while that is open
    new ResizeObserver(() => this.drawCharts()).observe(this.body);
  }

  /** Open it at a move. */
  async open(at) {
    this.at = at;
    if (!this.dialog.open) this.dialog.showModal();
    if (!this.found) {
      this.body.replaceChildren();
      this.showStatus(_("Playing every move on in many worlds …"));
      const found = await this.ask();
      if (found.error) {
        this.showStatus("");
        this.body.replaceChildren(make("p", { class: "error", role: "alert" }, found.error));
        return;
      }
      this.found = found;
      this.build();
      this.showStatus(_("The analysis is ready."), true);
    }
    this.slider.value = this.at;
    this.drawCharts();
  }

  // Where it is `ready`, everybody sees that.
  showStatus(words, ready = false) {
    setText(this.status, words);
    this.status.classList.toggle("unseen", ready);
  }

  // ---- the parts ----

  build() {
    const { found } = this;
    this.slider = make("input", { type: "range", min: 0, max: found.moves, step: 1, value: this.at, "aria-label": _("Move"), oninput: () => this.moveTo(Number(this.slider.value)) });
    this.moment = make("p", { class: "moment" });
    this.charts = make("div", { class: "charts" });
    this.turns = make("ol", { class: "turns" });
    this.known = linesWide(_("When could one have known?"));
    this.moves = linesWide(_("Moves"));
    const viewer = make("select", { id: "analysis-viewer", onchange: () => this.choose(viewer.value) },
      make("option", { value: "" }, _("an onlooker")), found.seats.map((name, seat) => make("option", { value: seat }, name)));
    this.every = make("input", { type: "checkbox", id: "every-move", onchange: () => this.listMoves() });
    this.body.replaceChildren(
      make("div", { class: "row" }, make("label", { for: "analysis-viewer" }, _("What could be believed by")), viewer),
      found.rests_on ? make("p", { class: "muted" }, found.rests_on) : "",
      this.charts,
      make("div", { class: "row at-move" }, this.slider, this.moment),
      make("h3", {}, _("Moves that turned it")), this.turns,
      ...(found.known.length ? [make("h3", {}, _("When could one have known?")), this.known] : []),
      make("h3", {}, _("How it was played")), this.scores(),
      make("label", { class: "row", for: "every-move" }, this.every, _("All moves, not only those that lost something")), this.moves,
      make("p", { class: "muted small" }, _("Every move was played on in {worlds} worlds that its player could hold possible (seed {seed}). Chances to win are as the player could know; a loss counts where it is larger than chance makes it.", { worlds: found.worlds, seed: found.seed })));
    this.choose("");
  }

  choose(viewer) {
    this.viewer = viewer === "" ? null : Number(viewer);
    this.chosen = this.found.charts.filter((chart) => chart.viewer === this.viewer);
    this.drawCharts();
    this.listTurns();
    this.listKnown();
    this.listMoves();
  }

  moveTo(move) {
    this.at = move;
    this.drawCharts();
  }

  /** A link to a moment of the game. */
  link(move, words = _("move {move}", { move })) {
    return make("a", { href: `#move=${move}`, onclick: (event) => {
      event.preventDefault();
      this.dialog.close();
      this.showMove(move);
    } }, words);
  }

  // ---- lines ----

  drawCharts() {
    if (!this.found) return;
    const { at } = this;
    const width = Math.max(240, Math.min(this.body.clientWidth - 8, 900));
    this.charts.replaceChildren(...this.chosen.filter((chart) => chart.first <= at && at <= linesEnd(chart) && this.roundOf(at) === chart.first).map((chart) => make("figure", {},
      make("figcaption", {}, chart.title), linesDrawn(chart, width, at), linesLegend(chart, at))));
    this.moment.replaceChildren(this.link(at, at ? _("Move {move}", { move: at }) : _("The start")), make("span", {}, at ? ` ${this.log.get(at) ?? ""}` : ""));
    setAll(this.slider, { "aria-valuetext": _("Move {move} of {last}", { move: at, last: this.found.moves }) });
  }

  /** Where the round of a move begins: its last move belongs to it, and the first place of the next is behind that. */
  roundOf(at) {
    const starts = [...new Set(this.found.charts.map((chart) => chart.first))].sort((a, b) => a - b);
    return starts.findLast((start) => start < at) ?? starts[0];
  }

  // ---- lists ----

  listTurns() {
    const turns = this.chosen.flatMap((chart) => chart.turns.map((turn) => ({ ...turn, label: chart.lines[turn.line].label, title: chart.title })));
    turns.sort((one, other) => one.move - other.move);
    this.turns.replaceChildren(...turns.map((turn) => make("li", {}, this.link(turn.move, _("Move {move}", { move: turn.move })), ` ${this.log.get(turn.move) ?? ""} `,
      make("span", { class: "muted" }, `${turn.title}: `), make("strong", {}, `${turn.label} ${inPercent(turn.before)} → ${inPercent(turn.after)}`))));
    if (!turns.length) this.turns.replaceChildren(make("li", {}, _("No move turned it.")));
  }

  listKnown() {
    // Where a later round begins, the number of the place is that of the last move of the round before.
    const place = (move, first) => (move === null ? _("never") : move === first ? _("from the start") : this.link(move));
    const rows = this.found.known.filter((known) => known.viewer === this.viewer);
    this.known.replaceChildren(linesTable(["", _("{share} likely", { share: inPercent(this.found.threshold) }), _("certain")],
      rows.map((known) => [known.what, place(known.likely, known.first), place(known.certain, known.first)])));
  }

  scores() {
    const { judged, seats } = this.found;
    const bits = judged.some((each) => each.bits !== null);
    return linesWide(_("How it was played"), linesTable(["", _("moves"), ...GRADES.map((grade) => _(grade)), _("lost"), ...(bits ? [_("bits")] : [])], seats.map((name, seat) => {
      const own = judged.filter((each) => each.seat === seat);
      const told = own.filter((each) => each.bits !== null);
      return [name, own.length, ...GRADES.map((grade) => own.filter((each) => each.grade === grade).length), linesSum(own, "lost"),
        ...(bits ? [told.length ? linesSum(told, "bits") : ""] : [])];
    })));
  }

  listMoves() {
    const shown = this.found.judged.filter((each) => (this.viewer === null || each.seat === this.viewer) && (this.every.checked || each.grade !== "good"));
    this.moves.replaceChildren(shown.length ? linesTable(["", "", _("move played"), _("to win"), _("best"), _("to win"), ""], shown.map((each) => [
      this.link(each.move, `${each.move}`), this.found.seats[each.seat], each.played_text, inPercent(each.chance),
      ...(each.best === each.played ? ["", ""] : [each.best_text, inPercent(each.best_chance)]),
      make("span", { class: `grade ${each.grade}` }, _(each.grade)),
    ])) : make("p", {}, _("No move lost much.")));
  }
}

function linesEnd(chart) {
  return chart.first + chart.lines[0].values.length - 1;
}

function linesSum(judged, field) {
  return inNumbers(judged.reduce((sum, each) => sum + each[field], 0), 2);
}

/** A place for a table that may be wider than the page. */
function linesWide(words, ...children) {
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": words }, ...children);
}

function linesTable(heads, rows) {
  return make("table", { class: "found" }, make("thead", {}, make("tr", {}, heads.map((head) => (head ? make("th", { scope: "col" }, head) : make("td"))))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell) => make("td", {}, cell))))));
}

function linesPart(tag, attributes) {
  return setAll(document.createElementNS(LINES_SVG, tag), attributes);
}

/** The colour of a line: its seat's, or that of its number. */
function linesTint(line, number) {
  return `var(--seat-${(line.seat ?? number) % 10})`;
}

/** Lines of chances from 0 to 1 over the moves; what is the case is drawn bold, and each line has dashes of its own. */
function linesDrawn(chart, width, at) {
  const left = 44;
  const last = Math.max(chart.lines[0].values.length - 1, 1);
  const x = (place) => left + ((width - left - 6) * place) / last;
  const y = (value) => 6 + (LINES_HEIGHT - 26) * (1 - value);
  const drawn = linesPart("svg", { viewBox: `0 0 ${width} ${LINES_HEIGHT}`, class: "line-chart", role: "img", "aria-label": _("{title}: the numbers stand below", { title: chart.title }) });
  for (const level of [0, 0.5, 1]) {
    const words = linesPart("text", { x: left - 5, y: y(level) + 4, "text-anchor": "end" });
    setText(words, `${100 * level} %`);
    drawn.append(linesPart("line", { x1: left, x2: width - 6, y1: y(level), y2: y(level), class: "level" }), words);
  }
  drawn.append(linesPart("line", { x1: x(at - chart.first), x2: x(at - chart.first), y1: 6, y2: LINES_HEIGHT - 20, class: "now" }));
  chart.lines.forEach((line, number) => {
    const path = linesPart("polyline", { points: line.values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
      class: line.true ? "line true" : "line", "stroke-dasharray": LINES_DASHES[number % LINES_DASHES.length] });
    path.style.setProperty("--tint", linesTint(line, number));
    drawn.append(path);
  });
  for (const turn of chart.turns) {
    const line = chart.lines[turn.line];
    const mark = linesPart("circle", { cx: x(turn.move - chart.first), cy: y(turn.after), r: 4.5, class: "turn" });
    mark.style.setProperty("--tint", linesTint(line, turn.line));
    drawn.append(mark);
  }
  const words = linesPart("text", { x: width - 6, y: LINES_HEIGHT - 4, "text-anchor": "end" });
  setText(words, _("moves {first} to {last}", { first: chart.first, last: linesEnd(chart) }));
  drawn.append(words);
  return drawn;
}

/** What the lines are, and what they say at a move. */
function linesLegend(chart, at) {
  return make("ul", { class: "legend" }, chart.lines.map((line, number) => {
    const sample = linesPart("svg", { viewBox: "0 0 26 8", class: "sample", "aria-hidden": "true" });
    const stroke = linesPart("line", { x1: 0, x2: 26, y1: 4, y2: 4, class: line.true ? "line true" : "line", "stroke-dasharray": LINES_DASHES[number % LINES_DASHES.length] });
    stroke.style.setProperty("--tint", linesTint(line, number));
    sample.append(stroke);
    return make("li", {}, sample, make("span", {}, line.label), line.true ? make("span", { class: "tag" }, _("true")) : null,
      make("strong", {}, inPercent(line.values[at - chart.first])));
  }));
}
