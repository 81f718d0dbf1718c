"""A metric that fails is a missing score with a reason: labels and all other scores are kept."""

from __future__ import annotations

import sys
from importlib import import_module

import numpy as np
import pytest
from toy_trials import one_trial, scores_of

from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import UNSCORED, Status
from mvarena.contracts.specs import MetricSpec
from mvarena.engine.execute import execute
from mvarena.engine.rescore import rescore
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.plugins import Plugin, installed_plugins
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record


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


REASONS = {
    "raises": "failed: ZeroDivisionError: no cluster.",
    "exits": "tried to exit the program (SystemExit: 3).",
    "texts": "failed: ValueError: could not convert string to float: 'high'.",
    "writes": "failed: ValueError: assignment destination is read-only.",
}
SPECS = tuple(
    MetricSpec(name=f"a-{name}", target=f"{__name__}:{name}", summary="wrong")
    for name in (*REASONS, "good", "undefined")
)
CATALOG = Catalog([*installed_plugins().loaded, Plugin("metrics", "wrong-metrics", "1.0", SPECS)])


def reason_of(name: str) -> str:
    return f"The metric 'a-{name}' of the plugin wrong-metrics 1.0 {REASONS[name]}"


def test_a_metric_that_fails_takes_no_other_score_along():
    plain, found = execute(one_trial()), execute(one_trial(), CATALOG)
    assert found.status is Status.DONE
    assert found.achieved[UNSCORED] == {f"a-{name}": reason_of(name) for name in REASONS}
    np.testing.assert_equal(scores_of(found), scores_of(plain) | {"a-good": 0.25, "a-undefined": np.nan})
    assert UNSCORED not in plain.achieved


def test_a_metric_of_mvarena_that_raises_is_a_missing_score(monkeypatch):
    def lacks_memory(points: object) -> float:
        raise MemoryError

    plain = execute(one_trial())
    module, _, name = installed_catalog().metric("nmi").target.partition(":")
    monkeypatch.setattr(import_module(module), name, lacks_memory)
    found = execute(one_trial(), Catalog(installed_plugins().loaded))
    assert found.status is Status.DONE
    assert list(found.achieved[UNSCORED]) == ["nmi"]
    assert scores_of(plain).keys() - scores_of(found).keys() == {"nmi"}


def test_stored_labels_are_scored_by_a_metric_that_does_not_fail(db):
    trial = one_trial()
    record(db, trial, execute(trial))
    done = {name: rescore(db, CATALOG.metric(f"a-{name}"), done_trials(db), CATALOG) for name in ("good", "exits")}
    assert done["good"].scored == 1
    assert done["exits"].reasons == {reason_of("exits"): 1}
    assert scores_of(outcome_of(db, trial.key))["a-good"] == 0.25


def test_what_metrics_are_given_is_read_only():
    table = Contingency.from_labels([0, 0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="read-only"):
        table.clusters.sort()
