"""The space of one trial: its embedding in two dimensions, its affinity as an image, by class and by cluster."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, panels
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.figures.embedding import AFFINITY_COLUMNS
from mvarena.report.style import MARKERS, PALETTE, Looks

_SIZE = (3.3, 3.0)
_MOST_NAMED = 18  # classes that a legend names
_UNLABELLED = "#B0B0B0"


def draw_embedding(points: pd.DataFrame, looks: Looks) -> Figure:
    """Draw the points of `report.figures.embedding.embedding_points`: left by class, right by cluster."""
    del looks
    points, escaped = drawable_words(points, ("title",))
    sides = [("class", "by class")] if (points["class"] >= 0).any() else []
    sides.append(("matched", "by cluster"))
    own = _group_looks(points, [column for column, _ in sides])
    named = list(own) if len(own) <= _MOST_NAMED else []
    labels = [_group_name(group, len(sides) > 1) for group in named]
    with rc_context(RC):
        width = figure_width(len(sides), _SIZE[0])
        figure, axes = panels(len(sides), len(sides), _SIZE, below=legend_height(labels or [""], width) + 0.15)
        for axis, (column, title) in zip(axes, sides, strict=True):
            _scatter(axis, points, column, own, title)
        figure.suptitle(points["title"].iloc[0], fontsize=9.5)
        first = points.iloc[0]
        kept = f"; {len(points):,} of {first['n_samples']:,} samples" if len(points) < first["n_samples"] else ""
        text = f"{first['what']}, first two principal components{kept}{f'; {NOTE}' if escaped else ''}"
        if named:
            handles = [_dot(*own[group]) for group in named]
            draw_legend(figure, handles, labels, text, lines=False)
        else:
            figure.supxlabel(f"{text}; {len(own)} groups", fontsize=8)
        return finish(figure)


def draw_affinity(points: pd.DataFrame, looks: Looks) -> Figure:
    """Draw the matrices of `report.figures.embedding.affinity_points`, with strips of classes and clusters."""
    del looks
    points, escaped = drawable_words(points, ("title",))
    points = points.dropna(axis=1, how="all")
    parts = [part for _, part in points.groupby("order", sort=False)]
    own = _group_looks(points, ["class", "matched"])
    with rc_context(RC):
        figure, axes = panels(len(parts), len(parts), _SIZE, below=0.35)
        for axis, part in zip(axes, parts, strict=True):
            _matrix(axis, part, own)
        figure.suptitle(points["title"].iloc[0], fontsize=9.5)
        binned = int(points["n"].max())
        mean = f"; each dot is the mean over up to {binned} samples" if binned > 1 else ""
        classes = "left strip: classes, " if (points["class"] >= 0).any() else ""
        text = f"{points['what'].iloc[0]}, dark is similar{mean}\n{classes}top strip: clusters matched to classes"
        figure.supxlabel(text + (f"; {NOTE}" if escaped else ""), fontsize=8)
        return finish(figure)


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
    axis.set_title(title)
    axis.set_xlabel(f"first component ({100 * points['share_x'].iloc[0]:.0f} %)")
    axis.set_ylabel(f"second component ({100 * points['share_y'].iloc[0]:.0f} %)")
    axis.set_xticks([])
    axis.set_yticks([])


def _dot(colour: str, marker: str) -> Line2D:
    return Line2D([], [], color=colour, marker=marker, linestyle="none", markersize=5)


def _matrix(axis: Axes, part: pd.DataFrame, own: dict[int, tuple[str, str]]) -> None:
    values = part.drop(columns=[name for name in AFFINITY_COLUMNS if name in part]).to_numpy(dtype=float)
    off = values[~np.eye(len(values), dtype=bool)] if len(values) > 1 else values.ravel()
    low, high = (float(item) for item in np.nanquantile(off, [0.01, 0.99]))
    axis.imshow(values, cmap="Greys", vmin=low, vmax=high if high > low else low + 1.0, interpolation="nearest")
    n = len(values)
    # left, right, bottom and top of each strip: the rows of the matrix run downwards
    strips = {"class": (-0.06 * n, -0.02 * n, n - 0.5, -0.5), "matched": (-0.5, n - 0.5, -0.02 * n, -0.06 * n)}
    known = {group: index for index, group in enumerate(own)}
    colours = ListedColormap([colour for colour, _ in own.values()])
    for column, extent in strips.items():
        groups = part[column].to_numpy(dtype=int)
        if column == "class" and (groups < 0).all():
            continue
        codes = np.array([[known[int(group)] for group in groups]])
        axis.imshow(codes.T if column == "class" else codes, cmap=colours, vmin=-0.5, vmax=len(own) - 0.5,
                    extent=extent, interpolation="nearest", clip_on=False, aspect="auto")  # fmt: skip
    axis.set_xlim(-0.07 * n, n - 0.5)
    axis.set_ylim(n - 0.5, -0.07 * n)
    axis.set_aspect("equal")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.spines[:].set_visible(False)
    axis.set_title(f"ordered by {part['order'].iloc[0]}")
