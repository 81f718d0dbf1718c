"""The notes below a table: what a reader must know of some of its cells."""

from __future__ import annotations

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.names import without_folders
from mvarena.report.wording import PICKED_MARK, listed


def notes(rows: pd.DataFrame, context: Context) -> list[str]:
    """One sentence for each thing that a reader must know about some cells; empty if there is none.

    rows : the summary rows of a table with the contestants' labels.
    """
    return [*_picked(rows), *_unpaired(rows), *_partial(rows), *_unfinished(rows), *_left_out(rows, context)]


def _where(rows: pd.DataFrame, of: pd.DataFrame) -> str:
    """' at 0.1 and 0.3', ' on digits'; nothing where the table has one rate or data set, or all of them are meant."""
    rates, datasets = sorted(rows["rate"].unique()), list(dict.fromkeys(rows["dataset"]))
    at = listed(f"{rate:g}" for rate in rates) if len(rates) < of["rate"].nunique() else ""
    on = listed(datasets) if len(datasets) < of["dataset"].nunique() else ""
    return f"{f' at {at}' if at else ''}{f' on {on}' if on else ''}"


def _picked(rows: pd.DataFrame) -> list[str]:
    picked = rows[rows["label_picked"]]
    if picked.empty:
        return []
    words = []
    for name, part in picked.groupby("label", sort=False):
        choices = [f"{choice}{_where(chosen, part)}" for choice, chosen in part.groupby("choice", sort=False) if choice]
        words.append(f"{name} ({', '.join(choices)})" if choices else f"{name} (the best restart)")
    return [
        f"{PICKED_MARK} picked by ground truth, which no user without labels could do; shown for reference and not "
        f"ranked among the others: {'; '.join(words)}."
    ]


def _unpaired(rows: pd.DataFrame) -> list[str]:
    """Whose numbers are not over the same repeats: they did not see the same masks, draws and starts."""
    point = ["dataset", "rate"]
    shown = rows[rows["n_trials"] > 0].drop_duplicates(["label", *point, "repeats"])
    part = shown[shown.groupby(point)["repeats"].transform("nunique") > 1] if len(shown) else shown
    if part.empty:
        return []
    groups = [
        f"{listed(dict.fromkeys(members['label']))} {repeats}{_where(members, rows)}"
        for repeats, members in part.groupby("repeats", sort=False)
    ]
    return [f"Not paired, as masks, draws and starts differ between repeats: {'; '.join(groups)}."]


def _partial(rows: pd.DataFrame) -> list[str]:
    partial = (rows["n_trials"] > 0) & (rows["n_trials"] < rows["n_stored"])
    return ["(a/b): the mean is over a of b repeats; the others gave no value."] if partial.any() else []


def _unfinished(rows: pd.DataFrame) -> list[str]:
    entries = rows.drop_duplicates(["label", "dataset", "rate"])
    entries = entries[entries["reason"].fillna("") != ""]
    return [
        f"{name}{_where(part, rows)}: {without_folders(reason).rstrip('.')}."
        for (name, reason), part in entries.groupby(["label", "reason"], sort=False)
    ]


def _left_out(rows: pd.DataFrame, context: Context) -> list[str]:
    found = []
    gaps = rows[["n_nan", "unscored", "superseded"]].to_numpy().any(axis=1)
    for name, part in rows[gaps].groupby("label", sort=False):
        nan, unscored = part[part["n_nan"] > 0], part[part["unscored"] > 0]
        superseded = part[part["superseded"] > 0].drop_duplicates(["dataset", "rate"])
        if len(nan):
            count = int(nan["n_nan"].sum())
            found.append(f"{name}{_where(nan, rows)}: {count} {'value is' if count == 1 else 'values are'} NaN, "
                         "left out of mean and standard deviation.")  # fmt: skip
        if len(unscored):
            metrics = listed(context.metric(metric) for metric in dict.fromkeys(unscored["metric"]))
            missing = f"{name}{_where(unscored, rows)}: finished trials without {metrics}"
            found.append(f"{missing}; 'mvarena score' adds what is missing.")
        if len(superseded):
            count = int(superseded["superseded"].sum())
            trials = f"{count} stored {'trial' if count == 1 else 'trials'}"
            why = "the same repeat is stored again, finished or with more restarts"
            found.append(f"{name}{_where(superseded, rows)}: {trials} left out, because {why}.")
    return found
