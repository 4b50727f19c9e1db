"""A view as a self-contained SVG: the missions, a column for each seat, and every proposal with its vote.

No outside pictures, fonts or scripts. Missions, seats and cards are elements with a label in words, for those who hear the drawing.
Elements say which moves they offer in `data-moves`, one a line: a seat the teams that it is in, a card itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, indent, tostring

from molehunt.core.svg import element
from molehunt.core.words import capital
from resistance.draw.style import STYLE
from resistance.draw.wording import (
    SPY_NAME,
    attempt_sentence,
    mission_sentence,
    move_sentence,
    result_words,
    role_sentence,
    seat_sentence,
    seats_in_words,
)
from resistance.friendly import Mission, Proposal, View
from resistance.notation import PROPOSE

WIDTH, MARGIN = 700.0, 22.0
INNER = WIDTH - 2 * MARGIN
MISSIONS_TOP, MISSION_RADIUS = 112.0, 30.0
SEATS_TOP, SEAT_HEIGHT = 178.0, 54.0
LABELS = 96.0
"""Room at the left of the seats' columns, for the names of the rows."""
TAIL = 66.0
"""Room at their right, for the result of a vote."""
ROW = 24.0
CARD_WIDTH, CARD_HEIGHT = 128.0, 44.0


def svg(view: View) -> str:
    """The drawing of a view as an SVG document (without an XML declaration), for light and dark ground."""
    rows_top = SEATS_TOP + SEAT_HEIGHT + 10
    cards = [str(action) for action in view.legal_actions if not str(action).startswith(PROPOSE)]
    cards_top = rows_top + ROW * len(view.proposals) + 12
    height = cards_top + (CARD_HEIGHT + MARGIN if cards else 10.0)
    drawing = element(
        "svg",
        element("title", f"The Resistance, turn {view.turn}, as seen by {_reader(view)}"),
        element("desc", description(view)),
        element("style", STYLE),
        element("rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=12, class_="panel"),
        *heading(view),
        *(mission_mark(view, mission) for mission in view.missions),
        *(seat_box(view, seat) for seat in range(view.seats)),
        *(proposal_row(view, each, rows_top + ROW * number) for number, each in enumerate(view.proposals)),
        *(card(move, number, cards_top) for number, move in enumerate(cards)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        width=WIDTH,
        height=height,
        class_="resistance",
        role="group",
    )
    indent(drawing, " ")
    return tostring(drawing, encoding="unicode")


def _reader(view: View) -> str:
    return f"seat {view.seat}" if view.seat >= 0 else "those who watch"


def description(view: View) -> str:
    """The position in sentences."""
    said = [
        role_sentence(view),
        move_sentence(view),
        *(mission_sentence(mission) for mission in view.missions),
        *(seat_sentence(view, seat) for seat in range(view.seats)),
    ]
    return " ".join(f"{capital(each)}." for each in said)


def heading(view: View) -> list[Element]:
    """The lines at the top."""
    first, second = move_sentence(view), role_sentence(view)
    parts = [
        label(MARGIN, 34, capital(first), "heading"),
        label(MARGIN, 56, capital(second), "spy strong" if view.role == SPY_NAME else "quiet"),
    ]
    if view.over:
        return [*parts, label(WIDTH - MARGIN, 56, f"turn {view.turn}", "end strong")]
    return [
        *parts,
        label(WIDTH - MARGIN, 34, f"turn {view.turn}", "end strong"),
        label(WIDTH - MARGIN, 56, attempt_sentence(view), "end quiet"),
    ]


def mission_mark(view: View, mission: Mission) -> Element:
    """A mission as a disc with its number of players, in the colour of what came of it."""
    x = MARGIN + INNER * (mission.number - 0.5) / len(view.missions)
    state = {None: "to-come", True: "succeeded", False: "failed"}[mission.succeeded]
    now = mission.number == view.mission and not view.over
    below = result_words(mission) or (f"needs {mission.needed} fails" if mission.needed > 1 else "")
    return element(
        "g",
        element("circle", cx=x, cy=MISSIONS_TOP, r=MISSION_RADIUS, class_=f"mission {state}{' now' * now}"),
        label(x, MISSIONS_TOP + 8, str(mission.size), f"number centre {state}-ink"),
        label(x, MISSIONS_TOP + MISSION_RADIUS + 17, below, "small quiet centre"),
        role="img",
        aria_label=mission_sentence(mission),
    )


def column(view: View, seat: int) -> tuple[float, float]:
    """The left edge and the width of a seat's column."""
    width = (INNER - LABELS - TAIL) / view.seats
    return MARGIN + LABELS + seat * width, width


def seat_box(view: View, seat: int) -> Element:
    """A seat at the head of its column; where its viewer proposes, it offers the teams that the seat is in."""
    x, width = column(view, seat)
    role = view.roles[seat]
    on_team = view.team is not None and seat in view.team
    kind = "seat" + " team" * on_team + " own" * (seat == view.seat)
    shown = {None: "?", SPY_NAME: "spy"}.get(role, "res.")
    box = element(
        "g",
        element("rect", x=x + 2, y=SEATS_TOP, width=width - 4, height=SEAT_HEIGHT, rx=7, class_=kind),
        named_label(x + width / 2, SEATS_TOP + 20, seat, width - 26),
        label(x + width / 2, SEATS_TOP + 37, shown, f"small centre {'spy' if role == SPY_NAME else 'quiet'}"),
        role="img",
        aria_label=seat_sentence(view, seat),
    )
    if seat == view.leader and not view.over:
        box.append(
            element(
                "path",
                d=f"M{x + 9:.1f} {SEATS_TOP + 7:g} v9 M{x + 9:.1f} {SEATS_TOP + 7:g} l8 2.5 l-8 2.5",
                class_="flag",
            )
        )
    if seat == view.to_move:
        box.append(element("path", d=f"M{x + width / 2 - 5:.1f} {SEATS_TOP + 44:g} h10 l-5 6 z", class_="mover"))
    if seat == view.seat:
        box.append(label(x + 7, SEATS_TOP + SEAT_HEIGHT - 5, "you", "tiny quiet"))
    offered = [
        str(action)
        for action in view.legal_actions
        if str(action).startswith(PROPOSE) and str(seat) in str(action).removeprefix(PROPOSE).split(",")
    ]
    offer(box, offered)
    return box


def offer(drawn: Element, moves: Iterable[str]) -> None:
    """Let an element say which moves it offers."""
    told = "\n".join(moves)
    if told:
        drawn.set("data-moves", told)


def proposal_row(view: View, proposal: Proposal, top: float) -> Element:
    """A proposal: whom its leader chose, and how everybody voted."""
    result = {None: "voting", True: "approved", False: "rejected"}[proposal.approved]
    votes = "" if proposal.ayes is None else f", approved by {seats_in_words(proposal.ayes)}: {result}"
    row = element(
        "g",
        label(MARGIN, top + 16, f"{proposal.mission}.{proposal.attempt}  led by {proposal.leader}", "small quiet"),
        role="img",
        aria_label=f"proposal {proposal.attempt} for mission {proposal.mission} by seat {proposal.leader}: "
        f"{seats_in_words(proposal.team)}{votes}",
    )
    for seat in range(view.seats):
        x, width = column(view, seat)
        if seat in proposal.team:
            row.append(element("rect", x=x + 4, y=top + 2, width=width - 8, height=ROW - 4, rx=4, class_="chosen"))
        row.append(vote_mark(proposal, seat, x + width / 2, top + ROW / 2))
    row.append(label(WIDTH - MARGIN, top + 16, result, f"small end {'strong' if proposal.approved else 'quiet'}"))
    return row


def vote_mark(proposal: Proposal, seat: int, x: float, y: float) -> Element:
    """A tick, a cross, or a dot for a vote that is not known."""
    if proposal.ayes is None:
        return element("circle", cx=x, cy=y, r=2.2, class_="unknown")
    if seat in proposal.ayes:
        return element("path", d=f"M{x - 5:.1f} {y:.1f} l3.5 4 l6.5 -8", class_="aye")
    return element("path", d=f"M{x - 4:.1f} {y - 4:.1f} l8 8 m0 -8 l-8 8", class_="no")


def card(move: str, number: int, top: float) -> Element:
    """A vote or a mission card that may be played."""
    x = MARGIN + number * (CARD_WIDTH + 14)
    good = move in {"approve", "success"}
    drawn = element(
        "g",
        element(
            "rect", x=x, y=top, width=CARD_WIDTH, height=CARD_HEIGHT, rx=8, class_="card good" if good else "card bad"
        ),
        label(x + CARD_WIDTH / 2, top + 27, move, "strong centre"),
        role="img",
        aria_label=f"you may {move}" if move in {"approve", "reject"} else f"you may play {move}",
    )
    offer(drawn, [move])
    return drawn


def named_label(x: float, y: float, seat: int, width: float) -> Element:
    """The number of a seat at a point of its base line; a page that knows names writes the seat's there, so wide at most."""
    return element("text", str(seat), x=x, y=y, class_="strong centre", data_name=seat, data_width=width)


def label(x: float, y: float, words: str, class_: str) -> Element:
    """Text at a point of its base line."""
    return element("text", words, x=x, y=y, class_=class_)
