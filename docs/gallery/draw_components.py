"""Draws what corruptions do and how metrics behave: python docs/gallery/draw_components.py [NAME].

A picture of a corruption shows 36 samples of three classes before and after; that of a metric its values as a labelling
gets worse, or as clusters move apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mvarena.contracts.metric import Checkpoints, Contingency, Outcomes, Points, Restarts, Space
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.specs import CorruptionSpec, MetricSpec
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.report.drawing.canvas import in_palette

FOLDER = Path(__file__).parent / "components"
_CLASSES = ListedColormap(["white", "#0072b2", "#e69f00", "#009e73"])
_RATES = (0.1, 0.3, 0.5)
_SHARES = np.linspace(0, 1, 21)
_DISTANCES = np.linspace(0, 6, 13)


# Corruptions


def example(n_views: int = 2) -> MultiViewData:
    """36 samples of three classes; view v has 8 features, whose values tell the classes apart."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 12)
    centres = np.array([[1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1, 1]], float)
    views = [np.roll(centres, v, axis=1)[labels] + 0.15 * rng.normal(size=(36, 8)) for v in range(n_views)]
    return MultiViewData.from_arrays(views, labels=labels, name="example")


def masks_figure(corruption: Any) -> Figure:
    """A panel for each rate: a column per sample, a row per view, white where the view misses the sample."""
    data = example(n_views=3)
    figure = Figure(figsize=(6.6, 2.6), layout="constrained")
    for axis, rate in zip(figure.subplots(len(_RATES), 1), _RATES, strict=True):
        at = min(rate, corruption.largest_rate(data))
        mask = corruption.apply(data, at, np.random.default_rng(3)).mask
        axis.imshow((mask * (data.labels + 1)[:, None]).T, _CLASSES, vmin=0, vmax=3, aspect="auto")
        axis.set_xticks(np.arange(data.n_samples + 1) - 0.5, labels=[])
        axis.set_yticks(np.arange(4) - 0.5, labels=[])
        axis.grid(color="0.6", linewidth=0.4)
        axis.tick_params(length=0)
        incomplete, missing = 100 * (~mask).any(axis=1).mean(), 100 * (~mask).mean()
        missed = f"{incomplete:.0f} % of the samples incomplete, {missing:.0f} % of all rows missing"
        axis.set_title(f"rate {at:.2g}: {missed}", fontsize=8, loc="left")
    return figure


def values_figure(spec: CorruptionSpec, corruption: Any) -> Figure:
    """Both views before and after, a row per sample and a column per feature."""
    data = example()
    rate = 2.0 if spec.rate_kind == "snr" else min(0.3, corruption.largest_rate(data))
    after = corruption.apply(data, rate, np.random.default_rng(1))
    figure = Figure(figsize=(6.6, 3), layout="constrained")
    panels = zip(figure.subplots(1, 4), [(0, data), (0, after), (1, data), (1, after)], strict=True)
    for axis, (index, shown) in panels:
        axis.imshow(shown.views[index].matrix, "cividis", vmin=-0.6, vmax=1.6, aspect="auto", interpolation="nearest")
        axis.set(xticks=[], yticks=[])
        axis.set_title(f"view {index + 1}, {'before' if shown is data else f'rate {rate:g}'}", fontsize=8)
    return figure


# Metrics


def labelled(counts: tuple[int, ...]) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(counts)), counts)


def partly_random(truth: NDArray[np.int64], share: float, seed: int) -> NDArray[np.int64]:
    """The classes, of which a share of the samples is moved into random clusters."""
    rng = np.random.default_rng(seed)
    moved = rng.permutation(len(truth))[: round(share * len(truth))]
    labels = truth.copy()
    labels[moved] = rng.integers(truth.max() + 1, size=len(moved))
    return labels


_SIZES = {"3 equal classes": (100,) * 3, "10 equal classes": (30,) * 10, "classes of 240, 30 and 30": (240, 30, 30)}
_MOVED = "share of the samples moved into random clusters"


def curves_of(spec: MetricSpec, metric: Callable[[Any], float]) -> tuple[str, NDArray[Any], dict[str, list[float]]]:
    """The axis in words, its values, and the metric at each by example."""
    if spec.needs == "truth":
        return _MOVED, _SHARES, {
            name: [_mean(metric(Contingency.from_labels(truth, partly_random(truth, share, seed))) for seed in range(5))
                   for share in _SHARES]
            for name, truth in ((name, labelled(counts)) for name, counts in _SIZES.items())
        }  # fmt: skip
    if spec.needs == "restarts":
        return _MOVED + ", in each restart", _SHARES, {
            name: [metric(Restarts([partly_random(truth, share, seed) for seed in range(5)])) for share in _SHARES]
            for name, truth in ((name, labelled(counts)) for name, counts in _SIZES.items())
        }  # fmt: skip
    if spec.needs == "points":
        return "distance of neighbouring centres, in standard deviations of a cluster", _DISTANCES, {
            "3 clusters": [metric(points(distance, merge=False)) for distance in _DISTANCES],
            "2 of them taken as one": [metric(points(distance, merge=True)) for distance in _DISTANCES],
        }  # fmt: skip
    if spec.needs == "outcomes":
        hazards = np.linspace(1, 4, 7)
        return "hazard ratio of two clusters", hazards, {
            f"{n} samples": [_mean(metric(outcomes(n, hazard, seed)) for seed in range(3)) for hazard in hazards]
            for n in (60, 200)
        }  # fmt: skip
    truth = labelled((100,) * 3)
    steps = np.arange(1, 11)
    tables = [[Contingency.from_labels(truth, partly_random(truth, 0.2 + 0.06 * abs(step - 4), 0))] for step in steps]
    return "iterations so far", steps, {
        "best so far, by the classes": [metric(Checkpoints(tables[:step])) for step in steps],
        "at that iteration": [metric(Checkpoints([tables[step - 1]])) for step in steps],
    }  # fmt: skip


def _mean(values: Any) -> float:
    return float(np.mean(list(values)))


def points(distance: float, *, merge: bool) -> Points:
    """Three groups of 60 in two views of two features, with their labels, or with two labels as one."""
    rng = np.random.default_rng(0)
    truth = labelled((60,) * 3)
    centres = distance * np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
    views = [rng.normal(size=(180, 2)) + centres[truth] for _ in range(2)]
    data = MultiViewData.from_arrays(views, name="points")
    labels = np.minimum(truth, 1) if merge else truth
    return Points(labels, Space.of_embedding(np.hstack(views)), Space.of_views(data))


def outcomes(n: int, hazard: float, seed: int) -> Outcomes:
    """Exponential survival of two clusters, a fifth of it censored, and two columns that go with the hazard."""
    rng = np.random.default_rng(seed)
    labels = labelled((n // 2, n // 2))
    time = rng.exponential(1 / np.where(labels == 1, hazard, 1.0))
    columns = {"age": rng.normal(60, 10, n) + 3 * (hazard - 1) * labels,
               "stage": np.where(rng.random(n) < 0.3 + 0.1 * (hazard - 1) * labels, "II", "I")}  # fmt: skip
    return Outcomes(labels, OutcomeTable(n_samples=n, time=time, event=rng.random(n) < 0.8, columns=columns), seed)


def metric_figure(spec: MetricSpec, metric: Callable[[Any], float]) -> Figure:
    figure = Figure(figsize=(4.4, 2.5), layout="constrained")
    axis = figure.subplots()
    words, x, curves = curves_of(spec, metric)
    for (name, values), style, colour in zip(
        curves.items(), ("-", "--", ":"), ("#0072b2", "#d55e00", "#009e73"), strict=False
    ):
        axis.plot(x, values, style, color=colour, label=name)
    axis.set_xlabel(words, fontsize=8)
    axis.set_ylabel(spec.label or spec.name, fontsize=8)
    axis.tick_params(labelsize=8)
    axis.legend(fontsize=7, frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def pictured(catalog: Catalog) -> list[CorruptionSpec | MetricSpec]:
    """The corruptions and metrics that come with mvarena; each has a picture."""
    specs = [*catalog.specs("corruption"), *catalog.specs("metric")]
    return [
        spec
        for spec in specs
        if isinstance(spec, (CorruptionSpec, MetricSpec)) and catalog.plugin_of(spec).distribution == "mvarena"
    ]


def main(names: list[str]) -> None:
    catalog = installed_catalog()
    FOLDER.mkdir(exist_ok=True)
    for spec in pictured(catalog):
        if names and spec.name not in names:
            continue
        target = catalog.load(spec)
        if isinstance(spec, MetricSpec):
            figure = metric_figure(spec, target)
        else:
            figure = masks_figure(target()) if spec.makes_missing else values_figure(spec, target())
        path = FOLDER / f"{spec.component}-{spec.name}.png"
        figure.savefig(path, dpi=110)
        path.write_bytes(in_palette(path.read_bytes(), 64))


if __name__ == "__main__":
    main(sys.argv[1:])
