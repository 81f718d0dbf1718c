"""A metric asked for later gives what it would have given at once, wherever what it needs is stored or made again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sklearn.metrics import silhouette_score
from toy_trials import one_trial, scores_of

from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.rescore import rescore
from mvarena.engine.stages import staged
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.maintenance import thin
from mvarena.store.read_outcomes import labellings, outcome_of
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record

CATALOG = installed_catalog()
SETTINGS = {"restarts": 3, "prepare": ("minmax",)}
BLOBS = {"dataset": "toy-blobs"}
PLAIN = {"dataset": "toy-plain", "n_clusters": (3,), "corruptions": ("gaussian:2",)}


def stored_without(db: Database, metric: str, **changes) -> tuple[Trial, float | None]:
    """A trial that is stored as if `metric` had come later, and the score that it gave at once, if any."""
    trial = replace(one_trial(**(SETTINGS | changes)), keep_restarts=metric == "stability")
    outcome = execute(trial, CATALOG)
    kept = tuple(one for one in outcome.scores if one.metric != metric)
    assert record(db, trial, replace(outcome, scores=kept))
    return trial, scores_of(outcome).get(metric)


def score(db: Database, key: str, metric: str) -> float | None:
    return scores_of(outcome_of(db, key)).get(metric)


@pytest.mark.parametrize(
    ("metric", "study"),
    [("acc", BLOBS), ("stability", BLOBS), ("stability", PLAIN), ("silhouette-views", PLAIN), ("silhouette", PLAIN)],
    ids=["truth", "restarts", "restarts of data without classes", "views", "embedding"],
)
def test_later_is_as_good_as_at_once(db, metric, study):
    trial, at_once = stored_without(db, metric, **study)
    assert at_once is not None
    assert score(db, trial.key, metric) is None
    first = rescore(db, CATALOG.metric(metric), done_trials(db), CATALOG)
    again = rescore(db, CATALOG.metric(metric), done_trials(db), CATALOG)
    assert score(db, trial.key, metric) == at_once
    assert (first.scored, first.before, first.without) == (1, 0, 0)
    assert (again.scored, again.before, again.without) == (0, 1, 0)


def test_an_embedding_is_made_again_for_data_with_classes(db):
    trial, _ = stored_without(db, "silhouette", **BLOBS)
    assert rescore(db, CATALOG.metric("silhouette"), done_trials(db), CATALOG).scored == 1
    seen = staged(trial, CATALOG).seen  # toy-quick's embedding is the first view
    (kept,) = labellings(db, trial.key)
    assert score(db, trial.key, "silhouette") == pytest.approx(silhouette_score(seen.views[0].matrix, kept.labels))


@pytest.mark.parametrize(("metric", "protocol"), [("stability", "fair"), ("ari", "average")])
def test_what_goes_by_all_restarts_needs_all_labels(db, metric, protocol):
    stored_without(db, "ari", **BLOBS, protocol=protocol)
    with db.write() as connection:
        connection.exec_driver_sql("DELETE FROM scores")
    found = rescore(db, CATALOG.metric(metric), done_trials(db), CATALOG)
    assert (found.scored, "run it again with --keep-restarts" in next(iter(found.reasons))) == (0, True)


@pytest.mark.parametrize(
    ("metric", "study", "change", "reason"),
    [
        ("acc", PLAIN, {}, "the classes of the data are not stored"),
        ("silhouette", BLOBS | {"algorithm": "mvgl"}, {}, "has no embedding"),
        ("silhouette", BLOBS, {"algorithm": "gone"}, "gone cannot be run again: no installed package provides it"),
        ("silhouette", BLOBS, {"algorithm": "toy-raises"}, "toy-raises failed when it was run again: Zero"),
        ("silhouette", BLOBS, {"params": {"scale": 2.0}}, "finds a different embedding"),
    ],
    ids=["classes", "an affinity", "another machine's", "fails now", "other code"],
)
def test_what_a_metric_needs_may_not_be_there(db, metric, study, change, reason):
    trial = one_trial(**(SETTINGS | study))
    changed = replace(trial, **change | {"params": {**trial.params, **change.get("params", {})}})
    record(db, changed, execute(trial, CATALOG))
    found = rescore(db, CATALOG.metric(metric), done_trials(db), CATALOG)
    assert (found.scored, found.before, found.without) == (0, 0, 1)
    assert reason in next(iter(found.reasons))
    assert score(db, changed.key, metric) is None


def test_without_labels_nothing_is_scored(db):
    stored_without(db, "acc", **BLOBS)
    thin(db)
    (reason,) = rescore(db, CATALOG.metric("acc"), done_trials(db), CATALOG).reasons
    assert reason == "its labels are not stored; run it again."


def test_another_version_of_a_metric_takes_the_place_of_the_old(db):
    trial, at_once = stored_without(db, "acc", **BLOBS)
    rescore(db, replace(CATALOG.metric("acc"), version="0"), done_trials(db), CATALOG)
    assert rescore(db, CATALOG.metric("acc"), done_trials(db), CATALOG).scored == 1
    (stored,) = [one for one in outcome_of(db, trial.key).scores if one.metric == "acc"]
    assert (stored.value, stored.metric_version) == (at_once, CATALOG.metric("acc").version)
