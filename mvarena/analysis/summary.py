"""Summaries: one row per point, contestant and metric, with everything that did not work counted beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.analysis.trial_values import ENTRY, POINT, Reported, common_repeats, trial_values

SUMMARY_COLUMNS = (
    *POINT, "contestant", "metric", "mean", "std", "paired", "n_paired", "n_trials", "n_stored", "n_nan", "unscored",
    "failed", "skipped", "superseded", "status", "reason", "label_picked", "choice", "competes", "algorithm",
    "algorithm_version", "params", "corpus", "kind", "scaling", "filling", "prepare", "protocol", "pick", "restarts",
    "repeats", "wall_s", "cpu_s", "fit_s", "peak_rss_mb",
)  # fmt: skip


def summarize(
    reported: Reported,
    metrics: Sequence[str] | None = None,
    *,
    apart: Collection[str] = (),
    picked: Collection[str] = (),
) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant and metric.

    Contents of data, seeds, protocols and versions never share a row: a data set's name with several contents becomes
    several names (`names_by_content`), and a contestant's says whatever else differs (`name_contestants`).

    Parameters
    ----------
    reported : what `mvarena.analysis.trial_values.reported_trials` made of the scores.
    metrics : which, in order; None: all in the frame, by name.
    apart : algorithms that compete with nobody, such as baselines. picked : algorithms and metrics that use classes.

    Columns of the result (SUMMARY_COLUMNS)
    ---------------------------------------
    mean, std : over the values of the trials, std with n - 1; of a single trial, its own spread over restarts (NaN
        where its protocol counts one).
    paired, n_paired : the mean over the repeats that all who compete at the point have (`common_repeats`), and how many
        these are; paired is NaN where one of these trials has no value: that has no score to compare.
    n_trials : the values in the mean. n_stored : the trials stored for this row.
    n_nan : values that are NaN; they are left out of mean and std. unscored : finished trials without this metric.
    failed, skipped, reason : trials that did not finish, those that were skipped, and why most of them did not.
    repeats : which repeats of which seed are stored for this row, as '0-4 of seed 0'.
    superseded : trials left out because a later trial of the same repeat finished, or has more restarts.
    status : DONE where there is a mean; else what became of most trials, UNSCORED or NAN.
    label_picked, choice : whether ground truth chose the number, and what it chose, such as 'view=fac'.
    competes : neither apart nor label_picked under any condition or metric.
    wall_s, cpu_s, fit_s : mean seconds per finished trial; peak_rss_mb : the largest.

    Cost O(rows log rows).
    """
    wanted = list(dict.fromkeys(metrics)) if metrics is not None else metrics_in(reported.frame)
    values = trial_values(reported, wanted)
    reads = values["algorithm"].isin(list(picked)) | values["metric"].isin(list(picked))
    values = values.assign(label_picked=values["label_picked"].astype(bool) | reads)
    labelled = values.groupby(["contestant", "metric"])["label_picked"].transform("any")
    values["competes"] = ~values["algorithm"].isin(list(apart)) & ~labelled
    summary = _statistics(values).merge(_paired(values), on=[*ENTRY, "metric"], how="left").fillna({"n_paired": 0})
    summary = summary.merge(_described(reported.kept), on=ENTRY, how="left")
    summary = summary.merge(failure_counts(reported.kept, ENTRY), on=ENTRY, how="left")
    dropped = reported.trials.drop(reported.kept.index).groupby(ENTRY).size().rename("superseded")
    summary = summary.merge(dropped.reset_index(), on=ENTRY, how="left").fillna({"superseded": 0})
    return _finished(summary.astype({"superseded": int, "n_paired": int}), wanted)


def metrics_in(frame: pd.DataFrame) -> list[str]:
    """All metrics that the frame holds values of, by name; ACC where no trial was scored."""
    return sorted(frame["metric"].dropna().unique()) or ["acc"]


_OF_ENTRY = (
    "algorithm", "algorithm_version", "params", "corpus", "kind", "scaling", "filling", "prepare", "protocol", "pick",
)  # fmt: skip


def _described(trials: pd.DataFrame) -> pd.DataFrame:
    """Per point and contestant, what is known of its trials."""
    done = trials["status"] == "DONE"
    costs = {name: trials[name].where(done) for name in ("wall_s", "cpu_s", "fit_s", "peak_rss_mb")}
    trials = trials.assign(n_done=done, **costs)
    rows = trials.groupby(ENTRY, sort=False).agg(
        n_stored=("trial_id", "size"),
        n_done=("n_done", "sum"),
        restarts=("restarts", "max"),
        wall_s=("wall_s", "mean"),
        cpu_s=("cpu_s", "mean"),
        fit_s=("fit_s", "mean"),
        peak_rss_mb=("peak_rss_mb", "max"),
        **{name: (name, "first") for name in _OF_ENTRY},
    )
    ran: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    for *entry, seed, repeat in zip(*(trials[name] for name in (*ENTRY, "seed", "repeat")), strict=True):
        ran.setdefault(tuple(entry), []).append((seed, repeat))
    return rows.assign(repeats=[_shown_repeats(own) for own in ran.values()]).reset_index()


def _statistics(values: pd.DataFrame) -> pd.DataFrame:
    """Per point, contestant and metric: mean, deviation and counts of the values."""
    with np.errstate(invalid="ignore"):  # infinite values have no deviation
        rows = values.groupby([*ENTRY, "metric"], sort=False).agg(
            mean=("value", "mean"),
            std=("value", "std"),
            spread=("spread", "mean"),
            n_trials=("value", "count"),
            n_scored=("is_scored", "sum"),
            label_picked=("label_picked", "any"),
            competes=("competes", "first"),
        )
    choices = values[values["choice"] != ""].groupby([*ENTRY, "metric"], sort=False)["choice"].max()
    choice = choices.reindex(rows.index).fillna("") if len(choices) else ""
    single = rows["n_trials"] == 1
    return rows.assign(
        std=rows["std"].where(~single, rows["spread"]), n_nan=rows["n_scored"] - rows["n_trials"], choice=choice
    ).reset_index()


def _paired(values: pd.DataFrame) -> pd.DataFrame:
    """Per point, contestant and metric of those who compete: mean over the common repeats, and how many these are."""
    rivals = values[values["competes"]]
    shared = rivals[common_repeats(rivals, POINT)]
    groups = shared.groupby([*ENTRY, "metric"])["value"]
    rows = groups.agg(paired="mean", n_paired="size", n_values="count").reset_index()
    rows["paired"] = rows["paired"].where(rows["n_values"] == rows["n_paired"])
    return rows.drop(columns="n_values")


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


def _finished(summary: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    summary = summary.assign(unscored=summary["n_done"] - summary["n_scored"])
    status = summary["status"].where(summary["n_done"] == 0, "UNSCORED")
    status = status.mask(summary["n_nan"] > 0, "NAN").mask(summary["n_trials"] > 0, "DONE")
    place = {metric: index for index, metric in enumerate(metrics)}
    ordered = by_name(summary.assign(status=status, place=summary["metric"].map(place)).sort_values("place"))
    return ordered.sort_values(POINT, kind="stable", ignore_index=True)[list(SUMMARY_COLUMNS)]


# What became of the trials that did not finish, counted and in words.


def failure_counts(trials: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Per group: failed, skipped, and of what did not finish the status of most, with the reason of most of these; ''
    if all finished.

    trials : one row per trial, with the columns `by`, status and reason. Cost O(trials).
    """
    unfinished: dict[tuple[Any, ...], list[tuple[str, str]]] = {}
    groups = zip(*(trials[name] for name in by), strict=True)
    for group, status, reason in zip(groups, trials["status"], trials["reason"], strict=True):
        members = unfinished.setdefault(group, [])
        if status != "DONE":
            members.append((str(status), reason.strip() if isinstance(reason, str) else ""))
    rows = []
    for group, members in unfinished.items():
        skipped = sum(status == "SKIPPED" for status, _ in members)
        status = _most(own for own, _ in members)
        reason = _most(text for own, text in members if own == status)
        rows.append((*group, len(members) - skipped, skipped, status, reason))
    return pd.DataFrame(rows, columns=[*by, "failed", "skipped", "status", "reason"])


def _most(words: Iterable[str]) -> str:
    counts = Counter(words)
    return min(counts, key=lambda word: (-counts[word], word)) if counts else ""
