"""PVC: rows in the order of the data, and what the penalty does."""

from __future__ import annotations

import numpy as np

from mvarena.algorithms.nmf.filled_view import PartialPair
from mvarena.algorithms.nmf.pvc import PVC
from mvarena.testing.examples import blobs


def test_rows_come_back_in_the_order_of_the_data() -> None:
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1]], dtype=bool)
    pair = PartialPair.split(np.arange(4)[:, None] * mask[:, :1], np.arange(4)[:, None] * mask[:, 1:], mask)
    assert pair.sizes == (2, 1, 1)
    np.testing.assert_array_equal(pair.in_data_order(pair.X2, pair.X1, pair.Y3).ravel(), np.arange(4))


def test_a_large_penalty_empties_the_representation() -> None:
    data = blobs(20, n_clusters=2, nonnegative=True)
    assert (PVC(penalty=1e6).represent(data).embedding == 0).all()
    found = PVC(penalty=0.01).represent(data)
    assert (found.embedding >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(found.embedding, axis=1), 1.0)
