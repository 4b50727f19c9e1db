"""Records: a line of JSON that replays to the byte, and what is said of every line that does not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, BadRecord
from molehunt.core.interpreting import interpreting
from molehunt.core.match import play
from molehunt.core.record import Record, make_record, parse_record, read_records
from molehunt.core.replay import Replay
from molehunt.core.streams import MAX_SEED, game_seeds
from molehunt.games.registry import make_game

ROLES = np.array([1, 0, 0, 1, 0], np.int8)


def games(count: int = 6, roles: bool = False, ruleset: str = "krisnadi", seats: int = 5) -> tuple[Any, list[Record]]:
    """Finished random games: the final states, and their records."""
    counts = {"saboteur": 2, "miner": 3} if roles else None
    game = make_game("saboteur", ruleset, seats, counts)
    seeds = game_seeds(77, 0, count)
    table = np.tile(ROLES, (count, 1)) if roles else None
    done = play(game, [Agents("saboteur").make("random")] * seats, seeds, table, keep_actions=True)
    assert done.actions is not None
    names = tuple(f"player {seat}" for seat in range(seats))
    return done.states, [
        make_record(game, int(seeds[i]), names, ROLES if roles else None, actions, done.states[i])
        for i, actions in enumerate(done.actions)
    ]


with interpreting():  # every process that collects tests comes by here, and none of them shall wait for a compiler
    RECORD = games(1)[1][0]
FIELDS: dict[str, Any] = json.loads(RECORD.line())
CHECK = FIELDS.pop("check")
"""The check of the record; without it, it is one of an older version."""


def changed(**fields: Any) -> bytes:
    return json.dumps({**FIELDS, **fields}).encode()


def replayed(line: bytes) -> Replay:
    return Replay(parse_record(line), make_game)


# --- What is good -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roles", "ruleset", "seats"),
    [(False, "krisnadi", 3), (True, "krisnadi", 5), (False, "krisnadi:saboteurs=2,goals_fit=no", 7)],
)
def test_record_is_read_back_and_replays_to_the_byte(roles: bool, ruleset: str, seats: int) -> None:
    states, records = games(6, roles, ruleset, seats)
    for number, record in enumerate(records):
        line = record.line()
        assert line.count(b"\n") == 1 and line.endswith(b"\n")
        assert parse_record(line) == record
        assert parse_record(line).line() == line
        again = Replay(record, make_game)
        assert again.states[-1].tobytes() == states[number : number + 1].tobytes()
        assert len(again.states) == len(record.moves) + 1 == len(again.actions) + 1 == len(again.events) + 1


def test_record_holds_seed_ruleset_seats_roles_and_moves_in_notation() -> None:
    record = games(1, roles=True)[1][0]
    fields = json.loads(record.line())
    assert list(fields) == ["molehunt", "game", "ruleset", "seed", "seats", "roles", "moves", "ending", "check"]
    assert (fields["molehunt"], fields["game"], fields["ruleset"]) == (1, "saboteur", "krisnadi:saboteurs=2")
    assert fields["seed"] == int(game_seeds(77, 0, 1)[0]) and fields["seats"][2] == "player 2"
    assert fields["roles"] == ["saboteur", "miner", "miner", "saboteur", "miner"]
    game = make_game("saboteur", "krisnadi", 5)
    assert [game.format_action(game.parse_action(move)) for move in fields["moves"]] == fields["moves"]
    assert FIELDS["roles"] is None


def test_key_order_and_spaces_do_not_matter() -> None:
    everything = {**FIELDS, "check": CHECK}
    backwards = json.dumps(dict(reversed(everything.items())), indent=1).replace("\n", " ").encode()
    assert parse_record(backwards) == RECORD


def test_every_state_of_a_replay_follows_from_the_one_before() -> None:
    again = Replay(RECORD, make_game)
    for turn, action in enumerate(again.actions):
        state = again.states[turn].copy()
        events = again.game.apply(state, np.array([action], np.int32))
        assert state.tobytes() == again.states[turn + 1].tobytes()
        assert events[0].tobytes() == again.events[turn].tobytes()


def test_view_of_a_replay_is_that_of_the_seat_to_move_or_of_the_seat_asked_for() -> None:
    again = Replay(RECORD, make_game)
    for move in (0, 3, len(again.actions)):
        mover = int(again.game.to_move(again.states[min(move, len(again.actions) - 1)])[0])
        assert again.view(move).tobytes() == again.view(move, mover).tobytes()
    assert len({again.view(4, seat).tobytes() for seat in range(5)}) == 5


def test_record_is_made_of_a_finished_game_only() -> None:
    game = make_game("saboteur", "krisnadi", 5)
    with pytest.raises(BadInput, match="finished game"):
        make_record(game, 1, ("random",) * 5, None, [], game.new(np.array([1], np.uint64))[0])


def test_no_field_can_be_changed_unnoticed() -> None:
    """A player's name changes nothing in a game, so only the check knows of it."""
    seats = [*FIELDS["seats"]]
    seats[3] = "player 7"
    with pytest.raises(BadRecord, match="is not what was written: its check is"):
        parse_record(changed(seats=seats, check=CHECK))
    for name, value in FIELDS.items():
        other = {str: f"{value}x", int: 17, dict: {"reason": "", "winners": []}}
        different = value[:-1] if isinstance(value, list) else other.get(type(value), ["miner"] * 5)
        with pytest.raises(BadRecord):
            replayed(changed(**{name: different}, check=CHECK))


def test_records_of_older_versions_have_no_check_and_are_read() -> None:
    old = parse_record(changed())
    assert old.check == "" and old.line() == json.dumps(FIELDS, separators=(",", ":")).encode() + b"\n"
    assert replayed(changed()).record == old
    assert replayed(changed(seats=["a", "b", "c", "d", "e"])).record.seats == ("a", "b", "c", "d", "e")


# --- What is not a record ---------------------------------------------------------------------------------------------

NOT_A_RECORD = {
    "empty": b"",
    "null": b"null",
    "list": b"[]",
    "nothing in it": b"{}",
    "number": b"17",
    "truncated": RECORD.line()[: len(RECORD.line()) // 2],
    "one sign short": RECORD.line().rstrip()[:-1],
    "two on a line": RECORD.line().rstrip() * 2,
    "byte order mark": b"\xef\xbb\xbf" + RECORD.line(),
    "not JSON": b"Game 1: saboteur",
    "binary": bytes(range(256)),
    "zeros": bytes(100),
    "invalid UTF-8 outside": b"\xff" + RECORD.line(),
    "invalid UTF-8 in a name": RECORD.line().replace(b"player 0", b"player \xff"),
    "half a surrogate pair": RECORD.line().replace(b"player 0", b"\\ud800"),
    "deep lists": b"[" * 100_000,
    "deep lists in a field": RECORD.line().replace(b'"moves":[', b'"moves":[' + b"[" * 100_000),
    "deep objects in an unknown field": RECORD.line().replace(b'{"mole', b'{"x":' + b'{"x":' * 100_000 + b'{"mole'),
    "extra field": changed(note="a good game"),
    "extra field in the ending": changed(ending={**FIELDS["ending"], "note": ""}),
    "other format": changed(molehunt=2),
    "format of 400 digits": changed(molehunt=10**400),
    "format of 5000 digits": RECORD.line().replace(b'"molehunt":1', b'"molehunt":1' + b"0" * 5000),
    "seed below 0": changed(seed=-1),
    "seed of 54 bits": changed(seed=MAX_SEED + 1),
    "seed of 400 digits": changed(seed=10**400),
    "seed of 5000 digits": RECORD.line().replace(b'"seed":', b'"seed":1' + b"0" * 5000),
    "seed with a fraction": changed(seed=1.5),
    "seed as text": changed(seed="1"),
    "seed true": changed(seed=True),
    "seed null": changed(seed=None),
    "game as number": changed(game=1),
    "ruleset null": changed(ruleset=None),
    "seats as text": changed(seats="random"),
    "seats of numbers": changed(seats=[1, 2, 3, 4, 5]),
    "roles of numbers": changed(roles=[1, 0, 0, 1, 0]),
    "moves null": changed(moves=None),
    "moves of numbers": changed(moves=[1]),
    "move null": changed(moves=[None]),
    "ending null": changed(ending=None),
    "ending without winners": changed(ending={"reason": FIELDS["ending"]["reason"]}),
    "taken along by one seat": changed(known=[None]),
    "faults of one seat": changed(faults=[""]),
    "moves before the fault of one seat": changed(faults=["late"] * len(FIELDS["seats"]), failed_after=[3]),
    "winner as text": changed(ending={**FIELDS["ending"], "winners": ["0"]}),
}
for _field in FIELDS:
    NOT_A_RECORD[f"without {_field}"] = json.dumps({k: v for k, v in FIELDS.items() if k != _field}).encode()


@pytest.mark.parametrize("line", NOT_A_RECORD.values(), ids=NOT_A_RECORD.keys())
def test_what_is_not_a_record_is_refused_when_it_is_read(line: bytes) -> None:
    with pytest.raises(BadRecord) as error:
        parse_record(line)
    assert len(str(error.value)) > 15


def test_the_line_that_the_corruptions_start_from_is_good() -> None:
    assert parse_record(changed(check=CHECK)) == RECORD
    assert replayed(changed(check=CHECK)).record == RECORD


# --- What is a record, but of no game ---------------------------------------------------------------------------------

MOVES = FIELDS["moves"]
WINNERS = FIELDS["ending"]["winners"]
NO_GAME: dict[str, tuple[dict[str, Any], str]] = {
    "unknown game": ({"game": "tarot"}, "the record cannot be set up: unknown game 'tarot'"),
    "empty game": ({"game": ""}, "unknown game ''"),
    "unknown ruleset": ({"ruleset": "kreisnadi"}, "did you mean 'krisnadi'?"),
    "unknown setting": ({"ruleset": "krisnadi:gold=1"}, "unknown parameter of ruleset krisnadi 'gold'"),
    "setting out of range": ({"ruleset": "krisnadi:saboteurs=12"}, "saboteurs must be 0 to 9, not 12"),
    "setting of 5000 digits": ({"ruleset": "krisnadi:saboteurs=" + "9" * 5000}, "must be a whole number"),
    "ruleset not as it is written": (
        {"ruleset": "krisnadi:saboteurs=0"},
        "the replay gives another ruleset: 'krisnadi'",
    ),
    "no seats": ({"seats": []}, "3 to 10 seats, not 0"),
    "one seat too few": ({"seats": FIELDS["seats"][:4]}, "move "),
    "100,000 seats": ({"seats": ["random"] * 100_000}, "3 to 10 seats, not 100000"),
    "unknown role": ({"roles": ["miner"] * 4 + ["thief"]}, "no role is called 'thief'; roles are miner, saboteur"),
    "no roles": ({"roles": []}, "roles must have the shape (1, 5), not (1, 0)"),
    "roles of too few seats": ({"roles": ["miner"] * 4}, "roles must have the shape (1, 5), not (1, 4)"),
    "too many saboteurs": ({"roles": ["saboteur"] * 3 + ["miner"] * 2}, "roles must hold 2 saboteurs"),
    "no moves": ({"moves": []}, "the record stops after 0 moves, before the end of the game"),
    "last move missing": ({"moves": MOVES[:-1]}, f"the record stops after {len(MOVES) - 1} moves"),
    "first move missing": ({"moves": MOVES[1:]}, "move 1: illegal action of seat "),
    "one move too many": ({"moves": [*MOVES, MOVES[0]]}, f"move {len(MOVES) + 1}, {MOVES[0]!r}, comes after the end"),
    "a move twice": ({"moves": [MOVES[0], *MOVES]}, ": illegal action of seat "),
    "move that is no notation": ({"moves": ["dig", *MOVES[1:]]}, "move 1: 'dig' is not a move; moves look like"),
    "move on no cell": ({"moves": ["P_NSE@99,1"]}, "move 1: 'P_NSE@99,1': there is no cell 99,1"),
    "hidden discard": ({"moves": ["discard:?"]}, "move 1: illegal action"),
    "move of a megabyte": ({"moves": ["P" * 2**20]}, "move 1: "),
    "space before a move": ({"moves": [f" {MOVES[0]}", *MOVES[1:]]}, "the replay gives another moves"),
    "another seed": ({"seed": FIELDS["seed"] ^ 1}, "move "),
    "winners turned round": ({"ending": {**FIELDS["ending"], "winners": WINNERS[::-1]}}, "another ending"),
    "no winners": ({"ending": {**FIELDS["ending"], "winners": []}}, "the replay gives another ending"),
    "winner that is no seat": ({"ending": {**FIELDS["ending"], "winners": [10**18]}}, "another ending"),
    "another reason": ({"ending": {**FIELDS["ending"], "reason": "peace"}}, "the replay gives another ending"),
}


@pytest.mark.parametrize(("fields", "message"), NO_GAME.values(), ids=NO_GAME.keys())
def test_record_of_no_game_is_refused_when_it_is_replayed(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord) as error:
        replayed(changed(**fields))
    assert message in str(error.value)
    assert len(str(error.value)) < 6000


def test_a_record_with_roles_of_a_game_that_has_none_is_told_so() -> None:
    duel = changed(game="duel", ruleset="mcgill", seats=["random"] * 2, roles=["miner"] * 2)
    with pytest.raises(BadRecord, match=r"no role is called 'miner'; duel has none$"):
        replayed(duel)


def test_winners_must_be_more_than_one_for_their_order_to_matter() -> None:
    assert len(WINNERS) > 1  # else the corruption above corrupts nothing


def test_every_single_move_left_out_or_repeated_is_noticed() -> None:
    for place in range(len(MOVES)):
        for moves in (MOVES[:place] + MOVES[place + 1 :], MOVES[: place + 1] + MOVES[place:]):
            with pytest.raises(BadRecord, match="move"):
                replayed(changed(moves=moves))


# --- Files ------------------------------------------------------------------------------------------------------------


def numbers(path: Path) -> list[int]:
    return [number for number, _ in read_records(path)]


def test_a_file_may_be_named_by_text_and_compressed_by_gzip(tmp_path: Path) -> None:
    plain, packed, cut = (tmp_path / name for name in ("g.jsonl", "g.jsonl.gz", "cut.jsonl.gz"))
    plain.write_bytes(2 * RECORD.line())
    packed.write_bytes(2 * gzip.compress(RECORD.line()))
    assert list(read_records(str(plain))) == list(read_records(packed)) == [(1, RECORD), (2, RECORD)]
    plain.write_bytes(b"\xef\xbb\xbf" + RECORD.line())  # as some editors write UTF-8
    assert list(read_records(plain)) == [(1, RECORD)]
    for encoding in ("utf-16-le", "utf-16-be"):  # as a shell of Windows writes what a command prints
        written = ("\ufeff" + 2 * RECORD.line().decode().replace("\n", "\r\n")).encode(encoding)
        plain.write_bytes(written)
        assert list(read_records(plain)) == [(1, RECORD), (2, RECORD)]
        plain.write_bytes(written[:-1])
        with pytest.raises(BadRecord, match=r"cannot read .*g\.jsonl: .*truncated"):
            list(read_records(plain))
    cut.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(BadRecord, match=r"cannot read .*cut\.jsonl\.gz: "):
        list(read_records(cut))


def test_lines_of_a_file_are_counted_from_1_and_empty_ones_left_out(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    line = RECORD.line()
    path.write_bytes(line + b"\n" + line + b"  \n" + line.rstrip())
    assert numbers(path) == [1, 3, 5]
    path.write_bytes(line.replace(b"\n", b"\r\n") * 2)
    assert numbers(path) == [1, 2]


@pytest.mark.parametrize("line", NOT_A_RECORD.values(), ids=NOT_A_RECORD.keys())
def test_bad_line_is_named_by_file_and_number(line: bytes, tmp_path: Path) -> None:
    if not line:
        return  # an empty line is left out
    path = tmp_path / "games.jsonl"
    path.write_bytes(RECORD.line() * 2 + line)
    with pytest.raises(BadRecord, match=r"games\.jsonl, line [3-9]: "):
        numbers(path)


def write_nothing(path: Path) -> None:
    path.write_bytes(b"")


def write_blanks(path: Path) -> None:
    path.write_bytes(b"\n \n\t\n")


def make_folder(path: Path) -> None:
    path.mkdir()


def leave_out(path: Path) -> None:
    assert not path.exists()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (write_nothing, "holds no records"),
        (write_blanks, "holds no records"),
        (make_folder, "Is a directory"),
        (leave_out, "No such file"),
    ],
)
def test_file_without_records_is_refused(make: Callable[[Path], None], message: str, tmp_path: Path) -> None:
    make(tmp_path / "games.jsonl")
    with pytest.raises(BadRecord, match=message) as error:
        numbers(tmp_path / "games.jsonl")
    assert "games.jsonl" in str(error.value)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(BadRecord, match="cannot read"):
        numbers(Path(name))


def test_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RECORD.seed = 2  # type: ignore[misc]
    assert msgspec.structs.replace(RECORD, seed=2).seed == 2
