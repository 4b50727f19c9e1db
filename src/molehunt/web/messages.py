"""What a page may say to the server, and how a table is set up: decoded strictly, refused with a reason."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.core.streams import MAX_SEED
from molehunt.table.people import check_name, you_in_every_language

MOST_BYTES = 2048
"""A message may not be longer; the longest legal move takes a tenth of it."""
MOST_PACE = 5000
FEWEST_SEATS, MOST_SEATS = 2, 10
SHORTEST_CLOCK, LONGEST_CLOCK = 5, 3600
LONGEST_NAME = 24
LONGEST_MOVE = 200
LONGEST_REASON = 200
"""Signs of what the decoder says that are handed on; it repeats what it does not know at full length."""

Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
MoveNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Pace: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_PACE)]


class Play(msgspec.Struct, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play a move in notation; `at` is the number of moves made when it was chosen."""

    move: Annotated[str, msgspec.Meta(max_length=LONGEST_MOVE)]
    at: MoveNumber


class Sit(msgspec.Struct, tag_field="do", tag="sit", forbid_unknown_fields=True):
    """Sit down under a name."""

    name: Name


class Start(msgspec.Struct, tag_field="do", tag="start", forbid_unknown_fields=True):
    """Begin: artificial players take the seats that are still open."""


class Undo(msgspec.Struct, tag_field="do", tag="undo", forbid_unknown_fields=True):
    """Take the last move back."""


class AskHint(msgspec.Struct, tag_field="do", tag="hint", forbid_unknown_fields=True):
    """Ask what to do."""


class AskWhy(msgspec.Struct, tag_field="do", tag="why", forbid_unknown_fields=True):
    """Ask why a move was made; while the game goes on, the mover's `secret` reasons only where they are asked for."""

    move: MoveNumber
    secret: bool = False


class AskBeliefs(msgspec.Struct, tag_field="do", tag="beliefs", forbid_unknown_fields=True):
    """Ask what the adviser believes on one's own seat, after so many moves or now."""

    move: MoveNumber | None = None


class SetPace(msgspec.Struct, tag_field="do", tag="pace", forbid_unknown_fields=True):
    """Set the pause before each move of an artificial player, in milliseconds."""

    ms: Pace


class Again(msgspec.Struct, tag_field="do", tag="again", forbid_unknown_fields=True):
    """Another game with the same table."""


class Say(msgspec.Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """Say something to all at the table: the phrase of a number from 0, or words of one's own."""

    phrase: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    text: Annotated[str, msgspec.Meta(max_length=400)] = ""


class Suspect(msgspec.Struct, tag_field="do", tag="suspect", forbid_unknown_fields=True):
    """Show all at the table that one suspects a seat, or no longer."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]


class SetChat(msgspec.Struct, tag_field="do", tag="chat", forbid_unknown_fields=True):
    """Allow words of one's own at the table, or phrases alone."""

    free: bool


Message: TypeAlias = (
    Say | Suspect | SetChat | Play | Sit | Start | Undo | AskHint | AskWhy | AskBeliefs | SetPace | Again
)


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit on a seat: the person who opens the table, a friend, or an artificial player."""

    kind: Literal["me", "friend", "agent"]
    name: Name = ""
    agent: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as somebody wants it. `pace` is in milliseconds, `seconds` the clock for a person's move.

    `chat`: people may say more than the phrases. `open`: all cards lie open for those who watch artificial players. `listed`: the
    lobby shows the table to everybody, to join or to watch.
    `blind`: it is never told which artificial player is which, not even at the end; no page may set such a table.
    """

    game: Annotated[str, msgspec.Meta(max_length=40)]
    ruleset: Annotated[str, msgspec.Meta(max_length=80)]
    seats: Annotated[tuple[SeatWish, ...], msgspec.Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    practice: bool = False
    pace: Pace = 700
    seconds: Annotated[int, msgspec.Meta(ge=SHORTEST_CLOCK, le=LONGEST_CLOCK)] | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)] | None = None
    hide: bool = False
    chat: bool = True
    open: bool = False
    listed: bool = False
    blind: bool = False


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take a free seat of a table that the lobby lists: `table` is the token of its watchers' address."""

    table: Annotated[str, msgspec.Meta(max_length=80)]
    name: Name


_messages: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_setups: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup)
_joins: msgspec.json.Decoder[Join] = msgspec.json.Decoder(Join)


def read_message(text: str | bytes) -> Message:
    """A message of a page; BadInput says what is wrong with it."""
    if len(text) > MOST_BYTES:
        raise BadInput(
            _("the message is too long: {number} signs, and {most} are the most", number=len(text), most=MOST_BYTES)
        )
    try:
        return _messages.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput(_("the message is not understood: {error}", error=f"{error!s:.{LONGEST_REASON}}")) from None


def read_setup(text: bytes) -> Setup:
    """A table as somebody wants it; BadInput says what is wrong with it."""
    try:
        setup = _setups.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput(_("this is no table that can be set: {error}", error=f"{error!s:.{LONGEST_REASON}}")) from None
    if setup.blind:
        raise BadInput(_("who is which is told at the end of every table that is set here"))
    return setup


def read_join(text: bytes) -> Join:
    """Who wants to sit where; BadInput says what is wrong with it."""
    try:
        return _joins.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput(
            _("this is no table that can be joined: {error}", error=f"{error!s:.{LONGEST_REASON}}")
        ) from None


def read_name(text: str) -> str:
    """A name for a person at the table; BadInput where it cannot be one."""
    return check_name(text, LONGEST_NAME)


def read_name_of_one(text: str) -> str:
    """A name by which others call somebody; BadInput where it cannot be one, as `You`, which is each who reads it."""
    name = read_name(text)
    if name in you_in_every_language():
        raise BadInput(_("{name} is whoever reads it; choose another name", name=name))
    return name
