"""Writes the tables of docs/results.md anew from measurements, between their markers; the text around them stays.

molehunt study krisnadi2019 --seed 1 --json study.json
molehunt bench --json bench.json
python docs/write_results.py --date 2026-11-21 --seed 1 study.json bench.json
"""

import argparse
import json
import re
from pathlib import Path

RESULTS = Path(__file__).parent / "results.md"
TABLES = ("table3", "table4", "table5", "table5-as-printed", "ablation", "ablation-2016")


def judged(rows: list[dict]) -> list[str]:
    lines = ["| saboteurs+miners | published | measured | 95 % interval | difference | verdict |", "| --- " * 6 + "|"]
    for row in rows:
        gap = row["measured"] - row["published"]
        lines.append(
            f"| {row['id'].partition('/')[2]} | {row['published']:.1f} | {row['measured']:.1f} "
            f"| {row['low']:.1f} to {row['high']:.1f} | {gap:+.1f} | {row['verdict']} |"
        )
    return lines


def switched(rows: list[dict], beside: dict[str, float]) -> list[str]:
    lines = ["| reading | saboteurs+miners | measured | 95 % interval | change |", "| --- " * 5 + "|"]
    for row in rows:
        _, item, team = row["id"].split("/")
        lines.append(
            f"| `{item}` | {team} | {row['measured']:.1f} | {row['low']:.1f} to {row['high']:.1f} "
            f"| {row['measured'] - beside[team]:+.1f} |"
        )
    return lines


def study_tables(study: dict, seed: int, date: str) -> dict[str, list[str]]:
    by_table = {name: [row for row in study["rows"] if row["id"].startswith(name + "/")] for name in TABLES}
    measured = {name: {row["id"].split("/")[-1]: row["measured"] for row in rows} for name, rows in by_table.items()}
    games = {row["games"] for row in study["rows"]}
    result = {"krisnadi2019": [f"Measured {date}, seed {seed}, {min(games):,} games a cell, {study['seconds']:.0f} s in all."]}
    for name, rows in by_table.items():
        beside = measured["table4" if name == "ablation-2016" else "table5"]
        result[name] = switched(rows, beside) if name.startswith("ablation") else judged(rows)
    return result


def bench_table(rows: list[dict], date: str) -> list[str]:
    lines = [f"Measured {date} on a machine with two cores; one thread unless the name says otherwise.", ""]
    lines += ["| what | value | unit |", "| --- | ---: | --- |"]
    for row in rows:
        value = f"{row['value']:,.2f}" if row["value"] < 100 else f"{row['value']:,.0f}"
        lines.append(f"| {row['name']} | {value} | {row['unit']} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--date", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("study", type=Path)
    parser.add_argument("bench", type=Path)
    given = parser.parse_args()
    tables = study_tables(json.loads(given.study.read_text()), given.seed, given.date)
    tables["bench"] = bench_table(json.loads(given.bench.read_text()), given.date)
    text = RESULTS.read_text("utf-8")
    for name, lines in tables.items():
        marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not marked.search(text):
            raise SystemExit(f"{RESULTS} has no place marked {name}")
        text = marked.sub(lambda match, body="\n".join(lines): f"{match[1]}{body}\n{match[2]}", text)
    RESULTS.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
