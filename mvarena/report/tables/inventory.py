"""Inventory: the data sets and the methods that the results are of, and the rates that corruptions achieved."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.analysis.naming import names_by_content, natural_order
from mvarena.analysis.trial_values import POINT
from mvarena.report.exports import csv_text
from mvarena.report.files import write_file
from mvarena.report.formats.markdown import markdown_escape
from mvarena.report.formatting import NOT_RUN, file_name
from mvarena.report.tables.model import Cell, Column, Row, Table
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "the data sets and the methods that the results are of"
NEEDS = "a trial"


def tables(results: ReportData) -> list[Table]:
    """A table of data sets and one of methods, by name."""
    kept, context = results.reported.kept, results.context
    datasets = {}
    for name, part in sorted(kept.groupby("dataset"), key=lambda item: natural_order(str(item[0]))):
        card = context.cards.dataset(str(name))
        content = str(part["content"].iloc[0])
        datasets[str(name)] = {
            "kind": card.kind or NOT_RUN,
            "source": str(part["corpus"].iloc[0]),
            "samples": str(results.samples.get(content) or card.samples or NOT_RUN),
            "clusters": str(results.asked.get(content) or card.clusters or NOT_RUN),
            "conditions": str(len(part.drop_duplicates(POINT))),
            "methods": str(part["contestant"].nunique()),
            "trials": str(len(part)),
        }
    methods = {}
    labels = context.contestants(kept["contestant"].unique())
    for name, part in sorted(kept.groupby("contestant"), key=lambda item: natural_order(labels[str(item[0])])):
        card_of_method = context.cards.method(str(part["algorithm"].iloc[0]))
        methods[str(name)] = {
            "family": card_of_method.family_words or NOT_RUN,
            "version": str(part["algorithm_version"].iloc[0]),
            "data sets": str(part["dataset"].nunique()),
            "trials": str(len(part)),
            "finished": str(int((part["status"] == "DONE").sum())),
        }
    names = {name: context.dataset(name) for name in datasets}
    return [_table("data set", datasets, names), _table("method", methods, labels)]


def _table(head: str, rows: dict[str, dict[str, str]], labels: dict[str, str]) -> Table:
    columns = tuple(Column(name, name, math.nan) for name in next(iter(rows.values())))
    lines = tuple(
        Row(name, labels[name], False, tuple(Cell(text=text) for text in values.values()))
        for name, values in rows.items()
    )
    return Table(
        kind=f"inventory-{head.replace(' ', '-')}s",
        head=head,
        title=f"The {plural(len(rows), head)} of the results",
        columns=columns,
        rows=lines,
        measured=f"The {head}s that the results are of",
        setting="",
    )


# The rates that corruptions achieved, per view and over the samples, as a table beside the results.


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
    words = table.rename(columns=markdown_escape).map(lambda one: markdown_escape(one) if isinstance(one, str) else one)
    text = words.to_markdown(index=False, floatfmt=".4g")
    return [
        write_file(folder / "achieved-rates.md", f"{text}\n\nMeans over the repeats; 'missing' is the view's share.\n"),
        write_file(folder / "achieved-rates.csv", csv_text(table)),
    ]
