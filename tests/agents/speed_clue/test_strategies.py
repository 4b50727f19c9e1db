"""The players ask and answer as the slow ones may, every parameter does something, and every game comes to the solution."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from agents.speed_clue.beside import AGENTS, SPECS, Table, sheet
from games.speed_clue.playing import ORDERS, clue, seeds_of, small
from molehunt.agents.speed_clue.strategy_parameters import (
    ASK,
    CHOICES,
    DEDUCTION_6,
    FALLBACK,
    POSSIBLE,
    SHOWS,
    SOLVED,
    SUSPECTS,
    Strategy,
)
from molehunt.core.errors import BadInput, BadParameter
from molehunt.core.match import play
from molehunt.core.panels import seat_name
from molehunt.core.position import Position
from molehunt.games.registry import make_game
from reference import speed_clue_players
from reference.speed_clue import Triple, cards_of
from reference.speed_clue_players import (
    OVERALL,
    STRATEGIES,
    Knowledge,
    advanced_suggestions,
    answer,
    basic_suggestions,
    next_possible_of_two_suggestions,
    next_possible_suggestions,
    no_intelligence_suggestions,
    previous_possible_suggestions,
)

# --- Asking -----------------------------------------------------------------------------------------------------------


def suggestions_beside(spec: str, seats: int, games: int, little: bool = False) -> list[tuple[Triple, Knowledge]]:
    """What a player asked at every decision of some games in which others' moves are at times random, and the slow sheet."""
    game, found = small(seats) if little else clue(seats), []
    for number in range(games):
        table = Table(game, [spec] * seats, 50 * seats + number, luck=(0.0, 0.2, 0.5)[number % 3])
        for _ in range(150):
            if table.over:
                break
            seat, move = table.seat, table.decide()
            if move.startswith("suggest"):
                found.append((cards_of(move), sheet(table, seat)))
            table.play(move)
    return found


@pytest.mark.parametrize("little", [True, False], ids=["ten cards", "all cards"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("spec", ["basic", "advanced", "deduction-only", "next-not-held"])
def test_a_suggestion_is_one_that_the_slow_player_may_make(spec: str, seats: int, little: bool) -> None:
    found = suggestions_beside(spec, seats, 6, little)
    assert len(found) > 15
    for cards, knowledge in found:
        assert cards in STRATEGIES[spec.replace("-", "_")](knowledge, "any_card")


@pytest.mark.parametrize("seats", [3, 5])
def test_a_strategy_by_the_hand_is_advanced_with_a_hand_of_one_kind_and_basic_with_others(seats: int) -> None:
    """Sections 5.1 and 6.3.3: a hand of one kind, as on deal 7, has more than half of its cards in a category."""
    only_advanced, only_basic = 0, 0
    for cards, knowledge in suggestions_beside("basic:ask=by_hand", seats, 20):
        own = [[card for card in category if knowledge.is_own(card)] for category in knowledge.edition]
        of_one_kind = 2 * max(map(len, own)) > sum(map(len, own))
        advanced, basic = advanced_suggestions(knowledge), basic_suggestions(knowledge)
        assert cards in (advanced if of_one_kind else basic)
        only_advanced += of_one_kind and len(advanced) < len(basic)
        only_basic += not of_one_kind and cards not in advanced
    assert only_advanced > 3 and only_basic > 3


def test_every_suggestion_of_the_strategies_is_made_at_times() -> None:
    """At the first decision of one deal, over many streams."""
    for spec, possible in (("basic", basic_suggestions), ("advanced", advanced_suggestions)):
        game = small(3)
        table = Table(game, [spec] * 3, 4)
        for move in ("suggest Red, Axe, Attic", "show", "end") * 2:
            legal = [m for m in table.slow.legal_moves() if m.startswith(move)]
            if legal:
                table.play(legal[0])
        seat = table.seat
        table.decide()
        memory = table.memories[seat]
        made = set()
        for number in range(600):
            memory.minds["stream"] = number
            made.add(cards_of(table.decide()))
        assert made == set(possible(sheet(table, seat), "any_card"))


@pytest.mark.parametrize(
    ("spec", "possible"),
    [
        ("next-possible", next_possible_suggestions),
        ("next-possible:all_opponents=yes", next_possible_of_two_suggestions),
        ("previous-possible", previous_possible_suggestions),
    ],
)
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_who_asks_for_a_possible_card_does_so_as_the_slow_player_may(
    spec: str, possible: Any, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as no category is solved; in solved ones, where nothing is to be learned, it asks as `basic`.

    Locations come first, says the report, and no more; here suspects come before weapons.
    """
    monkeypatch.setattr(speed_clue_players, "LOCATIONS_FIRST", (2, 0, 1))
    compared = 0
    for cards, knowledge in suggestions_beside(spec, seats, 8):
        if all(knowledge.envelope_card(category) is None for category in range(3)):
            assert cards in possible(knowledge, "any_card")
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("ask", ["basic", "next_not_held"])
@pytest.mark.parametrize("seats", [3, 5])
def test_a_card_that_an_opponent_keeps_suggesting_is_named_to_confirm_it_with_own_cards_beside_it(
    ask: str, seats: int
) -> None:
    """ "A targeted suggestion would need to be made possibly with cards in hand instead of the normal approach" (6.3.2)."""
    targeted, others = 0, 0
    for number in range(12):
        table = Table(clue(seats), [f"basic:ask={ask},repeats=2"] * seats, 90 + number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if move.startswith("suggest"):
                cards, letters = cards_of(move), table.letters(seat)
                named = Counter((entry.seat, card) for entry in table.slow.record for card in entry.cards)
                kept = {
                    card
                    for (player, card), times in named.items()
                    if player != seat and times >= 2 and letters[card, player] == "D"
                }
                open_ones = {
                    card
                    for category in range(3)
                    for card in table.slow.edition[category]
                    if not any(letters[other, OVERALL] == "H" for other in table.slow.edition[category])
                }
                aims = [card for card in cards if card in kept & open_ones]
                assert bool(kept & open_ones) <= bool(aims)
                if aims:
                    targeted += 1
                    hand = set(table.slow.view(seat)["hand"])
                    beside = [card for card in cards if card not in aims[:1]]
                    # Where a category holds an own card, an own one is named.
                    for card in beside:
                        category = next(c for c in table.slow.edition if card in c)
                        assert card in hand or card in aims or not hand & set(category)
                else:
                    others += 1
            table.play(move)
    assert targeted > 10 and others > 10


def test_a_card_that_an_opponent_keeps_suggesting_may_be_avoided_instead() -> None:
    """Then it is named where its category has no other card left."""
    avoided = 0
    for number in range(8):
        table = Table(clue(3), ["basic:repeats=2,suspects=avoid"] * 3, 300 + number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if move.startswith("suggest"):
                letters, reasons = table.letters(seat), table.reasons(seat)
                kept = {
                    card
                    for (card, player), rule in reasons.items()
                    if player != OVERALL and rule == 8 and letters[card, player] == "D"
                }
                for category, card in zip(table.slow.edition, cards_of(move), strict=True):
                    left = {other for other in category if letters[other, OVERALL] == "A"}
                    solved = any(letters[other, OVERALL] == "H" for other in category)
                    if kept & left and not solved:
                        assert card not in kept or left <= kept
                        avoided += card not in kept
            table.play(move)
    assert avoided > 10


@pytest.mark.parametrize("spec", ["no-intelligence:random", "no-intelligence:systematic"])
def test_no_intelligence_asks_for_nothing_that_it_holds_or_has_seen(spec: str) -> None:
    for number in range(8):
        table = Table(clue(3 + number % 4), [spec] * (3 + number % 4), number)
        made: dict[int, Triple] = {}
        while not table.over:
            seat, move = table.seat, table.decide()
            if move.startswith("suggest"):
                assert cards_of(move) in no_intelligence_suggestions(sheet(table, seat, deduces=False))
                assert spec.endswith("random") or made.get(seat) != cards_of(move)
                made[seat] = cards_of(move)
            table.play(move)
        # Every suggestion shows a new card of at most 15, but for those that name the envelope itself, hardly ever in a row.
        assert max(Counter(suggestion.seat for suggestion in table.slow.record).values()) <= 2 * 16


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.endswith("systematic")])
def test_systematic_players_ask_for_no_card_that_they_know_of_elsewhere_until_a_category_is_solved(spec: str) -> None:
    for number in range(5):
        table = Table(clue(4), [spec] * 4, number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if move.startswith("suggest"):
                knowledge = sheet(table, seat, deduces=not spec.startswith("no-intelligence"))
                for category, card in enumerate(cards_of(move)):
                    if knowledge.envelope_card(category) is None:
                        assert knowledge.state[card, "overall"] == "A"
            table.play(move)


def test_systematic_players_begin_at_the_top_of_the_list() -> None:
    table = Table(clue(3), ["deduction-only:systematic"] * 3, 0)
    knowledge = sheet(table, 0)
    first = tuple(next(card for card in kind if not knowledge.is_own(card)) for kind in table.slow.edition)
    assert cards_of(table.decide()) == first


@pytest.mark.parametrize("spec", SPECS)
def test_contest_nobody_repeats_a_suggestion(spec: str) -> None:
    for number in range(3):
        table = Table(small(3, "contest"), [spec] * 3, number)
        while not table.over:
            move = table.decide()
            if move.startswith("suggest"):
                assert all(made.cards != cards_of(move) for made in table.slow.record if made.seat == table.seat)
            table.play(move)


# --- Answering and accusing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["basic", "advanced", "no-intelligence", "previous-possible:systematic", "mixed"])
def test_who_answers_shows_what_the_slow_player_shows(spec: str) -> None:
    answers = Counter[int]()
    for number in range(10):
        table = Table(clue(3 + number % 2), [spec] * (3 + number % 2), number, luck=0.2)
        for _ in range(150):
            if table.over:
                break
            move = table.decide()
            if table.slow.phase == "answer":
                assert move == f"show {answer(table.view())}"
                answers[len(table.slow.legal_moves())] += 1
            table.play(move)
    assert min(answers[1], answers[2]) > 20


def test_the_most_widely_shown_card_is_shown_where_none_was_shown_to_the_asker() -> None:
    """4.4.4, worked out here from the record."""
    differs = 0
    for number in range(30):
        table = Table(clue(5), ["basic:show=most_shown"] * 5, number, luck=0.6)
        for _ in range(120):
            if table.over:
                break
            move = table.decide()
            if table.slow.phase == "answer":
                view = table.view()
                asker = view["record"][-1].seat
                shown = {
                    card: {m.seat for m in view["record"] if m.shown == card and m.disprover == view["seat"]}
                    for card in view["options"]
                }
                again = [card for card in view["options"] if asker in shown[card]]
                best = max(view["options"], key=lambda card: len(shown[card]))
                assert move == f"show {again[0] if again else best}"
                differs += move != f"show {answer(view)}"
            table.play(move)
    assert differs > 5


@pytest.mark.parametrize("spec", ["basic", "advanced"])
def test_an_accusation_is_made_as_soon_as_all_three_cards_are_known(spec: str) -> None:
    accusations = Counter[str]()
    for number in range(20):
        table = Table(clue(3), [spec] * 3, number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                solution = sheet(table, seat).solution()
                assert (solution is not None) == move.startswith("accuse")
                if solution is not None:
                    assert cards_of(move) == solution
                    accusations[table.slow.phase] += 1
            table.play(move)
    assert accusations["after"] and (accusations["turn"] or spec == "advanced")


# --- Parameters -------------------------------------------------------------------------------------------------------

VALUES: dict[str, tuple[str, ...]] = {
    "ask": ASK,
    "choice": CHOICES,
    "show": SHOWS,
    "solved": SOLVED,
    "all_opponents": ("no", "yes"),
    "repeats": ("0", "1", "2", "3"),
    "suspects": SUSPECTS,
    "possible": POSSIBLE,
    "cross_reference": ("no", "yes"),
    "deduction_6": DEDUCTION_6,
    "fallback": FALLBACK,
    "accuse_after": ("yes", "no"),
    "reshow": ("yes", "no"),
    "own": ("0.0", "0.5", "2.0"),
    "seen": ("0.0", "1.0"),
    "bluffs": ("0", "1", "2"),
    "cover": ("no", "yes"),
    "missed": ("0.0", "0.3"),
    "guess": ("1", "2"),
}
BESIDE = {
    "suspects": ("repeats=2",),
    "possible": ("ask=next_possible,all_opponents=yes",),
    "all_opponents": ("ask=next_not_held", "ask=next_possible", "ask=previous_possible"),
    "fallback": ("ask=next_not_held", "ask=mixed"),
    "bluffs": ("own=2.0",),
    "cover": ("own=1.0",),
}
"""With what else a parameter does something, where it does nothing to `basic`."""

CASES = [(name, beside) for name in VALUES for beside in BESIDE.get(name, ("",))]


@cache
def games_of(spec: str, seats: int = 4) -> tuple[tuple[int, ...], ...]:
    """The moves of some games of four of one player, with all cards and with ten."""
    moves: list[tuple[int, ...]] = []
    for game in (clue(seats), small(3)):
        played = play(game, [AGENTS.make(spec)] * game.seats, seeds_of(0, 150), keep_actions=True)
        assert played.actions is not None
        moves += map(tuple, played.actions)
    return tuple(moves)


def spec_of(*items: str) -> str:
    given = ",".join(item for item in items if item)
    return f"basic:{given}" if given else "basic"


def test_every_parameter_of_a_strategy_is_examined() -> None:
    assert set(VALUES) == {field.name for field in dataclasses.fields(Strategy)}


@pytest.mark.parametrize(("name", "beside"), CASES)
def test_every_value_of_a_parameter_makes_for_other_games(name: str, beside: str) -> None:
    played = {value: games_of(spec_of(beside, f"{name}={value}")) for value in VALUES[name]}
    assert len(set(played.values())) == len(played)
    assert played[VALUES[name][0]] == games_of(spec_of(beside))  # the first is the default


@pytest.mark.parametrize(("name", "beside"), CASES)
def test_every_value_can_be_set_and_is_named(name: str, beside: str) -> None:
    for value in VALUES[name]:
        agent = AGENTS.make(spec_of(beside, f"{name}={value}"))
        assert AGENTS.make(agent.name).name == agent.name
        assert (f"{name}={value}" in agent.name) == (value != VALUES[name][0])


@pytest.mark.parametrize(
    ("items", "error"),
    [
        ("ask=anything", BadParameter),
        ("repeats=-1", BadParameter),
        ("repeats=101", BadParameter),
        ("loud=yes", BadInput),
    ],
)
def test_what_cannot_be_set_is_refused(items: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        AGENTS.make(f"basic:{items}")


def test_editions_that_are_the_same_player_play_the_same() -> None:
    assert games_of("basic") == games_of("deduction-only") == games_of("deduction-only:random")
    assert games_of("advanced") == games_of("next-not-held") == games_of("basic:ask=next_not_held")


# --- Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_same_seed_same_game_and_another_seed_another(spec: str) -> None:
    game, agents = clue(4), [AGENTS.make(spec)] * 4
    first, again = (play(game, agents, seeds_of(0, 20), keep_actions=True).actions for _ in range(2))
    alone = play(game, [AGENTS.make(spec) for _ in range(4)], seeds_of(13, 1), keep_actions=True).actions
    assert first == again
    assert first is not None and alone == first[13:14]
    assert len(set(map(tuple, first))) == 20


def check_solved(game: Any, agents: Any, games: int, first: int = 0) -> None:
    """Every game ends with one accusation, a right one."""
    played = play(game, agents, seeds_of(first, games))
    assert {game.outcome_names()[code] for code in game.outcome_codes(played.states)} == {"solved"}
    made = played.states["accusations"] != 0
    assert (made.sum(axis=1) == 1).all()
    assert (played.states["accusations"][made] >> 29 == 3).all()
    assert (made[:, : game.seats] == game.wins(played.states)).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("spec", SPECS)
def test_all_players_come_to_the_solution_and_never_accuse_wrongly(spec: str, order: str) -> None:
    for seats in (3, 4, 5, 6):
        check_solved(clue(seats, order), [AGENTS.make(spec)] * seats, 200)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("case", [f"{name}={value}" for name in VALUES for value in VALUES[name] if name != "guess"])
def test_all_parameters_come_to_the_solution(case: str, order: str) -> None:
    for beside in BESIDE.get(case.partition("=")[0], ("",)):
        for seats in (3, 6):
            check_solved(clue(seats, order), [AGENTS.make(spec_of(beside, case))] * seats, 100)


@pytest.mark.parametrize("order", ORDERS)
def test_players_of_all_kinds_come_to_the_solution_together(order: str) -> None:
    for turn in range(len(SPECS)):
        agents = [AGENTS.make(SPECS[(turn + 3 * seat) % len(SPECS)]) for seat in range(6)]
        check_solved(clue(6, order, "first_seat=-1"), agents, 50, turn)


def test_players_can_do_with_ten_cards() -> None:
    for seats in (3, 4, 6):
        for spec in SPECS:
            check_solved(small(seats), [AGENTS.make(spec)] * seats, 50)


def test_who_is_put_beside_random_players_never_accuses_wrongly() -> None:
    """Others' wrong accusations, and their being out, upset nobody."""
    game = clue(4, "contest")
    for spec in SPECS:
        played = play(game, [AGENTS.make(spec), *[AGENTS.make("random")] * 3], seeds_of(0, 100))
        words = played.states["accusations"][:, 0]
        assert (words[words != 0] >> 29 == 3).all()
        assert (np.asarray(game.outcome_codes(played.states)) >= 0).all()


def why_of(table: Table) -> str:
    """Why the mover of a table is going to move so, asked before it does."""
    seat = table.seat
    return table.agents[seat].why(table.game, seen_by_mover(table), table.memories[seat], 0)


def reasons_of(spec: str, games: int) -> Iterator[tuple[Table, str, str]]:
    """The table, why its mover is going to move so, and its move, at each move of so many games of three of a kind."""
    for number in range(games):
        table = Table(clue(3), [spec] * 3, number)
        while not table.over:
            told, move = why_of(table), table.decide()
            yield table, told, move
            table.play(move)


def test_reasons_are_told_in_words() -> None:
    table = Table(clue(3), ["basic"] * 3, 1)
    while not table.over:
        told, move = why_of(table).splitlines(), table.decide()
        if move.startswith("show"):
            assert told[0].startswith(f"It shows {move.removeprefix('show ')}") and len(told) == 1
            table.play(move)
            continue
        if move.startswith("accuse"):
            # It says what it knows at this move, not what it knew at its last.
            assert told[0].startswith("It accuses") and len(told) == 4
            assert all(f"is {card} (" in "\n".join(told) for card in cards_of(move))
        elif move.startswith("suggest"):
            assert told[0].startswith(f"It asks about {', '.join(cards_of(move)[:2])} and {cards_of(move)[2]} to learn")
        else:
            assert told[0].startswith("It ends its turn: by its sheet it does not know the envelope yet.")
        assert [line.split()[0] for line in told[-3:]] == ["The"] * 3
        table.play(move)


SAYS = {
    "no-intelligence": "It goes through the cards that it has not seen, ",
    "no-intelligence:systematic": "It goes through the cards that it has not seen, in the order of the list.",
    "basic": "Which of such cards it names is left to chance.",
    "deduction-only:systematic": "Of such cards it takes the next one of the list.",
    "next-possible": "It asks {next} for a card that they may have: ",
    "previous-possible": "It asks {previous} for a card that they may have: ",
    "advanced": " known not to have, so that others must answer: ",
    "combined": "It looks for cards that as many others as possible are known not to have, so that few can show them: ",
    "mixed": "Two cards of its kind are left: ",
}
"""What a strategy says of questions, at times, `{next}` and `{previous}` being its neighbours."""


@pytest.mark.parametrize("spec", SAYS)
def test_a_question_is_said_to_be_for_what_the_strategy_looks_for(spec: str) -> None:
    said = 0
    for table, told, move in reasons_of(spec, 4):
        seat = table.seat
        words = SAYS[spec].format(next=seat_name((seat + 1) % 3), previous=seat_name((seat + 2) % 3))
        said += move.startswith("suggest") and words in told
    assert said


@pytest.mark.parametrize("spec", ["basic:repeats=2", "advanced:repeats=3", "next-possible:repeats=2"])
def test_who_asks_for_a_card_that_another_keeps_naming_says_so(spec: str) -> None:
    """The own cards beside it are no habit."""
    said = 0
    for table, told, move in reasons_of(spec, 6):
        assert "by habit" not in told
        found = re.search(r"It asks for (.+) to learn whether seat (\d) has it, who keeps naming it\.", told)
        if found is not None:
            card, other = table.cards.index(found[1]), int(found[2])
            assert found[1] in cards_of(move)
            assert table.mind(table.seat)["times"][other, card] >= int(spec[-1])
            assert int(table.mind(table.seat)["may"][other]) >> card & 1
            own = [name for name in cards_of(move) if name in table.view()["hand"]]
            assert all(f"Beside it: {name}, which it holds itself, so that nobody" in told for name in own)
            said += len(own)
    assert said


@pytest.mark.parametrize(
    "spec", ["next-possible:repeats=2,suspects=avoid", "previous-possible:repeats=1,suspects=avoid"]
)
def test_a_card_that_another_keeps_naming_is_not_said_to_have_been_shown(spec: str) -> None:
    """Of others it is said that one of several was shown, and then it was."""
    said = {"named": 0, "shown": 0}
    for table, told, move in reasons_of(spec, 6):
        found = re.search(r"It asks seat (\d) for a card that they may have: (.+?)\.", told)
        for card in cards_of(move) if found is not None else ():
            assert found is not None
            other, at = int(found[1]), table.cards.index(card)
            mind, words = table.mind(table.seat), found[2].partition("keep naming")
            if card in words[0]:
                assert any(made.disprover == other and card in made.cards for made in table.view()["record"])
                said["shown"] += 1
            if card in words[2]:
                assert mind["times"][other, at] >= int(spec.partition("repeats=")[2][0])
                said["named"] += 1
    assert all(said.values())


NONE = {
    "advanced": "It would name cards that {next} is known not to have, but finds none",
    "combined:own=3": "It would name cards that others are known not to have, but knows of none",
    "next-possible:own=3": "It would name a card that {next} has perhaps shown, but knows of none.",
    "previous-possible:all_opponents=yes,own=3": "It would name a card that one of the others has perhaps shown, but",
}
"""What a strategy says where there is no card that it looks for."""


@pytest.mark.parametrize("spec", NONE)
def test_no_card_is_said_to_be_found_only_where_there_is_none(spec: str) -> None:
    """It may name something else all the same: by habit, or as another category was drawn."""
    said = 0
    for table, told, move in reasons_of(spec, 12):
        seat = table.seat
        words = NONE[spec].format(next=seat_name((seat + 1) % 3))
        if move.startswith("suggest") and words in told:
            said += 1
            mind = table.mind(seat)
            known = mind["may" if "shown" in words else "lacks"]
            looked_at = [(seat + 1) % 3] if "seat" in words else [other for other in range(3) if other != seat]
            kinds = [sum(1 << card for card in table.game.edition.cards(category)) for category in range(3)]
            for cards in kinds:
                left = 0 if int(mind["envelope"]) & cards else cards & ~int(mind["not_envelope"])
                assert not any(left & int(known[other]) for other in looked_at)
    assert said


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("basic", "is in the envelope; in its place any card will do: {}."),
        ("combined", "It knows that {} is in the envelope and names it, since nobody can show it."),
        ("basic:solved=own", "is in the envelope; in its place it names {}, which it holds itself."),
        ("advanced", "is in the envelope; in its place it names {}, which {next} is known not to have."),
    ],
)
def test_it_is_said_what_stands_in_the_place_of_a_card_that_is_known(spec: str, words: str) -> None:
    said = 0
    for table, told, move in reasons_of(spec, 6):
        following = seat_name((table.seat + 1) % 3)
        if move.startswith("suggest"):
            said += any(words.format(card, next=following) in told for card in cards_of(move))
    assert said


def test_what_is_known_from_the_hand_alone_is_known_from_the_start_and_nothing_stands_in_its_own_place() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(20):
        position = Position(make_game("speed_clue", "small", 2), seed)
        told = position.why(AGENTS.make("basic"))
        assert "turn 0" not in told
        kinds["from the start"] += "no other of its kind is left, from the start" in told
        for known, named in re.findall(
            r"It knows that ([\w ]+) is in the envelope; in its place any card will do: ([\w ]+)\.", told
        ):
            kinds["another"] += 1
            assert named != known
        kinds["itself"] += "is in the envelope and names it: any card of its kind will do." in told
    assert min(kinds["from the start"], kinds["another"], kinds["itself"]) > 0


def test_a_card_is_shown_for_the_reason_of_the_strategy() -> None:
    told = set()
    for number in range(8):
        table = Table(clue(3), ["basic", "basic:show=random", "basic:show=least"], number)
        while not table.over:
            why, move = why_of(table), table.decide()
            if move.startswith("show"):
                told.add(why.replace(move.removeprefix("show "), "CARD"))
            table.play(move)
    assert {re.sub(r"seat \d", "NAME", words) for words in told} == {
        "It shows CARD: of the cards that NAME asked for it has no other.",
        "It shows CARD, which NAME has seen before, and so learns nothing new from it.",
        "It shows CARD, of the cards that it may show the first of the list.",
        "It shows CARD, one of the cards that it may show, drawn by lot.",
        "It shows CARD: none of the cards that it may show have more of the others seen; of equals, it was named most often.",
    }


def test_who_chooses_by_lot_says_where_there_is_but_one_move() -> None:
    only = 0
    for number in range(4):
        table = Table(clue(3), ["random"] * 3, number)
        while not table.over:
            why, move = why_of(table), table.decide()
            moves = table.game.legal_actions(seen_by_mover(table))
            if len(moves) == 1:
                only += 1
                assert why == f"It chooses {move}: it is the only move."
            else:
                assert why == f"By lot: one of {len(moves)} moves that it may make, all equally likely."
            table.play(move)
    assert only


def seen_by_mover(table: Table) -> Any:
    return table.game.views(table.states, np.array([table.seat], np.int8))
