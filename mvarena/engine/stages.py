"""The stages of a trial before its algorithm runs: load, corrupt, prepare. Data in, data out.

What each draws comes from the trial's own seeds, so the stages give the same data whenever they are repeated: for the
algorithm, and later for a metric that looks at the views as the algorithm saw them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from mvarena.contracts.corruption import corruption_effect
from mvarena.contracts.trial import Step, Trial
from mvarena.data import MultiViewData
from mvarena.engine.validation import plain_facts
from mvarena.errors import InvalidData
from mvarena.registry.catalog import Catalog
from mvarena.study.sources import data_source, forget_sources, load_source

_SHORT_S = 0.01  # that data may take which are made while another trial runs


@dataclass(frozen=True, eq=False)
class StagedData:
    """The data of a trial right before the corruption and right after it, with labels, and as its algorithm sees
    them: prepared, without labels. decided: transform -> view -> what it took the view for and did, of those
    transforms that decide by looking at the numbers."""

    whole: MultiViewData
    corrupted: MultiViewData
    seen: MultiViewData
    decided: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def achieved(self) -> Mapping[str, Any]:
        """Effect of the corruption and decisions of the transforms, as an outcome holds them."""
        return plain_facts(corruption_effect(self.whole, self.corrupted) | {"decided": self.decided})


def staged(trial: Trial, catalog: Catalog) -> StagedData:
    """The data of `trial` after each stage.

    Steps of preparation run in the order named; the corruption comes after the last of those that are to precede it.
    Raises DataUnavailable, InvalidData for data that changed since planning, Incompatible, InvalidSetting, and
    PluginError where a step fails in another way.
    """
    whole, spoiled, n_early, decided = _spoiled(trial, catalog)
    seen, more = prepared(trial.prepare[n_early:], spoiled, catalog)
    return StagedData(whole, spoiled, seen, decided | more)


class LastStaged:
    """`staged`, of which the last data, or the error, are kept for the next trials on the same."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._content = ""
        self._generated = False
        self._took_s = float("inf")
        self._result: StagedData | BaseException | None = None

    def __call__(self, trial: Trial, catalog: Catalog) -> StagedData:
        """The data of `trial`. Raises as `staged`."""
        self.prepare(trial, catalog)
        if isinstance(self._result, BaseException):
            raise self._result
        assert self._result is not None
        return self._result

    def prepare(self, trial: Trial, catalog: Catalog) -> None:
        """Have the data of `trial` at hand. Raises for a data set that is not announced; other errors are kept."""
        if trial.content != self._content:
            if self._content:
                forget_sources()
            self._content, self._key, self._result = trial.content, (), None
            self._generated = data_source(trial.source, catalog).generated
        key = self._key_of(trial)
        if key == self._key:
            return
        began = time.perf_counter()
        self._key, self._result = key, None  # the last are let go before the next are made
        try:
            self._result = staged(trial, catalog)
            self._result.achieved  # noqa: B018  made once for all trials on these data
        except (Exception, SystemExit) as error:
            self._result = error
        self._took_s = time.perf_counter() - began

    def prepare_ahead(self, trial: Trial, catalog: Catalog) -> bool:
        """The same for a trial that begins later, where its data are the last or another draw that takes no time.

        False where they are not.
        """
        key = self._key_of(trial)
        if key[:3] == self._key[:3] and self._took_s < _SHORT_S:
            self.prepare(trial, catalog)
        return key == self._key

    def _key_of(self, trial: Trial) -> tuple[Any, ...]:
        drawn = (trial.seed, trial.repeat) if self._generated or trial.corruptions else None
        return trial.source, trial.corruptions, trial.prepare, drawn


def spoiled_data(trial: Trial, catalog: Catalog) -> MultiViewData:
    """The data of `trial` right after the corruption, with labels. Raises as `staged`."""
    return _spoiled(trial, catalog)[1]


def _spoiled(trial: Trial, catalog: Catalog) -> tuple[MultiViewData, MultiViewData, int, dict[str, Mapping[str, str]]]:
    """Data before and after the corruption, how many steps of preparation came before it, and what these decided."""
    full = loaded(trial, catalog)
    early = [catalog.transform(step.name).before_corruption for step in trial.prepare]
    n_early = len(early) - early[::-1].index(True) if any(early) else 0
    decided: dict[str, Mapping[str, str]] = {}
    plain = full if n_early else None
    if n_early:
        # transforms see no labels, but a corruption may
        ready, decided = prepared(trial.prepare[:n_early], full, catalog)
        full = full.with_views(ready.views, mask=ready.mask)
    return full, corrupted(trial, full, catalog, plain), n_early, decided


def loaded(trial: Trial, catalog: Catalog) -> MultiViewData:
    """The data of `trial` as they are, with labels.

    Raises InvalidData if they are no longer what was planned.
    """
    data = load_source(trial.source, catalog, trial.data_seed)
    if data_source(trial.source, catalog).content(data) != trial.content:
        raise InvalidData(f"{trial.dataset} has changed since this trial was planned; run the same command again.")
    return data


def corrupted(trial: Trial, data: MultiViewData, catalog: Catalog, plain: MultiViewData | None = None) -> MultiViewData:
    """`data` after the corruptions of `trial`, each with a seed of its own.

    plain : where `data` are prepared already, the same samples before that. The mask is drawn from these, so that one
        that depends on values is the same for every method.
    """
    for index, step in enumerate(trial.corruptions):
        seed = trial.corruption_seed(index)
        if plain is None:
            data = _after(step, data, seed, catalog)
        elif catalog.corruption(step.name).makes_missing:
            data, plain = data.with_mask(_after(step, plain, seed, catalog).mask), None
        else:
            data, plain = (_after(step, given, seed, catalog) for given in (data, plain))
    return data


def _after(step: Step, data: MultiViewData, seed: int, catalog: Catalog) -> MultiViewData:
    """`data` after one corruption."""
    spec = catalog.corruption(step.name)
    kind = catalog.load(spec)
    with catalog.calling(spec):
        return of_all_samples(data, kind(**step.params).apply(data, step.rate, np.random.default_rng(seed)))


def prepared(
    steps: Sequence[Step], data: MultiViewData, catalog: Catalog
) -> tuple[MultiViewData, dict[str, Mapping[str, str]]]:
    """`data` without labels after the transforms `steps`, in order, and what those decided that look at numbers."""
    data = data.without_labels()
    decided: dict[str, Mapping[str, str]] = {}
    for step in steps:
        spec = catalog.transform(step.name)
        if spec.decides:
            decided[step.name] = catalog.function(replace(spec, target=spec.decides))(data)
        with catalog.calling(spec):
            data = of_all_samples(data, catalog.load(spec)(data, **step.params))
    return data, decided


def of_all_samples(before: MultiViewData, result: object) -> MultiViewData:
    """Check the result of a corruption or transform. Raises TypeError or ValueError but for data of all samples."""
    if not isinstance(result, MultiViewData):
        raise TypeError(f"it returned a {type(result).__name__}, and not a MultiViewData")
    if result.n_samples != before.n_samples:
        raise ValueError(f"it returned {result.n_samples} of {before.n_samples} samples; all must stay")
    return result
