"""Saboteur in words for people: what happened, what may be done, and the cards. Nothing here knows a screen.

Everything is said from one event, redacted for its reader, or from one move in notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from molehunt.core.errors import BadNotation
from molehunt.core.language import _, counted_in, later
from molehunt.core.places import place_said
from molehunt.core.words import joined
from molehunt.games.entry import GameWords
from molehunt.games.saboteur.cards import BROKEN_TOOLS, CARD_NAMES, FIRST_BREAK, TOOLS
from molehunt.games.saboteur.draw.wording import edges_of
from molehunt.games.saboteur.friendly import Event
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.notation import EXAMPLES
from molehunt.games.saboteur.state import OUTCOME_NAMES, OUTCOME_REASONS
from molehunt.games.tunnels.wording import in_order
from molehunt.table.tunnel_words import (
    ACCUSE,
    AIM,
    ASK,
    CLAIM,
    DISCARD,
    HIDDEN,
    LAY,
    LOOK,
    REMOVE,
    Move,
    discards,
    group,
    lays,
    looks,
    name_of,
    sentences,
    told,
    tunnel_title,
)

ONE_TOOL = TOOLS[-1]
"""What stands for all tools, in a ruleset with one."""
CONTENT_WORDS = {"gold": later("the gold"), "rock1": later("a stone"), "rock2": later("a stone")}
REASONS = dict(zip(OUTCOME_NAMES, OUTCOME_REASONS[1:], strict=True))
_MOVE = re.compile(
    r"discard:(?P<thrown>.+)|map:(?P<looked>\w+)|claim:(?P<claimed>\w+)=(?P<said>\w+)"
    r"|accuse>(?P<accused>\d+)|ask:(?P<asked>\w+)"
    r"|(?P<laid>\w+)@(?P<cell>-?\d+,-?\d+)(?P<turned>r?)|(?P<card>[\w:+]+)>(?P<target>\d+)(?:/(?P<tool>\w+))?"
)


def card_title(name: str, turned: bool = False) -> str:
    """The short name of a card for people: "T-junction up-down-right", "broken cart", "repair: cart or lantern", "map".

    A tunnel that lies `turned` by 180 degrees is called as it lies.
    """
    kind, _colon, tools = name.partition(":")
    if kind == "break":
        return _("broken {tool}", tool=_(tools))
    if kind == "fix":
        return _("repair: {tools}", tools=_either(tools))
    return tunnel_title(*edges_of(name, turned)) if name in CARD_NAMES[:FIRST_BREAK] else _(name)


def in_a_sentence(name: str) -> str:
    """The same as it stands in a sentence: "cart or lantern repair"."""
    kind, _colon, tools = name.partition(":")
    return _("{tools} repair", tools=_either(tools)) if kind == "fix" else card_title(name)


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as one sentence or more, with names; `seat` is the reader's, None for a watcher."""
    return sentences(
        _deed(event, names, seat),
        *(
            _("the {place} goal turns over: it is {what}", place=place_said(place), what=_(CONTENT_WORDS[content]))
            for place, content in event.revealed.items()
        ),
        _drawn(event, names, seat),
        *(_ending(event, names, seat) if event.ended else ()),
    )


def _drawn(event: Event, names: Sequence[str], seat: int | None) -> str:
    if not event.drew:
        return ""
    card = in_a_sentence(event.drew)
    return told(later("you draw a {card}"), later("{name} draws a {card}"), event.seat, names, seat, card=card)


def move_words(move: str, names: Sequence[str], seat: int | None) -> str:
    """A legal move of `seat` as an imperative: "Break Bob's lantern". BadNotation where the text is no move.

    Without a seat it is a move that others speak of, and nothing in it is the reader's.
    """
    said = take_apart(move)
    if said.kind == DISCARD:
        return _("Discard the {card}", card=in_a_sentence(said.card))
    if said.kind == LOOK:
        return _("Look at the {place} goal", place=place_said(said.place))
    if said.kind == CLAIM:
        return _("Say that the {place} goal is {what}", place=place_said(said.place), what=_(said.said))
    if said.kind == ACCUSE:
        return _("Accuse {name}", name=names[said.target or 0])
    if said.kind == ASK:
        return _ask_words(said.tool, seat is not None)
    if said.kind == REMOVE:
        return _("Play a rockfall on {cell}", cell=said.cell)
    if said.kind == LAY:
        # Called as it will lie, and as it is called once it lies there.
        return _("Lay a {card} at {cell}", card=card_title(said.card, said.turned), cell=said.cell)
    return _aim_words(said, names, seat)


def _ask_words(tool: str, own: bool) -> str:
    """A request for a repair as an imperative, to who makes it (`own`) or to others."""
    if tool == ONE_TOOL:
        return _("Ask for your block to be taken away") if own else _("Ask for the block to be taken away")
    return (
        _("Ask for your {tool} to be mended", tool=_(tool))
        if own
        else _("Ask for the {tool} to be mended", tool=_(tool))
    )


def _aim_words(said: Move, names: Sequence[str], seat: int | None) -> str:
    """A break or a repair as an imperative."""
    target = said.target or 0
    own, name = target == seat, names[target]
    kind, _colon, tools = said.card.partition(":")
    if said.card == "block":
        return _("Block yourself") if own else _("Block {name}", name=name)
    if said.card == "deblock":
        return _("Take away your block") if own else _("Take away {name}'s block", name=name)
    if kind == "break":
        return (
            _("Break your own {tool}", tool=_(tools)) if own else _("Break {name}'s {tool}", name=name, tool=_(tools))
        )
    if "+" not in tools:
        return _("Mend your {tool}", tool=_(tools)) if own else _("Mend {name}'s {tool}", name=name, tool=_(tools))
    card = joined(_(tool) for tool in tools.split("+"))
    tool = _(said.tool) if said.tool else _("tools")
    if own:
        return _("Mend your {tool} with the {card} card", tool=tool, card=card)
    return _("Mend {name}'s {tool} with the {card} card", name=name, tool=tool, card=card)


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
    if match["accused"]:
        return Move(ACCUSE, target=int(match["accused"]))
    if match["asked"]:
        return Move(ASK, tool=match["asked"])
    if match["laid"]:
        kind = REMOVE if match["laid"] == "rockfall" else LAY
        return Move(kind, match["laid"], match["cell"], bool(match["turned"]))
    return Move(AIM, match["card"], target=int(match["target"]), tool=match["tool"] or "")


def _deed(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What the mover did."""
    said = take_apart(event.move)

    def did(you: str, other: str, **values: object) -> str:
        return told(you, other, event.seat, names, seat, **values)

    if said.kind == DISCARD:
        return discards(did, None if said.card == HIDDEN else in_a_sentence(said.card))
    if said.kind == LOOK:
        return looks(did, said.place, CONTENT_WORDS[event.seen] if event.seen else None)
    if said.kind == CLAIM:
        return did(
            later("you say: {what} at the {place} goal"),
            later("{name} says: {what} at the {place} goal"),
            what=_(said.said),
            place=place_said(said.place),
        )
    if said.kind in (ACCUSE, ASK):
        return _said_before_card(said, did, event.seat, names, seat)
    if said.kind == REMOVE:
        if not event.removed:
            return did(
                later("you play a rockfall on {cell}"), later("{name} plays a rockfall on {cell}"), cell=said.cell
            )
        return did(
            later("you play a rockfall on {cell}: the {card} is gone"),
            later("{name} plays a rockfall on {cell}: the {card} is gone"),
            cell=said.cell,
            card=tunnel_title(*edges_of(*event.removed)),
        )
    if said.kind == LAY:
        card = tunnel_title(*edges_of(said.card, said.turned))
        return lays(did, card, said.cell)
    return _deed_on(event, said, names, seat)


def _said_before_card(said: Move, did: Callable[..., str], mover: int, names: Sequence[str], seat: int | None) -> str:
    """Somebody accuses somebody, or asks for a repair; `did` as `told`, about the mover."""
    if said.kind == ACCUSE:
        if said.target == seat:
            return _("{name} says that you are a saboteur", name=names[mover])
        return did(
            later("you say that {accused} is a saboteur"),
            later("{name} says that {accused} is a saboteur"),
            accused=names[said.target or 0],
        )
    if said.tool == ONE_TOOL:
        return did(
            later("you ask for your block to be taken away"), later("{name} asks for the block to be taken away")
        )
    return did(
        later("you ask for your {tool} to be mended"),
        later("{name} asks for the {tool} to be mended"),
        tool=_(said.tool),
    )


_ON_TOOLS = {
    "block": (
        later("you lay a block in front of yourself"),
        later("you lay a block in front of {owner}"),
        later("{name} lays a block in front of you"),
        later("{name} lays a block in front of {owner}"),
        later("{name} lays a block in front of {owner}"),
    ),
    "deblock": (
        later("you take away your own block"),
        later("you take away {owner}'s block"),
        later("{name} takes away your block"),
        later("{name} takes away their own block"),
        later("{name} takes away {owner}'s block"),
    ),
    "break": (
        later("you break your own {tools}"),
        later("you break {owner}'s {tools}"),
        later("{name} breaks your {tools}"),
        later("{name} breaks their own {tools}"),
        later("{name} breaks {owner}'s {tools}"),
    ),
    "fix": (
        later("you mend your own {tools}"),
        later("you mend {owner}'s {tools}"),
        later("{name} mends your {tools}"),
        later("{name} mends their own {tools}"),
        later("{name} mends {owner}'s {tools}"),
    ),
}
"""A card played on tools: the reader on their own, the reader on another's, another on the reader's, on their own, on another's."""


def _deed_on(event: Event, said: Move, names: Sequence[str], seat: int | None) -> str:
    """A card played on somebody's tools."""
    mover, target = event.seat, said.target or 0
    kind, _colon, tools = said.card.partition(":")
    case = (0 if target == seat else 1) if mover == seat else 2 if target == seat else 3 if target == mover else 4
    broken = joined(_(tool) for tool in (in_order(event.mended, TOOLS) if kind == "fix" else (tools,)))
    return _(_ON_TOOLS[kind][case], name=names[mover], owner=names[target], tools=broken)


def _ending(event: Event, names: Sequence[str], seat: int | None) -> list[str]:
    """The end of a round: how, who the saboteurs were, and what the reader was paid and is next."""
    saboteurs = [other for other, role in enumerate(event.roles or ()) if role == "saboteur"]
    parts = [_("the round is over: {reason}", reason=_(REASONS[event.ended or ""])), _who_were(saboteurs, names, seat)]
    if seat is not None:
        parts.append(
            counted_in("you are paid {n} nugget", "you are paid {n} nuggets", event.gained)
            if event.gained
            else _("you are paid nothing")
        )
        if event.role:
            parts.append(_("in the next round you are a {role}", role=_(event.role)))
    return parts


def _who_were(saboteurs: Sequence[int], names: Sequence[str], seat: int | None) -> str:
    """Who the saboteurs of a round were."""
    if not saboteurs:
        return _("there was no saboteur")
    if [*saboteurs] == [seat]:
        return _("you were the saboteur")
    who = joined(name_of(other, names, seat) for other in saboteurs)
    if seat in saboteurs:
        return _("{who_with_you} were the saboteurs", who_with_you=who)
    return counted_in("{who} was the saboteur", "{who} were the saboteurs", len(saboteurs), who=who)


def _either(tools: str) -> str:
    return joined((_(tool) for tool in in_order(tools.split("+"), BROKEN_TOOLS)), "or")


def rules_text(game: Saboteur) -> str:
    """The rules in short, as they are under this ruleset."""
    ruleset = game.ruleset
    most = ruleset.saboteurs_for(game.seats)
    number = _("{fewer} or {most}", fewer=most - 1, most=most) if ruleset.hidden_role else str(most)
    tools = [
        _("A block keeps its player from laying tunnels until a deblock takes it away.")
        if ruleset.one_tool
        else _("A broken tool keeps its player from laying tunnels until it is mended.")
    ]
    if not ruleset.mends_all:
        tools.append(_("A repair with two tools mends one of them."))
    tools.append(
        _("A rockfall takes a tunnel away.")
        if ruleset.blocked_may_rockfall
        else _("A rockfall takes a tunnel away, unless a tool of yours is broken.")
    )
    tools.append(_("A map looks at a goal."))
    if ruleset.talk:
        tools.append(_("Then you say what you saw, true or not."))
    if ruleset.speak:
        tools.append(_("Before a card you may accuse a player, or ask for the repair of a broken tool."))
    gold = [
        _("A goal that the tunnel reaches turns over."),
        _("Miners who find the gold share it by its cards, the finder first; else the saboteurs are paid.")
        if ruleset.payment == "shares"
        else _("When a round ends, each of the side that won is paid one nugget."),
    ]
    if ruleset.rounds > 1:
        gold.append(_("There are {rounds} rounds with new roles; who has the most gold wins.", rounds=ruleset.rounds))
    aim = _(
        "Miners dig from the start (S) to the three goals; under one lies the gold. Saboteurs ({number} of {seats} players, "
        "secret) win if it is not reached before all cards are gone.",
        number=number,
        seats=game.seats,
    )
    turn = _(
        "On your turn you play a card or discard one, face down, and draw another. A tunnel goes on a cell marked + and fits "
        "its neighbours, open to open and wall to wall; it may be turned by 180 degrees. In a dead end (x) no tunnel goes on."
    )
    return "\n".join([aim, turn, " ".join(tools), " ".join(gold)])


WORDS = GameWords(sentence, move_words, lambda move: group(take_apart(move).kind))
