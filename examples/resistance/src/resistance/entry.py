"""The game and its players as molehunt finds them, by the entry points `molehunt.games` and `molehunt.agents`."""

from __future__ import annotations

from molehunt.agents.entry import AgentEntry
from molehunt.games.entry import GameEntry, Preset, RulesetEntry

RULES = """\
Some players are spies and know each other; the others are the resistance and know only themselves.
Five missions are to be carried out.
In turn, a leader proposes a team of the size that the table of missions says, and everybody votes on it at the same time: more \
than half must approve, or the next leader proposes. If five teams in a row are rejected, the spies win.
On a mission every member of the team plays a card in secret: the resistance success, a spy success or fail. One fail makes a \
mission fail; with 7 players or more the fourth mission needs two.
Three successes win for the resistance, three failures for the spies."""

GAMES = GameEntry(
    name="resistance",
    title="The Resistance: hidden spies, proposed teams, secret votes and missions",
    rulesets={"standard": RulesetEntry("the rule book without plot cards: 5-10 seats, 2-4 spies", 5, 10, 5)},
    game="resistance.game:Resistance",
    editions="resistance.ruleset:RULESETS",
    roles=("resistance", "spy"),
    actions="resistance.game:every_action",
    longest="resistance.game:longest",
    opponent="counting",
    presets=(
        Preset(
            "Spies among five",
            "The Resistance against four players that count who could be a spy.",
            "standard",
            ("counting", "counting", "counting", "counting"),
        ),
    ),
    words="resistance.words:WORDS",
    rules="resistance.entry:RULES",
)

AGENTS = (
    AgentEntry("random", "resistance", "every legal action is equally likely", "molehunt.agents.random", "RandomAgent"),
    AgentEntry(
        "counting",
        "resistance",
        "counts who could be a spy; editions logic and likelihood (sabotage, lie_low)",
        "resistance.agents.counting",
        "CountingAgent",
    ),
)
