"""One trial as a pure function: blind to labels, with restarts by its seeds, and every way to end is an outcome."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import toy_trials

from mvarena.contracts.metric import Contingency, Points, Space
from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.stages import loaded, staged
from mvarena.numerics.assignment import assign_embedding
from mvarena.registry.catalog import installed_catalog


def one_trial(algorithm: str = "toy-quick", dataset: str = "toy-blobs", **changes) -> Trial:
    return replace(toy_trials.one_trial(algorithm, dataset, **({"restarts": 3} | changes)), keep_restarts=True)


@pytest.mark.parametrize("pick", ["mean", "lowest-inertia", "best-by-labels"])
def test_one_value_of_each_metric_and_the_labels_of_one_restart_count(pick: str):
    trial = one_trial()
    trial = replace(trial, protocol=replace(trial.protocol, pick=pick))
    every, outcome = execute(trial), execute(replace(trial, keep_restarts=False))
    metric = installed_catalog().load(installed_catalog().metric("acc"))
    values = [metric(Contingency.from_labels(every.truth, one.labels)) for one in every.labellings]
    inertias = [one.inertia for one in every.labellings]
    counted = {"mean": np.mean, "lowest-inertia": lambda _: values[int(np.argmin(inertias))], "best-by-labels": max}
    (score,) = (score for score in outcome.scores if score.metric == "acc")
    assert score.value == pytest.approx(counted[pick](values))
    assert (score.spread == pytest.approx(np.std(values, ddof=1))) == (pick == "mean")
    assert outcome.restart == (np.argmax(values) if pick == "best-by-labels" else np.argmin(inertias))
    (kept,) = outcome.labellings
    np.testing.assert_array_equal(kept.labels, every.labellings[outcome.restart].labels)
    assert str(outcome.scores) == str(every.scores)


def test_a_trial_ends_with_labels_scores_and_what_it_ran_on():
    outcome = execute(one_trial())
    assert outcome.status is Status.DONE
    assert len(outcome.labellings) == 3
    assert outcome.truth is not None
    metrics = {spec.name for spec in installed_catalog().specs("metric") if getattr(spec, "needs", "truth") == "truth"}
    assert {score.metric for score in outcome.scores} >= metrics
    assert outcome.achieved["incomplete"] == pytest.approx(0.3)
    assert sum(view["missing"] for view in outcome.achieved["views"].values()) == pytest.approx(0.3)
    assert outcome.environment["python"]
    assert outcome.source_hash.startswith("3:")
    assert outcome.peak_rss_mb > 10


def test_algorithms_never_see_the_labels(monkeypatch):
    from mvarena_toys.methods import Quick

    seen = []
    original = Quick.solve
    monkeypatch.setattr(Quick, "solve", lambda self, data, k: seen.append(data.labels) or original(self, data, k))
    execute(one_trial())
    assert seen == [None]


@pytest.mark.parametrize(
    ("algorithm", "changes", "status", "reason"),
    [
        ("toy-raises", {}, Status.FAILED, "ZeroDivisionError: division by zero"),
        ("toy-hungry", {}, Status.SKIPPED, "needs about 1048576.0 GiB"),
        ("toy-picky", {}, Status.SKIPPED, "takes at most 1 views"),
        ("toy-quick", {"prepare": ("gaussian-kernel",)}, Status.SKIPPED, "needs features views and these are kernel"),
    ],
)
def test_what_goes_wrong_is_an_outcome_with_a_sentence(algorithm, changes, status, reason):
    outcome = execute(one_trial(algorithm, **changes))
    assert outcome.status is status
    assert reason in outcome.reason
    assert bool(outcome.traceback) == (status is Status.FAILED)
    assert not outcome.scores


def test_what_a_corruption_did_is_told_without_what_preceded_it():
    steps = ("gaussian-kernel", "center-kernels-leaking", "center-kernels")
    outcome = execute(one_trial("mkkm-zf", corruptions=("missing-even:0.4",), prepare=steps))
    assert outcome.status is Status.DONE, outcome.reason
    assert outcome.achieved["incomplete"] == pytest.approx(0.4)
    assert not any(view["changed_entries"] for view in outcome.achieved["views"].values())


def test_a_step_that_precedes_the_corruption_is_refused_on_data_that_miss_samples_by_nature(monkeypatch):
    steps = ("gaussian-kernel", "center-kernels-leaking")
    trial = one_trial("mkkm-zf", corruptions=("none",), prepare=steps)
    blobs = loaded(trial, installed_catalog())
    mask = np.ones((30, 2), dtype=bool)
    mask[0, 0] = False
    monkeypatch.setattr("mvarena.engine.stages.loaded", lambda *_: blobs.with_mask(mask))
    outcome = execute(trial)
    assert outcome.status is Status.SKIPPED
    assert "center-kernels-leaking cannot take toy-blobs" in outcome.reason


@pytest.mark.parametrize("protocol", ["fair", "mkkm"])
def test_restarts_are_those_of_the_protocol_each_with_its_own_seed(protocol):
    trial = one_trial(corruptions=("none",), protocol=protocol)
    embedding = staged(trial, installed_catalog()).seen.views[0].matrix
    expected = assign_embedding(embedding, 3, trial.restart_seeds(), unit_length=protocol == "mkkm")
    found = execute(trial).labellings
    assert [one.inertia for one in found] == [one.inertia for one in expected]
    for one, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.labels, right.labels)


def test_internal_scores_are_of_the_views_before_anyones_preparation():
    catalog = installed_catalog()
    trial = one_trial(dataset="toy-plain", n_clusters=(3,), prepare=("minmax",), corruptions=("gaussian:2",))
    stages, outcome = staged(trial, catalog), execute(trial)
    found = {score.metric: score.value for score in outcome.scores}
    names = {metric for metric in found if metric.endswith("-views")}
    assert names
    for name in names:
        metric = catalog.load(catalog.metric(name))
        labels = outcome.counted.labels
        seen, raw = (Points(labels, None, Space.of_views(data)) for data in (stages.seen, stages.corrupted))
        assert found[name] == metric(raw) != metric(seen)


def test_what_automatic_scaling_decided_is_kept_view_by_view():
    outcome = execute(one_trial(scale=("auto",)))
    decided = outcome.achieved["decided"]
    assert set(decided) == {"scale-auto"}
    assert set(decided["scale-auto"]) == set(outcome.achieved["views"])
    assert all(" -> " in said for said in decided["scale-auto"].values())
    assert execute(one_trial(scale=("minmax",))).achieved["decided"] == {}
