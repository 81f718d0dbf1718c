"""The table of contestants, from what they announce: families, what they take, what they have been checked against."""

from __future__ import annotations

from typing import get_args

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.specs import AlgorithmSpec, Verification
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog
from mvarena.report.markdown import markdown_escape
from mvarena.study.families import family_of

FREE_OF_SQUARES = "°"
_STATES = get_args(Verification)
_HEAD = "| family | takes incomplete data | needs complete data | status |\n|---|---|---|---|\n"


def contestants_table(catalog: Catalog, distribution: str = "mvarena") -> str:
    """Markdown: a row per family and status of a distribution's algorithms, by name; imports all of them.

    `FREE_OF_SQUARES` marks those that hold no n x n matrix.
    """
    rows: dict[tuple[str, int], tuple[list[str], list[str]]] = {}
    for spec in catalog.specs("algorithm"):
        if isinstance(spec, AlgorithmSpec) and catalog.plugin_of(spec).distribution == distribution:
            row = rows.setdefault((family_of(spec), _STATES.index(spec.status)), ([], []))
            row[0 if spec.capabilities.missing else 1].append(_shown(spec, catalog.load(spec)))
    return _HEAD + "".join(
        f"| {' | '.join([markdown_escape(family), ', '.join(taking), ', '.join(needing), _STATES[state]])} |\n"
        for (family, state), (taking, needing) in sorted(rows.items())
    )


def _shown(spec: AlgorithmSpec, kind: type[MultiViewClusterer]) -> str:
    free = "features" in spec.capabilities.kinds and _grows_linearly(kind)
    return markdown_escape(spec.name) + (FREE_OF_SQUARES if free else "")


def _grows_linearly(kind: type[MultiViewClusterer]) -> bool:
    """Whether ten times as many samples need at most about ten times the memory: an n x n matrix would make it 100."""
    few, many = (kind().memory_needed(_two_views(n)) for n in (1_000, 10_000))
    return many <= 15 * few


def _two_views(n: int) -> MultiViewData:
    return MultiViewData.from_arrays([np.ones((n, 2)), np.ones((n, 3))], n_clusters=2)
