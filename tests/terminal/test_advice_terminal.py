"""The adviser in a terminal: a whole game entered, corrected and compared with the library; all commands; bad input."""

from __future__ import annotations

import io
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from advice.advice_game import Watched
from molehunt.advice.deal import Deal
from molehunt.advice.entries import Entry, Seen
from molehunt.advice.file import from_json
from molehunt.advice.lines import read_hand
from molehunt.advice.session import AdviceSession
from molehunt.advice.sheet import LEGEND, sheet_lines, sheet_sentences
from molehunt.advice.words import Reader
from molehunt.agents.speed_clue.exact import EDITIONS, ExactAgent
from molehunt.beliefs.deals.layers import place_weights
from molehunt.core.language import _ as in_words
from molehunt.core.language import speaking
from molehunt.core.words import percent_said
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion
from molehunt.table.clue_sheet import HAS, LACKS, SHOWN, Paper
from molehunt.terminal.advice_setup import read_board, read_face_up, read_names
from molehunt.terminal.prompts import Prompter
from terminal.advice_person import DEAL, REPORT, Told
from terminal.pseudo_terminal import Terminal

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


# --- Commands -----------------------------------------------------------------------------------------------------------


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
