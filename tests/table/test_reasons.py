"""Reasons, beliefs and hints: they are asked of a session and change nothing in it."""

from __future__ import annotations

import re

import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur import kripke_words
from molehunt.core.errors import BadInput
from molehunt.core.language import speaking
from molehunt.core.panels import Bars, Drawing, Grid, Words, named
from molehunt.games.registry import game_entry, make_game
from molehunt.table import reasons
from molehunt.table.reasons import beliefs, hint, session_of, why
from molehunt.table.session import Session, Sitter

TABLES = {
    "saboteur": ("official+talk", ("kripke-2012", "decision-2019", "means-ends-2016")),
    "duel": ("mcgill", ("greedy-2020",)),
    "speed_clue": ("mitchell", ("advanced", "exact")),
}


def table(name: str) -> Session:
    ruleset, specs = TABLES[name]
    agents = Agents(name)
    sitters = [Sitter("Ann"), *(Sitter(f"Bot {number}", agents.make(spec)) for number, spec in enumerate(specs))]
    return Session(make_game(name, ruleset, len(sitters)), sitters, 7)


def play_some(session: Session, moves: int) -> None:
    while len(session.actions) < moves and session.outcome is None:
        if not session.step():
            place = session.place(0)
            place.play(place.legal_actions[len(session.actions) % len(place.legal_actions)])


@pytest.mark.parametrize("name", TABLES)
def test_a_session_that_was_saved_goes_on_as_if_it_had_never_stopped(name: str) -> None:
    session = table(name)
    play_some(session, 9)
    again = Session.resume(session.saved(), make_game, Agents(name).make)
    assert again.saved() == session.saved()
    for seat in range(session.game.seats):
        assert again.view(seat).tobytes() == session.view(seat).tobytes()
    play_some(session, 20)
    play_some(again, 20)
    assert again.actions == session.actions


@pytest.mark.parametrize("name", TABLES)
def test_a_move_taken_back_leaves_the_table_as_it_was_before_it(name: str) -> None:
    session = table(name)
    play_some(session, 3)
    while session.to_move != 0:
        session.step()
    before = session.saved()
    place = session.place(0)
    place.play(place.legal_actions[0])
    place.wait()
    place.undo()
    assert session.saved() == before
    assert session.to_move == 0


def test_nothing_is_taken_back_where_no_move_was_made() -> None:
    session = table("duel")
    with pytest.raises(BadInput, match="no move of yours"):
        session.undo(0)


@pytest.mark.parametrize("name", TABLES)
def test_asking_changes_nothing_in_the_game(name: str) -> None:
    asked, unasked = table(name), table(name)
    for session in (asked, unasked):
        play_some(session, 8)
        while session.to_move != 0:
            session.step()
    of_a_bot = next(n for n, events in enumerate(asked.events, 1) if asked.sitters[int(events[0]["seat"])].agent)
    assert why(asked, of_a_bot).text
    assert hint(asked, 0).action in asked.game.legal_actions(asked.view(0))
    for seat in range(asked.game.seats):
        beliefs(asked, seat)
    play_some(asked, 16)
    play_some(unasked, 16)
    assert asked.actions == unasked.actions


def test_trust_before_and_after_a_move_is_what_the_player_of_2019_went_by() -> None:
    session = table("saboteur")
    play_some(session, 12)
    move = next(number for number, events in enumerate(session.events, 1) if int(events[0]["seat"]) == 2)
    reason = why(session, move)
    (trust,) = reason.before
    assert isinstance(trust, Bars)
    assert {bar.label for bar in trust.rows} == {"Ann", "Bot 0", "Bot 2"}
    assert reason.agent == "decision-2019"
    assert "Trust:" in reason.text


def test_what_a_player_of_clue_believed_before_its_question_is_what_it_went_by() -> None:
    player = Agents("speed_clue").make("advanced")
    session = Session(make_game("speed_clue", "mitchell", 3), [Sitter(name, player) for name in ("A", "B", "C")], 7)
    known = []
    while session.step():
        awaits_answer = session.to_move not in (None, int(session.events[-1][0]["seat"]))
        if session.game.format_action(session.actions[-1]).startswith("suggest") and awaits_answer:
            reason = why(session, len(session.actions))
            assert reason.before == reason.after
            (sheet,) = reason.before
            assert isinstance(sheet, Grid)
            known.append(sum(mark is not None for group in sheet.groups for row in group.rows for mark in row.values))
    assert len(known) > 6 and all(later > earlier for earlier, later in zip(known, known[3:], strict=False))


def test_the_beliefs_of_a_person_are_an_advisers_who_was_told_the_same() -> None:
    session = table("saboteur")
    play_some(session, 10)
    agent, panels = beliefs(session, 0)
    assert agent == game_entry("saboteur").adviser
    suspected, gold, onlooker, playing = panels
    assert isinstance(suspected, Bars) and isinstance(gold, Bars) and isinstance(onlooker, Bars)
    assert [bar.label for bar in suspected.rows] == ["Bot 0", "Bot 1", "Bot 2"]
    assert [bar.label for bar in onlooker.rows] == ["Ann", "Bot 0", "Bot 1", "Bot 2"]
    assert all(0 <= bar.value <= 1 for bar in (*suspected.rows, *onlooker.rows))
    assert sum(bar.value for bar in gold.rows) == pytest.approx(1.0)
    assert isinstance(playing, Words) and re.match(r"Bot [012] plays ", playing.text)


def test_the_beliefs_of_a_kripke_player_are_its_suspicions_and_its_model() -> None:
    session = table("saboteur")
    play_some(session, 10)
    agent, (suspected, model) = beliefs(session, 1)
    assert agent == "kripke-2012"
    assert isinstance(suspected, Bars) and isinstance(model, Drawing)
    assert model.svg.startswith("<svg")
    assert re.fullmatch(
        r"I think (besides me )?the saboteurs may be [^{}]+ \(\d+ of \d+ ways to deal the roles\)\.", model.words
    )
    with speaking("de"):
        german = beliefs(session, 1)[1][1]
    assert isinstance(german, Drawing) and not set("{}") & set(german.words)


def test_the_beliefs_of_a_model_too_large_to_be_drawn_are_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kripke_words, "MOST_DRAWN", 1)
    session = table("saboteur")
    play_some(session, 10)
    model = beliefs(session, 1)[1][1]
    assert isinstance(model, Words)
    assert re.match(r"I think [^{}]+ \(\d+ of \d+ ways to deal the roles\)\. Models of more than 1 worlds", model.text)


@pytest.mark.parametrize(("game", "standing_in"), [("saboteur", "kripke-2012"), ("speed_clue", "advanced")])
def test_an_adviser_that_would_wait_for_machine_code_lets_the_usual_opponent_advise(
    game: str, standing_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = table(game)
    play_some(session, 4)
    monkeypatch.setattr(reasons, "is_at_hand", lambda _name: False)
    assert beliefs(session, 0)[0] == standing_in


def test_the_cards_of_clue_are_somewhere_with_certainty() -> None:
    session = table("speed_clue")
    play_some(session, 6)
    for seat in (0, 2):
        grid, *habits = beliefs(session, seat)[1]
        assert isinstance(grid, Grid) and len(habits) == 3
        others = [name for place, name in enumerate(grid.columns[:-1]) if place != seat]
        for bars in habits:
            assert isinstance(bars, Bars) and [bar.label for bar in bars.rows] == others
            assert all(bars.low <= bar.value <= bars.high for bar in bars.rows)
        assert grid.columns == ("Ann", "Bot 0", "Bot 1", "envelope")
        for group in grid.groups:
            rows = [row.values for row in group.rows]
            assert all(abs(sum(float(value or 0) for value in row) - 1) < 1e-6 for row in rows)
            assert abs(sum(float(row[-1] or 0) for row in rows) - 1) < 1e-6


def test_those_at_the_table_are_called_by_name_also_where_a_sentence_begins() -> None:
    told = named("Seat 0 shows a card to seat 1. Seat 7 is nobody's.", ("Ann", "Bob"))
    assert told == "Ann shows a card to Bob. Seat 7 is nobody's."


def test_a_persons_move_has_no_reasons_and_there_is_no_hint_out_of_turn() -> None:
    session = table("duel")
    session.step()
    place = session.place(0)
    place.play(place.legal_actions[0])
    with pytest.raises(BadInput, match="person"):
        why(session, 2)
    with pytest.raises(BadInput, match="your move"):
        hint(session, 0)


def test_a_record_can_be_asked_like_the_session_it_was_made_of() -> None:
    session = table("speed_clue")
    play_some(session, 1000)
    again = session_of(session.record())
    assert again.actions == session.actions
    move = next(n for n, events in enumerate(session.events, 1) if int(events[0]["seat"]) == 1)
    assert why(again, move) == why(session, move) or why(again, move).text == why(session, move).text.replace(
        "Bot", "Player"
    )
