"""The checks of algorithms find what they are for: a sound contestant passes all, each faulty one fails its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from faulty_algorithms import FAULTY, Misannounced, SeesLabels, Sound

from mvarena.contracts.algorithm import Representation
from mvarena.contracts.spec_lookup import unannounced_spec
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.testing import check_algorithm, checks_of, run_check
from mvarena.testing.algorithm import SUITE
from mvarena.testing.comparisons import require_alike, same_partition


def spec_of(kind: type) -> AlgorithmSpec:
    spec = replace(unannounced_spec(kind, AlgorithmSpec), linear_memory=getattr(kind, "linear_memory", False))
    return replace(spec, name="another") if kind is Misannounced else spec


def test_a_sound_contestant_passes():
    check_algorithm(spec_of(Sound), Sound)


@pytest.mark.parametrize("kind", FAULTY, ids=lambda kind: kind.__name__)
def test_a_faulty_contestant_fails_the_check_of_its_fault(kind: type):
    states = {}
    for check in checks_of(spec_of(kind), kind):
        if check.check.name in (kind.fails, "announced", "represents-every-sample", "labels-from-zero"):
            states[check.check.name] = run_check(check).state
    assert states[kind.fails] == "failed"
    assert "passed" in states.values()


def test_every_check_is_held_by_a_faulty_contestant():
    assert {check.name for check in SUITE.checks} == {kind.fails for kind in FAULTY}


def test_a_spec_that_says_it_reads_labels_is_checked_all_the_same():
    checks = checks_of(replace(spec_of(SeesLabels), reads_labels=True), SeesLabels)
    assert "labels-never-seen" in {check.check.name for check in checks}


def test_what_rounding_alone_changes_as_much_is_no_difference():
    one, other = (Representation(embedding=scale * np.eye(4)) for scale in (1.0, 1.1))
    require_alike(one, other, "they differ", noise=lambda: 0.05)
    with pytest.raises(AssertionError, match="they differ"):
        require_alike(one, other, "they differ", noise=lambda: 1e-9)
    with pytest.raises(AssertionError, match="they differ"):
        require_alike(one, other, "they differ")


def test_signs_and_rotations_of_an_embedding_are_no_difference():
    points = np.random.default_rng(0).standard_normal((6, 2))
    turned = points @ np.array([[0.6, -0.8], [-0.8, -0.6]])
    require_alike(Representation(embedding=points), Representation(embedding=turned), "they differ")
    assert same_partition(np.array([0, 0, 1, 2]), np.array([2, 2, 0, 1]))
    assert not same_partition(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
