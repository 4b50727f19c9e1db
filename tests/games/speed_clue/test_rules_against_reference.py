"""The compiled rules equal the slow engine in tests/reference, move by move, on ten thousand random games.

After every move of every game: the whole state; how many legal moves the seat to move has; the view of that seat and, in
turn, of another; and what every seat was told of the move, redactions included. The legal moves themselves, as a set of
notations and without duplicates, are compared wherever there are few and else at one position in FULL_LISTS. A part of the
games is played uniformly at random, in the others players ask for what they have not seen, so that games last.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from games.speed_clue.playing import SMALL_CARDS, Bits, careful, clue, edition_of, reference_of, seeds_of
from molehunt.core.errors import IllegalAction
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.state import EVENT, STATE, VIEW
from reference.speed_clue import Event, ReferenceClue, hand_sizes

FULL_LISTS = 24
FEW = 8
RECORD = 256
PHASES = ["turn", "answer", "after", "over"]


class Followed(ReferenceClue):
    """A slow game that is asked often: it keeps the legal moves until the next move."""

    moves = 0
    moves_at = -1
    on_turn = 0
    kept: list[str]

    def legal_moves(self) -> list[str]:
        if self.moves_at != self.moves:
            self.moves_at, self.kept = self.moves, super().legal_moves()
        return self.kept

    def apply(self, move: str) -> list[Event]:
        events = super().apply(move)
        self.moves += 1
        if self.phase in {"turn", "after"}:
            assert self.to_move is not None
            self.on_turn = self.to_move
        return events

    @property
    def outcome(self) -> int:
        if self.to_move is not None:
            return 0
        if self.winner is None:
            return 3
        return 1 if self.accusations[-1] == (self.winner, self.envelope, True) else 2


def nobody(seat: int | None) -> int:
    return -1 if seat is None else seat


def shared_numbers(game: Followed) -> list[int]:
    out = sum(1 << seat for seat in game.out)
    return [
        game.moves,
        nobody(game.to_move),
        PHASES.index(game.phase),
        game.outcome,
        len(game.record),
        game.on_turn,
        out,
        nobody(game.winner),
        game.turns,
    ]


def padded(numbers: list[int], length: int = 6) -> list[int]:
    return numbers + [0] * (length - len(numbers))


class Comparison:
    """Games that the two engines play side by side."""

    def __init__(self, game: SpeedClue, first: int, games: int) -> None:
        self.game = game
        self.bits = Bits(edition_of(game))
        self.states = game.new(seeds_of(first, games))
        self.streams = self.states["stream"].copy()
        self.slow: list[Followed] = []
        for state in self.states:
            slow = reference_of(game, state, Followed)
            assert isinstance(slow, Followed)
            slow.on_turn = nobody(slow.to_move)
            self.slow.append(slow)
        self.random = [random.Random(first + index) for index in range(games)]
        # A fifth of the games is uniformly random.
        self.care = [(0.0, 0.6, 0.95, 1.0, 1.0)[(first + index) % 5] for index in range(games)]
        self.played: list[list[str]] = [[] for _ in range(games)]
        self.text: dict[int, str] = {}
        self.positions = 0
        self.seen: Counter[str] = Counter()

    def run(self) -> None:
        for state, slow in zip(self.states, self.slow, strict=True):
            assert [len(hand) for hand in slow.hands] == hand_sizes(slow.edition, self.game.seats)
            assert int(state["to_move"]) == slow.to_move
        rows = list(range(len(self.slow)))
        self.check_states(rows)
        while rows := [row for row in rows if self.slow[row].to_move is not None]:
            movers = [(row, nobody(self.slow[row].to_move)) for row in rows]
            self.check_legal_moves(movers, self.check_views(movers))
            others = [(row, (row + self.slow[row].moves) % self.game.seats) for row in rows]
            self.check_views([pair for pair, mover in zip(others, movers, strict=True) if pair != mover])
            self.move(rows)
            self.check_states(rows)
        self.check_ends()

    def where(self, row: int) -> str:
        return f"{self.game.label} with {self.game.seats} seats, game {row} after {'; '.join(self.played[row])}"

    def compare(self, rows: list[tuple[Any, ...]], records: Any, dtype: np.dtype[Any], games: list[int]) -> None:
        """Fail where a field of the records is not what the rows say; `games[i]` is the game of row i."""
        for number, name in enumerate(dtype.names or ()):
            expected = np.array([row[number] for row in rows], dtype[name].base)
            found = records[name]
            if not np.array_equal(found, expected):
                index = int(np.argwhere((found != expected).reshape(len(rows), -1).any(axis=1))[0, 0])
                place = self.where(games[index])
                pytest.fail(f"{place}: {name} is {found[index].tolist()}, not {expected[index].tolist()}")

    def state_row(self, row: int) -> tuple[Any, ...]:
        slow, bits = self.slow[row], self.bits
        return (
            self.streams[row],
            padded([bits.mask(hand) for hand in slow.hands]),
            bits.mask(slow.envelope),
            padded([bits.entry(made, made.disprover, made.shown) for made in slow.record], RECORD),
            bits.accusations(slow),
            *shared_numbers(slow),
        )

    def view_row(self, row: int, seat: int) -> tuple[Any, ...]:
        slow, bits = self.slow[row], self.bits
        view = slow.view(seat)
        # What the slow engine's view says of the public part is what the shared numbers are made of.
        assert (view["phase"], view["to_move"], view["out"]) == (slow.phase, slow.to_move, slow.out)
        assert view["accusations"] == slow.accusations
        return (
            bits.mask(view["hand"]),
            padded([bits.entry(made, made.disprover, made.shown) for made in view["record"]], RECORD),
            bits.accusations(slow),
            padded(view["hand_sizes"]),
            *shared_numbers(slow),
            seat,
            view["seats"],
        )

    def event_row(self, slow: Followed, told: Event) -> tuple[Any, ...]:
        asks = told["move"].startswith("suggest ")
        answers = told["move"].startswith("show ")
        return (
            self.bits.action(told["move"]),
            self.bits.entry(slow.record[-1], told["disprover"], told["shown"]) if asks or answers else 0,
            told["seat"],
            len(told["none"]) if asks else int(answers),
            -1 if told["right"] is None else int(told["right"]),
        )

    def check_states(self, rows: list[int]) -> None:
        self.compare([self.state_row(row) for row in rows], self.states[rows], STATE, rows)

    def check_views(self, pairs: list[tuple[int, int]]) -> Any:
        rows = [row for row, _ in pairs]
        views = self.game.views(self.states, np.array([seat for _, seat in pairs], np.int8), np.array(rows, np.int64))
        if pairs:
            self.compare([self.view_row(row, seat) for row, seat in pairs], views, VIEW, rows)
        return views

    def check_legal_moves(self, pairs: list[tuple[int, int]], views: Any) -> None:
        for index, (row, _) in enumerate(pairs):
            codes = np.array(self.game.legal_actions(views[index]).codes)
            expected = self.slow[row].legal_moves()
            assert len(codes) == len(expected), f"{self.where(row)}: {len(codes)} legal, not {len(expected)}"
            self.positions += 1
            if len(expected) > FEW and self.positions % FULL_LISTS:
                continue
            for code in codes.tolist():
                if code not in self.text:
                    self.text[code] = self.game.format_action(code)
            found = [self.text[code] for code in codes.tolist()]
            if sorted(found) != sorted(expected):
                missing, wrong = set(expected) - set(found), set(found) - set(expected)
                pytest.fail(f"{self.where(row)}: missing {missing}, wrong {wrong}")

    def move(self, rows: list[int]) -> None:
        """Play one move in each of these games, and compare what it told every seat."""
        codes, expected = [], []
        for row in rows:
            slow, rng = self.slow[row], self.random[row]
            moves = slow.legal_moves()
            move = careful(rng, slow, moves) if rng.random() < self.care[row] else rng.choice(moves)
            told = slow.apply(move)
            codes.append(self.bits.action(move))
            expected += [self.event_row(slow, event) for event in told]
            self.played[row].append(move)
            self.seen[move.split()[0]] += 1
            self.seen["show, one card to choose from"] += move.startswith("show") and len(moves) == 1
        events = self.game.apply(self.states, np.array(codes, np.int32), np.array(rows))
        self.compare(expected, events.reshape(-1), EVENT, [row for row in rows for _ in range(self.game.seats)])

    def check_ends(self) -> None:
        """At the end: all views, who has won, and that nobody may move."""
        games, seats = len(self.slow), self.game.seats
        views = self.check_views([(row, seat) for row in range(games) for seat in range(seats)])
        assert not any(len(self.game.legal_actions(view)) for view in views)
        assert np.array_equal(
            self.game.wins(self.states), [[s == slow.winner for s in range(seats)] for slow in self.slow]
        )
        names = self.game.outcome_names()
        ends = [names[code] for code in self.game.outcome_codes(self.states)]
        assert ends == [("solved", "last-left", "undecided")[slow.outcome - 1] for slow in self.slow]
        assert self.game.turns(self.states).tolist() == [slow.turns for slow in self.slow]
        assert (self.game.to_move(self.states) == -1).all()
        self.seen.update(ends)


# --- Ten thousand games -----------------------------------------------------------------------------------------------

SEATS = (3, 4, 5, 6)
ORDERS = ("mitchell", "contest")
CARDS = ("report", "contest", SMALL_CARDS)
LIMITS = {"report": 6, "contest": 12, SMALL_CARDS: 40}
LISTED = [(deal, seats) for deal in range(1, 9) for seats in SEATS if deal > 6 or seats in {3, 6}]
FIRST_PART, SECOND_PART = 45, 355
LISTED_GAMES, LONG_GAMES = 10, 100

TABLES = [(seats, order, cards) for seats in SEATS for order in ORDERS for cards in CARDS]


def compare_games(game: SpeedClue, first: int, games: int) -> Counter[str]:
    comparison = Comparison(game, first, games)
    comparison.run()
    return comparison.seen


def table_game(seats: int, order: str, cards: str) -> SpeedClue:
    first_seat = -1 if cards == "contest" else seats - 1
    return clue(seats, order, f"cards={cards}", f"first_seat={first_seat}", f"max_suggestions={LIMITS[cards]}")


@pytest.mark.parametrize(("seats", "order", "cards"), TABLES, ids=lambda value: str(value).rpartition("/")[2])
def test_rules_equal_the_reference(seats: int, order: str, cards: str) -> None:
    seen = compare_games(table_game(seats, order, cards), 0, FIRST_PART)
    # The games came to where the rules are difficult.
    assert set(+seen) >= {"suggest", "show", "show, one card to choose from", "end", "accuse"}
    assert seen["solved" if cards == SMALL_CARDS else "undecided"] > FIRST_PART // 3
    assert seen["last-left"] or order == "contest" or seats > 3


@pytest.mark.long
@pytest.mark.parametrize(("seats", "order", "cards"), TABLES, ids=lambda value: str(value).rpartition("/")[2])
def test_rules_equal_the_reference_in_many_more_games(seats: int, order: str, cards: str) -> None:
    compare_games(table_game(seats, order, cards), FIRST_PART, SECOND_PART)


@pytest.mark.parametrize(("deal", "seats"), LISTED)
def test_rules_equal_the_reference_on_listed_deals(deal: int, seats: int) -> None:
    for order in ORDERS:
        game = clue(seats, order, "cards=report", f"deal={deal}", "max_suggestions=10")
        compare_games(game, 1000 * deal, LISTED_GAMES)


def test_rules_equal_the_reference_in_games_to_the_solution() -> None:
    seen = Counter[str]()
    for order in ORDERS:
        seen += compare_games(clue(3, order, f"cards={SMALL_CARDS}"), 7, LONG_GAMES // 2)
    assert seen["solved"] > LONG_GAMES / 2


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("items", ["first_seat=0", "first_seat=-1,max_suggestions=4", "last_word=yes"])
def test_small_rules_equal_the_reference(seats: int, items: str) -> None:
    seen = compare_games(clue(seats, "small", *items.split(",")), 0, 80)
    assert min(seen[end] for end in ("solved", "last-left", "undecided")) > 0 or seats == 3


def test_the_last_word_is_the_same_in_the_other_order_of_turns() -> None:
    seen = compare_games(clue(3, "contest", "max_suggestions=3", "last_word=yes", "cards=small"), 0, 60)
    assert seen["undecided"] > 5 and seen["solved"] > 5


def test_the_two_engines_are_compared_on_ten_thousand_games() -> None:
    games = len(TABLES) * (FIRST_PART + SECOND_PART) + len(LISTED) * len(ORDERS) * LISTED_GAMES + LONG_GAMES
    assert games >= 10_000


def test_what_is_illegal_is_refused_as_the_reference_refuses_it() -> None:
    """Every notation of the game, at positions of every phase."""
    for order in ORDERS:
        game = clue(3, order, f"cards={SMALL_CARDS}")
        bits = Bits(edition_of(game))
        suspects, weapons, locations = edition_of(game)
        triples = [f"{s}, {w}, {place}" for s in suspects for w in weapons for place in locations]
        everything = [f"{verb} {cards}" for verb in ("suggest", "accuse") for cards in triples]
        everything += [f"show {card}" for card in (*suspects, *weapons, *locations)] + ["end"]
        rng, refused = random.Random(order), 0
        for number in range(4):
            states = game.new(seeds_of(500 + number, 1))
            slow = reference_of(game, states[0])
            for _ in range(12):
                if slow.to_move is None:
                    break
                legal = slow.legal_moves()
                for move in everything:
                    trial = states.copy()
                    if move in legal:
                        game.apply(trial, np.array([bits.action(move)], np.int32))
                        continue
                    with pytest.raises(IllegalAction):
                        game.apply(trial, np.array([bits.action(move)], np.int32))
                    assert trial.tobytes() == states.tobytes()
                    refused += 1
                move = careful(rng, slow, legal)
                slow.apply(move)
                game.apply(states, np.array([bits.action(move)], np.int32))
        assert refused > 1000
