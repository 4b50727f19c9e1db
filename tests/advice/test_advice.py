"""The adviser's session: what is entered, corrected, kept, and what follows from it, beside the library's own games."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from advice.advice_game import Watched
from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Entry, Seen
from molehunt.advice.file import from_json, to_json
from molehunt.advice.findings import Findings
from molehunt.advice.session import AdviceSession
from molehunt.advice.view import game_of
from molehunt.agents.speed_clue.beside import Beside, Known
from molehunt.agents.speed_clue.exact import Accusation as Likeliest
from molehunt.agents.speed_clue.exact import Advice
from molehunt.core.errors import BadInput
from molehunt.core.game import Views
from molehunt.games.speed_clue.edition import even_deal, load_edition, read_edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.state import TURN
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple

REPORT = load_edition("report")


def cards(text: str) -> Triple:
    first, second, third = (REPORT.find(word) for word in text.split())
    return first, second, third


def card(text: str) -> int:
    return REPORT.find(text)


HAND = tuple(card(word) for word in ("Mu", "Gr", "Le", "Re", "Ha", "Li"))
DEAL = Deal(REPORT, ("Ann", "Bob", "Carol"), 0, HAND, (6, 6, 6))
"""I am Ann, and hold Mustard, Green, Lead Pipe, Revolver, Hall and Library."""


class Asks:
    """An adviser that keeps what it was asked; its advice says `deals`, how often it was."""

    def __init__(self) -> None:
        self.calls: list[tuple[SpeedClue, Views, Beside]] = []

    def consult(self, game: SpeedClue, view: Views, beside: Beside) -> Advice:
        self.calls.append((game, view, beside))
        likeliest = Likeliest((0, 6, 12), 0.1, 0.0, accuse=False)
        return Advice([], [], likeliest, 0.0, len(self.calls), every_deal=False)


# --- Beside the library's own games -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seat", "seed"),
    [(["advanced", "random", "basic"], 0, 3), (["random", "advanced", "basic", "advanced"], 2, 4)],
)
def test_the_view_and_the_facts_are_those_of_the_game(players: list[str], seat: int, seed: int) -> None:
    watched = Watched(players, seat, seed)
    checked = set()
    for view, entries, asked, my_move in watched:
        session = AdviceSession(watched.deal, entries)
        facts = session.deals().arrays()
        if not my_move:
            continue
        phase = int(view[0]["phase"])
        checked.add(phase)
        mine = session.view(asked, after=phase not in (TURN, 1))
        mine[0]["moves"] = view[0]["moves"]
        assert mine == view
        assert session.conflict(asked) is None
        if asked is None:
            expected = facts_of_views(view, watched.game.params)
            for name in ("pool", "sizes", "holds", "lacks", "clause_holders", "clause_cards", "factor_holders"):
                assert np.array_equal(getattr(facts, name), getattr(expected, name)), name
            assert set(facts.excluded.tolist()) == set(expected.excluded.tolist())
            mask = (1 << len(REPORT.names)) - 1 - sum(1 << mine for mine in watched.deal.hand)
            assert [int(kind) for kind in facts.categories] == [int(kind) & mask for kind in expected.categories]
    assert checked == {0, 1, 2}
    assert any(isinstance(entry, Accusation) for entry in watched.entries)


def test_the_game_is_that_of_the_table() -> None:
    edition = read_edition(
        "mine",
        json.dumps(
            {
                "suspects": {"A": "a", "B": "b", "C": "c"},
                "weapons": {"D": "d", "E": "e", "F": "f"},
                "locations": {"G": "g", "H": "h"},
            }
        ),
    )
    session = AdviceSession(Deal(edition, ("x", "y", "z"), 1, (0, 3), (2, 2, 1)), [HeardSuggestion(0, (1, 3, 6), 1, 3)])
    assert game_of(session.deal).edition is edition
    assert session.shares().sum(axis=1).tolist() == pytest.approx([1] * 8)
    again = from_json(to_json(session))
    assert again.entries == session.entries and again.deal.edition.codes == edition.codes
    assert again.game().params.tolist() == session.game().params.tolist()


# --- What is known ------------------------------------------------------------------------------------------------------


def test_shares_solutions_and_what_is_certain() -> None:
    session = AdviceSession(DEAL)
    assert session.certain() == {(mine, 0) for mine in HAND}
    assert session.shares()[card("Rope")].tolist() == pytest.approx([0, 0.375, 0.375, 0.25])
    session.add(HeardSuggestion(0, cards("Pe Ro Ha"), 1, card("Ro")))
    session.add(HeardSuggestion(2, cards("Pl Ca Ba"), None))
    assert session.certain() == {(mine, 0) for mine in HAND} | {(card("Ro"), 1)}
    (best, chance), *others = session.solutions()
    assert best == cards("Pl Ca Ba")
    assert chance > others[0][1] and chance + sum(other for _, other in others) == pytest.approx(1)


def test_why_something_is_certain_names_the_entries() -> None:
    session = AdviceSession(DEAL)
    session.add(HeardSuggestion(1, cards("Pe Ro Ki"), 2))
    session.add(HeardSuggestion(1, cards("Sc Ro Ki"), None))
    session.add(Seen(1, card("Da")))
    reason = session.explain(card("Pe"), 2)
    assert reason.entries == (1, 2)
    assert reason.conclusion == "Carol has Mrs Peacock"
    assert "entry 2 (Bob suggested Miss Scarlett, Rope, Kitchen; nobody could show a card)" in reason.text
    assert session.explain(card("Da"), 3).entries == (3,)
    assert session.explain(card("Ha"), 1).text == "You hold Hall: that is your hand."
    with pytest.raises(BadInput, match="not certain whether the envelope has Miss Scarlett: the probability is"):
        session.explain(card("Sc"), session.envelope)


def test_a_reason_names_the_own_cards_that_it_needs() -> None:
    session = AdviceSession(DEAL, [HeardSuggestion(1, cards("Gr Ro Ha"), 2)])
    assert "you hold Reverend Green and Hall" in session.explain(card("Ro"), 2).text


def test_a_reason_names_nothing_of_the_hand_that_can_be_left_out() -> None:
    session = AdviceSession(
        DEAL, [Seen(1, card("Ro")), HeardSuggestion(1, cards("Gr Da Ki"), 2), Seen(2, card("Da"), has=False)]
    )
    assert session.explain(card("Ro"), session.envelope).text.splitlines()[1:] == [
        "  entry 1 (Bob has Rope): so Bob has Rope."
    ]
    assert session.explain(card("Ki"), 2).text.splitlines()[-1] == "  you hold Reverend Green."


def test_a_reason_names_all_of_the_hand_that_it_needs() -> None:
    """That nobody has a card settles the envelope, and so who has another one of its kind."""
    entries: list[Entry] = [HeardSuggestion(0, cards("Pe Ro Ki"), None), Seen(2, card("Ca"), has=False)]
    session = AdviceSession(DEAL, entries)
    text = session.explain(card("Ca"), 1).text
    assert text.startswith("Bob has Candlestick, because") and text.endswith("you do not hold Candlestick or Rope.")


def test_a_conflict_names_nothing_of_the_hand_that_can_be_left_out() -> None:
    session = AdviceSession(DEAL, [HeardSuggestion(1, cards("Gr Da Ki"), 2), Seen(1, card("Ki"))])
    found = session.add(Seen(2, card("Da"), has=False))
    assert found is not None and found.reasons[-1] == "you hold Reverend Green." and found.of_hand
    session = AdviceSession(DEAL, [HeardSuggestion(1, cards("Gr Da Ki"), 2), Seen(1, card("Da"))])
    found = session.add(Seen(2, card("Da")))
    assert found is not None and not found.of_hand and len(found.reasons) == 2


def test_a_card_of_the_envelope_is_one_that_nobody_has_or_the_last_of_its_kind() -> None:
    session = AdviceSession(DEAL, [HeardSuggestion(0, cards("Pe Ro Ki"), None)])
    text = session.explain(card("Ro"), session.envelope).text
    assert text.endswith("you do not hold Rope.") and "Lead Pipe" not in text
    session = AdviceSession(DEAL, [Seen(1, card(word)) for word in ("Ca", "Da", "Wr")])
    reason = session.explain(card("Ro"), session.envelope)
    assert reason.entries == (1, 2, 3) and reason.text.endswith("you hold Lead Pipe and Revolver.")


# --- Conflicts ----------------------------------------------------------------------------------------------------------


def test_a_contradiction_is_entered_and_names_the_entries_in_conflict() -> None:
    session = AdviceSession(DEAL, adviser=Asks())
    assert session.add(HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ro"))) is None
    assert session.add(HeardSuggestion(1, cards("Sc Wr St"), 2)) is None
    found = session.add(HeardSuggestion(2, cards("Sc Ro Ba"), None))
    assert found is not None and found.entries == (1, 3)
    assert "entry 1 (You suggested Mrs Peacock, Rope, Kitchen; Bob showed Rope): so Bob has Rope" in found.text
    for ask in (session.shares, session.solutions, session.consult, lambda: session.explain(0, 1)):
        with pytest.raises(BadInput, match="cannot all be true"):
            ask()
    assert session.certain() == frozenset()
    # The early one was mistyped.
    assert session.replace(1, HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ki"))) is None
    assert (card("Ki"), 1) in session.certain()
    assert session.consult().deals == 1


def test_what_was_noted_wrong_is_among_the_changes_with_which_all_agree() -> None:
    wrong = 0
    for seed in range(8):
        watched = Watched(["advanced", "basic", "advanced", "basic"], 1, seed)
        *_, (_view, told, _asked, _move) = watched
        entries = list(told[:25])
        chance = random.Random(seed)
        number = chance.choice([n for n, entry in enumerate(entries, 1) if isinstance(entry, HeardSuggestion)])
        true = entries[number - 1]
        assert isinstance(true, HeardSuggestion)
        others = [player for player in (0, 2, 3, None) if player not in (true.by, true.disprover)]
        entries[number - 1] = replace(true, disprover=chance.choice(others), card=None)
        session = AdviceSession(watched.deal, entries)
        if session.conflict() is None:
            assert session.slips() == []
            continue
        wrong += 1
        slips = session.slips()
        shown = (true.disprover, true.card if true.disprover == 1 else None)
        same = [
            (slip.entry.disprover, slip.entry.card)
            for slip in slips
            if slip.number == number and isinstance(slip.entry, HeardSuggestion)
        ]
        assert shown in same
        for slip in slips:
            changed = AdviceSession(watched.deal, entries)
            assert changed.replace(slip.number, slip.entry) is None, slip.text
    assert wrong >= 3


def too_many(_found: Findings) -> bool:
    raise BadInput("too many deals")


def test_what_may_have_been_so_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    rope = HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ro"))
    session = AdviceSession(DEAL, [rope, HeardSuggestion(2, cards("Sc Ro Ba"), None)])
    assert [(slip.number, slip.text) for slip in session.slips()] == [
        (1, "Bob showed Mrs Peacock"),
        (1, "Bob showed Kitchen"),
        (1, "Carol showed a card"),
        (1, "nobody could show a card"),
        (2, "Bob showed a card"),
        (2, "Rope was misheard"),
        (2, "Bob suggested it"),
    ]
    known = AdviceSession(DEAL, [Seen(1, card("Ha")), Accusation(2, cards("Pe Ro Ki"), right=False)])
    assert [slip.text for slip in known.slips()] == ["Bob does not have Hall"]
    # A change that leaves more deals than can be thought through is none that is offered.
    with monkeypatch.context() as patch:
        patch.setattr(Findings, "possible", property(too_many))
        assert session.slips() == []
    # Where more than one is wrong, no change of one will do.
    seen = [Seen(1, card("Ha")), Seen(1, card("Li"))]
    assert AdviceSession(DEAL, seen).slips() == []


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (HeardSuggestion(1, cards("Pe Ro Ha"), None), "you hold Hall"),
        (HeardSuggestion(2, cards("Pe Ro Ha"), 1), "you hold Hall"),
        (HeardSuggestion(1, cards("Pe Ro Ki"), 0, card("Ro")), "you hold none of these"),
        (HeardSuggestion(1, cards("Pe Ro Ha"), 0, card("Ro")), "you do not hold Rope"),
        (HeardSuggestion(1, cards("Pe Ro Ha"), 2, card("Ha")), "you hold Hall"),
        (HeardSuggestion(1, cards("Mu Le Ha"), 2), "you hold Colonel Mustard, Lead Pipe and Hall"),
        (Accusation(1, cards("Pe Ro Ha"), right=True), "you hold Hall"),
        (Seen(2, card("Ha")), "you hold Hall"),
    ],
)
def test_what_the_own_hand_contradicts_is_said(entry: Entry, fault: str) -> None:
    session = AdviceSession(DEAL)
    session.add(Seen(1, card("Da")))
    found = session.add(entry)
    assert found is not None and found.entries == (2,)
    assert found.text.endswith(f"and your hand cannot both be true: {fault}.")


def test_a_hand_that_was_mistyped_can_be_corrected() -> None:
    session = AdviceSession(DEAL, [HeardSuggestion(1, cards("Pe Ro Ki"), 0, card("Ki"))])
    assert session.conflict() is not None
    assert session.redeal(replace(DEAL, hand=(*HAND[:5], card("Ki")))) is None
    assert session.undo() is not None


def test_what_is_asked_now_may_contradict_too() -> None:
    session = AdviceSession(DEAL, [Seen(2, card("Ro"))], Asks())
    found = session.conflict(Asked(1, cards("Pe Ro Ha")))
    assert found is not None and found.entries == (1, 2)
    assert "what is asked now (Bob asks you for Mrs Peacock, Rope, Hall): so Carol does not have" in found.text
    with pytest.raises(BadInput, match="you hold none of these"):
        session.consult(Asked(2, cards("Pe Ro Ki")))


# --- What cannot be entered ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (HeardSuggestion(1, cards("Pe Ro Ha"), 1), "Bob cannot answer"),
        (HeardSuggestion(1, cards("Pe Ro Ha"), 2, card("Ki")), "Kitchen is not one of the cards asked for"),
        (HeardSuggestion(1, cards("Pe Ro Ha"), None, card("Ha")), "Hall is not one of the cards asked for"),
        (HeardSuggestion(1, cards("Mu Le Ki"), 0), "which card did you show, Colonel Mustard or Lead Pipe?"),
        (HeardSuggestion(1, cards("Ro Pe Ha"), 2), "a suspect, a weapon and a location"),
        (HeardSuggestion(3, cards("Pe Ro Ha"), 2), "players are numbered 0 to 2, not 3, 2"),
        (Seen(0, card("Ha")), "what you hold is your hand"),
        (Seen(1, 21), "no card number 21"),
        (HeardSuggestion(2, cards("Pe Ro Ki"), 1), "Carol has accused wrongly in entry 1, and can only answer"),
        (Accusation(2, cards("Pe Ro Ki"), right=True), "Carol has accused wrongly in entry 1"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(entry: Entry, fault: str) -> None:
    session = AdviceSession(DEAL, [Accusation(2, cards("Pe Ro Ha"), right=False)])
    with pytest.raises(BadInput, match=fault):
        session.add(entry)
    assert len(session.entries) == 1
    with pytest.raises(BadInput, match="nothing to undo"):
        session.undo()


def test_a_game_that_is_over_goes_no_further() -> None:
    session = AdviceSession(DEAL, [Accusation(1, cards("Pe Ro Ki"), right=True)], Asks())
    with pytest.raises(BadInput, match="entry 2: the game ended with entry 1"):
        session.add(Seen(1, card("Da")))
    with pytest.raises(BadInput, match=r"the game is over: Bob accused .* right"):
        session.consult()
    assert session.solutions() == [(cards("Pe Ro Ki"), 1)]


def test_who_is_out_is_told_what_to_show_and_nothing_else() -> None:
    session = AdviceSession(DEAL, [Accusation(0, cards("Pe Ro Ki"), right=False)], Asks())
    with pytest.raises(BadInput, match="you accused wrongly in entry 1"):
        session.consult()
    assert session.consult(Asked(1, cards("Pe Ro Ha"))).deals == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"names": ("Ann",)}, "2 to 6 players"),
        ({"names": ("Ann", "Bob", "ann")}, "two players are called Ann"),
        ({"names": ("Ann", "Bob", "no")}, "means something else"),
        ({"names": ("Ann", "Bob", "a,b")}, "no comma"),
        ({"names": ("Ann", "Me", "Bob")}, "can only be you"),
        ({"hand": HAND[:5]}, "your hand has 5 cards"),
        ({"hand": (*HAND[:5], HAND[0])}, "Colonel Mustard is in the hand twice"),
        ({"hand": tuple(range(6))}, "is in the envelope"),
        ({"sizes": (6, 6, 5)}, r"18 cards are dealt, and 6 \+ 6 \+ 5 is 17"),
        ({"sizes": (6, 12, 0)}, "how many cards each"),
        ({"me": 3}, "must be you"),
    ],
)
def test_a_table_that_cannot_be_is_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        replace(DEAL, **change)


def test_an_even_deal() -> None:
    assert even_deal(18, 4) == (5, 5, 4, 4)
    assert even_deal(18, 4, first=3) == (5, 4, 4, 5)


# --- Corrections --------------------------------------------------------------------------------------------------------


def test_every_change_can_be_undone_and_redone() -> None:
    session = AdviceSession(DEAL)
    first, second, third = Seen(1, card("Da")), Seen(2, card("Ro")), Seen(1, card("Ki"), has=False)
    states = [(session.deal, session.entries)]
    changes: list[Callable[[], object]] = [
        lambda: session.add(first),
        lambda: session.add(second),
        lambda: session.insert(1, third),
        lambda: session.replace(2, replace(first, has=False)),
        lambda: session.remove(3),
        lambda: session.redeal(replace(DEAL, names=("Ann", "Rob", "Carol"))),
    ]
    for change in changes:
        change()
        states.append((session.deal, session.entries))
    assert states[3][1] == (third, first, second) and states[-1][1] == (third, replace(first, has=False))
    for deal, entries in states[-2::-1]:
        session.undo()
        assert (session.deal, session.entries) == (deal, entries)
    for deal, entries in states[1:]:
        session.redo()
        assert (session.deal, session.entries) == (deal, entries)
    with pytest.raises(BadInput, match="nothing to redo"):
        session.redo()
    session.undo()
    session.add(second)
    with pytest.raises(BadInput, match="nothing to redo"):
        session.redo()


def test_the_entries_of_a_game_that_was_saved_are_undone_one_by_one_and_redone() -> None:
    begun = AdviceSession(DEAL)
    for entry in (Seen(1, card("Da")), Seen(2, card("Ro")), Seen(1, card("Ki"), has=False)):
        begun.add(entry)
    session = from_json(to_json(begun))
    for left in (2, 1, 0):
        session.undo()
        assert session.entries == begun.entries[:left]
    with pytest.raises(BadInput, match="nothing to undo"):
        session.undo()
    for back in (1, 2, 3):
        session.redo()
        assert session.entries == begun.entries[:back]


def test_an_entry_that_is_not_there_and_another_game_are_refused() -> None:
    session = AdviceSession(DEAL)
    with pytest.raises(BadInput, match="no entries yet"):
        session.remove(1)
    session.add(Seen(1, card("Da")))
    for number in (0, 2):
        with pytest.raises(BadInput, match=f"no entry {number}; they are numbered 1 to 1"):
            session.replace(number, Seen(1, card("Ro")))
    with pytest.raises(BadInput, match="another game"):
        session.redeal(replace(DEAL, me=1))


# --- The adviser --------------------------------------------------------------------------------------------------------


def test_the_adviser_is_told_what_was_seen_and_asked_once() -> None:
    adviser = Asks()
    session = AdviceSession(DEAL, [Seen(1, card("Da")), Seen(2, card("Ki"), has=False)], adviser)
    session.add(HeardSuggestion(1, cards("Pe Ro Ba"), 2, card("Ba")))
    assert [session.consult().deals, session.consult().deals, session.consult(after=True).deals] == [1, 1, 2]
    asked = Asked(1, cards("Pe Ro Ha"))
    assert session.consult(asked).deals == 3
    game, view, beside = adviser.calls[-1]
    assert (game.seats, int(view[0]["suggestion_count"])) == (3, 2)
    known = [(1, "Da", True), (2, "Ki", False), (2, "Ba", True)]
    assert beside == Beside(tuple(Known(seat, (card(code),), has) for seat, code, has in known))
    session.add(Seen(1, card("Or")))
    assert session.consult().deals == 4


@pytest.mark.parametrize("heard", [True, False])
def test_a_card_that_was_shown_is_shown_again_also_where_not_all_was_heard_then(heard: bool) -> None:
    """To who has seen it, and to nobody else."""
    first = HeardSuggestion(1, (card("Pe") if heard else None, card("Wr"), card("Ha")), 0, card("Ha"))
    session = AdviceSession(DEAL, [first, HeardSuggestion(2, cards("Pe Wr Li"), 0, card("Li"))])
    again, new = (session.consult(Asked(by, cards("Mu Re Ha"))).shows for by in (1, 2))
    assert (again[0].card, again[0].tells) == (card("Ha"), 0.0)
    assert len(new) == 3 and all(showing.tells > 0 for showing in new)


def test_an_accusation_may_follow_my_suggestion() -> None:
    session = AdviceSession(DEAL)
    assert not session.may_accuse
    session.add(HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ro")))
    session.add(Seen(2, card("Da")))
    assert session.may_accuse
    session.add(HeardSuggestion(1, cards("Pe Ro Ki"), 2))
    assert not session.may_accuse


# --- The file -----------------------------------------------------------------------------------------------------------


def test_a_session_comes_back_from_its_file() -> None:
    watched = Watched(["random", "advanced", "basic", "advanced"], 2, 4)
    for _ in watched:
        pass
    session = AdviceSession(watched.deal, [Seen(0, watched.deal.hand[0], has=False), *watched.entries])
    data = to_json(session)
    again = from_json(data)
    assert (again.deal, again.entries) == (session.deal, session.entries)
    assert to_json(again) == data
    assert to_json(from_json(data.replace(b'"speed_clue"', b'"speed-clue"'))) == data


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("advice",), 2, "format 2"),
        (("game",), "chess", "holds chess"),
        (("cards",), "tarot", "no card set 'tarot'"),
        (("cards",), {"suspects": {}}, "at least 2 suspects"),
        (("me",), "Zoe", "no player is called 'Zoe'; there are Ann, Bob, Carol"),
        (("hand", 0), "Spam", "no card is called 'Spam'"),
        (("hand_sizes", 0), 7, "is 19"),
        (("hand_sizes", 0), "six", "Expected `int`"),
        (("entries", 0, "card"), "Spam", "entry 1: no card is called 'Spam'"),
        (("entries", 0, "shown_by"), "Ann", "entry 1: you cannot answer"),
        (("entries", 0, "what"), "guess", "Invalid value 'guess'"),
        (("entries", 1, "more"), 1, "unknown field"),
    ],
)
def test_a_file_that_is_wrong_says_where(path: tuple[Any, ...], value: Any, fault: str) -> None:
    session = AdviceSession(DEAL, [HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ro")), Seen(2, card("Da"))])
    data: Any = json.loads(to_json(session))
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(BadInput, match=fault):
        from_json(json.dumps(data).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b"[" * 5000])
def test_what_is_no_session_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="not a game that the adviser has saved"):
        from_json(data)


def test_mutilated_files_are_read_or_refused() -> None:
    chance = random.Random(3)
    entries: list[Entry] = [
        HeardSuggestion(0, cards("Pe Ro Ki"), 1, card("Ro")),
        Accusation(2, cards("Pe Ro Ki"), right=False),
        Seen(2, 7),
    ]
    good = to_json(AdviceSession(DEAL, entries))
    read = 0
    for _ in range(500):
        data = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            start = chance.randrange(len(data))
            data[start : start + chance.randrange(6)] = chance.choice(
                [b"", b"null", b"7", b'"', b"\xff", b"true", b"[]", b"e"]
            )
        try:
            session = from_json(bytes(data))
        except BadInput:
            continue
        read += 1
        assert from_json(to_json(session)).entries == session.entries
    assert 0 < read < 250
