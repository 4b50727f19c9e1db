"""Reasons are true: what they say of the move, the hand, the board, the record and the chances is what a game at the table shows.

Nothing here asks a player's own code: each sentence is held against the position, which is read anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from molehunt.agents.registry import Agents
from molehunt.core.language import speaking
from molehunt.games.registry import make_game, split_label
from molehunt.table.plain_words import plain_reason
from molehunt.table.reasons import every_reason
from molehunt.table.session import Session, Sitter

NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve")
TABLES = {
    "saboteur/official+talk:rounds=1": ("kripke-2012", "mole:worlds=2", "stranger:seed=3", "decision-2019", "mole"),
    "saboteur/krisnadi": ("stranger:seed=30", "mole:worlds=2", "means-ends-2016", "learned", "decision-2019"),
    "saboteur/veldhuis:rounds=1": (
        "kripke-2012",
        "stranger:seed=6",
        "decision-2019:as_printed",
        "random",
        "mole:worlds=2",
    ),
    "duel/mcgill": ("duel-star:deals=2", "greedy-2020"),
    "duel/mcgill:": ("learned", "stranger:seed=8"),
    "speed_clue/mitchell": ("exact", "stranger:seed=21", "next-not-held", "combined"),
    "speed_clue/contest": ("previous-possible", "mixed", "exact:deals=50", "next-possible"),
}
"""Who sits at which game; a label with a colon at its end is the same game with others."""
CHOSEN = re.compile(r"\b(?:I choose|[Ii]t chooses) (\S+?)(?:: | by |, which |\.$)", re.MULTILINE)
WEIGHED = re.compile(r" *(?P<card>[\w:+]+) +(?:-?\d+\.\d+|-?inf|-)  (?P<use>.+)")
SPOKEN_FOR = re.compile(
    r"I suspect (\w+) (?:most|least) \([^)]*\), above all for its (\S+|discard of a card) \(move (\d+)\)"
)
CHANCES = re.compile(r"The (?:gold|nugget): (\w+ [<>]?\d+ %), (\w+ [<>]?\d+ %), (\w+ [<>]?\d+ %)\.")
NOTATION = re.compile(
    r"@-?\d|\w>\d|\b(?:discard|drop|map|claim|ask|accuse|break|fix):|\b[PD]_[NESW]|[{}_]|\bseat \d|\b-?inf\b"
)


class Asked(NamedTuple):
    """A move and why it was made: the session before it, who made it, the move in notation, and the reason."""

    before: Session
    seat: int
    move: str
    text: str


def played_at(label: str) -> Session:
    name, ruleset = split_label(label.removesuffix(":"))
    specs, agents = TABLES[label], Agents(name)
    sitters = [Sitter(NAMES[seat], agents.make(spec)) for seat, spec in enumerate(specs)]
    session = Session(make_game(name, ruleset, len(specs)), sitters, 5)
    while len(session.actions) < 70 and session.step():
        pass
    return session


def asked_at(session: Session, told: Sequence[str]) -> Iterator[Asked]:
    """All moves of a session with their reasons."""
    before = session.before(1)
    for action, text in zip(session.actions, told, strict=True):
        assert before.to_move is not None
        yield Asked(before, before.to_move, session.game.format_action(action), text)
        before.go_on([action])


def check_any_game(asked: Asked, view: Any) -> Iterator[str]:
    """The move is the one that is made, moves are counted, chances sum to one, and people read no notation."""
    for chosen in CHOSEN.findall(asked.text):
        yield "chosen"
        assert chosen == asked.move
    for number in re.findall(r"\b(?:one of|of) (\d+) moves\b", asked.text):
        yield "counted"
        assert int(number) == len(view.legal_actions)
    if "it is the only move" in asked.text:
        assert len(view.legal_actions) == 1
    for chances in CHANCES.findall(asked.text):
        yield "chances"
        assert abs(sum(int(re.sub(r"\D", "", chance)) for chance in chances) - 100) <= 2
    plain = plain_reason(asked.before.game, asked.text, asked.before.names)
    assert not NOTATION.search(plain.text)
    assert not any(NOTATION.search(choice.words) for choice in plain.choices)


def check_mine(asked: Asked, view: Any) -> Iterator[str]:
    """The role, the hand, which cards may be played, and the moves for which somebody is suspected."""
    for role in re.findall(r"\b(?:I am a|As a) (miner|saboteur)\b", asked.text):
        yield "role"
        assert role == view.role
    weighed = [found for line in asked.text.splitlines() if (found := WEIGHED.fullmatch(line))]
    if weighed:
        yield "weighed"
        assert Counter(found["card"] for found in weighed) == Counter(view.hand)
    legal = [action.text for action in view.legal_actions]
    for found in weighed:
        ways = [move for move in legal if re.match(re.escape(found["card"]) + "[@>]|map:", move)]
        may_be_played = any(move.startswith(found["card"]) for move in ways)
        if found["use"] == "cannot be played":
            assert not may_be_played
        elif found["use"] != "of no use now":
            assert found["use"] in legal
    for name, move, number in SPOKEN_FOR.findall(asked.text):
        yield "spoken for"
        event = asked.before.event(int(number), asked.seat)
        assert asked.before.names[int(event["seat"])] == name
        assert "discard" in move or asked.before.game.format_action(int(event["action"])) == move
    for name, meaning in re.findall(r"The last move that I judged was \S+ by (\w+): (.+)", asked.text):
        yield "judged"
        assert asked.before.names[asked.seat] not in {name, *re.findall(r"\w+", meaning)}
    for count, cards in re.findall(r", (\d+) (cards?) away", asked.text):
        assert (count == "1") == (cards == "card")


def check_clue(asked: Asked, view: Any) -> Iterator[str]:
    """What is asked for or shown, what a hand has, and who is said not to have a card."""
    first = asked.text.splitlines()[0]
    cards = [card for kind in view.kinds for card in kind]
    if found := re.match(r"It shows (.+?)(?:,|:)", first):
        yield "shown"
        assert asked.move == f"show {found[1]}"
        assert ("no other" in first) == (len(set(view.suggestions[-1].cards) & set(view.hand)) == 1)
    if found := re.match(r"It asks about (.+?)(?: to learn|, none of which|: of what)", first):
        yield "asked about"
        assert {card for card in cards if card in found[1]} == set(asked.move.removeprefix("suggest ").split(", "))
    for card, name in re.findall(r"(?:names|Beside it:) ([A-Z][\w .]+), which (\w+) is known not to have", asked.text):
        yield "lacked"
        assert card not in asked.before.position.view(NAMES.index(name)).hand
    for card, turn in re.findall(
        r"The \w+ is ([\w .]+) \([^()]+, (?:noted in turn (\d+)|from the start)\)\.", asked.text
    ):
        yield "noted"
        assert not any(card in asked.before.position.view(seat).hand for seat in range(view.seats))
        assert 1 <= int(turn or 1) <= view.turns
    for card in re.findall(r"\bIt knows that ([\w .]+) is in the envelope", asked.text):
        yield "known"
        assert not any(card in asked.before.position.view(seat).hand for seat in range(view.seats))


@pytest.mark.parametrize("label", TABLES)
def test_what_reasons_say_is_so(label: str) -> None:
    session = played_at(label)
    kinds: Counter[str] = Counter()
    for asked in asked_at(session, every_reason(session)):
        view = asked.before.position.view(asked.seat)
        kinds.update(check_any_game(asked, view))
        if session.game.name == "saboteur":
            kinds.update(check_mine(asked, view))
        if session.game.name == "speed_clue":
            kinds.update(check_clue(asked, view))
    wanted = {
        "saboteur": {"chosen", "chances", "role", "weighed", "spoken for"}
        | ({"judged"} if "kripke-2012" in TABLES[label] else set()),
        "duel": {"chosen"},
        "speed_clue": {"shown", "asked about"} | ({"noted"} if "mitchell" in label else set()),
    }
    assert wanted[session.game.name] <= set(kinds)


@pytest.mark.parametrize("label", TABLES)
def test_reasons_say_the_same_numbers_in_german(label: str) -> None:
    session = played_at(label)
    english = every_reason(session)
    with speaking("de"):
        german = every_reason(session)

    def numbers(text: str) -> Counter[str]:
        once = re.sub(r"\((?:once|einmal)(?=[:;])|in (?:one world|einer Welt)", "1", text)
        return Counter(re.findall(r"\d+", re.sub("rock[12]", "", once)))

    assert [numbers(text) for text in german] == [numbers(text) for text in english]
    assert all(one != other for one, other in zip(german, english, strict=True) if " " in one)
