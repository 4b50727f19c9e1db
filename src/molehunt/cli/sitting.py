"""The commands at which people sit down: to play, to be advised, to open the browser table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """How a person sits down at a table in the terminal; what is None is not said.

    Parameters
    ----------
    name
        Your name.
    seed
        The seed of the deal; the same seed gives the same game.
    record
        Write the finished games to this file.
    practice
        Whether hints, the others' reasons and beliefs can be asked for, and moves be taken back.
    save
        Write the game to this file after every move of yours, so that it can be gone on with.
    resume
        Go on with the game of this file, which --save wrote, and go on saving it there.
    agents_from
        A Python file with players of your own, to play against.

    """

    name: str | None = None
    seed: Whole | None = None
    record: Path | None = None
    practice: bool | None = None
    save: Path | None = None
    resume: Path | None = None
    agents_from: list[Path] | None = None

    def said(self) -> dict[str, Any]:
        """What was said, as arguments by name."""
        return {name: value for name, value in vars(self).items() if value is not None}


AlikeForAll = Annotated[Sitting, Parameter(name="*")]
"""Options of every command at which one sits down to play."""
NOTHING_SAID = Sitting()


play = App(name="play", help="Sit down at a table and play against artificial players.", help_format="plaintext")
app.command(play)


@play.default
def play_any(
    game: Annotated[str | None, Parameter(completer=completing.games)] = None,
    /,
    *,
    opponents: Annotated[str | None, Parameter(completer=completing.players())] = None,
    ruleset: Annotated[str | None, Parameter(completer=completing.rulesets())] = None,
    first: bool | None = None,
    sitting: AlikeForAll = NOTHING_SAID,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Sit down at a table and play against artificial players.

    What is not given is asked for, unless the opponents are given.

    Parameters
    ----------
    game
        Any game that `molehunt games` lists, alone or with its ruleset (saboteur/krisnadi); those
        named above have more to set.
    opponents
        The artificial players: random*2; random,ismcts; or how many of the usual ones.
    ruleset
        The ruleset; by default the first that there is.
    first
        Whether you make the first move, in a game of two.
    sitting
        How you sit down.
    language
        The code of the language in which you are spoken to; by default that of the system.

    """
    if game is None:
        app(["play", "--help"])
        return 0
    from molehunt.console.play_game import sit_down
    from molehunt.console.screen import in_language

    with in_language(language):
        return sit_down(
            game,
            opponents,
            ruleset,
            first=first,
            **sitting.said(),
        )


@play.command(name="speed-clue")
def play_speed_clue(
    *,
    opponents: Annotated[str | None, Parameter(completer=completing.players("speed_clue"))] = None,
    hidden: Whole | None = None,
    deal: Whole | None = None,
    sheet: bool = True,
    series: Annotated[list[Whole] | None, Parameter(consume_multiple=True)] = None,
    table: Path | None = None,
    ruleset: Annotated[str | None, Parameter(completer=completing.rulesets("speed_clue"))] = None,
    sitting: AlikeForAll = NOTHING_SAID,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Play Speed Clue in the terminal; what is not given is asked for.

    Parameters
    ----------
    opponents
        The artificial players by their strategies: basic,advanced; advanced*3; hidden,basic.
    hidden
        So many artificial players (2 to 5), each basic or advanced, which is told at the end.
    deal
        A listed deal of the 2020 report, 1 to 8; by default the cards are dealt at random.
    sheet
        Whether your sheet fills itself; without it you write on it (mark CARD PLAYER yes), which --save
        does not keep.
    series
        Play the report's series instead, 18 tests of 3 games with hidden strategies; or only those
        with these numbers of players: --series 3 4.
    table
        Write the table of a series to this file, as Markdown (.md), CSV (.csv) or text.
    ruleset
        The ruleset: mitchell (the usual one), contest, mitchell:first_seat=-1.
    sitting
        How you sit down.
    language
        The code of the language in which you are spoken to; by default that of the system.

    """
    from molehunt.console.play import play_speed_clue
    from molehunt.console.screen import in_language

    with in_language(language):
        return play_speed_clue(
            opponents,
            hidden=hidden,
            deal=deal,
            sheet=sheet,
            series=series,
            table=table,
            ruleset=ruleset,
            **sitting.said(),
        )


@play.command(name="saboteur")
def play_saboteur(
    *,
    opponents: Annotated[str | None, Parameter(completer=completing.players("saboteur"))] = None,
    ruleset: Annotated[str | None, Parameter(completer=completing.rulesets("saboteur"))] = None,
    sitting: AlikeForAll = NOTHING_SAID,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Play Saboteur in the terminal; what is not given is asked for, unless the opponents are given.

    Parameters
    ----------
    opponents
        The artificial players: kripke-2012*4; decision-2019,kripke-2012,random.
    ruleset
        The ruleset: official+talk (the usual one), official, krisnadi, veldhuis, official:rounds=1.
    sitting
        How you sit down.
    language
        The code of the language in which you are spoken to; by default that of the system.

    """
    from molehunt.console.play_game import sit_down
    from molehunt.console.screen import in_language

    with in_language(language):
        return sit_down(
            "saboteur",
            opponents,
            ruleset,
            **sitting.said(),
        )


@play.command(name="duel")
def play_duel(
    *,
    opponent: Annotated[str | None, Parameter(completer=completing.players("duel"))] = None,
    first: bool | None = None,
    sitting: AlikeForAll = NOTHING_SAID,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Play the race of two for the nugget in the terminal; what is not given is asked for, unless the opponent is given.

    Parameters
    ----------
    opponent
        The artificial player: and-or-2020:wins_first (the usual one), duel-star, greedy-2020.
    first
        Whether you make the first move.
    sitting
        How you sit down.
    language
        The code of the language in which you are spoken to; by default that of the system.

    """
    from molehunt.console.play_game import sit_down
    from molehunt.console.screen import in_language

    with in_language(language):
        return sit_down(
            "duel",
            opponent,
            first=first,
            option="--opponent",
            **sitting.said(),
        )


advise = App(name="advise", help="Get advice at a real table, while you play against people.", help_format="plaintext")
app.command(advise)


@advise.command(name="speed-clue")
def advise_speed_clue(
    file: Path | None = None,
    /,
    *,
    cards: str | None = None,
    players: str | None = None,
    me: str | None = None,
    hand: str | None = None,
    face_up: str | None = None,
    board: str | None = None,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Advise a player of Clue at a real table: enter what happens, ask what to suggest, what to show, when to accuse.

    Whatever is not given is asked for; `help` lists what can be written at the prompt.

    Parameters
    ----------
    file
        The game, saved after every change, and gone on with if it is there; by default a new file.
    cards
        The card set: report, contest, clue, cluedo, clue-2016, master-detective, discover, or a JSON file.
    players
        The players in the order in which they are asked, you included: Ann,Bob,Me.
    me
        Which of them you are; Me is you anyway.
    hand
        Your cards, by codes or parts of names: Pl,Ro,Ha,Ki,Di,Wr.
    face_up
        Cards that were left over and lie face up: Pe,Ki.
    board
        For a game on a board, where one names the room in which one stands: how many turns a player takes for a suggestion,
        about; 2 will do.
    language
        The code of the language in which you are spoken to; by default that of the system.

    """
    from molehunt.console.advise import advise_speed_clue
    from molehunt.console.screen import in_language
    from molehunt.terminal.advice_setup import Given

    with in_language(language):
        return advise_speed_clue(file, Given(cards, players, me, hand, face_up, board))


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: Whole = 8765,
    store: Path | None = None,
    tables: Whole = 500,
    pages: Whole = 30,
    keep_hours: Whole = 72,
    workers: Whole = 0,
    client_tables: Whole = 20,
    client_connections: Whole = 60,
    client_requests: Whole = 50,
    connections: Whole = 2000,
    request_seconds: Whole = 10,
    new_minutes: Whole = 30,
    proxy: str = "",
    statistics: bool = True,
    people: Path | None = None,
    rehearsal: bool = False,
    agents_from: list[Path] | None = None,
    open: bool = False,
) -> int:
    """Open the browser table: every game against any mix of minds and friends, replays, and the adviser.

    Parameters
    ----------
    host
        Where to listen; 0.0.0.0 lets friends on the same network in. By default this machine only.
    port
        The port; 0 takes a free one.
    store
        The file in which tables are kept; by default in your folder for data.
    tables
        How many tables there may be.
    pages
        How many pages may be open at one table.
    keep_hours
        A table goes so many hours after its last use.
    workers
        In how many threads artificial players think; 0: one for each core.
    client_tables
        How many tables there may be from one address.
    client_connections
        How many connections, and how many open pages, there may be from one address.
    client_requests
        How many requests a second may come from one address.
    connections
        How many connections there may be.
    request_seconds
        In how many seconds a request must be there whole; a connection that is silent for longer is cut.
    new_minutes
        A table at which no person has moved goes when no page of it was open for so many minutes.
    proxy
        The address of a proxy that others come through, or its network, or several with commas between: who they are is then
        believed of it.
    statistics
        Whether to keep, and show to all, how the games of named people ended.
    people
        Let people take part in a study (docs/people.md), at /study, and keep what they do in this folder.
    rehearsal
        The people of the study are made up; their folder holds nothing else.
    agents_from
        A Python file with players of your own, who sit down at tables of every game, or of that which their attribute
        `game` names.
    open
        Whether to open the page in your browser.

    """
    from molehunt.console.serve import Serving, serve

    wanted = Serving(
        host=host,
        port=port,
        store=store,
        tables=tables,
        pages=pages,
        keep_hours=keep_hours,
        workers=workers,
        client_tables=client_tables,
        client_connections=client_connections,
        client_requests=client_requests,
        connections=connections,
        request_seconds=request_seconds,
        new_minutes=new_minutes,
        proxy=proxy,
        statistics=statistics,
        people=people,
        rehearsal=rehearsal,
        agents_from=tuple(agents_from or ()),
    )
    return serve(wanted, open)
