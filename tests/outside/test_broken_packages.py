"""What is said where an installed package brings no game after all."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import call
from molehunt.games.entry import GameEntry, GameFailure, GameWords, RulesetEntry
from molehunt.games.registry import guests, make_game
from outside.installing import installed

RULESETS = {"only": RulesetEntry("the only one", 2, 2)}


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("raise RuntimeError('not today')", r"cannot be read: RuntimeError: not today"),
        ("", r"cannot be read: AttributeError"),
        ("ENTRY = 7", r"cannot be read: 7 is no GameEntry and no list of them"),
        ("ENTRY = ['chess']", r"cannot be read: 'chess' is no GameEntry"),
        (
            "from molehunt.games.duel.entry import ENTRY",
            r"brings a game duel, and there is another one of this name",
        ),
        (
            "from molehunt.games.entry import GameEntry\nENTRY = GameEntry(name='Chess', title='Chess', rulesets={})",
            r"cannot be read: GameFailure: a game's name has letters a-z, digits and _, .* not 'Chess'",
        ),
    ],
)
def test_the_package_is_named_and_what_is_wrong_with_it(
    module: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"broken_{abs(hash(module)) % 10**9}"
    tmp_path.joinpath(f"{name}.py").write_text(module)
    with installed(tmp_path, "woodpusher", {"molehunt.games": f"chess = {name}:ENTRY"}, monkeypatch):
        with pytest.raises(GameFailure, match=rf"the package woodpusher \({name}:ENTRY\).*{said}"):
            guests()
        made = call("games")
        assert made.status == 1
        assert "the package woodpusher" in made.err and len(made.err.splitlines()) == 1
        # The games of this package are found without a look at others.
        assert make_game("duel", "mcgill", 2).seats == 2


def test_an_entry_says_what_it_lacks() -> None:
    with pytest.raises(GameFailure, match="the entry of go says neither game and editions nor read"):
        GameEntry(name="go", title="Go", rulesets=RULESETS)
    with pytest.raises(GameFailure, match="go has no rulesets"):
        GameEntry(name="go", title="Go", rulesets={}, game="a:b", editions="a:c")
    with pytest.raises(GameFailure, match="a ruleset is for 1 to 64 seats, not 3 to 2"):
        RulesetEntry("none", 3, 2)
    entry = GameEntry(name="go", title="Go: stones", rulesets=RULESETS, game="nowhere.go:Go", editions="nowhere.go:ALL")
    assert (entry.short_title, entry.usual_seats, entry.adviser) == ("Go", 2, "random")
    with pytest.raises(GameFailure, match=r"the entry of go names 'nowhere\.go:ALL', which is not there"):
        entry.read("only", [])


def test_words_that_are_not_brought_are_general() -> None:
    words = GameWords(lambda *_: "", lambda *_: "")
    assert words.group("pass") == "Moves"
