"""What a game does not keep of what it promises is named, for whoever writes one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cli.calling import call
from molehunt.agents.registry import Agents
from molehunt.arena.faults import play_with_faults
from molehunt.core.agent import Player, PlayerAgent
from molehunt.core.errors import BadInput, GameFailure, IllegalAction
from molehunt.core.game import LegalActions, Outcome
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games import registry
from molehunt.games.entry import GameEntry
from molehunt.games.promises import check_game, check_spec
from molehunt.games.registry import make_game
from web import cups

Cups = cups.Cups
OWN = {name: getattr(Cups, name) for name in vars(Cups) if callable(getattr(Cups, name))}


@pytest.fixture(autouse=True)
def a_guest() -> Iterator[None]:
    with cups.installed():
        yield


# --- Mistakes of a game, each in one method -----------------------------------------------------------------------------


def by_chance(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """Chance comes of no seed."""
    events = OWN["apply"](game, states, actions, rows)
    states["coin"][slice(None) if rows is None else rows] = np.random.default_rng().integers(
        cups.CUPS, size=len(actions)
    )
    return events


def all_rows(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """The move is made in all states."""
    events = OWN["apply"](game, states, actions, rows)
    states["made"] = states["made"].max()
    return events


def spoils(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """What is refused has changed the state."""
    try:
        return OWN["apply"](game, states, actions, rows)
    except IllegalAction:
        states["made"] += 1
        raise


def takes_all(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """Cups that do not stand are played, too."""
    lifted = states["lifted"].copy()
    states["lifted"] = False
    events = OWN["apply"](game, states, actions, rows)
    states["lifted"] |= lifted
    return events


def bad_words(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """What is not legal is refused by an error of Python's."""
    try:
        return OWN["apply"](game, states, actions, rows)
    except IllegalAction:
        raise ValueError("no such cup") from None


def tells_all(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    """All are told what one has seen."""
    events = OWN["apply"](game, states, actions, rows)
    events["found"] = events["found"].max(axis=1, keepdims=True)
    return events


def refuses_peeks(game: Any, states: Any, actions: Any, rows: Any = None) -> Any:
    if actions[0] < cups.CUPS:
        raise IllegalAction(int(game.to_move(states)[0]), game.format_action(int(actions[0])), "nobody peeks")
    return OWN["apply"](game, states, actions, rows)


def views_with(field: str) -> Callable[..., Any]:
    """The number of moves says where the coin is, or the seat nothing."""

    def views(game: Any, states: Any, seats: Any, rows: Any = None) -> Any:
        seen = OWN["views"](game, states, seats, rows)
        seen[field] = (states if rows is None else states[rows])["coin"]
        return seen

    return views


def first_place(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
    states = OWN["resample"](game, views, streams)
    for state, view in zip(states, views, strict=True):
        places = np.flatnonzero(view["found"] == cups.NOTHING)
        if not (view["found"] == cups.COIN).any():
            state["coin"] = places[0]
    return states


def anywhere(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
    states = OWN["resample"](game, views, streams)
    states["coin"] = [np.random.default_rng(int(stream)).integers(cups.CUPS) for stream in streams]
    return states


def outside(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
    """The coin is where it is never laid."""
    states = OWN["resample"](game, views, streams)
    states["coin"][~(views["found"] == cups.COIN).any(axis=1)] = cups.CUPS
    return states


def legal_of(codes: Callable[[list[int]], list[int]]) -> Callable[..., Any]:
    def legal_actions(game: Any, view: Any) -> LegalActions:
        found = OWN["legal_actions"](game, view).codes
        return LegalActions(game, np.array(codes(found) if found else [], np.int32))

    return legal_actions


def pays(states: Any) -> Any:
    return np.where(states["winner"][:, None] == np.arange(3), 2.5, -1.25)


def outcome_of(change: Callable[[Outcome | None], Outcome | None]) -> Callable[..., Any]:
    return lambda game, state: change(OWN["outcome"](game, state))


MISTAKES: list[tuple[str, Callable[..., Any], str]] = [
    ("new", lambda game, seeds: OWN["new"](game, np.random.default_rng().integers(99, size=len(seeds))), "second time"),
    ("new", lambda game, seeds: OWN["new"](game, np.arange(len(seeds))), "deals another game alone than among others"),
    (
        "deals",
        lambda game, roles=None: (OWN["new"](game, range(2)), np.ones(2)),
        "2 deals are none, or do not sum to 1",
    ),
    (
        "deals",
        lambda game, roles=None: (OWN["new"](game, range(1)), np.ones(1)),
        "deals of cups/six, .* of 10 deals that new makes are none of the 1 that are listed",
    ),
    ("views", views_with("made"), "are none that new ever deals"),
    ("views", views_with("seat"), "two seats have the same view"),
    ("resample", anywhere, "resample of .*gives it another view \\(found\\)"),
    ("resample", first_place, "of them: all that agree with a view are as likely as they are dealt"),
    ("resample", outside, "500 are none that new ever deals"),
    ("public_view", lambda game, state: views_with("made")(game, state, np.full(1, -1)), "shows what seat . does not"),
    ("public_event", lambda game, events: events[0], "what is public of peek:. depends on which seats learned what"),
    ("apply", by_chance, "does something else the second time"),
    ("apply", all_rows, "in row 1 changes row 0, too"),
    ("apply", spoils, "the state is another one after .* was refused"),
    ("apply", bad_words, r"is not legal, and is refused by ValueError: no such cup .*, not by IllegalAction with seat"),
    ("apply", takes_all, "can be played, and is not among the legal actions"),
    ("apply", tells_all, r"the event of peek:. tells seat . more \(found\) than its view afterwards"),
    ("apply", refuses_peeks, "peek:. is among the legal actions, and is refused: nobody peeks"),
    ("legal_actions", legal_of(lambda codes: codes + codes[:1]), "peek:0 is there twice"),
    (
        "legal_actions",
        legal_of(lambda codes: np.random.default_rng().permutation(codes).tolist()),
        "are others, or in another order, when",
    ),
    ("legal_actions", legal_of(lambda codes: codes[1:]), "peek:. can be played, and is not among"),
    ("legal_actions", lambda game, view: LegalActions(game, np.arange(3, dtype=np.int32)), "seat . may move, and"),
    ("wins", lambda game, states: np.ones((len(states), game.seats), bool), "somebody has won, and the game goes on"),
    ("payoffs", lambda game, states: pays(states), "its payoffs are .*, and payoffs says"),
    ("margins", lambda game, states: pays(states), "they are from -1 to 1, of shape"),
    (
        "margins",
        lambda game, states: np.where(states["winner"][:, None] < 0, 0, np.ones(game.seats)),
        "they sum to 0, and ",
    ),
    (
        "margins",
        lambda game, states: np.full((len(states), game.seats), [0.5, -0.25, -0.25]),
        "they are 0 while the game goes on",
    ),
    ("outcome", outcome_of(lambda _: None), "to_move says that the game is over, and it does not"),
    (
        "outcome",
        outcome_of(lambda found: found and Outcome(found.reason, (), found.payoffs)),
        "winners, and seats that",
    ),
    ("outcome", outcome_of(lambda found: found and Outcome(found.reason, found.winners, ())), r"its payoffs are \(\)"),
    ("outcome_codes", lambda game, states: np.zeros(len(states), int), "to_move says that the game is not over"),
    ("draw_svg", lambda game, view: "<svg>", "the drawing is no SVG"),
    ("draw_text", lambda game, view: view["made"].tolist()[9], "cups/six fails, in the game of seed .*IndexError"),
    ("format_event", lambda game, event: None, "an event is told as a text, not None"),
]


@pytest.mark.parametrize(("method", "mistake", "said"), MISTAKES)
def test_what_is_not_kept_is_named(
    method: str, mistake: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game("cups", "six", 3)
    monkeypatch.setattr(Cups, method, mistake)
    with pytest.raises(GameFailure, match=rf"^web\.cups:Cups: .*({said})"):
        check_game(game, plays=10)


# --- What is drawn in the middle of a play ------------------------------------------------------------------------------


def listed_cups(game: Any, roles: Any = None) -> Any:
    states = np.repeat(OWN["new"](game, range(1)), cups.CUPS)
    states["coin"] = np.arange(cups.CUPS)
    return states, np.full(cups.CUPS, 1 / cups.CUPS)


def once_moved(mistake: Callable[..., Any]) -> Callable[..., Any]:
    """The mistake is made after the first move alone."""

    def resample(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
        return (mistake if views["made"].any() else OWN["resample"])(game, views, streams)

    return resample


def rather_first(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
    """The first place in half of the states, and any other in the rest."""
    states = OWN["resample"](game, views, streams)
    half = np.arange(len(states)) % 2 == 0
    states[half] = first_place(game, views[half], streams[half])
    return states


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (
            outside,
            "states that are drawn from the view of seat . could not have come about after all that it has seen: there",
        ),
        (
            first_place,
            "states that are drawn from the view of seat . none is (the one that was played|one that agrees)",
        ),
        (
            rather_first,
            r"of \d+ states that are drawn from the view of seat . \d+ are .*by the probabilities .* at most about",
        ),
    ],
)
def test_what_is_drawn_in_the_middle_of_a_play_is_held_to_all_that_the_seat_has_seen(
    mistake: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game("cups", "six", 3)
    monkeypatch.setattr(Cups, "deals", listed_cups)
    assert check_game(game, plays=1).held > 10
    monkeypatch.setattr(Cups, "resample", once_moved(mistake))
    with pytest.raises(
        GameFailure, match=rf"resample of cups/six, in a game from deal \d of those listed, after .*{said}"
    ):
        check_game(game, plays=1)
    monkeypatch.undo()
    monkeypatch.setattr(Cups, "resample", once_moved(mistake))
    with cups.installed():
        assert "Not checked is whether resample agrees with what a seat has seen before" in str(
            check_game(game, plays=1)
        )


def swapped_hands(states: Any, views: Any) -> None:
    """What others have shown and could not show is forgotten."""
    if views["seat"][0] == 0:  # the others hold one card each
        states["hands"][:, [1, 2]] = states["hands"][:, [2, 1]]


def goals_in_order(states: Any, views: Any) -> None:
    """The gold is never under the last goal, if nobody has looked."""
    unseen = (views["goals"] == views["goals"][:1, :1]).all(axis=1)
    states["goals"][unseen] = np.sort(states["goals"][unseen], axis=1)


def hand_twice(states: Any, views: Any) -> None:
    """Others hold cards that have been played."""
    other = (views["seat"][0] + 1) % 3
    states["hands"][:, other] = np.where(states["hands"][:, other] < 0, -1, 1)


@pytest.mark.parametrize(
    ("setup", "forget", "said"),
    [
        (("speed_clue", "small", 3), swapped_hands, "could not have come about after all that it has seen"),
        (("saboteur", "small", 3), goals_in_order, "none is "),
        (("saboteur", "small", 3), hand_twice, "could not have come about after all that it has seen"),
    ],
)
def test_a_mistake_in_what_our_own_games_draw_in_the_middle_of_a_play_is_named(
    setup: tuple[str, str, int], forget: Callable[..., None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game(*setup)
    right = type(game).resample

    def resample(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
        states = right(game, views, streams, weights)
        moved = views["turn"] > 1 if game.name == "saboteur" else views["suggestion_count"] > 0
        if moved.all():
            forget(states, views)
        return states

    monkeypatch.setattr(type(game), "resample", resample)
    with pytest.raises(
        GameFailure, match=rf"resample of {game.label}, in a game from deal \d+ of those listed.*{said}"
    ):
        check_game(game, plays=6)


def test_of_a_game_whose_deals_are_not_listed_it_is_said_what_was_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("duel", "mcgill", 2)
    said = "Not checked is whether resample agrees with what a seat has seen before: the deals of duel/mcgill cannot be"
    assert said in str(check_game(game, plays=1))
    right = type(game).resample

    def resample(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
        states = right(game, views, streams, weights)
        states["hands"][np.arange(len(views)), views["seat"]] = states["hands"][
            np.arange(len(views)), 1 - views["seat"]
        ]
        return states

    monkeypatch.setattr(type(game), "resample", resample)
    with pytest.raises(GameFailure, match=r"resample of duel/mcgill, .* gives it another view"):
        check_game(game, plays=1)


def test_chosen_deals_are_not_what_a_seat_holds_possible() -> None:
    """A deal of the report is one deal, and its seats do not know which."""
    kept = check_game(make_game("speed_clue", "mitchell:deal=7", 3), plays=1)
    assert kept.held == 0
    assert "the listed deals are chosen ones, which seats are not taken to know" in str(kept)


def test_words_of_64_bits_that_hold_cards_are_part_of_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speed Clue keeps hands and envelope in such, and whatever was drawn there passed."""
    game = make_game("speed_clue", "small", 2)
    right = type(game).resample

    def resample(game: Any, views: Any, streams: Any, weights: Any = None) -> Any:
        states = right(game, views, streams, weights)
        if not views["suggestion_count"].any():
            states["envelope"] = 0
        return states

    monkeypatch.setattr(type(game), "resample", resample)
    with pytest.raises(GameFailure, match="are none that new ever deals"):
        check_game(game, plays=1)


@pytest.mark.parametrize("seed", range(2, 5))
def test_deals_that_are_rare_among_those_looked_at_are_no_mistake(seed: int) -> None:
    """Of 144 deals some are missing among 500, and are drawn."""
    assert check_game(make_game("speed_clue", "small", 3), plays=1, seed=seed).held


def test_an_event_that_tells_others_which_hidden_move_was_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disc laid face down was told to all, and nothing was said of it."""

    def public(game: Any, events: Any) -> Any:
        hidden = OWN["public_event"](game, events)
        hidden["action"] = min(hidden["action"], 2 * cups.CUPS)  # as if nobody saw which were swapped
        return hidden

    check_game(make_game("cups", "six", 3), plays=10)
    monkeypatch.setattr(Cups, "public_event", public)
    with pytest.raises(
        GameFailure, match=r"apply of cups/six.*the event of swap:.* tells seat . \(action\) that it was not swap:"
    ):
        check_game(make_game("cups", "six", 3), plays=10)


def none_after_two_moves(game: Any, view: Any) -> LegalActions:
    return LegalActions(game, np.array(OWN["legal_actions"](game, view).codes * int(view["made"][0] < 2), np.int32))


class TakesTheFirst(Player):
    def choose(self, view: Any) -> Any:
        return make_game("cups", "six", 3).legal_actions(np.array([view]))[0]


def test_who_is_to_move_and_can_do_nothing_is_named_in_a_match_and_no_player_is_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = make_game("cups", "six", 3)
    monkeypatch.setattr(Cups, "legal_actions", none_after_two_moves)
    said = "cups:Cups: seat 2 is to move by to_move of cups/six, and its view has no legal_actions"
    for agent in (Agents("cups").make("random"), PlayerAgent("first", TakesTheFirst)):
        with pytest.raises(GameFailure, match=said):
            play(game, [agent] * 3, range(2))
    with pytest.raises(GameFailure, match=said):
        play_with_faults(game, [PlayerAgent("first", TakesTheFirst)] * 3, game_seeds(0, 0, 2))
    with pytest.raises(GameFailure, match=said):
        game.play_randomly(game.new(game_seeds(0, 0, 20)), game_seeds(1, 0, 20))


def test_who_is_to_move_and_can_do_nothing_is_named_before_what_is_drawn_from_the_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = make_game("cups", "six", 3)
    monkeypatch.setattr(Cups, "legal_actions", none_after_two_moves)
    with pytest.raises(GameFailure, match=r": legal_actions of cups/six, .*: seat 2 is to move and has none"):
        check_game(game)


def test_actions_that_are_listed_by_seat_are_held_to_what_each_seat_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    game, every = make_game("cups", "six", 3), np.arange(cups.ACTIONS)
    for rows, said in (
        ([every, every], "actions of the entry of cups have 2 rows, and one a seat would be right, 3 in cups/six"),
        ([every, every[1:], every], "peek:0 is none of the actions that the game's entry names for seat 1"),
    ):
        table = np.array([np.resize(row, cups.ACTIONS) for row in rows])
        monkeypatch.setattr(GameEntry, "get", lambda _entry, _option, table=table: table)
        with pytest.raises(GameFailure, match=re.escape(said)):
            check_game(game)


def test_a_game_that_cannot_go_to_another_process_is_named() -> None:
    """Players in processes of their own, and a cluster, take it along."""
    game = make_game("cups", "six", 3)
    vars(game)["helper"] = lambda: 1
    with pytest.raises(GameFailure, match=r"__init__ of cups/six, .*: it keeps what cannot be pickled: .*lambda"):
        check_game(game, plays=1)


def test_a_play_that_is_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cups.ENTRY.__class__, "longest_play", lambda *_: 2)
    with pytest.raises(GameFailure, match="a play of cups/six goes on after 2 moves"):
        check_game(make_game("cups", "six", 3))


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Cups in which all win when one lifts the coin."""
    entry = dataclasses.replace(cups.ENTRY, together=True)
    monkeypatch.setattr(registry, "guests", lambda: {"cups": entry})

    def all_win(found: Outcome | None) -> Outcome | None:
        return found and (Outcome(found.reason, (0, 1, 2), (1.0, 1.0, 1.0)) if found.winners else found)

    monkeypatch.setattr(Cups, "outcome", outcome_of(all_win))
    monkeypatch.setattr(Cups, "wins", lambda game, states: np.repeat(states["winner"][:, None] >= 0, 3, axis=1))
    return make_game("cups", "six", 3)


def test_a_game_in_which_all_win_together_is_searched_for_a_win_of_all(together: Any) -> None:
    assert check_game(together, plays=5).plays == 5
    states = together.new(game_seeds(0, 0, 8))
    states["made"] = cups.LONGEST - 4
    for step in range(3):  # seat 2 sees the coin, the others nothing, and seat 2 has the last move
        together.apply(states, (states["coin"] + (step > 0)).astype(np.int32) % cups.CUPS)
    ismcts, views = Agents("cups").make("ismcts:iterations=100"), together.views(states, np.full(8, 2, np.int8))
    chosen = ismcts.act(views, ismcts.start(together, views, game_seeds(0, 0, 8)), np.arange(8))
    assert [together.format_action(int(each)) for each in chosen] == [f"lift:{coin}" for coin in states["coin"]]


def test_margins_and_wins_of_a_game_in_which_all_win_together_are_the_same_for_all(
    together: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cups, "margins", lambda game, states: np.where(states["winner"][:, None] < 0, 0, [1, 0, -1]))
    with pytest.raises(GameFailure, match="by the entry all win together, so they are the same for all seats"):
        check_game(together)
    monkeypatch.undo()
    monkeypatch.setattr(registry, "guests", lambda: {"cups": dataclasses.replace(cups.ENTRY, together=True)})
    monkeypatch.setattr(Cups, "margins", lambda game, states: np.zeros((len(states), game.seats)))
    with pytest.raises(GameFailure, match=r"wins of cups/six.* by the entry all win together, and .* do not"):
        check_game(make_game("cups", "six", 3))


def test_compiled_rules_in_which_all_win_together_need_margins() -> None:
    """Searches would see what each won over the others: nothing."""
    duel = make_game("duel", "mcgill", 2)
    assert not hasattr(duel.kernels, "margins")  # type: ignore[attr-defined]
    object.__setattr__(duel, "together", True)
    with pytest.raises(GameFailure, match="duel/mcgill together, so its kernels need margins"):
        check_game(duel, plays=1)


def test_openspiel_is_told_that_all_win_together() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from molehunt.adapters.openspiel.games import game_type

    identical = pyspiel.GameType.Utility.IDENTICAL
    assert game_type(dataclasses.replace(cups.ENTRY, together=True)).utility == identical
    assert game_type(cups.ENTRY).utility == pyspiel.GameType.Utility.ZERO_SUM


def test_where_views_show_all_it_is_said_that_nothing_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be meant so: who writes the game knows."""

    def views(game: Any, states: Any, seats: Any, rows: Any = None) -> Any:
        states = states if rows is None else states[rows]
        seen = OWN["views"](game, states, seats)
        seen["found"] = np.where(np.arange(cups.CUPS) == states["coin"][:, None], cups.COIN, cups.EMPTY)
        return seen

    game = make_game("cups", "six", 2)
    assert "Nothing" not in str(check_game(game))
    monkeypatch.setattr(Cups, "views", views)
    monkeypatch.setattr(Cups, "public_view", lambda game, state: OWN["views"](game, state, np.full(1, -1)))
    kept = check_game(game)
    assert kept.unsure == (0, 0)
    assert "Nothing was ever hidden from seat 0 and 1, as far as resample tells" in str(kept)


@pytest.mark.parametrize("setup", [("duel", "mcgill", 2), ("speed_clue", "small", 3), ("saboteur", "small", 3)])
def test_our_own_games_keep_it(setup: tuple[str, str, int]) -> None:
    kept = check_game(make_game(*setup), plays=2)
    assert kept.plays == 2 and kept.moves > 2
    assert all(kept.unsure)


@pytest.mark.parametrize("plays", [0, 1.5, True, None, 10**9])
def test_what_is_no_number_of_plays_is_refused(plays: Any) -> None:
    with pytest.raises(BadInput, match=f"plays are a whole number from 1 to 10000, not {re.escape(repr(plays))}"):
        check_game(make_game("cups", "six", 3), plays=plays)


def test_the_command_checks_all_rulesets_at_the_fewest_and_the_most_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    made = call("games", "cups", "--check", "--plays", "2")
    assert made.status == 0, made.err
    assert re.fullmatch(
        r"cups/six, 2 seats: 2 plays with \d+ moves kept what a game promises\. Not checked is .*\.\n"
        r"cups/six, 4 seats: 2 plays with \d+ moves kept what a game promises\. Not checked is .*\.\n",
        made.out,
    )
    monkeypatch.setattr(Cups, "apply", refuses_peeks)
    monkeypatch.setattr("molehunt.games.answers.MOVES", 0)
    made = call("games", "cups/six", "--check")
    assert (made.status, made.out) == (1, "")
    assert made.err.startswith("molehunt: web.cups:Cups: apply of cups/six, in the game of seed ")
    assert call("games", "--check").status == call("games", "cups", "--check", "--plays", "0").status == 2


def test_a_spec_that_leaves_out_what_was_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "small:first_seat=-1"
    check_spec(make_game("saboteur", typed, 3), typed)
    for spec, said in (("small", "another one: records"), ("smal", "cannot be read .unknown ruleset")):
        game: Any = SimpleNamespace(name="saboteur", spec=spec, made_by="theirs")
        with pytest.raises(GameFailure, match=f"^theirs: spec of saboteur/{typed} is '{spec}', which (is )?{said}"):
            check_spec(game, typed)
    monkeypatch.setattr("molehunt.console.listings.make_game", lambda *_: game)
    made = call("games", f"saboteur/{typed}", "--check")
    assert made.status == 1 and f"spec of saboteur/{typed} is 'smal'" in made.err


def test_what_an_entry_names_is_held_to_what_is_there_and_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    object.__setattr__(cups.ENTRY, "actions", "web.cups:FEW")
    try:
        monkeypatch.setattr(cups, "FEW", np.arange(cups.CUPS), raising=False)
        with pytest.raises(
            GameFailure, match=r"legal_actions of .*: lift:0 is none of the actions that the game's entry"
        ):
            check_game(make_game("cups", "six", 3))
        monkeypatch.setattr(cups, "FEW", lambda game: np.arange(cups.ACTIONS))
        assert check_game(make_game("cups", "six", 3), plays=1).plays == 1
        object.__setattr__(cups.ENTRY, "words", "web.cups:WORDS")
        made = call("games", "cups", "--check", "--plays", "1")
        assert made.status == 1
        assert "the entry of cups names 'web.cups:WORDS', which is not there" in made.err
    finally:
        object.__setattr__(cups.ENTRY, "actions", "")
        object.__setattr__(cups.ENTRY, "words", "")
