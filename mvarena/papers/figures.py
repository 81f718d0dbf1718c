"""The images of a paper's figures, drawn from stored results as `mvarena report` draws them."""

from __future__ import annotations

import pandas as pd

from mvarena.errors import MvarenaError
from mvarena.papers.measure import Evidence
from mvarena.papers.model import Figure
from mvarena.papers.selector import joined
from mvarena.report.data import ReportData
from mvarena.report.kinds import draw, figures_of
from mvarena.store.frames import long_form


def image_points(figure: Figure, found: Evidence) -> pd.DataFrame | None:
    """Data of the image of `figure`; None where it has none, or nothing of it is stored."""
    drawn = _drawn(figure, found)
    return None if drawn is None else drawn[1]


def image(figure: Figure, found: Evidence) -> bytes:
    """The image of a figure that has points, as a PNG file's content with a palette. Cost: about a second."""
    from mvarena.report.drawing.canvas import image_bytes, in_palette

    drawn = _drawn(figure, found)
    assert drawn is not None
    assert figure.drawn is not None
    results, points = drawn
    return in_palette(image_bytes(draw(figure.drawn.kind, points, results.looks).figure, "png"), 256)


def _drawn(figure: Figure, found: Evidence) -> tuple[ReportData, pd.DataFrame] | None:
    if figure.drawn is None:
        return None
    parts = [found.part(joined(figure.select, trial)) for trial in figure.drawn.trials]
    rows = pd.concat(parts).drop_duplicates()
    if rows.empty:
        return None
    metrics = [*figure.drawn.metrics]
    scores = long_form(rows[rows["metric"].isin(metrics)])
    results = ReportData.of_scores(scores, cards=found.cards, metrics=metrics)
    known = {stem: points for _, stem, points in figures_of(results, [figure.drawn.kind], lambda _: None)}
    if len(known) > 1:
        known[f"figure-{figure.drawn.kind}"] = pd.concat(known.values(), ignore_index=True)
    if known and figure.drawn.stem not in known:
        raise MvarenaError(f"{figure.name}: there is no figure '{figure.drawn.stem}'; there are {', '.join(known)}.")
    return (results, known[figure.drawn.stem]) if known else None
