"""Options of a run, from its file or its caller: workers, time, and the database."""

from __future__ import annotations

from dataclasses import dataclass

from mvarena.errors import MvarenaError, about
from mvarena.registry.catalog import installed_catalog
from mvarena.study.keys import AUTO_JOBS, STUDY_KEYS
from mvarena.study.settings import Layers
from mvarena.study.values import Shard, parse_duration, parse_size

DEFAULT_DATABASE = next(str(key.default) for key in STUDY_KEYS if key.name == "db")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """db : the path of a results database, or its URL. jobs : worker processes; AUTO_JOBS: as many as there is room for
    (`mvarena.engine.limits`).

    timeout_s, cpu_s : seconds per trial, wall and CPU; memory : bytes per trial; None: any.
    skip_after_limit : whether a method that reached a limit on the data as they are is skipped on them afterwards.
    threads : of linear algebra in each trial. scheduler : the address of a Dask scheduler; None: workers of this
    machine. metrics : computed besides those that every trial is scored by. shard : the part of the trials
    that is run; None: all. keep_restarts : store the labels of every restart, not of the one that counts alone.
    """

    db: str = DEFAULT_DATABASE
    jobs: int | str = AUTO_JOBS
    timeout_s: float | None = None
    cpu_s: float | None = None
    memory: int | None = None
    skip_after_limit: bool = False
    threads: int = 1
    scheduler: str | None = None
    metrics: tuple[str, ...] = ()
    shard: Shard | None = None
    keep_restarts: bool = False


def run_options(said: Layers) -> RunOptions:
    """Options of a run; a relative path of a database starts at the folder of the file that gives it.

    Raises UnknownName for a metric that there is not, and InvalidSetting.
    """
    settings = said.settings
    values = {key.field: settings[key.name] for key in STUDY_KEYS if not key.per_run and key.name in settings}
    for name, read in (("timeout_s", parse_duration), ("cpu_s", parse_duration), ("memory", parse_size)):
        if isinstance(values.get(name), str):
            values[name] = read(values[name])
    db = values.get("db", DEFAULT_DATABASE)
    try:
        with about("metrics"):
            metrics = tuple(installed_catalog().metric(name).name for name in values.get("metrics", ()))
        values |= {"metrics": metrics, "db": db if "://" in db else str(said.folder("db") / db)}
        return RunOptions(**values)
    except MvarenaError as error:
        raise said.located(error) from error
