"""The synthetic mixtures have the papers' sizes, means and covariances, and depend on the seed alone."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.loaders.synthetic import load_synthetic_apmc, load_synthetic_emvc

WIDE = [[1, 0.5], [0.5, 1.5]]
NARROW = [[0.3, 0], [0, 0.6]]
# (loader, view, cluster) -> mean and covariance as printed
PRINTED = [
    (load_synthetic_apmc, 0, 0, [1, 1], [[0.3, 0], [0, 0.4]]),
    (load_synthetic_apmc, 0, 1, [4, 2], [[0.2, 0.15], [0.15, 0.35]]),
    (load_synthetic_apmc, 1, 0, [1, 3], [[0.25, -0.05], [-0.05, 0.2]]),
    (load_synthetic_apmc, 1, 1, [3, 1], [[0.4, 0.1], [0.1, 0.3]]),
    (load_synthetic_emvc, 0, 0, [1, 1], WIDE),
    (load_synthetic_emvc, 0, 1, [2, 2], NARROW),
    (load_synthetic_emvc, 1, 0, [2, 2], NARROW),
    (load_synthetic_emvc, 1, 1, [1, 1], WIDE),
]


@pytest.mark.parametrize(("load", "view", "cluster", "mean", "covariance"), PRINTED)
def test_moments_are_those_of_the_paper(load, view, cluster, mean, covariance) -> None:
    draws = [load(seed) for seed in range(60)]
    points = np.vstack([data.views[view].matrix[data.labels == cluster] for data in draws])
    tolerance = 6 * np.sqrt(2 * np.max(covariance) / len(points))  # six standard errors
    assert np.allclose(points.mean(axis=0), mean, atol=tolerance)
    assert np.allclose(np.cov(points.T), covariance, atol=np.max(covariance) * tolerance)


def test_sizes_and_the_numbers_of_a_seed_are_pinned() -> None:
    apmc, emvc = load_synthetic_apmc(0), load_synthetic_emvc(0)
    assert apmc.fingerprint == "861be4dca4821a4eb3be1b001c7bd763f921b3e7d55601198ddb25727e84478a"
    assert emvc.fingerprint == "59f1f26080a58fe0d817d224efe1c1acfa8dfc367b0e2d7bd65a21ff14d9123a"
    assert (apmc.n_samples, np.bincount(emvc.labels).tolist()) == (200, [500, 500])
    sizes = [int((load_synthetic_apmc(seed).labels == 0).sum()) for seed in range(50)]
    assert len(set(sizes)) > 5
    assert 95 < np.mean(sizes) < 105
