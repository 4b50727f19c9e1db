"""What pages are sent, as values: the table as one seat or a watcher may see it, and answers to one page alone.

Everything is encoded as JSON as it stands here; `type` says which of these it is. What a game looks like is a `Position`, of which
each face has its own kind.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from molehunt.core.panels import Panel
from molehunt.table.plain_words import Choice
from molehunt.web.talk import Spoken


class Position(msgspec.Struct, kw_only=True):
    """A game as a seat sees it, whatever the game: what stands above the board.

    `headline` says whose move it is, `lines` what else all should know, `notice` what the seat learned alone at the last move.
    `roles` are those of all seats, once they are revealed.
    """

    headline: str
    lines: list[str]
    notice: str | None = None
    roles: list[str] | None = None

    def keep(self, own: Position) -> None:
        """Keep what a seat had, where this shows all cards: `own` is its position at the same time."""


class SeatFrame(msgspec.Struct):
    """A seat: `kind` is "open", "person" or "agent"; `here`: a page is open.

    `agent` is the artificial player, where it is shown, and `called` what people call it, "" where they do not.

    `link` is the address for a friend, which only the owner of the table is sent, and only while the seat is open.
    """

    seat: int
    name: str
    kind: str
    agent: str | None
    called: str
    here: bool
    link: str | None


class LogEntry(msgspec.Struct):
    """A move in words: its number from 1, who made it, and whether that is an artificial player."""

    n: int
    seat: int
    text: str
    agent: bool


class Clock(msgspec.Struct):
    """The time for a person's move, and what is left of it, in seconds."""

    limit: int | None
    left: float


class Ending(msgspec.Struct):
    """How the game ended: in words, the winning seats, the addresses of the replay and of its analysis ("" where there is none).

    `back` is where the series goes on to which the game belongs, "" where it belongs to none; `following` the address of the table
    at which the same people play again, "" where there is none. `stopped`: the game has no end, but does not go on now, or never;
    `waits`: it goes on by itself, once its last move can be kept.
    """

    text: str
    winners: list[int]
    replay: str
    analysis: str
    back: str = ""
    following: str = ""
    stopped: bool = False
    waits: bool = False


class TableFrame(msgspec.Struct, tag_field="type", tag="table"):
    """A table as one page sees it.

    `rev` grows with every change; `you` is the page's seat, None for a watcher; `mine`: it is its move; `creator`: it opened the
    table. `preparing`: the game is not dealt yet. `waits`: the server thinks for other tables first. `pace` is the pause before
    artificial moves in milliseconds; `moves` is how many moves were made. `can` lists what the page may ask for now. `log` holds
    the entries after number `log_from`.
    `talk` holds the lines that the page does not have, `suspects` pairs of seats (who, whom); `chat`: own words are allowed.
    """

    rev: int
    game: str
    label: str
    phase: str
    preparing: bool
    waits: bool
    you: int | None
    creator: bool
    practice: bool
    pace: int
    seats: list[SeatFrame]
    watchers: int
    watch_link: str
    moves: int
    to_move: int | None
    mine: bool
    clock: Clock | None
    can: list[str]
    log_from: int
    log: list[LogEntry]
    talk: list[Spoken]
    suspects: list[tuple[int, int]]
    chat: bool
    over: Ending | None
    position: Position | None


class ListedTable(msgspec.Struct):
    """A table that the lobby shows to everybody: what is played, who sits there, and how many seats are free.

    `token` is that of its watchers' address, and names the table to who wants to join it.
    """

    game: str
    label: str
    phase: str
    names: list[str]
    free: int
    moves: int
    watchers: int
    token: str


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """A message was not done: the reason, as a sentence, and the kind of message ("" where it was not understood)."""

    reason: str
    of: str


class MovedFor(msgspec.Struct, tag_field="type", tag="moved_for"):
    """The clock has run out, and the adviser has moved for who sits there: as a sentence."""

    words: str


class Gone(msgspec.Struct, tag_field="type", tag="gone"):
    """The table is not there, or takes no more pages; the connection is closed for good."""

    reason: str


class Moved(msgspec.Struct, tag_field="type", tag="moved"):
    """The table plays again at another address."""

    link: str


class HintFrame(msgspec.Struct, tag_field="type", tag="hint"):
    """What the adviser would play: in notation, as an imperative, and why; `choices` is what it weighed."""

    move: str
    words: str
    text: str
    agent: str
    choices: tuple[Choice, ...]


class ReasonFrame(msgspec.Struct, tag_field="type", tag="reason"):
    """Why an artificial player made the move number `move`, and what it believed before and after; `choices` is what it weighed.

    `guarded`: the game goes on, and this tells nothing that the reader's seat does not know: what was to be seen, and what the
    adviser `agent` would believe in the reader's place.
    `kept`: the mover's own reasons would tell who plays there, which is hidden.
    """

    move: int
    seat: int
    name: str
    agent: str
    text: str
    before: tuple[Panel, ...]
    after: tuple[Panel, ...]
    choices: tuple[Choice, ...] = ()
    guarded: bool = False
    kept: bool = False


class BeliefsFrame(msgspec.Struct, tag_field="type", tag="beliefs"):
    """What `agent` believes on a seat after `move` moves."""

    move: int
    seat: int
    name: str
    agent: str
    panels: tuple[Panel, ...]


class MindsFrame(msgspec.Struct, tag_field="type", tag="minds"):
    """At a table whose cards lie open: what `seat` thought at its move number `move`, and how likely each seat is what it hides.

    `suspicion` is what an onlooker may believe who has seen no more than everybody; empty where nobody reckons it.
    """

    move: int
    seat: int
    thought: str
    suspicion: list[float]


Answer: TypeAlias = MindsFrame | Refused | MovedFor | Gone | Moved | HintFrame | ReasonFrame | BeliefsFrame
Frame: TypeAlias = TableFrame | Answer
