"""A metric that fails is a missing score with a reason: labels and all other scores are kept."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Conductor
from mvarena.engine.execute import execute
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

METRICS = """
import sys
import numpy as np
from mvarena import hookimpl
from mvarena.contracts.specs import MetricSpec

NAMES = {names}


@hookimpl
def mvarena_metrics():
    return [MetricSpec(name=f"a-{{name}}", target=f"wrong_metrics:{{name}}", summary="wrong") for name in NAMES]


def raises(table):
    raise ZeroDivisionError("no cluster")


def exits(table):
    sys.exit(3)


def texts(table):
    return "high"


def writes(table):
    table.counts[:] = 1
    return 0.5


def good(table):
    return 0.25


def undefined(table):
    return float("nan")
"""
REASONS = {
    "raises": "failed: ZeroDivisionError: no cluster.",
    "exits": "tried to exit the program (SystemExit: 3).",
    "texts": "failed: ValueError: could not convert string to float: 'high'.",
    "writes": "failed: ValueError: assignment destination is read-only.",
}


def reason_of(name: str) -> str:
    return f"The metric 'a-{name}' of the plugin wrong-metrics 1.0 {REASONS[name]}"


def trial_of(algorithm: str = "toy-quick", dataset: str = "toy-blobs") -> Trial:
    study = Study(algorithms=(algorithm,), datasets=(dataset,), repeats=1, restarts=2)
    return plan_study(study, installed_catalog()).trials[0]


@pytest.fixture
def announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A function that installs metrics of METRICS as a plugin, and gives the catalog with them."""

    installed = installed_plugins().loaded  # found before this one can be

    def announce(*names: str) -> Catalog:
        (tmp_path / "wrong_metrics.py").write_text(METRICS.format(names=names))
        about = tmp_path / "wrong_metrics-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong-metrics\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[mvarena]\nmetrics = wrong_metrics\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        import wrong_metrics

        specs = tuple(wrong_metrics.mvarena_metrics())
        return Catalog([*installed, Plugin("metrics", "wrong-metrics", "1.0", specs)])

    yield announce
    import sys

    sys.modules.pop("wrong_metrics", None)


def scores_in(outcome: Outcome) -> dict[str, float]:
    return {score.metric: score.value for score in outcome.scores}


def test_a_metric_that_fails_takes_no_other_score_along(announced):
    catalog, trial = announced(*REASONS, "good", "undefined"), trial_of()
    plain, found = execute(trial), execute(trial, catalog)
    assert found.status is Status.DONE
    assert found.achieved[UNSCORED] == {f"a-{name}": reason_of(name) for name in REASONS}
    more = {name: value for name, value in scores_in(found).items() if name not in scores_in(plain)}
    expected = {"a-good": 0.25, "a-undefined": np.nan}
    np.testing.assert_equal(more, expected)
    assert {name: value for name, value in scores_in(found).items() if name in scores_in(plain)} == scores_in(plain)
    assert UNSCORED not in plain.achieved


def test_a_metric_of_mvarena_that_raises_is_a_missing_score(monkeypatch):
    def raises(points: object) -> float:
        raise MemoryError

    plain = execute(trial_of())
    module, _, name = installed_catalog().metric("nmi").target.partition(":")
    monkeypatch.setattr(import_module(module), name, raises)
    found = execute(trial_of(), Catalog(installed_plugins().loaded))
    assert found.status is Status.DONE
    assert list(found.achieved[UNSCORED]) == ["nmi"]
    assert {score.metric for score in plain.scores} - {score.metric for score in found.scores} == {"nmi"}


def test_a_run_warns_once_of_a_metric_that_fails(announced, tmp_path, monkeypatch):
    announced("good", "raises")
    # a fork of this process would know the plugins that were there before
    monkeypatch.setattr("mvarena.engine.worker_process.can_be_forked", lambda _: False)
    trials = plan_study(
        Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=2), installed_catalog()
    ).trials
    sentence = r"toy-quick on toy-blobs has no score by a-raises\. .* ZeroDivisionError: no cluster\."
    with open_database(tmp_path / "results.db") as db, LocalEngine() as engine:
        with pytest.warns(UserWarning, match=sentence) as warned:
            tally = Conductor(db, engine).run(pending(db, trials))
        assert tally.ran == {Status.DONE: len(trials)}
        assert len(warned) == 1
        stored = outcome_of(db, trials[0].key)
    assert stored.achieved[UNSCORED] == {"a-raises": reason_of("raises")}
    assert stored.labellings


def test_stored_labels_are_scored_by_a_metric_that_does_not_fail(announced, tmp_path):
    catalog, trial = announced("good", "exits", "texts"), trial_of()
    with open_database(tmp_path / "results.db") as db:
        record(db, trial, execute(trial))
        done = {
            name: rescore(db, catalog.metric(f"a-{name}"), done_trials(db), catalog)
            for name in ("good", "exits", "texts")
        }
        stored = outcome_of(db, trial.key)
    assert done["good"].scored == 1
    assert done["exits"].reasons == {reason_of("exits"): 1}
    assert done["texts"].reasons == {reason_of("texts"): 1}
    assert {score.value for score in stored.scores if score.metric == "a-good"} == {0.25}


def test_what_metrics_are_given_is_read_only():
    table = Contingency.from_labels([0, 0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 7
    with pytest.raises(ValueError, match="read-only"):
        table.clusters.sort()
