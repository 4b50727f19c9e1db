"""What both drawings say in words."""

from __future__ import annotations

from collections.abc import Iterable

from molehunt.core.words import counted, joined
from resistance.friendly import Mission, View
from resistance.state import ATTEMPTS, ROLE_NAMES, SPY

SPY_NAME = ROLE_NAMES[SPY]


def seats_in_words(seats: Iterable[int]) -> str:
    """Seats as a list in a sentence: "0, 2 and 4"; "nobody" for none."""
    return joined([str(seat) for seat in seats] or ["nobody"])


def role_sentence(view: View) -> str:
    """Who the viewer is: "you are seat 2, a spy with 4"."""
    if view.seat < 0:
        return "you are watching"
    if view.role != SPY_NAME:
        return f"you are seat {view.seat}, of the resistance"
    others = view.spies - {view.seat} if not view.over else frozenset()
    return f"you are seat {view.seat}, a spy{f' with {seats_in_words(sorted(others))}' if others else ''}"


def move_sentence(view: View) -> str:
    """What is to be done and by whom, or how the game ended."""
    if view.over:
        won = "the resistance has won" if view.winners != SPY_NAME else "the spies have won"
        how = {
            "successes": "three missions succeeded",
            "sabotage": "three missions failed",
            "rejections": "too many teams in a row were rejected",
        }[view.outcome or ""]
        return f"game over: {won}, {how}"
    own = view.to_move == view.seat
    who = "you" if own else f"seat {view.to_move}"
    if view.phase == "propose":
        return f"{who} propose{'' if own else 's'} a team of {view.team_size} for mission {view.mission}"
    team = seats_in_words(view.team or ())
    if view.phase == "vote":
        return f"{who} vote{'' if own else 's'} on the team {team} for mission {view.mission}"
    return f"{who} play{'' if own else 's'} a card on mission {view.mission}, team {team}"


def attempt_sentence(view: View) -> str:
    """Which proposal for the mission it is."""
    return f"proposal {view.attempt} of {min(ATTEMPTS, view.game.ruleset.rejections)} for mission {view.mission}"


def result_words(mission: Mission) -> str:
    """What came of a mission: "succeeded", "failed, 2 fails"; empty where it is still to come."""
    if mission.fails is None:
        return ""
    fails = counted(mission.fails, "fail")
    if mission.succeeded:
        return f"succeeded{f', {fails}' if mission.fails else ''}"
    return f"failed, {fails}"


def mission_sentence(mission: Mission) -> str:
    """A mission in words, for those who hear the drawing."""
    task = f"mission {mission.number}, {mission.size} players"
    if mission.needed > 1:
        task += f", fails with {mission.needed} fails"
    if mission.team is None:
        return f"{task}, still to come"
    return f"{task}: {seats_in_words(mission.team)} went, {result_words(mission)}"


def seat_sentence(view: View, seat: int) -> str:
    """A seat in words: its role as far as it is known, whether it leads, and whether it is on the team."""
    parts = [f"seat {seat}{' (you)' * (seat == view.seat)}"]
    role = view.roles[seat]
    if role is not None:
        parts.append("a spy" if role == SPY_NAME else "of the resistance")
    if seat == view.leader and not view.over:
        parts.append("the leader")
    if view.team is not None and seat in view.team:
        parts.append("on the team")
    if seat == view.to_move:
        parts.append("is to move")
    return ", ".join(parts)
