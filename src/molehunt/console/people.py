"""`molehunt study people`: what a store of games with people says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from molehunt.console.screen import out
from molehunt.core.errors import BadInput
from molehunt.studies.people import analysis


def tell_people(store: Path | None, others: Mapping[str, object] = MappingProxyType({})) -> int:
    """Print the analysis of docs/people.md; the exit status. BadInput where one of `others`, options of studies, has a value."""
    for option, value in others.items():
        if value is not None:
            raise BadInput(f"what a study with people says is read from --store alone; there is no {option} with it")
    if store is None:
        raise BadInput("name the folder of the people: molehunt study people --store FOLDER")
    for line in analysis(store):
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0
