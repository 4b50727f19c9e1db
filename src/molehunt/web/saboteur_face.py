"""Saboteur as a page shows it: a view, and what may be done, as plain values.

Everything is made from one seat's view (or the public one), so a page cannot be sent more than its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from molehunt.core.game import Game, LegalActions, Outcome, States
from molehunt.core.language import _, later
from molehunt.core.places import place_said
from molehunt.core.words import capital, joined
from molehunt.games.saboteur.cards import GOAL_NAMES, ROLE_NAMES
from molehunt.games.saboteur.draw import wording as saboteur_draw
from molehunt.games.saboteur.friendly import Event, View
from molehunt.games.tunnels.wording import deck_sentence
from molehunt.table import saboteur_words
from molehunt.table.tunnel_words import AIM, LAY, REMOVE, plain
from molehunt.web.face import Example, Shown
from molehunt.web.frames import Position
from molehunt.web.mine_face import (
    NOT_COUNTED,
    SEEN,
    Cards,
    KnownSeat,
    LitMove,
    Lying,
    MineFace,
    MinePosition,
    RoundEnd,
    back,
    board,
    face_down,
    goals_of,
    headline,
    lit_move,
    without_seat,
)
from molehunt.web.sprite import symbol_name

_CARDS = Cards(saboteur_words.card_title, saboteur_draw.card_sentence, GOAL_NAMES, saboteur_words.CONTENT_WORDS)


class SaboteurFace(MineFace):
    """Saboteur on a page."""

    phrases = (
        later("Please mend my tool."),
        later("The gold is elsewhere."),
        later("Follow my tunnel."),
        later("I do not trust somebody here."),
    )

    examples = (
        Example("c-start", later("The ladder"), later("All tunnels begin here.")),
        Example(
            "c-P_NESW", later("A tunnel"), later("Laid beside another so that all edges fit, and joined to the ladder.")
        ),
        Example(
            "c-D_NSE", later("A dead end"), later("Its ways do not meet: it lets nobody through. Saboteurs like it.")
        ),
        Example(
            "c-goal",
            later("A goal"),
            later("Face down until a tunnel reaches it. Under one of the three lies the gold."),
        ),
        Example("c-gold", later("The gold"), later("When a tunnel joins it to the ladder, the miners have won.")),
        Example("c-rock1", later("A stone"), later("Under the other two goals. It is a tunnel, too.")),
        Example(
            "c-break-pickaxe",
            later("A broken tool"),
            later("Put before a player, who lays no tunnel until it is mended."),
        ),
        Example("c-fix-pickaxe", later("A repair"), later("Mends a tool of that kind, yours or another's.")),
        Example("c-fix-cart-lantern", later("A repair for two"), later("Mends one tool of either kind.")),
        Example("c-rockfall", later("A rockfall"), later("Takes a tunnel away, not the ladder or a goal.")),
        Example("c-map", later("A map"), later("Look at one goal. You alone see it; what you say of it is up to you.")),
        Example("c-block", later("A block"), later("In some games: one tool, which stands for all three.")),
    )

    def position(self, game: Game, shown: Shown) -> MinePosition:
        """A view as a page shows it."""
        return _position(game.friendly_view(shown.view), shown.names, shown.legal(game))

    def open_view(self, game: Game, state: Any) -> Any:
        """The public view with all gold, also that which its owners keep secret."""
        view = super().open_view(game, state)
        view["nuggets"] = state["nuggets"]
        return view

    def open_up(self, found: Position, game: Game, state: Any) -> None:
        """Reveal hands, goals and roles."""
        super().open_up(found, game, state)
        found.roles = [ROLE_NAMES[role] for role in state[0]["roles"][: game.seats]]

    def tell_rounds(
        self, found: Position, game: Game, events: Sequence[Any], seat: int | None, as_left: Callable[[int], States]
    ) -> None:
        """Add how the last round has ended, and the mine as it was then: the cards of the next one are dealt at once.

        Goals that nobody reached are turned over then, as at a table of cards.
        """
        ends = [number for number, told in enumerate(events) if told[0]["ended"]]
        if not ends or not isinstance(found, MinePosition):
            return
        first = ends[-2] + 1 if len(ends) > 1 else 0
        reads = game.public_event if seat is None else lambda told: told[seat]
        course = [game.friendly_event(reads(told)) for told in events[first : ends[-1] + 1]]
        contents = [GOAL_NAMES[content] for content in as_left(ends[-1] + 1)[0]["goals"]]
        found.ended = _round_end(found, len(ends), course, contents, seated=seat is not None)

    def ends_round(self, events: Any) -> bool:
        """Whether roles are told, which are those of the round that is over."""
        return bool(events[0]["ended"])

    def rounds(
        self, game: Game, events: Sequence[Any], state: Any, outcome: Outcome
    ) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Every round with its roles and the side that won it."""
        ends = [game.friendly_event(game.public_event(told)) for told in events if told[0]["ended"]]
        return [(end.roles, _side(end.roles, _team(end))) for end in ends]

    def is_most(self, outcome: Outcome) -> bool:
        """Whether gold was shared out, so that who has most of it wins and others may have found it, too."""
        return len(set(outcome.payoffs) - {0.0}) > 1


FACE = SaboteurFace("saboteur", _CARDS)


def _position(view: View, names: Sequence[str], legal: LegalActions) -> MinePosition:
    ruleset = view.game.ruleset
    seat = view.seat if view.seat >= 0 else None
    goals = saboteur_draw.goal_places(ruleset)
    return MinePosition(
        headline=headline(view.to_move, seat, names, saboteur_draw.claim_due(view)),
        lines=_lines(view, names),
        board=board(
            saboteur_draw.columns_and_rows(view),
            [
                Lying(
                    x,
                    y,
                    symbol_name(name, turned) if name != saboteur_draw.FACE_DOWN else back(view.goals[goals[x, y]]),
                    plain(saboteur_draw.cell_sentence(view, (x, y))),
                )
                for (x, y), (name, turned) in view.board.items()
            ],
            view.reachable if view.to_move is not None else (),
            ruleset.is_open,
        ),
        hand=None if seat is None else _CARDS.hand(view),
        roles=list(view.past_roles[-1]) if view.to_move is None and view.past_roles else None,
        seats=[
            KnownSeat(
                seat=other,
                cards=view.hand_sizes[other],
                gold=view.known_gold[other] if saboteur_draw.gold_is_counted(ruleset) else NOT_COUNTED,
                broken=list(saboteur_draw.broken_tools(view, other)),
                looked=list(saboteur_draw.looked_goals(view, other)),
                claims=view.claims[other],
                malus=0,
                words=without_seat(saboteur_draw.seat_sentence(view, other, names, says_turn=False)),
                accuses=view.accused[other],
                asks=[tool for tool in ruleset.tools if tool in view.asked[other]],
            )
            for other in range(view.seats)
        ],
        tools=list(ruleset.tools),
        goals=goals_of(view, goals, view.revealed, saboteur_draw.goal_sentence),
        moves=[_move(action.text, names, seat, goals) for action in legal],
        round=min(view.round + 1, view.rounds),
        role=view.role,
    )


def _round_end(
    found: MinePosition, number: int, course: Sequence[Event], contents: Sequence[str], seated: bool
) -> RoundEnd:
    """The end of the round whose events are `course`; `found` is a later position of the same game.

    `contents` is what lay under the goals, as the game names it.
    """
    lying = {(cell.x, cell.y): cell for cell in found.board.cells if cell.symbol == symbol_name("start")}
    goals = {goal.place: (goal.x, goal.y) for goal in found.goals}
    under = dict(zip(goals, contents, strict=True))
    lying |= {cell: face_down(place, cell, under[place]) for place, cell in goals.items()}
    for event in course:
        told = saboteur_words.take_apart(event.move)
        if told.kind in (LAY, REMOVE):
            x, y = map(int, told.cell.split(","))
            if told.kind == REMOVE:
                del lying[x, y]
            else:
                words = saboteur_words.card_title(told.card, told.turned)
                lying[x, y] = Lying(
                    x, y, symbol_name(told.card, told.turned), _("{what} at {cell}", what=words, cell=told.cell)
                )
        for place, (content, turned) in event.revealed_cards.items():
            cell = goals[place]
            lying[cell] = Lying(
                *cell,
                symbol_name(content, turned),
                _("the {place} goal: {what}", place=place_said(place), what=_(SEEN[content])),
            )
    mine = found.board
    columns, rows = range(mine.left, mine.right + 1), range(mine.top, mine.bottom + 1)
    if mine.open:
        columns, rows = (range(min(line) - 1, max(line) + 2) for line in zip(*lying, strict=True))
    last = course[-1]
    return RoundEnd(
        number,
        last.turn + 1,
        _team(last),
        capital(_(saboteur_words.REASONS[last.ended or ""])),
        list(last.roles or ()),
        last.gained if seated else None,
        next(place for place, content in under.items() if content == "gold"),
        board((columns, rows), list(lying.values()), [], mine.open),
    )


def _team(end: Event) -> str:
    """Who has won the round that an event has ended."""
    return "miners" if end.ended == "gold" else "saboteurs"


def _side(roles: Sequence[str], team: str) -> tuple[int, ...]:
    """The seats of a team."""
    return tuple(seat for seat, role in enumerate(roles) if f"{role}s" == team)


def _move(text: str, names: Sequence[str], seat: int | None, goals: Mapping[tuple[int, int], str]) -> LitMove:
    told = saboteur_words.take_apart(text)
    found = lit_move(text, told, saboteur_words.move_words(text, names, seat), goals)
    if told.kind == AIM and told.target is not None:
        found.seat, found.tool = told.target, told.tool or None
    return found


def _lines(view: View, names: Sequence[str]) -> list[str]:
    you = [_("You are a {role}", role=_(view.role))] if view.seat >= 0 else []
    past = [
        _(
            "Saboteurs of round {number}: {who}",
            number=number,
            who=joined([names[seat] for seat, role in enumerate(roles) if role == "saboteur"] or [_("nobody")]),
        )
        for number, roles in enumerate(view.past_roles, 1)
    ]
    if view.to_move is None:
        return past
    return [
        capital(saboteur_draw.turn_sentence(view, from_one=True)),
        *you,
        capital(saboteur_draw.saboteurs_sentence(view)),
        deck_sentence(view.deck_left),
        *past,
    ]
