"""The rates that corruptions achieved, per view and over the samples, as a table beside the results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from mvarena.analysis.naming import names_by_content
from mvarena.analysis.values import POINT
from mvarena.report.files import write_file
from mvarena.report.markdown import markdown_escape
from mvarena.report.names import file_name
from mvarena.text import csv_cell


def achieved_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, corruption and rate: what fraction each view misses, and of the samples is incomplete.

    frame : of `mvarena.store.frames.achieved_frame`. Means over the repeats; a corruption that changes
    numbers also has the fraction of the rows that it changed and the signal-to-noise ratio, per view. Files are called
    by their names alone, and several contents of one name stand apart.
    """
    frame = frame.assign(dataset=frame["dataset"].map(file_name))
    frame = frame.assign(dataset=names_by_content(frame))
    spread = frame.pivot_table(index=POINT, columns="view", values="missing", sort=False, observed=True)
    table = spread.add_prefix("missing ").assign(incomplete=frame.groupby(POINT)["incomplete"].mean())
    table["repeats"] = frame.groupby(POINT)[["seed", "repeat"]].apply(lambda part: len(part.drop_duplicates()))
    changing = frame[frame["changed_rows"] > 0]
    for column, words in (("changed_rows", "changed rows"), ("snr", "SNR")):
        if not changing.empty:
            more = changing.pivot_table(index=POINT, columns="view", values=column, sort=False, observed=True)
            table = table.join(more.add_prefix(f"{words} "))
    return table.reset_index()


def write_achieved(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the table as achieved-rates.md and achieved-rates.csv; nothing where no trial has been corrupted."""
    frame = frame[frame["corruption"] != "none"]
    if frame.empty:
        return []
    table = achieved_table(frame)
    text = _with_texts(table, markdown_escape).to_markdown(index=False, floatfmt=".4g")
    return [
        write_file(folder / "achieved-rates.md", f"{text}\n\nMeans over the repeats; 'missing' is the view's share.\n"),
        write_file(folder / "achieved-rates.csv", _with_texts(table, csv_cell).to_csv(index=False)),
    ]


def _with_texts(table: pd.DataFrame, as_written: Callable[[str], str]) -> pd.DataFrame:
    """The table with its names, which users choose, as a form of file takes them."""
    return table.rename(columns=as_written).map(lambda cell: as_written(cell) if isinstance(cell, str) else cell)
