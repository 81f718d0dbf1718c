"""Values that leave little to tell samples apart: every method gives finite results and labels below k."""

from __future__ import annotations

import numpy as np
import pytest
from built_in import CATALOG, ours

import mvarena
from mvarena.data import MultiViewData
from mvarena.registry.plugins import is_control
from mvarena.testing.examples import blobs

METHODS = [spec for spec in ours("algorithm") if not is_control(spec)]
SPOILS = ("twins, rows of zeros and a constant column", "equal rows", "one feature", "a view of two samples")
K = 4


def spoilt(spec, spoil: str) -> MultiViewData:
    takes = spec.capabilities
    dims = (1, 1, 9) if spoil == "one feature" else (5, 8, 9)
    data = blobs(24, dims=dims[: takes.max_views or 3], n_clusters=K, nonnegative=not takes.negative)
    arrays, mask = [view.matrix.copy() for view in data.views], data.mask.copy()
    for X in arrays:
        if spoil.startswith("twins"):
            X[12:], X[::5], X[:, 0] = X[:12], 0.0, 1.0
        elif spoil == "equal rows":
            X[:] = 2.0
    if spoil == "a view of two samples":
        mask[2:, 0] = False
    return MultiViewData.from_arrays(arrays, mask=mask, n_clusters=K, view_names=data.view_names)


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("spec", METHODS, ids=[spec.name for spec in METHODS])
def test_results_are_finite_and_labels_below_k(spec, spoil):
    data = spoilt(spec, spoil)
    model = CATALOG.load(spec)(random_state=0, n_init=1)
    if spec.picks_by_labels == "view":
        model.set_params(view=data.view_names[-1])
    # what a method usually has done may be the filling of missing samples, which it takes as well
    as_they_are = not data.is_complete and spec.capabilities.missing and "features" in spec.capabilities.kinds
    found = model.fit(data if as_they_are else mvarena.prepare(data, "auto", for_=spec.name))
    result = found.representation_
    for matrix in (result.embedding, result.affinity, result.objective):
        if matrix is not None:
            assert np.isfinite(getattr(matrix, "data", matrix)).all()
    assert set(found.labels_) <= set(range(K))
