"""What the log of a table says is so, to every seat and to who watches: it is held against the true states before and after.

The sentences are made here again from the move and the states, with nothing taken from the words of the games but names of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from molehunt.agents.registry import Agents
from molehunt.core.language import speaking
from molehunt.core.words import counted
from molehunt.games.registry import game_entry, make_game, split_label
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_NAMES, GOAL_PLACES, SABOTEUR, TOOLS
from molehunt.table import duel_words, saboteur_words
from molehunt.table.game_words import event_in_words
from molehunt.table.reasons import hint
from molehunt.table.session import Session, Sitter

NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gus")
TABLES = {
    "saboteur/krisnadi": ("decision-2019", "stranger:seed=3", "decision-2019", "random"),
    "saboteur/official+talk": ("decision-2019",) * 4 + ("stranger:seed=3", "random", "means-ends-2016"),
    "saboteur/official:speak=yes": ("decision-2019", "decision-2019", "stranger:seed=3"),
    "saboteur/veldhuis": ("kripke-2012", "stranger:seed=6", "decision-2019", "random", "means-ends-2016"),
    "duel/mcgill": ("random-listed", "greedy-2020"),
    "speed_clue/mitchell": ("random", "combined", "stranger:seed=21", "advanced"),
    "speed_clue/contest": ("mixed", "random", "previous-possible"),
}
STONES = {"gold": "the gold", "rock1": "a stone", "rock2": "a stone", "nugget": "the nugget", "blank": "blank"}


class Step(NamedTuple):
    """One move of a game: who made it, the move, the true states (records) before and after, and the views of all seats before."""

    session: Session
    mover: int
    move: str
    before: Any
    after: Any
    views: list[Any]


def steps_of(label: str, seed: int, most: int = 160) -> Iterator[Step]:
    """The moves of a game at a table."""
    name, ruleset = split_label(label)
    agents, specs = Agents(name), TABLES[label]
    sitters = [Sitter(NAMES[seat], agents.make(spec)) for seat, spec in enumerate(specs)]
    session = Session(make_game(name, ruleset, len(specs)), sitters, seed)
    while session.to_move is not None and len(session.actions) < most:
        mover, before = session.to_move, session.position.states.copy()[0]
        views = [session.position.view(seat) for seat in range(len(specs))]
        session.step()
        move = session.game.format_action(session.actions[-1])
        yield Step(session, mover, move, before, session.position.states.copy()[0], views)


def verb(word: str, you: bool) -> str:
    return word if you else {"are": "is"}.get(word, word + "s")


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def in_saboteur(step: Step, seat: int | None) -> Iterator[str]:
    """The sentences of a move of Saboteur, as a seat may know them."""
    mover, move, before, after = step.mover, step.move, step.before, step.after
    you, seats, names = mover == seat, step.session.game.seats, step.session.names
    who = "You" if you else names[mover]
    ended = after["round"] != before["round"] or after["outcome"] != 0
    goals = {place: GOAL_NAMES[content] for place, content in zip(GOAL_PLACES, before["goals"].tolist(), strict=True)}
    kind, _, rest = move.partition(":")
    if kind == "discard":
        yield f"{who} {verb('discard', you)} {f'the {saboteur_words.in_a_sentence(rest)}' if you else 'a card'}."
    elif kind == "map":
        yield f"{who} {verb('look', you)} at the {rest} goal{f': it is {STONES[goals[rest]]}' if you else ''}."
    elif kind == "claim":
        place, _, said = rest.partition("=")
        yield f"{who} {verb('say', you)}: {said} at the {place} goal."
    elif kind == "ask":
        whose = "your" if you else "the"
        yield (
            f"{who} {verb('ask', you)} for {whose} block to be taken away."
            if rest == "block"
            else f"{who} {verb('ask', you)} for {whose} {rest} to be mended."
        )
    elif "@" in move:
        card, _, cell = move.partition("@")
        title = saboteur_words.card_title(card, cell.endswith("r"))
        if card == "rockfall":
            there = step.views[mover].board[tuple(int(part) for part in cell.split(","))]
            yield f"{who} {verb('play', you)} a rockfall on {cell}: the {saboteur_words.card_title(*there)} is gone."
        else:
            yield f"{who} {verb('lay', you)} a {title} at {cell.removesuffix('r')}."
    else:
        card, _, aim = move.partition(">")
        target = int(aim.partition("/")[0])
        if card == "accuse":
            accused = "you are" if target == seat else f"{names[target]} is"
            yield f"{who} {verb('say', you)} that {accused} a saboteur."
        else:
            yield on_tools(step, seat, card, target, ended)
    event = step.session.event(len(step.session.actions), None)
    for number, place in enumerate(GOAL_PLACES):
        if event["revealed"] >> number & 1:
            yield f"The {place} goal turns over: it is {STONES[goals[place]]}."
    took = kind not in {"claim", "ask"} and not move.startswith("accuse")
    if you and took and before["drawn"] < sum(step.session.game.ruleset.deck_counts()):
        yield f"You draw a {saboteur_words.in_a_sentence(CARD_NAMES[before['deck'][before['drawn']]])}."
    if ended:
        gold = after["gold_rounds"] > before["gold_rounds"]
        reason = "the gold was reached" if gold else "all cards are gone and the gold was not reached"
        yield f"The round is over: {reason}."
        saboteurs = [other for other in range(seats) if before["roles"][other] == SABOTEUR]
        told = listed(["you" if other == seat else names[other] for other in saboteurs]) if saboteurs else "there"
        were = "were" if len(saboteurs) > 1 or saboteurs == [seat] else "was"
        what = "no saboteur" if not saboteurs else "the saboteurs" if len(saboteurs) > 1 else "the saboteur"
        yield f"{told[0].upper()}{told[1:]} {were} {what}."
        if seat is not None:
            paid = int(after["nuggets"][seat] - before["nuggets"][seat])
            yield f"You are paid {counted(paid, 'nugget') if paid else 'nothing'}."
            if after["outcome"] == 0:
                yield f"In the next round you are a {'saboteur' if after['roles'][seat] == SABOTEUR else 'miner'}."


def on_tools(step: Step, seat: int | None, card: str, target: int, ended: bool) -> str:
    """A card played on somebody's tools, and what it did to them."""
    you, names = step.mover == seat, step.session.names
    who = "You" if you else names[step.mover]
    whose = f"{names[target]}'s"
    if target == seat:
        whose = "your own" if you else "your"
    elif target == step.mover:
        whose = "their own"
    if card == "block":
        front = "yourself" if you and target == seat else "you" if target == seat else names[target]
        return f"{who} {verb('lay', you)} a block in front of {front}."
    if card == "deblock":
        return f"{who} {verb('take', you)} away {whose} block."
    was, now = (
        {tool for bit, tool in enumerate(TOOLS) if state["broken"][target] >> bit & 1}
        for state in (step.before, step.after)
    )
    kind, _, tools = card.partition(":")
    changed = was ^ now if not ended else {tools}
    word = "break" if kind == "break" else "mend"
    return f"{who} {verb(word, you)} {whose} {listed([tool for tool in TOOLS if tool in changed])}."


def in_duel(step: Step, seat: int | None) -> Iterator[str]:
    """The sentences of a move of the duel, as a seat may know them."""
    mover, move, names = step.mover, step.move, step.session.names
    you, before, after = mover == seat, step.views[mover], step.session.position.view(mover)
    who, other = "You" if you else names[mover], "you" if seat == 1 - mover else names[1 - mover]
    kind, _, rest = move.partition(":")
    card, _, cell = move.partition("@")
    if kind == "drop":
        card = rest
        yield f"{who} {verb('discard', you)} {f'the {duel_words.in_a_sentence(rest)}' if you else 'a card'}."
    elif kind == "map":
        card = kind
        yield f"{who} {verb('look', you)} at the {rest} goal{f': it is {STONES[str(after.goals[rest])]}' if you else ''}."
    elif move == "malus":
        assert after.malus[1 - mover] == before.malus[1 - mover] + 1
        yield f"{who} {verb('lay', you)} a malus in front of {other}."
    elif move == "bonus":
        assert after.malus[mover] == before.malus[mover] - 1
        yield f"{who} {verb('play', you)} a bonus and {verb('are', you)} rid of a malus."
    elif card == "destroy":
        row, column = map(int, cell.split(","))
        assert (row, column) not in after.board
        yield f"{who} {verb('destroy', you)} the {duel_words.card_title(before.board[row, column])} at {cell}."
    else:
        yield f"{who} {verb('lay', you)} a {duel_words.card_title(card)} at {cell}."
    for place, content in after.goals.items():
        if place in after.revealed - before.revealed:
            yield f"The {place} goal is reached: it is {STONES[str(content)]}."
    drawn = Counter(after.hand) - (Counter(before.hand) - Counter([card.removesuffix("_flip")]))
    if you and drawn:
        yield f"You draw a {duel_words.in_a_sentence(next(iter(drawn)))}."
    outcome = step.session.outcome
    if outcome is not None and outcome.winners:
        assert outcome.winners == (mover,)
        yield f"{who} {verb('win', you)}."


def in_clue(step: Step, seat: int | None) -> Iterator[str]:
    """The sentences of a move of Speed Clue, as a seat may know them."""
    mover, names, views = step.mover, step.session.names, step.views
    you, who = mover == seat, "You" if mover == seat else names[mover]
    word, _, rest = step.move.partition(" ")
    cards = set(rest.split(", "))
    if word == "suggest":
        yield f"{who} {verb('suggest', you)} {rest}."
        asked = [(mover + step_on) % len(views) for step_on in range(1, len(views))]
        can = [other for other in asked if cards & set(views[other].hand)]
        without = asked[: asked.index(can[0])] if can else asked
        if without == [seat]:
            yield "You have none."
        elif without:
            told = listed(["you" if other == seat else names[other] for other in without])
            yield f"{told[0].upper()}{told[1:]} {'have' if len(without) > 1 else 'has'} none."
        if not can:
            yield "Nobody can disprove it."
    elif word == "show":
        made = views[mover].suggestions[-1]
        assert rest in made.cards and rest in views[mover].hand
        other, shown = (
            "you" if made.seat == seat else names[made.seat],
            rest if seat in {mover, made.seat} else "a card",
        )
        yield f"{who} {verb('show', you)} {other} {shown}."
    elif word == "accuse":
        right = not any(cards & set(view.hand) for view in views)
        yield f"{who} {verb('accuse', you)} {rest}: {'right' if right else 'wrong'}."
        if not right:
            yield f"{'You are' if you else f'{who} is'} out."
    else:
        yield f"{who} {verb('end', you)} {'your' if you else 'the'} turn."


TOLD = {"saboteur": in_saboteur, "duel": in_duel, "speed_clue": in_clue}


@pytest.mark.parametrize("label", TABLES)
def test_every_line_of_the_log_says_what_has_happened_and_what_its_reader_may_know(label: str) -> None:
    moves: Counter[str] = Counter()
    for seed in range(1, 10 if label.startswith("duel") else 3):
        for step in steps_of(label, seed):
            game, names, number = step.session.game, step.session.names, len(step.session.actions)
            moves[re.split("[:@> ]", step.move)[0]] += 1
            for seat in (*range(game.seats), None):
                event = step.session.event(number, seat)
                told = event_in_words(game, event, names, seat)
                assert told == " ".join(TOLD[game.name](step, seat)), (seed, number, seat)
                with speaking("de"):
                    german = event_in_words(game, event, names, seat)
                for what in (r"\d+", "|".join(names)):
                    assert Counter(re.findall(what, german)) == Counter(re.findall(what, told))
    assert len(moves) > (3 if label.startswith("speed_clue") else 8)


@pytest.mark.parametrize("label", [label for label in TABLES if "speak" not in label])
def test_a_hint_is_a_move_that_its_own_reason_names_in_every_language(label: str) -> None:
    name, ruleset = split_label(label)
    agents, specs = Agents(name), TABLES[label][1:]
    sitters = [Sitter("Guest"), *(Sitter(NAMES[seat], agents.make(spec)) for seat, spec in enumerate(specs))]
    session = Session(make_game(name, ruleset, len(sitters)), sitters, 3)
    hints = 0
    while session.to_move is not None and hints < 5:
        if session.step():
            continue
        found = hint(session, 0)
        hints += 1
        assert found.agent.partition(":")[0] == game_entry(name).adviser.partition(":")[0]
        assert found.action in session.game.legal_actions(session.view(0))
        move = found.action.text.partition(" ")[2] if name == "speed_clue" else found.action.text
        assert move in found.text
        with speaking("de"):
            assert hint(session, 0).action == found.action
        session.apply(0, found.action)
    assert hints == 5
