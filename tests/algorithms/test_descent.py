"""Objectives that never rise, or never fall where they are maximised, iteration by iteration, through the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from built_in import CATALOG

from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import center_kernels

RISING = {"eeimvc", "lf-imvc", "os-lf-imvc", "oplf-mvc"}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("amgl", {}),
    ("awp", {}),
    ("cgc", {"lam": 10.0}),
    ("convexsub", {"view_weights": (1.0, 0.3, 2.0)}),
    ("coreg-centroid", {"lam": 0.5}),
    ("coreg-pairwise", {"lam": 3.0}),
    ("daimc", {"rescale": False}),
    ("daimc", {"rescale": False, "alpha": 10.0, "beta": 1.0}),
    ("dsnmf", {"layers": (6, 3), "beta": 1.0}),
    ("dsnmf", {"gamma": 1.5}),
    ("ecmsc", {"inner_steps": 5, "exclusive": 1.0, "consistent": 0.1}),
    ("eeimvc", {}),
    ("eeimvc", {"regularization": 0.5}),
    ("fimvc-via", {"n_anchors": 6, "ridge": 0.01}),
    ("imvc-cbg", {"n_anchors": 6, "start": "first"}),
    ("lf-imvc", {"regularization": 0.1}),
    ("limkkm", {"ridge": 1e-12, "tau": 0.8}),
    ("mic", {"scale": "total"}),
    ("mic", {"beta": 10.0}),
    ("mkkm-af", {}),
    ("mkkm-ik", {"ridge": 0.0}),
    ("mkkm-mf", {}),
    ("mkkm-zf", {}),
    ("multinmf", {}),
    ("multinmf", {"consensus_weight": 1.0, "updates": 1}),
    ("oplf-mvc", {}),
    ("opimc", {"start": "random", "n_starts": 1}),
    ("opmc", {"start": "random", "n_starts": 1}),
    ("opmc", {"start": "random", "n_starts": 1, "weighting": "learned"}),
    ("os-lf-imvc", {"regularization": 0.1}),
    ("pimvc", {"ridge": 0.01, "smoothness": 10.0}),
    ("psimvc-pg", {"n_anchors": 4, "dimension": 6}),
    ("pvc", {}),
    ("rnnmf", {"n_components": 5, "alpha": 1.0}),
    ("rnnmf", {"n_components": 5, "smoothing": 0.3}),
    ("simplemkkm", {}),
    ("simvc-sa", {"alignment": 0.01, "ridge": 1.0}),
    ("smvsc", {"n_anchors": 5, "ridge": 0.1}),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_no_iteration_makes_the_objective_worse(name, options, seed):
    spec = CATALOG.algorithm(name)
    takes = spec.capabilities
    n_views = 1 if name == "rnnmf" else takes.max_views or 3  # the histories of rnnmf's views are joined
    data = blobs(
        30,
        dims=(2, 9, 7)[-n_views:],
        missing=(0.0, 0.3, 0.6)[seed] if takes.missing else 0.0,
        spread=1.0,
        seed=seed,
        kind="features" if "features" in takes.kinds else "kernel",
        nonnegative=not takes.negative,
    )
    data = center_kernels(data) if "features" not in takes.kinds else data
    model = CATALOG.load(spec)(random_state=0, max_iter=12)
    model.set_params(**({"tol": 0.0} if "tol" in model.get_params() else {}) | options)
    values = model.represent(data).objective
    worse = np.diff(values) * (-1 if name in RISING else 1)
    assert len(worse) > 0
    assert (worse <= 1e-9 * abs(values[0])).all()
