"""Multiple kernel k-means: an orthonormal partition, special cases, lonely samples, imputations that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.algorithms import EEIMVC, LIMKKM, MKKMAF, MKKMIK, MKKMKNN, MKKMMF, MKKMZF
from mvarena.algorithms.kernel.limkkm import neighbourhood_weights
from mvarena.errors import InvalidSetting
from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import center_kernels

ALL = [MKKMZF, MKKMMF, MKKMKNN, MKKMAF, MKKMIK, LIMKKM, EEIMVC]


def kernels(n=60, dims=(5, 8, 6), missing=0.3, **kwargs):
    return center_kernels(blobs(n, dims=dims, missing=missing, kind="kernel", **kwargs))


@pytest.mark.parametrize("method", ALL)
def test_the_partition_is_orthonormal_and_rows_of_the_embedding_have_length_one(method):
    found = method(random_state=0).fit(kernels())
    np.testing.assert_allclose(np.linalg.norm(found.embedding_, axis=1), 1)
    H = found.representation_.details["partition"]
    np.testing.assert_allclose(H.T @ H, np.eye(3), atol=1e-8)


@pytest.mark.parametrize(("n", "tau"), [(60, 0.05), (430, 0.01)])
def test_samples_in_nobodys_neighbourhood_keep_rows_of_zeros_in_any_order(n, tau):
    data = kernels(n)
    A = neighbourhood_weights(sum(view.matrix for view in data.views), round(tau * n))
    alone = ~A.any(axis=1)
    assert alone.sum() > n / 5
    lengths = np.linalg.norm(LIMKKM(tau=tau).represent(data).embedding, axis=1)
    np.testing.assert_allclose(lengths, ~alone, atol=1e-12)
    order = np.random.default_rng(3).permutation(n)
    again = LIMKKM(tau=tau).represent(data.take(order)).embedding
    np.testing.assert_array_equal(again.any(axis=1), ~alone[order])


@pytest.mark.parametrize("method", [MKKMIK(ridge=0.0), MKKMAF(ridge=0.0), LIMKKM(ridge=0.0, tau=0.02)])
def test_a_singular_imputation_asks_for_a_ridge(method):
    mask = np.ones((60, 3), dtype=bool)
    mask[2:, 2] = False  # two observed samples, three clusters: the observed rows of H have rank 2
    with pytest.raises(InvalidSetting, match="take a larger one"):
        method.represent(kernels(missing=0.0).with_mask(mask))
