"""Saboteur in words for people: what happened, what may be done, and the cards. Nothing here knows a screen.

Everything is said from one event, redacted for its reader, or from one move in notation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from molehunt.core.errors import BadNotation
from molehunt.core.words import counted, joined
from molehunt.games.entry import GameWords
from molehunt.games.saboteur.cards import BROKEN_TOOLS, CARD_NAMES, FIRST_BREAK, TOOLS
from molehunt.games.saboteur.draw.wording import edges_of
from molehunt.games.saboteur.friendly import Event
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.notation import EXAMPLES
from molehunt.games.saboteur.state import OUTCOME_NAMES, OUTCOME_REASONS
from molehunt.games.tunnels.wording import in_order
from molehunt.table.tunnel_words import (
    AIM,
    CLAIM,
    DISCARD,
    GROUPS,
    HIDDEN,
    LAY,
    LOOK,
    REMOVE,
    Move,
    does,
    name_of,
    sentences,
    tunnel_title,
    whose,
)

CONTENT_WORDS = {"gold": "the gold", "rock1": "a stone", "rock2": "a stone"}
REASONS = dict(zip(OUTCOME_NAMES, OUTCOME_REASONS[1:], strict=True))
_MOVE = re.compile(
    r"discard:(?P<thrown>.+)|map:(?P<looked>\w+)|claim:(?P<claimed>\w+)=(?P<said>\w+)"
    r"|(?P<laid>\w+)@(?P<cell>-?\d+,-?\d+)(?P<turned>r?)|(?P<card>[\w:+]+)>(?P<target>\d+)(?:/(?P<tool>\w+))?"
)


def card_title(name: str, turned: bool = False) -> str:
    """The short name of a card for people: "T-junction up-down-right", "broken cart", "repair: cart or lantern", "map".

    A tunnel that lies `turned` by 180 degrees is called as it lies.
    """
    kind, _, tools = name.partition(":")
    if kind == "break":
        return f"broken {tools}"
    if kind == "fix":
        return f"repair: {_either(tools)}"
    return tunnel_title(*edges_of(name, turned)) if name in CARD_NAMES[:FIRST_BREAK] else name


def in_a_sentence(name: str) -> str:
    """The same as it stands in a sentence: "repair of cart or lantern"."""
    return card_title(name).replace(": ", " of ")


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as one sentence or more, with names; `seat` is the reader's, None for a watcher."""
    return sentences(
        _deed(event, names, seat),
        *(f"the {place} goal turns over: it is {CONTENT_WORDS[content]}" for place, content in event.revealed.items()),
        f"{does(event.seat, 'draws', names, seat)} a {in_a_sentence(event.drew)}" if event.drew else "",
        *(_ending(event, names, seat) if event.ended else ()),
    )


def move_words(move: str, names: Sequence[str], seat: int | None) -> str:
    """A legal move of `seat` as an imperative: "Break Bob's lantern". BadNotation where the text is no move."""
    told = take_apart(move)
    if told.kind == DISCARD:
        return f"Discard the {in_a_sentence(told.card)}"
    if told.kind == LOOK:
        return f"Look at the {told.place} goal"
    if told.kind == CLAIM:
        return f"Say that the {told.place} goal is {told.said}"
    if told.kind == REMOVE:
        return f"Play a rockfall on {told.cell}"
    if told.kind == LAY:
        return f"Lay a {card_title(told.card)} at {told.cell}{', turned' * told.turned}"
    return _aim_words(told, names, seat)


def _aim_words(told: Move, names: Sequence[str], seat: int | None) -> str:
    """A break or a repair as an imperative."""
    target = told.target or 0
    if told.card == "block":
        return f"Block {'yourself' if target == seat else names[target]}"
    owner = "your" if target == seat else f"{names[target]}'s"
    kind, _, tools = told.card.partition(":")
    if told.card == "deblock":
        return f"Take away {owner} block"
    if kind == "break":
        return f"Break {owner}{' own' * (target == seat)} {tools}"
    if "+" not in tools:
        return f"Mend {owner} {tools}"
    return f"Mend {owner} {told.tool or 'tools'} with the {joined(tools.split('+'))} card"


def take_apart(move: str) -> Move:
    """The parts of a move in notation; BadNotation where the text is no move."""
    match = _MOVE.fullmatch(move)
    if match is None:
        raise BadNotation(f"{move!r:.60} is not a move; moves look like {EXAMPLES}")
    if match["thrown"]:
        return Move(DISCARD, match["thrown"])
    if match["looked"]:
        return Move(LOOK, "map", place=match["looked"])
    if match["claimed"]:
        return Move(CLAIM, place=match["claimed"], said=match["said"])
    if match["laid"]:
        kind = REMOVE if match["laid"] == "rockfall" else LAY
        return Move(kind, match["laid"], match["cell"], bool(match["turned"]))
    return Move(AIM, match["card"], target=int(match["target"]), tool=match["tool"] or "")


def _deed(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What the mover did."""
    told = take_apart(event.move)

    def mover(verb: str) -> str:
        return does(event.seat, verb, names, seat)

    if told.kind == DISCARD:
        return f"{mover('discards')} {'a card' if told.card == HIDDEN else f'the {in_a_sentence(told.card)}'}"
    if told.kind == LOOK:
        seen = f": it is {CONTENT_WORDS[event.seen]}" if event.seen else ""
        return f"{mover('looks')} at the {told.place} goal{seen}"
    if told.kind == CLAIM:
        return f"{mover('says')}: {told.said} at the {told.place} goal"
    if told.kind == REMOVE:
        gone = f": the {tunnel_title(*edges_of(*event.removed))} is gone" if event.removed else ""
        return f"{mover('plays')} a rockfall on {told.cell}{gone}"
    if told.kind == LAY:
        return f"{mover('lays')} a {tunnel_title(*edges_of(told.card, told.turned))} at {told.cell}"
    return _deed_on(event, told, names, seat)


def _deed_on(event: Event, told: Move, names: Sequence[str], seat: int | None) -> str:
    """A card played on somebody's tools."""
    mover, target = event.seat, told.target or 0
    owner = whose(target, mover, names, seat)
    if told.card == "block":
        return f"{does(mover, 'lays', names, seat)} a block in front of {_oneself(target, mover, names, seat)}"
    if told.card == "deblock":
        return f"{does(mover, 'takes', names, seat)} away {owner} block"
    kind, _, tools = told.card.partition(":")
    if kind == "break":
        return f"{does(mover, 'breaks', names, seat)} {owner} {tools}"
    return f"{does(mover, 'mends', names, seat)} {owner} {joined(in_order(event.mended, TOOLS))}"


def _oneself(target: int, mover: int, names: Sequence[str], seat: int | None) -> str:
    return "yourself" if target == mover == seat else name_of(target, names, seat)


def _ending(event: Event, names: Sequence[str], seat: int | None) -> list[str]:
    """The end of a round: how, who the saboteurs were, and what the reader was paid and is next."""
    saboteurs = [other for other, role in enumerate(event.roles or ()) if role == "saboteur"]
    who = joined(name_of(other, names, seat) for other in saboteurs)
    were = "were" if len(saboteurs) > 1 or saboteurs == [seat] else "was"
    parts = [
        f"the round is over: {REASONS[event.ended or '']}",
        f"{who} {were} the saboteur{'s' * (len(saboteurs) > 1)}" if saboteurs else "there was no saboteur",
    ]
    if seat is not None:
        parts.append(f"you are paid {_nuggets(event.gained)}")
        if event.role:
            parts.append(f"in the next round you are a {event.role}")
    return parts


def _nuggets(count: int) -> str:
    return counted(count, "nugget") if count else "nothing"


def _either(tools: str) -> str:
    return " or ".join(in_order(tools.split("+"), BROKEN_TOOLS))


def rules_text(game: Saboteur) -> str:
    """The rules in short, as they are under this ruleset."""
    rules = game.ruleset
    most = rules.saboteurs_for(game.seats)
    number = f"{most - 1} or {most}" if rules.hidden_role else str(most)
    tools = (
        "A block keeps its player from laying tunnels until a deblock takes it away."
        if rules.one_tool
        else "A broken tool keeps its player from laying tunnels until it is mended."
    )
    double = "" if rules.mends_all else " A repair with two tools mends one of them."
    talk = " Then you say what you saw, true or not." * rules.talk
    rock = "" if rules.blocked_may_rockfall else ", unless a tool of yours is broken"
    gold = (
        "Miners who find the gold share it by its cards, the finder first; else the saboteurs are paid."
        if rules.payment == "shares"
        else "When a round ends, each of the side that won is paid one nugget."
    )
    rounds = f" There are {rules.rounds} rounds with new roles; who has the most gold wins." if rules.rounds > 1 else ""
    return f"""\
Miners dig from the start (S) to the three goals; under one lies the gold. Saboteurs ({number} of {game.seats} players, secret) \
win if it is not reached before all cards are gone.
On your turn you play a card or discard one, face down, and draw another. A tunnel goes on a cell marked + and fits its \
neighbours, open to open and wall to wall; it may be turned by 180 degrees. In a dead end (x) no tunnel goes on.
{tools}{double} A rockfall takes a tunnel away{rock}. A map looks at a goal.{talk}
A goal that the tunnel reaches turns over. {gold}{rounds}"""


WORDS = GameWords(sentence, move_words, lambda move: GROUPS[take_apart(move).kind])
