"""The study of exact inference: its cells, and the count of what simple deductions miss beside a plain one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.statistics import wilson
from molehunt.beliefs.deals import Deals
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.reading.speed_clue.knowledge import read_record
from molehunt.studies import exact_clue
from molehunt.studies.clue_games import arrangements, mix
from molehunt.studies.exact_clue import OTHERS, SEATS, STUDY, WITHOUT, missed_rows
from molehunt.studies.missed_facts import WINDOWS, count_missed


def deals_of(game: SpeedClue, view: np.ndarray) -> Deals:
    """What is certain at a view, fact by fact, from the friendly view alone."""
    seen = game.friendly_view(view)
    names = game.edition.names
    number = {name: card for card, name in enumerate(names)}
    others = [(seen.seat + step) % seen.seats for step in range(1, seen.seats)]
    pool = [card for card, name in enumerate(names) if name not in seen.hand]
    made = Deals(pool, [seen.hand_sizes[seat] for seat in others], [set(game.edition.cards(kind)) for kind in range(3)])
    for suggestion in seen.suggestions:
        cards = [number[name] for name in suggestion.cards]
        for seat in suggestion.without:
            if seat != seen.seat:
                made.lacks(others.index(seat), cards)
        if suggestion.disprover is not None and suggestion.disprover != seen.seat:
            holder = others.index(suggestion.disprover)
            if suggestion.shown is None:
                made.holds_one_of(holder, cards)
            else:
                made.holds(holder, [number[suggestion.shown]])
    for _, accused, right in seen.accusations:
        assert not right
        made.not_envelope([number[name] for name in accused])
    return made


def missed_plainly(player: str, seats: int, games: int, seed: int) -> list[tuple[int, int]]:
    """The same as `count_missed` of all states, game by game, from `Deals.forced` and the letters of the sheet."""
    game = check_game("the test", make_game("speed_clue", "mitchell", seats))
    agent = Agents("speed_clue").make(player)
    seeds = game_seeds(seed, 0, games)
    streams = seat_streams(seeds, seats)
    found = []
    for row in range(games):
        counted = missing = 0
        state = game.new(seeds[row : row + 1])
        memories = [
            agent.start(game, game.views(state, np.array([seat], np.int8)), streams[row, seat : seat + 1].copy())
            for seat in range(seats)
        ]
        while (seat := int(game.to_move(state)[0])) >= 0:
            view = game.views(state, np.array([seat], np.int8))
            memory = memories[seat]
            minds, strategy, table = memory.minds, memory.parameters, memory.params
            if game.friendly_view(view).phase == "turn":
                read_record(minds[0], view[0], False, 0, 0, bool(strategy[0]["cross_reference"]), 0.0, table)
                mind = minds[0]
                places = [(seat + step) % seats for step in range(1, seats)]
                has = [*(int(mind["owned"][place]) for place in places), int(mind["envelope"])]
                lacks = [*(int(mind["lacks"][place]) for place in places), int(mind["not_envelope"])]
                counted += 1
                missing += any(
                    not (has if fact.here else lacks)[fact.place] >> fact.card & 1
                    for fact in deals_of(game, view).forced()
                )
            game.apply(state, agent.act(view, memories[seat], np.array([0])))
        found.append((counted, missing))
    return found


@pytest.mark.parametrize(("player", "seats", "games"), [("advanced", 3, 6), ("combined", 4, 4), ("advanced", 6, 2)])
def test_what_sheets_miss_is_what_is_certain_and_not_on_them(player: str, seats: int, games: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = count_missed(player, seats, games, 3, pool)
    assert found[None].T.tolist() == [list(pair) for pair in missed_plainly(player, seats, games, 3)]
    assert found[None][1].any() == (player == "advanced")
    assert (found[None] == sum(found[window] for window in WINDOWS)).all()


def test_a_sheet_without_a_deduction_misses_more() -> None:
    with ThreadPoolExecutor(2) as pool:
        states, fewest = count_missed("advanced:cross_reference=yes", 3, 20, 5, pool)[None].sum(axis=1)
        same, more = count_missed("advanced", 3, 20, 5, pool)[None].sum(axis=1)
    assert 0 < fewest / states < more / same


def test_what_is_missed_again_and_again_in_a_game_is_one_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    states = np.full(10, 20)
    whole_games = {window: np.array([states, np.repeat([0, 20], 5)]) for window in (None, *WINDOWS)}
    monkeypatch.setattr(exact_clue, "count_missed", lambda *_: whole_games)
    with ThreadPoolExecutor(1) as pool:
        rows = missed_rows(3, "advanced", 10, 0, pool)
    assert len(rows) == 1 + len(WINDOWS)
    # Half of the states are missed: all of five games, and none of the others.
    assert {(row.measured, row.games) for row in rows} == {(50.0, 10)}
    low, high = wilson(5, 10)
    assert all((row.low, row.high) == pytest.approx((100 * low, 100 * high), abs=1e-3) for row in rows)


def test_few_games_of_a_mix_are_of_drawn_seatings() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert mix(("basic", "random"), 3, 6, 2, 1, pool)[1] == 2 < len(arrangements(3, 6))
        assert mix(("basic", "random"), 3, 6, 20, 1, pool)[1] == 20


def test_a_small_study_has_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_clue, "WITHOUT", dict.fromkeys(WITHOUT, ("basic", "something")))
    monkeypatch.setattr(exact_clue, "mix", lambda kinds, number, seats, games, seed, pool: (games // 2, games))
    rows = STUDY.run(20, 1, 2).rows
    ids = [row.id for row in rows]
    assert len(set(ids)) == len(ids)
    assert all(row.published is None and row.low <= row.measured <= row.high for row in rows)
    assert {f"strength/{seats}/{other}" for seats in SEATS for other in ("advanced", *OTHERS)} <= set(ids)
    assert {f"mixes/{seats}/{k}+{seats - k}" for seats in SEATS for k in range(2, seats)} <= set(ids)
    assert {f"worth/{seats}/{name}" for seats in (3, 6) for name in WITHOUT} <= set(ids)
    rows_of = {row.id: row for row in rows}
    for seats in (3, 6):
        for name in set(WITHOUT) - {"all"}:
            change = rows_of[f"change/{seats}/{name}"]
            gap = rows_of[f"worth/{seats}/{name}"].measured - rows_of[f"worth/{seats}/all"].measured
            assert change.measured == pytest.approx(gap, abs=2e-3)
    assert {f"missed/{seats}/{player}-all" for seats in SEATS for player in ("advanced", "combined")} <= set(ids)
    games = {row.id: row.games for row in rows}
    assert (games["strength/3/advanced"], games["strength/6/advanced"], games["strength/4/basic"]) == (20, 20, 2)
    assert all(any(row.id.startswith(section.prefix) for section in STUDY.sections) for row in rows)


def test_every_player_of_the_study_can_be_made() -> None:
    agents = Agents("speed_clue")
    for player in (*OTHERS, *(player for player, _ in WITHOUT.values())):
        assert agents.make(player).name.startswith(player.partition(":")[0])
