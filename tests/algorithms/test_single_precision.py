"""Float32 features, memory-mapped: methods that say so count with them as they are, and none holds a double copy."""

from __future__ import annotations

import numpy as np
import pytest
from built_in import CATALOG, ours

import mvarena
from mvarena.algorithms import APMC, EEIMVC, LFIMVC, OSLFIMVC, Concat
from mvarena.data import MultiViewData
from mvarena.numerics import kernels
from mvarena.testing.algorithm.inputs import traced_peak
from mvarena.testing.comparisons import require_alike

SINGLE = [spec for spec in ours("algorithm") if spec.capabilities.single and not spec.reads_labels]


def mapped(tmp_path, n: int, dims: tuple[int, ...], *, complete: bool = False, k: int = 4) -> MultiViewData:
    """Groups in float32 files, mapped; rows of samples that a view misses are zero in the file."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % k
    mask = np.ones((n, len(dims)), dtype=bool)
    if not complete:
        gone = rng.permutation(n)[: n // 3]
        mask[gone, rng.integers(0, len(dims), len(gone))] = False
    views = []
    for v, d in enumerate(dims):
        X = (rng.standard_normal((n, d)) + 3 * rng.standard_normal((k, d))[labels]).astype(np.float32)
        X[~mask[:, v]] = 0
        np.save(tmp_path / f"{v}.npy", X)
        views.append(np.load(tmp_path / f"{v}.npy", mmap_mode="r"))
    return MultiViewData.from_arrays(views, mask=mask, n_clusters=k, keep_single=True)


def test_the_files_are_what_the_data_hold(tmp_path):
    data = mapped(tmp_path, 60, (5, 8))
    for v, view in enumerate(data.views):
        assert view.matrix.dtype == np.float32
        np.testing.assert_array_equal(view.matrix, np.load(tmp_path / f"{v}.npy"))
    file = np.load(tmp_path / "0.npy", mmap_mode="r")
    assert np.shares_memory(MultiViewData.from_arrays([file], keep_single=True).views[0].matrix, file)
    doubled = data.in_double()
    assert data.fingerprint == doubled.fingerprint
    assert {view.matrix.dtype for view in doubled.views} == {np.dtype(np.float64)}
    assert doubled.in_double() is doubled


def test_single_precision_is_kept_where_it_is_asked_for_alone():
    X = np.ones((4, 2), dtype=np.float32)
    assert MultiViewData.from_arrays([X]).views[0].matrix.dtype == np.float64
    assert MultiViewData.from_arrays([X], keep_single=True).views[0].matrix.dtype == np.float32
    assert (
        MultiViewData.from_arrays([X[:2] * 0], keep_single=True, kinds=["kernel"]).views[0].matrix.dtype == np.float64
    )


def test_rows_of_missing_samples_that_hold_something_are_blanked(tmp_path):
    X = np.ones((5, 2), dtype=np.float32)
    mask = np.array([[True, True]] * 4 + [[False, True]])
    data = MultiViewData.from_arrays([X, X], mask=mask, keep_single=True)
    assert not data.views[0].matrix[4].any()
    assert X.all()


@pytest.mark.parametrize("spec", SINGLE, ids=[spec.name for spec in SINGLE])
def test_the_representation_is_that_of_double_precision(spec, tmp_path):
    data = mapped(tmp_path, 90, (5, 8), complete=not spec.capabilities.missing)
    model = CATALOG.load(spec)(random_state=0)
    require_alike(model.represent(data), model.represent(data.in_double()), f"{spec.name} differs.", tolerance=1e-6)


def test_others_get_double_precision(tmp_path):
    data = mapped(tmp_path, 60, (5, 8), complete=True)
    assert Concat().represent(data).embedding.dtype == np.float64


MODELS = [APMC(n_anchors=500, random_state=0), EEIMVC(), LFIMVC(), OSLFIMVC(max_iter=2)]


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=[model.spec.name for model in MODELS])
def test_no_copy_in_double_precision_is_made(model, tmp_path, monkeypatch):
    n, d = 2_400, 700
    monkeypatch.setattr(kernels, "_BLOCK_ENTRIES", 50_000)
    data = mapped(tmp_path, n, (d, d), complete=True)
    traced_peak(model, data.take(np.arange(200)))  # imports what is imported late
    in_single = 4 * n * d
    # where samples are put in an order, once in single precision; beside that less than one view in double
    assert traced_peak(model, data) < in_single * (2 * model.canonical + 2)


def test_unit_rows_keep_single_precision(tmp_path):
    data = mapped(tmp_path, 60, (5, 8))
    prepared = mvarena.prepare(data, "unit-rows")
    assert {view.matrix.dtype for view in prepared.views} == {np.dtype(np.float32)}
