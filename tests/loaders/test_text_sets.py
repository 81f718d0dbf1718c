"""3Sources from the publisher's files against independently verified numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mvarena.data import MultiViewData
from mvarena.loaders.dataset import load_carded


@pytest.fixture(scope="module")
def stories(real_data: Path) -> MultiViewData:
    return load_carded("3sources")


def test_statistics(stories: MultiViewData) -> None:
    assert [view.matrix.shape for view in stories.views] == [(416, 3560), (416, 3631), (416, 3068)]
    assert stories.classes == ("business", "entertainment", "health", "politics", "sport", "tech")
    assert np.bincount(stories.labels).tolist() == [104, 60, 54, 49, 89, 60]
    assert stories.mask.sum(axis=0).tolist() == [352, 302, 294]
    assert np.bincount(stories.mask.sum(axis=1)).tolist() == [0, 53, 194, 169]


@pytest.mark.parametrize(
    ("pair", "n"), [(("bbc", "guardian"), 404), (("bbc", "reuters"), 407), (("guardian", "reuters"), 384)]
)
def test_pairs_have_the_sizes_that_papers_print(stories: MultiViewData, pair: tuple[str, str], n: int) -> None:
    assert stories.select_views(pair).n_samples == n


def test_numbers_match_the_verified_ones(stories: MultiViewData, verified_npz: Path) -> None:
    with np.load(verified_npz / "3sources.npz", allow_pickle=False) as expected:
        assert np.array_equal(stories.labels, expected["y"])
        assert np.array_equal(stories.mask, expected["M"])
        for i, view in enumerate(stories.views):
            parts = [expected[f"X{i}_{part}"] for part in ("data", "indices", "indptr")]
            matrix = sparse.csr_array(tuple(parts), shape=tuple(expected[f"X{i}_shape"]))
            assert abs(view.matrix - matrix).max() == 0


def test_the_complete_version_is_the_complete_rows(stories: MultiViewData) -> None:
    complete = load_carded("3sources-complete")
    assert complete.n_samples == 169
    assert complete.is_complete
    expected = stories.take(np.flatnonzero(stories.complete_samples))
    assert complete.fingerprint == expected.fingerprint
