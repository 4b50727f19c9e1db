"""The duel as a page shows it: a view, and what may be done, as plain values. A page's y is the duel's row, its x the column.

Everything is made from one seat's view (or the public one), so a page cannot be sent more than its seat knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from molehunt.core.game import Game, LegalActions
from molehunt.core.language import _, later
from molehunt.games.duel.cards import CONTENT_NAMES
from molehunt.games.duel.draw import wording as duel_draw
from molehunt.games.duel.friendly import View
from molehunt.games.tunnels.wording import deck_sentence
from molehunt.table import duel_words
from molehunt.table.tunnel_words import ALONE, Move, plain
from molehunt.web.face import Example, Shown
from molehunt.web.mine_face import (
    NOT_COUNTED,
    Cards,
    KnownSeat,
    LitMove,
    Lying,
    MineFace,
    MinePosition,
    back,
    board,
    goals_of,
    headline,
    lit_move,
    without_seat,
)
from molehunt.web.sprite import symbol_name

_CARDS = Cards(duel_words.card_title, duel_draw.card_sentence, CONTENT_NAMES, duel_words.CONTENT_WORDS)
_GOALS = {(column, row): place for (row, column), place in duel_draw.GOALS.items()}


class DuelFace(MineFace):
    """The duel on a page."""

    examples = (
        Example("c-entrance", later("The ladder"), later("Both dig from here.")),
        Example(
            "c-8",
            later("A tunnel"),
            later("Laid beside what lies there so that all edges fit. It may be turned by half."),
        ),
        Example("c-1", later("A dead end"), later("It lets nobody through.")),
        Example("c-goal", later("A goal"), later("Face down until a tunnel reaches it, or you look with a map.")),
        Example("c-nugget", later("The nugget"), later("Who joins it to the ladder has won.")),
        Example("c-blank", later("Nothing"), later("Under the other two goals.")),
        Example("c-map", later("A map"), later("Look at one goal. You alone see it.")),
        Example("c-malus", later("A malus"), later("The other lays no tunnel until a bonus takes it away.")),
        Example("c-bonus", later("A bonus"), later("Takes a malus from you.")),
        Example("c-destroy", later("Destroy"), later("Takes a tunnel away.")),
    )

    def position(self, game: Game, shown: Shown) -> MinePosition:
        """A view as a page shows it."""
        return _position(game.friendly_view(shown.view), shown.names, shown.legal(game))


FACE = DuelFace("duel", _CARDS)


def _position(view: View, names: Sequence[str], legal: LegalActions) -> MinePosition:
    seat = view.seat if view.seat >= 0 else None
    apart = duel_draw.cut_off(view)
    columns, rows = duel_draw.columns_and_rows(view)
    return MinePosition(
        headline=headline(view.to_move, seat, names, None),
        lines=[]
        if view.to_move is None
        else [
            _("Turn {number}", number=view.turn + 1),
            deck_sentence(view.deck_left),
        ],
        board=board(
            (columns, rows),
            [
                Lying(
                    column,
                    row,
                    back(view.goals[duel_draw.GOALS[row, column]])
                    if name == duel_draw.HIDDEN_GOAL
                    else symbol_name(name),
                    plain(duel_draw.cell_sentence(view, (row, column), is_cut_off=(row, column) in apart)),
                    dark=(row, column) in apart,
                )
                for (row, column), name in view.board.items()
            ],
            [(column, row) for row, column in view.open_cells if view.to_move is not None],
            True,
        ),
        hand=None if seat is None else _CARDS.hand(view),
        seats=[
            KnownSeat(
                seat=other,
                cards=view.hand_sizes[other],
                gold=NOT_COUNTED,
                broken=[],
                looked=list(duel_draw.looked_goals(view, other)),
                claims={},
                malus=view.malus[other],
                words=without_seat(duel_draw.seat_sentence(view, other, says_turn=False)),
            )
            for other in (0, 1)
        ],
        tools=[],
        goals=goals_of(view, _GOALS, view.revealed, duel_draw.goal_sentence),
        moves=[_move(action.text, names, view.seat) for action in legal],
    )


def _move(text: str, names: Sequence[str], seat: int) -> LitMove:
    told = _across(duel_words.take_apart(text))
    found = lit_move(text, told, duel_words.move_words(text, names, seat), _GOALS)
    if told.kind == ALONE:
        found.seat, found.tool = seat if told.card == "bonus" else 1 - seat, None
    return found


def _across(told: Move) -> Move:
    """A move of the duel with its cell as x,y."""
    row, comma, column = told.cell.partition(",")
    return replace(told, cell=f"{column}{comma}{row}")
