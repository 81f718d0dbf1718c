"""Draws each data set that is at hand, a panel per view, coloured by class: python docs/gallery/draw_data.py [NAME].

A panel shows the first two principal components of a view after `scale-auto`, which never sees the classes. Its limits
leave out the outermost 2 % of the samples on each axis where they lie far out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sklearn.decomposition import PCA, KernelPCA, TruncatedSVD

import mvarena
from mvarena.data import MultiViewData, View
from mvarena.errors import MvarenaError
from mvarena.report.drawing.canvas import in_palette

FOLDER = Path(__file__).parent / "data"
_MOST_VIEWS = 6
_MOST_SAMPLES = 1000  # dots of a panel, drawn at random
UNLABELLED = (0.85, 0.85, 0.85, 1.0)


def draw(data: MultiViewData) -> Figure:
    """The figure of a data set. Samples that a view misses are not in its panel."""
    prepared = mvarena.prepare(data, "auto") if any(v.kind == "features" for v in data.views) else data
    generator = np.random.default_rng(0)
    views = prepared.views[:_MOST_VIEWS]
    columns = min(3, len(views))
    rows = -(-len(views) // columns)
    figure = Figure(figsize=(2.2 * columns, 2.3 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis in axes[len(views) :]:
        axis.set_axis_off()
    for index, (axis, view) in enumerate(zip(axes, views, strict=False)):
        observed = np.flatnonzero(prepared.mask[:, index])
        points = plane(view, observed)
        shown = generator.permutation(len(observed))[:_MOST_SAMPLES]
        classes = np.zeros(len(observed), int) if prepared.labels is None else prepared.labels[observed]
        colours = colormaps["tab20"](classes[shown] % 20)
        colours[classes[shown] < 0] = UNLABELLED
        axis.scatter(*points[shown].T, c=colours, s=4, linewidths=0)
        axis.set_title(view.name, fontsize=9)
        axis.set(xticks=[], yticks=[])
        for values, limit in zip(points.T, (axis.set_xlim, axis.set_ylim), strict=True):
            limit(*limits(values))
    return figure


def plane(view: View, observed: NDArray[np.intp]) -> NDArray[np.float64]:
    """(n_observed, 2): principal components; those of the kernel where the view is one, uncentred for a sparse view."""
    if view.kind == "kernel":
        return np.asarray(KernelPCA(2, kernel="precomputed").fit_transform(view.matrix[np.ix_(observed, observed)]))
    if view.kind == "distance":
        squared = view.matrix[np.ix_(observed, observed)] ** 2
        return np.asarray(KernelPCA(2, kernel="precomputed").fit_transform(-squared / 2))
    rows = view.matrix[observed]
    if hasattr(rows, "tocsr"):
        # the first singular vector of an uncentred view is near its mean
        return np.asarray(TruncatedSVD(3, random_state=0).fit_transform(rows))[:, 1:]
    return np.asarray(PCA(2, random_state=0).fit_transform(rows))


def limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """From the 1st to the 99th percentile, with a margin, or to the outermost values if they are nearer."""
    low, high = np.percentile(values, (1, 99))
    margin = 0.15 * (high - low) or 1.0
    return max(low - margin, values.min() - margin / 3), min(high + margin, values.max() + margin / 3)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or mvarena.list_datasets().index:
        try:
            data = mvarena.load_dataset(name)
        except MvarenaError as error:
            print(f"{name}: not drawn: {str(error).splitlines()[0]}")
            continue
        path = FOLDER / f"{name}.png"
        draw(data).savefig(path, dpi=110)
        path.write_bytes(in_palette(path.read_bytes(), 64))
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
