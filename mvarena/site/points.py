"""Points that standings are made of, for the pages to choose among: the summary that every report shows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mvarena.site.data import Material
from mvarena.site.scripts import EVERY, coded, reals
from mvarena.text import visible, without_folders

_ROW = ["dataset", "corruption", "rate", "contestant"]


def point_tables(material: Material) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One row per data set, condition and contestant: what is the same for all metrics, and a table for each metric.

    Names are indices in the lists of `mvarena.site.labels`. `paired`, of which ranks are made, keeps every digit.
    """
    summary = material.results.summary
    rows = summary.drop_duplicates(_ROW).reset_index(drop=True)
    shared = {
        "n": len(rows),
        "dataset": coded(rows["dataset"], material.datasets)["codes"],
        "condition": material.codes_of_conditions(rows),
        "contestant": coded(rows["contestant"], material.contestants)["codes"],
        "seconds": reals(rows["cpu_s"], 4),
        "peak_rss_mb": reals(rows["peak_rss_mb"], 4),
        **{name: rows[name].astype(int).tolist() for name in ("n_stored", "failed", "skipped")},
        **{name: coded(rows[name].map(_shown)) for name in ("prepare", "reason")},
    }
    of_metric = dict(list(summary.groupby("metric", sort=False)))
    tables = [_of_metric(rows[_ROW], of_metric.get(metric, summary.iloc[:0])) for metric in material.metrics]
    return shared, tables


def _of_metric(rows: pd.DataFrame, summary: pd.DataFrame) -> dict[str, Any]:
    """The rows by one metric; those that it is not shown of have no number."""
    found = rows.merge(summary, on=_ROW, how="left")
    counts = found[["n_trials", "n_paired", "n_nan", "unscored"]].fillna(0).astype(int)
    flags = found[["above", "label_picked", "competes"]].eq(True).astype(int)
    return {
        "mean": reals(found["mean"]),
        "std": reals(found["std"], 4),
        "paired": reals(found["paired"], EVERY),
        **{name: column.tolist() for name, column in (*counts.items(), *flags.items())},
        **{name: coded(found[name].fillna("").map(_shown)) for name in ("status", "choice")},
    }


def _shown(text: str) -> str:
    """A text that others chose, without folders and as it can be shown."""
    return visible(without_folders(text))
