"""Numbers of snfpy 0.2.2 for the tests, in an environment that has it and scikit-learn below 1.6:

python golden_snfpy.py > golden_snfpy.json
"""

from __future__ import annotations

import json
import sys

import numpy as np


def views(n: int, seed: int) -> list[np.ndarray]:
    """Two views of three overlapping groups."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % 3
    return [1.6 * rng.standard_normal((3, d))[groups] + rng.standard_normal((n, d)) for d in (4, 6)]


def main() -> None:
    from scipy.spatial.distance import cdist
    from sklearn.cluster import spectral_clustering
    from snf import compute

    few = [compute.affinity_matrix(cdist(X, X), K=4, mu=0.5) for X in views(10, 0)]
    many = [compute.affinity_matrix(cdist(X, X), K=10, mu=0.5) for X in views(60, 1)]
    network = compute.snf(many, K=10, t=20)
    labels = spectral_clustering(network, n_clusters=3, random_state=0)
    json.dump({"similarities": [W.tolist() for W in few], "labels": labels.tolist()}, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
