"""When the kernel methods end: at the limit, or where the objective hardly changes, as their programs measure it."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.algorithms import EEIMVC, LIMKKM, MKKMAF, MKKMIK, MKKMKNN, MKKMMF, MKKMZF
from mvarena.testing.examples import blobs
from mvarena.transforms.kernel_views import center_kernels, linear_kernel

# method, first iteration that may be the last, tolerance and limit of the published programs
RULES = [
    (MKKMZF, 2, 1e-3, 100),
    (MKKMMF, 2, 1e-3, 100),
    (MKKMKNN, 2, 1e-3, 100),
    (MKKMAF, 2, 1e-3, 100),
    (MKKMIK, 3, 1e-4, 30),
    (LIMKKM, 3, 1e-4, 100),
    (EEIMVC, 3, 1e-4, 101),
]
IDS = [method.__name__ for method, *_ in RULES]


@pytest.fixture(scope="module")
def data():
    """Overlapping groups: every method iterates for a while."""
    return center_kernels(blobs(dims=(5, 8, 6), missing=0.3, spread=0.5, kind="kernel"))


def relative_changes(objective):
    """Of each value but the first, its change as a share of the value before."""
    return np.abs(np.diff(objective) / objective[:-1])


@pytest.mark.parametrize(("method", "earliest", "tol", "max_iter"), RULES, ids=IDS)
def test_the_defaults_are_those_of_the_programs_and_hold(data, method, earliest, tol, max_iter):
    estimator = method().fit(data)
    assert (estimator.tol, estimator.max_iter) == (tol, max_iter)
    assert earliest <= estimator.n_iter_ == len(estimator.objective_) < max_iter
    assert estimator.converged_
    small = relative_changes(estimator.objective_)[earliest - 2 :] <= tol
    assert small[-1]
    assert not small[:-1].any()


@pytest.mark.parametrize(("method", "earliest", "tol", "max_iter"), RULES, ids=IDS)
def test_the_limit_is_said(data, method, earliest, tol, max_iter):
    for limit in (1, 2):
        estimator = method(max_iter=limit, tol=1e-12).fit(data)
        assert estimator.n_iter_ == len(estimator.objective_) == limit
        assert not estimator.converged_
        assert estimator.stopped_because_.startswith(f"the limit of {limit} iterations")


@pytest.mark.parametrize(("method", "earliest", "tol", "max_iter"), RULES, ids=IDS)
def test_no_change_is_small_enough_before_the_earliest_iteration(data, method, earliest, tol, max_iter):
    estimator = method(tol=1e6).fit(data)
    assert estimator.n_iter_ == earliest
    assert estimator.converged_


@pytest.mark.parametrize(("method", "earliest", "tol", "max_iter"), RULES, ids=IDS)
def test_a_change_is_measured_by_the_value_before_it(data, method, earliest, tol, max_iter):
    objective = method(tol=1e-12, max_iter=earliest).represent(data).objective
    before, after = objective[-2:]
    shares = sorted([abs(after - before) / before, abs(after - before) / after])
    between = np.mean(shares)  # small enough as a share of the larger of the two values only
    assert shares[0] < between < shares[1]
    ends = before > after
    found = method(tol=between).represent(data)
    assert (found.n_iter == earliest) == ends
    np.testing.assert_allclose(found.objective[:earliest], objective)


def test_an_objective_that_falls_to_nothing_has_converged():
    kernels = center_kernels(linear_kernel(blobs(dims=(2, 6), seed=9)))  # the first view's kernel has rank 2 = k - 1
    found = MKKMZF(tol=1e-12, max_iter=40).represent(kernels)
    assert found.converged
    assert abs(found.objective[-1]) <= 1e-9 * found.objective[0]
    assert relative_changes(found.objective)[-1] > 1e-12
