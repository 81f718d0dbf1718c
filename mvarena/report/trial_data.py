"""Data of figures drawn only when named: the embeddings of single trials, and the patterns of missing data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.replay import Space, space_of
from mvarena.engine.stages import spoiled_data
from mvarena.errors import DataUnavailable, MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.report.formatting import file_name
from mvarena.store.database import Database
from mvarena.store.overview import key_of
from mvarena.store.trials import DoneTrial, done_trials
from mvarena.study.sources import located

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


def drawn_trials(db: Database, keys: Sequence[str], catalog: Catalog) -> list[DrawnTrial]:
    """The finished trials whose keys begin so, with their spaces (`mvarena.engine.replay.space_of`, which runs them).

    Raises UnknownName for a key that is not there, MvarenaError for a trial that did not finish or has no space.
    """
    wanted = dict.fromkeys(key_of(db, key) for key in keys)
    known = {trial.key: trial for trial in done_trials(db) if trial.key in wanted}
    for key in wanted:
        if key not in known:
            raise MvarenaError(
                f"trial {key[:12]} did not finish: it has no clusters to show; see mvarena results show {key[:12]}.",
                field="trial",
            )
    return [_drawn(db, known[key], catalog) for key in wanted]


def _drawn(db: Database, done: DoneTrial, catalog: Catalog) -> DrawnTrial:
    trial = Trial.from_identity(done.identity, done.source)
    space = space_of(db, done, catalog)
    return DrawnTrial(done.key[:8], trial.algorithm, file_name(done.dataset), trial.corruption, trial.rate, space)


def stored_patterns(db: Database, keys: Iterable[str], catalog: Catalog) -> tuple[pd.DataFrame, list[str]]:
    """The patterns of each data set, corruption and rate of these trials, of the first repeat, and who is not at hand.

    Columns PATTERN_COLUMNS, as of `patterns`. Loads the data and corrupts them again, which gives the same masks.
    """
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
