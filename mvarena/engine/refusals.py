"""Which trials will be skipped, and why, found before anything runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.stages import staged
from mvarena.errors import Incompatible, MvarenaError
from mvarena.registry.catalog import Catalog


def refusals(trials: Iterable[Trial], catalog: Catalog) -> dict[str, str]:
    """Key -> why the algorithm will not take the data, of those of `trials` that will be skipped.

    The data are corrupted and prepared for one repeat of each condition, as its trials will be; the highest rate comes
    first, and only where it is refused are the others looked at. Trials that will fail for another reason are not
    among them. Cost: that of the preparation, once for each data set, preparation and kind of corruption.
    """
    groups: dict[Any, list[Trial]] = defaultdict(list)
    for trial in trials:
        groups[trial.content, trial.prepare, tuple(step.label for step in trial.corruptions)].append(trial)
    found: dict[str, str] = {}
    for group in groups.values():
        found |= _of_group(group, catalog)
    return found


def _of_group(group: Sequence[Trial], catalog: Catalog) -> dict[str, str]:
    """The same for trials that differ in algorithm, rate and repeat alone."""
    by_rate: dict[Any, list[Trial]] = defaultdict(list)
    for trial in group:
        by_rate[tuple(step.rate for step in trial.corruptions)].append(trial)
    found: dict[str, str] = {}
    for rate in sorted(by_rate, reverse=True):
        refused = _refused(by_rate[rate], catalog)
        if not refused:
            break
        found |= refused
    return found


def _refused(trials: Sequence[Trial], catalog: Catalog) -> Mapping[str, str]:
    try:
        data = staged(trials[0], catalog).seen
    except Incompatible as refusal:
        return {trial.key: str(refusal) for trial in trials}
    except MvarenaError:
        return {}
    reasons: dict[Any, str] = {}
    for trial in trials:
        asked = (trial.algorithm, repr(sorted(trial.params.items())))
        if asked not in reasons:
            reasons[asked] = _reason(trial, data, catalog)
    asked_of = {trial.key: (trial.algorithm, repr(sorted(trial.params.items()))) for trial in trials}
    return {key: reasons[asked] for key, asked in asked_of.items() if reasons[asked]}


def _reason(trial: Trial, data: MultiViewData, catalog: Catalog) -> str:
    kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    estimator: MultiViewClusterer = kind(**trial.params)
    try:
        estimator.check(data)
    except Incompatible as refusal:
        return str(refusal)
    except MvarenaError:
        return ""
    return ""
