"""Writes the tables of docs/results.md anew from measurements, between their markers; the text around them stays.

molehunt study krisnadi2019 --seed 1 --json krisnadi2019.json
molehunt study veldhuis2012 --seed 1 --json veldhuis2012.json
molehunt study mitchell2020 --games 5000 --seed 2112 --json mitchell2020.json
molehunt study kingston2017 --seed 1 --json kingston2017.json
molehunt study cai2020 --seed 1 --json cai2020.json
molehunt study exact_clue --seed 1 --json exact_clue.json
molehunt bench --json bench.json
python docs/write_results.py --date 2026-11-21 --seed 1 --bench bench.json *[0-9].json exact_clue.json
"""

import argparse
import json
import re
from pathlib import Path

RESULTS = Path(__file__).parent / "results.md"
BESIDE = {"ablation": "table5", "ablation-2016": "table4"}


def table(headings: str, rows: list[list[str]]) -> list[str]:
    names = headings.split(", ")
    lines = [f"| {' | '.join(names)} |", "| --- " * len(names) + "|"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def interval(row: dict, digits: int) -> str:
    return f"{row['low']:.{digits}f} to {row['high']:.{digits}f}"


def judged(rows: list[dict], digits: int = 1) -> list[str]:
    body = []
    for row in rows:
        gap = row["measured"] - row["published"]
        body.append(
            [
                row["id"].rpartition("/")[2],
                f"{row['published']:.{digits}f}",
                f"{row['measured']:.{digits}f}",
                interval(row, digits),
                f"{gap:+.{digits}f}",
                row["verdict"],
            ]
        )
    return table("cell, published, measured, 95 % interval, difference, verdict", body)


def switched(rows: list[dict], beside: dict[str, float]) -> list[str]:
    body = []
    for row in rows:
        _, item, team = row["id"].split("/")
        change = row["measured"] - beside[team]
        body.append([f"`{item}`", team, f"{row['measured']:.1f}", interval(row, 1), f"{change:+.1f}"])
    return table("reading, cell, measured, 95 % interval, change", body)


def grid(rows: list[dict], corner: str, digits: int, order: list[str] | None = None) -> list[str]:
    """Rows whose ids end in LINE/COLUMN-N as a grid; each value with half the width of its interval. `order` is of columns."""
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        *_, line, column = row["id"].split("/")
        half = (row["high"] - row["low"]) / 2
        lines.setdefault(line, {})[column] = f"{row['measured']:.{digits}f} ± {half:.{digits}f}"
    columns = order or list(dict.fromkeys(column for line in lines.values() for column in line))
    return table(", ".join([corner, *columns]), [[line, *(lines[line].get(c, "") for c in columns)] for line in lines])


def krisnadi2019(rows: list[dict]) -> dict[str, list[str]]:
    tables: dict[str, list[dict]] = {}
    for row in rows:
        tables.setdefault(row["id"].partition("/")[0], []).append(row)
    measured = {name: {row["id"].split("/")[-1]: row["measured"] for row in found} for name, found in tables.items()}
    return {
        name: switched(found, measured[BESIDE[name]]) if name in BESIDE else judged(found)
        for name, found in tables.items()
    }


def mitchell2020(rows: list[dict]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[dict]:
        return [row for row in rows if row["id"].startswith(prefix)]

    result = {}
    for prefix in ("", "closest/"):
        for name, digits in (("table5.1", 2), ("table5.2", 2), ("table5.3", 1)):
            result[f"{prefix}{name}"] = judged(under(f"{prefix}{name}/"), digits)
    for name in ("claim", "prediction"):
        body = [
            [row["quantity"], f"{row['measured']:.0f} of {row['published']:.0f}", row["verdict"]]
            for row in under(name + "/")
        ]
        result[name] = table("what, cases, verdict", body)
    result["proposal"] = grid(under("proposal/"), "proposal", 1)
    result["rounds"] = grid(under("rounds/"), "proposal", 2)
    return result


def kingston2017(rows: list[dict]) -> dict[str, list[str]]:
    result = {}
    for row in rows:
        row["id"] = re.sub(r"/(deal\d)-", r"/\1/", row["id"])
    for choice in ("random", "systematic"):
        for seats in (3, 6):
            prefix = f"{choice}/{seats}/"
            result[prefix.rstrip("/")] = grid([row for row in rows if row["id"].startswith(prefix)], "deal", 2)
    return result


VERDICTS = {"holds": "holds", "does not hold": "**does not**", "undecided": "undecided"}


def veldhuis2012(rows: list[dict]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[dict]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def said(row: dict) -> str:
        return VERDICTS[row["quantity"].rpartition(": ")[2]]

    def found(prefix: str) -> list[str]:
        body = [
            [row["quantity"].rpartition(": ")[0], f"{row['measured']:.1f}", interval(row, 1), said(row)]
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
            lines.setdefault(row["id"].partition("/")[2], []).append(f"{row['measured']:.1f} ± {half:.1f}")
    result = {
        "finding": found("finding/"),
        "region": found("region/"),
        "setups": table(", ".join(["setup", *columns.values()]), [[name, *cells] for name, cells in lines.items()]),
    }
    moved: dict[str, list[dict]] = {}
    for row in under("sensitivity/"):
        moved.setdefault(row["id"].split("/")[1], []).append(row)
    names = [row["id"].partition("/")[2].partition("-")[0] for row in under("finding/")]
    body = [[f"`{change}`", *(f"{row['measured']:.1f} {said(row)}" for row in each)] for change, each in moved.items()]
    result["sensitivity"] = table(", ".join(["number", *names]), body)
    return result


def cai2020(rows: list[dict]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[dict]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def beside(row: dict) -> list[str]:
        if row["published"] is None:
            return ["", f"{row['measured']:.1f}", interval(row, 1), "", ""]
        gap = row["measured"] - row["published"]
        numbers = [f"{row['published']:g}", f"{row['measured']:.1f}", interval(row, 1), f"{gap:+.1f}"]
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
        [f"`{depth}`", f"{row['games']:,}", f"{row['measured']:.1f}", interval(row, 1), f"{took[depth]:,.2f}"]
        for row in under("depth/wins/")
        for depth in [row["id"].rpartition("/")[2]]
    ]
    result["depth"] = table("search, games, wins %, 95 % interval, milliseconds a move", body)
    players = list(dict.fromkeys(row["id"].split("/")[1] for row in under("cross/")))
    result["cross"] = grid(under("cross/"), "wins % against", 1, players)
    return result


def exact_clue(rows: list[dict]) -> dict[str, list[str]]:
    def under(prefix: str) -> list[dict]:
        return [row for row in rows if row["id"].startswith(prefix)]

    def cells(found: list[dict], split: str) -> list[dict]:
        """Rows named PART/SEATS/REST as cells of a grid of REST and seats."""
        return [row | {"id": f"{row['id'].split('/', 2)[2]}/{row['id'].split('/')[1]} {split}"} for row in found]

    result = {name: grid(cells(under(f"{name}/"), "players"), "exact among", 1) for name in ("strength", "mixes")}
    for seats in (3, 6):
        body = [
            [row["quantity"].rpartition("%: ")[2], f"{row['games']:,}", f"{row['measured']:.1f}", interval(row, 1)]
            for row in under(f"worth/{seats}/")
        ]
        result[f"worth/{seats}"] = table("exact, games, wins % among combined, 95 % interval", body)
    missed = [row | {"id": row["id"].replace("-", "/", 1)} for row in under("missed/")]
    for player in ("advanced", "combined"):
        found = [
            row | {"id": f"{row['id'].split('/')[1]} players/{row['id'].rpartition('/')[2]}"}
            for row in missed
            if row["id"].split("/")[2] == player
        ]
        result[f"missed/{player}"] = grid(found, "suggestions made", 1)
    return result


READERS = {
    "exact_clue": exact_clue,
    "veldhuis2012": veldhuis2012,
    "krisnadi2019": krisnadi2019,
    "mitchell2020": mitchell2020,
    "kingston2017": kingston2017,
    "cai2020": cai2020,
}


def bench_table(rows: list[dict], date: str) -> list[str]:
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
    for path in given.studies:
        study = json.loads(path.read_text())
        name, rows = study["study"], study["rows"]
        # The findings of a study in words are pooled over its cells.
        counts = [row["games"] for row in rows if row["id"].startswith("wins/") or name != "veldhuis2012"]
        games = f"{min(counts):,}" if name not in {"cai2020", "exact_clue"} else f"up to {max(counts):,}"
        said = f"Measured {given.date}, seed {given.seed}, {games} games a cell, {study['seconds']:.0f} s in all."
        places[name] = [said]
        places |= {f"{name}:{key}": lines for key, lines in READERS[name](rows).items()}
    if given.bench:
        places["bench"] = bench_table(json.loads(given.bench.read_text()), given.date)
    text = RESULTS.read_text("utf-8")
    for name, lines in places.items():
        marked = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        place = marked.search(text)
        if not place:
            raise SystemExit(f"{RESULTS} has no place marked {name}")
        text = text[: place.start()] + place[1] + "\n".join(lines) + "\n" + place[2] + text[place.end() :]
    RESULTS.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
