"""A person plays the duel in a terminal or through a pipe."""

from __future__ import annotations

from molehunt.core.language import _, later
from molehunt.core.words import as_sentence
from molehunt.games.duel.cards import GOAL_PLACES, NUGGET
from molehunt.games.duel.draw.as_text import KEY, board_lines, card_lines
from molehunt.games.duel.draw.wording import card_sentence, cell_sentence, cut_off, goal_sentence, is_tile, looked_goals
from molehunt.games.duel.friendly import Event, View
from molehunt.games.duel.game import Duel, check_game
from molehunt.games.tunnels.as_text import beside, folded
from molehunt.games.tunnels.wording import deck_sentence
from molehunt.table.duel_words import card_title, take_apart
from molehunt.table.session import Place, Session
from molehunt.table.tunnel_words import Move
from molehunt.terminal.practice import Practice
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.tunnels import TunnelTable, in_columns, seat_name

MALUS = later("a malus lies in front of you")
"""Why no tile can be laid."""


class DuelTable(TunnelTable):
    """The duel at one person's place."""

    aims = later(
        "2 left                look at a goal with a map: left, middle, right\n"
        "2                     play a malus or a bonus\n"
        "2 at 7,5              destroy the tile there"
    )
    notation = later("5_flip@7,5 and drop:5\n(tile 5, not your card 5), map:left")
    places = GOAL_PLACES

    def __init__(self, place: Place, prompter: Prompter, practice: Practice | None = None) -> None:
        super().__init__(place, prompter, practice)
        self.game: Duel = check_game("the table", place.game)

    @property
    def view(self) -> View:
        """What the person knows."""
        return self.game.friendly_view(self.place.record_view)

    def take_apart(self, move: str) -> Move:
        return take_apart(move)

    def title(self, card: str) -> str:
        return card_title(card)

    def is_loud(self, event: Event) -> bool:
        return bool(event.revealed)

    def obstacle(self, card: str) -> str:
        if is_tile(card):
            return _(MALUS) if self.view.malus[self.place.seat] else _("it fits nowhere")
        return {"bonus": _("no malus lies in front of you"), "destroy": _("there is no tile")}.get(
            card, _("every goal lies open")
        )

    def label(self, number: int, card: str) -> str:
        return str(number) if is_tile(card) else f"{number} {self.plain(card)}"

    def picture(self, card: str) -> list[str] | None:
        return card_lines(card) if is_tile(card) else None

    def mine_lines(self) -> list[str]:
        return board_lines(self.view)

    def spoken(self, card: str) -> str:
        return card_sentence(card)

    def cell_sentences(self) -> list[str]:
        view = self.view
        apart = cut_off(view)
        return [cell_sentence(view, cell, is_cut_off=cell in apart) for cell in sorted(view.board)]

    def key_lines(self) -> list[str]:
        return [part for line in KEY for part in folded(_(line), self.width)]

    def seat_lines(self) -> list[str]:
        view = self.view
        rows = [["", _("cards"), _("malus"), _("discarded"), _("looked at")]]
        for seat, cards in enumerate(view.hand_sizes):
            rows.append(
                [
                    seat_name(seat, self.place, view.to_move),
                    str(cards),
                    str(view.malus[seat]),
                    str(view.discard_counts[seat]),
                    " ".join(_(place) for place in looked_goals(view, seat)) or "-",
                ]
            )
        goals = [f"{_(place):<6}  {goal_sentence(view, place)}" for place in GOAL_PLACES if view.goals[place]]
        return [*in_columns(rows), *([""] if goals else []), *(beside(_("goals"), goals) if goals else [])]

    def turn_line(self) -> str:
        view = self.view
        told = _("Turn {turn}: your move. {deck}.", turn=view.turn + 1, deck=deck_sentence(view.deck_left))
        return f"{told} {as_sentence(_(MALUS))}" if view.malus[view.seat] else told

    @classmethod
    def ending(cls, session: Session, seat: int) -> list[str]:
        """Where the nugget lay."""
        return [
            _(
                "The nugget lay under the {place} goal.",
                place=_(GOAL_PLACES[session.truth()[0]["goals"].tolist().index(NUGGET)]),
            )
        ]
