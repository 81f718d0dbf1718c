"""A summary says how many restarts stand behind its numbers."""

from __future__ import annotations

import pytest

from mvarena.analysis.summary import summarize
from mvarena.analysis.trial_values import reported_trials


@pytest.mark.parametrize("restarts", [(2, 5, 3), (5, 2, 3), (2, 3, 5)])
def test_of_trials_with_different_restarts_the_largest_number_is_told(long_frame, restarts):
    for repeat, number in enumerate(restarts):
        long_frame.trial("apmc", {"acc": [0.5] * number}, repeat=repeat)
    (row,) = summarize(reported_trials(long_frame.frame()), directions={"acc": True}).itertuples()
    assert (row.n_restarts, row.n_trials, row.n_runs) == (5, 3, 3)
