"""A view as plain text: the missions, the seats, and every proposal with its vote."""

from __future__ import annotations

from collections.abc import Iterable

from molehunt.core.words import counted
from resistance.draw.wording import SPY_NAME, attempt_sentence, move_sentence, result_words, role_sentence
from resistance.friendly import Proposal, View

KEY = "L leader   * on the team   + approves   - rejects   ? not known   > to move   ( ) you"
CELL = 5


def text(view: View) -> str:
    """The drawing of a view as lines of text, without colours and without a line feed at the end."""
    lines = [f"turn {view.turn}   {move_sentence(view)}", role_sentence(view)]
    if not view.over:
        lines[1] += f"   {attempt_sentence(view)}"
    lines += ["", *mission_lines(view), "", *seat_lines(view), "", KEY]
    return "\n".join(line.rstrip() for line in lines)


def mission_lines(view: View) -> list[str]:
    """The table of missions."""
    lines = ["  mission  players  fails if  went        result"]
    for mission in view.missions:
        now = ">" if mission.number == view.mission and not view.over else " "
        went = " ".join(map(str, mission.team)) if mission.team is not None else "-"
        fails = counted(mission.needed, "fail")
        lines.append(
            f"{now} {mission.number:>7}  {mission.size:>7}  {fails:>8}  {went:<10}  {result_words(mission) or '-'}"
        )
    return lines


def seat_lines(view: View) -> list[str]:
    """A column for each seat: its role, then what it was and did in each proposal."""
    names = {None: "?", SPY_NAME: "spy"}
    lines = [
        _line("seat", (_head(view, seat) for seat in range(view.seats))),
        _line("role", (names.get(role, "res") for role in view.roles)),
    ]
    for proposal in view.proposals:
        result = {None: "voting", True: "approved", False: "rejected"}[proposal.approved]
        marks = (_marks(proposal, seat) for seat in range(view.seats))
        lines.append(_line(f"team {proposal.mission}.{proposal.attempt}", marks, result))
    return lines


def _line(name: str, cells: Iterable[str], end: str = "") -> str:
    return f"  {name:<8}{''.join(f'{cell:>{CELL}}' for cell in cells)}   {end}"


def _head(view: View, seat: int) -> str:
    return f"{'>' * (seat == view.to_move)}{f'({seat})' if seat == view.seat else seat}"


def _marks(proposal: Proposal, seat: int) -> str:
    vote = "?" if proposal.ayes is None else "+" if seat in proposal.ayes else "-"
    return f"{'L' * (seat == proposal.leader)}{'*' * (seat in proposal.team)}{vote}"
