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

from molehunt.core.errors import BadNotation
from molehunt.core.game import Game
from molehunt.core.words import capital, joined
from molehunt.games.entry import GameWords
from molehunt.games.registry import game_entry

_WEIGHED = re.compile(r"\s*(?P<card>[\w:+]+)\s+(?P<worth>-?\d+\.\d+|-?inf|-)\s+(?P<move>\S.*)")
_UNPLAYABLE = ("cannot be played", "of no use now")
_MOVE = re.compile(
    r"(?<![\w“:])(?:(?:discard|drop|map|claim):[\w:+=#?-]*[\w?]|[\w:+]+@-?\d+,-?\d+r?|[\w:+]+>\d+(?:/\w+)?)(?![\w“])"
)
_PLAYED_ON = re.compile(r" ?(?:What moves bring me[^:“]*|Played on from): (“.+)")
_RESULT = re.compile(r"“([^”]+)” \(?([^;,“()]+?)\)?(?:[;,]|\.?$)")
_TEAMS = re.compile(r"I believe (\d+) of (\d+) states; the saboteurs may be (.+?)\.(?=\n|$| )")
_TRUST = re.compile(r"Trust: ((?:[^,.]+ -?\d+\.\d+(?:, )?)+)\.")


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


def plain_reason(game: Game, text: str, names: Sequence[str]) -> PlainReason:
    """A player's reason, in which seats already have names, as people read it; as it is where a game has no words."""
    words: GameWords | None = game_entry(game.name).get("words")
    if words is None:
        return PlainReason(text, ())
    sentences: list[str] = []
    choices: list[Choice] = []
    for line in text.splitlines():
        found = _WEIGHED.fullmatch(line)
        said = None if found is None else _weighed(words, found["card"], found["move"], names)
        if found is not None and said is not None:
            choices.append(Choice(said, found["worth"]))
        else:
            sentences.append(_MOVE.sub(lambda move: _quoted(words, move[0], names), line))
    text = "\n".join(sentences)
    played_on = _PLAYED_ON.search(text)
    if played_on is not None:
        choices += [Choice(move, worth.strip()) for move, worth in _RESULT.findall(played_on[1])]
        text = text.replace(played_on[0], "")
    return PlainReason(_without_symbols(text.strip()), tuple(dict.fromkeys(choices)))


def _weighed(words: GameWords, card: str, move: str, names: Sequence[str]) -> str | None:
    """A move, or a card that cannot be played, in words; None where this is no move of the game."""
    if move not in _UNPLAYABLE:
        with suppress(BadNotation):
            return words.move(move, names, None)
        return None
    for verb in ("discard", "drop"):
        with suppress(BadNotation):
            title = words.move(f"{verb}:{card}", names, None).removeprefix("Discard the ")
            return f"{capital(title)}: {move}"
    return None


def _quoted(words: GameWords, move: str, names: Sequence[str]) -> str:
    try:
        return f"“{words.move(move, names, None)}”"
    except BadNotation:
        return move


def _without_symbols(text: str) -> str:
    """Sentences of players in plain English: sets of seats, counts and trust without signs and numbers."""
    text = _TEAMS.sub(_teams, text)
    text = _TRUST.sub(_trust, text)
    text = re.sub(r"\b(\w+ )?rock[12]\b", lambda found: f"{found[1] or ''}a stone", text)
    text = text.replace("; 0 others suspect me", "; nobody suspects me").replace(
        "; 1 others suspect", "; one other suspects"
    )
    return re.sub(r"\bLast, (.+?) played (.+?): so it and ", r"Last, \1 played \2: so \1 and ", text)


def _teams(found: re.Match[str]) -> str:
    teams = [joined(team.split(", ")) if team else "nobody" for team in re.findall(r"\{([^}]*)\}", found[3])]
    many = ", or others" if found[3].endswith("...") else ""
    return (
        f"I think the saboteurs may be {'; or '.join(teams)}{many} ({found[1]} of {found[2]} ways to deal the roles)."
    )


def _trust(found: re.Match[str]) -> str:
    trust = [part.rpartition(" ") for part in found[1].split(", ")]
    liked = [name for name, _, value in trust if float(value) > 0]
    other = [name for name, _, value in trust if float(value) <= 0]
    parts = [f"I trust {joined(liked)}" + ", the first most" * (len(liked) > 1)] * bool(liked)
    parts += [f"I do not trust {joined(other)}"] * bool(other)
    return f"{'; '.join(parts)}."
