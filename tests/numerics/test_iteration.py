"""One stopping rule: it ends where it says, for the reason that it says."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.iteration import History, Stopping

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12)


def run(rule: Stopping, values: list[float], **settings: float) -> History:
    history = History(rule, **settings)
    for value in values:
        if history.add(value):
            break
    return history


@given(VALUES, st.integers(1, 15), st.floats(0, 0.5), st.integers(1, 4), st.sampled_from(["old", "new"]))
def test_ends_at_the_first_small_change_and_not_before(values, cap, tol, earliest, relative_to) -> None:
    history = run(Stopping(cap, tol, relative_to=relative_to, earliest=earliest), values)
    assert history.objective.tolist() == values[: history.n_iter]
    pairs = list(pairwise(values))
    share = [abs(old) if relative_to == "old" else abs(new) for old, new in pairs]
    small = [tol > 0 and abs(new - old) <= tol * size for (old, new), size in zip(pairs, share, strict=True)]
    ends = [i + 2 for i, here in enumerate(small) if here and i + 2 >= earliest]
    expected = min([*ends, cap, len(values)])
    assert history.n_iter == expected
    assert history.converged == (bool(ends) and ends[0] == expected)


def test_the_start_is_compared_but_is_no_iteration() -> None:
    history = run(Stopping(5, 0.1), [1.05, 3.0], start=1.0)
    assert (history.n_iter, history.converged, history.objective.tolist()) == (1, True, [1.0, 1.05])


def test_without_a_start_the_first_value_may_be_compared_with_a_number() -> None:
    assert run(Stopping(5, 0.1, relative_to="old"), [10.5, 3.0], compared_with=10.0).n_iter == 1
    assert run(Stopping(5, 0.1, relative_to="old"), [10.5, 3.0]).n_iter == 2


def test_an_objective_of_rounding_noise_has_converged_where_the_rule_says_so() -> None:
    falls = [1.0, 1e-12, 5e-13, 2e-13]
    assert run(Stopping(4, 1e-6, ends_at_zero=True, earliest=3), falls).n_iter == 3
    assert run(Stopping(4, 1e-6, earliest=3), falls).n_iter == 4


@pytest.mark.parametrize(("tol", "ends"), [(0.1, 3), (1e-3, 4)])
def test_a_violation_ends_the_solver_in_place_of_the_objective(tol: float, ends: int) -> None:
    history = History(Stopping(10, tol))
    for violation in (1.0, 0.5, 0.1, 1e-4):
        if history.add(7.0, violation=violation):
            break
    assert (history.n_iter, history.converged) == (ends, True)
    assert history.stopped_because.startswith("the constraints hold to ")


def test_a_violation_at_the_limit_is_told() -> None:
    history = History(Stopping(1, 1e-6))
    assert history.add(1.0, violation=0.25)
    assert history.stopped_because == "the limit of 1 iterations was reached; the constraints hold to 2.5e-01"


def test_remarks_follow_the_reason_and_may_overrule_it() -> None:
    history = run(Stopping(9, 0.5), [1.0, 1.0])
    history.remark("the graph has 5 components instead of 3", converged=False)
    assert not history.converged
    assert history.stopped_because.endswith("in iteration 2; the graph has 5 components instead of 3")


def test_joined_histories_add_up_and_converge_together() -> None:
    short, long = run(Stopping(9, 0.5), [4.0, 4.0]), run(Stopping(3), [3.0, 2.0, 1.0])
    whole = History.joined([("a", short), ("b", long)])
    np.testing.assert_array_equal(whole.objective, [7.0, 6.0, 5.0])
    assert (whole.n_iter, whole.converged) == (3, False)
    assert whole.stopped_because == f"a: {short.stopped_because}; b: {long.stopped_because}"
