"""When the solvers of the nmf and subspace families end: each rule, recomputed from what the solver reports."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn_subspaces import subspaces

from mvarena.algorithms import (
    DAIMC,
    DSNMF,
    ECMSC,
    IMG,
    MIC,
    PVC,
    RNNMF,
    ConvexSub,
    LRSSCCentroid,
    LRSSCPairwise,
    MultiNMF,
)
from mvarena.algorithms.subspace._lrssc_admm import Gram, LRSSCPenalties, _pull, _ViewState
from mvarena.algorithms.subspace.convexsub import reconstruct
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

N = 10
# between a tolerance just met and one just missed; far less than what a change is as a share of the old or new value
MARGIN = 1e-7

Measure = Callable[[Any, MultiViewData], np.ndarray]


def change_of_the_objective(relative_to: str, *, with_start: bool) -> Measure:
    """What the last change of the objective is, as a share; without a start the first iteration has no change."""

    def measure(model: Any, data: MultiViewData) -> np.ndarray:
        values = model.represent(data).objective
        assert len(values) == model.max_iter + with_start
        change = np.abs(np.diff(values)) / np.abs(values[:-1] if relative_to == "old" else values[1:])
        return change if with_start else np.r_[np.inf, change]

    return measure


def gap_between_copies(model: Any, data: MultiViewData) -> np.ndarray:
    return model.represent(data).details["gap"]


def violation_of_the_splits(model: Any, data: MultiViewData) -> np.ndarray:
    """As a share of the largest coefficient."""
    penalties = LRSSCPenalties(low_rank=model.low_rank, sparse=1 - model.low_rank, agreement=model.agreement)
    states = [_ViewState(Gram.of_features(view.matrix)) for view in data.views]
    mu, centroid, shares = penalties.mu, np.zeros((data.n_samples, data.n_samples)), []
    for _ in range(model.max_iter):
        pull = _pull(states, model._agreement, centroid)
        largest = max(state.step(pull, mu, penalties)[1] for state in states)
        shares.append(largest / max(np.abs(state.A).max() for state in states))
        centroid = np.mean([state.C2 for state in states], axis=0)
        mu *= penalties.growth
    return np.array(shares)


def length_of_the_step(model: Any, data: MultiViewData) -> np.ndarray:
    """As a share of the length of Z; the first step does not count."""
    X = np.hstack([view.matrix for view in data.views])
    beta = np.repeat(model.view_weights, [view.n_features for view in data.views])
    gamma = float(model.represent(data).details["gamma"])
    Z = [reconstruct(X, beta, gamma, Stopping(steps)).Z for steps in range(1, model.max_iter + 1)]
    lengths = [np.linalg.norm(new - old) / np.linalg.norm(new) for old, new in pairwise(Z)]
    return np.array([np.inf, *lengths])


PAIR = blobs(30, dims=(6, 5), nonnegative=True, missing=0.2)
COMPLETE = blobs(30, dims=(6, 5), nonnegative=True)
ONE_VIEW = blobs(30, dims=(6,), nonnegative=True)
LINES = subspaces(n=30)
since_the_start = change_of_the_objective("new", with_start=True)
without_start = change_of_the_objective("new", with_start=False)

CASES: dict[str, tuple[Any, MultiViewData, Measure]] = {
    "multinmf": (MultiNMF(), COMPLETE, since_the_start),
    "mic": (MIC(), PAIR, since_the_start),
    "mic literal": (MIC(literal=True), PAIR, since_the_start),
    "daimc": (DAIMC(), PAIR, without_start),
    "pvc": (PVC(), PAIR, without_start),
    "img": (IMG(), PAIR, gap_between_copies),
    "rnnmf": (RNNMF(n_components=4), ONE_VIEW, since_the_start),
    "dsnmf": (DSNMF(layers=(6, 3)), COMPLETE, without_start),
    "lrssc-pairwise": (LRSSCPairwise(), LINES, violation_of_the_splits),
    "lrssc-centroid": (LRSSCCentroid(), LINES, violation_of_the_splits),
    "convexsub": (ConvexSub(view_weights=(1.0, 0.3)), LINES, length_of_the_step),
    "ecmsc": (ECMSC(inner_steps=5), LINES, change_of_the_objective("old", with_start=False)),
}
ALL = pytest.mark.parametrize("name", CASES)


def changed(model: Any, **parameters: Any) -> Any:
    return type(model)(**(model.get_params() | parameters))


@ALL
@pytest.mark.parametrize("limit", [1, 3])
def test_the_limit_is_kept_and_named(name: str, limit: int) -> None:
    model, data, _ = CASES[name]
    found = changed(model, max_iter=limit, tol=0.0, n_init=1).fit(data)
    assert found.n_iter_ == limit
    assert not found.converged_
    assert f"the limit of {limit} iterations was reached" in found.stopped_because_


@ALL
def test_it_ends_in_the_first_iteration_that_meets_the_tolerance(name: str) -> None:
    model, data, measure = CASES[name]
    shares = measure(changed(model, max_iter=N, tol=0.0), data)
    lowest = [t for t in range(N) if shares[t] < shares[:t].min(initial=np.inf)]
    assert len(lowest) >= 2
    for t in lowest[:4]:
        met = changed(model, max_iter=N, tol=shares[t] * (1 + MARGIN)).represent(data)
        missed = changed(model, max_iter=N, tol=shares[t] * (1 - MARGIN)).represent(data)
        assert met.converged
        assert met.n_iter == t + 1
        assert missed.n_iter > t + 1 or not missed.converged


@ALL
def test_the_declared_tolerance_is_the_one_that_ends_it(name: str) -> None:
    model, data, measure = CASES[name]
    found = changed(model, max_iter=5000).represent(data)
    assert found.converged
    shares = measure(changed(model, max_iter=found.n_iter, tol=0.0), data)
    assert shares[-1] <= model.tol < shares[:-1].min()


def test_the_first_step_of_convexsub_tells_nothing() -> None:
    # without a trace norm the start is the minimum: the first step does not move, and only the second may say so
    found = ConvexSub(share=0.0).represent(LINES)
    assert found.converged
    assert found.n_iter == 2
