"""`molehunt play GAME`: a person at a table, in the terminal; what is the same for every game that has no questions of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from molehunt.agents.registry import Agents
from molehunt.console.screen import out
from molehunt.console.sitting import (
    at_once,
    check_files,
    check_resume,
    check_save,
    go_on,
    keeper,
    known_to_all,
    load,
    make_ready,
    next_game,
    play_and_keep,
    seat_files,
    use_of,
    used_seed,
)
from molehunt.core.errors import BadInput
from molehunt.games.registry import game_entry
from molehunt.table.session import Session
from molehunt.terminal.prompts import Prompter, Read
from molehunt.terminal.setup import (
    Setup,
    ask_setup,
    check_opponents,
    check_ruleset,
    play_session,
    seat_table,
    setup_of,
    warm_up,
)
from molehunt.terminal.sitting import check_name


def sit_down(
    game: str,
    opponents: str | None = None,
    ruleset: str | None = None,
    *,
    name: str | None = None,
    first: bool | None = None,
    practice: bool | None = None,
    seed: int | None = None,
    record: Path | None = None,
    save: Path | None = None,
    resume: Path | None = None,
    read: Read = input,
    option: str = "--opponents",
    agents_from: Sequence[Path] = (),
) -> int:
    """A game of any kind; what is not given is asked for, unless the opponents are given. The exit status.

    It is 1 where the input ends early. `read` takes the place of `input` where it is not a person who types; `option` is how the
    opponents were given.
    """
    entry = game_entry(game)
    game = entry.name
    seat_files(game, agents_from)
    if first is not None and entry.seat_limits[1] > 2:
        raise BadInput(f"--first is for games of two, and {entry.short_title} is for more")
    set_up = {option: opponents, "--ruleset": ruleset, "--name": name, "--first": first, "--seed": seed}
    check_resume(resume, {**set_up, "--save": save})
    saved = None if resume is None else load(resume, game)
    check_files({"--record": record, "--save": save, "--resume": resume})
    check_save(save)
    given: dict[str, Any] = {"first": first, "practice": practice}
    given |= {"ruleset": None if ruleset is None else check_ruleset(game, ruleset)}
    given |= {"opponents": None if opponents is None else check_opponents(game, opponents)}
    given |= {"name": None if name is None else check_name(name)}
    given = {field: value for field, value in given.items() if value is not None}
    used = used_seed(seed)
    setup = replace(Setup(game, used), **given)
    if "opponents" in given:
        at_once(game, lambda: seat_table(setup))
    prompter = Prompter(out, read)
    with prompter.completing():

        def get_ready(seated: Setup) -> None:
            seated = replace(seated, opponents=known_to_all(game, seated.opponents))
            use = use_of(game, seated.ruleset, seated.opponents, seated.practice)
            make_ready(game, use, warm_up, seated, players=list(map(Agents(game).make, seated.opponents)))

        def play() -> Iterator[Session]:
            found: Session | None
            if resume is not None and saved is not None:
                found = at_once(game, lambda: go_on(resume, saved))
                seated = setup_of(found, bool(practice))
                get_ready(seated)
            else:
                # Who is asked for opponents is told at once whether they can sit down.
                asked = "opponents" not in given
                seated = at_once(game, lambda: ask_setup(prompter, setup, given)) if asked else setup
                get_ready(seated)
                found = seat_table(seated)
            while found is not None:
                play_session(found, seated, prompter, keeper(save, resume, seated.practice, agents_from))
                yield found
                found = next_game(prompter, found)

        return play_and_keep(prompter, record, play)
