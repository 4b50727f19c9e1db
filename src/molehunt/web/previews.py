"""What a messenger shows of the address of a table before anybody opens it: no more than everybody may know who has the address."""

from __future__ import annotations

import msgspec

from molehunt.core.language import _, counted_in
from molehunt.core.words import joined
from molehunt.games.registry import game_entry
from molehunt.web import faces
from molehunt.web.store import Link
from molehunt.web.table_pages import OVER, WAITING, TablePages


class Preview(msgspec.Struct):
    """A title and a line of text, as Open Graph has them (`og:title`, `og:description`)."""

    title: str
    text: str


def lobby_preview() -> Preview:
    """Of the lobby's address, which who runs a server tells others."""
    return Preview(
        _("Play cards with hidden roles and hidden hands - molehunt"),
        _(
            "Saboteur, its duel and Clue in the browser, with friends or against artificial players who say why they moved."
        ),
    )


def table_preview(table: TablePages, link: Link) -> Preview:
    """Of one address of a table. Who asks for it is nobody yet: no seat is taken, and nothing of the cards is told."""
    label = faces.label_of(table.setup.game, table.setup.ruleset)
    names = [name for name in table.state.names if name]
    told = [f"{label}."]
    if table.state.phase == WAITING:
        free = table.state.specs.count(None)
        told.append(counted_in("{n} free seat of {all}.", "{n} free seats of {all}.", free, all=len(table.state.names)))
        if names:
            told.append(_("At the table: {names}.", names=joined(names)))
    else:
        told.append(_("The game is over.") if table.state.phase == OVER else _("The game is under way."))
        told.append(_("Players: {names}.", names=joined(names)))
    return Preview(_title(table, link), " ".join(told))


def _title(table: TablePages, link: Link) -> str:
    game = game_entry(table.setup.game).short_title
    seat = next((link.seat for link in table.links if link.owner), None)
    host = None if seat is None else table.state.names[seat]
    invited = table.state.phase == WAITING and link.seat is not None and table.state.specs[link.seat] is None
    if invited and host:
        return _("{name} invites you to play {game}", name=host, game=game)
    if invited:
        return _("You are invited to play {game}", game=game)
    if link.seat is None and not link.owner and table.state.phase != OVER:
        return _("Watch a game of {game}", game=game)
    return _("A game of {game}", game=game)
