"""`molehunt study people`: what a store of games with people says."""

from __future__ import annotations

from pathlib import Path

from molehunt.console.screen import out
from molehunt.core.errors import BadInput
from molehunt.studies.people import analysis


def tell_people(store: Path | None) -> int:
    """Print the analysis of docs/people.md; the exit status."""
    if store is None:
        raise BadInput("name the folder of the people: molehunt study people --store FOLDER")
    for line in analysis(store):
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0
