"""The command of the adviser: its questions, its files, games that are gone on with, calls that are refused."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from molehunt.advice.entries import Entry, Seen
from molehunt.advice.file import from_json
from molehunt.advice.lines import read_hand
from molehunt.advice.usage import ASKED, AT, HAS_ONE, SAW, STANDS
from molehunt.advice.words import Reader
from molehunt.console.advise import NOTHING, advise_speed_clue
from molehunt.console.screen import out
from molehunt.core.errors import BadInput
from molehunt.core.language import speaking
from molehunt.terminal.advice_setup import Given
from terminal.advice_person import DEAL, HAND, REPORT, Told


def advise(lines: list[str], file: Path | None = None, given: Given = NOTHING) -> int:
    """Run the command with lines to be typed, then the end of the input."""
    left = list(lines)

    def read(_: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return advise_speed_clue(file, given, read)


@pytest.mark.parametrize("before", [[], ["report"], ["report", "Ann, Bob, Me", "", "Mu Gr Le Re Ha Li", "no", "xyzzy"]])
def test_who_writes_exit_leaves_the_adviser_at_its_questions_and_at_its_prompt(
    before: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # where the game is kept, for the next one to go on with
    assert advise([*before, "exit", "help"]) == 0
    said = capsys.readouterr().out
    assert "'exit'" not in said and "Answer the question" not in said
    assert (
        ("'xyzzy' is not understood" in said)
        == ("help lists the rest" in " ".join(said.split()))
        == ("xyzzy" in before)
    )


def test_the_command_with_which_the_adviser_goes_on_may_have_a_file_with_spaces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out, "_width", 1000)
    file = tmp_path / "our game.json"
    assert advise([], file, Given(cards="report", players="Ann, Me, Bob", hand=HAND)) == 0
    told = shlex.split(capsys.readouterr().out.partition("To go on: ")[2])
    assert told == ["molehunt", "advise", "speed-clue", str(file)]


def test_a_game_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    given = Given(cards="report", players="Ann, Me, Bob", hand=HAND)
    assert advise(["s ann Pe Ro Ki bob"], file, given) == 0
    assert advise(["drop 1", "seen bob ro", "quit"], file=file) == 0
    said = capsys.readouterr().out
    assert (
        "Going on with" in said
        and "  1  Ann suggested Mrs Peacock, Rope, Kitchen; you had none, Bob showed a card." in said
    )
    assert from_json(file.read_bytes()).entries == (Seen(2, REPORT.find("Ro")),)
    with pytest.raises(BadInput, match="holds a game already; leave out --cards"):
        advise([], file, Given(cards="report"))


def test_two_advisers_on_one_file_write_over_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who finds it written by another goes on in a file of its own."""
    monkeypatch.setattr(out, "_width", 1000)
    file = tmp_path / "game.json"
    advise(["seen bob ro"], file, Given(cards="report", players="Ann, Me, Bob", hand=HAND))
    lines = iter(["seen bob da", "beside", "save", "seen bob wr"])

    def read(_: str) -> str:
        line = next(lines, "quit")
        if line == "beside":
            advise(["seen bob pe no"], file)
            line = "seen ann ha no"
        return line

    capsys.readouterr()
    assert advise_speed_clue(file, read=read) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("was changed by another program") == 1
    assert said.count("game-2.json from now on.") == 1
    assert "game-2.json" in said.partition("To go on: ")[2].partition("To go on: ")[2]
    first = (Seen(2, REPORT.find("Ro")), Seen(2, REPORT.find("Da")))
    assert from_json(file.read_bytes()).entries == (*first, Seen(2, REPORT.find("Pe"), has=False))
    mine = (Seen(0, REPORT.find("Ha"), has=False), Seen(2, REPORT.find("Wr")))
    assert from_json((tmp_path / "game-2.json").read_bytes()).entries == (*first, *mine)


def test_without_a_file_one_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert advise([], given=Given("contest", "Ann, Bob, You, Dave", hand="Mu Gr Pi Re")) == 1
    assert list(tmp_path.iterdir()) == []
    assert advise([""], given=Given("contest", "Ann, Bob, You, Dave", hand="Mu Gr Pi Re")) == 0
    (file,) = tmp_path.glob("speed-clue-*.json")
    assert from_json(file.read_bytes()).deal.sizes == (5, 5, 4, 4)


def test_what_is_typed_at_a_board_comes_back_as_it_is_written() -> None:
    reader = Reader(DEAL)
    for line in ("s Bob Pe ? Ki Carol", "s Bob ? ? Ki Carol", "s Bob ? Ro ? -", "seen env Ro no", "one Bob Ro Ki St"):
        word, _, rest = line.partition(" ")
        readers: dict[str, Callable[[str], Entry]] = {"s": reader.suggestion, "seen": reader.seen, "one": reader.one_of}
        assert reader.line(readers[word](rest)) == line
    for line in ("at Bob Ki", "at Carol -"):
        assert reader.line(reader.stands(line.removeprefix("at "))) == line
    assert reader.suggestion("bob ki, mrs peacock, ? carol") == reader.suggestion("Bob Pe ? Ki Carol")
    assert reader.rooms("the Hall or Study") == reader.rooms("St ha")
    with speaking("de"):
        assert reader.rooms("die Eingangshalle oder das Arbeitszimmer") == reader.rooms("St ha")
    with pytest.raises(BadInput, match="no location is called 'Pe'"):
        reader.rooms("Ha Pe")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("s zed Pe Ro Ki bob", "No player is called 'zed'"),
        ("s bob Pe Ro Ki zed", "'zed' is unknown"),
        ("s bob mrs peacok Ro Ki carol", "'peacok' is unknown"),
        ("s bob m Ro Ki carol", "'m' may be"),
        ("s bob Pe Sc Ki carol", "Write who suggested"),
        ("seen bob Rq", "'Rq' is unknown"),
        ("one bob Ro", "Write a player and two cards or more"),
        ("at bob Ro", "Write a player and a room"),
        ("reach Pe", "No location is called 'Pe'"),
        ("i love you", "Write i am in the Kitchen, or i can reach Hall or Study"),
        ("board often", "Write how many turns a player takes"),
        ("insert 1 guess", "there are no entries"),
    ],
)
def test_the_word_that_is_unknown_is_named(line: str, fault: str) -> None:
    told = Told([line])
    assert fault.lower() in " ".join(told.said[line].split()).lower()
    assert not told.session.entries


def test_set_up_questions_are_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        "tarot",
        "contest",
        "",
        "Ann",
        "Ann, Bob, Ann",
        "Ann, Bob, Zoe",
        "Max",
        "z",
        "Mu Zz",
        "Mu Gr Pi Re Ro Ca Kn Ha Li Lo Ki St Ba Pl Sc Pe",
        "-",
        "Mu",
        "no",
        "cards",
        "spam",
        "Mu Gr Pi Re Ro",
        "yes",
    ]
    lines += ["7 7 7", "6 7 5", "help", "quit"]
    assert advise(lines, file=tmp_path / "game.json") == 0
    said = " ".join(capsys.readouterr().out.split())
    for told in (
        "There is no card set 'tarot'; built in are report, contest, small, clue, cluedo, clue-2016, master-detective,",
        "Write the names of all players, yourself as Me, in the order of asking: Ann, Bob, Me.",
        "2 to 6 players play, you included, not 1.",
        "Two players are called Ann; give each a name of their own.",
        "No player is called 'Max'; there are Ann, Bob, Zoe.",
        "No card is called 'Zz'",
        "Too many cards lie face up: each of 3 players has one at least.",
        "These are 1 cards: Colonel Mustard.",
        "Mrs White (Wh)",
        "No card is called 'spam'",
        "18 cards are dealt, and 7 + 7 + 7 is 21.",
        "After you: Ann (6) and Bob (7).",
    ):
        assert told in said, told


def test_the_question_for_the_players_says_how_many_there_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter(["master-detective", "A, B, C, D, E, F, G", "quit"])
    asked: list[str] = []

    def read(prompt: str) -> str:
        asked.append(prompt)
        return next(typed)

    assert advise_speed_clue(None, NOTHING, read) == 0
    assert asked[1] == asked[2] == "Players, 2 to 6, in the order in which they are asked (Ann, Bob, Me) > "
    assert "2 to 6 players play, you included, not 7" in capsys.readouterr().out


def test_back_returns_to_the_question_before_that_was_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["back", "cluedo", "Ann, Bob, Zoe", "Bob", "back", "back", "Ann, Me, Zoe", "", "Mu Gr Le Re Ro Ki", "back"]
    lines += ["back", "BACK", "back", "clue", "Ann, Bob, Carl, Me", "", "Mu Gr Le Re Ha", "back", "Mu Gr Le Re", "back"]
    lines += ["Mu", "back", "Mu Gr Le Re", "", "help", "back", "5 4 5 4", "no", "quit"]
    file = tmp_path / "game.json"
    assert advise(lines, file=file) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("This is the first question.") == 1 and "write back for the question before" in said
    deal = from_json(file.read_bytes()).deal
    assert (deal.edition.name, deal.names, deal.me) == ("clue", ("Ann", "Bob", "Carl", "Me"), 3)
    assert (deal.hand, deal.sizes, deal.board) == (read_hand("Mu Gr Le Re", deal.edition), (5, 4, 5, 4), None)


def test_back_leaves_what_the_call_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    lines = ["", "Mu Gr Le Re", "back", "back", "Pl", "back", "back", "", "Mu Gr Le Re", "4 5 5 4", "quit"]
    assert advise(lines, file, Given(cards="report", players="Me, Ann, Bob, Carl")) == 0
    assert "first question" in capsys.readouterr().out
    deal = from_json(file.read_bytes()).deal
    assert (deal.names, deal.face_up, deal.sizes) == (("Me", "Ann", "Bob", "Carl"), (), (4, 5, 5, 4))


def test_a_player_leaves_and_lays_their_cards_open() -> None:
    gone = "gone bob Pe Sc Ro Da Ki orchid"
    told = Told([gone, "gone bob Pe", "edit 1", "s me Pl Ro Ki -", "edit 1 gone carol Pe", "help"])
    assert "Bob left the table and laid open" in told.said[gone]
    assert "Bob was dealt 6 cards, and 1 are laid open: name all of them." in " ".join(told.said["gone bob Pe"].split())
    assert "Entry 1 is: gone Bob Sc Or Pe Da Ro Ki" in told.said["edit 1"]
    assert "You suggested Professor Plum, Rope, Kitchen; nobody could show a card." in " ".join(
        told.said["s me Pl Ro Ki -"].split()
    )
    assert "Carol was dealt 6 cards" in told.said["edit 1 gone carol Pe"]
    assert "gone bob Pl Ro Ki" in told.said["help"]
    assert [type(entry).__name__ for entry in told.session.entries] == ["Left", "HeardSuggestion"]


def test_the_entries_of_a_sheet_that_is_opened_again_are_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    given = Given(cards="report", players="Me,Bob,Carol", hand=HAND)
    assert advise(["s bob Pe Ro Ki carol", "s carol Pe Ro Ki -", "quit"], file, given) == 0
    capsys.readouterr()
    assert advise(["undo", "undo", "redo", "quit"], file=file) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Undone; the last of 1 is: Bob suggested" in said and "Undone; there are no entries" in said
    assert len(from_json(file.read_bytes()).entries) == 1


@pytest.mark.parametrize(
    ("cards", "face_up", "turns", "board"),
    [("cluedo", "", "", 2), ("cluedo", "Gr, Dagger", "three", None), ("clue", "", "3", 3), ("report", "-", "", None)],
)
def test_who_is_asked_for_the_table_is_asked_what_lies_face_up_and_for_the_board(
    cards: str, face_up: str, turns: str, board: int | None, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    answers = {
        "Card set": [cards],
        "Players": ["Ann, Me"],
        "Cards left over": [face_up],
        "Your ": ["Mu Pl Ro Ha Ki Co Ba Re" + " St" * (not face_up or face_up == "-")],
        "On the board": [turns, "no"],
        "1": ["quit"],
    }
    asked = []

    def read(prompt: str) -> str:
        (head,) = (head for head in answers if prompt.startswith(head))
        asked.append(head)
        return answers[head].pop(0)

    assert advise_speed_clue(file, NOTHING, read) == 0
    deal = from_json(file.read_bytes()).deal
    assert (None if deal.board is None else deal.board.turns) == board
    assert len(deal.face_up) == (2 if "," in face_up else 0)
    assert asked.count("On the board") == (0 if cards == "report" else 2 if turns == "three" else 1)


@pytest.mark.parametrize(
    ("file", "given", "fault"),
    [
        ("-", Given(), "needs the name of a file"),
        ("/nowhere/at/all", Given(), "there is no folder"),
        (None, Given(cards="tarot"), "no card set 'tarot'"),
        (None, Given(players="Ann"), "2 to 6 players"),
        (None, Given(players="Ann,Bob,Zoe", me="Max"), "no player is called 'Max'"),
        (None, Given(cards="report", hand="Pe,Pe"), "named twice"),
        (None, Given(cards="report", hand="Pe,Pl", face_up="Pl"), "cannot be in your hand and lie face up"),
        (None, Given(board="often"), "how many turns a player takes"),
        (None, Given(board="0"), "1 to 20 turns"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_asked(file: str | None, given: Given, fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        advise(["no answer"], None if file is None else Path(file), given)


def test_a_table_of_two_on_a_board_with_cards_face_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    given = Given("clue", "Ann, Me", hand="Mu Gr Le Re Ha Li Di Ba", face_up="Pl,Ki", board="2")
    lines = ["s ann Pe ? St -", "i am in the Conservatory", "board no", "faceup Pl", "sizes 8 9", "quit"]
    assert advise(lines, file, given) == 0
    said = " ".join(capsys.readouterr().out.split())
    for told in (
        "Face up: Professor Plum, Kitchen.",
        "1 Ann suggested Mrs Peacock, some weapon, Study; nobody could show a card.",
        "All 36 suggestions in Conservatory:",
        "Everybody names any room, and suggests in every turn.",
        "Face up: Professor Plum.",
    ):
        assert told in said, told
    kept = from_json(file.read_bytes()).deal
    assert (kept.board, len(kept.face_up)) == (None, 1)


@pytest.mark.parametrize("data", [b"", b"notes", b"{}"])
def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(data)
    with pytest.raises(BadInput, match=r"notes\.txt: this is not a game that the adviser has saved"):
        advise([], file=file)
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    ("usage", "read"), [(SAW, "seen"), (STANDS, "stands"), (AT, "at"), (ASKED, "asked"), (HAS_ONE, "one_of")]
)
def test_the_example_of_what_to_write_can_be_written(usage: str, read: str) -> None:
    reader = Reader(DEAL)
    with pytest.raises(BadInput) as fault:
        getattr(reader, read)("bob")
    typed = str(fault.value).rpartition(": ")[2]
    assert len(typed.split()) > 2 and str(fault.value) == usage[: usage.rindex(": ")] + f": {typed}"
    getattr(reader, read)(typed.partition(" ")[2])
