"""Practice at Speed Clue, beliefs in every game, and games that are saved and taken up again."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from rich.console import Console

from molehunt.agents import registry
from molehunt.agents.registry import Agents
from molehunt.console.outputs import write_file
from molehunt.console.play import play_speed_clue
from molehunt.console.play_game import sit_down
from molehunt.console.screen import out
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.language import speaking
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table.session import Saved, Session
from molehunt.terminal import clue_setup
from molehunt.terminal import setup as game_setup
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.saving import Keeper, to_json
from terminal.clue_person import Screen, Spoken

CLUE = {"opponents": "basic,advanced", "seed": 4}
SABOTEUR = {"opponents": "decision-2019,random,random", "ruleset": "krisnadi:talk=yes", "seed": 6}
DUEL = {"opponents": "greedy-2020", "first": False, "seed": 7}
TABLES: dict[str, tuple[dict[str, Any], Callable[[], Session]]] = {
    "speed_clue": (CLUE, lambda: clue_setup.seat_table(clue_setup.Setup(4, opponents=("basic", "advanced")))),
    "saboteur": (
        SABOTEUR,
        lambda: game_setup.seat_table(
            game_setup.Setup("saboteur", 6, "krisnadi:talk=yes", ("decision-2019", "random", "random"))
        ),
    ),
    "duel": (
        DUEL,
        lambda: game_setup.seat_table(game_setup.Setup("duel", 7, first=False, opponents=("greedy-2020",))),
    ),
}


def play(game: str, **given: Any) -> int:
    """The command of a game."""
    if game == "speed_clue":
        return play_speed_clue(**given)
    return sit_down(game, **given, option="--opponent" if game == "duel" else "--opponents")


def whole_game(game: str, session: Session | None = None) -> tuple[list[list[str]], Session]:
    """A game played without a terminal: what a person types for each of his moves, and how it ends."""
    session = session or TABLES[game][1]()
    place = session.place(next(seat for seat, sitter in enumerate(session.sitters) if sitter.agent is None))
    chance = np.random.default_rng(1)
    typed = []
    place.wait()
    while place.outcome is None:
        moves = [str(action) for action in place.legal_actions]
        # Who accuses at random is soon out.
        moves = [move for move in moves if not move.startswith("accuse")] or moves
        move = moves[int(chance.integers(len(moves)))]
        typed.append([move, "yes"] if move.startswith("accuse") else [move])
        place.play(move)
        place.wait()
    return typed, session


class Lines:
    """Types lines, then breaks off; `said` is what was on the screen after each of them."""

    def __init__(self, lines: Sequence[str], screen: Callable[[], str]) -> None:
        self.lines = list(lines)
        self.screen = screen
        self.said: list[str] = []
        self._length = 0

    def __call__(self, _: str) -> str:
        self.said.append(self.screen()[self._length :])
        self._length = len(self.screen())
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def flat(moves: Sequence[Sequence[str]]) -> list[str]:
    return [line for move in moves for line in move]


# --- Practice ----------------------------------------------------------------------------------------------------------


def test_a_practice_game_of_clue_with_every_move_taken_back_once_ends_as_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)
    moves, session = whole_game("speed_clue")
    script = [
        ["why", "beliefs", "hint", "sheet", "record", *move, "undo", "sheet", "record", *move] for move in moves[:-1]
    ]
    lines = flat([*script, moves[-1]])
    read = Lines(lines, Spoken(capsys))
    record = tmp_path / "game.jsonl"
    assert play("speed_clue", **CLUE, practice=True, record=record, read=read) == 0
    (game,) = [Replay(game, make_game) for _, game in read_records(record)]
    assert game.record == session.record()
    after = dict(enumerate(read.said[1:]))
    at = 0
    for move in script:
        start = at + 3
        back = at + move.index("undo")
        assert re.search(r"\d+ moves? taken back, yours and those after it\.", after[back])
        for look in (0, 1):
            assert drawn(after[start + look]) == drawn(after[back + 1 + look])
        at += len(move)
    assert re.match(r"Suggest [^()]*, says exact:people\. ", after[2].replace("\n", " "))
    assert "Where each card may be" in after[1] and re.search(r"Mrs Peacock .*\d %", after[1])
    assert any(re.match(r"(Alice|Bob) .*\. \((basic|advanced)\)\n", said) for said in after.values())


def drawn(said: str) -> list[str]:
    """What a look shows, without the reminder of the turn."""
    return [line for line in said.splitlines() if not line.startswith(("Turn ", "Alice asks", "Bob asks"))]


def at_table(
    game: str, lines: list[str], practice: bool = True, session: Session | None = None, keeper: Keeper | None = None
) -> str:
    """What the screen says while lines are typed."""
    session = session or TABLES[game][1]()
    screen = Screen()
    setups: Any = clue_setup if game == "speed_clue" else game_setup
    setup = setups.setup_of(session, practice=practice)
    prompter = Prompter(screen.console, Lines(lines, screen))
    with pytest.raises(LeftTable):
        setups.play_session(session, setup, prompter, keeper or Keeper())
    return screen()


@pytest.mark.parametrize("game", TABLES)
def test_who_asks_at_a_prompt_to_save_is_told_how_a_game_is_kept(game: str, tmp_path: Path) -> None:
    asked = ["save", "save game.json", "resume"]
    told = " ".join(at_table(game, asked).split())
    assert told.count("This game is not kept. A game that begins with --save FILE is kept after every move") == 2
    assert f"gone on with by: molehunt play {game.replace('_', '-')} --resume FILE" in told
    file = tmp_path / "kept.json"
    told = " ".join(at_table(game, asked[:1], keeper=Keeper(file)).replace("\n", "").split())
    assert "The game is kept in" in told and "kept.json" in told.replace(" ", "")
    with speaking("de"):
        told = " ".join(at_table(game, ["speichern"]).split())
    assert "Diese Partie wird nicht aufbewahrt." in told


def test_who_has_made_no_move_yet_is_named_where_one_asks_why() -> None:
    moves, _ = whole_game("speed_clue")
    number = next(number for number, move in enumerate(moves) if move[0].startswith("show"))
    started = TABLES["speed_clue"][1]()
    screen = at_table("speed_clue", ["why Alice", *flat(moves[:number])], session=started)
    assert "Alice has made no move yet." in screen and "There is no move yet" not in screen


def test_after_an_answer_is_taken_back_the_suggestion_is_told_again() -> None:
    moves, _ = whole_game("speed_clue")
    number = next(number for number, move in enumerate(moves) if move[0].startswith("show"))
    screen = at_table("speed_clue", [*flat(moves[: number + 1]), "undo"])
    told = re.findall(r"^(\w+ suggests .*)$", screen.partition("taken back")[2], re.MULTILINE)
    assert len(told) == 1 and told[0] in screen.partition("taken back")[0]
    assert screen.rpartition(told[0])[2].strip().startswith("You can disprove it with")


def test_why_of_a_hidden_strategy_is_told_at_the_end_alone() -> None:
    hidden = clue_setup.Setup(4, opponents=("hidden", "advanced"))
    game = clue_setup.seat_table(hidden)
    (hidden_one,) = (sitter.name for sitter in game.sitters if sitter.hidden)
    (known_one,) = (sitter.name for sitter in game.sitters if sitter.agent is not None and not sitter.hidden)
    move = whole_game("speed_clue")[0][0]
    taken_up = Session.resume(game.saved(), make_game, Agents("speed_clue").make)
    for session in (game, taken_up):
        screen = at_table("speed_clue", [*move, "end", f"why {hidden_one}", f"why {known_one}"], session=session)
        said = " ".join(screen.split())
        assert f". Why {hidden_one} did it stays secret until the end." in said
        assert re.search(r"\. \(advanced\) It (shows|asks about|ends its turn|accuses)", said)
        assert f"Why {known_one}" not in said and f"{hidden_one} (" not in said and "basic" not in said


def test_who_was_hidden_is_known_in_the_next_game() -> None:
    session = clue_setup.seat_table(clue_setup.Setup(4, opponents=("hidden", "hidden")))
    whole_game("speed_clue", session)
    assert [sitter.hidden for sitter in session.another(5).sitters] == [False, False, False]


NOTATION = re.compile(r"\w:\w|\w@-?\d|\w>\d")


@pytest.mark.parametrize("game", ["saboteur", "duel"])
def test_reasons_and_hints_are_sentences_with_what_was_weighed_below_them_and_no_notation(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)
    move = whole_game(game)[0][0]
    screen = at_table(game, [*move, "hint", "why"])
    told = [
        re.split(r"\n.*your move", re.split(after, screen)[-1])[0]
        for after in (r", says [\w-]+\.\n", r"\. \([\w-]+\)\n")
    ]
    assert all(told) and not any(map(NOTATION.search, told))
    numbers = [text.partition("What was weighed, in numbers:\n")[2] for text in told]
    assert any(numbers)
    assert all(re.match(r"  \S+ +\S", line) for text in numbers for line in text.splitlines())


def test_why_says_whom_one_may_ask_about_and_what_one_does_oneself_is_ones_own_by_whatever_word() -> None:
    screen = at_table("duel", ["why nobody", "why me", "why You", "why Alice"])
    told = " ".join(screen.split())
    assert "Write why or why and a name: Alice; nobody is called nobody." in told
    assert told.count("Your reasons are your own; why is for the others.") == 2
    assert "(greedy-2020)" in told


def test_what_was_weighed_stands_beside_its_number_where_it_needs_another_line() -> None:
    file = io.StringIO()
    prompter = Prompter(Console(file=file, width=40, force_terminal=False), Lines(["why"], file.getvalue))
    session = TABLES["duel"][1]()
    with pytest.raises(LeftTable):
        game_setup.play_session(session, game_setup.setup_of(session, practice=True), prompter, Keeper())
    weighed = file.getvalue().partition("What was weighed, in numbers:\n")[2].partition("Turn ")[0].splitlines()
    places = [match.end() for line in weighed if (match := re.match(r"  \S+ +", line))]
    further = [len(line) - len(line.lstrip()) for line in weighed if not re.match(r"  \S", line)]
    assert places and further
    assert set(further) == set(places)


def test_beliefs_are_bars_and_words_in_the_tunnel_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)  # else another advises until there is machine code
    screen = at_table("duel", ["beliefs"])
    assert "So duel-star sees it in your place." in screen
    assert re.search(r"Alice +█+·* +\d+ %", screen)
    screen = at_table("saboteur", ["beliefs"])
    assert "How likely a saboteur" in screen and "As an onlooker sees it" in screen
    # The others once, and all four in the eyes of an onlooker.
    assert len(re.findall(r"^  (Alice|Bob|Carol) +█*·* +\d+ %", screen, re.MULTILINE)) == 6
    assert "<svg" not in screen


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("leaving", ["exit", "Exit", "quit", "q"])
def test_who_writes_what_is_no_move_is_pointed_to_help_and_may_leave_in_several_words(game: str, leaving: str) -> None:
    screen = at_table(game, ["xyzzy", leaving, "help"])
    assert "'xyzzy'" in screen
    assert re.search(r"\bhelp\b", screen.partition("'xyzzy'")[2])
    assert "take your last move back" not in screen  # the table was left before


@pytest.mark.parametrize("game", TABLES)
def test_where_it_is_no_practice_game_its_commands_say_so(game: str) -> None:
    screen = at_table(game, ["hint", "why", "why Alice", "beliefs", "undo", "help"], practice=False)
    assert screen.count("This is no practice game; --practice makes one") == 5
    assert "take your last move back" not in screen
    assert "take your last move back" in at_table(game, ["help"])


@pytest.mark.parametrize(
    ("game", "looks"), [("saboteur", "board, hand, seats, log"), ("speed_clue", "hand, sheet, words, record")]
)
@pytest.mark.parametrize("practice", [True, False])
def test_a_game_that_is_over_is_looked_at_until_another_begins(
    game: str, looks: str, practice: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    moves, _session = whole_game(game)
    asked = ["hand", "why", "undo", "hint", "help", "yes", "undo"]
    read = Lines([*flat(moves), *asked], Spoken(capsys))
    assert play(game, **TABLES[game][0], practice=practice, read=read) == 1  # the second game is broken off
    hand, why, undo, hint, told, _dealt, again = read.said[-7:]
    whole = looks.replace(", log", ", log and why").replace("words, record", "words, record and why")
    if not practice:
        whole = looks.replace("seats, log", "seats and log").replace("words, record", "words and record")
    over = f"The game is over. {whole} look back at it."
    assert "not dealt" not in "".join(read.said)
    assert hand.startswith(("hand   empty", "Your 6 cards:"))
    assert (re.search(r"[.!] \((decision-2019|random|basic|advanced)\)\n", why) is not None) == practice
    assert (over in why) != practice
    assert all(over in " ".join(said.split()) for said in (undo, hint))
    assert "Answer the question" in told and over in " ".join(told.split())
    assert over not in again


# --- Saving and taking up again -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", TABLES)
def test_a_game_that_was_broken_off_ends_as_one_that_was_not(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves, session = whole_game(game)
    file, record = tmp_path / "game.json", tmp_path / "game.jsonl"
    first, second = len(moves) // 3, 2 * len(moves) // 3
    assert play(game, **TABLES[game][0], save=file, read=Lines(flat(moves[:first]), str)) == 1
    said = capsys.readouterr().out.replace("\n", "")
    assert f"To go on: molehunt play {game.replace('_', '-')} --resume {file}" in said
    last = flat(moves[first - 1 : first])[0]
    assert msgspec.json.decode(file.read_bytes(), type=Saved).moves[-1] == last
    assert play(game, resume=file, read=Lines(flat(moves[first:second]), str)) == 1
    said = capsys.readouterr().out
    assert re.search(r"The game goes on after \d+ moves?\.", " ".join(said.split()))
    assert re.search(r"What happened last:\n(.*\n){0,6}You ", said)
    assert play(game, resume=file, record=record, read=Lines(flat(moves[second:]), str)) == 0
    (played,) = [played for _, played in read_records(record)]
    assert played == session.record()
    with pytest.raises(BadInput, match="this game is over"):
        play(game, resume=file, read=Lines([], str))
    assert len(msgspec.json.decode(file.read_bytes(), type=Saved).moves) == len(session.actions)


@pytest.mark.parametrize("game", TABLES)
def test_a_game_that_is_not_finished_is_not_saved_over_and_a_finished_one_is(game: str, tmp_path: Path) -> None:
    moves, session = whole_game(game)
    file = tmp_path / "game.json"
    assert play(game, **TABLES[game][0], save=file, read=Lines(flat(moves[:1]), str)) == 1
    kept, nobody = file.read_bytes(), Lines([], str)
    told = (
        f"molehunt play {game.replace('_', '-')} --resume {shlex.quote(str(file))} goes on with it; name another file"
    )
    for other, (given, _) in TABLES.items():
        with pytest.raises(BadInput, match=re.escape(told)) as error:
            play(other, **given, save=file, read=nobody)
        assert str(error.value).startswith(f"{file} holds a game that is not finished")
    assert nobody.said == [] and file.read_bytes() == kept
    assert play(game, resume=file, read=Lines(flat(moves[1:]), str)) == 0
    assert len(msgspec.json.decode(file.read_bytes(), type=Saved).moves) == len(session.actions)
    assert play(game, **TABLES[game][0], save=file, read=Lines(flat(moves[:1]), str)) == 1
    assert file.read_bytes() == kept


def test_a_saved_game_that_no_longer_plays_is_not_saved_over(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(saved(moves=["7@50,50"]))
    nobody = Lines([], str)
    with pytest.raises(BadInput, match="not finished"):
        play("duel", **DUEL, save=file, read=nobody)
    assert nobody.said == [] and file.read_bytes() == saved(moves=["7@50,50"])


@pytest.mark.parametrize("game", ["duel", "speed_clue"])
def test_the_command_with_which_a_game_goes_on_is_all_that_it_takes(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out, "_width", 1000)
    monkeypatch.setattr(registry, "_of_files", {})
    own, file = tmp_path / "my players.py", tmp_path / "my game.json"
    own.write_text(
        "from molehunt.core.agent import Player\n\n\nclass Mine(Player):\n    def choose(self, view):\n"
        "        return view.legal_actions[0]\n"
    )
    given: dict[str, Any] = (
        {"sheet": False, "opponents": "mine,mine"} if game == "speed_clue" else {"opponents": "mine"}
    )
    move = "suggest Mrs Peacock, Revolver, Kitchen" if game == "speed_clue" else "m1"
    play(game, **given, seed=3, practice=True, save=file, agents_from=[own], read=Lines([move], str))
    told = shlex.split(capsys.readouterr().out.partition("To go on: ")[2])
    assert told[:6] == ["molehunt", "play", game.replace("_", "-"), "--resume", str(file), "--practice"]
    assert told[6:] == [*["--no-sheet"] * (game == "speed_clue"), "--agents-from", str(own)]


def test_a_game_is_taken_up_where_a_move_was_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves, _ = whole_game("duel")
    file = tmp_path / "game.json"
    lines = [*flat(moves[:3]), "undo"]
    assert play("duel", **DUEL, practice=True, save=file, read=Lines(lines, str)) == 1
    read = Lines(["log all", "undo"], Spoken(capsys))
    assert play("duel", resume=file, practice=True, read=read) == 1
    told = [line for line in read.said[1].splitlines() if re.match("(You|Alice) ", line)]
    assert sum(line.startswith("You ") for line in told) == 2
    assert "taken back" in read.said[2]


def saved(**changes: Any) -> bytes:
    """A saved duel with something wrong in it."""
    return msgspec.json.encode(msgspec.structs.asdict(TABLES["duel"][1]().saved()) | changes)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no game that --save has written"),
        (b"\xff\xfe", "no game that --save has written"),
        (b"notes", "no game that --save has written"),
        (b'{"advice": 1}', "no game that --save has written"),
        (
            {"game": "saboteur"},
            "a game of saboteur, not of duel: molehunt play saboteur --resume '/.*/game.json' goes on with it$",
        ),
        ({"game": "chess"}, "a game of chess, not of duel$"),
        ({"seats": ["random", "random"]}, "one person plays at a terminal, and this is a game of 0"),
        ({"seats": ["person:A", "person:B"]}, "one person plays at a terminal, and this is a game of 2"),
        ({"seats": ["person:You", "nobody"]}, "nobody"),
        ({"names": ["You"]}, "cannot be gone on with"),
        ({"names": ["You", "\x1b[31m"]}, "a name has 1 to 20 letters"),
        ({"seed": -1}, "its seed is not 0 to"),
        ({"roles": [0, 0]}, "its roles were seated"),
        ({"ruleset": "chess"}, "cannot be gone on with"),
        ({"moves": ["spam"]}, "cannot be gone on with"),
        ({"moves": ["7@50,50"]}, "cannot be gone on with"),
    ],
)
def test_a_file_that_is_no_game_to_go_on_with_is_refused_and_left_alone(
    data: bytes | dict[str, Any], fault: str, tmp_path: Path
) -> None:
    file = tmp_path / "a folder" / "game.json"
    file.parent.mkdir()
    written = data if isinstance(data, bytes) else saved(**data)
    file.write_bytes(written)
    with pytest.raises(BadInput, match=fault) as error:
        play("duel", resume=file, read=Lines([], str))
    assert str(error.value).startswith(f"{file}: ")
    assert file.read_bytes() == written


def test_a_game_that_is_over_is_not_gone_on_with_by_the_command_of_another_game_either(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(to_json(whole_game("duel")[1].saved()))
    with pytest.raises(BadInput, match=r"a game of duel, not of saboteur; it was played to its end$"):
        play("saboteur", resume=file, read=Lines([], str))


def test_what_does_not_go_with_a_saved_game_is_refused(tmp_path: Path) -> None:
    file, other = tmp_path / "game.json", tmp_path / "other.json"
    file.write_bytes(saved())
    nobody = Lines([], str)
    given: dict[str, Any]
    for given in ({"opponents": "random"}, {"name": "Kate"}, {"first": False}, {"seed": 1}, {"save": other}):
        option = f"--{next(iter(given))}".replace("--opponents", "--opponent")
        with pytest.raises(BadInput, match=f"goes on saving it there; leave out {option}$"):
            play("duel", resume=file, **given, read=nobody)
    for given in ({"hidden": 2}, {"deal": 1}, {"ruleset": "mitchell"}, {"series": []}):
        with pytest.raises(BadInput, match=f"leave out --{next(iter(given))}$"):
            play("speed_clue", resume=file, **given, read=nobody)
    for given in ({"save": other}, {"practice": True}):
        with pytest.raises(BadInput, match="without help"):
            play("speed_clue", series=[3], **given, read=nobody)
    with pytest.raises(BadInput, match="cannot read"):
        play("duel", resume=other, read=nobody)
    with pytest.raises(BadInput, match="--save needs the name of a file"):
        play("duel", save=Path("-"), read=nobody)
    with pytest.raises(BadInput, match="two things"):
        play("duel", save=other, record=other, read=nobody)
    assert nobody.said == []


def test_a_game_goes_on_where_it_cannot_be_saved() -> None:
    def fail(path: Path, _: bytes) -> None:
        raise BadInput(f"cannot write {path}: disk full")

    screen = Screen()
    session = TABLES["duel"][1]()
    moves, _ = whole_game("duel")
    prompter = Prompter(screen.console, Lines(flat(moves[:2]), screen))
    with pytest.raises(LeftTable):
        game_setup.play_session(session, game_setup.setup_of(session), prompter, Keeper(Path("x"), fail))
    assert screen().count("The game is not saved: cannot write x: disk full.") == 2
    assert "To go on" not in screen()


@pytest.mark.parametrize("leaving", ["quit", None], ids=["quit", "the end of the input"])
def test_who_leaves_a_game_at_a_terminal_may_still_keep_it(leaving: str | None, tmp_path: Path) -> None:
    moves, _ = whole_game("duel")
    (tmp_path / "there.json").write_text("mine")
    answers: list[str | None] = [
        *flat(moves[:2]),
        leaving,
        str(tmp_path / "there.json"),
        str(tmp_path / "no" / "way.json"),
        str(tmp_path / ("long" * 100)),
        None,
    ]
    for kept in (tmp_path / "kept.json", None):
        answers[-1] = "no" if kept is None else str(kept)
        session = TABLES["duel"][1]()
        left: list[str | None] = list(answers)

        def read(_prompt: str, left: list[str | None] = left) -> str:
            typed = left.pop(0)
            if typed is None:
                raise EOFError
            return typed

        written = io.StringIO()
        prompter = Prompter(Console(file=written, width=200, force_terminal=True, color_system=None), read)
        with pytest.raises(LeftTable):
            game_setup.play_session(
                session, game_setup.setup_of(session), prompter, Keeper(None, write_file, offers=True)
            )
        said = written.getvalue()
        assert "there.json exists; name another file." in said and "No such file or directory" in said and not left
        assert "name too long" in said
        assert (tmp_path / "there.json").read_text() == "mine"
        assert ("To go on: molehunt play duel --resume" in said) == (kept is not None)
        if kept is not None:
            assert msgspec.json.decode(kept.read_bytes(), type=Saved).moves == session.saved().moves


def interrupted(*_: object) -> int:
    """What a player does while whose thinking the person presses Ctrl-C."""
    raise KeyboardInterrupt


def failing(*_: object) -> int:
    """What a player of one's own does that fails."""
    raise AgentFailure("mine failed in choose: ZeroDivisionError")


@pytest.mark.parametrize("saved", [True, False])
def test_a_game_in_which_a_player_fails_may_be_kept(tmp_path: Path, saved: bool) -> None:
    moves, _ = whole_game("duel")
    session = TABLES["duel"][1]()
    kept = tmp_path / "kept.json"
    left = [*flat(moves[:2]), *([] if saved else [str(kept)])]

    def read(_prompt: str) -> str:
        session.think = failing if len(left) < 3 - saved else session.think  # type: ignore[method-assign]
        return left.pop(0)

    written = io.StringIO()
    prompter = Prompter(Console(file=written, width=200, force_terminal=True, color_system=None), read)
    keeper = Keeper(kept if saved else None, write_file, offers=True)
    with pytest.raises(AgentFailure, match="ZeroDivisionError"):
        game_setup.play_session(session, game_setup.setup_of(session), prompter, keeper)
    assert not left and "To go on: molehunt play duel --resume" in written.getvalue()
    assert msgspec.json.decode(kept.read_bytes(), type=Saved).moves == session.saved().moves


def test_who_leaves_with_ctrl_c_while_others_think_may_still_keep_the_game(tmp_path: Path) -> None:
    moves, _ = whole_game("duel")
    session = TABLES["duel"][1]()
    kept = tmp_path / "kept.json"
    left = [*flat(moves[:2]), str(kept)]

    def read(_prompt: str) -> str:
        if len(left) == 2:  # the next move of the other player is never made
            session.think = interrupted  # type: ignore[method-assign]
        return left.pop(0)

    written = io.StringIO()
    prompter = Prompter(Console(file=written, width=200, force_terminal=True, color_system=None), read)
    keeper = Keeper(None, write_file, offers=True)
    with pytest.raises(LeftTable):
        game_setup.play_session(session, game_setup.setup_of(session), prompter, keeper)
    assert "To go on: molehunt play duel --resume" in written.getvalue()
    assert msgspec.json.decode(kept.read_bytes(), type=Saved).moves == session.saved().moves
