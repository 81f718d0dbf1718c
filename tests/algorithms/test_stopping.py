"""When solvers end: at the limit, or where their rule first holds, recomputed from what they report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from built_in import CATALOG
from drawn_subspaces import subspaces

from mvarena.algorithms.graph.rmsc import AbsoluteErrors
from mvarena.algorithms.graph.view_graphs import transition_probabilities, view_graphs
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import center_kernels

STEPS = 16
# between a tolerance just met and one just missed; far less than what a change is as a share of the old or new value
MARGIN = 1e-7

Measure = Callable[[Any, MultiViewData, Stopping], np.ndarray]


def history_of(model: Any, data: MultiViewData) -> History:
    history = model.represent(data).history
    assert history is not None
    return history


def changed(model: Any, **parameters: Any) -> Any:
    """The model with other parameters; without `tol` where it has none."""
    own = model.get_params()
    return type(model)(**(own | {name: value for name, value in parameters.items() if name in own}))


def objective(*, with_start: bool = False, before: float | None = None) -> Measure:
    """What the last change of the objective is, as a share of its old or new value.

    with_start : whether the first value stands before the first iteration. before : what the first value is compared
    with instead. Without either, the first iteration has no change.
    """

    def measure(model: Any, data: MultiViewData, rule: Stopping) -> np.ndarray:
        found = model.represent(data)
        values = found.objective if before is None else np.r_[before, found.objective]
        assert len(found.objective) == found.n_iter + with_start
        shares = np.abs(np.diff(values)) / np.abs(values[:-1] if rule.relative_to == "old" else values[1:])
        return shares if with_start or before is not None else np.r_[np.inf, shares]

    return measure


def violation(model: Any, data: MultiViewData, rule: Stopping) -> np.ndarray:
    """The largest violation of the constraints."""
    return history_of(model, data).violation


def made(name: str, **options: Any) -> Any:
    """The method of that name."""
    return CATALOG.load(CATALOG.algorithm(name))(**options)


@dataclass(frozen=True)
class Case:
    """A method, data on which it iterates for a while, its published rule, and what the tolerance is compared with."""

    model: Any
    data: MultiViewData
    rule: Stopping
    measure: Measure

    def shares(self, max_iter: int, **parameters: Any) -> np.ndarray:
        """(max_iter,) what the tolerance is compared with; infinite where the rule must not end them yet."""
        found = self.measure(changed(self.model, max_iter=max_iter, **parameters), self.data, self.rule)
        return np.where(np.arange(1, len(found) + 1) < self.rule.earliest, np.inf, found)


def kernel_rule(max_iter: int, tol: float) -> Stopping:
    return Stopping(max_iter, tol, relative_to="old", earliest=3, ends_at_zero=True)


TRIPLE = blobs(30, dims=(5, 8, 6), spread=0.5)
KERNELS = center_kernels(blobs(dims=(5, 8, 6), missing=0.3, spread=0.5, kind="kernel"))
COMPLETE_KERNELS = center_kernels(blobs(dims=(5, 8, 6), spread=0.5, kind="kernel"))
MANY = blobs(400, dims=(5, 8, 6), spread=0.5)
OVERLAPPING = blobs(60, dims=(5, 8, 6), spread=0.5)
HIDDEN = blobs(60, dims=(5, 8, 6), missing=0.3, spread=0.5)
PAIR = blobs(30, dims=(6, 5), nonnegative=True, missing=0.2)
COMPLETE = blobs(30, dims=(6, 5), nonnegative=True)
ONE_VIEW = blobs(30, dims=(6,), nonnegative=True)
LINES = subspaces(n=30)
opmc_rule = Stopping(100, 1e-5, relative_to="old", earliest=3)
since_the_start, without_start = objective(with_start=True), objective()

CASES = {
    "coreg-pairwise": Case(made("coreg-pairwise"), TRIPLE, Stopping(10, 1e-4, relative_to="old"), since_the_start),
    "coreg-centroid": Case(made("coreg-centroid"), TRIPLE, Stopping(10, 1e-4, relative_to="old"), without_start),
    "amgl": Case(made("amgl"), TRIPLE, Stopping(50, 1e-8), without_start),
    "cgc": Case(made("cgc"), TRIPLE, Stopping(300, 1e-6, relative_to="old"), since_the_start),
    "mvgl": Case(made("mvgl"), TRIPLE, Stopping(30, 1e-3, relative_to="old"), objective(before=10.0)),
    "rmsc": Case(made("rmsc"), TRIPLE, Stopping(300, pytest.approx(1e-4 / 30)), violation),
    "rmsc paper": Case(made("rmsc", solver="paper"), TRIPLE, Stopping(300, 1e-6), violation),
    "emvc": Case(made("emvc"), TRIPLE, Stopping(300, 1e-8), violation),
    "emvc-trace": Case(made("emvc-trace"), TRIPLE, Stopping(300, 1e-8), violation),
    "emvc-g1": Case(made("emvc-g1"), TRIPLE, Stopping(300, 1e-8), violation),
    "emvc-l21": Case(made("emvc-l21"), TRIPLE, Stopping(300, 1e-8), violation),
    "mkkm-zf": Case(made("mkkm-zf"), KERNELS, kernel_rule(100, 1e-3), without_start),
    "mkkm-mf": Case(made("mkkm-mf"), KERNELS, kernel_rule(100, 1e-3), without_start),
    "mkkm-knn": Case(made("mkkm-knn"), KERNELS, kernel_rule(100, 1e-3), without_start),
    "mkkm-af": Case(made("mkkm-af"), KERNELS, kernel_rule(100, 1e-3), without_start),
    "mkkm-ik": Case(made("mkkm-ik"), KERNELS, kernel_rule(31, 1e-4), without_start),
    "limkkm": Case(made("limkkm"), KERNELS, kernel_rule(100, 1e-4), without_start),
    "eeimvc": Case(made("eeimvc"), KERNELS, kernel_rule(101, 1e-4), without_start),
    "lf-imvc": Case(made("lf-imvc"), KERNELS, kernel_rule(200, 1e-4), without_start),
    "os-lf-imvc": Case(made("os-lf-imvc"), KERNELS, kernel_rule(100, 1e-4), without_start),
    "oplf-mvc": Case(made("oplf-mvc"), OVERLAPPING, kernel_rule(100, 1e-4), without_start),
    "psimvc-pg": Case(made("psimvc-pg"), HIDDEN, Stopping(50, 1e-3, relative_to="old"), without_start),
    "fimvc-via": Case(made("fimvc-via", ridge=0.01), HIDDEN, Stopping(50, 1e-3, relative_to="old"), without_start),
    "imvc-cbg": Case(made("imvc-cbg", ridge=0.01), HIDDEN, Stopping(50, 1e-3, relative_to="old"), without_start),
    "fpmvs-cag": Case(made("fpmvs-cag"), MANY, Stopping(50, 1e-3, relative_to="old"), without_start),
    "simvc-sa": Case(made("simvc-sa"), HIDDEN, Stopping(100, 1e-6, relative_to="old", earliest=10), without_start),
    "pimvc": Case(made("pimvc", ridge=1.0), HIDDEN, Stopping(100, 1e-5, earliest=4), violation),
    "opimc": Case(
        made("opimc", start="random", n_starts=1, random_state=0),
        HIDDEN,
        Stopping(30, 1e-6, relative_to="old"),
        without_start,
    ),
    "imsc-agl": Case(made("imsc-agl"), TRIPLE, Stopping(100, 1e-7), violation),
    "ueaf": Case(made("ueaf"), HIDDEN, Stopping(50, 1e-5, earliest=3), violation),
    "simplemkkm": Case(made("simplemkkm"), COMPLETE_KERNELS, Stopping(100, 1e-5), violation),
    "opmc": Case(made("opmc", start="random", n_starts=1, random_state=0), MANY, opmc_rule, since_the_start),
    "smvsc": Case(made("smvsc", n_anchors=5), MANY, Stopping(20, 1e-3, relative_to="old", earliest=10), without_start),
    "gmc": Case(made("gmc", first_lambda=0.01), MANY, Stopping(20), violation),
    "awp": Case(made("awp"), MANY, Stopping(300), violation),
    "multinmf": Case(made("multinmf"), COMPLETE, Stopping(20, 1e-3), since_the_start),
    "mic": Case(made("mic"), PAIR, Stopping(30, 1e-4), since_the_start),
    "mic literal": Case(made("mic", literal=True), PAIR, Stopping(30, 1e-4), since_the_start),
    "daimc": Case(made("daimc"), PAIR, Stopping(30, 1e-4), without_start),
    "pvc": Case(made("pvc"), PAIR, Stopping(20, 1e-6), without_start),
    "img": Case(made("img"), PAIR, Stopping(200, 1e-8), violation),
    "rnnmf": Case(made("rnnmf", n_components=4), ONE_VIEW, Stopping(100, 1e-6), since_the_start),
    "dsnmf": Case(made("dsnmf", layers=(6, 3)), COMPLETE, Stopping(100, 1e-5), without_start),
    "lrssc-pairwise": Case(made("lrssc-pairwise", unit=None), LINES, Stopping(100, 5e-3), violation),
    "lrssc-centroid": Case(made("lrssc-centroid", unit=None), LINES, Stopping(100, 5e-3), violation),
    "convexsub": Case(made("convexsub", view_weights=(1.0, 0.3)), LINES, Stopping(500, 1e-7, earliest=2), violation),
    "ecmsc": Case(made("ecmsc", inner_steps=5), LINES, Stopping(30, 1e-3, relative_to="old"), without_start),
}
every = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
WITH_TOLERANCE = [name for name, case in CASES.items() if "tol" in case.model.get_params()]


@every
def test_the_limit_is_kept_and_named(case):
    found = changed(case.model, max_iter=3, tol=0.0, n_init=1).fit(case.data)
    assert found.n_iter_ == 3
    assert not found.converged_
    assert "the limit of 3 iterations was reached" in found.stopped_because_


@every
def test_the_defaults_are_the_published_rule(case):
    assert history_of(changed(case.model, n_init=1), case.data).rule == case.rule


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name not in WITH_TOLERANCE])
def test_they_end_in_the_first_iteration_that_meets_the_rule(name):
    case = CASES[name]
    found = history_of(changed(case.model, max_iter=5000), case.data)
    assert found.converged
    shares, tol = case.shares(found.n_iter, tol=0.0), found.rule.tol
    assert shares[-1] <= tol < shares[:-1].min()


@pytest.mark.parametrize("name", WITH_TOLERANCE)
def test_a_tolerance_just_met_ends_them_and_one_just_missed_does_not_and_none_before_the_earliest_iteration(name):
    case = CASES[name]
    shares = case.shares(STEPS, tol=0.0)
    lowest = [t for t in range(STEPS) if shares[t] < shares[:t].min(initial=np.inf)]
    assert len(lowest) >= 2
    for t in lowest[:2]:
        met, missed = (
            history_of(changed(case.model, max_iter=STEPS, tol=shares[t] * factor), case.data)
            for factor in (1 + MARGIN, 1 - MARGIN)
        )
        assert met.converged
        assert met.n_iter == t + 1
        assert missed.n_iter > t + 1 or not missed.converged
    first = int(np.argmax(np.isfinite(shares))) + 1
    assert history_of(changed(case.model, tol=1e6), case.data).n_iter == first


def test_the_violation_of_rmsc_is_the_largest_difference_between_the_copies_of_the_consensus():
    T = view_graphs(TRIPLE, None, transition_probabilities)
    every_row, mu, expected = slice(0, TRIPLE.n_samples), 3.0, []
    errors = AbsoluteErrors(T, 0.005)
    P, W = errors.first(every_row, mu), np.zeros_like(T[0])
    for _ in range(7):
        U, values, V = np.linalg.svd(W + P)
        Q = U @ np.diag(np.maximum(values - 1 / mu, 0)) @ V
        W = (W + P - Q) / 1.15
        expected.append(np.abs(P - Q).max())
        P, _ = errors.follow(every_row, P, Q - W, mu, 1.15, False)
        mu *= 1.15
    np.testing.assert_allclose(history_of(made("rmsc", lam=0.005, max_iter=7), TRIPLE).violation, expected, rtol=1e-6)
