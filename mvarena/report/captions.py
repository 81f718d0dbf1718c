"""The sentence under a table: what was measured, on what data, under which conditions."""

from __future__ import annotations

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.wording import listed

_PICK_MEANS = {
    "mean": "the mean and ± (one standard deviation, n − 1) are over all runs",
    "lowest-inertia": "of each repeat the restart of lowest inertia; ± is one standard deviation (n − 1) over repeats",
    "best-by-labels": "of each repeat the restart that is best by ground truth; ± is one standard deviation (n − 1) "
    "over repeats",
}


def measured(rows: pd.DataFrame, context: Context) -> str:
    """What the numbers are: 'ACC and NMI in percent; Entropy'."""
    metrics = list(dict.fromkeys(rows["metric"]))
    shown = [context.metric(metric) for metric in metrics if context.in_percent(metric)]
    plain = [context.metric(metric) for metric in metrics if not context.in_percent(metric)]
    parts = ([f"{listed(shown)} in percent"] if shown else []) + ([listed(plain)] if plain else [])
    return "; ".join(parts)


def setting(rows: pd.DataFrame, context: Context) -> str:
    """Under what conditions the numbers came about: data, corruption, preparation, protocol.

    rows : the summary rows of a table (one data set, one corruption) with the contestants' labels.
    """
    dataset, corruption = str(rows["dataset"].iloc[0]), str(rows["corruption"].iloc[0])
    note = context.dataset_notes.get(dataset, "").rstrip(".")
    parts = [
        f"Data: {context.dataset(dataset)}{f' ({note})' if note else ''}.",
        _corrupted(rows, corruption, context),
        _prepared(rows),
        *_protocols(rows),
    ]
    return " ".join(parts)


def _corrupted(rows: pd.DataFrame, corruption: str, context: Context) -> str:
    if corruption == "none":
        return "The data as they are, nothing removed."
    rates = sorted(rows["rate"].unique())
    at = f" at rate {rates[0]:g}" if len(rates) == 1 else ""
    meaning = context.rate_means(corruption)
    return f"Corruption: {context.corruption(corruption)}{at}{f'; the rate is {meaning}' if meaning else ''}."


def _prepared(rows: pd.DataFrame) -> str:
    steps: dict[str, list[str]] = {}
    for name, prepare in rows[["label", "prepare"]].drop_duplicates().itertuples(index=False):
        steps.setdefault(prepare.replace(",", ", ") or "none", []).append(name)
    if len(steps) == 1:
        return f"Preparation of every method: {next(iter(steps))}."
    return f"Preparation: {'; '.join(f'{text} for {listed(names)}' for text, names in steps.items())}."


def _protocols(rows: pd.DataFrame) -> list[str]:
    sentences = []
    for (protocol, pick), part in rows.groupby(["protocol", "pick"], sort=False):
        restarts = part.loc[part["n_restarts"] > 0, "n_restarts"]
        each = f" of {_span(restarts, 'restart')} each" if len(restarts) else ""
        sentences.append(f"Protocol {protocol}: {_span(part['n_stored'], 'repeat')}{each}; {_PICK_MEANS[pick]}.")
    return sentences


def _span(counts: pd.Series, noun: str) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"
