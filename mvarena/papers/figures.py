"""The images of a paper's figures, drawn from stored results as `mvarena report` draws them."""

from __future__ import annotations

from itertools import cycle

import pandas as pd

from mvarena.errors import MvarenaError
from mvarena.papers.ablations import Alternatives, Compared
from mvarena.papers.measure import Evidence
from mvarena.papers.model import Figure
from mvarena.papers.selector import joined
from mvarena.registry.catalog import installed_catalog
from mvarena.report.data import ReportData
from mvarena.report.figures.kinds import draw, figure_kinds
from mvarena.report.style import COLOURS, MARKERS
from mvarena.store.frames import long_form


def image_points(figure: Figure, found: Evidence) -> pd.DataFrame | None:
    """Data of the image of `figure`; None where it has none, or nothing of it is stored."""
    drawn = _drawn(figure, found)
    return None if drawn is None else drawn[1]


def image(figure: Figure, found: Evidence) -> bytes | None:
    """The image as a PNG file's content; None where there is none. Cost: about a second."""
    from mvarena.report.drawing.canvas import image_bytes

    drawn = _drawn(figure, found)
    if drawn is None or figure.drawn is None:
        return None
    results, points = drawn
    return image_bytes(draw(figure.drawn.kind, points, results.looks), "png")


def _drawn(figure: Figure, found: Evidence) -> tuple[ReportData, pd.DataFrame] | None:
    if figure.drawn is None:
        return None
    parts = [found.part(joined(figure.select, trial)) for trial in figure.drawn.trials]
    rows = pd.concat(parts).drop_duplicates()
    if rows.empty:
        return None
    metrics = [*figure.drawn.metrics]
    scores = long_form(rows[rows["metric"].isin(metrics)])
    results = ReportData.of_scores(scores, metrics=metrics)
    (kind,) = figure_kinds([figure.drawn.kind])
    known = dict(kind.figures(results))
    if known and figure.drawn.stem not in known:
        raise MvarenaError(f"{figure.name}: there is no figure '{figure.drawn.stem}'; there are {', '.join(known)}.")
    return (results, known[figure.drawn.stem]) if known else None


# The image of alternatives: every method's mean under each, methods in order of the first alternative.


def alternatives_image(item: Alternatives, found: Compared) -> bytes:
    """A PNG file's content. Cost: about a second."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from mvarena.report.drawing.canvas import RC, image_bytes

    names = [alternative.name for alternative in item.alternatives]
    means = found.means(item.rank_by).loc[found.methods[::-1], names]
    metric = installed_catalog().metric(item.rank_by)
    with rc_context(RC):
        figure = Figure(figsize=(6.4, 0.19 * len(means) + 1.1), layout="constrained", dpi=150)
        axis = figure.subplots()
        places = range(len(means))
        axis.hlines(places, means.min(axis=1), means.max(axis=1), color="0.88", linewidth=3.0)
        for name, colour, marker in zip(names, cycle(COLOURS.values()), cycle(MARKERS), strict=False):
            axis.plot(means[name], places, marker, color=colour, label=name, markersize=4.5, markeredgewidth=0.0)
        axis.set_yticks(places, means.index, fontsize=7.5)
        axis.set_xlabel(f"mean {metric.label or metric.name}{' (%)' if metric.in_percent else ''}")
        axis.margins(y=0.02)
        figure.legend(loc="outside upper center", ncols=len(names), frameon=False, fontsize=8)
        return image_bytes(figure, "png")
