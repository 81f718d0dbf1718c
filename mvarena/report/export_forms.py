"""Forms of stored scores for other tools: by trial, by restart, by contestant."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.conditions import all_preparations
from mvarena.analysis.summary import SUMMARY_COLUMNS
from mvarena.analysis.values import trial_means
from mvarena.report.data import ReportData
from mvarena.store.frames import EXPORTED, OF_TRIAL

_TRIAL = ["key", "dataset", "protocol"]
_ROW = [*_TRIAL, "restart"]  # one row of the wide form
_OF_RESTART = ["restart", "inertia", "n_labels"]


def trial_form(frame: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    """One row per trial and metric, with what the trial's protocol counts; a trial without scores keeps its row.

    frame : the long form (`mvarena.store.frames.scores_frame`). directions : metric -> True where higher is better.
    value : the mean over the restarts that count (`mvarena.analysis.values.counted_runs`). restarts : how many there
    are. n_labels : the median over them. Cost O(rows log rows).
    """
    numbered = frame.assign(trial_id=frame.groupby(_TRIAL, dropna=False, sort=False).ngroup())
    scored = numbered[numbered["metric"].notna()]
    values = trial_means(scored, directions).rename("value")
    groups = scored.astype({"n_labels": float}).groupby(["trial_id", "metric"])
    known = groups.agg(restarts=("restart", "nunique"), n_labels=("n_labels", "median")).join(values).reset_index()
    heads = numbered.drop_duplicates("trial_id")[["trial_id", *OF_TRIAL]]
    rows = heads.merge(known, on="trial_id", how="left").astype({"restarts": "Int64"})
    names = [name for name in (*EXPORTED, *OF_TRIAL) if name != "restart"]
    names.insert(names.index("value") + 1, "restarts")
    return rows[list(dict.fromkeys(names))]


def summary_form(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, condition, contestant and metric (`mvarena.analysis.summary.summarize`).

    Scaling and filling are conditions: each that is stored has rows of its own.
    """
    parts = [ReportData.of_scores(rows, metrics=metrics_of(frame), every_preparation=True, every_version=True).summary
             for rows, _ in all_preparations(frame)]  # fmt: skip
    one = ["dataset", "corruption", "rate", "contestant", "metric", "scaling", "filling", "prepare"]
    return pd.concat(parts, ignore_index=True).drop_duplicates(one)[list(SUMMARY_COLUMNS)]


def metrics_of(frame: pd.DataFrame) -> list[str]:
    """All metrics of the scores, by name."""
    return sorted(frame["metric"].dropna().unique())


def wide_form(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per trial and restart, a column for each metric; a trial without scores keeps its row.

    frame : the long form (`mvarena.store.frames.scores_frame`). A metric of all restarts together stands in restart
    0. A metric whose name is that of another column is called 'metric NAME'. Cost O(rows log rows).
    """
    numbered = frame.assign(row=frame.groupby(_ROW, dropna=False, sort=False).ngroup())
    heads = numbered.drop_duplicates("row").set_index("row")[[*OF_TRIAL, *_OF_RESTART]]
    scored = numbered[numbered["metric"].notna()]
    values = scored.pivot(index="row", columns="metric", values="value")
    taken = set(heads.columns)
    values = values.rename(columns={name: f"metric {name}" for name in values.columns if name in taken})
    values.columns.name = None
    return heads.join(values).reset_index(drop=True)
