"""The notes below a table: what a reader must know of some of its cells."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mvarena.analysis.trial_values import ENTRY
from mvarena.report.context import Context
from mvarena.report.formatting import PICKED_MARK
from mvarena.text import listed, plural, without_folders


def notes(rows: pd.DataFrame, context: Context) -> list[str]:
    """One sentence for each thing that a reader must know about some cells; empty if there is none.

    rows : the summary rows of a table with the contestants' labels.
    """
    return [
        *_picked(rows, context),
        *_unpaired(rows),
        *_partial(rows),
        *_left_out(rows, context),
    ]


def _where(rows: pd.DataFrame, of: pd.DataFrame) -> str:
    """' at 0.1 and 0.3', ' on digits' of some rows of a table, of many data sets how many; nothing where the table has
    one rate or data set, or all of them are meant."""
    rates, datasets = sorted(rows["rate"].unique()), list(dict.fromkeys(rows["dataset"]))
    at = f" at {listed(f'{rate:g}' for rate in rates)}" if len(rates) < of["rate"].nunique() else ""
    return f"{at} on {_named(datasets)}" if len(datasets) < of["dataset"].nunique() else at


def _named(datasets: Sequence[str], noun: str = "data set") -> str:
    """'a, b and c', or of many how many."""
    return listed(datasets) if len(datasets) <= _MOST_NAMED else plural(len(datasets), noun)


def _picked(rows: pd.DataFrame, context: Context) -> list[str]:
    picked = rows[rows["label_picked"]]
    if picked.empty:
        return []
    words = []
    for name, part in picked.groupby("label", sort=False):
        choices = [f"{choice}{_where(chosen, part)}" for choice, chosen in part.groupby("choice", sort=False) if choice]
        reads = part["algorithm"].isin(context.label_readers).all()
        more = [f"{len(choices) - _MOST_NAMED} more"] if len(choices) > _MOST_NAMED else []
        how = ", ".join([*choices[:_MOST_NAMED], *more]) or ("reads the classes" if reads else "the best restart")
        words.append(f"{name} ({how})")
    return [
        f"{PICKED_MARK} chosen by ground truth, which needs labels; shown for reference and not "
        f"ranked: {'; '.join(words)}."
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
    return [f"Not paired, because masks, random draws and starts differ between repeats: {'; '.join(groups)}."]


def _partial(rows: pd.DataFrame) -> list[str]:
    partial = (rows["n_trials"] > 0) & (rows["n_trials"] < rows["n_stored"])
    return ["(a/b): mean over a of b repeats; the others gave no value."] if partial.any() else []


_MOST_REASONS, _MOST_OF_ONE = 30, 2  # sentences in all, and those of one contestant


def unfinished_notes(rows: pd.DataFrame, trials: pd.DataFrame) -> list[str]:
    """One sentence for each contestant and reason of trials that did not finish, the most frequent first; for a
    contestant with many reasons the most frequent one.

    rows : the summary rows of a table with the contestants' labels. trials : all that count, one row each.
    """
    unfinished = rows[[*ENTRY, "label"]].drop_duplicates().merge(trials[trials["status"] != "DONE"], on=ENTRY)
    words = [
        _first_and_last(without_folders(reason)) if isinstance(reason, str) and reason.strip() else status.lower()
        for reason, status in zip(unfinished["reason"], unfinished["status"], strict=True)
    ]
    sentences: list[tuple[int, str]] = []
    for label, own in unfinished.assign(words=words).groupby("label", sort=False):
        reasons = sorted((part for _, part in own.groupby("words", sort=False)), key=len, reverse=True)
        more = len(reasons) - 1
        besides = f" ({plural(more, 'other message')})" if more >= _MOST_OF_ONE else ""
        for part in [own.assign(words=reasons[0]["words"].iloc[0])] if besides else reasons:
            where = f"{plural(len(part), 'trial')} on {_named(part['dataset'].unique())}"
            sentences.append((len(part), f"{label}: {part['words'].iloc[0]}{besides}; {where}."))
    told = [text for _, text in sorted(sentences, key=lambda pair: -pair[0])]
    more = len(told) - _MOST_REASONS
    rest = [f"{more} more reasons; 'mvarena results list --status failed' shows all."] if more > 0 else []
    return told[:_MOST_REASONS] + rest


def _first_and_last(reason: str) -> str:
    """A message of several lines as its first and last; `mvarena results show` has all of it."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    return (lines[0] if len(lines) == 1 else f"{lines[0]} ... {lines[-1]}").rstrip(".")


def _left_out(rows: pd.DataFrame, context: Context) -> list[str]:
    result = []
    gaps = rows[["n_nan", "unscored", "superseded"]].to_numpy().any(axis=1)
    for name, part in rows[gaps].groupby("label", sort=False):
        # a control is no result: of one cluster, many scores are not defined
        own = part[~part["algorithm"].isin(context.controls)]
        nan = own[own["n_nan"] > 0]
        unscored = own[(own["unscored"] > 0) & ~own["metric"].isin(context.label_pickers)]
        superseded = part[part["superseded"] > 0].drop_duplicates(["dataset", "rate"])
        if len(nan):
            count = int(nan["n_nan"].sum())
            result.append(f"{name}{_where(nan, rows)}: {count} {'value is' if count == 1 else 'values are'} NaN, "
                         "left out of mean and standard deviation.")  # fmt: skip
        if len(unscored):
            metrics = listed(context.metric(metric) for metric in dict.fromkeys(unscored["metric"]))
            missing = f"{name}{_where(unscored, rows)}: finished trials without {metrics}"
            result.append(f"{missing}; 'mvarena score' adds what is missing.")
        if len(superseded):
            count = int(superseded["superseded"].sum())
            trials = f"{count} stored {'trial' if count == 1 else 'trials'}"
            why = "a later trial of the same repeat finished, or has more restarts"
            result.append(f"{name}{_where(superseded, rows)}: {trials} left out, because {why}.")
    return result


def collapse_notes(collapsed: pd.DataFrame, context: Context) -> list[str]:
    """One sentence on the contestants that put samples into fewer than half of the clusters asked for; none: no note.

    collapsed : what `mvarena.analysis.controls.cluster_counts` returns. Of many contestants the worst are named.
    """
    sums = collapsed.groupby("contestant")[["n_collapsed", "n_trials"]].sum()
    counts = sums[sums["n_collapsed"] > 0].sort_values("n_collapsed", ascending=False, kind="stable")
    if counts.empty:
        return []
    labels = context.contestants(counts.index)
    shown = counts.head(_MOST_NAMED).itertuples()
    named = [f"{labels[row.Index]} in {row.n_collapsed} of {plural(row.n_trials, 'trial')}" for row in shown]
    more = len(counts) - len(named)
    named += [f"{plural(more, 'more method')} (see --table quality)"] if more > 0 else []
    return [f"Fewer than half of the clusters asked for: {'; '.join(named)}."]


# The sentence under a table: what was measured, on what data, under which conditions.

_PICKS = {
    "mean": "the mean over the restarts counts",
    "lowest-inertia": "the restart of lowest inertia counts",
    "best-by-labels": "the restart that is best by ground truth counts",
}
_OVER_REPEATS = "; ± is one standard deviation (n − 1) over repeats, over restarts where there is a single repeat"


_MOST_NAMED = 6  # data sets, or choices by ground truth


def measured(rows: pd.DataFrame, context: Context) -> str:
    """Metrics and units in words: 'ACC and NMI in percent', 'ACC in percent; entropy as a plain number'."""
    metrics = list(dict.fromkeys(rows["metric"]))
    shown = [context.metric(metric) for metric in metrics if context.in_percent(metric)]
    plain = [context.metric(metric) for metric in metrics if not context.in_percent(metric)]
    if not shown:
        return listed(plain)
    numbers = "as a plain number" if len(plain) == 1 else "as plain numbers"
    return f"{listed(shown)} in percent" + (f"; {listed(plain)} {numbers}" if plain else "")


def setting(rows: pd.DataFrame, context: Context, *, spread: bool = True) -> str:
    """Under what conditions the numbers came about: data, corruption, preparation, protocol.

    rows : the summary rows of a table (one corruption) with the contestants' labels. spread : whether to say what the
    deviations are over, as for tables of these rows themselves.
    """
    parts = [
        _data(list(dict.fromkeys(rows["dataset"])), context),
        *_corruptions(rows, context),
        _prepared(rows, context),
        *_protocols(rows, spread),
    ]
    return " ".join(filter(None, parts))


def _data(datasets: list[str], context: Context) -> str:
    if len(datasets) > 1:
        return f"Data: {len(datasets)} data sets."
    note = context.dataset_note(datasets[0]).rstrip(".")
    return f"Data: {context.dataset(datasets[0])}{f' ({note})' if note else ''}."


def _corruptions(rows: pd.DataFrame, context: Context) -> list[str]:
    """A sentence for each corruption; data sets as they are beside others are named."""
    parts = {str(name): part for name, part in rows.groupby("corruption", sort=False)}
    sentences = [_corrupted(part, name, context) for name, part in parts.items() if name != "none"]
    if "none" in parts:
        datasets = list(dict.fromkeys(parts["none"]["dataset"]))
        which = _named(datasets, "other data set")
        every = "The data" if not sentences else which[:1].upper() + which[1:]
        sentences.append(f"{every} as they are, with nothing removed or changed.")
    return sentences


def _corrupted(rows: pd.DataFrame, corruption: str, context: Context) -> str:
    rates = sorted(rows["rate"].unique())
    name = context.condition(corruption, rates[0], ()) if len(rates) == 1 else context.corruption(corruption)
    meaning = context.rate_means(corruption)
    return f"Corruption: {name}{f'; the rate is {meaning}' if meaning else ''}."


def _prepared(rows: pd.DataFrame, context: Context) -> str:
    """'Scaling auto, filling knn.'; of methods that are all prepared as their papers have it, that they are."""
    pairs = set(zip(rows["algorithm"], rows["prepare"], strict=True))
    if all(steps and context.cards.method(name).prepare == steps for name, steps in pairs):
        return "Preparation: as published for each."
    scalings, fillings = (listed(filter(None, rows[name].unique())) for name in ("scaling", "filling"))
    return f"Scaling {scalings}{f', filling {fillings}' if fillings else ''}." if scalings else ""


def _protocols(rows: pd.DataFrame, spread: bool) -> list[str]:
    sentences, deviation = [], _OVER_REPEATS if spread and rows["std"].notna().any() else ""
    for (protocol, pick), part in rows.groupby(["protocol", "pick"], sort=False):
        restarts = part.loc[part["restarts"] > 0, "restarts"]
        each = f" of {_span(restarts, 'restart')} each" if len(restarts) else ""
        sentences.append(f"Protocol {protocol}: {_span(part['n_stored'], 'repeat')}{each}; {_PICKS[pick]}{deviation}.")
    return sentences


def _span(counts: pd.Series, noun: str) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{'' if low == high else f'{low} to '}{plural(high, noun)}"
