"""Trials that will be skipped, with reasons, found before anything runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.trial import Trial
from mvarena.data import Kind, MultiViewData, View
from mvarena.engine.stages import prepared, staged
from mvarena.errors import Incompatible
from mvarena.registry.catalog import Catalog

# the fillings that take anything; their cost is up to the square of the samples for features, more for kernels
_FILLINGS = ("fill-knn", "fill-mean")
# steps that take anything, and the kinds of views that they make kernels of
_TO_KERNELS: Mapping[str, tuple[Kind, ...]] = {
    "gaussian-kernel": ("features", "distance"),
    "center-kernels": ("kernel",),
}


def refusals(trials: Iterable[Trial], catalog: Catalog) -> dict[str, str]:
    """Key -> why the algorithm will not take the data, of those of `trials` that will be skipped.

    The data are corrupted and prepared for one repeat of each condition, as its trials will be. Trials that will fail
    for another reason are not among them. Cost: that of the preparation without its filling, once for each data set,
    preparation and condition.
    """
    groups: dict[Any, list[Trial]] = defaultdict(list)
    for trial in trials:
        conditions = tuple((step.label, step.rate) for step in trial.corruptions)
        groups[trial.content, trial.prepare, conditions].append(trial)
    return {key: reason for group in groups.values() for key, reason in _refused(group, catalog).items()}


def _refused(trials: Sequence[Trial], catalog: Catalog) -> Mapping[str, str]:
    try:
        data = _seen(trials[0], catalog)
    except Incompatible as refusal:
        return {trial.key: str(refusal) for trial in trials}
    except (Exception, SystemExit):  # each trial will end by what is wrong, and says so
        return {}
    reasons, result = dict[Any, str](), dict[str, str]()
    for trial in trials:
        requested = (trial.algorithm, repr(sorted(trial.params.items())))
        if requested not in reasons:
            reasons[requested] = _reason(trial, data, catalog)
        result[trial.key] = reasons[requested]
    return {key: reason for key, reason in result.items() if reason}


def _seen(trial: Trial, catalog: Catalog) -> MultiViewData:
    """The data of `trial` as its algorithm sees them, but for what was filled and for kernels: zeros stand there.

    No refusal depends on those: fillings complete the mask, and are negative only where observed values are; of kernels
    only the size counts.
    """
    replaced = {*_FILLINGS, *_TO_KERNELS}
    first = next((i for i, step in enumerate(trial.prepare) if step.name in replaced), len(trial.prepare))
    rest = trial.prepare[first:]
    names = {step.name for step in rest}
    numbers_count = not names.isdisjoint(_TO_KERNELS) and not names <= replaced  # a later step looks at the kernels
    if numbers_count or any(catalog.transform(step.name).before_corruption for step in rest):
        return staged(trial, catalog).seen
    data = staged(replace(trial, prepare=trial.prepare[:first]), catalog).seen
    for step in rest:
        if step.name in _FILLINGS:
            data = data.with_views(data.views, mask=np.ones_like(data.mask))
        elif step.name in _TO_KERNELS:
            data = _with_empty_kernels(data, _TO_KERNELS[step.name])
        else:
            data = prepared((step,), data, catalog)[0]
    return data


def _with_empty_kernels(data: MultiViewData, kinds: Sequence[Kind]) -> MultiViewData:
    kernel = np.zeros((data.n_samples, data.n_samples))  # takes no memory before it is written to
    return data.with_views([View(view.name, kernel, "kernel") if view.kind in kinds else view for view in data.views])


def _reason(trial: Trial, data: MultiViewData, catalog: Catalog) -> str:
    kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    try:
        estimator: MultiViewClusterer = kind(**trial.params)
        estimator.check(data)
    except Incompatible as refusal:
        return str(refusal)
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever a stranger's constructor does: the trial will end by it, and is not skipped
        return ""
    return ""
