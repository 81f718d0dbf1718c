"""The agenda of a run: nothing is lost or doubled, and several runs start far from each other."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.engine.queue import TrialQueue, offset_of


@given(st.integers(0, 30), st.lists(st.tuples(st.integers(1, 8), st.integers(0, 8))), st.floats(0, 0.99))
def test_what_is_taken_and_put_back_comes_again_in_order(count: int, steps: list[tuple[int, int]], share: float):
    agenda = TrialQueue(array("q", range(count)))
    agenda.start_at(share)
    first = int(share * count)
    expected = [*range(first, count), *range(first)]
    for most, back in steps:
        taken = agenda.take(most)
        assert taken == expected[:most]
        agenda.put_back(taken[:back])
        expected = taken[:back] + expected[most:]
        assert len(agenda) == len(expected)
    assert agenda.take(100) == expected
    assert not agenda


@pytest.mark.parametrize("runs", [1, 2, 4, 8, 16])
def test_so_many_runs_start_evenly_spread(runs: int):
    assert sorted(offset_of(number) for number in range(runs)) == [i / runs for i in range(runs)]
