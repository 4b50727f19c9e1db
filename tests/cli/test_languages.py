"""What is wrong with a call of a command for people is said in the language of the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import call

WRONG: list[tuple[tuple[str, ...], str]] = [
    (("play", "saboter"), "unbekannt: Spiel 'saboter'; meintest du 'saboteur'? (bekannt: saboteur, "),
    (("games", "xyz"), "unbekannt: Spiel 'xyz' (bekannt: saboteur, "),
    (("agents", "randum"), "unbekannt: Spieler 'randum'; meintest du 'random'?"),
    (
        ("agents", "saboteur/small"),
        "Spieler gehören zu einem Spiel, gleich nach welchen Regeln: molehunt agents saboteur, nicht 'saboteur/small'",
    ),
    (("games", "--check"), "--check sieht sich ein Spiel an: molehunt games NAME --check"),
    (("games", "duel", "--check", "--plays", "0"), "--plays muss von 1 bis 10000 sein, nicht 0"),
    (("play", "saboteur", "--seed", "-1"), "--seed muss von 0 bis 9007199254740991 sein, nicht -1"),
    (("play", "saboteur", "--language", "xx"), "unbekannt: Sprache 'xx' (bekannt: en, de)"),
    (("play", "saboteur", "--resume", "none"), "none lässt sich nicht lesen: Datei oder Ordner gibt es nicht"),
    (
        ("play", "saboteur", "--save", "folder"),
        "folder lässt sich nicht schreiben: Es ist ein Ordner; nenne eine Datei",
    ),
    (("play", "saboteur", "--save", "none/x"), "none/x lässt sich nicht schreiben: Es gibt keinen Ordner none"),
    (("advise", "speed-clue", "folder"), "folder lässt sich nicht lesen: Das ist ein Ordner"),
    (("analyse", "none"), "none lässt sich nicht lesen: Datei oder Ordner gibt es nicht"),
    (("analyse", "junk"), "junk, Zeile 1: keine Aufzeichnung eines Spiels: "),
    (("analyse", "empty"), "empty enthält keine Aufzeichnungen"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_a_wrong_call_is_explained_in_the_language_of_the_reader(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk").write_text("x\n")
    (tmp_path / "empty").write_text("\n")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    made = call(*words)
    assert (made.status, made.out) == (2, "")
    assert made.err.startswith(f"molehunt: {said}")
