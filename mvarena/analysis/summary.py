"""Summaries: one row per point, contestant and metric, with everything that did not work counted beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.analysis.trial_values import POINT, VARIANT, Reported
from mvarena.store.frames import OF_SCORE

_ENTRY = [*POINT, "contestant"]  # what becomes one row per metric
SUMMARY_COLUMNS = (
    *POINT, "contestant", "metric", "mean", "std", "n_runs", "n_trials", "n_stored", "n_restarts", "n_nan", "unscored",
    "failed", "skipped", "superseded", "status", "reason", "label_picked", "choice", "algorithm", "algorithm_version",
    "params", "variant", "corpus", "scaling", "filling", "prepare", "protocol", "pick", "repeats", "wall_s", "fit_s",
    "peak_rss_mb",
)  # fmt: skip


def summarize(
    reported: Reported, metrics: Sequence[str] | None = None, *, directions: Mapping[str, bool]
) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant and metric.

    Contents of data, seeds, protocols and versions never share a row: a data set's name with several contents becomes
    several names (`names_by_content`), and a contestant's says whatever else differs (`name_contestants`).

    Parameters
    ----------
    reported : what `mvarena.analysis.trial_values.reported_trials` made of the long form.
    metrics : which, in order; None: all in the frame, by name (where no trial was scored, the first of `directions`).
    directions : metric -> True where higher is better.

    Columns of the result (SUMMARY_COLUMNS)
    ---------------------------------------
    mean, std : over the trials' values, std with n - 1 (NaN for a single value).
    n_runs, n_trials : the values in the mean, and the trials that they come from.
    n_stored, n_restarts : the trials stored for this row, and the restarts of their protocol (the largest number).
    n_nan : values that are NaN; they are left out of mean and std. unscored : finished trials without this metric.
    failed, skipped, reason : trials that did not finish, those that were skipped, and why.
    repeats : which repeats of which seed are stored for this row, as '0-4 of seed 0': where these are the same, so are
        the masks.
    superseded : trials left out because a later trial of the same repeat finished, or has more restarts.
    status : DONE where there is a mean; else what became of most trials, UNSCORED or NAN.
    label_picked, choice : whether ground truth chose the number (the best restart, or the best variant: choice then
        says which, such as 'view=fac').
    contestant, variant : the name, and the part of it in brackets.
    wall_s, fit_s : mean seconds per finished trial; peak_rss_mb : the largest.

    Cost O(rows log rows).
    """
    frame, trials, kept = reported
    wanted = list(dict.fromkeys(metrics)) if metrics is not None else metrics_in(frame, directions)
    entries = _entries(kept, wanted)
    summary = entries.merge(_statistics(frame, kept, wanted), on=[*VARIANT, "metric"], how="left")
    summary = _count_gaps(summary)
    summary["label_picked"] &= summary["mean"].notna()
    summary = summary.merge(failure_counts(kept, _ENTRY), on=_ENTRY, how="left")
    dropped = trials.drop(kept.index).groupby(_ENTRY).size().rename("superseded")
    summary = summary.merge(dropped.reset_index(), on=_ENTRY, how="left")
    return _finished(summary, wanted)


def metrics_in(frame: pd.DataFrame, directions: Mapping[str, bool]) -> list[str]:
    """All metrics that the frame holds values of, by name."""
    return sorted(frame["metric"].dropna().unique()) or list(directions)[:1]


def _entries(trials: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    """One row per point, contestant, parameters and metric, with what is known of its trials."""
    trials = trials.assign(ran=list(zip(trials["seed"], trials["repeat"], strict=True)))
    done = trials[trials["status"] == "DONE"]
    described = trials.groupby(VARIANT, sort=False).agg(
        n_stored=("trial_id", "size"),
        repeats=("ran", _shown_repeats),
        algorithm=("algorithm", "first"),
        algorithm_version=("algorithm_version", "first"),
        variant=("variant", "first"),
        corpus=("corpus", "first"),
        scaling=("scaling", "first"),
        filling=("filling", "first"),
        prepare=("prepare", "first"),
        protocol=("protocol", "first"),
        pick=("pick", "first"),
        label_picked=("label_picked", "first"),
    )
    finished = done.groupby(VARIANT).agg(
        n_done=("trial_id", "size"),
        n_restarts=("restarts", "max"),
        wall_s=("wall_s", "mean"),
        fit_s=("fit_s", "mean"),
        peak_rss_mb=("peak_rss_mb", "max"),
    )
    entries = described.join(finished).reset_index()
    return entries.merge(pd.DataFrame({"metric": metrics}), how="cross")


def _shown_repeats(ran: Iterable[tuple[int, int]]) -> str:
    """'0-4 of seed 0, 0 and 2-3 of seed 1' of (seed, repeat) pairs."""
    by_seed: dict[int, list[int]] = {}
    for seed, repeat in sorted(set(ran)):
        by_seed.setdefault(seed, []).append(repeat)
    return ", ".join(f"{_spans(repeats)} of seed {seed}" for seed, repeats in by_seed.items())


def _spans(numbers: list[int]) -> str:
    """'0-4', '0 and 2-3' of rising whole numbers."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return " and ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _statistics(frame: pd.DataFrame, trials: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    """Mean, deviation and counts of the values, and the choice of labels, per point, contestant, parameters, metric."""
    runs = frame.loc[frame["metric"].isin(metrics) & (frame["status"] == "DONE"), ["trial_id", *OF_SCORE]]
    runs = runs.merge(trials[["trial_id", *VARIANT]], on="trial_id")
    runs = runs.assign(nan=runs["value"].isna())
    groups = runs.groupby([*VARIANT, "metric"])
    with np.errstate(invalid="ignore"):  # infinite values have no deviation
        statistics = groups.agg(
            mean=("value", "mean"),
            std=("value", "std"),
            n_runs=("value", "count"),
            n_nan=("nan", "sum"),
            n_scored=("trial_id", "nunique"),
            choice=("choice", "first"),
        )
    valued = runs[~runs["nan"]].groupby([*VARIANT, "metric"])["trial_id"].nunique().rename("n_trials")
    return statistics.join(valued).reset_index()


def _count_gaps(summary: pd.DataFrame) -> pd.DataFrame:
    counts = ["n_runs", "n_nan", "n_scored", "n_trials", "n_done", "n_restarts"]
    filled = summary.assign(**{column: summary[column].fillna(0).astype(int) for column in counts})
    choice = filled["choice"].fillna("").where(filled["mean"].notna(), "")
    return filled.assign(unscored=filled["n_done"] - filled["n_scored"], choice=choice)


def _finished(summary: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    counts = ["failed", "skipped", "superseded"]
    summary = summary.assign(**{column: summary[column].fillna(0).astype(int) for column in counts})
    status = summary["status"].where(summary["n_done"] == 0, "UNSCORED")
    status = status.mask(summary["n_nan"] > 0, "NAN").mask(summary["n_runs"] > 0, "DONE")
    rows = zip(*(summary[name].tolist() for name in (*_ENTRY, "metric")), strict=True)
    order = [
        (dataset, corruption, rate, natural_order(contestant), metrics.index(metric), position)
        for position, (dataset, corruption, rate, contestant, metric) in enumerate(rows)
    ]
    ordered = summary.assign(status=status).iloc[[key[-1] for key in sorted(order)]]
    return ordered[list(SUMMARY_COLUMNS)].reset_index(drop=True)


# What became of the trials that did not finish, counted and in words.

_MOST_REASONS = 3


def failure_counts(trials: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Per group: failed, skipped, status (what most unfinished trials ended in; '' if all finished) and reason.

    trials : one row per trial, with the columns `by`, status and reason. A reason reads '2 x TIMEOUT: sentence';
    at most three different ones are quoted. Cost O(trials).
    """
    unfinished: dict[tuple[Any, ...], list[tuple[str, Any]]] = {}
    groups = zip(*(trials[name] for name in by), strict=True)
    for group, status, reason in zip(groups, trials["status"], trials["reason"], strict=True):
        members = unfinished.setdefault(group, [])
        if status != "DONE":
            members.append((str(status), reason))
    rows = []
    for group, members in unfinished.items():
        skipped = sum(status == "SKIPPED" for status, _ in members)
        rows.append((*group, len(members) - skipped, skipped, _most(members), _reasons(members)))
    return pd.DataFrame(rows, columns=[*by, "failed", "skipped", "status", "reason"])


def _most(unfinished: Sequence[tuple[str, Any]]) -> str:
    counts = Counter(status for status, _ in unfinished)
    return min(counts, key=lambda status: (-counts[status], status)) if counts else ""


def _reasons(unfinished: Sequence[tuple[str, Any]]) -> str:
    texts = [
        f"{status}: {reason.strip()}" if isinstance(reason, str) and reason.strip() else status
        for status, reason in unfinished
    ]
    counts = sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))
    quoted = "; ".join(f"{count} x {text}" for text, count in counts[:_MOST_REASONS])
    more = sum(count for _, count in counts[_MOST_REASONS:])
    return f"{quoted}; and {more} more" if more else quoted


# Scores aggregated over the rates, as in Table 1 of EE-IMVC (Liu et al., AAAI 2019): one number per data set.

_ENTRY_OVER_RATES = ["dataset", "corruption", "contestant", "metric"]
_REPEAT = ["seed", "repeat"]
INCOMPLETE = "INCOMPLETE"
OVER_RATES_COLUMNS = (
    *_ENTRY_OVER_RATES, "algorithm", "mean", "std", "wall_s", "rate", "n_rates", "of_rates", "n_repeats", "of_repeats",
    "status", "reason", "label_picked",
)  # fmt: skip


def over_rates(values: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, corruption, contestant and metric, columns OVER_RATES_COLUMNS.

    values : what `mvarena.analysis.trial_values.trial_values` returns.
    mean : over the repeats of the mean over the rates. std : of the repeats' means (n - 1), NaN for a single repeat.
    rate : the only one; NaN where there are several.
    of_rates : how many rates anybody has on that data set under that corruption; n_rates : at how many of them the
        contestant has a value. A repeat that lacks a rate is left out: n_repeats of of_repeats are not.
    status : DONE where there is a mean; else what became of most trials, or INCOMPLETE where no repeat has all rates.
    wall_s : mean seconds per trial over the same trials. Cost O(rows log rows).
    """
    full = repeats_over_rates(values)
    known = values[values["value"].notna()]
    entries = values.groupby(_ENTRY_OVER_RATES, sort=False)
    rows = entries.agg(
        algorithm=("algorithm", "first"), label_picked=("label_picked", "any"), first_rate=("rate", "first")
    )
    repeats = values.drop_duplicates([*_ENTRY_OVER_RATES, *_REPEAT])
    counts = full.groupby(_ENTRY_OVER_RATES)
    rows = rows.join(
        [
            counts.agg(
                mean=("value", "mean"), std=("value", "std"), wall_s=("wall_s", "mean"), n_repeats=("value", "size")
            ),
            known.groupby(_ENTRY_OVER_RATES)["rate"].nunique().rename("n_rates"),
            repeats.groupby(_ENTRY_OVER_RATES).size().rename("of_repeats"),
            _ends(values),
        ]
    ).reset_index()
    rows["of_rates"] = _of_rates(rows, values)
    counted = ["n_repeats", "n_rates", "of_repeats"]
    rows[counted] = rows[counted].fillna(0).astype(int)
    unfinished = rows["ended"].fillna("UNSCORED").where(rows["n_rates"] == 0, INCOMPLETE)
    status = unfinished.where(rows["n_repeats"] == 0, "DONE")
    rate = rows["first_rate"].astype(float).where(rows["of_rates"] == 1)
    rows = rows.assign(status=status, rate=rate, reason=rows["reason"].fillna(""))
    return rows[list(OVER_RATES_COLUMNS)]


def repeats_over_rates(values: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, corruption, contestant, metric, seed and repeat that has a value at every rate that anybody
    has there: value and wall_s, the means over the rates, and label_picked."""
    known = values[values["value"].notna()]
    means = known.groupby([*_ENTRY_OVER_RATES, *_REPEAT], sort=False).agg(
        value=("value", "mean"),
        wall_s=("wall_s", "mean"),
        rates=("rate", "nunique"),
        label_picked=("label_picked", "any"),
    )
    means = means.reset_index()
    return means[means["rates"].to_numpy() == _of_rates(means, values).to_numpy()]


def _of_rates(rows: pd.DataFrame, values: pd.DataFrame) -> pd.Series:
    """Row by row, how many rates anybody has on its data set under its corruption."""
    counts = values.groupby(["dataset", "corruption"])["rate"].nunique().rename("of_rates").reset_index()
    return rows[["dataset", "corruption"]].merge(counts, how="left")["of_rates"]


def _ends(values: pd.DataFrame) -> pd.DataFrame:
    """Most frequent status of an entry's unfinished trials (of equally many the first by name), and the first
    reason."""
    unfinished = values[values["status"] != "DONE"]
    counts = unfinished.groupby([*_ENTRY_OVER_RATES, "status"]).size().rename("count").reset_index()
    most = counts.sort_values(["count", "status"], ascending=[False, True], kind="stable").drop_duplicates(
        _ENTRY_OVER_RATES
    )
    text = unfinished[unfinished["reason"].fillna("") != ""].drop_duplicates(_ENTRY_OVER_RATES)
    return (
        most.set_index(_ENTRY_OVER_RATES)[["status"]]
        .rename(columns={"status": "ended"})
        .join(text.set_index(_ENTRY_OVER_RATES)[["reason"]], how="left")
    )
