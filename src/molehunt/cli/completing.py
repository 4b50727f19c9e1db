"""What the shell offers after the tabulator key: games with their rulesets, players, studies. Nothing heavy is imported.

The library for the command line writes the shell's script and asks these functions (`Parameter(completer=...)`) for what may stand
where the cursor is. What they offer begins with what is typed; a player's name also after others (`random*2,dec`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from molehunt.cli.app import app

Offered = list[tuple[str, str]]
"""What may be typed, and what it is in a line."""

COMPLETE = "__complete"
"""The word with which the shell's script asks what may stand where the cursor is, at the end of the words that follow."""


def labels(_: Any) -> Offered:
    """Every game with every ruleset: `duel/mcgill`."""
    from molehunt.games.registry import all_games

    return [
        (f"{entry.name}/{name}", ruleset.title)
        for entry in all_games().values()
        for name, ruleset in entry.rulesets.items()
    ]


def games(_: Any) -> Offered:
    """Every game, as a command says it: `speed-clue`."""
    from molehunt.games.registry import all_games

    return [(entry.command, entry.title) for entry in all_games().values()]


def rulesets(game: str | None = None) -> Any:
    """What offers the rulesets of a game; None is the game that the command line names."""

    def offered(context: Any) -> Offered:
        from molehunt.games.registry import game_entry, is_game

        name = game or _game(context)
        if name is None or not is_game(name):
            return []
        return [(ruleset, known.title) for ruleset, known in game_entry(name).at_table.items()]

    return offered


def studies(_: Any) -> Offered:
    """Every study."""
    from molehunt.studies.study import STUDIES

    return list(STUDIES.items())


def players_with_games(_: Any) -> Offered:
    """Every player, named with its game: `duel/greedy-2020`."""
    from molehunt.games.registry import all_games

    return [(f"{game}/{name}", title) for game in all_games() for name, title in _players_of(game)]


def agents(_: Any) -> Offered:
    """Every player, whatever it plays."""
    return list(_players_of(None))


def players(game: str | None = None) -> Any:
    """What offers a list of players by seat; None is the game that the command line names, if it does.

    What is typed stays: the seats before, and the role (`saboteur:random,miner:dec`). A role is offered where it may stand.
    """

    def offered(context: Any) -> Offered:
        typed = context.incomplete
        before = typed[: max(typed.rfind(","), typed.rfind(":")) + 1]
        name = game or _game(context)
        known = [(f"{before}{player}", title) for player, title in _players_of(name)]
        if before.endswith(":") or name is None:
            return known
        return [*known, *((f"{before}{role}:", "seats by role") for role in _roles_of(name))]

    return offered


def _game(context: Any) -> str | None:
    """The game that the words before name, as a label or a game; None where none does."""
    from molehunt.games.entry import canonical_name
    from molehunt.games.registry import is_game

    for name in ("label", "game", "agent"):
        given = context.get(name)
        if given is None or not given.raw:
            continue
        typed = given.raw.partition("/")[0]
        if is_game(typed):
            return canonical_name(typed)
    return None


def _players_of(game: str | None) -> Iterable[tuple[str, str]]:
    from molehunt.agents.registry import entries

    titles: dict[str, str] = {}
    for entry in entries():
        if game in (None, entry.game):
            titles.setdefault(entry.name, entry.title)
    return titles.items()


def _roles_of(game: str) -> tuple[str, ...]:
    from molehunt.games.registry import game_entry

    return game_entry(game).roles


# --- How the shell comes to ask ----------------------------------------------------------------------------------------


def joined(words: Sequence[str]) -> list[str]:
    """The words as they were typed: Bash takes `saboteur/krisnadi:saboteurs=2` apart at its colons and equals signs."""
    whole: list[str] = []
    together = False
    for word in words:
        separator = word == ":" or (word == "=" and bool(whole) and not whole[-1].startswith("-"))
        if whole and (separator or together):
            whole[-1] += word
        else:
            whole.append(word)
        together = separator
    return whole


@app.command(name="--install-completion")
def install_completion(*, shell: Literal["bash", "zsh", "fish", "powershell"] | None = None) -> int:
    """Let the shell complete commands, options, games and players.

    Parameters
    ----------
    shell
        The shell; by default the one from which this is called.

    """
    from cyclopts.completion.detect import ShellDetectionError

    from molehunt.core.errors import BadInput

    try:
        written = app.install_completion(shell=shell)
    except ShellDetectionError:
        raise BadInput(
            "it cannot be seen which shell this is: name it, --shell bash, zsh, fish or powershell"
        ) from None
    print(f"{written} is written. The shell completes from its next start on.")
    return 0


def languages(_: Any) -> Offered:
    """Every language in which people are spoken to."""
    from molehunt.core import language

    return [(code, "") for code in language.languages()]
