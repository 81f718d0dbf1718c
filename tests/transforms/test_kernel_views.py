"""Kernel transforms: formulas on the observed block, other kinds left alone, the leaking form named and refused."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics.kernels import center_and_normalize
from mvarena.transforms import kernels


@pytest.fixture
def mixed():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((8, 3))
    points = rng.standard_normal((8, 4))
    kernel = points @ points.T
    distances = np.abs(points[:, :1] - points[:, 1:2].T)
    distances = (distances + distances.T) * (1 - np.eye(8))
    mask = np.ones((8, 3), dtype=bool)
    mask[2, 0] = mask[3, 1] = mask[4, 2] = False
    return MultiViewData.from_arrays([x, kernel, distances], mask=mask, kinds=["features", "kernel", "distance"])


def test_each_acts_on_its_own_kind_only(mixed):
    features = {"linear_kernel": 0, "cosine_kernel": 0, "polynomial_kernel": 0}
    for name, touched in (features | {"center_kernels": 1, "distance_kernel": 2}).items():
        found = getattr(kernels, name)(mixed)
        assert found.views[touched].kind == "kernel"
        seen = mixed.mask[:, touched]
        assert not found.views[touched].matrix[~seen].any()
        assert not found.views[touched].matrix[:, ~seen].any()
        for other in {0, 1, 2} - {touched}:
            assert found.views[other].kind == mixed.views[other].kind
            np.testing.assert_array_equal(found.views[other].matrix, mixed.views[other].matrix)
        np.testing.assert_array_equal(found.mask, mixed.mask)


def test_formulas_on_the_observed_block(mixed):
    seen = mixed.mask[:, 0]
    x = mixed.views[0].matrix[seen]
    block = np.ix_(seen, seen)
    np.testing.assert_allclose(kernels.linear_kernel(mixed).views[0].matrix[block], x @ x.T)
    lengths = np.linalg.norm(x, axis=1)
    cosines = x @ x.T / np.outer(lengths, lengths)
    np.testing.assert_allclose(kernels.cosine_kernel(mixed).views[0].matrix[block], cosines)
    seen = mixed.mask[:, 2]
    d = mixed.views[2].matrix[np.ix_(seen, seen)]
    found = kernels.distance_kernel(mixed).views[2].matrix[np.ix_(seen, seen)]
    np.testing.assert_allclose(found, np.exp(-d / d.mean()))


def test_centring_on_the_observed_block_leaks_nothing(mixed):
    kernel, seen = mixed.views[1].matrix, mixed.mask[:, 1]
    found = kernels.center_kernels(mixed).views[1].matrix
    np.testing.assert_allclose(found[np.ix_(seen, seen)], center_and_normalize(kernel[np.ix_(seen, seen)]), atol=1e-12)


def test_the_leaking_form_wants_complete_data_and_differs(mixed):
    with pytest.raises(Incompatible, match=r"center-kernels-leaking cannot take .* complete"):
        kernels.center_kernels_leaking(mixed)
    points = np.random.default_rng(1).standard_normal((8, 4))
    complete = MultiViewData.from_arrays([points @ points.T], kinds=["kernel"])
    two = MultiViewData.from_arrays([points @ points.T] * 2, kinds=["kernel"] * 2)
    mask = np.ones((8, 2), dtype=bool)
    mask[0, 0] = False
    leaking = kernels.center_kernels_leaking(two).with_mask(mask).views[0].matrix
    honest = kernels.center_kernels(two.with_mask(mask)).views[0].matrix
    assert np.abs(leaking - honest).max() > 1e-3
    np.testing.assert_allclose(
        kernels.center_kernels_leaking(complete).views[0].matrix,
        kernels.center_kernels(complete).views[0].matrix,
    )


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_polynomial_kernel_has_the_asked_degree(mixed, degree):
    seen = mixed.mask[:, 0]
    x = mixed.views[0].matrix[seen]
    given = {} if degree == 3 else {"degree": degree}
    found = kernels.polynomial_kernel(mixed, **given).views[0].matrix[np.ix_(seen, seen)]
    np.testing.assert_allclose(found, (1 + x @ x.T / 3) ** degree)
