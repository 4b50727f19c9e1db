"""The page of a tournament: whole in itself, and its numbers are those of the tables."""

from __future__ import annotations

import re

from arena.tournament.small import played
from molehunt.arena.tournament.tables import make_tables
from molehunt.studies.tournament_report import render_tournament

TEXT = """
name = "<Moles & miners>"
game = "saboteur/krisnadi"
seats = 3
roles = { saboteur = 1 }
players = ["means-ends-2016", "random"]
deals = 30
[stop]
compare = ["means-ends-2016", "random"]
every = 30
"""


def test_the_page_holds_all_it_shows_and_the_numbers_of_the_tables() -> None:
    progress = played(TEXT)
    tables = make_tables(progress.plan, progress.outcomes, progress.finished)
    page = render_tournament(tables, "molehunt tournament moles.toml")
    assert page == render_tournament(tables, "molehunt tournament moles.toml")
    assert not re.search(r"(src|href)=[\"'](?!#)|@import|url\(|https?://(?!www\.w3\.org)", page)
    assert "&lt;Moles &amp; miners&gt;" in page and "<Moles" not in page
    (event,) = tables.events
    for row in event.cross:
        if row.role == "saboteur":
            assert f"<b>{100 * row.rate:.1f}</b><small>{100 * row.low:.1f} to {100 * row.high:.1f}</small>" in page
    for standing in event.standings:
        assert f"{100 * standing.low:.1f} to {100 * standing.high:.1f}\N{NO-BREAK SPACE}%" in page
    headings = re.findall(r"<h3[^>]*>([^<]*)</h3>", page)
    assert [heading.partition(":")[0] for heading in headings].count("Ratings") == 2
    names = re.findall(r' id="([^"]*)"', page)
    assert len(set(names)) == len(names)
