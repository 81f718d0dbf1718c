"""The methods that mvarena announces, as a table of families: what takes incomplete data, and what was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from mvarena.contracts.specs import AlgorithmSpec, Verification
from mvarena.report.formats.markdown import markdown_escape
from mvarena.report.formats.pages import markdown_rows
from mvarena.study.families import FREE_OF_SQUARES, family_of

if TYPE_CHECKING:
    from mvarena.registry.catalog import Catalog

_STATES = get_args(Verification)
_HEAD = ("family", "takes incomplete data", "needs complete data", "status")


def contestants_table(catalog: Catalog) -> str:
    """Markdown: a row per family and status of mvarena's own algorithms, by name.

    `FREE_OF_SQUARES` marks those that hold no n x n matrix.
    """
    rows: dict[tuple[str, int], tuple[list[str], list[str]]] = {}
    for spec in catalog.specs("algorithm"):
        if isinstance(spec, AlgorithmSpec) and catalog.plugin_of(spec).distribution == "mvarena":
            row = rows.setdefault((family_of(spec), _STATES.index(spec.status)), ([], []))
            shown = markdown_escape(spec.name) + (FREE_OF_SQUARES if spec.linear_memory else "")
            row[0 if spec.capabilities.missing else 1].append(shown)
    lines = [
        (markdown_escape(family), ", ".join(taking), ", ".join(needing), _STATES[state])
        for (family, state), (taking, needing) in sorted(rows.items())
    ]
    return markdown_rows(_HEAD, lines) + "\n"
