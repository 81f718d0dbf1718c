"""DMF-MVC: the published form number for number, its steps by least squares, layers, groups that are found."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import mvarena
from mvarena.algorithms.nmf.dsnmf import (
    DSNMF,
    dsnmf,
    halves,
    heat_kernel_graph,
    semi_nmf,
    update_layers,
)
from mvarena.contracts.metric import Contingency
from mvarena.data import MultiViewData
from mvarena.metrics.external import acc
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.nmf import ratio_step
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("dsnmf")


def start() -> tuple[list[np.ndarray], list[list[np.ndarray]], list[np.ndarray]]:
    views = [GOLDEN[f"X{v}"] for v in range(3)]
    Z = [[GOLDEN[f"Z{v}_0"], GOLDEN[f"Z{v}_1"]] for v in range(3)]
    return views, Z, [GOLDEN[f"H{v}"] for v in range(3)]


def test_the_published_form_matches() -> None:
    views, Z, H = start()
    graphs = [heat_kernel_graph(X, 5) for X in views]
    found = dsnmf(views, graphs, Z, H, Stopping(30), beta=0.01, gamma=0.1, shared=False)
    for v in range(3):
        np.testing.assert_allclose(found.Z[v][0], GOLDEN[f"outZ{v}"], atol=1e-10)
        np.testing.assert_allclose(found.H[v], GOLDEN[f"outH{v}"], atol=1e-10)
    np.testing.assert_allclose(found.history.objective[-1], GOLDEN["dn"].sum(), rtol=1e-9)


def test_layers_wider_than_the_data_are_narrowed() -> None:
    model = DSNMF(layers=(100, 50), max_iter=3)
    assert model.represent(blobs(12, dims=(5,), n_clusters=2)).embedding.shape == (12, 5)


def test_by_default_the_last_layer_has_a_column_for_each_cluster() -> None:
    assert DSNMF(max_iter=3).represent(blobs(30, dims=(9, 8), n_clusters=4)).embedding.shape == (30, 4)


@pytest.mark.parametrize("dims", [(8, 8), (40, 40)])
def test_separated_groups_of_few_features_are_found(dims: tuple[int, ...]) -> None:
    """The groups' centres are six deviations apart; wide last layers found 94 and 43 % of the samples."""
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        truth = np.arange(150) % 4
        views = []
        for d in dims:
            centres = rng.standard_normal((4, d))
            centres *= 6 / min(np.linalg.norm(a - b) for a, b in combinations(centres, 2))
            views.append(centres[truth] + rng.standard_normal((150, d)))
        data = mvarena.prepare(MultiViewData.from_arrays(views, labels=truth, name="groups"), "auto", for_="dsnmf")
        found.append(acc(Contingency.from_labels(truth, DSNMF(random_state=0).fit_predict(data))))
    assert np.mean(found) > 0.93


def test_layers_wider_than_the_last_fit_as_well_as_one_update_after_another() -> None:
    # the hidden layer H Z_2^T has rank p of more columns, and X has fewer columns than H: what rounding adds to
    # either rank must not be inverted
    rng = np.random.default_rng(0)
    X, H = rng.standard_normal((60, 5)), rng.random((60, 8))
    layers = [rng.standard_normal((5, 20)), rng.standard_normal((20, 8))]
    best = X.T @ np.linalg.pinv(H).T
    for _ in range(20):
        layers, basis = update_layers(X, layers, H)
        np.testing.assert_allclose(basis, best, atol=1e-11)


@pytest.mark.parametrize("density", [0.05, 1.0])
def test_wide_views_are_factorised_as_their_rotations_are(density: float) -> None:
    rng = np.random.default_rng(0)
    X, H = sparse.random(15, 60, density, format="csr", rng=rng), rng.random((15, 4)) + 0.1
    wide = sparse.csr_array(X) if density < 1 else X.toarray()
    Z, found = semi_nmf(wide, H, 10)
    reference = H
    for _ in range(10):
        basis = X.T @ np.linalg.pinv(reference).T
        reference = ratio_step(reference, *halves(X @ basis, basis.T @ basis, reference), root=True)
    np.testing.assert_allclose(found, reference, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(Z, X.T @ np.linalg.pinv(reference).T, rtol=1e-7, atol=1e-9)


def test_a_narrow_view_of_noise_does_not_decide():
    """It is fitted best, and with the squares of costs, gamma = 2, little of the other views was left."""
    clear = blobs(90, dims=(10, 20), spread=2.0, seed=0)
    noise = np.random.default_rng(0).standard_normal((90, 2))
    data = MultiViewData.from_arrays([*(view.matrix for view in clear.views), noise], labels=clear.labels)
    squares, default = (DSNMF(**options, random_state=0).fit_predict(data) for options in ({"gamma": 2.0}, {}))
    assert adjusted_rand_score(clear.labels, default) > 0.9 > adjusted_rand_score(clear.labels, squares)
