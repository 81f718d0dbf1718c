"""When the graph methods end: at the limit, or where their rule first holds, recomputed from what they report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from mvarena.algorithms import AMGL, CGC, EMVC, EMVCG1, EMVCL21, MVGL, RMSC, CoRegCentroid, CoRegPairwise, EMVCTrace
from mvarena.algorithms.graph._rmsc_errors import AbsoluteErrors
from mvarena.algorithms.graph.mvgl import learned_graph, mvgl
from mvarena.algorithms.graph.view_graphs import squared_distances, transition_probabilities, view_graphs
from mvarena.contracts.algorithm import Representation
from mvarena.numerics.iteration import History, Stopping
from mvarena.testing.examples import blobs

DATA = blobs(30, dims=(5, 8, 6), spread=0.5)


@dataclass(frozen=True)
class Change:
    """Ends where the objective changes by at most `tol` as a share of its old or new value.

    before : what the first objective is compared with, if it is not a start that the trace holds.
    """

    tol: float
    relative_to: Literal["old", "new"]
    max_iter: int
    with_start: bool = False
    before: float | None = None

    def shares(self, objective):
        """(n_iter,) the change in each iteration; infinite where there is nothing to compare with."""
        values = objective if self.before is None else np.r_[self.before, objective]
        change = np.abs(np.diff(values)) / np.abs(values[:-1] if self.relative_to == "old" else values[1:])
        return change if self.with_start or self.before else np.r_[np.inf, change]


CHANGES: dict[str, tuple[Any, Change]] = {
    "coreg-pairwise": (CoRegPairwise(), Change(1e-4, "old", 10, with_start=True)),
    "coreg-centroid": (CoRegCentroid(), Change(1e-4, "old", 10)),
    "amgl": (AMGL(), Change(1e-8, "new", 50)),
    "cgc": (CGC(), Change(1e-6, "old", 300, with_start=True)),
    "mvgl": (MVGL(), Change(1e-3, "old", 30, before=10.0)),
}
# the largest violation of the constraints that ends them
VIOLATIONS = {
    "rmsc": (RMSC(), 1e-4 / DATA.n_samples),
    "rmsc paper": (RMSC(solver="paper"), 1e-8),
    "emvc": (EMVC(), 1e-8),
    "emvc-trace": (EMVCTrace(), 1e-8),
    "emvc-g1": (EMVCG1(), 1e-8),
    "emvc-l21": (EMVCL21(), 1e-8),
}
by_change = pytest.mark.parametrize(("model", "rule"), CHANGES.values(), ids=CHANGES)
by_violation = pytest.mark.parametrize(("model", "bound"), VIOLATIONS.values(), ids=VIOLATIONS)
ALL = CHANGES | VIOLATIONS
every = pytest.mark.parametrize("model", [model for model, _ in ALL.values()], ids=ALL)


def changed(model: Any, **parameters: Any) -> Any:
    return type(model)(**(model.get_params() | parameters))


def history_of(found: Representation) -> History:
    assert found.history is not None
    return found.history


def violation_told(found: Representation) -> float:
    told = re.search(r"the constraints hold to ([\d.e+-]+)", found.stopped_because)
    assert told is not None
    return float(told.group(1))


@every
@pytest.mark.parametrize("limit", [1, 2])
def test_the_limit_is_kept_and_named(model, limit):
    found = changed(model, max_iter=limit, n_init=1).fit(DATA)
    assert found.n_iter_ == limit
    assert not found.converged_
    assert found.stopped_because_.startswith(f"the limit of {limit} iterations was reached")


@by_change
def test_the_defaults_are_the_published_rule(model, rule):
    history = history_of(type(model)().represent(DATA))
    assert history.rule == Stopping(rule.max_iter, rule.tol, relative_to=rule.relative_to)
    assert len(history.objective) == history.n_iter + rule.with_start


@by_change
def test_they_end_in_the_first_iteration_that_changes_little(model, rule):
    found = changed(model, max_iter=5000).represent(DATA)
    shares = rule.shares(found.objective)
    assert found.converged
    assert shares[-1] <= rule.tol < shares[:-1].min()


@pytest.mark.parametrize("name", ["coreg-pairwise", "coreg-centroid", "cgc"])
def test_the_tolerance_is_a_share_of_the_value_before(name):
    model, rule = CHANGES[name]
    shares = rule.shares(changed(model, tol=0.0, max_iter=3).represent(DATA).objective)
    lowest = int(np.argmin(shares))
    for factor in (1 + 1e-7, 1 - 1e-7):  # the change as a share of the other value differs by more
        found = changed(model, tol=shares[lowest] * factor, max_iter=3).represent(DATA)
        assert (found.n_iter == lowest + 1 and found.converged) == (factor > 1)


def test_mvgl_compares_its_first_objective_with_ten():
    S = [learned_graph(squared_distances(view), 3, 15, local=True) for view in DATA.views]
    share = abs(mvgl(S, 3, Stopping(1)).history.objective[0] - 10) / 10
    ends = [mvgl(S, 3, Stopping(2, share * factor, relative_to="old")).history.n_iter for factor in (1.001, 0.999)]
    assert ends == [1, 2]


@by_violation
def test_they_end_as_soon_as_the_constraints_hold(model, bound):
    found = model.represent(DATA)
    assert history_of(found).rule == Stopping(300, pytest.approx(bound))
    assert found.converged
    assert violation_told(found) <= bound
    for fewer in range(1, found.n_iter):
        assert violation_told(changed(model, max_iter=fewer).represent(DATA)) > bound


def test_the_violation_told_is_the_largest_difference_between_the_copies_of_the_consensus():
    T = view_graphs(DATA, None, transition_probabilities)
    every_row, mu, told, expected = slice(0, DATA.n_samples), 3.0, [], []
    errors = AbsoluteErrors(T, 0.005)
    P, W = errors.first(every_row, mu), np.zeros_like(T[0])
    for iteration in range(1, 8):
        U, values, V = np.linalg.svd(W + P)
        Q = U @ np.diag(np.maximum(values - 1 / mu, 0)) @ V
        W = (W + P - Q) / 1.15
        expected.append(np.abs(P - Q).max())
        P, _ = errors.follow(every_row, P, Q - W, mu, 1.15, False)
        mu *= 1.15
        told.append(violation_told(RMSC(max_iter=iteration).represent(DATA)))
    np.testing.assert_allclose(told, expected, rtol=0.06)  # two digits are told


def test_a_graph_in_other_than_k_pieces_has_not_converged(monkeypatch):
    monkeypatch.setattr("mvarena.algorithms.graph._mvgl_components._ROUNDS", 1)
    found = MVGL(n_clusters=7).represent(DATA)
    assert not found.converged
    assert re.search(r"the graph has \d+ components instead of 7", found.stopped_because)
    assert found.affinity is not None
