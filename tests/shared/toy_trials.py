"""Trials of the toy plugin, planned without a command, and run one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mvarena.contracts.outcome import Outcome
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


def planned(
    algorithm: Any = "toy-quick",
    dataset: Any = "toy-blobs",
    *,
    params: Mapping[str, Any] | None = None,
    **study: Any,
) -> list[Trial]:
    """The trials of one algorithm on one data set: one repeat, two restarts.

    params : of the algorithm, in place of its defaults. study : further fields of `Study`.
    """
    grid = {algorithm: {name: (value,) for name, value in params.items()}} if params else {}
    settings = {"algorithms": (algorithm,), "datasets": (dataset,), "repeats": 1, "restarts": 2, "params": grid}
    return list(plan_study(Study(**(settings | study)), installed_catalog()).trials)


def one_trial(*given: Any, **changes: Any) -> Trial:
    """The only one of `planned`."""
    (trial,) = planned(*given, **changes)
    return trial


def ended(engine: LocalEngine) -> tuple[Trial, Outcome]:
    """The next trial that ends, with its outcome."""
    while engine.running:
        if found := engine.finished(10.0):
            return found[0]
    raise AssertionError("nothing runs, and nothing has ended")


def outcome_by(engine: LocalEngine, trial: Trial) -> Outcome:
    """The outcome of one trial on an engine that has nothing else to do."""
    engine.submit(trial)
    return ended(engine)[1]


def outcome_there(trial: Trial, limits: Limits | None = None) -> Outcome:
    """The outcome of one trial on a worker of its own."""
    with LocalEngine(limits=limits) as engine:
        return outcome_by(engine, trial)


def scores_of(outcome: Outcome | None) -> dict[str, float]:
    """Metric -> the value that counts."""
    assert outcome is not None
    return {score.metric: score.value for score in outcome.scores}
