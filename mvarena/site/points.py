"""The points that standings are made of, for the pages to choose among: the summary that every report shows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mvarena.site.data import Material
from mvarena.site.scripts import coded, exact, reals
from mvarena.site.trials import preparation_words
from mvarena.text import visible, without_folders

COUNTS = ("n_stored", "n_trials", "n_nan", "unscored", "failed", "skipped", "superseded")


def point_tables(material: Material) -> dict[str, dict[str, Any]]:
    """Metric -> one row per preparation, data set, corruption, rate and contestant (`mvarena.report.data.ReportData`).

    Names are places in the lists of `mvarena.site.trials`, which are sorted as texts: what is decided by the order of
    names comes out in the pages as it does in Python. Means keep every digit, for the same reason.
    """
    parts = [part.summary.assign(preparation=preparation_words(part)) for part in material.parts]
    summary = pd.concat(parts, ignore_index=True)
    return {str(metric): _table(rows, material) for metric, rows in summary.groupby("metric", sort=False)}


def _table(rows: pd.DataFrame, material: Material) -> dict[str, Any]:
    return {
        "n": len(rows),
        "dataset": coded(rows["dataset"], material.datasets)["codes"],
        "corruption": coded(rows["corruption"], material.corruptions)["codes"],
        "contestant": coded(rows["contestant"], material.contestants)["codes"],
        "rate": exact(rows["rate"]),
        "mean": exact(rows["mean"]),
        "std": reals(rows["std"], 6),
        "wall_s": reals(rows["wall_s"], 6),
        "control": exact(rows["control"]),
        "above": rows["above"].astype(int).tolist(),
        "peak_rss_mb": reals(rows["peak_rss_mb"], 5),
        "label_picked": rows["label_picked"].astype(int).tolist(),
        **{name: rows[name].astype(int).tolist() for name in COUNTS},
        **{
            name: coded(rows[name].map(_shown))
            for name in ("preparation", "protocol", "prepare", "status", "reason", "choice")
        },
        "repeats": coded(rows["repeats"]),
    }


def _shown(text: str) -> str:
    """A text that others chose, without folders and as it can be shown."""
    return visible(without_folders(text))
