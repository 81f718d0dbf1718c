"""Data of figures that look at single trials: their embeddings, patterns of missing data, and survival."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.naming import natural_order
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable, MvarenaError, UnknownName
from mvarena.report.formatting import file_name
from mvarena.store.database import Database
from mvarena.store.overview import key_of
from mvarena.store.read_outcomes import counted_labelling, keys_with_labels
from mvarena.store.trials import DoneTrial, done_trials, stored_scores, stored_sources
from mvarena.study.outcomes import outcomes_of
from mvarena.study.sources import located

if TYPE_CHECKING:
    from mvarena.engine.replay import Space
    from mvarena.registry.catalog import Catalog

_P_VALUES = ("log-rank-p", "log-rank-p-5")
PATTERN_COLUMNS = ("dataset", "corruption", "rate", "pattern", "n", "n_samples", "view", "observed")


@dataclass(frozen=True, eq=False, slots=True)
class DrawnTrial:
    """A trial by the first digits of its key, with what it was and the space that its clusters were found in."""

    key: str
    algorithm: str
    dataset: str
    corruption: str
    rate: float
    space: Space


@dataclass(frozen=True, eq=False, slots=True)
class Followed:
    """Survival in a trial, of the samples whose survival is known, by its restart of lowest inertia.

    key : its first digits. labels, time, event : (n,). p : of the log-rank statistic by permutations, as stored; NaN
    where it is not. p_of_larger : over the clusters of five samples and more. time_name : what the outcomes call the
    time.
    """

    key: str
    labels: NDArray[np.int64]
    time: NDArray[np.float64]
    event: NDArray[np.bool_]
    p: float
    p_of_larger: float
    time_name: str


def followed_trials(
    db: Database, keys: Iterable[str], catalog: Catalog, first: bool = False
) -> tuple[dict[str, Followed], list[str]]:
    """Key -> survival, of the finished first repeats of `keys` on data with survival; and sentences on what is lacking.

    first : only on the first data set by name that has any. Cost: nothing for data without outcomes, or trials without
    labels; else the stored trials and the files of outcomes are read.
    """
    wanted, lacking, result = keys_with_labels(db).intersection(keys), dict[str, None](), dict[str, Followed]()
    every = sorted(stored_sources(db), key=lambda pair: natural_order(pair[0].name)) if wanted else []
    for source, content in every:
        try:
            table = outcomes_of(source, content, catalog)
        except UnknownName:  # of a plugin that is not installed
            continue
        except MvarenaError as error:
            lacking[str(error)] = None
            continue
        if table is not None and table.time is not None:
            trials = done_trials(db, datasets={source.name})
            own = [one for one in trials if one.identity["content"] == content and one.source == source]
            result |= _followed(db, [one for one in own if one.key in wanted], table, catalog)
        if result and first:
            break
    return result, list(lacking)


def _followed(db: Database, trials: Iterable[DoneTrial], known: OutcomeTable, catalog: Catalog) -> dict[str, Followed]:
    """Survival of the samples in each of the trials that is a first repeat, by the outcomes of their data set."""
    specs = [catalog.metric(name) for name in _P_VALUES]
    p_values = [(known.version_of(spec.version), stored_scores(db, spec.name)) for spec in specs]
    result: dict[str, Followed] = {}
    for done in trials:
        counted = counted_labelling(db, done.key) if done.identity["seed"][1] == 0 else None
        if counted is not None and (samples := known.survival_of(counted.labels)) is not None:
            time, event, labels = samples
            p, p_of_larger = (values.get((done.key, version), np.nan) for version, values in p_values)
            result[done.key] = Followed(done.key[:8], labels, time, event, p, p_of_larger, known.names[0])
    return result


def drawn_trials(db: Database, keys: Sequence[str], catalog: Catalog) -> list[DrawnTrial]:
    """The finished trials whose keys begin so, with their spaces (`mvarena.engine.replay.space_of`, which runs them).

    Raises UnknownName for a key that is not there, MvarenaError for a trial that did not finish or has no space.
    """
    wanted = dict.fromkeys(key_of(db, key) for key in keys)
    known = {trial.key: trial for trial in done_trials(db) if trial.key in wanted}
    for key in wanted:
        if key not in known:
            raise MvarenaError(
                f"trial {key[:12]} did not finish, so it has no clusters; see mvarena results show {key[:12]}.",
                field="trial",
            )
    return [_drawn(db, known[key], catalog) for key in wanted]


def _drawn(db: Database, done: DoneTrial, catalog: Catalog) -> DrawnTrial:
    from mvarena.engine.replay import space_of  # imports scikit-learn

    trial = Trial.from_identity(done.identity, done.source)
    space = space_of(db, done, catalog)
    return DrawnTrial(done.key[:8], trial.algorithm, file_name(done.dataset), trial.corruption, trial.rate, space)


def stored_patterns(db: Database, keys: Iterable[str], catalog: Catalog) -> tuple[pd.DataFrame, list[str]]:
    """The patterns of each data set, corruption and rate of these trials, of the first repeat, and who is not at hand.

    Columns PATTERN_COLUMNS, as of `patterns`. Loads the data and corrupts them again, which gives the same masks.
    """
    from mvarena.engine.stages import spoiled_data  # imports scikit-learn

    wanted = set(keys)
    first: dict[tuple[str, str, float], tuple[tuple[int, int], Trial]] = {}
    for done in done_trials(db):
        if done.key in wanted:
            trial = Trial.from_identity(done.identity, done.source)
            point, repeat = (done.dataset, trial.corruption, trial.rate), (trial.seed, trial.repeat)
            if point not in first or repeat < first[point][0]:
                first[point] = (repeat, trial)
    parts, lacking = [], dict[str, None]()
    for (dataset, corruption, rate), (_, trial) in sorted(first.items(), key=lambda item: item[0]):
        try:
            source = located(trial.source, trial.content, catalog)
            data = spoiled_data(Trial.from_identity(trial.identity(), source), catalog)
        except DataUnavailable as error:
            lacking[str(error)] = None
            continue
        parts.append(patterns(data).assign(dataset=file_name(dataset), corruption=corruption, rate=rate))
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(PATTERN_COLUMNS))
    return frame[list(PATTERN_COLUMNS)], list(lacking)


def patterns(data: MultiViewData) -> pd.DataFrame:
    """One row per pattern and view: pattern (its number), n (samples that have it), n_samples, view, observed.

    The pattern of most observed views comes first, of equally many that of most samples. Cost O(n V log n).
    """
    kinds, counts = np.unique(data.mask, axis=0, return_counts=True)
    order = np.lexsort((*kinds.T, -counts, -kinds.sum(axis=1)))
    rows = [
        (number, int(counts[index]), data.n_samples, view, bool(observed))
        for number, index in enumerate(order)
        for view, observed in zip(data.view_names, kinds[index], strict=True)
    ]
    return pd.DataFrame(rows, columns=["pattern", "n", "n_samples", "view", "observed"])
