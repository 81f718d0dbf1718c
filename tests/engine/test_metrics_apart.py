"""A metric that fails is a missing score with a reason: labels and all other scores are kept."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine import local_engine, scoring
from mvarena.engine.conductor import Conductor
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.engine.rescore import rescore
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.plugins import Plugin, installed_plugins
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.system.forking import forked

METRICS = """
import os
import signal
import sys
import time
import numpy as np
from mvarena import hookimpl
from mvarena.contracts.specs import MetricSpec

NAMES = {names}


@hookimpl
def mvarena_metrics():
    return [MetricSpec(name=f"a-{{name}}", target=f"hostile_metrics:{{name}}", summary="wrong") for name in NAMES]


def raises(table):
    raise ZeroDivisionError("no cluster")


def exits(table):
    sys.exit(3)


def ends(table):
    os._exit(3)


def crashes(table):
    os.kill(os.getpid(), signal.SIGTERM)


def hangs(table):
    time.sleep(600)


def texts(table):
    return "high"


def writes(table):
    table.counts[:] = 1
    return 0.5


def forces(table):
    table.counts.setflags(write=True)
    table.counts[:] = 1
    from mvarena.metrics import external
    external.__dict__.clear()
    return 0.5


def good(table):
    return 0.25


def undefined(table):
    return float("nan")


def kills(table):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def stops(table):
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(600)
"""
REASONS = {
    "raises": "ZeroDivisionError: no cluster",
    "exits": "SystemExit: 3",
    "ends": "it exited with code 3",
    "crashes": "its process was ended by SIGTERM",
    "hangs": "it took longer than the 0.5 s allowed",
    "texts": "ValueError: could not convert string to float: 'high'",
    "writes": "ValueError: assignment destination is read-only",
}


def trial_of(algorithm: str = "toy-quick", dataset: str = "toy-blobs") -> Trial:
    study = Study(algorithms=(algorithm,), datasets=(dataset,), repeats=1, restarts=2)
    return plan_study(study, installed_catalog()).trials[0]


@pytest.fixture
def announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A function that installs metrics of METRICS as a plugin, and gives the catalog with them."""

    installed = installed_plugins().loaded  # found before this one can be

    def announce(*names: str) -> Catalog:
        (tmp_path / "hostile_metrics.py").write_text(METRICS.format(names=names))
        about = tmp_path / "hostile_metrics-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile-metrics\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[mvarena]\nmetrics = hostile_metrics\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        import hostile_metrics

        specs = tuple(hostile_metrics.mvarena_metrics())
        return Catalog([*installed, Plugin("metrics", "hostile-metrics", "1.0", specs)])

    yield announce
    import sys

    sys.modules.pop("hostile_metrics", None)


def on_a_worker(trial: Trial, limits: Limits | None = None) -> Outcome:
    with LocalEngine(limits=limits) as engine:
        engine.submit(trial)
        while not (ended := engine.finished(10.0)):
            pass
    return ended[0][1]


def scores_in(outcome: Outcome) -> dict[tuple[str, int], float]:
    return {(score.metric, score.restart): score.value for score in outcome.scores}


def test_a_metric_that_fails_takes_no_other_score_along(announced, monkeypatch):
    monkeypatch.setattr(scoring, "METRIC_S", 0.5)
    catalog, trial = announced(*REASONS, "forces", "good", "undefined"), trial_of()
    plain, found = execute(trial), execute(trial, catalog)
    assert found.status is Status.DONE
    assert found.achieved[UNSCORED] == {f"a-{name}": reason for name, reason in REASONS.items()}
    more = {name: value for name, value in scores_in(found).items() if name not in scores_in(plain)}
    expected = {"a-forces": 0.5, "a-good": 0.25, "a-undefined": np.nan}
    np.testing.assert_equal(more, {(name, i): value for name, value in expected.items() for i in (0, 1)})
    assert {name: value for name, value in scores_in(found).items() if name in scores_in(plain)} == scores_in(plain)
    assert UNSCORED not in plain.achieved


@pytest.mark.parametrize("dataset", ["toy-blobs", "toy-plain"])
def test_what_is_there_before_a_plugins_metric_is_told(announced, dataset):
    told: list[Outcome] = []
    found = execute(trial_of(dataset=dataset), announced("good"), labelled=told.append)
    assert [one.status for one in told] == [Status.DONE]
    if dataset == "toy-blobs":
        assert {score.metric for score in found.scores} - {score.metric for score in told[0].scores} == {"a-good"}
        assert told[0].achieved[UNSCORED] == {"a-good": "the trial ended before it was computed"}
    assert UNSCORED not in found.achieved
    for one in told:
        for before, after in zip(one.labellings, found.labellings, strict=True):
            np.testing.assert_array_equal(before.labels, after.labels)


def test_a_metric_of_mvarena_that_raises_is_a_missing_score(monkeypatch):
    def raises(points: object) -> float:
        raise MemoryError

    catalog, plain = installed_catalog(), execute(trial_of())
    scoring._ordered.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(
            scoring,
            "metric_of",
            lambda spec, catalog: (spec, lambda: raises if spec.name == "nmi" else catalog.load(spec)),
        )
        found = execute(trial_of(), catalog)
    scoring._ordered.cache_clear()
    assert found.status is Status.DONE
    assert list(found.achieved[UNSCORED]) == ["nmi"]
    assert {score.metric for score in plain.scores} - {score.metric for score in found.scores} == {"nmi"}


def test_labels_are_kept_where_a_metric_ends_the_worker(announced):
    plain = on_a_worker(trial_of())
    announced("good", "kills")
    found = on_a_worker(trial_of())
    assert found.status is Status.DONE
    assert found.achieved[UNSCORED] == dict.fromkeys(["a-good", "a-kills"], "the trial ended before it was computed")
    assert scores_in(found) == scores_in(plain)


def test_a_metric_has_a_time_of_its_own(announced, monkeypatch):
    monkeypatch.setattr(local_engine, "METRIC_S", 0.5)
    monkeypatch.setattr(local_engine, "_REPORT_S", 0.5)
    announced("stops")
    started = time.monotonic()
    found = on_a_worker(trial_of(), Limits(timeout_s=20.0))
    assert time.monotonic() - started < 15
    assert (found.status, list(found.achieved[UNSCORED])) == (Status.DONE, ["a-stops"])


def test_a_run_warns_once_of_a_metric_that_fails(announced, tmp_path):
    announced("good", "raises")
    trials = plan_study(
        Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=2), installed_catalog()
    ).trials
    sentence = (
        r"The metric a-raises has no score for toy-quick on toy-blobs: ZeroDivisionError: no cluster\. The labels"
    )
    with open_database(tmp_path / "results.db") as db, LocalEngine() as engine:
        with pytest.warns(UserWarning, match=sentence) as warned:
            tally = Conductor(db, engine).run(pending(db, trials))
        assert tally.ran == {Status.DONE: len(trials)}
        assert len(warned) == 1
        stored = outcome_of(db, trials[0].key)
    assert stored.achieved[UNSCORED] == {"a-raises": "ZeroDivisionError: no cluster"}
    assert stored.labellings


def test_a_metric_of_a_plugin_scores_stored_labels_apart(announced, tmp_path, monkeypatch):
    monkeypatch.setattr("mvarena.engine.rescore.METRIC_S", 0.5)
    catalog, trial = announced("good", "ends", "hangs"), trial_of()
    with open_database(tmp_path / "results.db") as db:
        record(db, trial, execute(trial))
        done = {
            name: rescore(db, catalog.metric(f"a-{name}"), done_trials(db), catalog)
            for name in ("good", "ends", "hangs")
        }
        stored = outcome_of(db, trial.key)
    assert done["good"].scored == 1
    assert done["ends"].reasons == {"the metric failed: it exited with code 3.": 1}
    assert done["hangs"].reasons == {"the metric failed: it took longer than the 0.5 s allowed.": 1}
    assert {score.value for score in stored.scores if score.metric == "a-good"} == {0.25}


def test_what_metrics_are_given_is_read_only():
    table = Contingency.from_labels([0, 0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 7


# forks ----------------------------------------------------------------------------------------------------


def test_a_fork_answers_whatever_its_length():
    assert forked(lambda: b"").answer == b""
    assert forked(lambda: bytes(3_000_000)).answer == bytes(3_000_000)


def test_what_a_fork_changes_stays_its_own():
    kept = np.zeros(3)

    def deed() -> bytes:
        kept[:] = 1.0
        return kept.tobytes()

    assert forked(deed).answer == np.ones(3).tobytes()
    assert not kept.any()


def test_a_fork_ends_with_what_it_started(tmp_path):
    def deed() -> bytes:
        child = os.fork()
        if child == 0:
            time.sleep(60)
        (tmp_path / "child").write_text(str(child))
        os._exit(0)

    started = time.monotonic()
    assert forked(deed).fault == "it exited with code 0"
    assert time.monotonic() - started < 20
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _lives(child):
        time.sleep(0.02)
    assert not _lives(child)


def test_the_end_of_a_fork_is_told_where_the_system_has_no_waitid(monkeypatch):
    monkeypatch.delattr(os, "waitid", raising=False)
    assert forked(lambda: os._exit(3)).fault == "it exited with code 3"
    assert forked(lambda: os.kill(os.getpid(), signal.SIGSEGV)).code == -signal.SIGSEGV


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
