"""Players that learn whom they play against: what they take along into the next game at a table, and how it is kept."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import BadInput, BadRecord
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import play, taken_along
from molehunt.core.panels import Words
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table.session import Saved, Session, Sitter

MET = "What it believes of their habits also comes from {} with them."
AGENTS = Agents("speed_clue")


def table(*opponents: str, seed: int = 3) -> Session:
    sitters = [Sitter("Ann"), *(Sitter(f"P{seat}", AGENTS.make(spec)) for seat, spec in enumerate(opponents, 1))]
    return Session(make_game("speed_clue", "contest", len(sitters)), sitters, seed)


def played(session: Session) -> Session:
    """The game at its end; Ann makes legal moves that depend on their number alone."""
    place = session.place(0)
    place.wait()
    while place.outcome is None:
        legal = place.legal_actions
        place.play(int(legal[len(session.actions) * 7 % len(legal)]))
        place.wait()
    return session


def three_games() -> list[Session]:
    games = [played(table("exact:deals=300,trials=10", "combined:own=2.0"))]
    for seed in (4, 5):
        games.append(played(games[-1].another(seed)))
    return games


@pytest.fixture(scope="module")
def games() -> list[Session]:
    return three_games()


def test_a_player_takes_along_what_it_learned_and_says_so(games: list[Session]) -> None:
    assert games[0].record().known is None
    for number, session in enumerate(games):
        move = next(n for n in range(1, len(session.actions)) if session.before(n).to_move == 1)
        reason = reasons.why(session, move)
        said = [MET.format("1 earlier game"), MET.format("2 earlier games")]
        assert [line for line in said if line in reason.text] == ([said[number - 1]] if number else [])
        panels = [panel.text for panel in reason.before if isinstance(panel, Words)]
        assert panels == ([said[number - 1]] if number else [])
    # What is believed of who names own cards twice as often is not forgotten when the next game begins.
    first = [game.before(1).mind(1).prior[0] for game in games]
    assert (first[0] == table("exact", "basic").mind(1).prior[0]).all()
    assert (first[1] != first[0]).any() and (first[2] != first[1]).any()


def test_the_same_seeds_and_moves_give_the_same_games(games: list[Session]) -> None:
    again = three_games()
    assert [one.record().line() for one in again] == [one.record().line() for one in games]


def test_the_record_holds_what_was_taken_along_and_replays_to_the_byte(games: list[Session]) -> None:
    for session in games[1:]:
        line = session.record().line()
        record = parse_record(line)
        assert Replay(record, make_game).record.line() == line
        # Who reads the record has the reasons that the players had, which they would not have among strangers.
        read = reasons.session_of(record, session.names)
        assert reasons.every_reason(read) == reasons.every_reason(session)
        assert read.mind(1).prior.tobytes() == session.mind(1).prior.tobytes()
        stranger = reasons.session_of(msgspec.structs.replace(record, known=None), session.names)
        assert reasons.every_reason(stranger) != reasons.every_reason(session)
        # It is under the record's check.
        changed = line.replace(b'"games":', b'"games":1')
        with pytest.raises(BadRecord, match="check"):
            parse_record(changed)


def test_a_game_that_was_saved_or_set_back_goes_on_with_it(games: list[Session]) -> None:
    session = games[1]
    saved = msgspec.json.decode(msgspec.json.encode(session.saved()), type=Saved)
    begun = msgspec.structs.replace(saved, moves=saved.moves[:9])
    resumed = Session.resume(begun, make_game, AGENTS.make)
    assert resumed.mind(1).prior.tobytes() == session.mind(1).prior.tobytes()
    resumed.undo(0)
    assert resumed.mind(1).prior.tobytes() == session.mind(1).prior.tobytes()
    assert played(resumed).impressions() is not None


class Witness(Agent):
    """Moves as it comes, and takes along what it was shown when it was asked."""

    name = "witness"

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, Any]] = []
        self.met: list[Any] = []

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return {"game": game, "heard": [[] for _ in views]}

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        return np.array([memory["game"].legal_actions(views[i : i + 1])[-1] for i in range(len(views))], np.int32)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        for event, row in zip(events, rows, strict=True):
            memory["heard"][row].append(event.tobytes())

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        self.asked.append((view.tobytes(), list(memory["heard"][row])))
        return {"number": len(self.asked)}

    def meet_again(self, memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
        assert seated
        self.met.append(impressions)


def test_what_is_taken_along_is_what_that_seat_saw() -> None:
    witnesses = Witness(), Witness()
    sitters = [Sitter("Ann"), *(Sitter(f"W{seat}", witness) for seat, witness in enumerate(witnesses, 1))]
    session = Session(make_game("speed_clue", "contest", 3), sitters, 1)
    with pytest.raises(BadInput):
        session.impressions()
    played(session)
    following = session.another(2)
    for seat, witness in enumerate(witnesses, 1):
        heard = [events[seat].tobytes() for events in session.events]
        assert witness.asked == [(session.view(seat).tobytes(), heard)]
        assert witness.met == [{"number": 1}]
    assert following.saved().known == (None, {"number": 1}, {"number": 1})


@pytest.mark.parametrize(
    "known",
    [
        [None, 3, None],
        [None, {"games": 1}, None],
        [None, {"games": 1, "habits": []}, None],
        [None, {"games": 1, "habits": [[0.5, 0.5]]}, None],
        [None, {"games": 0, "habits": "good"}, None],
        [None, {"games": 1, "habits": [["much"]]}, None],
        [None, {"games": 1, "habits": [[2.0] * 19]}, None],
        [None],
    ],
)
def test_what_nobody_can_have_taken_along_is_refused(games: list[Session], known: list[Any]) -> None:
    record = games[1].record()
    with pytest.raises(BadRecord):
        reasons.session_of(msgspec.structs.replace(record, known=tuple(known)))


@pytest.mark.parametrize(
    ("name", "ruleset", "players"),
    [
        ("saboteur", "krisnadi", ("mole:worlds=4,kept=2", "decision-2019", "random")),
        ("saboteur", "official", ("mole:worlds=4,kept=2", "decision-2019", "random")),
        ("duel", "mcgill", ("duel-star:deals=16,endings=16", "random")),
        ("speed_clue", "contest", ("exact:deals=300,trials=10", "basic", "random")),
    ],
)
def test_at_a_table_players_take_along_what_they_do_in_the_arena(
    name: str, ruleset: str, players: tuple[str, ...]
) -> None:
    game, agents = make_game(name, ruleset, len(players)), [Agents(name).make(spec) for spec in players]
    session = Session(game, [Sitter(f"P{seat}", agent) for seat, agent in enumerate(agents)], 6)
    while session.step():
        pass
    known = session.another(7).saved().known
    assert known is not None and [value is not None for value in known] == [True] + [False] * (len(players) - 1)
    assert [known] == taken_along(game, play(game, agents, [6]))


def test_who_learns_nothing_takes_nothing_along() -> None:
    session = played(table("basic", "advanced"))
    assert session.impressions() is None
    assert b"known" not in played(session.another(4)).record().line()
