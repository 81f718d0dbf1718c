"""What a method keeps of its iterations is scored by the classes when it has ended, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mvarena_toys.methods import Quick
from toy_trials import one_trial, scores_of

from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import UNSCORED, Status
from mvarena.engine.execute import execute
from mvarena.engine.rescore import rescore
from mvarena.engine.stages import staged
from mvarena.metrics.external import acc
from mvarena.numerics.assignment import assign_embedding
from mvarena.registry.catalog import installed_catalog
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record

CATALOG = installed_catalog()


@pytest.fixture
def keep(monkeypatch):
    """Let toy-quick keep what a function makes of its embedding."""

    def keeping(make):
        original = Quick.solve

        def solve(self, data, n_clusters):
            found = original(self, data, n_clusters)
            return replace(found, details={"checkpoint_outcomes": make(found.embedding)})

        monkeypatch.setattr(Quick, "solve", solve)

    return keeping


def accuracies(outcome, labellings) -> list[float]:
    return [acc(Contingency.from_labels(outcome.truth, one.labels)) for one in labellings]


@pytest.mark.parametrize("pick", ["mean", "lowest-inertia", "best-by-labels"])
def test_the_best_checkpoint_counts_as_the_protocol_counts_restarts(keep, pick):
    trial = one_trial()
    trial = replace(trial, protocol=replace(trial.protocol, pick=pick))
    points = staged(trial, CATALOG).seen.views[0].matrix
    worse = np.random.default_rng(0).permutation(points)
    better = np.where(points > np.median(points, axis=0), 1.0, 0.0)
    keep(lambda _: np.stack([worse, better]))
    outcome = execute(trial, CATALOG)
    rounds = [assign_embedding(kept, 3, trial.restart_seeds()) for kept in (worse, better, points)]
    counted = {
        "mean": np.mean,
        "lowest-inertia": lambda values: values[0],
        "best-by-labels": max,
    }[pick]
    ordered = [sorted(one, key=lambda item: item.inertia) if pick == "lowest-inertia" else one for one in rounds]
    expected = [counted(accuracies(outcome, one)) for one in ordered]
    assert len(set(expected)) > 1
    assert scores_of(outcome)["acc-best-epoch"] == pytest.approx(max(expected))


def test_labels_can_be_kept_too_and_the_end_is_among_the_checkpoints(keep):
    plain = execute(one_trial(), CATALOG)
    keep(lambda embedding: np.zeros((2, len(embedding)), dtype=int))
    outcome = execute(one_trial(), CATALOG)
    assert scores_of(outcome)["acc-best-epoch"] == pytest.approx(scores_of(plain)["acc"])
    for one, other in zip(plain.labellings, outcome.labellings, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
    assert {name: value for name, value in scores_of(outcome).items() if "epoch" not in name} == scores_of(plain)


def test_without_checkpoints_or_classes_there_are_no_such_scores(keep):
    outcome = execute(one_trial(), CATALOG)
    assert "acc-best-epoch" not in scores_of(outcome)
    assert UNSCORED not in outcome.achieved
    keep(lambda embedding: embedding[None])
    assert "acc-best-epoch" not in scores_of(execute(one_trial(dataset="toy-plain", n_clusters=(3,)), CATALOG))


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda embedding: embedding, "give embeddings (m, 30, p) or labels (m, 30)"),
        (lambda embedding: np.full((2, len(embedding)), -1), "-1 is among them"),
    ],
    ids=["shape", "labels"],
)
def test_checkpoints_that_are_none_are_a_missing_score_with_a_reason(keep, made, reason):
    keep(made)
    outcome = execute(one_trial(), CATALOG)
    assert outcome.status is Status.DONE
    assert "acc" in scores_of(outcome)
    assert reason in outcome.achieved[UNSCORED]["acc-best-epoch"]


def test_stored_results_cannot_be_scored_by_checkpoints_later(db):
    record(db, one_trial(), execute(one_trial(), CATALOG))
    found = rescore(db, CATALOG.metric("acc-best-epoch"), done_trials(db), CATALOG)
    assert list(found.reasons) == ["its checkpoints are scored during the run and not stored; run it again."]
