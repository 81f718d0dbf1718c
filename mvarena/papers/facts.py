"""Numbers of data sets, the paper's beside those of the stored trials' data."""

from __future__ import annotations

from dataclasses import dataclass

from mvarena.papers.evidence import Evidence
from mvarena.papers.model import Column, Facts
from mvarena.papers.printed import Printed, read_cell


@dataclass(frozen=True, slots=True)
class Fact:
    """One number of a data set; here : None where no stored trial knows it. same : None where one of them is not there.

    What is printed is rounded, so half a unit of its last digit is allowed.
    """

    column: Column
    name: str
    printed: Printed | None
    here: float | None

    @property
    def same(self) -> bool | None:
        if self.printed is None or self.here is None:
            return None
        return abs(self.printed.value - self.here) <= 0.5 * 10.0**-self.printed.digits + 1e-9


def check_facts(table: Facts, found: Evidence) -> tuple[Fact, ...]:
    """Every number of `table` beside that of the data here."""
    facts = []
    for column in table.columns:
        known = dict(found.facts.get(column.data or "", {}))
        known |= {
            f"missing-{i}": known[f"missing-{view}"]
            for i, view in enumerate(column.views, 1)
            if f"missing-{view}" in known
        }
        cells = read_cell(table.printed[column.name], len(table.facts))
        facts += [Fact(column, name, cell, known.get(name)) for name, cell in zip(table.facts, cells, strict=True)]
    return tuple(facts)
