"""A run whose database may not grow any more, as on a full disk."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from study_runs import run_study

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.study.model import Study

STUDY = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), rates=(0.2,), repeats=25, restarts=2)


@contextmanager
def files_may_grow_to(size: int) -> Iterator[None]:
    """Have no file of this process and of those that it starts grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
@pytest.mark.usefixtures("kept_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the signal of this limit is not ignored")
def test_a_file_that_may_not_grow_ends_the_run_with_a_sentence_and_the_next_goes_on(tmp_path):
    with files_may_grow_to(200 * 1024), pytest.raises(StoreError, match=r"full|disk failed"):
        run_study(STUDY, db=tmp_path / "r.db")
    resumed = run_study(STUDY, db=tmp_path / "r.db")
    assert resumed.tally.already > 0
    assert resumed.tally.ran == {Status.DONE: 25 - resumed.tally.already}
    peace = run_study(STUDY, db=tmp_path / "peace.db")
    columns = ["key", "metric", "value", "status"]
    one, other = (each.scores[columns].sort_values(columns[:2], ignore_index=True) for each in (resumed, peace))
    assert one.equals(other)
