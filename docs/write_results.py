"""Writes the tables of docs/results.md and the papers' pages anew from measurements, between their markers; the text stays.

molehunt study krisnadi2019 --seed 20261 --json krisnadi2019.json
molehunt study mitchell2020 --games 5000 --seed 20261 --json mitchell2020.json
molehunt bench --json bench.json
python docs/write_results.py --date 2026-11-22 --seed 20261 --bench bench.json krisnadi2019.json mitchell2020.json

The files that were written last stand in benchmarks/measured; the line above each study's tables says with which seed and how many
games it was played.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from molehunt.agents.entry import LEVEL_WORDS
from molehunt.agents.registry import entries

DOCS = Path(__file__).parent
MEASURED = DOCS.parent / "benchmarks" / "measured"
PAGES = [DOCS / "results.md", DOCS / "players.md", *sorted((DOCS / "papers").glob("*.md"))]
Row = dict[str, Any]
"""A row of a measurement, as its JSON has it."""


def table(headings: str, rows: list[list[str]]) -> list[str]:
    return plain_table(headings.split(", "), rows)


def plain_table(names: list[str], rows: list[list[str]]) -> list[str]:
    lines = [f"| {' | '.join(names)} |", "| --- " * len(names) + "|"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def games_line(rows: list[Row]) -> list[str]:
    """How many games a cell of a table has, as a line below it."""
    counts = sorted({row["games"] for row in rows})
    if not counts:
        return []
    said = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return ["", f"Games a cell: {said}."]


def paired(row: Row, digits: int = 1) -> str:
    """A difference on the same deals with its interval; in bold where it is decided for all comparisons together."""
    text = f"{row['measured']:+z.{digits}f} ({row['low']:+z.{digits}f} to {row['high']:+z.{digits}f})"
    return text if row["quantity"].endswith(": not decided") else f"**{text}**"


def interval(row: Row, digits: int) -> str:
    return f"{row['low']:z.{digits}f} to {row['high']:z.{digits}f}"


def judged(rows: list[Row], digits: int = 1) -> list[str]:
    body = []
    for row in rows:
        gap = row["measured"] - row["published"]
        body.append(
            [
                row["id"].rpartition("/")[2],
                f"{row['published']:z.{digits}f}",
                f"{row['measured']:z.{digits}f}",
                interval(row, digits),
                f"{gap:+z.{digits}f}",
                row["verdict"],
            ]
        )
    return table("cell, published, measured, 95 % interval, difference, verdict", body) + games_line(rows)


def switched(rows: list[Row], changes: dict[str, Row]) -> list[str]:
    body = []
    for row in rows:
        _, item, team = row["id"].split("/")
        change = paired(changes[f"change/{row['id']}"])
        body.append([f"`{item}`", team, f"{row['measured']:z.1f}", interval(row, 1), change])
    return table("reading, cell, measured, 95 % interval, change on the same deals", body) + games_line(rows)


def grid(rows: list[Row], corner: str, digits: int, order: list[str] | None = None) -> list[str]:
    """Rows whose ids end in LINE/COLUMN-N as a grid; each value with half the width of its interval. `order` is of columns."""
    lines: dict[str, dict[str, str]] = {}
    cell = with_half(digits)
    for row in rows:
        *_, line, column = row["id"].split("/")
        lines.setdefault(line, {})[column] = cell(row)
    columns = order or list(dict.fromkeys(column for line in lines.values() for column in line))
    body = [[line, *(lines[line].get(c, "") for c in columns)] for line in lines]
    return table(", ".join([corner, *columns]), body) + games_line(rows)


def paired_grid(rows: list[Row], corner: str, digits: int) -> list[str]:
    """Rows that compare, whose ids end in LINE/COLUMN, as a grid of differences; those that are decided in bold."""
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        *_, line, column = row["id"].split("/")
        half = (row["high"] - row["low"]) / 2
        text = f"{row['measured']:+z.{digits}f} ± {half:z.{digits}f}"
        decided = not row["quantity"].endswith(": not decided")
        lines.setdefault(line, {})[column] = f"**{text}**" if decided else text
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    body = [[line, *(lines[line].get(column, "") for column in columns)] for line in lines]
    return table(", ".join([corner, *columns]), body) + games_line(rows)


def krisnadi2019(rows: list[Row]) -> dict[str, list[str]]:
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(row["id"].partition("/")[0], []).append(row)
    changes = {row["id"]: row for row in tables["change"]}
    result = {name: judged(tables[name]) for name in ("table3", "table4", "table5", "table5-as-printed")}
    return result | {name: switched(tables[name], changes) for name in ("ablation", "ablation-2016")}


def mitchell2020(rows: list[Row]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[Row]:
        return [row for row in rows if row["id"].startswith(prefix)]

    result = {}
    for prefix in ("", "closest/"):
        for name, digits in (("table5.1", 2), ("table5.2", 2), ("table5.3", 1)):
            result[f"{prefix}{name}"] = judged(under(f"{prefix}{name}/"), digits)
    for name in ("claim", "prediction"):
        found = under(f"{name}/")
        body = [
            [row["quantity"], f"{row['measured']:z.0f} of {row['published']:z.0f}", row["verdict"]] for row in found
        ]
        result[name] = table("what, cases, verdict", body) + games_line(found)
    result["proposal"] = grid(under("proposal/"), "proposal", 1)
    result["paired"] = paired_grid(under("paired/"), "proposal", 1)
    result["rounds"] = paired_grid(under("rounds/"), "proposal", 2)
    return result


def kingston2017(rows: list[Row]) -> dict[str, list[str]]:
    result = {}
    for row in rows:
        row["id"] = re.sub(r"/(deal\d)-", r"/\1/", row["id"])
    for choice in ("random", "systematic"):
        for seats in (3, 6):
            prefix = f"{choice}/{seats}/"
            result[prefix.rstrip("/")] = grid([row for row in rows if row["id"].startswith(prefix)], "deal", 2)
    found = [row for row in rows if row["id"].startswith("finding/")]
    body = [[row["quantity"], f"{row['measured']:z.2f}", interval(row, 2)] for row in found]
    result["finding"] = table("what, measured, 95 % interval", body) + games_line(found)
    return result


VERDICTS = {"holds": "holds", "does not hold": "**does not**", "undecided": "undecided"}


def findings(rows: list[Row], digits: int) -> list[str]:
    """The findings in words of an abstract, each with its verdict."""
    body = []
    for row in rows:
        if row["id"].startswith("finding/"):
            said, _, verdict = row["quantity"].rpartition(": ")
            body.append([said, f"{row['measured']:z.{digits}f}", interval(row, digits), VERDICTS[verdict]])
    return table("finding, measured, 95 % interval, verdict", body)


def hansen2019(rows: list[Row]) -> dict[str, list[str]]:
    result = {"finding": findings(rows, 1)}
    for other in ("alike", "exact"):
        found = [row for row in rows if f"/{other}/" in row["id"]]
        body = [[row["quantity"], f"{row['measured']:z.1f}", interval(row, 1)] for row in found]
        result[other] = table("what, measured, 95 % interval", body) + games_line(found)
    return result


def neller2018(rows: list[Row]) -> dict[str, list[str]]:
    found = [row for row in rows if not row["id"].startswith("finding/")]
    body = [[row["quantity"], f"{row['measured']:z.2f}", interval(row, 2)] for row in found]
    return {
        "finding": findings(rows, 2),
        "errors": [*table("what, measured, 95 % interval", body), "", f"Positions: {found[0]['games']:,}."],
    }


def veldhuis2012(rows: list[Row]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[Row]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def said(row: Row) -> str:
        return VERDICTS[row["quantity"].rpartition(": ")[2]]

    def found(prefix: str) -> list[str]:
        body = [
            [row["quantity"].rpartition(": ")[0], f"{row['measured']:z.1f}", interval(row, 1), said(row)]
            for row in under(prefix)
        ]
        return table("finding, measured, 95 % interval, verdict", body)

    columns = {
        "wins": "saboteur wins %",
        "truth": "all believe the truth %",
        "lost": "agents that do not %",
        "states": "states",
    }
    lines: dict[str, list[str]] = {}
    for kind in columns:
        for row in under(f"{kind}/"):
            half = (row["high"] - row["low"]) / 2
            lines.setdefault(row["id"].partition("/")[2], []).append(f"{row['measured']:z.1f} ± {half:z.1f}")
    result = {
        "finding": found("finding/"),
        "region": found("region/"),
        "setups": table(", ".join(["setup", *columns.values()]), [[name, *cells] for name, cells in lines.items()])
        + games_line(under("wins/")),
    }
    moved: dict[str, list[Row]] = {}
    for row in under("sensitivity/"):
        moved.setdefault(row["id"].split("/")[1], []).append(row)
    names = [row["id"].partition("/")[2].partition("-")[0] for row in under("finding/")]
    body = [[f"`{change}`", *(f"{row['measured']:z.1f} {said(row)}" for row in each)] for change, each in moved.items()]
    result["sensitivity"] = table(", ".join(["number", *names]), body) + games_line(under("sensitivity/"))
    return result | readings2012(rows)


READINGS_2012 = {
    "default": "finding/",
    "`cover=1`": "sentence/cover=1/",
    "`cover=9`": "sentence/cover=9/",
    "`cover=1,close=4`": "sentence/cover=1+close=4/",
    "`cover=9,close=6`": "region/cover=9+close=6/",
}


def readings2012(rows: list[Row]) -> dict[str, list[str]]:
    """The findings, and what eighteen rounds could show, in every reading of the paper's sentences."""
    found = {row["id"]: row for row in rows}
    names = [row["id"].removeprefix("finding/") for row in rows if row["id"].startswith("finding/")]

    def cell(prefix: str, name: str) -> str:
        row = found[prefix + name]
        said = VERDICTS[row["quantity"].rpartition(": ")[2]]
        return f"{row['measured']:z.1f} ({interval(row, 1)}) {said}"

    sentences = [
        [
            found[f"finding/{name}"]["quantity"].rpartition(": ")[0],
            *(cell(prefix, name) for prefix in READINGS_2012.values()),
        ]
        for name in names
    ]
    places = {"finding/": "default/"}
    prefixes = [f"eighteen/{places.get(p, p.partition('/')[2])}" for p in READINGS_2012.values()]
    said = [row["id"].removeprefix(prefixes[0]) for row in rows if row["id"].startswith(prefixes[0])]
    chances = [
        [
            found[prefixes[0] + name]["quantity"].partition("%: ")[2],
            *(f"{row['measured']:z.0f} ({interval(row, 0)})" for row in (found[prefix + name] for prefix in prefixes)),
        ]
        for name in said
    ]
    headings = list(READINGS_2012)
    return {
        "readings": plain_table(["finding", *headings], sentences),
        "eighteen": plain_table(["sentence", *headings], chances),
    }


def mechanisms(rows: list[Row]) -> dict[str, list[str]]:
    """One table a section; a line for what is counted, a column for whose it is."""

    def under(prefix: str) -> list[Row]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def counted(prefix: str, corner: str, digits: int) -> list[str]:
        found = under(prefix)
        turned = []
        for row in found:
            _, *who, what = row["id"].split("/")
            turned.append(row | {"id": f"{what}/{' '.join(who)}"})
        return grid(turned, corner, digits)

    beliefs = [row | {"id": "/".join(row["id"].split("/")[1:])} for row in under("beliefs/")]
    return {
        "cards": counted("cards/", "cards of a player in a round", 2),
        "trust": counted("trust/", "%", 1),
        "beliefs": grid(beliefs, "setup", 1),
        "deductions": counted("deductions/", "deduction", 2),
        "duel": counted("duel/", "moves of a player in a game", 2),
    }


def deeper_beliefs(rows: list[Row]) -> dict[str, list[str]]:
    changes = {row["id"].removeprefix("change/"): paired(row) for row in rows if row["id"].startswith("change/")}
    found = [row for row in rows if not row["id"].startswith("change/")]
    body = [
        [*row["id"].split("/"), f"{row['measured']:z.1f}", interval(row, 1), changes.get(row["id"], "")]
        for row in found
    ]
    headings = "whose depth, saboteurs and disbelief, depth, saboteur wins %, 95 % interval, above the depth before"
    return {"steps": table(headings, body) + games_line(found)}


def cai2020(rows: list[Row]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[Row]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def beside(row: Row) -> list[str]:
        if row["published"] is None:
            return ["", f"{row['measured']:z.1f}", interval(row, 1), "", ""]
        gap = row["measured"] - row["published"]
        numbers = [f"{row['published']:g}", f"{row['measured']:z.1f}", interval(row, 1), f"{gap:+z.1f}"]
        return [*numbers, row["verdict"]]

    headings = "games, published, measured, 95 % interval, difference, verdict"
    result = {}
    for name in ("strength", "random"):
        body = [[row["id"].partition("/")[2], f"{row['games']:,}", *beside(row)] for row in under(f"{name}/")]
        result[name] = table(f"cell, {headings}", body)
    for player in dict.fromkeys(row["id"].split("/")[1] for row in under("readings/")):
        prefix = f"readings/{player}/"
        body = [[f"`{row['id'].removeprefix(prefix)}`", f"{row['games']:,}", *beside(row)] for row in under(prefix)]
        result[f"readings/{player}"] = table(f"reading, {headings}", body)
    took = {row["id"].rpartition("/")[2]: row["measured"] for row in under("depth/milliseconds/")}
    body = [
        [f"`{depth}`", f"{row['games']:,}", f"{row['measured']:z.1f}", interval(row, 1), f"{took[depth]:,.2f}"]
        for row in under("depth/wins/")
        for depth in [row["id"].rpartition("/")[2]]
    ]
    result["depth"] = table("search, games, wins %, 95 % interval, milliseconds a move", body)
    players = list(dict.fromkeys(row["id"].split("/")[1] for row in under("cross/")))
    result["cross"] = grid(under("cross/"), "wins % against", 1, players)
    return result


def exact_clue(rows: list[Row]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[Row]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def cells(found: list[Row], split: str) -> list[Row]:
        """Rows named PART/SEATS/REST as cells of a grid of REST and seats."""
        return [row | {"id": f"{row['id'].split('/', 2)[2]}/{row['id'].split('/')[1]} {split}"} for row in found]

    result = {name: grid(cells(under(f"{name}/"), "players"), "exact among", 1) for name in ("strength", "mixes")}
    changes = {row["id"]: paired(row) for row in under("change/")}
    for seats in (3, 6):
        body = [
            [
                row["quantity"].rpartition("%: ")[2],
                f"{row['games']:,}",
                f"{row['measured']:z.1f}",
                interval(row, 1),
                changes.get(row["id"].replace("worth/", "change/", 1), ""),
            ]
            for row in under(f"worth/{seats}/")
        ]
        headings = "exact, games, wins % among combined, 95 % interval, change on the same deals"
        result[f"worth/{seats}"] = table(headings, body)
    missed = [row | {"id": row["id"].replace("-", "/", 1)} for row in under("missed/")]
    for player in ("advanced", "combined"):
        found = [
            row | {"id": f"{row['id'].split('/')[1]} players/{row['id'].rpartition('/')[2]}"}
            for row in missed
            if row["id"].split("/")[2] == player
        ]
        result[f"missed/{player}"] = grid(found, "suggestions made", 1)
    return result


def opponents2020(rows: list[Row]) -> dict[str, list[str]]:
    found = {row["id"]: row for row in rows}
    body = []
    for row in rows:
        what, kind = row["id"].rsplit("/", 1)
        if kind == "network":
            plain = found.get(f"{what}/frequencies") or found[f"{what}/elimination"]
            said, _, parents = row["quantity"].removeprefix("bits for ").rpartition(", hanging on ")
            numbers = [f"{one['measured']:z.2f} ({interval(one, 2)})" for one in (row, plain)]
            body.append([said, parents, *numbers, paired(found[f"change/{what}"], 2)])
    headings = ["told", "hanging on", "bits, network", "bits, frequencies or elimination", "difference"]
    return {"bits": plain_table(headings, body) + games_line(rows)}


def crossed(rows: list[Row], corner: str, cell: Callable[[Row], str]) -> list[str]:
    """Rows named LINE/.../COLUMN as a grid: a line for all but the last part of their names, a column for the last."""
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        line, _, column = row["id"].rpartition("/")
        lines.setdefault(line.replace("/", ", "), {})[column] = cell(row)
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    body = [[line, *(lines[line].get(column, "") for column in columns)] for line in lines]
    return plain_table([corner, *columns], body) + games_line(rows)


def with_half(digits: int) -> Callable[[Row], str]:
    """A number with half the width of its interval; with the other end where it is one, as of what never happened."""

    def said(row: Row) -> str:
        value, low, high = row["measured"], row["low"], row["high"]
        if low == high or low < value < high:
            return f"{value:z.{digits}f} ± {(high - low) / 2:z.{digits}f}"
        other = f"at most {high:z.{digits + 1}f}" if value == low else f"at least {low:z.{digits + 1}f}"
        return f"{value:z.{digits}f}, {other}"

    return said


def without(prefix: str, rows: list[Row]) -> list[Row]:
    """The rows whose ids begin with a prefix, without it."""
    return [row | {"id": row["id"].removeprefix(prefix)} for row in rows if row["id"].startswith(prefix)]


def bluffing(rows: list[Row]) -> dict[str, list[str]]:
    wins = [row for row in rows if not row["id"].startswith(("change/", "weighed/"))]
    half = with_half(1)
    return {
        "wins": crossed(wins, "miners, team", half),
        "change": crossed(without("change/", rows), "miners, team", paired),
        "weighed": crossed(
            without("weighed/", rows),
            "miners, team",
            lambda row: paired(row) if row["id"].endswith("/difference") else half(row),
        ),
    }


def suspicion(rows: list[Row]) -> dict[str, list[str]]:
    return {name: crossed(without(f"{name}/", rows), "players, deck", with_half(3)) for name in ("logloss", "auc")}


def mole2026(rows: list[Row]) -> dict[str, list[str]]:
    wins = [row for row in rows if not row["id"].startswith("gold")]
    gold = {name: without(f"{name}/", rows) for name in ("gold", "gold-as-miner", "gold-as-saboteur")}
    return {"wins": crossed(wins, "team, saboteurs", with_half(1))} | {
        name: crossed(of_role, "one among four", with_half(2)) for name, of_role in gold.items()
    }


STRANGERS_OF = ("saboteur", "speed_clue", "duel")
"""The games whose players are ranked by what they win among strangers."""


def strangers(rows: list[Row]) -> dict[str, list[str]]:
    found = {row["id"]: row for row in rows}
    body = []
    for row in without("mean/", rows):
        worst = found.get(f"worst/{row['id']}")
        said = "" if worst is None else f"{worst['measured']:z.1f} ({interval(worst, 1)})"
        among = row["quantity"].rpartition(": ")[2]
        body.append([row["id"].replace("/", ", "), among, f"{row['measured']:z.1f} ({interval(row, 1)})", said])
    return {"mean": plain_table(["player", "among", "wins %", "worst tenth %"], body)} | {
        game: ladder(game, without(f"mean/{game}/", rows)) for game in STRANGERS_OF
    }


def ladder(game: str, rows: list[Row]) -> list[str]:
    """The players of a game, the strongest first: their names at tables, what they are, and what they win among strangers."""
    known = {entry.name: entry for entry in entries(game)}
    body = [
        [
            f"`{row['id']}`",
            "" if known[row["id"]].only else known[row["id"]].called,
            known[row["id"]].title,
            f"{row['measured']:z.1f} ({interval(row, 1)})",
            LEVEL_WORDS[known[row["id"]].level],
        ]
        for row in sorted(rows, key=lambda row: -row["measured"])
    ]
    return plain_table(["player", "at the table", "what it is", "wins %", "level"], body)


def constants2019(rows: list[Row]) -> dict[str, list[str]]:
    """A line for each constant: its best value, and what that brings, for each team and side."""

    def best(row: Row) -> str:
        value = re.search(r" = (\S+), published", row["quantity"])
        return f"{value[1] if value else ''}: {paired(row)}"

    turned = []
    for row in without("best/", rows):
        team, side, constant = row["id"].split("/")
        turned.append(row | {"id": f"{constant}/{team} {side}s"})
    return {"best": crossed(turned, "constant", best)}


def exploitability(rows: list[Row]) -> dict[str, list[str]]:
    """A line for each player, a column for each seat of each game."""
    turned = []
    for row in rows:
        if not row["id"].startswith(("value/", "curve/")) and "/both/" not in row["id"]:
            game, seat, player = row["id"].split("/")
            turned.append(row | {"id": f"{player}/{game} {seat}" if game == "clue" else f"{player}/{game}, {seat}"})
    return {"lost": crossed(turned, "player", with_half(3))}


def duel_inferred(rows: list[Row]) -> dict[str, list[str]]:
    return {
        "acting": crossed(without("acting/", rows), "against, search, hands", with_half(1)),
        "change": crossed(without("change/", rows), "against", paired),
    }


OVERVIEW = {
    "krisnadi2019": {
        "table3/": "Table 3: saboteurs of 2016, miners of 2019",
        "table4/": "Table 4: saboteurs of 2019, miners of 2016",
        "table5/": "Table 5, the player as the authors' program has it",
        "table5-as-printed/": "Table 5, the player as the paper prints it",
        "claim/": "what the text claims",
    },
    "veldhuis2012": {
        "finding/": "findings in words, by default",
        "region/": "findings in words, two numbers chosen so that most of them hold",
    },
    "mitchell2020": {
        "table5.1/": "Table 5.1, plain reading",
        "closest/table5.1/": "Table 5.1, closest reading, which was chosen by these numbers",
        "table5.2/": "Table 5.2, plain reading",
        "closest/table5.2/": "Table 5.2, closest reading, which was chosen by these numbers",
        "table5.3/": "Table 5.3, plain reading",
        "closest/table5.3/": "Table 5.3, closest reading, which was chosen by these numbers",
        "claim/": "claims of chapter 5, by our numbers",
    },
    "hansen2019": {"finding/": "findings of the abstract"},
    "neller2018": {"finding/": "findings of the abstract"},
    "cai2020": {"strength/": "wins of the search and of its heuristic", "random/": "random against random"},
}
"""Which rows of which study have a verdict on what was published, and what they are about."""
SECTIONS = {
    "krisnadi2019": "[Krisnadi et al. 2019](#krisnadi-et-al-2019-the-decision-system-and-its-baseline)",
    "veldhuis2012": "[Veldhuis et al. 2012](#veldhuis-jansen-and-broers-2012-kripke-players-and-bluffing-saboteurs)",
    "mitchell2020": "[Mitchell 2020](#mitchell-2020-speed-clue)",
    "hansen2019": "[Hansen and Hansen 2019](#hansen-and-hansen-2019-bluffing-in-clue)",
    "neller2018": "[Neller and Luo 2018](#neller-and-luo-2018-chances-in-clue-from-samples)",
    "cai2020": "[Cai and Jiang 2020](#cai-and-jiang-2020-the-duel)",
}


def verdict(row: Row) -> str | None:
    """Whether a row meets what was published: by its number, or by the word at the end of a finding that has none."""
    said = {"holds": "agrees", "does not hold": "differs", "undecided": "undecided"}.get(
        row["quantity"].rpartition(": ")[2]
    )
    return said or (row["verdict"] if row["verdict"] in {"agrees", "differs"} else None)


def overview(studies: dict[str, list[Row]]) -> list[str]:
    """How many of the published numbers and findings are met, a line for each table of each paper."""
    body = []
    for name, parts in OVERVIEW.items():
        for prefix, said in parts.items():
            counts = Counter(verdict(row) for row in studies[name] if row["id"].startswith(prefix))
            told = [counts[word] for word in ("agrees", "differs", "undecided")]
            body.append([SECTIONS[name], said, *(str(count) for count in (sum(told), *told))])
    return table("paper, what, published, agrees, differs, undecided", body)


READERS = {
    "bluffing": bluffing,
    "suspicion": suspicion,
    "mole2026": mole2026,
    "strangers": strangers,
    "constants2019": constants2019,
    "exploitability": exploitability,
    "duel_inferred": duel_inferred,
    "opponents2020": opponents2020,
    "mechanisms": mechanisms,
    "deeper_beliefs": deeper_beliefs,
    "exact_clue": exact_clue,
    "veldhuis2012": veldhuis2012,
    "krisnadi2019": krisnadi2019,
    "mitchell2020": mitchell2020,
    "kingston2017": kingston2017,
    "hansen2019": hansen2019,
    "neller2018": neller2018,
    "cai2020": cai2020,
}


def bench_table(rows: list[Row], date: str) -> list[str]:
    said = f"Measured {date} on a machine with two cores; one thread unless the name says otherwise."
    body = [
        [row["name"], f"{row['value']:,.2f}" if row["value"] < 100 else f"{row['value']:,.0f}", row["unit"]]
        for row in rows
    ]
    return [said, "", *table("what, value, unit", body)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--date", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--bench", type=Path)
    parser.add_argument("studies", type=Path, nargs="*")
    given = parser.parse_args()
    places: dict[str, list[str]] = {}
    studies = [json.loads(path.read_text()) for path in given.studies]
    for study in studies:
        name, rows = study["study"], study["rows"]
        said = f"Measured {given.date}, seed {given.seed}, {study['seconds']:.0f} s in all."
        places[name] = [said]
        places |= {f"{name}:{key}": lines for key, lines in READERS[name](rows).items()}
    kept = {name: json.loads((MEASURED / f"{name}.json").read_text()) for name in OVERVIEW}
    kept |= {study["study"]: study for study in studies}
    places["overview"] = overview({name: study["rows"] for name, study in kept.items()})
    if given.bench:
        places["bench"] = bench_table(json.loads(given.bench.read_text()), given.date)
    texts = {page: page.read_text("utf-8") for page in PAGES}
    for name, lines in places.items():
        marked = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        found = [page for page, text in texts.items() if marked.search(text)]
        if not found:
            raise SystemExit(f"no page has a place marked {name}")
        for page in found:
            texts[page] = marked.sub(lambda place: place[1] + "\n".join(lines) + "\n" + place[2], texts[page])  # noqa: B023
    for page, text in texts.items():
        page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
