"""python -m benchmarks.page_figures: the figures of reports/picking and reports/numbers, and their numbers as .csv.

They are made of picking-across.csv, picking-within.csv and numbers.json, which lie beside the pages.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mvarena.analysis.comparison import mean_interval
from mvarena.papers.row_figures import draw_rows
from mvarena.report.drawing.canvas import image_bytes, in_palette
from mvarena.report.exports import csv_text
from mvarena.report.files import write_file

REPORTS = Path(__file__).parents[1] / "reports"
PICKING, NUMBERS = REPORTS / "picking", REPORTS / "numbers"
_WAYS = ("modularity", "silhouette", "agreement", "eigengap", "gap", "stability", "view-stability")
_DEFAULT = _WAYS[0]


def main() -> None:
    title = "Regret in ACC by picker, mean over 12 data sets, missing-even at 0.3"
    _write(PICKING / "regret", picking(PICKING), title)
    title = "Loss in adjusted Rand index by criterion, 2 to 12 clusters, 22 data sets"
    _write(NUMBERS / "loss", numbers(NUMBERS), title)


def _write(stem: Path, points: pd.DataFrame, title: str) -> None:
    write_file(stem.with_suffix(".png"), in_palette(image_bytes(draw_rows(points, title), "png"), 64))
    write_file(stem.with_suffix(".csv"), csv_text(points.round(4)))


def picking(folder: Path) -> pd.DataFrame:
    """Mean regret in points of ACC of each picker over data sets, with its 95 % t-interval; the least regret first."""
    parts = []
    for series, file in (("among all methods", "picking-across"), ("within one method's grid", "picking-within")):
        rows = pd.read_csv(folder / f"{file}.csv").query("metric == 'acc' and picker != 'oracle'")
        regrets = rows.groupby(["dataset", "picker"])["regret"].mean().unstack()
        for picker, values in regrets.items():
            known = values.dropna().to_numpy()
            row = str(picker) if len(known) == len(values) else f"{picker} ({len(known)} sets)"
            parts.append((row, series, *mean_interval(known)))
    points = pd.DataFrame(parts, columns=["row", "series", "value", "low", "high"])
    order = points.groupby("row")["value"].transform("first").sort_values(kind="stable").index
    return points.loc[order].assign(axis="regret (points of ACC), 95 % interval over data sets").reset_index(drop=True)


def numbers(folder: Path) -> pd.DataFrame:
    """Mean loss of each criterion over data sets, and how much more it is than modularity's, with a 95 % interval by
    10,000 draws of the data sets; the least loss first."""
    stored = json.loads((folder / "numbers.json").read_text("utf-8"))
    losses = pd.DataFrame({name: _losses(entry) for name, entry in stored.items()}).T
    generator = np.random.default_rng(0)
    parts = []
    for way in losses:
        more = (losses[way] - losses[_DEFAULT]).dropna().to_numpy()
        means = more[generator.integers(0, len(more), (10_000, len(more)))].mean(axis=1)
        parts.append((way, "mean loss (ARI)", losses[way].mean(), np.nan, np.nan))
        if way != _DEFAULT:
            axis = f"mean loss minus that of {_DEFAULT} (ARI), 95 % interval"
            parts.append((way, axis, more.mean(), *np.percentile(means, (2.5, 97.5))))
    points = pd.DataFrame(parts, columns=["row", "axis", "value", "low", "high"])
    order = points["row"].map(losses.mean()).sort_values(kind="stable").index
    return points.loc[order].reset_index(drop=True)


def _losses(entry: dict[str, Any]) -> dict[str, float]:
    """The loss of each way to choose on one data set: the ARI of the best number minus that of the chosen one."""
    curve = pd.DataFrame(entry["curve"]).set_index("k")
    chosen = {way: curve[way].idxmax() for way in _WAYS if way in curve and curve[way].notna().any()}
    if "gap" in curve:  # Tibshirani, Walther and Hastie 2001, section 4, step 3
        reached = curve["gap"] >= (curve["gap"] - curve["gap error"]).shift(-1, fill_value=-np.inf)
        chosen["gap"] = reached.idxmax()
    loss = curve["ari"].max() - curve["ari"]
    found = {way: float(loss[chosen[way]]) if way in chosen else np.nan for way in _WAYS}
    return found | {
        "always 2": float(loss[2]),
        "at random": float(loss.mean()),
        "classes": float(loss[entry["classes"]]),
    }


if __name__ == "__main__":
    main()
