"""The image of alternatives: every method's mean under each, methods in order of the first alternative."""

from __future__ import annotations

from itertools import cycle

from mvarena.papers.alternatives import Compared
from mvarena.papers.questions import Alternatives
from mvarena.registry.catalog import installed_catalog
from mvarena.report.style import COLOURS, MARKERS


def alternatives_image(item: Alternatives, found: Compared) -> bytes:
    """A PNG file's content. Cost: about a second."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from mvarena.report.drawing.canvas import RC, image_bytes

    names = [one.name for one in item.alternatives]
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
        axis.set_xlabel(f"mean {metric.label or metric.name}{' (%)' if metric.highest == 1 else ''}")
        axis.margins(y=0.02)
        figure.legend(loc="outside upper center", ncols=len(names), frameon=False, fontsize=8)
        return image_bytes(figure, "png")
