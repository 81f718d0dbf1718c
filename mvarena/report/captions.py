"""The sentence under a table, and the notes below it: what was compared, how, and what did not work."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mvarena.report.wording import PICKED_MARK, listed, metric_label

_PICK_MEANS = {
    "mean": "the mean and ± (one standard deviation, n − 1) are over all runs",
    "lowest-inertia": "of each trial the restart of lowest inertia; ± is one standard deviation (n − 1) over trials",
    "best-by-labels": "of each trial the restart that is best by ground truth; ± is one standard deviation (n − 1) "
    "over trials",
}


def measured(rows: pd.DataFrame, percent: frozenset[str]) -> str:
    """What the numbers are: 'ACC and NMI in percent'."""
    metrics = list(dict.fromkeys(rows["metric"]))
    shown = [metric_label(metric) for metric in metrics if metric in percent]
    plain = [metric_label(metric) for metric in metrics if metric not in percent]
    parts = ([f"{listed(shown)} in percent"] if shown else []) + ([listed(plain)] if plain else [])
    return "; ".join(parts)


def setting(rows: pd.DataFrame, *, rate_meanings: Mapping[str, str], dataset_notes: Mapping[str, str]) -> str:
    """Under what conditions the numbers came about: data, corruption, preparation, protocol.

    rows : the summary rows of a table (one data set, one corruption).
    rate_meanings : corruption -> what its rate is, as in 'the fraction of samples that lose a view'.
    dataset_notes : data set -> a few words, as in '2,000 samples in 10 classes, views fou and fac'.
    """
    dataset, corruption = str(rows["dataset"].iloc[0]), str(rows["corruption"].iloc[0])
    note = dataset_notes.get(dataset, "").rstrip(".")
    parts = [
        f"Data: {dataset}{f' ({note})' if note else ''}.",
        _corrupted(rows, corruption, rate_meanings),
        _prepared(rows),
        *_protocols(rows),
    ]
    return " ".join(parts)


def notes(rows: pd.DataFrame) -> list[str]:
    """One sentence for each thing that a reader must know about some cells; empty if there is none."""
    return [*_picked(rows), *_partial(rows), *_unfinished(rows), *_left_out(rows)]


def _corrupted(rows: pd.DataFrame, corruption: str, rate_meanings: Mapping[str, str]) -> str:
    if corruption == "none":
        return "The data as they are, nothing removed."
    rates = sorted(rows["rate"].unique())
    at = f" at rate {rates[0]:g}" if len(rates) == 1 else ""
    meaning = rate_meanings.get(corruption, rate_meanings.get(corruption.partition("+")[0], "")).rstrip(".")
    return f"Corruption: {corruption}{at}{f'; the rate is {meaning}' if meaning else ''}."


def _prepared(rows: pd.DataFrame) -> str:
    steps: dict[str, list[str]] = {}
    for name, prepare in rows[["contestant", "prepare"]].drop_duplicates().itertuples(index=False):
        steps.setdefault(prepare.replace(",", ", ") or "none", []).append(name)
    if len(steps) == 1:
        return f"Preparation of every method: {next(iter(steps))}."
    return f"Preparation: {'; '.join(f'{text} for {listed(names)}' for text, names in steps.items())}."


def _protocols(rows: pd.DataFrame) -> list[str]:
    sentences = []
    for (protocol, pick), part in rows.groupby(["protocol", "pick"], sort=False):
        restarts = part.loc[part["n_restarts"] > 0, "n_restarts"]
        each = f" of {_span(restarts, 'restart')} each" if len(restarts) else ""
        sentences.append(f"Protocol {protocol}: {_span(part['n_stored'], 'trial')}{each}; {_PICK_MEANS[pick]}.")
    return sentences


def _span(counts: pd.Series, noun: str) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"


def _where(rows: pd.DataFrame, of: pd.DataFrame) -> str:
    """' at 0.1 and 0.3', or nothing where the table has one rate or all of its rates are meant."""
    rates = sorted(rows["rate"].unique())
    if len(rates) == of["rate"].nunique():
        return ""
    return f" at {listed(f'{rate:g}' for rate in rates)}"


def _picked(rows: pd.DataFrame) -> list[str]:
    picked = rows[rows["label_picked"]]
    if picked.empty:
        return []
    words = []
    for name, part in picked.groupby("contestant", sort=False):
        choices = [f"{choice}{_where(chosen, part)}" for choice, chosen in part.groupby("choice", sort=False) if choice]
        words.append(f"{name} ({', '.join(choices)})" if choices else f"{name} (the best restart)")
    return [
        f"{PICKED_MARK} picked by ground truth, which no user without labels could do; shown for reference and not "
        f"ranked among the others: {'; '.join(words)}."
    ]


def _partial(rows: pd.DataFrame) -> list[str]:
    partial = (rows["n_trials"] > 0) & (rows["n_trials"] < rows["n_stored"])
    return ["(a/b): the mean is over a of b trials; the others gave no value."] if partial.any() else []


def _unfinished(rows: pd.DataFrame) -> list[str]:
    entries = rows.drop_duplicates(["contestant", "rate"])
    entries = entries[entries["reason"].fillna("") != ""]
    return [
        f"{name}{_where(part, rows)}: {reason.rstrip('.')}."
        for (name, reason), part in entries.groupby(["contestant", "reason"], sort=False)
    ]


def _left_out(rows: pd.DataFrame) -> list[str]:
    found = []
    for name, part in rows.groupby("contestant", sort=False):
        nan, unscored = part[part["n_nan"] > 0], part[part["unscored"] > 0]
        superseded = part[part["superseded"] > 0].drop_duplicates("rate")
        if len(nan):
            count = int(nan["n_nan"].sum())
            found.append(f"{name}{_where(nan, rows)}: {count} {'value is' if count == 1 else 'values are'} NaN, "
                         "left out of mean and standard deviation.")  # fmt: skip
        if len(unscored):
            metrics = listed(metric_label(metric) for metric in dict.fromkeys(unscored["metric"]))
            found.append(f"{name}{_where(unscored, rows)}: finished trials without {metrics}.")
        if len(superseded):
            count = int(superseded["superseded"].sum())
            trials = f"{count} stored {'trial' if count == 1 else 'trials'}"
            why = "the same repeat is stored again, finished or with more restarts"
            found.append(f"{name}{_where(superseded, rows)}: {trials} left out, because {why}.")
    return found
