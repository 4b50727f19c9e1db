"""`molehunt believe`: a formula, asked of the players' minds at a move of a recorded game."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from molehunt.arena.minds import Mind, ask, minds_at, true_world
from molehunt.beliefs.formulas import parse
from molehunt.beliefs.kripke_draw import as_svg, as_text
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.records import games_of, record_of, replayed
from molehunt.console.screen import check_count, out, to_json, working
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpreting


def ask_record(
    formula: str,
    file: Path,
    move: int | None,
    line: int,
    watcher: str | None,
    seat: int | None,
    svg: Path | None,
    json: Path | None,
) -> int:
    """Ask, and print the answer with what every seat's own model says."""
    with Outputs(svg, json) as outputs:
        if svg is not None and seat is None:
            raise BadInput("--svg draws the model of one seat: say which with --seat")
        tree = parse(formula)
        logged, records = games_of(file)
        if logged is not None:
            raise BadInput(f"{file} is a log of another program, whose players cannot be asked; give a file of records")
        number, record = record_of(records, line)
        with interpreting():
            played = replayed(record, file, number)
        after = check_count("--move", len(played.actions) if move is None else move, 0, len(played.actions))
        if seat is not None:
            check_count("--seat", seat, 0, played.game.seats - 1)
        with working("asking the players", played) as tell:
            tell(0, 1)
            minds = minds_at(played, after, watcher)
        world = true_world(played, after)
        answer = ask(tree, minds, world)
        own = {mind.seat: mind.model.holds(tree, world) for mind in minds}
        if json is not None:
            rows = [{"seat": m.seat, "agent": m.agent, "watching": m.watching, "holds": own[m.seat]} for m in minds]
            said = {"formula": str(tree), "move": after, "world": world, "holds": answer, "seats": rows}
            outputs.put(json, lambda: to_json(said))
        if STANDARD_OUTPUT not in (json, svg):
            those = f"the {played.game.roles[-1]}s are {escape(world)}"
            out.print(f"{tree}: [bold]{_word(answer)}[/bold], after {after} moves; {those}.")
            out.print(_table(minds, own))
            if seat is not None and svg is None:
                out.print(as_text(minds[seat].model, world), markup=False, soft_wrap=True)
        if svg is not None and seat is not None:
            title, model = f"What seat {seat} believes after {after} moves", minds[seat].model
            outputs.put(svg, lambda: as_svg(model, world, title=title))
    return 0


def _word(holds: bool) -> str:
    return "yes" if holds else "no"


def _table(minds: list[Mind], own: dict[int, bool]) -> Table:
    """What every seat's own model says of the whole formula."""
    table = Table("seat", "agent", "in its own model", "believes", box=None, pad_edge=False)
    for mind in minds:
        states = mind.model.possible(mind.seat, 0, "belief")
        shown = ", ".join(states[:6]) + (", ..." if len(states) > 6 else "")
        agent = f"{mind.agent} (watching)" if mind.watching else mind.agent
        table.add_row(str(mind.seat), escape(agent), _word(own[mind.seat]), escape(shown))
    return table
