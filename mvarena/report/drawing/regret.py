"""Drawing of regret: a bar for the mean loss of each picker, a dot for each data set."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import RC, drawable_words, finish, panels, rule
from mvarena.report.figures.regret import ALL
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.style import COLOURS, Looks

_ROW = 0.24


def draw_regret(points: pd.DataFrame, looks: Looks) -> Figure:
    """One panel per metric (`mvarena.report.figures.regret.regret_points`); pickers down, the least regret first."""
    del looks
    points, _ = drawable_words(points, ("title", "metric_axis"))
    parts = [part for _, part in points.groupby("metric", sort=False)]
    pickers = list(dict.fromkeys(points["picker"]))
    marked = set(points.loc[points["by_labels"], "picker"])
    labels = [f"{name} {PICKED_MARK}" if name in marked else name for name in pickers]
    with rc_context(RC):
        per_row = min(3, len(parts))
        figure, axes = panels(len(parts), per_row, (3.0, 0.8 + _ROW * len(pickers)), below=0.3)
        for index, (axis, part) in enumerate(zip(axes, parts, strict=True)):
            position = part["picker"].map({name: i for i, name in enumerate(pickers)})
            overall = part["dataset"] == ALL
            axis.barh(position[overall], part.loc[overall, "regret"], 0.6, color=COLOURS["sky"], edgecolor="none")
            axis.plot(part.loc[~overall, "regret"], position[~overall], "o", color="0.2", ms=2.6, alpha=0.7, mew=0)
            for at, regret in zip(position[overall], part.loc[overall, "regret"], strict=True):
                if not np.isfinite(regret):
                    axis.text(0.02, at, "no answer", transform=axis.get_yaxis_transform(), va="center", fontsize=7)
            axis.axvline(0.0, color="0.4", linewidth=0.8)
            axis.set_ylim(len(pickers) - 0.4, -0.6)
            axis.set_yticks(range(len(pickers)), labels if index % per_row == 0 else [""] * len(pickers))
            axis.tick_params(axis="y", length=0)
            axis.set(xlabel=f"regret in {part['metric_axis'].iloc[0]}")
            rule(axis, "x")
        n_sets = points.loc[points["dataset"] != ALL, "dataset"].nunique()
        picked = f"; {PICKED_MARK} chosen by ground truth" if marked else ""
        figure.supxlabel(f"bar: mean, dot: one of {n_sets} data set{'s' * (n_sets != 1)}{picked}", fontsize=8)
        return finish(figure)
