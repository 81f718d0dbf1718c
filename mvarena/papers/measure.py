"""The number that stands beside a paper's: mean, deviation and interval of the trials that a selector means."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from sqlalchemy import func, select

from mvarena.analysis.naming import natural_order
from mvarena.contracts.outcome import Status
from mvarena.errors import InvalidData
from mvarena.papers.selector import Selector
from mvarena.store.cards import Cards, cards
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.encoding import canonical_json, unpack_labels
from mvarena.store.frames import ORDER, fits_frame, scores_frame
from mvarena.store.schema import attempts, conditions, sources, texts, trials, truths

CONFIDENCE = 0.95
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured number, in percent where the metric's largest value is 1.

    mean, std : over the counted values (n - 1; None for a single one). standard_error : of the mean; 0 for a single
        value. half_width : of its 95 % interval, by Student's t; None for a single value. n, of : the values that both
        are over, 'repeats' where there are several, else 'k-means runs'.
    choice : what labels picked. label_free : the mean over all candidates, where labels picked.
    keys : of the trials.
    """

    mean: float
    std: float | None
    standard_error: float
    half_width: float | None
    n: int
    of: str
    choice: str = ""
    label_free: float | None = None
    keys: tuple[str, ...] = field(default=(), repr=False)


def short_keys(keys: Sequence[str]) -> str:
    """The keys of trials as `mvarena results show` takes them, twelve digits each."""
    return " ".join(key[:_SHORT] for key in keys)


def measure(found: Evidence, selector: Selector, metrics: Sequence[str], by: str) -> dict[str, Measured]:
    """Metric -> what was measured; a metric that is not stored, and a point that is not whole, is left out.

    by : the metric by which labels pick, one candidate for all metrics.
    """
    rows = found.part(selector)
    rows = rows[rows["value"].notna() & rows["metric"].isin(set(metrics) | {by})]
    candidates = {str(text): part for text, part in rows.groupby("params")}
    if not candidates:
        return {}
    if len(candidates) > 1 and selector.pick is None:
        raise InvalidData(
            f"{len(candidates)} results match one number ({selector.filters()}); set their parameters, or set pick."
        )
    best, choice = _picked(candidates, by)
    return {
        metric: result
        for metric in metrics
        if (result := _number(candidates[best], metric, candidates, choice)) is not None
    }


def _picked(candidates: dict[str, pd.DataFrame], by: str) -> tuple[str, str]:
    """The candidate that is best by labels, and what sets it apart; the only one, and '', where there is one."""
    if len(candidates) == 1:
        return next(iter(candidates)), ""
    means = {text: _mean(part, by) for text, part in candidates.items()}
    best = max(sorted(means), key=lambda text: means[text])
    settings = [json.loads(text) for text in candidates]
    differing = sorted(name for name in settings[0] if len({json.dumps(setting.get(name)) for setting in settings}) > 1)
    chosen = json.loads(best)
    return best, ", ".join(f"{name} = {_shown(chosen[name])}" for name in differing)


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _mean(rows: pd.DataFrame, metric: str) -> float:
    values = rows.loc[rows["metric"] == metric, "value"]
    return float(values.mean()) if len(values) else -math.inf


def _number(rows: pd.DataFrame, metric: str, candidates: dict[str, pd.DataFrame], choice: str) -> Measured | None:
    rows = rows[rows["metric"] == metric]
    if rows.empty:
        return None
    factor = 1.0 if metric == "entropy" else 100.0
    by_repeat = rows.pivot_table(index=["seed", "repeat"], columns="rate", values="value", aggfunc="mean")
    if by_repeat.isna().any(axis=None):
        return None
    repeats = factor * by_repeat.mean(axis=1).to_numpy()
    if by_repeat.shape[1] > 1:  # rates, over which each repeat is a mean
        n, std = len(repeats), _deviation(repeats)
    else:
        n, std = _pooled(rows)
        std = None if std is None else factor * std
    n, over = (len(repeats), _deviation(repeats)) if len(repeats) > 1 else (n, std)
    standard_error = 0.0 if over is None else over / math.sqrt(n)
    free = [factor * _mean(part, metric) for part in candidates.values()]
    return Measured(
        mean=float(repeats.mean()),
        std=std,
        standard_error=standard_error,
        half_width=None if over is None else float(stats.t.ppf(0.5 + CONFIDENCE / 2, n - 1)) * standard_error,
        n=n,
        of="repeats" if len(repeats) > 1 or n == 1 else "k-means runs",
        choice=choice,
        label_free=float(np.mean(free)) if len(free) > 1 else None,
        keys=tuple(sorted(rows["key"].unique())),
    )


def _deviation(values: NDArray[np.float64]) -> float | None:
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def _pooled(rows: pd.DataFrame) -> tuple[int, float | None]:
    """Number of k-means runs that count in all of the trials, and their standard deviation (None for one run)."""
    counts = rows["restarts"].where(rows["spread"].notna(), 1).to_numpy()
    n = int(counts.sum())
    if n < 2:
        return n, None
    values, spreads = rows["value"].to_numpy(), rows["spread"].fillna(0.0).to_numpy()
    mean = float((counts * values).sum() / n)
    return n, math.sqrt(float(((counts - 1) * spreads**2 + counts * (values - mean) ** 2).sum() / (n - 1)))


# Stored results for a paper's tables: the counted values, and the status of the runs.


@dataclass(frozen=True)
class Evidence:
    """Scores in the long form, and of each trial how its iterations went.

    scores : the columns of `mvarena.store.frames`, with every parameter in `params`; a trial that did not finish is one
        row without a value.
    runs : key -> (iterations, objective by iteration).
    facts : data set -> {'samples': n, 'clusters': K, 'views': V, 'missing-bbc': percent, ...}.
    cards : of methods and data sets.
    """

    scores: pd.DataFrame
    runs: Mapping[str, tuple[int, tuple[float, ...]]]
    facts: Mapping[str, Mapping[str, float]]
    cards: Cards

    def part(self, selector: Selector) -> pd.DataFrame:
        """The scores that `selector` means."""
        position = (selector.algo, selector.data)
        rows = self.scores if None in position else self._parts.get(position, self.scores.iloc[:0])
        return rows[selector.chosen(rows)]

    @cached_property
    def _parts(self) -> dict[tuple[str | None, str | None], pd.DataFrame]:
        return dict(list(self.scores.groupby(["algorithm", "dataset"])))

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial and name."""
        return self.scores.drop_duplicates(["key", "dataset", "protocol"])


def evidence(db: Database, metrics: Iterable[str]) -> Evidence:
    """Results stored in `db` by `metrics`, of the newest version of each method.

    Cost: a few statements, and memory for one row per counted value.
    """
    scores = of_newest_versions(scores_frame(db, metrics=list(dict.fromkeys(metrics)), every_choice=True))
    known = cards(db)
    return Evidence(_with_defaults(scores, known), _runs(db, scores["key"].unique()), _facts(db), known)


def of_newest_versions(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of each method's highest stored version: a number is of one version, never a mean over two."""
    stored = scores[["algorithm", "algorithm_version"]].drop_duplicates()
    newest = {name: max(part, key=natural_order) for name, part in stored.groupby("algorithm")["algorithm_version"]}
    return scores[scores["algorithm_version"] == scores["algorithm"].map(newest)]


def _with_defaults(scores: pd.DataFrame, known: Cards) -> pd.DataFrame:
    """The same scores with every parameter of the methods in `params`, not only those that differ from the defaults."""
    settings = scores[["algorithm", "params"]].drop_duplicates()
    whole = {
        (name, params): canonical_json({**(known.method(name).defaults or {}), **json.loads(params)})
        for name, params in settings.itertuples(index=False)
    }
    both = zip(scores["algorithm"], scores["params"], strict=True)
    scores = scores.assign(params=[whole[setting] for setting in both])
    return scores.sort_values(list(ORDER), kind="stable", ignore_index=True)


def _runs(db: Database, keys: Iterable[str]) -> dict[str, tuple[int, tuple[float, ...]]]:
    return {row.key: (row.n_iter, row.objective) for row in fits_frame(db, keys).itertuples()}


def _facts(db: Database) -> dict[str, dict[str, float]]:
    """One finished trial stands for all on its data set: on data as they are where there is one.

    Which samples miss a view is said of data as they are alone.
    """
    query = (
        select(sources.c.name.label("dataset"), conditions.c.corruption, func.min(attempts.c.id).label("id"))
        .select_from(NAMED.join(attempts, attempts.c.trial == trials.c.id))
        .where(attempts.c.status == Status.DONE)
        .group_by(sources.c.name, conditions.c.corruption)
        .subquery()
    )
    columns = (query.c.dataset, query.c.corruption, texts.c.text.label("achieved"), truths.c.labels)
    joined = query.join(attempts, attempts.c.id == query.c.id).outerjoin(truths, truths.c.id == attempts.c.truth)
    joined = joined.outerjoin(texts, texts.c.id == attempts.c.achieved)
    result: dict[str, dict[str, float]] = {}
    with db.read() as connection:
        for row in connection.execute(select(*columns).select_from(joined)):
            complete = row.corruption == "none"
            if complete or row.dataset not in result:
                result[row.dataset] = _of_data(json.loads(row.achieved or "{}"), row.labels, complete)
    return result


def _of_data(achieved: Mapping[str, object], labels: bytes | None, as_they_are: bool) -> dict[str, float]:
    views = achieved.get("views")
    counts = achieved.get("samples_by_missing_views")
    result: dict[str, float] = {}
    if isinstance(views, dict):
        result["views"] = len(views)
        if as_they_are:
            result |= {f"missing-{name}": 100.0 * view["missing"] for name, view in views.items()}
    if isinstance(counts, list):
        result["samples"] = sum(counts)
    if labels is not None:
        classes = unpack_labels(labels)
        result["clusters"] = len(set(classes[classes >= 0].tolist()))
    return result
