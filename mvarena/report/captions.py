"""The sentence under a table: what was measured, on what data, under which conditions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.scaled import SCALE_AUTO as AUTO
from mvarena.report.wording import listed

_PICKS = {
    "mean": "the mean over all restarts counts",
    "lowest-inertia": "the restart of lowest inertia counts",
    "best-by-labels": "the restart that is best by ground truth counts",
}
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


def setting(rows: pd.DataFrame, context: Context, *, spread: bool = True) -> str:
    """Under what conditions the numbers came about: data, corruption, preparation, protocol.

    rows : the summary rows of a table (one corruption) with the contestants' labels. spread : whether to say what the
    deviations are over, as for tables of these rows themselves.
    """
    datasets, corruption = list(dict.fromkeys(rows["dataset"])), str(rows["corruption"].iloc[0])
    scaled = context.scaled.get((datasets[0], corruption), "") if len(datasets) == 1 else ""
    parts = [
        _data(datasets, context),
        _corrupted(rows, corruption, context),
        _prepared(rows, context, scaled),
        *_protocols(rows, _PICK_MEANS if spread else _PICKS),
    ]
    return " ".join(filter(None, parts))


def _data(datasets: list[str], context: Context) -> str:
    if len(datasets) > 1:
        return f"Data: {len(datasets)} data sets."
    note = context.dataset_notes.get(datasets[0], "").rstrip(".")
    return f"Data: {context.dataset(datasets[0])}{f' ({note})' if note else ''}."


def _corrupted(rows: pd.DataFrame, corruption: str, context: Context) -> str:
    if corruption == "none":
        return "The data as they are, nothing removed."
    rates = sorted(rows["rate"].unique())
    at = f" at rate {rates[0]:g}" if len(rates) == 1 else ""
    meaning = context.rate_means(corruption)
    return f"Corruption: {context.corruption(corruption)}{at}{f'; the rate is {meaning}' if meaning else ''}."


def _prepared(rows: pd.DataFrame, context: Context, scaled: str) -> str:
    """What everybody's data went through, and what came besides for whom. scaled : what 'auto' did to each view."""
    listed_once = rows[["label", "algorithm", "prepare"]].drop_duplicates()
    every = [tuple(filter(None, text.split(","))) for text in listed_once["prepare"]]
    did = f" ({scaled})" if scaled else ""
    if listed_once["label"].duplicated().any():
        common = _common_start(every)
        return f"Scaling of everybody's data: {_words(common)}. Adaptation: as each data set demands." if common else ""
    steps = dict(zip(listed_once["label"], every, strict=True))
    if len(set(every)) == 1 and AUTO not in every[0]:
        return f"Preparation of every method: {_words(every[0])}."
    specs = [(context.algorithms.get(name), text) for _, name, text in listed_once.itertuples(index=False)]
    published = all(spec is not None and ",".join(spec.prepare) == text for spec, text in specs)
    common = _common_start(every)
    if published or not common:
        auto = f" What auto took the views for: {scaled}." if scaled and any(AUTO in one for one in every) else ""
        return f"Preparation{', each as published' if published else ''}: {_by_steps(steps, 0)}.{auto}"
    own = {label: names for label, names in steps.items() if len(names) > len(common)}
    besides = f" Adaptation: {_by_steps(own, len(common))}." if own else ""
    return f"Scaling of everybody's data: {_words(common)}{did if AUTO in common else ''}.{besides}"


def _common_start(several: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The first steps that all share; the automatic scaling stands alone."""
    alike = takewhile(lambda names: len(set(names)) == 1, zip(*several, strict=False))
    shared = tuple(names[0] for names in alike)
    return shared[:1] if shared[:1] == (AUTO,) else shared


def _by_steps(steps: dict[str, tuple[str, ...]], start: int) -> str:
    takers: dict[str, list[str]] = {}
    for label, names in steps.items():
        takers.setdefault(_words(names[start:]), []).append(label)
    return "; ".join(f"{words} for {listed(names)}" for words, names in takers.items())


def _words(names: tuple[str, ...]) -> str:
    return ", ".join("auto" if name == AUTO else name for name in names) or "none"


def _protocols(rows: pd.DataFrame, words: Mapping[str, str]) -> list[str]:
    sentences = []
    for (protocol, pick), part in rows.groupby(["protocol", "pick"], sort=False):
        restarts = part.loc[part["n_restarts"] > 0, "n_restarts"]
        each = f" of {_span(restarts, 'restart')} each" if len(restarts) else ""
        sentences.append(f"Protocol {protocol}: {_span(part['n_stored'], 'repeat')}{each}; {words[pick]}.")
    return sentences


def _span(counts: pd.Series, noun: str) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"
