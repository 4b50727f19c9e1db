"""What objects draw in a notebook is well formed, names what it shows, and escapes what comes from elsewhere."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from molehunt.adapters.batched import BatchedGames
from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.beliefs.kripke import KripkeModel, choose_worlds
from molehunt.core.match import play
from molehunt.core.notebook import Markup, interval_bar, table
from molehunt.core.position import Position
from molehunt.core.record import make_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.studies.study import NONE_PUBLISHED, Report, Row


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own drawing


def test_a_table_escapes_its_cells_and_keeps_markup() -> None:
    text = table(("a<b",), [("<script>",), (Markup("<b>x</b>"),), (1234,)], "c & d")
    assert "<script>" not in text
    assert "<b>x</b>" in text
    assert "1,234" in text
    parsed(text)


def test_a_bar_stays_within_its_line() -> None:
    picture = parsed(interval_bar(-5.0, 0.5, 5.0, 0.0, 1.0, width=100))
    assert picture[1].attrib["d"] == "M4.0 6H96.0"


@pytest.mark.parametrize(
    ("name", "ruleset", "seats"), [("saboteur", "krisnadi", 3), ("duel", "mcgill", 2), ("speed_clue", "mitchell", 3)]
)
def test_a_played_game_draws_itself(name: str, ruleset: str, seats: int) -> None:
    game = make_game(name, ruleset, seats)
    agent = Agents(name).make("random")
    played = play(game, [agent] * seats, np.array([3], np.uint64), keep_actions=True)
    assert played.actions is not None
    record = make_record(game, 3, ("random",) * seats, None, played.actions[0], played.states[0])
    assert record.moves[-1].replace(">", "&gt;") in record._repr_html_()
    drawn = Replay(record, make_game)._repr_html_()
    parsed(f"<div>{drawn}</div>")
    assert drawn.count("<tr>") == 1 + len(record.moves)
    view = game.friendly_view(game.views(played.states, np.zeros(1, np.int8)))
    assert view._repr_svg_() == game.draw_svg(view.record)
    # In a plain prompt, one line each.
    assert repr(game) == f"<Game {name}/{ruleset}, {seats} seats>" and repr(agent) == "<RandomAgent random>"
    assert repr(view) == f"<View of seat 0, {name}/{ruleset}, {seats} seats>"
    public = game.friendly_view(Position.at(game, played.states).public_record())
    assert repr(public) == f"<View of what all see, {name}/{ruleset}, {seats} seats>"
    states = game.new(np.array([3], np.uint64))
    (mover,) = game.to_move(states)
    event = game.friendly_event(game.apply(states, np.array(played.actions[0][:1], np.int32))[0, mover])
    assert repr(event) == f"<{event}>" and record.moves[0] in repr(event)
    assert repr(played) == f"<Played 1 game, {len(record.moves)} moves>"
    assert repr(played.chairs) == f"[<Chairs of random, {seats} seats of each game>]"
    replay = Replay(record, make_game)
    assert repr(replay) == f"<Replay of {', '.join(record.seats)}: {replay.position!r}>"
    assert repr(replay.position.past(0)) == f"<Past of 1 chair, {len(record.moves)} events>"
    batch = BatchedGames(f"{name}/{ruleset}", seats, 2)
    assert repr(batch) == f"<BatchedGames {name}/{ruleset}, {seats} seats, 2 games>"
    assert repr(batch.spaces).startswith(f"<Spaces of {name}/{ruleset}, {seats} seats: {batch.spaces.size} actions, ")


def test_a_match_a_study_and_a_model_draw_themselves() -> None:
    result = run(seat_match("duel/mcgill", [Chair("random"), Chair("random-listed")], Agents("duel")), 4)
    assert "random-listed" in result._repr_html_()
    assert repr(result.match) == "<Match duel/mcgill: random, random-listed>"
    assert repr(result).startswith("<Result duel/mcgill, 4 games: random ") and "% (" in repr(result)
    row = Row(
        id="a/b", quantity="wins, %", published=None, measured=12.5, low=1, high=20, games=9, verdict=NONE_PUBLISHED
    )
    assert "12.5" in Report(study="s", seconds=1.0, rows=[row])._repr_html_()
    worlds, facts = choose_worlds(3, 1, "sab")
    assert parsed(KripkeModel.total(worlds, range(3), facts)._repr_svg_()).tag.endswith("svg")
