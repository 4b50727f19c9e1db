"""The Resistance in words for people: what happened, and what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from molehunt.core.errors import BadNotation
from molehunt.core.words import capital, joined
from molehunt.games.entry import GameWords
from resistance.friendly import Event
from resistance.notation import EXAMPLES, HIDDEN, PROPOSE, parse_action
from resistance.state import HIDDEN_CARD, HIDDEN_VOTE, ROLE_NAMES
from resistance.teams import seats_of

_MOVES = {
    "approve": "Approve the team",
    "reject": "Reject the team",
    "success": "Play success",
    "fail": "Play fail, and sabotage the mission",
}
_GROUPS = {"approve": "Your vote", "reject": "Your vote", "success": "Your mission card", "fail": "Your mission card"}


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as one sentence or more, with names; `seat` is the reader's, None for a watcher."""
    said = [_deed(event, names, seat)]
    if event.ayes is not None:
        those = _listed(event.ayes, names, seat)
        if event.approved:
            said.append(f"the team is approved, by {those}")
        else:
            said.append(f"the team is rejected{f', approved only by {those}' if event.ayes else ' by all'}")
    if event.fails is not None:
        came = "succeeds" if event.succeeded else "fails"
        cards = "fail" if event.fails == 1 else "fails"
        said.append(f"mission {event.mission} {came}, with {event.fails or 'no'} {cards} among {len(event.team)} cards")
    if event.winners is not None and event.roles is not None:
        spies = [other for other, role in enumerate(event.roles) if role != ROLE_NAMES[0]]
        winners = "the resistance wins" if event.winners == ROLE_NAMES[0] else "the spies win"
        said.append(f"{winners}; the spies were {_listed(spies, names, seat)}")
    return " ".join(f"{capital(part)}." for part in said)


def move_words(move: str, names: Sequence[str], seat: int | None) -> str:
    """A legal move of `seat` as an imperative: "Propose Ann and Bob". BadNotation where the text is no move."""
    if move.startswith(PROPOSE):
        return f"Propose {_listed(seats_of(parse_action(move)), names, seat, 'yourself')}"
    if move not in _MOVES:
        raise BadNotation(f"{move!r:.60} is not a move; moves look like {EXAMPLES}")
    return _MOVES[move]


def group(move: str) -> str:
    """The heading under which a move is offered."""
    return _GROUPS.get(move, "The team")


def _deed(event: Event, names: Sequence[str], seat: int | None) -> str:
    own = event.seat == seat
    who = "you" if own else names[event.seat]
    if event.move.startswith(PROPOSE):
        team = _listed(event.team, names, seat, "yourself" if own else "you")
        return f"{who} propose{'' if own else 's'} {team} for mission {event.mission}"
    if event.move in {"success", "fail"}:
        return f"{who} play{'' if own else 's'} {event.move}"
    if event.move == HIDDEN[HIDDEN_CARD]:
        return f"{who} {'have' if own else 'has'} played a mission card"
    if event.move == HIDDEN[HIDDEN_VOTE]:
        return f"{who} {'have' if own else 'has'} voted"
    verb = {"approve": "approves", "reject": "rejects"}[event.move]
    return f"{who} {event.move if own else verb} the team"


def _listed(seats: Iterable[int], names: Sequence[str], seat: int | None, you: str = "you") -> str:
    """Seats by name as a list in a sentence: "Ann, Bob and you"."""
    return joined([you if other == seat else names[other] for other in seats] or ["nobody"])


WORDS = GameWords(sentence=sentence, move=move_words, group=group)
