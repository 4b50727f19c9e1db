"""What the lobby offers: games, rulesets, players and presets. Nothing else can be set up from a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from molehunt.agents.registry import BUILT_IN, Agents
from molehunt.core.errors import BadInput, UnknownName
from molehunt.games.registry import make_game
from molehunt.web.messages import Setup, read_name


@dataclass(frozen=True)
class Rules:
    """A ruleset as the lobby offers it, with the fewest and the most seats."""

    name: str
    title: str
    fewest: int
    most: int


RULES: dict[str, tuple[Rules, ...]] = {
    "saboteur": (
        Rules("official+talk", "The rule book, with talk: three rounds, an open mine", 3, 10),
        Rules("official", "The rule book: three rounds, an open mine", 3, 10),
        Rules("official+talk:rounds=1", "The rule book, with talk: one round", 3, 10),
        Rules("krisnadi", "The small mine of 2019: one round, 9 x 5", 3, 10),
        Rules("veldhuis", "The mine of 2012: three rounds, talk, five seats", 5, 5),
    ),
    "duel": (Rules("mcgill", "The race of 2020", 2, 2),),
    "speed_clue": (
        Rules("mitchell", "The platform of 2020: suggest, and perhaps accuse", 3, 6),
        Rules("contest", "The contest of 2014: no suggestion twice", 3, 6),
    ),
}
TITLES = {"saboteur": "Saboteur", "duel": "The duel", "speed_clue": "Speed Clue"}
DEFAULTS = {"saboteur": "kripke-2012", "duel": "and-or-2020", "speed_clue": "advanced"}


def _seats(*agents: str, people: int = 1) -> list[dict[str, str]]:
    friends = [{"kind": "friend"}] * (people - 1)
    return [*([{"kind": "me"}] if people else []), *friends, *({"kind": "agent", "agent": agent} for agent in agents)]


def _preset(title: str, text: str, game: str, ruleset: str, seats: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    return {"title": title, "text": text, "setup": {"game": game, "ruleset": ruleset, "seats": seats, **more}}


PRESETS: tuple[dict[str, Any], ...] = (
    _preset(
        "You and four Kripke players",
        "Saboteur by the rule book, one round with talk. They reason about who is who; practice, with hints and reasons.",
        "saboteur",
        "official+talk:rounds=1",
        _seats(*["kripke-2012"] * 4),
        practice=True,
    ),
    _preset(
        "Three friends and two bots",
        "Saboteur in full, three rounds: send the links to two friends.",
        "saboteur",
        "official+talk",
        _seats("kripke-2012", "decision-2019", people=3),
    ),
    _preset(
        "The race to the nugget",
        "The duel against the search of 2020; practice.",
        "duel",
        "mcgill",
        _seats("and-or-2020"),
        practice=True,
    ),
    _preset(
        "Who, with what, where?",
        "Speed Clue against three artificial players, with the adviser beside you.",
        "speed_clue",
        "mitchell",
        _seats("advanced", "combined", "exact"),
        practice=True,
    ),
    _preset(
        "Watch five minds dig",
        "Players of 2012 and of 2019 against each other, at a speed one can follow.",
        "saboteur",
        "krisnadi",
        _seats("decision-2019", "kripke-2012", "decision-2019", "kripke-2012", "means-ends-2016", people=0),
        pace=1200,
    ),
)


def lobby() -> dict[str, Any]:
    """All that there is to choose from, as the lobby's page is given it."""
    return {
        "games": [
            {
                "game": game,
                "title": TITLES[game],
                "rulesets": [
                    {"name": rules.name, "title": rules.title, "seats": [rules.fewest, rules.most]}
                    for rules in RULES[game]
                ],
                "agents": [
                    {"name": entry.name, "title": entry.title}
                    for entry in BUILT_IN
                    if entry.game == game and not entry.small_games
                ],
                "default_agent": DEFAULTS[game],
            }
            for game in RULES
        ],
        "presets": list(PRESETS),
    }


def check_setup(setup: Setup) -> str:
    """The owner's name at a table that can be set; BadInput says why it cannot."""
    if setup.game not in RULES:
        raise UnknownName("game", setup.game, RULES)
    offered = {rules.name: rules for rules in RULES[setup.game]}
    if setup.ruleset not in offered:
        raise UnknownName(f"ruleset of {TITLES[setup.game]}", setup.ruleset, offered)
    people = [wish for wish in setup.seats if wish.kind != "agent"]
    owners = [wish for wish in setup.seats if wish.kind == "me"]
    rules = offered[setup.ruleset]
    if not rules.fewest <= len(setup.seats) <= rules.most:
        wanted = f"{rules.fewest}" if rules.fewest == rules.most else f"{rules.fewest} to {rules.most}"
        raise BadInput(f"{TITLES[setup.game]} ({rules.name}) is for {wanted} players, not {len(setup.seats)}")
    if len(owners) > 1 or (people and not owners):
        raise BadInput("one seat is yours, the others are friends' or artificial players'")
    if setup.practice and len(people) != 1:
        raise BadInput("a practice game is for one person among artificial players")
    agents = Agents(setup.game)
    for wish in setup.seats:
        if wish.kind == "agent" and wish.agent not in {entry.name for entry in BUILT_IN if entry.game == setup.game}:
            name, _, edition = wish.agent.partition(":")
            if edition not in agents.entry(name).editions():
                raise UnknownName(f"edition of {name}", edition, agents.entry(name).editions())
    make_game(setup.game, setup.ruleset, len(setup.seats))
    return read_name(owners[0].name) if owners else ""
