r"""A metric against one parameter of one method, from stored scores: a figure (PNG, SVG) and its numbers (CSV).

One panel per metric; one line per preparation and per value of --split, with a band of one standard deviation over
repeats and restarts. The axis is logarithmic beyond the smallest positive value, and zero stands at its left end.

    mvarena export --db results.db --out scores.csv
    python benchmarks/draw_sensitivity.py --scores scores.csv \
        --algo rnnmf --data 3sources-complete --param alpha --out figures
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from mvarena.contracts.look import Look
from mvarena.registry.catalog import installed_catalog
from mvarena.report.context import context_of
from mvarena.report.figures import image_bytes
from mvarena.report.style import hex_code, line_pattern, looks


def points(scores: pd.DataFrame, algo: str, dataset: str, param: str, split: str | None) -> pd.DataFrame:
    """Mean and deviation, in percent, per line, parameter value and metric."""
    rows = scores[(scores["algorithm"] == algo) & (scores["dataset"] == dataset) & (scores["status"] == "DONE")]
    if rows.empty:
        raise SystemExit(f"No finished trial of {algo} on {dataset} in the scores.")
    params = rows["params"].map(json.loads)
    if param not in params.iloc[0]:
        raise SystemExit(f"{algo} has no parameter '{param}'; it has {', '.join(params.iloc[0])}.")
    line = rows["prepare"].fillna("").replace("", "as stored")
    if split:
        line = line + params.map(lambda values: f", {split} = {values[split]}")
    rows = rows.assign(line=line, x=params.map(lambda values: float(values[param])), value=100.0 * rows["value"])
    found = rows.groupby(["metric", "line", "x"], sort=True)["value"].agg(["mean", "std", "count"])
    return found.round(2).reset_index()


def draw(found: pd.DataFrame, dataset: str, param: str, metrics: list[str]) -> Figure:
    """One panel per metric."""
    context = context_of(installed_catalog(), [dataset])
    styles = looks(found["line"].unique(), context.looks)
    figure = Figure(figsize=(3.6 * len(metrics), 3.3), layout="constrained")
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    for axis, metric in zip(panels, metrics, strict=True):
        _draw_panel(axis, found[found["metric"] == metric], styles)
        axis.set(title=context.dataset(dataset), xlabel=param, ylabel=f"{context.metric(metric)} (%)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(
        handles,
        names,
        loc="outside lower center",
        ncols=min(3, len(names)),
        frameon=False,
        title="prepared by; band: ± 1 standard deviation",
    )
    return figure


def _draw_panel(axis: Axes, panel: pd.DataFrame, styles: dict[str, Look]) -> None:
    for name, line in panel.groupby("line"):
        look = styles[str(name)]
        axis.fill_between(
            line["x"], line["mean"] - line["std"], line["mean"] + line["std"], color=hex_code(look), alpha=0.12
        )
        axis.plot(
            line["x"],
            line["mean"],
            color=hex_code(look),
            linestyle=line_pattern(look),
            marker=look.marker,
            ms=4,
            label=name,
        )
    positive = panel.loc[panel["x"] > 0, "x"]
    least, largest = float(positive.min()), float(positive.max())
    has_zero = bool((panel["x"] == 0).any())
    axis.set_xscale("symlog", linthresh=least, linscale=0.5)
    axis.set_xlim(-0.15 * least if has_zero else least / 1.3, 1.3 * largest)
    powers = [10.0**power for power in range(-9, 9) if least <= 1.001 * 10.0**power <= 1.01 * largest]
    shown = [0.0, *powers] if has_zero else powers
    axis.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.grid(axis="y", color="0.9", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", type=Path, required=True, help="what mvarena export wrote")
    parser.add_argument("--algo", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--param", required=True, help="the parameter on the axis")
    parser.add_argument("--split", help="a second parameter, one line per value")
    parser.add_argument("--metric", nargs="+", default=["acc", "nmi"])
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    given = parser.parse_args()
    found = points(
        pd.read_csv(given.scores, keep_default_na=False, na_values={"value": [""]}),
        given.algo,
        given.data,
        given.param,
        given.split,
    )
    found = found[found["metric"].isin(given.metric)]
    stem = f"{given.algo}-{given.data}-{given.param}"
    figure = draw(found, given.data, given.param, given.metric)
    for kind in ("png", "svg"):
        (given.out / f"sensitivity-{stem}.{kind}").write_bytes(image_bytes(figure, kind))
    found.to_csv(given.out / f"sensitivity-{stem}.csv", index=False)


if __name__ == "__main__":
    main()
