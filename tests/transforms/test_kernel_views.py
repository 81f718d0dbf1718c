"""Kernels of views and features behind them: formulas on the observed block, other kinds left alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics.kernels import center_and_normalize
from mvarena.transforms import kernels
from mvarena.transforms.kernels import distance_features, gaussian_kernel, kernel_features

RNG = np.random.default_rng(0)
X = RNG.standard_normal((20, 4))
DISTANCES = cdist(X, X)
MASK = np.ones((20, 3), dtype=bool)
MASK[:6, 0] = MASK[3:9, 1] = MASK[12:, 2] = False
MIXED = MultiViewData.from_arrays([X, X @ X.T, DISTANCES], mask=MASK, kinds=["features", "kernel", "distance"])


def of_view(matrix, kind: str) -> MultiViewData:
    return MultiViewData.from_arrays([matrix], kinds=[kind])


def mean_of(distances):
    return distances / distances.mean()


def cosines(x):
    lengths = np.linalg.norm(x, axis=1)
    return x @ x.T / np.outer(lengths, lengths)


@pytest.mark.parametrize(
    ("name", "given", "touched", "formula"),
    [
        ("linear_kernel", {}, 0, lambda x: x @ x.T),
        ("cosine_kernel", {}, 0, cosines),
        ("polynomial_kernel", {"degree": 1}, 0, lambda x: 1 + x @ x.T / 4),
        ("polynomial_kernel", {}, 0, lambda x: (1 + x @ x.T / 4) ** 3),
        ("center_kernels", {}, 1, center_and_normalize),
        ("distance_kernel", {}, 2, lambda d: np.exp(-mean_of(d))),
    ],
)
def test_a_formula_holds_on_the_observed_block_of_its_own_kind(name, given, touched, formula):
    found = getattr(kernels, name)(MIXED, **given)
    view, seen, before = found.views[touched], MASK[:, touched], MIXED.views[touched].matrix
    block = np.ix_(seen, seen)
    assert view.kind == "kernel"
    np.testing.assert_allclose(view.matrix[block], formula(before[seen] if touched == 0 else before[block]), atol=1e-12)
    assert not view.matrix[~seen].any()
    assert not view.matrix[:, ~seen].any()
    for other in {0, 1, 2} - {touched}:
        assert found.views[other].kind == MIXED.views[other].kind
        np.testing.assert_array_equal(found.views[other].matrix, MIXED.views[other].matrix)
    np.testing.assert_array_equal(found.mask, MASK)


def test_the_leaking_form_wants_complete_data_and_differs():
    with pytest.raises(Incompatible, match=r"center-kernels-leaking cannot take .* complete"):
        kernels.center_kernels_leaking(MIXED)
    two = MultiViewData.from_arrays([X @ X.T] * 2, kinds=["kernel"] * 2)
    leaking, honest = kernels.center_kernels_leaking(two), kernels.center_kernels(two)
    np.testing.assert_allclose(leaking.views[0].matrix, honest.views[0].matrix)
    mask = MASK[:, 1:]
    of_the_rest = kernels.center_kernels(two.with_mask(mask)).views[0].matrix
    assert np.abs(leaking.with_mask(mask).views[0].matrix - of_the_rest).max() > 1e-3


# gaussian-kernel


@pytest.mark.parametrize("sigma", [1.7, None])
def test_a_gaussian_kernel_of_a_chosen_length_or_the_median(sigma):
    found = gaussian_kernel(MIXED, sigma=sigma)
    np.testing.assert_array_equal(found.views[1].matrix, MIXED.views[1].matrix)
    for i in (0, 2):
        seen = np.ix_(MASK[:, i], MASK[:, i])
        pairs = DISTANCES[seen][np.triu_indices(MASK[:, i].sum(), k=1)]
        expected = np.exp(-(DISTANCES[seen] ** 2) / (2 * (sigma or np.median(pairs)) ** 2))
        assert found.views[i].kind == "kernel"
        np.testing.assert_allclose(found.views[i].matrix[seen], expected, atol=1e-9)
        np.testing.assert_array_equal(np.diag(found.views[i].matrix), MASK[:, i])


def test_samples_that_mostly_coincide_get_the_limit_of_a_narrow_kernel():
    kernel = gaussian_kernel(of_view([[0.0], [0.0], [0.0], [0.0], [2.0]], "features")).views[0].matrix
    np.testing.assert_array_equal(kernel[0], [1, 1, 1, 1, 0])
    assert (gaussian_kernel(of_view(np.zeros((3, 1)), "features")).views[0].matrix == 1).all()


# kernel-features and distance-features

BEHIND = {"kernel": (kernel_features, X @ X.T), "distance": (distance_features, DISTANCES)}


@pytest.mark.parametrize("kind", BEHIND)
def test_distances_between_samples_are_those_of_the_points_behind(kind):
    transform, matrix = BEHIND[kind]
    view = transform(of_view(matrix, kind)).views[0]
    assert (view.kind, view.n_features) == ("features", 4)
    np.testing.assert_allclose(cdist(view.matrix, view.matrix), DISTANCES, atol=1e-9)


@pytest.mark.parametrize("kind", BEHIND)
def test_fewer_features_are_the_leading_ones(kind):
    transform, matrix = BEHIND[kind]
    few, all_of_them = (transform(of_view(matrix, kind), n_features=n).views[0].matrix for n in (2, 9))
    np.testing.assert_allclose(few, all_of_them[:, :2], atol=1e-12)
    assert (np.diff((all_of_them**2).sum(axis=0)) < 0).all()


@pytest.mark.parametrize("kind", BEHIND)
def test_missing_samples_stay_missing_and_change_nothing(kind):
    transform, matrix = BEHIND[kind]
    touched = ("features", "kernel", "distance").index(kind)
    seen = MASK[:, touched]
    found, alone = transform(MIXED), transform(of_view(matrix[np.ix_(seen, seen)], kind))
    np.testing.assert_array_equal(found.mask, MASK)
    assert not found.views[touched].matrix[~seen].any()
    np.testing.assert_allclose(found.views[touched].matrix[seen], alone.views[0].matrix, atol=1e-9)
    for other in {0, 1, 2} - {touched}:
        np.testing.assert_array_equal(found.views[other].matrix, MIXED.views[other].matrix)


def test_samples_that_are_all_alike_have_one_constant_feature():
    found = kernel_features(of_view(np.full((5, 5), 3.0), "kernel"))
    np.testing.assert_array_equal(found.views[0].matrix, np.zeros((5, 1)))
