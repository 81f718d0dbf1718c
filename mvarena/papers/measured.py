"""Stored results for a paper's tables: the counted values, and the status of the runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd
from sqlalchemy import func, select

from mvarena.analysis.values import counted_runs
from mvarena.contracts.outcome import Status
from mvarena.papers.selector import Selector
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.encoding import unpack_floats, unpack_labels
from mvarena.store.frames import scores_frame
from mvarena.store.schema import attempts, names, trials, truths
from mvarena.store.trials import IS_CURRENT

RUN_COLUMNS = ("key", "n_iter", "objective")


@dataclass(frozen=True)
class Evidence:
    """Scores in the long form, and of each trial how its iterations went.

    scores : the columns of `mvarena.store.frames`, only the values that each protocol counts; a trial that did not
        finish is one row without a value.
    runs : key -> (iterations, objective by iteration).
    facts : data set -> {'samples': n, 'clusters': K, 'views': V, 'missing-bbc': percent, ...}.
    picks : question -> what each picker picks (the rows of `mvarena.analysis.picking.picked`).
    """

    scores: pd.DataFrame
    runs: Mapping[str, tuple[int, tuple[float, ...]]]
    facts: Mapping[str, Mapping[str, float]]
    picks: Mapping[str, pd.DataFrame] = field(default_factory=dict)

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
    """All that `db` holds by `metrics`. Cost: a few statements, and memory for one row per counted value."""
    wanted = list(dict.fromkeys(metrics))
    frame = scores_frame(db, metrics=wanted)
    frame = frame.assign(trial_id=frame.groupby(["key", "dataset", "protocol"], dropna=False).ngroup())
    scored = frame[frame["metric"].notna()]
    catalog = installed_catalog()
    directions = {name: catalog.metric(name).higher_is_better for name in catalog.names("metric")}
    counted = counted_runs(scored, directions)
    scores = pd.concat([counted, frame[frame["metric"].isna()]], ignore_index=True)
    return Evidence(scores, _runs(db), _facts(db))


def _runs(db: Database) -> dict[str, tuple[int, tuple[float, ...]]]:
    query = select(attempts.c.key, attempts.c.n_iter, attempts.c.objective).where(
        IS_CURRENT, attempts.c.status == Status.DONE
    )
    with db.read() as connection:
        return {row.key: (row.n_iter, unpack_floats(row.objective)) for row in connection.execute(query)}


def _facts(db: Database) -> dict[str, dict[str, float]]:
    """One finished trial stands for all on its data set: on data as they are where there is one.

    Which samples miss a view is said of data as they are alone.
    """
    query = (
        select(names.c.dataset, trials.c.corruption, func.min(attempts.c.id).label("id"))
        .select_from(attempts.join(trials).join(names, names.c.key == trials.c.key))
        .where(attempts.c.status == Status.DONE)
        .group_by(names.c.dataset, trials.c.corruption)
        .subquery()
    )
    columns = (query.c.dataset, query.c.corruption, attempts.c.achieved, truths.c.labels)
    joined = query.join(attempts, attempts.c.id == query.c.id).outerjoin(truths, truths.c.id == attempts.c.truth_id)
    result: dict[str, dict[str, float]] = {}
    with db.read() as connection:
        for row in connection.execute(select(*columns).select_from(joined)):
            complete = row.corruption == "none"
            if complete or row.dataset not in result:
                result[row.dataset] = _of_data(json.loads(row.achieved), row.labels, complete)
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
