"""A person plays Saboteur in a terminal or through a pipe."""

from __future__ import annotations

from molehunt.core.language import _, counted_in, later
from molehunt.core.words import as_sentence, capital, joined
from molehunt.games.saboteur.cards import CARD_NUMBERS, FIRST_BREAK, FIRST_FIX, GOAL_PLACES, GOLD
from molehunt.games.saboteur.draw.as_text import KEY, board_lines, card_lines
from molehunt.games.saboteur.draw.wording import (
    PATH_CARDS,
    broken_tools,
    card_sentence,
    cell_sentence,
    claim_due,
    claims_of,
    goal_sentence,
    gold_is_counted,
    saboteurs_sentence,
    said_sentences,
    turn_sentence,
)
from molehunt.games.saboteur.friendly import Event, View
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.tunnels.as_text import beside, folded
from molehunt.games.tunnels.wording import deck_sentence
from molehunt.table.saboteur_words import card_title, take_apart
from molehunt.table.session import Place, Session
from molehunt.table.tunnel_words import Move, name_of
from molehunt.terminal.practice import Practice
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.tunnels import TunnelTable, in_columns, seat_name


class SaboteurTable(TunnelTable):
    """Saboteur at one person's place."""

    aims = later(
        "2 on Bob, 2 on me     play it on Bob, on yourself\n"
        "2 on Bob cart         ... where it mends one of two tools\n"
        "2 top                 look at a goal with a map: top, middle, bottom"
    )
    claims = later("gold, stone           say what you saw there, true or not")
    speech = later("accuse Bob, ask cart  before a card: that Bob is a saboteur; for your cart to be mended")
    notation = "P_NSE@3,1r, map:top, break:cart>2"
    places = GOAL_PLACES

    def __init__(self, place: Place, prompter: Prompter, practice: Practice | None = None) -> None:
        super().__init__(place, prompter, practice)
        self.game: Saboteur = check_game("the table", place.game)
        self.speaks = self.game.ruleset.speak

    @property
    def view(self) -> View:
        """What the person knows."""
        return self.game.friendly_view(self.place.record_view)

    def aims_said(self) -> str:
        said = (self.claims, self.game.ruleset.talk), (self.speech, self.speaks)
        return "\n".join([super().aims_said(), *(_(line) for line, may_be in said if may_be)])

    def take_apart(self, move: str) -> Move:
        return take_apart(move)

    def title(self, card: str) -> str:
        return card_title(card)

    def is_loud(self, event: Event) -> bool:
        return event.ended is not None

    def obstacle(self, card: str) -> str:
        number = CARD_NUMBERS[card]
        blocked = self.blocked()
        if blocked and (number < FIRST_BREAK or (card == "rockfall" and not self.game.ruleset.blocked_may_rockfall)):
            return blocked
        if number < FIRST_BREAK:
            return _("it fits nowhere")
        if card == "rockfall":
            return _("there is nothing to take away")
        if number < FIRST_FIX:
            return _("there is nobody left to play it on")
        return _("there is nothing that it mends")

    def blocked(self) -> str:
        """Which tools of the person's own are broken, in words; nothing where none is."""
        broken = broken_tools(self.view, self.view.seat)
        if broken and not self.game.ruleset.one_tool:
            tools = joined(_(tool) for tool in broken)
            return counted_in("your {tools} is broken", "your {tools} are broken", len(broken), tools=tools)
        return _("you are blocked") if broken else ""

    def label(self, number: int, card: str) -> str:
        return str(number) if card in PATH_CARDS else f"{number} {self.plain(card)}"

    def picture(self, card: str) -> list[str] | None:
        return card_lines(card) if card in PATH_CARDS else None

    def mine_lines(self) -> list[str]:
        return board_lines(self.view, self.width)

    def spoken(self, card: str) -> str:
        return card_sentence(card)

    def cell_sentences(self) -> list[str]:
        return [cell_sentence(self.view, cell) for cell in sorted(self.view.board)]

    def key_lines(self) -> list[str]:
        return folded(_(KEY), self.width)

    def seat_lines(self) -> list[str]:
        view = self.view
        ruleset = self.game.ruleset
        gold = gold_is_counted(ruleset)
        title = _("blocked") if ruleset.one_tool else _("broken")
        looked_title = _("looked at, and says") if ruleset.talk else _("looked at")
        rows = [["", _("cards"), *([_("gold")] if gold else []), title, looked_title]]
        for seat, cards in enumerate(view.hand_sizes):
            nuggets = view.known_gold[seat]
            broken = " ".join(_("yes") if ruleset.one_tool else _(tool) for tool in broken_tools(view, seat))
            looked = " ".join(
                f"{_(place)}={_(said)}" if said else _(place) for place, said in claims_of(view, seat).items()
            )
            rows.append(
                [
                    seat_name(seat, self.place, view.to_move),
                    str(cards),
                    *([("?" if nuggets is None else str(nuggets))] if gold else []),
                    broken or "-",
                    looked or "-",
                ]
            )
        goals = [f"{_(place):<6}  {goal_sentence(view, place)}" for place in GOAL_PLACES if view.goals[place]]
        known = saboteurs_sentence(view).replace("seats", "players")
        return [
            f"  {known}, {deck_sentence(view.deck_left)}",
            *in_columns(rows),
            *([""] if goals else []),
            *(beside(_("goals"), goals) if goals else []),
            *beside(_("said"), said_sentences(view, self.place.names)),
        ]

    def turn_line(self) -> str:
        view = self.view
        turn = capital(turn_sentence(view, from_one=True).replace(" · ", ", "))
        told = _("{turn}: your move. You are a {role}.", turn=turn, role=_(view.role))
        blocked = self.blocked()
        return f"{told} {as_sentence(blocked)}" if blocked else told

    def due(self) -> str:
        place = claim_due(self.view) if self.place.my_move else None
        return _("Say what you saw on the {place} goal, true or not: gold or stone.", place=_(place)) if place else ""

    @staticmethod
    def role_line(role: str) -> str:
        return _("You are a {role}.", role=_(role))

    @classmethod
    def ending(cls, session: Session, seat: int) -> list[str]:
        """Who the saboteurs were in each round, the gold of all, and where it lay."""
        game = check_game("the table", session.game)
        past = game.friendly_view(session.view(seat)).past_roles
        lines = []
        for number, roles in enumerate(past, 1):
            saboteurs = [name_of(other, session.names, seat) for other, role in enumerate(roles) if role == "saboteur"]
            who = ", ".join(saboteurs) or _("nobody")
            lines.append(
                _("Saboteurs: {who}.", who=who)
                if len(past) == 1
                else _("Saboteurs of round {number}: {who}.", number=number, who=who)
            )
        outcome = session.outcome
        if outcome is not None and gold_is_counted(game.ruleset):
            gold = (f"{name_of(other, session.names, seat)} {int(paid)}" for other, paid in enumerate(outcome.payoffs))
            lines.append(_("Gold: {gold}.", gold=", ".join(gold)))
        place = _(GOAL_PLACES[session.truth()[0]["goals"].tolist().index(GOLD)])
        if game.ruleset.rounds > 1:
            return [*lines, _("In the last round the gold lay under the {place} goal.", place=place)]
        return [*lines, _("The gold lay under the {place} goal.", place=place)]
