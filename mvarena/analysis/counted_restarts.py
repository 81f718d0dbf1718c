"""The restarts of a trial that count by its protocol's pick: all, that of lowest inertia, or the best by labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.errors import InvalidSetting

_ONE = ["trial_id", "metric"]


def counted_runs(runs: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    """The rows of `runs` that count under their protocol's pick.

    Parameters
    ----------
    runs : one row per trial x restart x metric, with the columns trial_id, restart, metric, value, inertia and pick.
    directions : metric -> True where higher is better.

    'mean' keeps every restart. 'lowest-inertia' keeps, per trial, the restart of lowest inertia (the first of
    equals; an unknown inertia counts as the highest), even if its value is NaN. 'best-by-labels' keeps, per trial
    and metric, the restart that is best by that metric; NaN only if all are.
    Raises InvalidSetting for any other pick. Cost O(rows log rows).
    """
    unknown = set(runs["pick"].unique()) - set(_PICKS)
    if unknown:
        raise InvalidSetting(
            f"'{sorted(map(str, unknown))[0]}' is not a way to pick a run; the known ones are {', '.join(_PICKS)}."
        )
    parts = [_PICKS[pick](rows, directions) for pick, rows in runs.groupby("pick")]
    return pd.concat(parts) if parts else runs


def signs_of(metrics: Iterable[str], directions: Mapping[str, bool]) -> NDArray[np.float64]:
    """Metric by metric, 1 where higher is better and -1 where lower is; higher where it is not known."""
    return np.array([1.0 if directions.get(metric, True) else -1.0 for metric in metrics])


def trial_means(runs: pd.DataFrame, directions: Mapping[str, bool]) -> pd.Series:
    """Mean of the values that count (`counted_runs`), by trial_id and metric."""
    return counted_runs(runs, directions).astype({"value": float}).groupby(_ONE)["value"].mean()


def _every(runs: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    del directions
    return runs


def _lowest_inertia(runs: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    del directions
    return runs.sort_values([*_ONE, "inertia", "restart"], na_position="last").drop_duplicates(_ONE)


def _best_by_labels(runs: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    ranked = runs.assign(badness=-runs["value"].astype(float) * signs_of(runs["metric"], directions))
    ranked = ranked.sort_values([*_ONE, "badness", "restart"], na_position="last").drop_duplicates(_ONE)
    return ranked.drop(columns="badness")


_PICKS = {"mean": _every, "lowest-inertia": _lowest_inertia, "best-by-labels": _best_by_labels}
