"""A finished game as a page shows it: every position by every viewpoint, and as one file that needs no server."""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import msgspec

from molehunt.agents.registry import Agents
from molehunt.analysis.findings import Analysis
from molehunt.core.game import Outcome
from molehunt.core.language import _
from molehunt.core.position import PERSON
from molehunt.core.replay import Replay
from molehunt.core.seats import NOBODY
from molehunt.core.words import joined
from molehunt.games.registry import game_entry
from molehunt.table import reasons
from molehunt.table.people import faults_in_words
from molehunt.table.plain_words import plain_reason
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.pages import STATIC, render_page

_IMPORT = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"\./(?P<file>[\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class|function|const|async)", re.MULTILINE)


def replay_data(
    played: Replay,
    names: Sequence[str],
    drawn: bool = False,
    with_beliefs: Session | None = None,
    analysis: Analysis | None = None,
) -> dict[str, Any]:
    """All of a replay. `drawn` puts in the drawings of a game that has no board of its own, which a page else asks for one by one.

    `with_beliefs`, the game as a session, puts in what was believed and why, and `analysis` what was found by looking at it again,
    which a page else asks for. All of it takes a while.
    """
    record = played.record
    game = played.game
    viewpoints: list[int | None] = [None, *range(game.seats)]
    positions = [
        [_position(played, number, seat, names, drawn) for number in range(len(played.states))] for seat in viewpoints
    ]
    outcome = game.outcome(played.states[-1])
    specs = [spec if record.roles is None else spec.partition(":")[2] for spec in record.seats]
    data: dict[str, Any] = {
        "title": _("{game} with {names}", game=game_entry(game.name).short_title, names=joined(names)),
        "record": msgspec.to_builtins(record),
        "seats": list(names),
        "agents": [None if spec.startswith(PERSON) else spec for spec in specs],
        "called": ["" if spec.startswith(PERSON) else _called(game.name, spec) for spec in specs],
        "game": game.name,
        "label": faces.label_of(game.name, game.spec),
        "outcome": None
        if outcome is None
        else {"text": _how_it_ended(played, outcome, names), "winners": list(record.winners)},
        "viewpoints": [
            {"title": _("All cards open") if seat is None else names[seat], "seat": seat} for seat in viewpoints
        ],
        "log": [
            {
                "n": number,
                "seat": int(events[0]["seat"]),
                "text": faces.told_openly(game, events, names),
            }
            for number, events in enumerate(played.events, 1)
        ],
        "boards": _shared_boards(positions),
        "common": _common(positions),
        "positions": positions,
        "beliefs": None,
        "reasons": None,
        "analysis": None if analysis is None else msgspec.to_builtins(analysis),
    }
    if with_beliefs is not None:
        data |= _beliefs(with_beliefs)
    return data


def _how_it_ended(played: Replay, outcome: Outcome, names: Sequence[str]) -> str:
    """Who has won, and who has lost by fault."""
    told = faces.who_won(played.game, replace(outcome, winners=played.record.winners), names)
    return " ".join([told, *faults_in_words(played.record, names)])


def _called(game: str, agent: str) -> str:
    title = Agents(game).called(agent)
    return _(title) if title else ""


def exported(data: dict[str, Any]) -> str:
    """A replay as one HTML file that works offline and without a server: its data as JSON, deflated, in base 64."""
    packed = b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode()
    face = faces.face_of(data["game"])
    return render_page(
        "replay",
        title=data["title"],
        data={"packed": packed},
        game=data["game"],
        face=face,
        sprite=face.sprite(),
        inline_css="\n".join((STATIC / name).read_text("utf-8") for name in ("site.css", "analysis.css", *face.styles)),
        inline_script=_bundle(f"replay_{face.script}"),
    )


def _position(played: Replay, number: int, seat: int | None, names: Sequence[str], drawn: bool) -> dict[str, Any]:
    game, state = played.game, played.states[number]
    if seat is None:
        shown = faces.open_position(game, state, names, drawn)
    else:
        to_move = int(game.to_move(state)[0])
        mover = None if to_move == NOBODY else to_move
        shown = faces.position(game, Shown(played.view(number, seat), names, mover, moves=False, drawn=drawn))
        if number:
            shown.notice = faces.private_news(game, played.events[number - 1][seat], seat)
    found: dict[str, Any] = msgspec.to_builtins(shown)
    for offered in ("moves", "groups"):
        found.pop(offered, None)
    return found


def _shared_boards(positions: list[list[dict[str, Any]]]) -> list[Any]:
    """The boards and drawings of all positions, each once; a position keeps their numbers."""
    boards: list[Any] = []
    numbers: dict[bytes, int] = {}

    def number_of(board: Any) -> int:
        key = msgspec.json.encode(board)
        if key not in numbers:
            numbers[key] = len(boards)
            boards.append(board)
        return numbers[key]

    for found in (found for line in positions for found in line):
        for drawn in found.keys() & {"board", "drawing"}:
            if found[drawn] is not None:
                found[drawn] = number_of(found[drawn])
        if found.get("drawings") is not None:
            found["drawings"] = [number_of(drawing) for drawing in found["drawings"]]
    return boards


def _common(positions: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """What is the same in all positions, which is taken out of them."""
    every = [found for line in positions for found in line]
    common = {key: value for key, value in every[0].items() if all(found[key] == value for found in every)}
    for found in every:
        for key in common:
            del found[key]
    return common


def _beliefs(session: Session) -> dict[str, Any]:
    """What was believed at every seat after every move, and why every move of an artificial player was made."""
    believed: dict[str, list[Any]] = {}
    for seat in range(session.game.seats):
        believed[str(seat)] = list(reasons.course_of_beliefs(session, seat))
    told = [plain_reason(session.game, text, session.names).text for text in reasons.every_reason(session)]
    found: dict[str, Any] = msgspec.to_builtins({"beliefs": believed, "reasons": told})
    return found


def _bundle(entry: str) -> str:
    """A module with all that it imports, as one script."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        text = (STATIC / PurePosixPath(name).name).read_text("utf-8")
        parts[name] = ""
        for found in _IMPORT.finditer(text):
            add(found["file"])
        del parts[name]
        parts[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(entry)
    # A closing tag inside a script would end it.
    return "\n".join(parts.values()).replace("</script", "<\\/script")
