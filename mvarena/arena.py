"""The arena from Python: load a data set, prepare data, run a study into a store and get a DataFrame back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mvarena.data import MultiViewData
from mvarena.engine.conductor import Conductor, Progress, Report
from mvarena.engine.local import LocalEngine
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database, open_database
from mvarena.study.model import Study
from mvarena.study.plan import Plan, plan_study
from mvarena.study.sources import load_source
from mvarena.study.values import parse_duration

if TYPE_CHECKING:
    import pandas as pd


def load_dataset(name: str, *, seed: int = 0) -> MultiViewData:
    """The data set of that name, such as "digits" or "3sources[bbc,guardian]".

    `seed` matters only for data that are drawn at random. Raises UnknownName, or DataUnavailable with what to do.
    """
    return load_source(name, installed_catalog(), seed)


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
    report: Report
    scores: pd.DataFrame


def run_study(
    study: Study,
    *,
    db: str | Path,
    jobs: int = 1,
    timeout_s: float | None = None,
    retry_failed: bool = False,
    on_plan: Callable[[Plan], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> RunResult:
    """Plan `study`, run what `db` does not hold yet, and read the scores of all its trials.

    The database is opened before anything is loaded or planned, so that a wrong path costs no time.
    """
    if jobs < 1:
        raise InvalidSetting(f"--jobs must be at least 1, not {jobs}.")
    with ExitStack() as stack:
        database = stack.enter_context(open_database(db))
        plan = plan_study(study, installed_catalog())
        if on_plan:
            on_plan(plan)
        engine = stack.enter_context(LocalEngine(jobs, timeout_s))
        conductor = Conductor(database, engine, retry_failed=retry_failed, on_progress=on_progress)
        report = conductor.run(plan.trials)
        return RunResult(plan, report, _scores(database, plan))


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
    algorithms: str | Iterable[str],
    datasets: str | Iterable[str],
    *,
    corrupt: str | Iterable[str] | None = None,
    rates: Iterable[float] | None = None,
    trials: int | None = None,
    restarts: int | None = None,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    prepare: Iterable[str] | None = None,
    n_clusters: int | None = None,
    protocol: str = "fair",
    seed: int = 0,
    jobs: int = 1,
    timeout: float | str | None = None,
    db: str | Path | None = None,
) -> pd.DataFrame:
    """Run algorithms on data sets and return every score: one row per trial, restart and metric.

    Parameters
    ----------
    algorithms, datasets, corrupt, prepare : a name or several, as on the command line.
    rates : missing rates (or whatever the corruption's rate means).
    n_clusters : in place of the number of classes; needed for data without classes.
    params : algorithm -> parameter -> value; a list or tuple of values makes a grid.
    timeout : seconds per trial, or text such as "10m".
    db : where results are kept and looked up; None keeps them for this call only.

    Raises MvarenaError for what is wrong with the request; a trial that fails is a row with its status.
    """
    study = Study(
        algorithms=_names(algorithms),
        datasets=_names(datasets),
        corruptions=None if corrupt is None else _names(corrupt),
        rates=None if rates is None else tuple(float(rate) for rate in rates),
        trials=trials,
        restarts=restarts,
        params={
            name: {key: _values(value) for key, value in chosen.items()} for name, chosen in (params or {}).items()
        },
        prepare=None if prepare is None else _names(prepare),
        n_clusters=n_clusters,
        protocol=protocol,
        seed=seed,
    )
    timeout_s = parse_duration(timeout) if isinstance(timeout, str) else timeout
    with tempfile.TemporaryDirectory(prefix="mvarena-") as folder:
        result = run_study(study, db=db or Path(folder) / "results.db", jobs=jobs, timeout_s=timeout_s)
    if result.report.interrupted:
        raise KeyboardInterrupt
    return result.scores


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)
