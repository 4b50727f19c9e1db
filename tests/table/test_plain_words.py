"""Reasons as people read them: no notation and no symbols in the sentences, what was weighed apart from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from molehunt.agents.registry import Agents
from molehunt.core.language import _ as in_words_of
from molehunt.core.language import speaking
from molehunt.core.panels import Bars
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table.people import recorded_names
from molehunt.table.plain_words import Choice, PlainReason, plain_reason
from molehunt.table.session import Session, Sitter

NAMES = ("Alice", "Bob", "Carol")
NOTATION = re.compile(r"[PD]_[NESW]+|@-?\d|\w:\w+|>\d|rock[12]|[{}]|\bstates\b|\bseat \d|Trust:")
TABLES = {
    "saboteur": ("official+talk:rounds=1", ("kripke-2012", "decision-2019", "means-ends-2016")),
    "duel": ("mcgill", ("and-or-2020", "greedy-2020")),
    "speed_clue": ("mitchell", ("advanced", "exact", "basic")),
}


def session_of(game: str, agents: Sequence[str], moves: int) -> Session:
    """A table of a game with some players, after some moves."""
    sitters = [Sitter(name, Agents(game).make(spec)) for name, spec in zip(NAMES, agents, strict=False)]
    session = Session(make_game(game, TABLES[game][0], len(agents)), sitters, 5)
    for _ in range(moves):
        session.step()
    return session


@pytest.mark.parametrize("game", TABLES)
def test_sentences_have_no_notation(game: str) -> None:
    session = session_of(game, TABLES[game][1], 24)
    weighed = 0
    for text in reasons.every_reason(session):
        plain = plain_reason(session.game, text, session.names)
        assert not NOTATION.search(plain.text), plain.text
        for choice in plain.choices:
            assert not NOTATION.search(choice.words), choice
        weighed += len(plain.choices)
    assert weighed or game != "saboteur"


@pytest.mark.parametrize(
    ("told", "text", "choices"),
    [
        (
            (
                "I am a miner. The gold: top 4 %.\n"
                "What moves bring me above the others' average, played on in worlds that I hold possible: "
                "break:lantern>2 +0.28 in 1,256; P_EW@1,0 -0.05 in 8."
            ),
            "I am a miner. The gold: top 4 %.",
            (
                Choice("Break Carol's lantern", "+0.28 in 1,256"),
                Choice("Lay a straight tunnel left-right at 1,0", "-0.05 in 8"),
            ),
        ),
        (
            (
                "It digs.\n"
                "What moves bring me above the others' average, played on in worlds that I hold possible: "
                "map:top +0.10 in 12 worlds; P_EW@1,0 -0.05 in 4 worlds.\n"
                "P_EW@1,0 brought more, but I take map:top: it is what players usually do here.\n"
                "At a glance: discard:map -0.50 in one world."
            ),
            (
                "It digs.\n“Lay a straight tunnel left-right at 1,0” brought more, but I take “Look at the top goal”: "
                "it is what players usually do here."
            ),
            (
                Choice("Look at the top goal", "+0.10 in 12 worlds"),
                Choice("Lay a straight tunnel left-right at 1,0", "-0.05 in 4 worlds"),
                Choice("Discard the map", "-0.50 in one world"),
            ),
        ),
        (
            "It digs. Played on from: map:top (76 % of 120 games), P_EW@1,0 (75 % of 30 games).",
            "It digs.",
            (
                Choice("Look at the top goal", "76 % of 120 games"),
                Choice("Lay a straight tunnel left-right at 1,0", "75 % of 30 games"),
            ),
        ),
        (
            (
                "It digs. What its network expects after each move and the answer to it: map:top (76 % of 40 deals), "
                "P_EW@1,0 (75 % of 13 deals)."
            ),
            "It digs.",
            (
                Choice("Look at the top goal", "76 % of 40 deals"),
                Choice("Lay a straight tunnel left-right at 1,0", "75 % of 13 deals"),
            ),
        ),
    ],
)
def test_what_came_of_playing_on_stands_apart(told: str, text: str, choices: tuple[Choice, ...]) -> None:
    plain = plain_reason(make_game("saboteur", "official", 3), told, NAMES)
    assert (plain.text, plain.choices) == (text, choices)


def test_bits_and_reckoned_numbers_stand_apart_from_what_is_meant() -> None:
    clue = plain_reason(
        make_game("speed_clue", "mitchell", 3),
        "It asks about Mr Green, Axe, Attic.\n"
        "By all 12 ways in which the cards may lie, the likeliest envelope is Mr Green, Axe, Attic, 20 %.\n"
        "Mr Green, Axe, Attic: 1.00 of 2.02 bits about the envelope, certain after it with 20 %.\n"
        "Attic would tell 0.38 bits.",
        NAMES,
    )
    assert clue == PlainReason(
        "It asks about Mr Green, Axe, Attic.\n"
        "By all 12 ways in which the cards may lie, the likeliest envelope is Mr Green, Axe, Attic, 20 %.",
        (Choice("Mr Green, Axe, Attic", "1.00 bits, 20 % certain"), Choice("Attic", "0.38 bits")),
    )
    duel = make_game("duel", "mcgill", 2)
    # Others may bring it as near: nothing is said of one best move.
    nearer = "no other move brings it nearer to winning."
    for lists, how in (
        ("Best moves by h after the move, smaller is better:", ""),
        ("Best moves by expected h, 2 moves ahead, smaller is better:", ", 2 moves ahead,"),
    ):
        told = plain_reason(duel, f"The nugget is left. {lists} map:left (-3.0), map:right (1,216.7).", NAMES)
        assert told == PlainReason(
            f"The nugget is left. By its own reckoning{how} {nearer}",
            (Choice("Look at the left goal", "0"), Choice("Look at the right goal", "+1,219.7")),
        )


def test_what_is_missing_is_told_against_the_first_move_in_any_language() -> None:
    duel = make_game("duel", "mcgill", 2)
    with speaking("de"):
        listed = in_words_of(
            "Best moves by h after the move, smaller is better: {moves}.",
            moves="map:left (1.216,7), map:right (2.000,0)",
        )
        told = plain_reason(duel, listed, NAMES)
    assert [choice.worth for choice in told.choices] == ["0", "+783,3"]


def test_moves_that_are_words_are_put_into_words_and_the_words_are_left() -> None:
    duel = plain_reason(
        make_game("duel", "mcgill", 2),
        "It chooses malus, which puts one more malus before the other: it is so.\n"
        "What its network expects after each move and the answer to it: malus (42 % in 40 deals), bonus (37 % in 9 deals).",
        ("Alice", "Bob"),
    )
    assert duel == PlainReason(
        "It chooses “Lay a malus in front of the other”, which puts one more malus before the other: it is so.",
        (
            Choice("Lay a malus in front of the other", "42 % in 40 deals"),
            Choice("Play a bonus against a malus", "37 % in 9 deals"),
        ),
    )
    clue = plain_reason(
        make_game("speed_clue", "mitchell", 3),
        "It chooses suggest Miss Scarlett, Rope, Hall by feel: in the end it is so.\n"
        "How often it made moves in such positions, in training: suggest Miss Scarlett, Rope, Hall (8 %), end (<1 %), "
        "show Rope (1 %).",
        NAMES,
    )
    assert clue == PlainReason(
        "It chooses “Suggest Miss Scarlett, Rope, Hall” by feel: in the end it is so.",
        (
            Choice("Suggest Miss Scarlett, Rope, Hall", "8 %"),
            Choice("End the turn", "<1 %"),
            Choice("Show Rope", "1 %"),
        ),
    )


def test_a_solved_ending_is_told_in_a_sentence_and_its_moves_apart() -> None:
    told = plain_reason(
        make_game("duel", "mcgill", 2), "It digs.\nThe ending is solved: drop:map (30 % in 96 deals).", NAMES
    )
    assert told.text.splitlines() == [
        "It digs.",
        "The deck is empty and few cards are left: it has worked out every course of the ending, with the cards as they may lie.",
    ]
    assert told.choices == (Choice("Discard the map", "30 % in 96 deals"),)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("duel", ("learned", "ismcts:iterations=30")),
        ("duel", ("ismcts:iterations=30,bluffing=0.3", "learned:temperature=1")),
        ("speed_clue", ("learned", "ismcts:iterations=30", "combined")),
    ],
)
def test_players_that_search_and_learn_say_a_sentence_first_and_give_their_numbers_apart(
    game: str, agents: tuple[str, ...], language: str
) -> None:
    with speaking(language):
        session = session_of(game, agents, 8)
        weighed = 0
        for text in reasons.every_reason(session):
            plain = plain_reason(session.game, text, session.names)
            assert not NOTATION.search(plain.text) and not re.search(r"; .*; |%\)", plain.text), plain.text
            assert all(not NOTATION.search(choice.words) and choice.words[0].isupper() for choice in plain.choices)
            weighed += len(plain.choices)
        assert weighed > len(session.actions)


def test_what_is_said_before_a_card_is_put_into_words_too() -> None:
    game = make_game("saboteur", "official+talk:speak=yes", 3)
    told = plain_reason(game, "As a miner I choose ask:lantern: it asks. I do not choose accuse>2.", NAMES)
    assert told.text == (
        "As a miner I choose “Ask for the lantern to be mended”: it asks. I do not choose “Accuse Carol”."
    )


def test_sets_of_saboteurs_that_are_not_told_are_others() -> None:
    game = make_game("saboteur", "official", 3)
    told = "I believe 4 of 4 states; the saboteurs may be {Dr. Bob}, {Carol}, ....\nSuspicion: Dr. Bob 50 %."
    plain = plain_reason(game, told, ("Alice", "Dr. Bob", "Carol"))
    assert plain.text.splitlines() == [
        "I think the saboteurs may be Dr. Bob; or Carol; or others (4 of 4 ways to deal the roles).",
        "Suspicion: Dr. Bob 50 %.",
    ]


def test_what_was_weighed_is_said_in_words_best_first() -> None:
    game = make_game("saboteur", "official", 3)
    text = (
        "I am a miner. Trust: Bob 2.60, Carol 0.50, Alice -1.20. Goals: middle rock2, bottom gold.\n"
        "I believe 2 of 3 states; besides me the saboteurs may be {Bob, Carol}, {}.\n"
        "Before, Carol said claim:top=gold: a claim.\n"
        "The last move that I judged was break:cart>2 by Bob: so Bob and Carol are more likely on different sides.\n"
        "            rockfall       inf  of no use now\n"
        "              P_NESW     1.080  P_NESW@2,0\n"
        "         fix:lantern         -  of no use now\n"
        "                D_EW      -inf  cannot be played"
    )
    plain = plain_reason(game, text, NAMES)
    assert plain.text.splitlines() == [
        "I am a miner. I trust Bob and Carol, the first most; I do not trust Alice. Goals: middle a stone, bottom gold.",
        "I think besides me the saboteurs may be Bob and Carol; or nobody (2 of 3 ways to deal the roles).",
        "Before, Carol said “Say that the top goal is gold”: a claim.",
        "The last move that I judged was “Break Carol's cart” by Bob: so Bob and Carol are more likely on different sides.",
    ]
    assert plain.choices == (
        Choice("Rockfall: of no use now", "-"),
        Choice("Lay a crossing at 2,0", "1.080"),
        Choice("Lantern repair: of no use now", "-"),
        Choice("Dead-end straight left-right: cannot be played", "-"),
    )


def test_who_is_advised_is_spoken_to_and_what_others_did_is_said_as_theirs() -> None:
    text = (
        "The last move that I judged was break:cart>0 by Bob: so Bob and you are more likely on different sides.\n"
        "I choose fix:cart>0: of my cards that are of use now none is worth more to me.\n"
        "Bob 70 %, for its break:cart>0 (move 3).\n"
        "            fix:cart     1.080  fix:cart>0"
    )
    game = make_game("saboteur", "official", 3)
    plain = plain_reason(game, text, ("You", *NAMES[1:]), 0)
    assert plain.text.splitlines() == [
        "The last move that I judged was “Break Guest's cart” by Bob: so Bob and you are more likely on different sides.",
        "I choose “Mend your cart”: of my cards that are of use now none is worth more to me.",
        "Bob 70 %, for its “Break Guest's cart” (move 3).",
    ]
    assert plain.choices == (Choice("Mend your cart", "1.080"),)
    assert plain_reason(game, text, ("You", *NAMES[1:])).choices == (Choice("Mend Guest's cart", "1.080"),)


@pytest.mark.parametrize(
    ("trust", "said"),
    [
        ("Bob 2.50, Carol 2.50, Alice 2.50", "I trust Bob, Carol and Alice alike."),
        ("Bob 2.60, Carol 2.60, Alice 2.50", "I trust Bob, Carol and Alice, most of all Bob and Carol."),
        ("Bob 2.60, Carol 2.50, Alice 2.50", "I trust Bob, Carol and Alice, the first most."),
        ("Bob inf, Carol inf, Alice -inf", "I trust Bob and Carol alike; I do not trust Alice."),
        ("Bob 0.10, Carol 0.00, Alice -1.00", "I trust Bob; I do not trust Carol and Alice."),
    ],
)
def test_who_is_trusted_alike_and_without_end_is_said_so(trust: str, said: str) -> None:
    assert plain_reason(make_game("saboteur", "krisnadi", 3), f"Trust: {trust}.", NAMES).text == said


@pytest.mark.parametrize("game", TABLES)
def test_numbers_of_reasons_and_beliefs_are_written_as_the_language_writes_them(game: str) -> None:
    ruleset, agents = TABLES[game]
    if game == "saboteur":
        agents = (*agents, "mole:worlds=1")
    if game == "duel":
        agents = ("and-or-2020", "duel-star:deals=2")
    sitters = [Sitter(f"P{seat}", Agents(game).make(spec)) for seat, spec in enumerate(agents)]
    session = Session(make_game(game, ruleset, len(agents)), sitters, 5)
    for _ in range(12):
        session.step()

    def told() -> tuple[list[PlainReason], list[str]]:
        why = [plain_reason(session.game, text, session.names) for text in reasons.every_reason(session)]
        panels = [panel for seat in range(len(agents)) for panel in reasons.beliefs(session, seat)[1]]
        return why, [row.text for panel in panels if isinstance(panel, Bars) for row in panel.rows]

    english, bars = told()
    with speaking("de"):
        german, german_bars = told()
    assert [len(each.choices) for each in german] == [len(each.choices) for each in english]
    said = [
        *german_bars,
        *(each.text for each in german),
        *(choice.worth for each in german for choice in each.choices),
    ]
    assert [text for text in said if re.search(r"\d\.\d(?!\d\d)|\d%", text)] == []
    assert any(re.search(r"\d,\d", text) for text in said)
    assert [text.replace(",", ".") for text in german_bars] == bars


@pytest.mark.parametrize(("code", "you", "guest"), [("en", "You", "Guest"), ("de", "Du", "Gast")])
def test_who_gave_no_name_is_a_guest_where_a_sentence_does_not_speak_to_them(code: str, you: str, guest: str) -> None:
    """Also in a record, and where the game was begun in another language."""
    with speaking(code):
        agent = Agents("saboteur").make("decision-2019")
        sitters = [Sitter(you, None), *(Sitter(name, agent) for name in ("Ann", "Bob", "Cem"))]
        session = Session(make_game("saboteur", "krisnadi", 4), sitters, 6)
        while session.outcome is None:
            if not session.step():
                session.apply(0, int(session.game.legal_actions(session.view(0)).codes[0]))
        for other in ("en", "de"):
            with speaking(other):
                reasons_given = [
                    plain_reason(session.game, text, session.names) for text in reasons.every_reason(session)
                ]
            said = " ".join(
                f"{told.text} {' '.join(choice.words for choice in told.choices)}" for told in reasons_given
            )
            assert not re.search(rf"\b{you}\b", said)
            assert re.search(r"\bGuest's\b" if other == "en" else r"\bvon Gast\b", said)
        assert session.names[0] == you and recorded_names(session.record().seats)[0] == guest
