"""A wrong call: exit status 2, nothing on standard output, and a message that says what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import GAME, PLAYERS, call

ARENA = ("arena", GAME, "--seats", "random*3", "--games", "2")
STUDY = ("study", "krisnadi2019", "--games", "2")

WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "unknown command": (("replya",), 'Unknown command "replya". Did you mean "replay"?'),
    "unknown option": (("games", "--colour"), "Unknown option: --colour.\nTry: molehunt games --help"),
    "unknown option of a game": (("play", "speed-clue", "--players", "9"), "Try: molehunt play speed-clue --help"),
    "arena without label": (("arena",), "LABEL"),
    "arena without seats": (("arena", GAME), "--seats"),
    "one word too many": (
        ("bench", "now"),
        "molehunt: more words than are asked for, from 'now' on\nTry: molehunt bench --help",
    ),
    "option without value": (("arena", GAME, "--seats"), "--seats"),
    "games as a word": ((*ARENA[:-1], "many"), "a whole number is needed, not many"),
    "games with a fraction": ((*ARENA[:-1], "1.7"), "a whole number is needed, not 1.7"),
    "games of 5000 digits": ((*ARENA[:-1], "9" * 5000), "a whole number is needed"),
    "games as a flag": (("show", GAME, "--seat", "first"), "a whole number is needed, not first"),
    "no games": ((*ARENA[:-1], "0"), "--games must be 1 to 1000000000, not 0"),
    "negative games": ((*ARENA[:-1], "-3"), "--games must be 1 to 1000000000, not -3"),
    "too many games": ((*ARENA[:-1], "1000000001"), "--games must be 1 to 1000000000"),
    "negative seed": ((*ARENA, "--seed", "-1"), "--seed must be 0 to 9007199254740991, not -1"),
    "seed too large": ((*ARENA, "--seed", "9007199254740992"), "--seed must be 0 to 9007199254740991"),
    "no cluster": ((*ARENA, "--cluster", "here"), "--cluster is host:port of a Ray cluster that runs, or auto"),
    "no threads": ((*ARENA, "--threads", "0"), "--threads must be 1 to 256, not 0"),
    "too many threads": ((*ARENA, "--threads", "257"), "--threads must be 1 to 256, not 257"),
    "unknown game": (("arena", "saboter", "--seats", "random*3"), "unknown game 'saboter'; did you mean 'saboteur'?"),
    "unknown ruleset": (("arena", "saboteur/kris", "--seats", "random*3"), "unknown ruleset of saboteur 'kris'"),
    "unknown setting": (
        ("arena", f"{GAME}:gold=1", "--seats", "random*3"),
        "unknown parameter of ruleset krisnadi 'gold'",
    ),
    "bad setting": (("arena", f"{GAME}:goals_fit=2", "--seats", "random*3"), "goals_fit must be yes or no, not '2'"),
    "unknown agent": (("arena", GAME, "--seats", "randum*3"), "unknown agent 'randum'; did you mean 'random'?"),
    "unknown role": (("arena", GAME, "--seats", "thief:random*3"), "unknown role 'thief' (known: miner, saboteur)"),
    "half the roles": (("arena", GAME, "--seats", "miner:random,random*2"), "either every seat names its role"),
    "empty place": (("arena", GAME, "--seats", "random,,random"), "empty place between commas"),
    "bad count": (("arena", GAME, "--seats", "random*many"), "after * comes how many seats, 1 to 100, not 'many'"),
    "count of 5000 digits": (("arena", GAME, "--seats", "random*" + "9" * 5000), "1 to 100, not '999"),
    "too few seats": (("arena", GAME, "--seats", "random*2"), "krisnadi is played by 3 to 10 seats, not 2"),
    "no saboteur": (("arena", GAME, "--seats", "miner:random*3"), "at least one seat must be a saboteur's"),
    "more saboteurs than are dealt": (
        ("arena", GAME, "--seats", "saboteur:random*4,miner:random"),
        "like this: miner 1, saboteur 4; right is miner:A*3,saboteur:B*2, or another ruleset (molehunt games",
    ),
    "more saboteurs than cards": (
        ("arena", "saboteur/official:rounds=1", "--seats", "saboteur:random*3,miner:random*2"),
        "right is miner:A*3,saboteur:B*2 or miner:A*4,saboteur:B*1",
    ),
    "unknown parameter": (
        ("arena", GAME, "--seats", "decision-2019:d_q=1*3"),
        "unknown parameter of decision-2019 'd_q'",
    ),
    "unknown edition": (("arena", GAME, "--seats", "decision-2019:as_said*3"), "did you mean 'as_"),
    "no parameters": (
        ("arena", GAME, "--seats", "random:d_b=1*3"),
        "random has no parameters, so 'd_b=1' cannot be set",
    ),
    "agents from nowhere": ((*ARENA, "--agents-from", "none.py"), "there is no file none.py to take agents from"),
    "agents from a folder": (
        (*ARENA, "--agents-from", "folder"),
        "folder is a folder; agents come from a Python file\n",
    ),
    "isolated agents from a folder": (
        (*ARENA, "--isolate", "--agents-from", "folder"),
        "folder is a folder; agents come from a Python file\n",
    ),
    "agents from the folder of a file": (
        (*ARENA, "--agents-from", "players"),
        "players is a folder; agents come from a Python file, as players/one.py\n",
    ),
    "isolated agents from nowhere": (
        (*ARENA, "--isolate", "--agents-from", "none.py"),
        "there is no file none.py to take agents from",
    ),
    "agents from a long name": ((*ARENA, "--agents-from", "x" * 300), "there is no file xxx"),
    "agents from text": ((*ARENA, "--agents-from", "notes.txt"), "agents come from a file that ends in .py"),
    "json into a folder": (
        (*ARENA, "--json", "folder"),
        "cannot write folder: it is a folder; give the name of a file",
    ),
    "json nowhere": ((*ARENA, "--json", "no/out.json"), "cannot write no/out.json: there is no folder no"),
    "json under a file": ((*ARENA, "--json", "notes.txt/out"), "there is no folder notes.txt"),
    "json with a zero byte": ((*ARENA, "--json", "a\0b"), "embedded null"),
    "json with a long name": ((*ARENA, "--json", "x" * 300), "File name too long"),
    "json with an empty name": ((*ARENA, "--json", ""), "it is a folder"),
    "records nowhere": ((*ARENA, "--records", "no/g.jsonl"), "there is no folder no"),
    "records with a zero byte": ((*ARENA, "--records", "a\0b"), "embedded null"),
    "records to the screen": ((*ARENA, "--records", "-"), "--records needs the name of a file"),
    "one file for two": (
        (*ARENA, "--records", "out", "--json", "./out"),
        "cannot write two things into out; give each a file of its own",
    ),
    "unknown study": (("study", "krisnadi2018"), "unknown study 'krisnadi2018'; did you mean 'krisnadi2019'?"),
    "study without games": (("study", "krisnadi2019", "--games", "0"), "--games must be 1 to 10000000, not 0"),
    "study with a bad seed": ((*STUDY, "--seed", "-1"), "--seed must be 0 to"),
    "study on no threads": ((*STUDY, "--threads", "0"), "--threads must be 1 to 256, not 0"),
    "json of all studies": (
        ("study", "--json", "out.json"),
        "--json and --report are about one study: molehunt study ",
    ),
    "store in a folder that is not there": (
        (*STUDY, "--store", "nowhere/store"),
        "cannot use nowhere/store as a store: there is no folder nowhere",
    ),
    "readings with a report": (
        ("study", "mitchell2020", "--readings", "--report", "out.html"),
        "there is no --report with it",
    ),
    "readings in small": (("study", "mitchell2020", "--readings", "--small"), "there is no --small with it"),
    "report of all studies": (("study", "--report", "out.html"), "--json and --report are about one study"),
    "study json nowhere": ((*STUDY, "--json", "no/out.json"), "there is no folder no"),
    "report nowhere": ((*STUDY, "--report", "no/out.html"), "there is no folder no"),
    "report and json in one": ((*STUDY, "--report", "out", "--json", "out"), "cannot write two things into out"),
    "bench nowhere": (("bench", "--json", "no/out.json"), "there is no folder no"),
    "parameters of nobody": (
        ("agents", "decision-2018"),
        "unknown agent 'decision-2018'; did you mean 'decision-2019'?",
    ),
    "parameters of a ruleset": (
        ("agents", "speed-clue/mitchell"),
        "players are those of a game, whatever its ruleset: molehunt agents speed-clue, not 'speed-clue/mitchell'",
    ),
    "a name that is not this machine's": (
        ("serve", "--host", "name.invalid", "--port", "0"),
        "--host is an address of this machine, or 0.0.0.0 for all of them",
    ),
    "an address that is not this machine's": (
        ("serve", "--host", "192.0.2.1", "--port", "0"),
        "--host is an address of this machine, or 0.0.0.0 for all of them",
    ),
    "settings of no game": (("games", "chess"), "unknown game 'chess' (known: saboteur"),
    "settings of no ruleset": (("games", "saboteur/home"), "unknown ruleset of saboteur 'home'"),
    "replay of nothing": (("replay",), "FILE"),
    "replay of no file": (("replay", "none.jsonl"), "cannot read none.jsonl: No such file"),
    "replay of a folder": (("replay", "folder"), "cannot read folder: Is a directory"),
    "replay of an empty file": (("replay", "empty.jsonl"), "empty.jsonl holds no records"),
    "replay of text": (("replay", "notes.txt"), "notes.txt, line 1: not a record of a game: "),
    "replay of a zero byte": (("replay", "a\0b"), "embedded null"),
    "show of nothing": (("show",), "WHAT"),
    "show of no file": (
        ("show", "none.jsonl"),
        "none.jsonl is neither a file of records nor a game; games are saboteur",
    ),
    "show of a folder": (("show", "folder"), "cannot read folder: Is a directory"),
    "show of a long name": (("show", "x" * 300), "is neither a file of records nor a game"),
    "show of a long label": (("show", "saboteur/" + "x" * 300), "unknown ruleset of saboteur"),
    "show of text": (("show", "notes.txt"), "notes.txt, line 1: not a record of a game: "),
    "show with a bad seed": (("show", GAME, "--seed", "-1"), "--seed must be 0 to"),
    "show of no seat": (("show", GAME, "--seat", "5"), "--seat must be 0 to 4, not 5"),
    "show of a negative seat": (("show", GAME, "--seat", "-1"), "--seat must be 0 to 4, not -1"),
    "show of too few seats": (("show", GAME, "--seats", "2"), "3 to 10 seats, not 2"),
    "move of a fresh deal": (("show", GAME, "--move", "1"), "--move is for a recorded game"),
    "svg nowhere": (("show", GAME, "--svg", "no/x.svg"), "there is no folder no"),
    "svg with a zero byte": (("show", GAME, "--svg", "a\0b"), "embedded null"),
    "advice on no game": (("advise", "chess"), "chess"),
    "advice in a folder": (("advise", "speed-clue", "folder"), "cannot read folder: Is a directory"),
    "advice from text": (
        ("advise", "speed-clue", "notes.txt"),
        "notes.txt: this is not a game that the adviser has saved",
    ),
    "advice nowhere": (("advise", "speed-clue", "no/game.json"), "there is no folder no"),
    "advice with a zero byte": (("advise", "speed-clue", "a\0b"), "embedded null"),
    "advice with no card set": (("advise", "speed-clue", "--cards", "tarot"), "there is no card set 'tarot'"),
    "advice for one": (("advise", "speed-clue", "--players", "Me"), "2 to 6 players play, you included, not 1"),
    "no such line": (("show", "good.jsonl", "--line", "3"), "--game must be 1 to 2, not 3"),
    "game 0": (("show", "good.jsonl", "--game", "0"), "--game must be 1 to 2, not 0"),
    "no such move": (("show", "good.jsonl", "--move", "999"), "--move must be 0 to "),
    "negative move": (("show", "good.jsonl", "--move", "-1"), "--move must be 0 to "),
    "no such seat": (("show", "good.jsonl", "--seat", "3"), "--seat must be 0 to 2, not 3"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "folder").mkdir()
    (folder / "players").mkdir()
    (folder / "players" / "one.py").touch()
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "notes.txt").write_text("notes\n")
    (folder / "mine.py").write_text(PLAYERS)
    assert call(*ARENA, "--records", str(folder / "good.jsonl")).status == 0
    return folder


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG.keys())
def test_wrong_call_is_explained(
    words: tuple[str, ...], message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    made = call(*words)
    assert (made.status, made.out) == (2, "")
    assert made.err.lstrip().startswith("molehunt: ") and message in made.err
    assert "Traceback" not in made.err and "internal error" not in made.err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("words", [ARENA, STUDY, ("study", "mitchell2020", "--readings", "--games", "2")])
def test_a_cluster_that_is_none_is_refused_before_anything_is_said_of_compiling(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("molehunt.core.kernels.warm", lambda: False)
    made = call(*words, "--cluster", "here")
    assert made.status == 2
    assert made.err.startswith("molehunt: --cluster is host:port of a Ray cluster that runs")


def test_internal_error_is_a_failure_that_asks_to_be_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str | None) -> int:
        raise KeyError("boo")

    monkeypatch.setattr("molehunt.console.listings.list_games", broken)
    made = call("games")
    assert made.status == 1
    assert made.err == (
        "molehunt: internal error, please report it: KeyError: 'boo'\n"
        "(set MOLEHUNT_TRACEBACK=1 to see where it happened)\n"
    )
    monkeypatch.setenv("MOLEHUNT_TRACEBACK", "1")
    with pytest.raises(KeyError):
        call("games")


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt(), 1, "molehunt: stopped\n"),
        (
            OSError(28, "No space left on device", "x.json"),
            1,
            "molehunt: [Errno 28] No space left on device: 'x.json'\n",
        ),
        (SystemExit(0), 1, "molehunt: a player left the program (SystemExit)\n"),
    ],
)
def test_other_ways_to_end_early(
    error: BaseException, status: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str | None) -> int:
        raise error

    monkeypatch.setattr("molehunt.console.listings.list_games", broken)
    made = call("games")
    assert (made.status, made.err) == (status, message)


def test_a_game_to_play_may_be_named_with_its_ruleset() -> None:
    made = call("play", "saboteur/krisnady", "--opponents", "3")
    assert made.status == 2 and "unknown ruleset of saboteur 'krisnady'; did you mean 'krisnadi'?" in made.err
    for label, command in (("speed_clue/small", "speed-clue"), ("duel/mcgill", "duel")):
        helped = call("play", label, "--help")
        assert helped.status == 0 and helped.out.startswith(f"Usage: molehunt play {command}")
