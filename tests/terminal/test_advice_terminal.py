"""The adviser in a terminal: a whole game entered, corrected and compared with the library; all commands; bad input."""

from __future__ import annotations

import io
import random
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from advice.advice_game import Watched
from molehunt.advice.deal import Deal
from molehunt.advice.entries import Entry, Seen
from molehunt.advice.file import from_json, to_json
from molehunt.advice.lines import read_hand
from molehunt.advice.session import AdviceSession
from molehunt.advice.sheet import LEGEND, sheet_lines, sheet_sentences
from molehunt.advice.usage import ASKED, AT, HAS_ONE, SAW, STANDS
from molehunt.advice.words import Reader
from molehunt.agents.speed_clue.exact import EDITIONS, ExactAgent
from molehunt.beliefs.deals.layers import place_weights
from molehunt.console.advise import NOTHING, advise_speed_clue
from molehunt.console.screen import out
from molehunt.core.errors import BadInput, NotWritten
from molehunt.core.language import _ as in_words
from molehunt.core.language import speaking
from molehunt.core.words import percent_said
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion
from molehunt.table.clue_sheet import HAS, LACKS, SHOWN, Paper
from molehunt.terminal.advice import AdviceTerminal
from molehunt.terminal.advice_setup import Given, read_board, read_face_up, read_names
from molehunt.terminal.prompts import LeftTable, Prompter
from terminal.clue_person import Screen
from terminal.pseudo_terminal import Terminal

REPORT = load_edition("report")
HAND = "Mu Gr Le Re Ha Li"
DEAL = Deal(REPORT, ("Ann", "Bob", "Carol"), 0, read_hand(HAND, REPORT), (6, 6, 6))
START = "import sys; from molehunt.cli import main; sys.exit(main(['advise', 'speed-clue', {!r}]))"


# --- A whole game at a terminal -----------------------------------------------------------------------------------------


def mistaken(deal: Deal, entries: list[Entry]) -> tuple[int, Entry]:
    """An early entry as somebody might mistype it, so that a later one contradicts it: its number, and what is typed."""
    for number, entry in enumerate(entries[:6], start=1):
        if (
            isinstance(entry, HeardSuggestion)
            and deal.me not in (entry.by, entry.disprover)
            and entry.disprover is not None
        ):
            wrong = replace(entry, card=next(card for card in entry.cards if card is not None and not deal.holds(card)))
            tried = AdviceSession(deal, [*entries[: number - 1], wrong, *entries[number:]])
            found = tried.conflict()
            if AdviceSession(deal, tried.entries[:number]).conflict() is None and found and number in found.entries:
                return number, wrong
    raise AssertionError("no entry of this game can be mistaken so")


def told_sheet(text: str, deal: Deal) -> dict[str, list[str]]:
    """The sheet on a screen: the cells of each card."""
    names = "|".join(map(re.escape, deal.edition.names))
    return {
        found[1]: re.findall(r"\S+(?: %)?", found[2])
        for found in re.finditer(rf"^  ({names}) +(.*)$", text, re.MULTILINE)
    }


def test_a_whole_game_is_entered_corrected_and_advised_on_as_the_library_says(tmp_path: Path) -> None:
    watched = Watched(["advanced", "basic", "exact", "basic"], 2, 12)
    moments = list(watched)
    deal, entries = watched.deal, watched.entries
    number, wrong = mistaken(deal, entries)
    reader, expert, file = Reader(deal), ExactAgent(parameters=EDITIONS["people"]), tmp_path / "game.json"
    hand = " ".join(deal.edition.codes[card] for card in deal.hand)
    asked_for = {"suggest": 0, "show": 0, "sheet": 0}
    corrected = False
    with Terminal(START.format(str(file))) as terminal:

        def type_line(line: str) -> str:
            terminal.type(line + "\n")
            return terminal.until("> ")

        terminal.until("> ")
        type_line("")
        type_line("Ann, Bob, Me, Dave")
        type_line("")
        type_line(hand.lower())
        said = type_line(" ".join(map(str, deal.sizes)))
        assert "Every change is saved in" in said
        done = 0
        for view, so_far, asked, mine in moments:
            for entry in so_far[done:]:
                done += 1
                line = reader.line(wrong if done == number else entry).lower().replace("carol", "me")
                said = type_line(line)
                assert re.search(rf"^{done}  \S+ (suggested|accused) ", said, re.MULTILINE)
                if "cannot all be true" in said:
                    assert not corrected and f"  entry {number} (" in said
                    assert "cannot all be true" in type_line("suggest")
                    said = type_line(f"edit {number} {reader.line(entries[number - 1])}".replace("Carol", "me"))
                    corrected = True
                    assert f"{number}  " in said and "true" not in said
            if not mine or (done >= number and not corrected):
                continue
            rows = told_sheet(type_line("sheet"), deal)
            weights = np.empty((64, deal.players))
            weights /= place_weights(facts_of_views(view, watched.game.params), weights)
            order = [deal.me, *deal.others]
            for card, name in enumerate(deal.edition.names):
                for column, share in enumerate(weights[card]):
                    told = rows[name][column + 1]
                    if not deal.holds(card):
                        assert told == ("x" if share == 0 else "✓" if share == 1 else percent_said(share)), (
                            name,
                            column,
                        )
                assert rows[name][0] == ("✓" if deal.holds(card) else "x"), order
            asked_for["sheet"] += 1
            advice = expert.consult(watched.game, view)
            if asked is not None:
                cards = " ".join(deal.edition.codes[card] for card in asked.cards)
                said = type_line(f"show {deal.names[asked.by]} {cards}")
                assert f"Show {deal.edition.names[advice.shows[0].card]}" in said
                type_line("")
                asked_for["show"] += 1
            elif advice.suggestions:
                said = type_line("suggest")
                first, *others = (deal.cards(proposal.cards) for proposal in advice.suggestions[:5])
                assert re.search(rf"^1  {first} ", said, re.MULTILINE)
                assert all(f"  {other} " in said for other in others)
                assert ("Accuse" in said) == advice.accusation.accuse
                asked_for["suggest"] += 1
        for entry in entries[done:]:
            type_line(reader.line(entry).replace("Carol", "me"))
        assert isinstance(entries[-1], Accusation) and entries[-1].right
        said = type_line("accuse")
        assert "The game is over" in said
        terminal.type("quit\n")
        assert terminal.finish() == 0
    assert corrected and min(asked_for.values()) >= 1, asked_for
    kept = from_json(file.read_bytes())
    assert kept.entries == tuple(entries)
    assert (kept.deal.hand, kept.deal.sizes, kept.deal.me) == (deal.hand, deal.sizes, deal.me)
    assert f"To go on: molehunt advise speed-clue {file}" in terminal.text.replace("\n", "")
    assert "Traceback" not in terminal.text


# --- Lines --------------------------------------------------------------------------------------------------------------


def triple(text: str) -> tuple[int, int, int]:
    first, second, third = (REPORT.find(word) for word in text.split())
    return first, second, third


PE_RO_KI = triple("Pe Ro Ki")


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("bob Pe Ro Ki carol", HeardSuggestion(1, PE_RO_KI, 2)),
        ("b ki ro pe c", HeardSuggestion(1, PE_RO_KI, 2)),
        ("Bob mrs peacock rope kitchen Carol", HeardSuggestion(1, PE_RO_KI, 2)),
        ("bob, mrs p, rop, kitch, car", HeardSuggestion(1, PE_RO_KI, 2)),
        ("bob Pe Ro Ki -", HeardSuggestion(1, PE_RO_KI, None)),
        ("bob Pe Ro Ki nobody", HeardSuggestion(1, PE_RO_KI, None)),
        ("me Pe Ro Ki bob r", HeardSuggestion(0, PE_RO_KI, 1, REPORT.find("Rope"))),
        ("ann Pe Ro Ki bob mrs peacock", HeardSuggestion(0, PE_RO_KI, 1, REPORT.find("Pe"))),
        ("me Pe Ro Ki bob ?", HeardSuggestion(0, PE_RO_KI, 1)),
        ("bob lead pipe billiard room miss scarlett me", HeardSuggestion(1, triple("Sc Le Bi"), 0, REPORT.find("Le"))),
        ("c Mu Le Ki me le", HeardSuggestion(2, triple("Mu Le Ki"), 0, REPORT.find("Le"))),
    ],
)
def test_a_suggestion_is_read_forgivingly(line: str, entry: HeardSuggestion) -> None:
    assert Reader(DEAL).suggestion(line) == entry


def test_other_lines_are_read_forgivingly() -> None:
    reader = Reader(DEAL)
    assert reader.accusation("bob Pe Ro Ki n") == Accusation(1, PE_RO_KI, right=False)
    assert reader.accusation("me kitchen, mrs p, rope, right") == Accusation(0, PE_RO_KI, right=True)
    assert reader.seen("bob mrs peacock") == Seen(1, REPORT.find("Pe"))
    assert reader.seen("bob lead pipe no") == Seen(1, REPORT.find("Le"), has=False)
    assert reader.at("env wrench") == (3, REPORT.find("Wr"))
    assert reader.at("lead pipe") == (None, REPORT.find("Le"))
    assert read_hand("Re Gr lead pipe, mrs p Ha Mu", REPORT) == tuple(
        sorted(map(REPORT.find, ["Re", "Gr", "Le", "Pe", "Ha", "Mu"]))
    )


def test_a_player_whose_name_begins_the_envelope_is_meant_by_that_name() -> None:
    deal = replace(DEAL, names=(DEAL.names[0], "En", DEAL.names[2]))
    reader, wrench = Reader(deal), REPORT.find("Wr")
    for place in (1, deal.players):
        entry = Seen(place, wrench, has=False)
        assert reader.seen(reader.line(entry).removeprefix("seen ")) == entry
    assert reader.at("en wrench") == (1, wrench) and reader.at("enve wrench") == (deal.players, wrench)


def test_a_name_that_means_something_in_another_language_is_a_name_there() -> None:
    """A game that was begun in English goes on in German; who sets a table there is told."""
    names = ("Umschlag", "Ich", "Keiner")
    entries: list[Entry] = [Seen(0, REPORT.find("Wr")), Seen(3, REPORT.find("Ro"), has=False)]
    asked = triple("Pl Ro Ha")
    entries += [HeardSuggestion(0, asked, by, card) for by, card in ((1, None), (2, REPORT.find("Ha")), (None, None))]
    begun = to_json(AdviceSession(replace(DEAL, names=names, me=2), entries[:2]))
    with speaking("de"):
        session = from_json(begun)
        reader = Reader(session.deal)
        read = {Seen: reader.seen, HeardSuggestion: reader.suggestion}
        for entry in entries:
            assert read[type(entry)](reader.line(entry).partition(" ")[2]) == entry
        assert session.deal.find_player("me") == 2 and session.deal.find_player("ich") == 1
        for name in ("Umschlag", "keiner"):
            with pytest.raises(BadInput, match="bedeutet hier etwas anderes"):
                read_names(f"Ann, {name}, Ich", REPORT)
            assert "bedeutet hier etwas anderes" in Told([f"rename bob {name}"]).said[f"rename bob {name}"]


def test_every_entry_is_read_back_from_the_line_that_it_is_shown_as() -> None:
    chance = random.Random(5)
    reader = Reader(DEAL)
    mine = DEAL.hand
    for by, disprover in product(range(3), (0, 1, 2, None)):
        if by == disprover:
            continue
        cards = tuple(chance.choice(REPORT.cards(category)) for category in range(3))
        held = [card for card in cards if card in mine]
        card = (
            None
            if disprover is None
            else chance.choice(held or [None])
            if disprover == 0
            else chance.choice([*cards, None])
        )
        entry = HeardSuggestion(by, (cards[0], cards[1], cards[2]), disprover, card)
        assert reader.suggestion(reader.line(entry).partition(" ")[2]) == entry
        accused = Accusation(by, (cards[0], cards[1], cards[2]), right=chance.random() < 0.5)
        assert reader.accusation(reader.line(accused).partition(" ")[2]) == accused
    for has in (True, False):
        assert reader.seen(reader.line(Seen(2, 5, has)).partition(" ")[2]) == Seen(2, 5, has)


# --- Commands -----------------------------------------------------------------------------------------------------------


class Told:
    """An adviser's terminal with lines to be typed; what was said after each of them."""

    def __init__(self, lines: list[str], entries: tuple[Entry, ...] = (), folder: Path | None = None) -> None:
        self.screen = Screen()
        self.lines = list(lines)
        self.said: dict[str, str] = {}
        self.asked: list[str] = []
        self.files: dict[Path, bytes] = {}
        self.broken = False
        self.session = AdviceSession(DEAL, entries)
        self._typed: str | None = None
        self._length = 0
        self.terminal = AdviceTerminal(
            self.session, Prompter(self.screen.console, self.read), (folder or Path()) / "game.json", self.write
        )
        with pytest.raises(LeftTable):
            self.terminal.run()

    def read(self, prompt: str) -> str:
        self.asked.append(prompt)
        if self._typed is not None:
            self.said[self._typed] = self.screen()[self._length :]
            if not self.broken:
                assert self.files[self.terminal.file] == to_json(self.session)
        if not self.lines:
            raise EOFError
        self._typed = self.lines.pop(0)
        self._length = len(self.screen())
        return self._typed

    def write(self, path: Path, data: bytes) -> None:
        if "nowhere" in str(path):
            self.broken = True
            raise NotWritten(f"cannot write {path}: no such folder")
        self.files[path] = data
        if path.is_file():
            path.write_bytes(data)


def test_entries_are_made_corrected_and_taken_back() -> None:
    lines = ["s b Pe Ro Ki c", "a carol Pl Ro Ki no", "seen bob da", "insert 2 s me Pe Wr Ki bob wr", "log", "edit 3"]
    lines += ["drop 4", "undo", "redo", "edit 1 seen carol ro no", "rename bob Rob", "s r Pe Ro Ki me"]
    lines += ["undo ", "hand Mu Gr Le Re Ha Ki", "sizes", "undo  "]
    told = Told(lines)
    assert "1  Bob suggested Mrs Peacock, Rope, Kitchen; Carol showed a card." in told.said["s b Pe Ro Ki c"]
    assert "Carol accused Professor Plum, Rope, Kitchen: wrong, and is out" in told.said["a carol Pl Ro Ki no"]
    assert "Now certain: Dagger is with Bob." in told.said["seen bob da"]
    assert "2  You suggested Mrs Peacock, Wrench, Kitchen; Bob showed Wrench." in told.said[lines[3]]
    assert told.said["log"].splitlines()[3].strip() == "4  Bob has Dagger."
    assert "Entry 3 is: a Carol Pl Ro Ki no" in told.said["edit 3"]
    assert "Dropped: Bob has Dagger." in told.said["drop 4"]
    assert "Undone; the last of 4 is: Bob has Dagger" in told.said["undo"]
    assert "Done again; the last of 3 is: Carol accused" in told.said["redo"]
    assert "1  Carol does not have Rope." in told.said["edit 1 seen carol ro no"]
    assert "The players are Ann, Rob, Carol." in told.said["rename bob Rob"]
    assert "you hold none of these" in told.said["s r Pe Ro Ki me"]
    assert "You hold Colonel Mustard, Reverend Green, Lead Pipe, Revolver, Hall, Kitchen." in told.said[
        lines[13]
    ].replace("\n      ", " ")
    assert "Ann 6, Rob 6, Carol 6" in told.said["sizes"]
    assert told.session.deal == replace(DEAL, names=("Ann", "Rob", "Carol"))
    assert told.session.entries[0] == Seen(2, REPORT.find("Ro"), has=False)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("xyz", "'xyz' is not understood"),
        ("sh", "'sh' may be show or sheet; write more of it."),
        ("s", "tells of"),
        ("s zed Pe Ro Ki bob", "No player is called 'zed'; there are Ann, Bob, Carol, and me."),
        ("s bob Pe Ro Kx carol", "'Kx' is unknown: no card, and none of Ann, Bob or Carol"),
        ("s bob P Ro Ki carol", "'P' may be Mrs Peacock or Professor Plum or Lead Pipe; write more of it"),
        ("s bob Pe Ro carol", "Write who suggested, three cards"),
        ("s bob Pe Ro Ki", "Write who suggested, three cards"),
        ("s bob Pe Pl Ki carol", "Write who suggested, three cards"),
        ("s me Pe Ro Ki bob", "Which card did Bob show you? Write it at the end"),
        ("s bob Pe Ro Ki bob", "Entry 1: Bob cannot answer the own suggestion."),
        ("s bob Mu Ro Ha me", "Entry 1: which card did you show, Colonel Mustard or Hall?"),
        ("s bob Pe Ro Ki me Ha", "Hall is not one of the cards asked for"),
        ("a bob Pe Ro Ki", "yes or no, whether it was right"),
        ("a bob Pe Ro Ki perhaps", "Write yes or no, not 'perhaps'. Write who accused, three cards"),
        ("a bob Pe Ro Ki no perhaps", "'perhaps' is too much. Write who accused, three cards"),
        (
            "a bob Pe Ro Pl no",
            "Mrs Peacock, Rope and Professor Plum are not a suspect, a weapon and a location. Write who",
        ),
        ("s bob Pe Pl Ki carol", "Mrs Peacock, Professor Plum and Kitchen are not a suspect, a weapon and a location."),
        ("s bob Pe Ro Ki carol Ro Ki", "'Ki' is too much. Write who suggested, three cards"),
        (
            "s bob Pe Ro Ki carol ann",
            "The card shown is Mrs Peacock, Rope or Kitchen, or ? where you do not know it, not 'ann'",
        ),
        ("at bob Pe", "Mrs Peacock is no room. Write a player and a room, or - where they stand in none: at ann"),
        ("at bob Ki Ha", "'Ha' is too much. Write a player and a room"),
        ("seen bob Ro maybe", "Write yes or no, not 'maybe'. Write a player and a card"),
        ("seen bob Ro no no", "'no' is too much. Write a player and a card"),
        ("one bob Ro maybe", "'maybe' is unknown: no card"),
        ("show bob Pe Ro Ki carol", "'carol' is too much. Write who asks and the three cards"),
        ("why bob Ro Ki", "'Ki' is too much. Write a player, or env"),
        ("seen bob", "Write a player and a card"),
        ("seen me Ro", "what you hold is your hand"),
        ("show bob Pe Ro", "Write who asks and the three cards"),
        ("show bob Pe Ro Ki", "you hold none of these"),
        ("show me Pe Ro Ki", "You do not answer your own suggestion."),
        ("why", "Write a player, or env"),
        ("why bob", "Write a player, or env"),
        ("why bob Ro", "It is not certain whether Bob has Rope: the probability is"),
        ("why Ro", "It is not certain who has Rope"),
        ("edit", "Write the number of the entry: edit 3 s ann ...; log lists them."),
        ("edit x", "Write a number from 1 to 999, not 'x'."),
        ("edit 1 s bob", "There are no entries yet."),
        ("drop 1", "There are no entries yet."),
        ("undo", "There is nothing to undo."),
        ("redo", "There is nothing to redo."),
        ("hand Pe Ro", "Your hand has 2 cards, and by the hand sizes it has 6."),
        ("hand Pe Pe", "Mrs Peacock is named twice."),
        ("hand spam", "No card is called 'spam'"),
        ("sizes 1 2", "Write how many cards each of the 3 players has, not 1 2."),
        ("sizes 6 6 x", "Write 3 numbers of cards, in the order of the players, not '6 6 x'."),
        ("sizes 5 6 7", "Your hand has 6 cards, and by the hand sizes it has 5."),
        ("rename bob", "Write the player and the new name: rename bob Rob."),
        ("rename bob Ann", "Two players are called Ann"),
        ("save nowhere/x.json", "Cannot write nowhere/x.json: no such folder."),
        (f"save {'nowhere' * 50}", "Cannot write"),
        ("help", "s ann Pl Ro Ha bob"),
        ("cards", "Mrs Peacock (Pe)"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(line: str, fault: str) -> None:
    told = Told([line])
    assert fault in " ".join(told.said[line].split())
    assert told.session.entries == () and told.session.deal == DEAL


def test_a_suggestion_elsewhere_than_where_one_stands_is_pointed_out() -> None:
    lines = [
        "at bob Ki",
        "s bob Pe Ro Ba carol",
        "at me Ki",
        "s me Sc Ro Ki bob ?",
        "i can reach Hall or Study",
        "s me Sc Ro Ba bob ?",
    ]
    told = Told([*lines, "s bob Sc Ro Ki carol"])
    assert "Bob stands in Kitchen (entry 1), and this suggestion names Ballroom." in " ".join(
        told.said[lines[1]].split()
    )
    assert "and this suggestion" not in told.said[lines[3]] + told.said["s bob Sc Ro Ki carol"]
    said = " ".join(told.said[lines[5]].split())
    assert "You said that you can be in Hall or Study, and this suggestion names Ballroom." in said
    assert len(told.session.entries) == 5


def test_a_conflict_is_told_until_it_is_corrected() -> None:
    lines = [
        "s me Pe Ro Ki bob ro",
        "s carol Sc Ro Ba -",
        "sheet",
        "log",
        "accuse",
        "edit 1 s me Pe Ro Ki bob ki",
        "accuse ",
    ]
    told = Told(lines)
    said = " ".join(told.said[lines[1]].split())
    assert (
        "These cannot all be true:" in said and "Correct entry 1 or 2 (edit 1 ..., drop 1); there is no advice" in said
    )
    assert "entry 2: Bob showed a card, Rope was misheard or Bob suggested it" in said
    assert told.said["sheet"] == told.said["accuse"] and "entry 2 (Carol suggested" in told.said["sheet"]
    assert "cannot" not in told.said[lines[5]]
    assert "Do not accuse." in told.said["accuse "]
    # As long as there is no advice, every prompt says what to do about it.
    assert [prompt.strip() for prompt in told.asked] == [
        "1 >",
        "2 >",
        *["3 (conflict: correct entry 1 or 2) >"] * 4,
        "3 >",
        "3 >",
    ]


def test_the_card_that_was_shown_may_be_written_at_once() -> None:
    asked = ["show bob Mu Le Ki", "le", "show bob Mu Le St", "sheet", "show bob Sc Le St", ""]
    told = Told([*asked, "show carol Mu Ro Ki", "mu", "s b Mu Le Ba me le", "why mu"])
    assert "Show Colonel Mustard" in told.said[asked[0]] or "Show Lead Pipe" in told.said[asked[0]]
    assert (
        "1  Bob suggested Colonel Mustard, Lead Pipe, Kitchen; Carol had none, you showed Lead Pipe." in told.said["le"]
    )
    assert "nothing new, Bob has seen it" in told.said[asked[2]]
    assert re.search(r"Lead Pipe +✓ +s +x +x", told.said["sheet"])
    assert "you hold no other of these" in told.said[asked[4]] and told.said[""] == ""
    assert "you showed Colonel Mustard" in told.said["mu"]
    assert "that is your hand" in told.said["why mu"]


def test_the_sheet_is_said_in_words_line_by_line_for_those_who_hear_the_terminal() -> None:
    told = Told(["s bob Mu Le Ki me le", "s me Pe Ro Ki bob ro", "s carol Pl Kn St -", "words", "sheet"])
    lines = told.said["words"].splitlines()
    assert [line for line in lines if line.endswith(":")] == ["Suspects:", "Weapons:", "Locations:"]
    assert "Lead Pipe is yours; shown to Bob." in lines and "Hall is yours." in lines and "Rope is with Bob." in lines
    rows = told_sheet(told.said["sheet"], DEAL)
    places = ["Bob", "Carol", "the envelope"]
    for card, (_mine, *cells) in rows.items():
        said = [line for line in lines if line.startswith(card)]
        assert len(said) == 1
        likely = {f"{place} {cell}" for place, cell in zip(places, cells, strict=True) if "%" in cell}
        assert not likely or set(said[0].removeprefix(f"{card}: ").removesuffix(".").split(", ")) == likely
        shares = [int(share) for share in re.findall(r"(\d+) %", said[0])]
        assert shares == sorted(shares, reverse=True)
    assert len(rows) == len(REPORT.names)
    assert lines[-1] == told.said["sheet"].splitlines()[-1] and "envelopes are possible" in lines[-1]


def test_cards_that_lie_face_up_are_said_so_in_words() -> None:
    deal = replace(DEAL, sizes=(6, 5, 5), face_up=read_hand("Pe Ro", REPORT))
    lines = sheet_sentences(AdviceSession(deal))
    assert "Mrs Peacock lies face up." in lines and "Rope lies face up." in lines
    assert not any("nothing" in line for line in lines)


def test_when_the_envelope_is_certain_it_is_said() -> None:
    told = Told(["s me Pe Ro Ki -", "accuse", "suggest", "why env ki", "sheet", "a me Pe Ro Ki yes", "suggest "])
    assert "The envelope holds Mrs Peacock, Rope and Kitchen: accuse in your turn." in told.said["s me Pe Ro Ki -"]
    assert "Accuse Mrs Peacock, Rope, Kitchen: it is certain." in told.said["accuse"]
    assert "Accuse Mrs Peacock, Rope, Kitchen (accuse says why)" in told.said["suggest"]
    assert "The envelope has Kitchen, because" in told.said["why env ki"] and "entry 1" in told.said["why env ki"]
    assert "The game is over: You accused Mrs Peacock, Rope, Kitchen: right (entry 2)." in told.said["suggest "]


def test_advice_is_another_word_for_suggest() -> None:
    told = Told(["suggest", "advice", "Advise"])
    assert "tells of" in told.said["suggest"]
    assert told.said["advice"] == told.said["suggest"] == told.said["Advise"]


def test_what_tells_more_than_the_first_suggestion_is_not_before_it_and_it_is_said_why() -> None:
    told = Told(["suggest", "reach Ha Li", "s bob Sc Da St carol", "reach Ha Ki"])
    said = 0
    for line in ("suggest", "reach Ha Li", "reach Ha Ki"):
        gains = [float(gain) for gain in re.findall(r"^\d+ .* (\d\.\d\d) ", told.said[line], re.MULTILINE)]
        assert len(gains) > 4
        explained = "The order also weighs what the others learn by the answer." in told.said[line]
        assert explained == (gains[0] < max(gains))
        said += explained
    assert 0 < said < 3


def test_a_card_is_read_by_its_name_in_the_language_that_is_spoken_and_by_that_of_the_notation() -> None:
    with speaking("de"):
        said = REPORT.said(REPORT.find("Rope"))
        told = Told([f"seen bob {said}", "seen carol rope no", "seen carol Wr", f"why {said.lower()}", "cards"])
        assert said != "Rope" and f"Bob hat {said}." in told.said[f"seen bob {said}"]
    assert told.session.entries == (
        Seen(1, REPORT.find("Rope")),
        Seen(2, REPORT.find("Rope"), has=False),
        Seen(2, REPORT.find("Wrench")),
    )
    assert "Eintrag 1" in told.said[f"why {said.lower()}"]


def test_words_of_the_language_are_read_beside_the_english_ones() -> None:
    lines = [
        "s bob porz heizungsrohr küche ich",
        "s bob porz seil küche niemand",
        "a carol porz seil halle nein",
        "seen umschlag seil nein",
    ]
    with speaking("de"):
        told = Told([*lines, "why umschlag seil", "Warum umschlag seil"])
        assert (
            read_names("Anna, Bob, Ich", REPORT) and read_board("nein") is None and read_face_up("keine", REPORT) == ()
        )
    assert [type(entry) for entry in told.session.entries] == [HeardSuggestion, HeardSuggestion, Accusation, Seen]
    assert told.said["why umschlag seil"].startswith("Der Umschlag enthält Seil nicht, denn")
    assert told.said["Warum umschlag seil"] == told.said["why umschlag seil"]


def test_no_word_below_the_sheet_is_cut_off() -> None:
    with speaking("de"):
        screen = Console(width=60, file=io.StringIO())
        Prompter(screen, input).show_table(sheet_lines(AdviceSession(DEAL), Paper.of(screen)))
        legend = in_words(LEGEND, has=HAS, lacks=LACKS, seen=SHOWN).split()
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue().split()[-3:] == legend[-3:]


def test_the_envelope_is_in_sight_on_a_narrow_screen_with_many_players() -> None:
    edition = load_edition("clue")
    deal = Deal(edition, ("Ann", "Bob", "Catherine", "Dave", "Eve", "Me"), 5, (0, 7, 13), (3,) * 6)
    for width, titles in ((60, "Cath. Dave Eve enve."), (80, "Cather. Dave Eve envelope")):
        for language in ("en", "de"):
            with speaking(language):
                *rows, _legend = [line.plain for line in sheet_lines(AdviceSession(deal), Paper(True, width))]
            assert max(map(len, rows)) <= width
            assert all(row.endswith(("%", "x")) for row in rows if row.startswith("  ")), rows
            if language == "en":
                assert rows[0].split()[-4:] == titles.split()


def test_the_word_that_is_unknown_is_named_though_others_are_spelled_on_another_keyboard() -> None:
    with speaking("de"):
        told = Told(["s bob gruen rohrzangge kueche -"])
    assert "'rohrzangge' ist unbekannt" in told.said["s bob gruen rohrzangge kueche -"]


def test_saving_elsewhere_and_nowhere(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("mine")
    told = Told(["seen bob ro", f"save {other}", "no", f"save {other} ", "yes", "seen bob da", "save"], folder=tmp_path)
    assert "exists. Write over it" not in told.said["seen bob ro"]
    assert "Nothing was written there." in told.said["no"]
    assert f"Saved in {other}" in told.said["yes"].replace("\n", "")
    assert from_json(told.files[other]).entries == (Seen(1, REPORT.find("Ro")), Seen(1, REPORT.find("Da")))


def test_mutilated_lines_break_nothing() -> None:
    chance = random.Random(11)
    good = [
        "s bob Pe Ro Ki carol",
        "s me Sc Wr St bob st",
        "a carol Pl Ro Ki no",
        "seen bob lead pipe no",
        "why bob Pe",
        "edit 1 s c Pe Ro Ki -",
        "drop 2",
        "insert 1 seen bob ro",
        "hand Mu Gr Le Re Ha Li",
        "sizes 6 6 6",
        "rename bob Rob",
        "undo",
        "redo",
        "sheet",
        "log",
    ]
    lines = []
    for _ in range(400):
        line = chance.choice(good)
        for _ in range(chance.randrange(3)):
            words = line.split(" ")
            nth = chance.randrange(len(words))
            words[nth] = chance.choice(
                ["", "-", "?", ",", "me", "Ro", "7", "\x00", "é", words[nth][:1], words[nth] * 3, "Pe Ro Ki bob"]
            )
            line = " ".join(words)
        lines.append(line)
    told = Told(lines)
    assert len(told.said) > 100
    assert "Traceback" not in told.screen()


# --- The command --------------------------------------------------------------------------------------------------------


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
