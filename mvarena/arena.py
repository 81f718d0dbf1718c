"""The arena from Python: load a data set, prepare data, run a study into a store and get a DataFrame back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.engine.conductor import Advance, Conductor, Tally
from mvarena.engine.local import LocalEngine
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.local import is_local, local_spec, spec_of_estimator
from mvarena.store.database import Database, open_database
from mvarena.store.outdated import outdated
from mvarena.study.model import Contestant, Study
from mvarena.study.plan import Plan, plan_study
from mvarena.study.sources import load_source, source_from_text, source_of_data
from mvarena.study.values import parse_duration

if TYPE_CHECKING:
    import pandas as pd


def load_dataset(name: str, *, seed: int = 0) -> MultiViewData:
    """The data set of that name, such as "digits" or "3sources[bbc,guardian]".

    `seed` matters only for data that are drawn at random. Raises UnknownName, or DataUnavailable with what to do.
    """
    catalog = installed_catalog()
    return load_source(source_from_text(name, catalog), catalog, seed)


def prepare(data: MultiViewData | Sequence[Any], *transforms: str) -> MultiViewData:
    """`data` after the named transforms, in order: prepare(views, "fill-mean", "unit-rows")."""
    catalog = installed_catalog()
    prepared = data if isinstance(data, MultiViewData) else MultiViewData.from_arrays(data)
    for name in transforms:
        prepared = catalog.load(catalog.transform(name))(prepared)
    return prepared


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run leaves: its plan, what became of it, and the scores of the plan's trials (long form)."""

    plan: Plan
    tally: Tally
    scores: pd.DataFrame


def run_study(
    study: Study,
    *,
    db: str | Path,
    jobs: int = 1,
    timeout_s: float | None = None,
    retry_failed: bool = False,
    on_plan: Callable[[Plan], None] | None = None,
    on_progress: Callable[[Advance], None] | None = None,
) -> RunResult:
    """Plan `study`, run what `db` does not hold yet, and read the scores of all its trials.

    The database is opened before anything is loaded or planned, so that a wrong path costs no time.
    """
    if jobs < 1:
        raise InvalidSetting(f"jobs must be at least 1, not {jobs}.", field="jobs", value=jobs)
    with ExitStack() as stack:
        database = stack.enter_context(open_database(db))
        plan = plan_study(study, installed_catalog())
        plan = replace(plan, notes=(*plan.notes, *outdated(database, plan.trials)))
        if on_plan:
            on_plan(plan)
        engine = stack.enter_context(LocalEngine(jobs, timeout_s))
        conductor = Conductor(database, engine, retry_failed=retry_failed, on_progress=on_progress)
        tally = conductor.run(plan.trials)
        return RunResult(plan, tally, _scores(database, plan))


def _scores(database: Database, plan: Plan) -> pd.DataFrame:
    """The scores of the plan's trials, under the names that the plan gives them."""
    from mvarena.store.frames import scores_frame

    return scores_frame(
        database,
        keys=[trial.key for trial in plan.trials],
        datasets={trial.dataset for trial in plan.trials},
        protocols={trial.protocol.name for trial in plan.trials},
    )


def run(
    algorithms: Any,
    datasets: Any,
    *,
    jobs: int = 1,
    timeout: float | str | None = None,
    db: str | Path | None = None,
    **conditions: Any,
) -> pd.DataFrame:
    """Run algorithms on data sets and return every score: one row per trial, restart and metric.

    Parameters
    ----------
    algorithms : one or several names, estimators or their classes (plain scikit-learn clusterers among them).
    datasets : one or several names or paths, `MultiViewData`, or lists with one array per view.
    jobs : worker processes. timeout : seconds per trial, or text such as "10m".
    db : where results are kept and looked up; None keeps them for this call only.
    conditions : the other fields of `mvarena.study.model.Study`: corruptions, rates, repeats, restarts, params
        ({component: {parameter: value}}; a list or tuple of values makes a grid), prepare, n_clusters, protocol, seed.

    Raises MvarenaError for what is wrong with the request; a trial that fails is a row with its status.
    """
    study = Study.of(algorithms=_contestants(algorithms), datasets=_sources(datasets), **conditions)
    timeout_s = parse_duration(timeout) if isinstance(timeout, str) else timeout
    with tempfile.TemporaryDirectory(prefix="mvarena-") as folder:
        result = run_study(study, db=db or Path(folder) / "results.db", jobs=jobs, timeout_s=timeout_s)
    if result.tally.interrupted:
        raise KeyboardInterrupt
    return result.scores


def _contestants(algorithms: Any) -> tuple[str | Contestant, ...]:
    given = algorithms if isinstance(algorithms, (list, tuple)) else [algorithms]
    return tuple(_contestant(one) for one in given)


def _contestant(algorithm: Any) -> str | Contestant:
    if isinstance(algorithm, str):
        return Contestant(local_spec(algorithm)) if is_local(algorithm) else algorithm
    return Contestant(*spec_of_estimator(algorithm))


def _sources(datasets: Any) -> tuple[Source, ...]:
    given = datasets if isinstance(datasets, (list, tuple)) and not _is_arrays(datasets) else [datasets]
    catalog = installed_catalog()
    return tuple(
        source_from_text(one, catalog) if isinstance(one, str) else one if isinstance(one, Source)
        else source_of_data(one) for one in given
    )  # fmt: skip


def _is_arrays(datasets: Sequence[Any]) -> bool:
    """Whether this is one data set: a list with one matrix per view."""
    return bool(datasets) and all(hasattr(one, "shape") and len(one.shape) == 2 for one in datasets)
