"""The arena from Python: load a data set, prepare data, run a study into a store and get a DataFrame back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.data import MultiViewData
from mvarena.engine.conductor import Advance, Conductor, Tally
from mvarena.engine.interface import Engine
from mvarena.engine.limits import Limits
from mvarena.engine.local import LocalEngine
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.local import is_local, local_spec, spec_of_estimator
from mvarena.store.database import Database, open_database
from mvarena.store.outdated import outdated
from mvarena.study.model import DEFAULT_FILL, Contestant, Study
from mvarena.study.plan import Plan, plan_study
from mvarena.study.preparation import preparation_for
from mvarena.study.sources import load_source, source_from_text, source_of_data
from mvarena.study.values import parse_duration

if TYPE_CHECKING:
    import pandas as pd

ENGINES = ("local", "dask")


def load_dataset(name: str, *, seed: int = 0) -> MultiViewData:
    """The data set of that name, such as "digits" or "3sources[bbc,guardian]".

    `seed` matters only for data that are drawn at random. Raises UnknownName, or DataUnavailable with what to do.
    """
    catalog = installed_catalog()
    return load_source(source_from_text(name, catalog), catalog, seed)


def prepare(
    data: MultiViewData | Sequence[Any], *transforms: str, for_: Any = None, fill: str = DEFAULT_FILL
) -> MultiViewData:
    """`data` as an algorithm is to see them: `prepare(data, "auto", for_="daimc")` is what `run` gives daimc.

    Parameters
    ----------
    data : a MultiViewData, or a list with one array per view.
    transforms : applied in order, as in prepare(views, "fill-mean", "unit-rows"). "auto" is the scaling by what each
        view holds; "paper" alone, the published preparation of the algorithm.
    for_ : an algorithm, by name, class or estimator, whose adaptation follows: filling, kernels and so on, where it
        needs them. None: none follows.
    fill : what stands in for missing samples where the algorithm needs complete data: mean, zero or knn.

    Raises UnknownName for what there is none of, and Incompatible for data that a transform cannot take.
    """
    catalog = installed_catalog()
    prepared = data if isinstance(data, MultiViewData) else MultiViewData.from_arrays(data)
    for name in preparation_for(_spec_of(for_), prepared, transforms, fill, catalog):
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
    engine: str = "local",
    scheduler: str | None = None,
    rerun: Sequence[str] = (),
    metrics: Sequence[str] = (),
    on_plan: Callable[[Plan], None] | None = None,
    on_progress: Callable[[Advance], None] | None = None,
) -> RunResult:
    """Plan `study`, run what `db` does not hold yet, and read the scores of all its trials.

    engine : "local", or "dask" for a Dask cluster of its own on this machine.
    scheduler : the address of a Dask scheduler whose workers are to run the trials; `jobs` then means nothing.
    rerun : what of the stored trials is run again, any of "failed", "timeout", "crashed", "skipped", "stale" (done by
    other code of the algorithm than is here) and "all". A time-out is, where more time is allowed now.
    metrics : computed besides those that every trial is scored by, from the stored labels: so the internal ones can be
    had for data with classes, in the views.
    The database is opened before anything is loaded or planned, so that a wrong path costs no time.
    """
    if jobs < 1:
        raise InvalidSetting(f"jobs must be at least 1, not {jobs}.", field="jobs", value=jobs)
    wanted = [installed_catalog().metric(name) for name in metrics]
    with ExitStack() as stack:
        database = stack.enter_context(open_database(db))
        plan = plan_study(study, installed_catalog())
        plan = replace(plan, notes=(*plan.notes, *outdated(database, plan.trials)))
        if on_plan:
            on_plan(plan)
        runner = stack.enter_context(_engine(engine, scheduler, jobs, Limits(timeout_s=timeout_s)))
        conductor = Conductor(database, runner, rerun=rerun, on_progress=on_progress)
        tally = conductor.run(plan.trials)
        _add_metrics(database, plan, wanted)
        return RunResult(plan, tally, _scores(database, plan))


def _engine(name: str, scheduler: str | None, jobs: int, limits: Limits) -> AbstractContextManager[Engine]:
    """The engine of that name, to be entered; a scheduler's address asks for Dask."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES, f"There are {', '.join(ENGINES)}.")
    if name == "local" and scheduler is None:
        return LocalEngine(jobs, limits=limits)
    from mvarena.engine.dask_engine import DaskEngine

    return DaskEngine(jobs, limits=limits, scheduler=scheduler)


def _add_metrics(database: Database, plan: Plan, metrics: Sequence[MetricSpec]) -> None:
    """Score what is done of the plan by `metrics`, where it is not yet."""
    from mvarena.engine.rescore import rescore
    from mvarena.store.done_trials import done_trials

    catalog, planned = installed_catalog(), {trial.key for trial in plan.trials}
    done = [trial for trial in done_trials(database) if trial.key in planned] if metrics else []
    for metric in metrics:
        rescore(database, metric, done, catalog)


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
        ({component: {parameter: value}}; a list or tuple of values makes a grid), scale, fill, prepare (words, or
        {algorithm: words}), n_clusters, protocol, seed.

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


def _spec_of(algorithm: Any) -> AlgorithmSpec | None:
    """The spec of what `run` takes as an algorithm; None of None."""
    if algorithm is None:
        return None
    found = _contestant(algorithm)
    return found.spec if isinstance(found, Contestant) else installed_catalog().algorithm(found)


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
