"""The figure of reports/speed: how many methods cluster digits within so many seconds, made of its measurements."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.speed_page import total_seconds
from benchmarks.speed_store import Measurements
from mvarena.report.drawing.canvas import RC, SMALL, WIDTH, finish, image_bytes, in_palette, panels, rule, set_head
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.exports import csv_text
from mvarena.report.files import write_file
from mvarena.report.style import COLOURS

STEM = "seconds"
MARKED = (1.0, 60.0)  # seconds at which the number of methods is written
_TICKS = (0.1, 1, 10, 60, 300)
_COLOURS = (COLOURS["orange"], COLOURS["vermilion"], COLOURS["blue"])  # of the sizes


def write_figure(folder: Path, store: Measurements) -> None:
    """Write the image and its numbers as .csv; nothing where no contestant is measured."""
    points = seconds_points(store)
    if len(points):
        write_file(folder / f"{STEM}.png", in_palette(image_bytes(draw_seconds(points), "png"), 64))
        write_file(folder / f"{STEM}.csv", csv_text(points.round(4)))


def seconds_points(store: Measurements) -> pd.DataFrame:
    """Wall seconds of each contestant that finished at each size. Columns: n, method, seconds, and methods: how many
    took no longer; by size and seconds."""
    found = [(row["point"]["n"], row["point"]["method"], total_seconds(row)) for row in store.of("contestant")]
    points = pd.DataFrame(found, columns=["n", "method", "seconds"]).dropna().sort_values(["n", "seconds"])
    return points.assign(methods=points.groupby("n").cumcount() + 1).reset_index(drop=True)


def draw_seconds(points: pd.DataFrame, width: float = WIDTH) -> Figure:
    """A line of steps for each size; at the largest size the numbers at MARKED are written. width : in inches."""
    sizes = points["n"].unique().tolist()[-len(_COLOURS) :]
    labels = [f"n = {n:,}" for n in sizes]
    colours = dict(zip(sizes, _COLOURS[-len(sizes) :], strict=True))
    with rc_context(RC):
        figure, (axis,) = panels(1, 1, 2.4, width, below=legend_height(labels, width))
        for n, colour in colours.items():
            own = points[points["n"] == n]
            axis.step([own["seconds"].min(), *own["seconds"]], [0, *own["methods"]], where="post", color=colour)
        largest = points.loc[points["n"] == sizes[-1], "seconds"]
        for limit in MARKED:
            number = int((largest <= limit).sum())
            axis.plot(limit, number, "o", color=colours[sizes[-1]], markersize=4)
            axis.annotate(str(number), (limit, number), (4, -4), textcoords="offset points", va="top", fontsize=SMALL)
        axis.set_xscale("log")
        axis.set_xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
        axis.minorticks_off()
        axis.set_ylim(0, 1.05 * points["methods"].max())
        axis.set(xlabel="wall time at most (s)", ylabel="methods")
        rule(axis, "both")
        draw_legend(figure, [Line2D([], [], color=colour) for colour in colours.values()], labels)
        set_head(figure, f"{points['method'].nunique()} methods by time on n UCI digits, 30 % of the rows missing")
        return finish(figure)
