"""The space of one trial: its embedding in two dimensions, by class and by cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from mvarena.report.context import Context
from mvarena.report.drawing.canvas import Drawing, caption, drawable_words, panels, per_row_for, set_head
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.style import MARKERS, PALETTE, Looks
from mvarena.report.trial_data import DrawnTrial

if TYPE_CHECKING:
    from mvarena.engine.replay import Space
    from mvarena.report.data import ReportData

SUMMARY = "the samples of a trial in two dimensions, by class and by cluster"
NEEDS = "the key of a finished trial (mvarena results list --trials) whose data are available"
SPLIT = ("trial",)
_MOST_SAMPLES = 2000  # that are drawn, evenly spread
_COLUMNS = (
    "trial", "sample", "x", "y", "share_x", "share_y", "class", "cluster", "matched", "n_samples", "what", "title",
)  # fmt: skip
_HIGH = 2.8  # inches
_MOST_NAMED = 18  # classes that a legend names
_UNLABELLED = "#B0B0B0"


def points(results: ReportData) -> pd.DataFrame:
    """One row per trial and sample.

    x, y : the first two principal components of the rows that k-means clustered, to five digits; share_x, share_y :
    their shares of the variance.
    class : -1 where unlabelled. matched : the class that stands for the sample's cluster where clusters and classes are
    matched one to one (Hungarian), below -1 for a cluster without one. Of many samples 2,000 are kept.
    """
    parts = [_embedding(trial, results.context) for trial in results.drawn]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(_COLUMNS))


def _embedding(trial: DrawnTrial, context: Context) -> pd.DataFrame:
    space = trial.space
    places, shares = principal_plane(space.points)
    n = len(places)
    kept = np.unique(np.linspace(0, n - 1, min(n, _MOST_SAMPLES)).round().astype(int))
    frame = pd.DataFrame(
        {
            "sample": kept,
            "x": [_digits(item, 5) for item in places[kept, 0]],
            "y": [_digits(item, 5) for item in places[kept, 1]],
            "class": _classes(space)[kept],
            "cluster": space.clusters[kept],
            "matched": matched(space)[kept],
        }
    )
    what = "embedding" if space.affinity is None else "spectral embedding of the affinity"
    of_all_points = {"trial": trial.key, "n_samples": n, "what": what, "title": _title(trial, context)}
    return frame.assign(share_x=_digits(shares[0], 4), share_y=_digits(shares[1], 4), **of_all_points)[list(_COLUMNS)]


def principal_plane(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """(n, 2) the first two principal components, each with its largest entry positive, and their shares of variance."""
    centred = points - points.mean(axis=0)
    if centred.shape[1] < 2:
        centred = np.column_stack([centred, np.zeros((len(centred), 2 - centred.shape[1]))])
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    places = left[:, :2] * values[:2]
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros(len(places))])
    largest = places[np.abs(places).argmax(axis=0), [0, 1]]
    total = float((values**2).sum()) or 1.0
    shares = [float(value**2) / total for value in (*values[:2], 0.0)]
    return places * np.where(largest < 0, -1.0, 1.0), (shares[0], shares[1])


def matched(space: Space) -> NDArray[np.int64]:
    """(n,) the class that each sample's cluster is matched to, one to one; -2, -3, ... for clusters beyond."""
    names, clusters = np.unique(space.clusters, return_inverse=True)
    if space.classes is None:
        return clusters.astype(np.int64)
    kinds = np.unique(space.classes[space.classes >= 0])
    counts = np.array(
        [[(space.classes[clusters == item] == kind).sum() for kind in kinds] for item in range(len(names))]
    )
    stands_for = -2 - np.arange(len(names))
    rows, columns = linear_sum_assignment(-counts)
    stands_for[rows] = kinds[columns]
    return np.asarray(stands_for[clusters], dtype=np.int64)


def _classes(space: Space) -> NDArray[np.int64]:
    return np.full(len(space.clusters), -1) if space.classes is None else space.classes


def _digits(value: float, count: int) -> float:
    """The number to so many significant digits, which is what can be seen."""
    return float(f"{value:.{count}g}")


def _title(trial: DrawnTrial, context: Context) -> str:
    on = f"{context.contestant(trial.algorithm)} on {context.dataset(trial.dataset)}"
    return f"{on}, {context.condition(trial.corruption, trial.rate, [trial.dataset])}"


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one trial: left by class, right by cluster."""
    del looks
    points, of_names = drawable_words(points, ("title",), width)
    sides = [("class", "by class")] if (points["class"] >= 0).any() else []
    sides.append(("matched", "by cluster"))
    own = _group_looks(points, [column for column, _ in sides])
    named = list(own) if len(own) <= _MOST_NAMED else []
    labels = [_group_name(group, len(sides) > 1) for group in named]
    per_row = per_row_for(len(sides), width, 1.6)
    figure, axes = panels(len(sides), per_row, _HIGH, width, below=legend_height(labels, width))
    for axis, (column, title) in zip(axes, sides, strict=True):
        _scatter(axis, points, column, own, title)
    set_head(figure, points["title"].iloc[0])
    draw_legend(figure, [_dot(*own[group]) for group in named], labels, lines=False)
    first = points.iloc[0]
    kept = f"{len(points):,} of {first['n_samples']:,} samples." if len(points) < first["n_samples"] else ""
    text = f"{first['title']}: first two principal components of the {first['what']} of trial {first['trial']}."
    return Drawing(figure, caption(text, "A mark is a sample.", kept, of_names))


def _group_looks(points: pd.DataFrame, columns: list[str]) -> dict[int, tuple[str, str]]:
    """Class or cluster -> colour and marker; a cluster has those of the class that it is matched to."""
    groups = sorted({int(item) for column in columns for item in points[column].unique()})
    ordered = [group for group in groups if group >= 0] + [group for group in groups if group < -1][::-1]
    values: dict[int, tuple[str, str]] = {
        item: (PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)]) for index, item in enumerate(ordered)
    }
    return values | ({-1: (_UNLABELLED, "o")} if -1 in groups and "class" in columns else {})


def _group_name(group: int, classes: bool) -> str:
    if group == -1:
        return "unlabelled"
    if group < -1:
        return f"cluster without a class {-group - 1}"
    return f"class {group}" if classes else f"cluster {group}"


def _scatter(axis: Axes, points: pd.DataFrame, column: str, own: dict[int, tuple[str, str]], title: str) -> None:
    size = 14.0 if len(points) <= 300 else 7.0 if len(points) <= 1000 else 4.5
    for group, part in points.groupby(column):
        colour, marker = own[int(str(group))]
        axis.scatter(part["x"], part["y"], s=size, color=colour, marker=marker, linewidths=0.0, alpha=0.75)
    axis.set(title=title, xticks=[], yticks=[])
    axis.set_xlabel(f"first component ({100 * points['share_x'].iloc[0]:.0f} %)")
    axis.set_ylabel(f"second component ({100 * points['share_y'].iloc[0]:.0f} %)")


def _dot(colour: str, marker: str) -> Line2D:
    return Line2D([], [], color=colour, marker=marker, linestyle="none", markersize=5)
