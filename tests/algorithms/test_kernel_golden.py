"""The kernel methods against the numbers of their authors' programs, from the same starts."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers

from mvarena.algorithms.kernel.base_partitions import ObservedKernel, summed_partition
from mvarena.algorithms.kernel.eeimvc import eeimvc
from mvarena.algorithms.kernel.limkkm import limkkm, neighbourhood_weights
from mvarena.algorithms.kernel.mkkm import mkkm
from mvarena.algorithms.kernel.mkkm_ik import imputation, mkkm_ik
from mvarena.algorithms.kernel.partition import alignment_filled, combined, equal_weights, filled, published_stopping
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernel_filling import neighbour_rows
from mvarena.numerics.kernels import center_and_normalize, gaussian, squared_distances
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import top_eigenvectors

K = 3
VIEWS = range(3)


@pytest.fixture(scope="module")
def golden():
    return golden_numbers("kernel_methods")


@pytest.fixture(scope="module")
def mask(golden):
    return golden["mask"]


@pytest.fixture(scope="module")
def raw_kernels(golden):
    squares = [squared_distances(golden[f"X{v}"]) for v in VIEWS]
    # the reference's median counts the zero distances of the samples to themselves
    return [gaussian(squared, 2 * np.median(np.sqrt(squared)) ** 2) for squared in squares]


@pytest.fixture(scope="module")
def kernels(raw_kernels, mask):
    """Centred and normalised before the deletion, the leaking form, as the reference has them."""
    return [center_and_normalize(kernel) * np.outer(m, m) for kernel, m in zip(raw_kernels, mask.T, strict=True)]


def assert_same_rows(found, reference):
    """The reference returns H with rows of unit length."""
    np.testing.assert_allclose(projector(unit_rows(found)), projector(reference), atol=1e-8)


def test_mkkm_on_raw_kernels(golden, raw_kernels):
    found = mkkm(raw_kernels, K, Stopping(max_iter=20))
    np.testing.assert_allclose(found.weights, golden["mkkm_weights"], rtol=1e-9)
    # theirs is tr(H^T K H) - tr(K), which rises
    np.testing.assert_allclose(found.history.objective, -golden["mkkm_objective"], rtol=1e-12)


@pytest.mark.parametrize("filling", ["mean", "knn", "af"])
def test_fillings(golden, kernels, mask, filling):
    found = alignment_filled(kernels, mask, K, 1e-3) if filling == "af" else filled(kernels, mask, filling)
    for v in VIEWS:
        seen = mask[:, v]
        expected = golden[f"filled_{filling}_{v}"]
        np.testing.assert_allclose(found[v][~seen][:, seen], expected[:, seen], atol=1e-9)
        np.testing.assert_array_equal(found[v][np.ix_(seen, seen)], kernels[v][np.ix_(seen, seen)])
        if filling != "knn":
            np.testing.assert_allclose(found[v][~seen][:, ~seen], expected[:, ~seen], atol=1e-9)


def test_neighbour_rows_between_missing_samples_before_they_are_averaged(golden, kernels, mask):
    for v in VIEWS:
        missing = np.flatnonzero(~mask[:, v])
        others = sum(kernels[w] for w in VIEWS if w != v) / 2
        rows = neighbour_rows(others, missing, 7)[:, missing]
        # the reference writes row and column of each missing sample in turn: the later sample's row stands
        last_written = np.tril(rows) + np.tril(rows, -1).T
        np.testing.assert_allclose(last_written, golden[f"filled_knn_{v}"][:, missing], atol=1e-9)


@pytest.mark.parametrize("filling", ["zero", "mean", "knn", "af"])
def test_mkkm_on_filled_kernels(golden, kernels, mask, filling):
    complete = kernels if filling == "zero" else reference_filled(golden, kernels, mask, filling)
    found = mkkm(complete, K, published_stopping(100, 1e-3))
    np.testing.assert_allclose(found.weights, golden[f"mkkm_{filling}_weights"], rtol=1e-8)
    np.testing.assert_allclose(found.history.objective, golden[f"mkkm_{filling}_objective"], rtol=1e-8)
    reference = golden[f"mkkm_{filling}_H"]
    np.testing.assert_allclose(projector(found.partition), projector(reference), atol=1e-9)
    assert found.history.converged


def reference_filled(golden, kernels, mask, filling):
    complete = []
    for v in VIEWS:
        missing = ~mask[:, v]
        kernel = kernels[v].copy()
        kernel[missing] = golden[f"filled_{filling}_{v}"]
        kernel[:, missing] = golden[f"filled_{filling}_{v}"].T
        complete.append(kernel)
    return complete


@pytest.mark.parametrize("filling", ["zero", "mean", "knn"])
def test_mkkm_ik(golden, kernels, mask, filling):
    first = kernels if filling == "zero" else reference_filled(golden, kernels, mask, filling)
    start = top_eigenvectors(combined(first, equal_weights(3)), K)[1]
    found = mkkm_ik(kernels, mask, K, 1e-3, published_stopping(31, 1e-4), start)
    np.testing.assert_allclose(found.weights, golden[f"ik_{filling}_weights"], rtol=1e-8)
    np.testing.assert_allclose(found.history.objective, golden[f"ik_{filling}_objective"], rtol=1e-8)
    assert_same_rows(found.partition, golden[f"ik_{filling}_H"])
    part = imputation(kernels[0], mask[:, 0], found.partition, 1e-3)
    imputed = kernels[0] + part.left @ part.right.T + part.right @ part.left.T
    np.testing.assert_allclose(imputed[~mask[:, 0]], golden[f"ik_{filling}_kernel_0"], atol=1e-8)


@pytest.mark.parametrize("case", range(12))
def test_limkkm(golden, kernels, mask, case):
    n_neighbors, regularization = golden[f"li_{case}_settings"]
    # the reference takes the first of equally similar samples
    A = neighbourhood_weights(sum(kernels), int(n_neighbors), order=np.arange(len(mask)))
    found = limkkm(kernels, mask, K, A, regularization, 1e-4, published_stopping(100, 1e-4))
    np.testing.assert_allclose(found.weights, golden[f"li_{case}_weights"], rtol=1e-8)
    np.testing.assert_allclose(found.history.objective, golden[f"li_{case}_objective"], rtol=1e-8)
    assert_same_rows(found.partition, golden[f"li_{case}_H"])
    if f"li_{case}_kernel_0" in golden:
        np.testing.assert_allclose(found.kernels[0][~mask[:, 0]], golden[f"li_{case}_kernel_0"], atol=1e-8)


@pytest.mark.parametrize("case", range(6))
def test_eeimvc(golden, mask, case):
    strength = float(golden[f"ee_{case}_lambda"])
    found = eeimvc(
        list(golden["ee_start"]), mask, published_stopping(101, 1e-4), regularization=strength, prior=golden["ee_prior"]
    )
    np.testing.assert_allclose(found.weights, golden[f"ee_{case}_weights"], rtol=1e-8)
    np.testing.assert_allclose(found.history.objective, golden[f"ee_{case}_objective"], rtol=1e-8)
    np.testing.assert_allclose(found.rotations, golden[f"ee_{case}_W"], atol=1e-7)
    np.testing.assert_allclose(unit_rows(found.partition), golden[f"ee_{case}_H"], atol=1e-7)
    if case == 0:
        np.testing.assert_allclose(found.base_partitions, golden["ee_HP"], atol=1e-7)


def test_eeimvc_starts_are_ours_up_to_signs(golden, kernels, mask):
    observed = []
    for v in VIEWS:
        rows = np.flatnonzero(mask[:, v])
        observed.append(ObservedKernel(rows, square=kernels[v][np.ix_(rows, rows)]))
        np.testing.assert_allclose(np.abs(observed[v].top(K, len(mask))), np.abs(golden["ee_start"][v]), atol=1e-8)
    prior = summed_partition(observed, len(mask), K)
    np.testing.assert_allclose(np.abs(prior), np.abs(golden["ee_prior"]), atol=1e-8)
