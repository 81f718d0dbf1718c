"""Stored results that tests of papers are made of, small and typed by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import pytest

from mvarena.contracts.protocol import counted_value
from mvarena.papers.measure import Evidence
from mvarena.papers.model import Table
from mvarena.store.cards import Cards


@pytest.fixture
def evidence_of() -> Callable[..., Evidence]:
    """Evidence from rows {algorithm, params, dataset, rate, repeat, metric: value, ...}, by default of concat; values
    are shares."""

    def build(*rows: Mapping[str, Any], facts: Mapping[str, Mapping[str, float]] | None = None) -> Evidence:
        long = []
        for number, row in enumerate(rows):
            place = {
                "key": row.get("key", f"k{number}"),
                "algorithm": row.get("algorithm", "concat"),
                "params": json.dumps({"n_clusters": None} | row.get("params", {})),
                "dataset": row.get("dataset", "toy"),
                "corruption": row.get("corruption", "none"),
                "rate": row.get("rate", 0.0),
                "prepare": row.get("prepare", ""),
                "protocol": row.get("protocol", "average"),
                "seed": 0,
                "repeat": row.get("repeat", 0),
                "fit_s": row.get("fit_s", 1.0),
                "cpu_s": row.get("cpu_s", 1.0),
                "reason": "",
            }
            values: Sequence[float] | float = row.get("acc", ())
            restarts = [values] if isinstance(values, float) else list(values)
            if restarts:
                value, spread = counted_value("mean", restarts, [0.0] * len(restarts))
                scored = {"metric": "acc", "value": value, "spread": spread, "restarts": len(restarts)}
                long.append(place | scored)
        runs = {row["key"]: row["run"] for row in rows if "run" in row}
        return Evidence(pd.DataFrame(long), runs, facts or {}, Cards({}, {}))

    return build


@pytest.fixture
def table_of() -> Callable[..., Table]:
    """A table of one column and one metric from {row: (printed, algorithm)}."""

    def build(rows: Mapping[str, tuple[str, str]], **more: Any) -> Table:
        return Table.model_validate(
            {
                "name": "toy-table-1",
                "title": "A table",
                "study": "toy",
                "metrics": ["acc"],
                "column": [{"name": "toy", "data": "toy"}],
                "row": [
                    {"name": name, "printed": {"toy": printed}, "made": [{"label": algorithm, "algo": algorithm}]}
                    for name, (printed, algorithm) in rows.items()
                ],
                **more,
            }
        )

    return build
