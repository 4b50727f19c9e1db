"""Reasons of artificial players as people read them: sentences with names, and what was weighed, best first, apart from them.

Players give their reasons as text, in which moves stand in notation. A card that was weighed has a line of its own (the card, its
worth, and the move), or a list says what came of moves when they were played on. Here these become `Choice`s, and notation within
sentences is said in the game's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from molehunt.core.errors import BadNotation
from molehunt.core.game import Game
from molehunt.core.language import _, later
from molehunt.core.words import capital, joined, number_said
from molehunt.games.entry import GameWords
from molehunt.games.registry import game_entry
from molehunt.table.people import said_names

_WEIGHED = re.compile(r"\s*(?P<card>[\w:+]+)\s+(?P<worth>-?\d+[.,]\d+|-?inf|-)\s+(?P<move>\S.*)")
_UNPLAYABLE = (later("cannot be played"), later("of no use now"))
_MOVE = re.compile(
    r"(?<![\w“:])(?:(?:discard|drop|map|claim|ask):[\w:+=#?-]*[\w?]|[\w:+]+@-?\d+,-?\d+r?|[\w:+]+>\d+(?:/\w+)?)(?![\w“])"
)
_PLAYED_ON = (
    later("What moves bring me above the others' average, played on in worlds that I hold possible: {told}."),
    later("At a glance: {told}."),
    later("Played on from: {moves}."),
    later("What its network expects after each move and the answer to it: {moves}."),
    later("How often it made moves in such positions, in training: {moves}."),
    later("How often it tried moves, and what it then won above the others' average, from -1 to 1: {moves}."),
)
_RECKONED = {
    later("Best moves by h after the move, smaller is better: {moves}."): later(
        "By its own reckoning no other move brings it nearer to winning."
    ),
    later("Best moves by expected h, {depth} moves ahead, smaller is better: {moves}."): later(
        "By its own reckoning, {depth} moves ahead, no other move brings it nearer to winning."
    ),
    later("The ending is solved: {moves}."): later(
        "The deck is empty and few cards are left: it has worked out every course of the ending, with the cards as they may lie."
    ),
}
"""Lists of moves, and what stands in the place of a list."""
_ASKED = later("{cards}: {gain} of {entropy} bits about the envelope, certain after it with {solves}.")
_SHOWN = later("{card} would tell {bits} bits.")
_RESULT = re.compile(r"“([^”]+)” \(?((?:[^;,“()]|,(?=\d))+?)\)?(?:[;,](?!\d)|\.?$)")
_TENTHS = re.compile(r"-?\d[\d.,\s]*[.,]\d")
_TEAMS = later("I believe {count} of {all} states; the saboteurs may be {teams}.")
_TEAMS_BESIDE = later("I believe {count} of {all} states; besides me the saboteurs may be {teams}.")
_TEAM_LIST = r"\{[^}]*\}(?:, \{[^}]*\})*(?:, \.\.\.)?"
_TEAMS_SAID = later("I think the saboteurs may be {teams} ({count} of {all} ways to deal the roles).")
_TEAMS_BESIDE_SAID = later("I think besides me the saboteurs may be {teams} ({count} of {all} ways to deal the roles).")
_TRUST = later("Trust: {trust}.")
_OF_OTHERS = (
    later("The last move that I judged was {move} by {name}: {meaning}."),
    later("for its {move} (move {number})"),
    later("{name} for its {move} (move {number})"),
)
"""Where a move stands that somebody else made."""


@dataclass(frozen=True)
class Choice:
    """One thing that a player weighed: the move, or the card that could not be played, in words, and its worth as written."""

    words: str
    worth: str


@dataclass(frozen=True)
class PlainReason:
    """A reason in sentences, and what was weighed, in the order in which the player gives it."""

    text: str
    choices: tuple[Choice, ...]


def plain_reason(game: Game, text: str, names: Sequence[str], advised: int | None = None) -> PlainReason:
    """A player's reason, in which seats already have names, as people read it; as it is where a game has no words.

    Where it advises the reader, on the seat `advised`, moves are said to them: "Mend your cart".
    """
    words: GameWords | None = game_entry(game.name).get("words")
    if words is None:
        return PlainReason(text, ())
    names = said_names(names)
    found_in_text = _MOVE if words.written is None else re.compile(f"{_MOVE.pattern}|{words.written(game).pattern}")
    sentences: list[str] = []
    choices: list[Choice] = []
    for line in text.splitlines():
        found = _WEIGHED.fullmatch(line)
        said = None if found is None else _weighed(words, found["card"], found["move"], names, advised)
        if found is not None and said is not None:
            # A worth without end is no number to people; where it stands in the order they see.
            choices.append(Choice(said, "-" if found["worth"].endswith("inf") else found["worth"]))
        elif (of_cards := _weighed_cards(line)) is not None:
            choices.append(of_cards)
        else:
            of_others = _moves_of_others(line)

            def quoted(move: re.Match[str], of_others: frozenset[int] = of_others) -> str:
                return _quoted(words, move[0], names, None if move.start() in of_others else advised)

            sentences.append(found_in_text.sub(quoted, line))
    text = "\n".join(sentences)
    for said in _PLAYED_ON:
        played_on = _reads(said, told=r"“.+", moves=r"“.+").search(text)
        if played_on is not None:
            choices += [Choice(move, worth.strip()) for move, worth in _RESULT.findall(played_on[1])]
            text = text.replace(played_on[0], "")
    for said, plainly in _RECKONED.items():
        reckoned = _reads(said, moves=r"“.+", depth=r"\d+").search(text)
        if reckoned is not None:
            weighed = [Choice(move, worth.strip()) for move, worth in _RESULT.findall(reckoned["moves"])]
            choices += _more_than_first(weighed)
            text = text.replace(reckoned[0], _(plainly, **{"depth": reckoned["depth"]} if "depth" in said else {}))
    text = re.sub(r"\n{2,}", "\n", text.strip())  # what stood in a line of its own
    text = re.sub("“([^”]+)”", lambda quoted: _("“{words}”", words=quoted[1]), without_symbols(text))
    return PlainReason(text, tuple(dict.fromkeys(choices)))


def _reads(text: str, **places: str) -> re.Pattern[str]:
    """Finds a text in the language that is spoken, its places being groups of their names with these expressions."""
    pattern = re.escape(_(text))
    for name, expression in places.items():
        pattern = pattern.replace(rf"\{{{name}\}}", rf"(?P<{name}>{expression})")
    return re.compile(pattern)


def _moves_of_others(line: str) -> frozenset[int]:
    """Where in a line of a reason moves begin that others made."""
    templates = (_reads(text, move=r"[^\s“]+", name=".+?", number=r"\d+", meaning=".+") for text in _OF_OTHERS)
    return frozenset(found.start("move") for template in templates for found in template.finditer(line))


def _weighed(words: GameWords, card: str, move: str, names: Sequence[str], advised: int | None) -> str | None:
    """A move, or a card that cannot be played, in words; None where this is no move of the game."""
    if move not in {_(why) for why in _UNPLAYABLE}:
        with suppress(BadNotation):
            return words.move(move, names, advised)
        return None
    for verb in ("discard", "drop"):
        with suppress(BadNotation):
            before, _card, after = _("Discard the {card}").partition("{card}")
            title = words.move(f"{verb}:{card}", names, None).removeprefix(before).removesuffix(after)
            return f"{capital(title)}: {move}"
    return None


def _more_than_first(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Moves of which a number with one place after its point says what is missing: how much more than after the first."""
    if not all(_TENTHS.fullmatch(choice.worth) for choice in choices):
        return choices
    tenths = [int(re.sub(r"[^\d-]", "", choice.worth)) for choice in choices]
    return [
        Choice(choice.words, number_said((each - tenths[0]) / 10, "+,.1f" if each != tenths[0] else ".0f"))
        for choice, each in zip(choices, tenths, strict=True)
    ]


def _weighed_cards(line: str) -> Choice | None:
    """A question of Clue, or a card to show, and what it tells; None where the line is about something else."""
    asked = _reads(_ASKED, cards=".+", gain="[^ ]+", entropy="[^ ]+", solves=".+").fullmatch(line)
    if asked is not None:
        return Choice(asked["cards"], _("{bits} bits, {chance} certain", bits=asked["gain"], chance=asked["solves"]))
    shown = _reads(_SHOWN, card=".+", bits="[^ ]+").fullmatch(line)
    return None if shown is None else Choice(shown["card"], _("{bits} bits", bits=shown["bits"]))


def _quoted(words: GameWords, move: str, names: Sequence[str], advised: int | None) -> str:
    try:
        return f"“{words.move(move, names, advised)}”"
    except BadNotation:
        return move


def without_symbols(text: str) -> str:
    """Sentences of players in plain English: sets of seats, counts and trust without signs and numbers."""
    for written, said in ((_TEAMS, _TEAMS_SAID), (_TEAMS_BESIDE, _TEAMS_BESIDE_SAID)):
        text = _reads(written, count=r"\d+", all=r"\d+", teams=_TEAM_LIST).sub(partial(_teams, said), text)
    text = _reads(_TRUST, trust=r"(?:[^,.]+ -?(?:\d+[.,]\d+|inf)(?:, )?)+").sub(_trust, text)
    return re.sub(r"\b(\w+ )?rock[12]\b", lambda found: f"{found[1] or ''}{_('a stone')}", text)


def _teams(said: str, found: re.Match[str]) -> str:
    teams = [joined(team.split(", ")) if team else _("nobody") for team in re.findall(r"\{([^}]*)\}", found["teams"])]
    if found["teams"].endswith("..."):
        teams.append(_("others"))
    return _(said, teams=_("; or ").join(teams), count=found["count"], all=found["all"])


def _number(said: str) -> float:
    """A number below 1000, or without end, in whichever language it is said."""
    return float(said.replace(",", "."))


def _trust(found: re.Match[str]) -> str:
    trust = [part.rpartition(" ") for part in found["trust"].split(", ")]
    liked = [name for name, _space, value in trust if _number(value) > 0]
    other = [name for name, _space, value in trust if _number(value) <= 0]
    parts = []
    if liked:
        parts.append(_liked(liked, [name for name, _space, value in trust if value == trust[0][2]]))
    if other:
        parts.append(_("I do not trust {names}", names=joined(other)))
    return f"{capital('; '.join(parts))}."


def _liked(liked: Sequence[str], most: Sequence[str]) -> str:
    """Who is trusted, the most trusted first, and which of them are trusted most and alike."""
    if len(liked) == 1:
        return _("I trust {name}", name=liked[0])
    if len(most) == len(liked):
        return _("I trust {names} alike", names=joined(liked))
    if len(most) > 1:
        return _("I trust {names}, most of all {most}", names=joined(liked), most=joined(most))
    return _("I trust {names}, the first most", names=joined(liked))
