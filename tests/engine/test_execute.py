"""One trial as a pure function: reproducible, blind to labels, and every way to end is an outcome."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mvarena.arena import prepare
from mvarena.contracts.metric import Contingency
from mvarena.engine.execute import execute, loaded, seen_by_algorithm
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.outcome import Status
from mvarena.study.plan import plan_study
from mvarena.study.trial import Trial


def one_trial(**changes) -> Trial:
    settings = {"algorithms": ("toy-quick",), "datasets": ("toy-blobs",), "trials": 1, "restarts": 3} | changes
    return plan_study(Study(**settings), installed_catalog()).trials[0]


def test_a_trial_ends_with_labels_scores_and_what_it_ran_on():
    outcome = execute(one_trial())
    assert outcome.status is Status.DONE
    assert [labelling.restart for labelling in outcome.labellings] == [0, 1, 2]
    assert outcome.truth is not None
    metrics = {spec.name for spec in installed_catalog().specs("metric") if getattr(spec, "needs", "truth") == "truth"}
    assert {score.metric for score in outcome.scores} >= metrics
    for score in outcome.scores:
        if score.metric == "acc":
            metric = installed_catalog().load(installed_catalog().metric("acc"))
            table = Contingency.from_labels(outcome.truth, outcome.labellings[score.restart].labels)
            assert score.value == metric(table)
    assert outcome.achieved["incomplete"] == pytest.approx(0.3)
    assert sum(view["missing"] for view in outcome.achieved["views"].values()) == pytest.approx(0.3)
    assert outcome.environment["python"]
    assert len(outcome.source_hash) == 64
    assert outcome.peak_rss_mb > 10


def test_the_same_trial_gives_the_same_labels_and_another_seed_others():
    first, again = execute(one_trial()), execute(one_trial())
    for a, b in zip(first.labellings, again.labellings, strict=True):
        np.testing.assert_array_equal(a.labels, b.labels)
        assert a.inertia == b.inertia
    other = execute(one_trial(seed=1))
    assert any((a.labels != b.labels).any() for a, b in zip(first.labellings, other.labellings, strict=True))


def test_algorithms_never_see_the_labels(monkeypatch):
    import mvarena_toys

    seen = []
    kind = mvarena_toys.Quick
    original = kind.represent
    monkeypatch.setattr(kind, "represent", lambda self, data: seen.append(data.labels) or original(self, data))
    execute(one_trial())
    assert seen == [None]


@pytest.mark.parametrize(
    ("algorithm", "status", "reason"),
    [
        ("toy-raises", Status.FAILED, "ZeroDivisionError: division by zero"),
        ("toy-hungry", Status.SKIPPED, "needs about 1048576.0 GiB"),
        ("toy-picky", Status.SKIPPED, "takes at most 1 views"),
    ],
)
def test_what_goes_wrong_is_an_outcome_with_a_sentence(algorithm, status, reason):
    outcome = execute(one_trial(algorithms=(algorithm,)))
    assert outcome.status is status
    assert reason in outcome.reason
    assert bool(outcome.traceback) == (status is Status.FAILED)
    assert not outcome.scores


def test_a_refused_preparation_is_an_outcome_too():
    outcome = execute(one_trial(prepare=("gaussian-kernel",)))
    assert outcome.status is Status.SKIPPED
    assert "it needs features views and these are kernel views" in outcome.reason


def test_steps_that_precede_the_corruption_see_the_complete_data():
    steps = ("gaussian-kernel", "center-kernels-leaking", "center-kernels")
    trial = one_trial(algorithms=("mkkm-zf",), corruptions=("missing-even:0.4",), prepare=steps)
    catalog = installed_catalog()
    complete = loaded(trial, catalog)
    seen = seen_by_algorithm(trial, catalog)
    honest = seen_by_algorithm(replace(trial, prepare=(trial.prepare[0], trial.prepare[2])), catalog)
    np.testing.assert_array_equal(seen.mask, honest.mask)
    assert not seen.is_complete
    assert seen.labels is None
    leaking = prepare(complete.without_labels(), *steps[:2]).with_mask(seen.mask)
    for view, expected, other in zip(seen.views, prepare(leaking, steps[2]).views, honest.views, strict=True):
        np.testing.assert_array_equal(view.matrix, expected.matrix)
        assert np.abs(view.matrix - other.matrix).max() > 1e-6
    outcome = execute(trial)
    assert outcome.status is Status.DONE, outcome.reason
    assert outcome.achieved["incomplete"] == pytest.approx(0.4)
    assert not any(view["changed_entries"] for view in outcome.achieved["views"].values())


def test_a_corruption_sees_the_classes_even_after_a_step_that_precedes_it(monkeypatch):
    from mvarena.corruptions.missing_random import MissingFixed

    given = []
    original = MissingFixed.apply
    monkeypatch.setattr(
        MissingFixed, "apply", lambda self, data, *rest: given.append(data.labels) or original(self, data, *rest)
    )
    steps = ("gaussian-kernel", "center-kernels-leaking")
    execute(one_trial(algorithms=("mkkm-zf",), corruptions=("missing-fixed:0.4",), prepare=steps))
    assert given[-1] is not None


def test_a_step_that_precedes_the_corruption_is_refused_on_data_that_miss_samples_by_nature(monkeypatch):
    steps = ("gaussian-kernel", "center-kernels-leaking")
    trial = one_trial(algorithms=("mkkm-zf",), corruptions=("none",), prepare=steps)
    blobs = loaded(trial, installed_catalog())
    mask = np.ones((30, 2), dtype=bool)
    mask[0, 0] = False
    monkeypatch.setattr("mvarena.engine.execute.loaded", lambda *_: blobs.with_mask(mask))
    outcome = execute(trial)
    assert outcome.status is Status.SKIPPED
    assert "center-kernels-leaking cannot take toy-blobs" in outcome.reason


def test_data_that_changed_since_planning_are_noticed():
    outcome = execute(replace(one_trial(), content="0" * 64))
    assert outcome.status is Status.FAILED
    assert "has changed since this trial was planned" in outcome.reason


def test_drawn_data_differ_between_repeats_and_agree_between_methods():
    plan = plan_study(
        Study(algorithms=("toy-quick", "concat"), datasets=("toy-drawn",), trials=2, corruptions=("none",)),
        installed_catalog(),
    )
    embeddings = {}
    for trial in plan.trials:
        outcome = execute(trial)
        assert outcome.status is Status.DONE, outcome.reason
        embeddings[trial.algorithm, trial.repeat] = outcome.labellings[0].inertia
    assert embeddings["toy-quick", 0] != embeddings["toy-quick", 1]
