"""Studies run as one: planned, compared with what is stored, forecast, executed and read back."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING

from mvarena.analysis.estimates import Forecast, forecast, measured_costs
from mvarena.contracts.specs import MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Advance, Conductor, Tally
from mvarena.engine.limits import Limits, workers_for
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import Pending, pending
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.facts import full_environment
from mvarena.store.cards import describe_components
from mvarena.store.contents import describe_contents
from mvarena.store.costs import costs_of
from mvarena.store.database import Database, open_database
from mvarena.store.runs import BY_PYTHON, Asked, asked_run
from mvarena.store.trials import done_trials, outdated, register
from mvarena.store.troubles import ServerTrouble
from mvarena.study.building import Block, RunOptions
from mvarena.study.plan import Plan, part_of_plan, plan_blocks
from mvarena.system.speed import machine_speed
from mvarena.text import listed

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.engine.dask_engine import DaskEngine

SERVER_MAY_BE_AWAY_S = 300.0  # in the middle of a run, as while it is restarted


@dataclass(frozen=True, slots=True)
class Preview:
    """A plan beside what is stored: what would run, what that is expected to take, and by how many workers."""

    plan: Plan
    pending: Pending
    forecast: Forecast
    jobs: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run: its plan, the summary, and the scores of the plan's trials (long form)."""

    plan: Plan
    tally: Tally
    scores: pd.DataFrame


def preview(database: Database | None, blocks: Sequence[Block], how: RunOptions, rerun: Sequence[str] = ()) -> Preview:
    """Preview of a run of `blocks`; without a database, as with an empty one. Nothing is written."""
    return _compared(database, _planned(blocks, how), how, rerun)


def _planned(blocks: Sequence[Block], how: RunOptions) -> Plan:
    """The plan of `blocks`, or the part of it that this run takes."""
    plan = plan_blocks(blocks, installed_catalog())
    return plan if how.shard is None else part_of_plan(plan, how.shard)


def _compared(database: Database | None, plan: Plan, how: RunOptions, rerun: Sequence[str]) -> Preview:
    """Preview of a plan, with notes on results of other code and on limits."""
    if database is not None:
        plan = replace(plan, notes=(*plan.notes, *outdated(database, plan.trials)))
    plan = replace(plan, notes=(*plan.notes, *limits_of(how).notes()))
    return preview_of_plan(database, plan, how, rerun)


def preview_of_plan(database: Database | None, plan: Plan, how: RunOptions, rerun: Sequence[str] = ()) -> Preview:
    """The same for a plan that is made already."""
    limits = limits_of(how)
    left = pending(database, plan.trials, rerun, how.keep_restarts)
    costs = [] if database is None else costs_of(database, {trial.algorithm for trial in left.trials})
    limit = min((item for item in (limits.timeout_s, limits.cpu_s_here) if item is not None), default=None)
    expected = forecast(left.trials, plan.samples, costs, limit, measured_costs())
    return Preview(plan, left, expected, _jobs(how, limits, plan, left, expected))


def limits_of(how: RunOptions) -> Limits:
    """Limits of each trial of a run. Raises InvalidSetting for invalid limits. Cost: .2 s once where CPU time is."""
    limits = Limits(timeout_s=how.timeout_s, cpu_s=how.cpu_s, memory=how.memory, threads=how.threads)
    return limits if how.cpu_s is None else replace(limits, speed=machine_speed())


def _jobs(how: RunOptions, limits: Limits, plan: Plan, left: Pending, expected: Forecast) -> int:
    """Number of workers: as requested, or as there is room for."""
    if isinstance(how.jobs, int):
        return how.jobs
    most_samples = max((plan.samples[trial.content] for trial in left.trials), default=0)
    peak = expected.peak_mb * 2**20 if expected.memory else 0.0
    return workers_for(len(left.trials), limits, most_samples=most_samples, expected_bytes=peak)


def run_blocks(
    blocks: Sequence[Block],
    how: RunOptions,
    *,
    rerun: Sequence[str] = (),
    asked: Asked = BY_PYTHON,
    on_plan: Callable[[Preview], None] | None = None,
    on_progress: Callable[[Advance], None] | None = None,
    on_scoring: Callable[[int, int], None] | None = None,
    shown: Sequence[str] | None = None,
    score_outcomes: bool = True,
) -> RunResult:
    """Run several studies as one, such as those of a study file (`StudyFile.blocks`).

    shown : of which metrics the scores are read at the end; None: of all, some 2 kB for each score of a trial.
    score_outcomes : whether every restart is scored by the outcomes of the samples, where data have some.
    on_scoring : called with the number of scores computed after the trials, and of all: of each trial and metric one.
    asked : what the database keeps of who asked for it. A plan that is refused leaves nothing there.
    """
    from mvarena.engine.scoring import metrics_of

    limits_of(how)  # what is refused leaves no database
    plan = _planned(blocks, how)
    if not score_outcomes:
        plan = replace(plan, outcomes={})
    wanted = [installed_catalog().metric(name) for name in dict.fromkeys(how.metrics)]
    by_outcomes = metrics_of(installed_catalog(), "outcomes")  # computed wherever data have some
    if plan.outcomes:
        wanted += [spec for spec in by_outcomes if spec not in wanted]
    elif lacking := [spec.name for spec in by_outcomes if spec in wanted]:
        note = f"The data have no outcomes, so {listed(lacking)} cannot be computed; name a file of outcomes."
        plan = replace(plan, notes=(*plan.notes, note))
    with open_database(how.db) as database:
        if database.upgraded:
            plan = replace(plan, notes=(database.upgraded, *plan.notes))
        ahead = _compared(database, plan, how, rerun)
        if on_plan:
            on_plan(ahead)
        left = None
        while True:
            try:
                tally = run_plan(
                    database, ahead, how, metrics=wanted, asked=asked, on_progress=on_progress, on_scoring=on_scoring
                )
                return RunResult(ahead.plan, tally, _scores(database, ahead.plan, shown))
            except ServerTrouble as trouble:  # such as a restart: what is stored stays, and the rest is run
                if left == len(ahead.pending.trials):  # nothing was stored since the last
                    raise
                left = len(ahead.pending.trials)
                warnings.warn(f"{trouble} It is waited for {SERVER_MAY_BE_AWAY_S:g} s.", stacklevel=2)
                if not database.is_back(SERVER_MAY_BE_AWAY_S):
                    raise
                ahead = replace(ahead, pending=pending(database, ahead.plan.trials, rerun, how.keep_restarts))


def run_plan(
    database: Database,
    ahead: Preview,
    how: RunOptions,
    *,
    metrics: Sequence[MetricSpec] = (),
    asked: Asked = BY_PYTHON,
    on_progress: Callable[[Advance], None] | None = None,
    on_scoring: Callable[[int, int], None] | None = None,
) -> Tally:
    """Run the trials that a preview found pending and score them.

    metrics : computed besides those that every trial is scored by. The other parameters are those of `run_blocks`.
    """
    plan = ahead.plan
    environment = full_environment()  # before workers are forked, which then need not find it out again
    with engine_for(how, ahead.jobs, limits_of(how), len(ahead.pending.trials)) as engine:
        import_module("mvarena.store.frames")  # pandas, with which the run ends, while the workers start
        with asked_run(database, asked, environment) as under_way:
            describe_contents(database, plan.contents)
            conductor = Conductor(
                database,
                engine,
                asked=under_way,
                on_progress=on_progress,
                skip_after_limit=how.skip_after_limit,
                keeps_restarts=partial(_keeps_restarts, how, bool(metrics)),
            )
            register(database, plan.also)
            describe_components(database, plan.trials, installed_catalog())
            tally = conductor.run(ahead.pending)
            add_metrics(database, plan, metrics, on_scoring)
    return tally


def _keeps_restarts(how: RunOptions, scored_later: bool, trial: Trial) -> bool:
    """True if the labels of every restart are asked for, or a metric that is computed afterwards goes by all."""
    return how.keep_restarts or (scored_later and trial.protocol.pick != "lowest-inertia")


def engine_for(
    how: RunOptions, jobs: int, limits: Limits, waiting: int
) -> AbstractContextManager[LocalEngine | DaskEngine]:
    """The engine of a run, to be entered: Dask where a scheduler's address is given.

    waiting : how many trials are known to come, for which workers on this machine start at once.
    """
    if how.scheduler is None:
        return LocalEngine(jobs, limits=limits, ahead=waiting, queues=not how.skip_after_limit)
    from mvarena.engine.dask_engine import DaskEngine

    return DaskEngine(how.scheduler, limits=limits)


def add_metrics(
    database: Database,
    plan: Plan,
    metrics: Sequence[MetricSpec],
    on_scoring: Callable[[int, int], None] | None = None,
) -> None:
    """Score what is done of the plan by `metrics`, where it is not yet. on_scoring : as for `run_blocks`."""
    if not metrics:
        return
    from mvarena.engine.rescore import rescore

    catalog, planned = installed_catalog(), {trial.key for trial in plan.trials}
    done = [trial for trial in done_trials(database) if trial.key in planned]
    contents = [trial.identity["content"] for trial in done]
    with_outcomes = [
        replace(trial, source=plan.outcomes[content])
        for trial, content in zip(done, contents, strict=True)
        if content in plan.outcomes
    ]
    scored = [(metric, with_outcomes if metric.needs == "outcomes" else done) for metric in metrics]
    total, counter = sum(len(trials) for _, trials in scored), count(1)

    def advanced() -> None:
        if on_scoring:
            on_scoring(next(counter), total)

    for metric, trials in scored:
        rescore(database, metric, trials, catalog, on_trial=advanced)


def _scores(database: Database, plan: Plan, metrics: Sequence[str] | None) -> pd.DataFrame:
    """The scores of the plan's trials by `metrics` (None: by all), under the names that the plan gives them."""
    from mvarena.store.frames import scores_frame

    # one after the other: a plan's trials are made when they are asked for, and are not to be held together
    names = {(trial.dataset, trial.protocol.name) for trials in (plan.trials, plan.also) for trial in trials}
    return scores_frame(
        database,
        keys=(trial.key for trial in plan.trials),
        datasets={dataset for dataset, _ in names},
        protocols={protocol for _, protocol in names},
        metrics=metrics,
    )
