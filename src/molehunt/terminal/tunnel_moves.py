"""What a person types for a move in the games of tunnels, and which of the legal moves it means.

`2 at 3,1`, `2 at 3,1 turned`, `map top`, `2 on Bob`, `2 on me cart`, `discard 2`, `gold`; `m7` is the seventh of the listed
moves; notation is always read. Nothing here knows a screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Game
from molehunt.core.language import _, later, spoken_words
from molehunt.core.words import joined
from molehunt.games.saboteur.cards import BROKEN_TOOLS, CLAIM_NAMES, TOOLS
from molehunt.table.tunnel_words import AIM, ALONE, CLAIM, DISCARD, LAY, LOOK, REMOVE, Move

THROWING = later("discard throw drop away")
TURNING = later("turned turn flipped flip r")
MYSELF = later("me myself my own mine i you your")
FILLERS = later("lay play put use look show say at on in of to with against the a an card goal and it is that saw , .")
CLAIMS = CLAIM_NAMES[1:]
ACCUSING, ASKING, IS_A_SABOTEUR = later("accuse blame"), later("ask request"), later("is a saboteur")
"""Words with which begins or ends what is said before a card. All of these may be typed in the language of the person, too."""
MANY = 8
"""So many moves are told at most where what was typed may mean several."""

_LISTED = re.compile(r"(?:m|move) ?(\d{1,4})")
_CELL = re.compile(r"(?<![\w-])(-?\d{1,3}) ?, ?(-?\d{1,3})(r?)\b")
_NOTATION = re.compile(r".*[@>]|(map|discard|drop|claim|ask|tile):", re.IGNORECASE)


@dataclass
class Choice:
    """What a person may choose from: the game, the legal moves in their order, the hand, who sits there.

    `take_apart`, `title` and `words` are the game's: a move's parts, a card's short name, a move as an imperative; `obstacle`
    says why a card cannot be played now; `speaks`: whether something may be said before a card.
    """

    game: Game
    legal: Sequence[Action]
    hand: Sequence[str]
    names: Sequence[str]
    seat: int
    places: Sequence[str]
    take_apart: Callable[[str], Move]
    title: Callable[[str], str]
    words: Callable[[str], str]
    obstacle: Callable[[str], str]
    speaks: bool = False

    def find(self, line: str) -> Action:
        """The move that a line means; it is legal, or the rules say why it is not. BadInput says what would be right."""
        try:
            return self.game.parse_action(line)
        except BadInput:
            if _NOTATION.match(line):
                raise
        if match := _LISTED.fullmatch(line.lower()):
            return self._listed(int(match[1]))
        return self._friendly(line)

    def of_card(self, card: str) -> list[int]:
        """The numbers, from 1, of the legal moves with a card."""
        return [number for number, move in enumerate(self.legal, 1) if self.take_apart(str(move)).card == card]

    def card(self, phrase: str) -> str:
        """The card of the hand that a number or a name means; BadInput otherwise."""
        if phrase.isascii() and phrase.isdecimal():
            if len(phrase) > 2 or not 1 <= int(phrase) <= len(self.hand):
                raise BadInput(
                    _(
                        "your cards are 1 to {hand}; there is no card {phrase}",
                        hand=len(self.hand),
                        phrase=f"{phrase:.20}",
                    )
                )
            return self.hand[int(phrase) - 1]
        first, _space, rest = phrase.partition(" ")
        if first.isdecimal():
            others = [name for seat, name in enumerate(self.names) if seat != self.seat]
            raise BadInput(
                _(
                    "{rest} is not understood; after a card comes a cell (3,1), a player ({others}, me) or a goal ({places})",
                    rest=f"{rest!r:.40}",
                    others=", ".join(others),
                    places=", ".join(self.places),
                )
            )
        held = dict.fromkeys(self.hand)
        spoken = {card: (card.lower(), self.title(card).lower()) for card in held}
        found = [card for card in held if phrase in spoken[card]] or [
            card for card in held if any(word.startswith(phrase) for word in spoken[card])
        ]
        if not found:
            raise BadInput(
                _(
                    "you hold no card {phrase}; name it by its number, 1 to {hand}, or write help",
                    phrase=f"{phrase!r:.40}",
                    hand=len(self.hand),
                )
            )
        if len(found) > 1:
            which = joined((f"{self.hand.index(card) + 1} ({self.title(card)})" for card in found), "or")
            raise BadInput(_("{phrase} may be {which}", phrase=f"{phrase!r:.40}", which=which))
        return found[0]

    # --- How a line is read ---------------------------------------------------------------------------------------------

    def _listed(self, number: int) -> Action:
        if not 1 <= number <= len(self.legal):
            numbers = _("m1 to m{legal}", legal=len(self.legal)) if len(self.legal) > 1 else _("only m1")
            raise BadInput(_("the moves are {numbers}; moves lists them", numbers=numbers))
        return self.legal[number - 1]

    def _friendly(self, line: str) -> Action:
        said = self._said(line) if self.speaks else None
        if said is not None:
            return said
        wanted, phrase = self._wishes(line)
        claiming = any(self.take_apart(str(move)).kind == CLAIM for move in self.legal)
        if claiming:
            if wanted.said and not phrase:
                return self._choose(self._fitting(wanted), wanted)
            raise BadInput(_("first say what you saw: write {claims}; it may be a lie", claims=joined(CLAIMS, "or")))
        if wanted.said:
            raise BadInput(_("there is nothing to say now: a claim comes after a map"))
        if not phrase:
            raise BadInput(
                _("say which card, by its number, 1 to {hand}; moves lists what you can do", hand=len(self.hand))
            )
        wanted = replace(wanted, card=self.card(phrase))
        return self._choose(self._fitting(wanted), wanted)

    def _said(self, line: str) -> Action | None:
        """What a line says before a card, as `accuse Bob`, `Bob is a saboteur`, `ask for my cart`; None where it says nothing.

        Whether it may be said, the rules say.
        """
        text = line.lower().strip()
        word, _space, rest = text.partition(" ")
        named = [
            seat for seat, name in enumerate(self.names) if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text)
        ]
        if word in spoken_words(ACCUSING) or text.endswith((f" {IS_A_SABOTEUR}", f" {_(IS_A_SABOTEUR).lower()}")):
            numbers = [int(number) for number in re.findall(r"\b\d{1,2}\b", rest)]
            if set(text.split()) & set(spoken_words(MYSELF)):
                named = [self.seat]
            if len(named or numbers) != 1:
                others = [name for seat, name in enumerate(self.names) if seat != self.seat]
                raise BadInput(_("say whom you accuse: accuse and one of {others}", others=", ".join(others)))
            return self.game.parse_action(f"accuse>{(named or numbers)[0]}")
        if word in spoken_words(ASKING):
            tools = [tool for tool in TOOLS if {tool, _(tool).lower()} & set(text.split())]
            if len(tools) != 1 or set(named) - {self.seat}:
                raise BadInput(_("say which tool of your own you ask for, as ask cart"))
            return self.game.parse_action(f"ask:{tools[0]}")
        return None

    def _wishes(self, line: str) -> tuple[Move, str]:
        """The parts that a line names, and the words that are left for the card."""
        text = line.lower()
        parts: dict[str, Any] = {}
        named: dict[str, Any] = {}
        if match := _CELL.search(text):
            parts = {"cell": f"{int(match[1])},{int(match[2])}", "turned": bool(match[3])}
            text = f"{text[: match.start()]} {text[match.end() :]}"
        for seat, name in sorted(enumerate(self.names), key=lambda pair: -len(pair[1])):
            found = re.search(rf"(?<!\w){re.escape(name.lower())}(?:'s)?(?!\w)", text)
            if found and not named:
                named = {"target": seat}
                text = f"{text[: found.start()]} {text[found.end() :]}"
        vocabulary = self._vocabulary()
        left = [word for word in text.split() if word not in vocabulary]
        for word in text.split():
            parts |= vocabulary.get(word, {})
        return replace(Move(""), **(parts | named)), " ".join(left)

    def _vocabulary(self) -> dict[str, dict[str, Any]]:
        """What each word means that is no card."""
        words: list[tuple[str, dict[str, Any]]] = [
            *((word, {}) for word in spoken_words(FILLERS)),
            *((word, {"target": self.seat}) for word in spoken_words(MYSELF)),
            *((word, {"kind": DISCARD}) for word in spoken_words(THROWING)),
            *((word, {"turned": True}) for word in spoken_words(TURNING)),
        ]
        for names, part in ((self.places, "place"), (CLAIMS, "said"), (BROKEN_TOOLS, "tool")):
            # A place may be called in several words, of which the last one is its own: in der Mitte.
            words += [(word, {part: name}) for name in names for word in (name, _(name).lower().split()[-1])]
        return dict(words)

    def _fitting(self, wanted: Move) -> list[Action]:
        """The legal moves that agree with all that was named; a tunnel lies as it was said, or as it fits."""
        fitting = [move for move in self.legal if _agrees(self.take_apart(str(move)), wanted)]
        lying = [move for move in fitting if self.take_apart(str(move)).turned == wanted.turned]
        return lying if wanted.cell and lying else fitting

    def _choose(self, found: list[Action], wanted: Move) -> Action:
        aimed = wanted.cell or wanted.place or wanted.said or wanted.target is not None or wanted.kind == DISCARD
        if len(found) == 1 and (aimed or self.take_apart(str(found[0])).kind == ALONE):
            return found[0]
        if found:
            told = [f"m{self.legal.index(move) + 1} {self.words(str(move))}" for move in found[:MANY]]
            more = "; ..." * (len(found) > MANY)
            raise BadInput(_("write which: {told}{more}", told="; ".join(told), more=more))
        raise BadInput(self._why_none(wanted))

    def _why_none(self, wanted: Move) -> str:
        """Why no legal move is what was typed."""
        if not wanted.card:
            return _("you say what you saw on the goal that you looked at: write {claims}", claims=joined(CLAIMS, "or"))
        number = self.hand.index(wanted.card) + 1
        title = self.title(wanted.card)
        moves = [self.take_apart(str(self.legal[move - 1])) for move in self.of_card(wanted.card)]
        plays = [move for move in moves if move.kind != DISCARD]
        if not plays:
            return _(
                "the {title} cannot be played now: {why}; discard {number} puts it away",
                title=title,
                why=self.obstacle(wanted.card),
                number=number,
            )
        cells = joined(dict.fromkeys(move.cell for move in plays))
        goals = joined(dict.fromkeys(move.place for move in plays), "or")
        whom = dict.fromkeys("me" if m.target == self.seat else self.names[m.target or 0] for m in plays)
        return {
            LAY: _("the {title} does not go to {cell}; it goes to {cells}", title=title, cell=wanted.cell, cells=cells)
            if wanted.cell
            else _("the {title} does not go there; it goes to {cells}", title=title, cells=cells),
            REMOVE: _(
                "the {title} takes a tunnel away: write {number} and its cell, one of {cells}",
                title=title,
                number=number,
                cells=cells,
            ),
            LOOK: _("the {title} looks at a goal: write {number} and {goals}", title=title, number=number, goals=goals),
            AIM: _(
                "the {title} can be played on {whom} now: write {number} on {first}",
                title=title,
                whom=joined(whom),
                number=number,
                first=next(iter(whom)),
            ),
        }.get(plays[0].kind, _("the {title} is played alone: write {number}", title=title, number=number))


def _agrees(move: Move, wanted: Move) -> bool:
    """Whether a legal move has all that was named."""
    if (move.kind == DISCARD) != (wanted.kind == DISCARD):
        return False
    tools = move.tool or move.card
    return (
        move.card == wanted.card
        and wanted.cell in ("", move.cell)
        and wanted.place in ("", move.place)
        and wanted.said in ("", move.said)
        and (wanted.target is None or (move.target == wanted.target if move.target is not None else move.kind == ALONE))
        and (not wanted.tool or wanted.tool in tools)
    )
