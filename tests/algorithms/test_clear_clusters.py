"""Clear groups are found by every method, and under settings that take other ways to them."""

from __future__ import annotations

import pytest
from built_in import CATALOG, ours
from sklearn.metrics import adjusted_rand_score

import mvarena
from mvarena.testing.examples import blobs

# the baselines of a single view are told which (test_baselines); of a control nothing is expected
NOT_HERE = {"bsv-kmeans", "bsv-spectral", "one-cluster", "random", "shuffled-truth", "truth"}
METHODS = [spec for spec in ours("algorithm") if spec.name not in NOT_HERE]
# adjusted Rand index of one that finds less where each of two views misses 30 % of the samples
LEAST = {"mkkm-mf": 0.7}
FURTHER = {
    "amgl": [{"graph": "adaptive"}],
    "apmc": [{"reach": 1.0}, {"n_anchors": 18}, {"n_anchors": 18, "anchors": "kmeans"}],
    "eeimvc": [
        {"kernel": "gaussian", "approximation": "exact"},
        {"kernel": "gaussian", "approximation": "nystrom", "n_components": 200},
    ],
    "emvc": [{"squared_width": "median-squared"}],
    "fastmice": [{"distance": "cosine"}],
    "fimvc-via": [{"n_anchors": 9}],
    "fpmvs-cag": [{"n_anchors": 6}],
    "imsc-agl": [{"consensus": "program"}],
    "imvc-cbg": [{"n_anchors": 6}, {"start": "first"}, {"ridge": 1.0}],
    "lmvsc": [{"n_anchors": 20}, {"ridge": 1.0}],
    "opimc": [{"block_size": 40}, {"block_size": 40, "n_passes": 2}, {"alpha": 1.0}, {"start": "random"}],
    "opmc": [{"weighting": "learned"}, {"start": "random", "n_starts": 20}],
    "pic": [{"standardize": False, "n_neighbors": 5}],
    "pimvc": [{"ridge": 1.0, "smoothness": 0.1}],
    "psimvc-pg": [{"n_anchors": 4, "dimension": 6}, {"weighting": "norm"}, {"start": "program"}],
    "simvc-sa": [{"start": "first"}, {"alignment": 100.0, "ridge": 1.0}],
    "smvsc": [{"n_anchors": 6}, {"start": "program"}],
    "ueaf": [{"graph_term": "program"}, {"smoothness": 1e-5, "graph": 10.0}],
}


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        pytest.param(spec, options, id=f"{spec.name}-{number}")
        for spec in METHODS
        for number, options in enumerate([{}, *FURTHER.get(spec.name, [])])
    ],
)
def test_clear_clusters_are_found(spec, options):
    data = blobs(90, dims=(12, 15), missing=0.3 if spec.capabilities.missing else 0.0, seed=1)
    prepared = mvarena.prepare(data, "auto", for_=spec.name)
    labels = CATALOG.load(spec)(random_state=0, **options).fit(prepared).labels_
    assert adjusted_rand_score(data.labels, labels) > LEAST.get(spec.name, 0.9)
