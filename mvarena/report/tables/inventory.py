"""Tables beside the results: the contestants, from what they announce, and the rates that corruptions achieved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pandas as pd

from mvarena.analysis.naming import names_by_content
from mvarena.analysis.trial_values import POINT
from mvarena.contracts.specs import AlgorithmSpec, Verification
from mvarena.registry.catalog import Catalog
from mvarena.report.files import write_file
from mvarena.report.formats.markdown import markdown_escape
from mvarena.report.formats.pages import markdown_rows
from mvarena.report.formatting import file_name
from mvarena.study.families import FREE_OF_SQUARES, family_of
from mvarena.text import csv_cell

_STATES = get_args(Verification)
_HEAD = ("family", "takes incomplete data", "needs complete data", "status")


def contestants_table(catalog: Catalog) -> str:
    """Markdown: a row per family and status of mvarena's own algorithms, by name.

    `FREE_OF_SQUARES` marks those that hold no n x n matrix.
    """
    rows: dict[tuple[str, int], tuple[list[str], list[str]]] = {}
    for spec in catalog.specs("algorithm"):
        if isinstance(spec, AlgorithmSpec) and catalog.plugin_of(spec).distribution == "mvarena":
            row = rows.setdefault((family_of(spec), _STATES.index(spec.status)), ([], []))
            shown = markdown_escape(spec.name) + (FREE_OF_SQUARES if spec.linear_memory else "")
            row[0 if spec.capabilities.missing else 1].append(shown)
    lines = [
        (markdown_escape(family), ", ".join(taking), ", ".join(needing), _STATES[state])
        for (family, state), (taking, needing) in sorted(rows.items())
    ]
    return markdown_rows(_HEAD, lines) + "\n"


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
    text = _with_texts(table, markdown_escape).to_markdown(index=False, floatfmt=".4g")
    return [
        write_file(folder / "achieved-rates.md", f"{text}\n\nMeans over the repeats; 'missing' is the view's share.\n"),
        write_file(folder / "achieved-rates.csv", _with_texts(table, csv_cell).to_csv(index=False)),
    ]


def _with_texts(table: pd.DataFrame, as_written: Callable[[str], str]) -> pd.DataFrame:
    """The table with its names, which users choose, as a form of file takes them."""
    return table.rename(columns=as_written).map(lambda cell: as_written(cell) if isinstance(cell, str) else cell)
