"""What all factorisation methods promise: masks, permutations, sparse input, refusals, determinism."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from mvarena.algorithms import DAIMC, DSNMF, IMG, MIC, PVC, RNNMF, MultiNMF
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible

MAKERS: dict[str, Any] = {
    "multinmf": lambda: MultiNMF(n_clusters=3, max_iter=8),
    "mic": lambda: MIC(n_clusters=3, max_iter=8),
    "daimc": lambda: DAIMC(n_clusters=3, max_iter=8),
    "pvc": lambda: PVC(n_clusters=3),
    "img": lambda: IMG(n_clusters=3),
    "rnnmf": lambda: RNNMF(n_clusters=3, n_components=5, max_iter=15),
    "dsnmf": lambda: DSNMF(n_clusters=3, layers=(6, 3), max_iter=15),
}
PAIRS = ("pvc", "img")
INCOMPLETE = ("mic", "daimc", "pvc", "img")
NONNEGATIVE = ("multinmf", "mic", "pvc")


def grouped(seed: int = 0, n: int = 45) -> tuple[list[np.ndarray], np.ndarray]:
    """Three well separated groups in two nonnegative views, rows in random order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3)
    return [rng.uniform(0.2, 3.0, (3, d))[y] * rng.uniform(0.8, 1.2, (n, d)) for d in (12, 9)], y


def mask_of(n: int, seed: int = 1) -> np.ndarray:
    mask = np.ones((n, 2), dtype=bool)
    rows = np.random.default_rng(seed).permutation(n)
    mask[rows[:8], 0] = False
    mask[rows[8:15], 1] = False
    return mask


def matrix_of(found: Any) -> np.ndarray:
    matrix = found.embedding if found.embedding is not None else found.affinity
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def same_partition(a: np.ndarray, b: np.ndarray) -> bool:
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize("name", MAKERS)
def test_separated_groups_are_found(name: str) -> None:
    views, y = grouped()
    assert same_partition(MAKERS[name]().fit_predict(views), y)


@pytest.mark.parametrize("name", MAKERS)
def test_permuting_samples_permutes_the_representation(name: str) -> None:
    views, _ = grouped()
    mask = mask_of(45) if name in INCOMPLETE else np.ones((45, 2), dtype=bool)
    order = np.random.default_rng(3).permutation(45)
    plain = MAKERS[name]().represent(MultiViewData.from_arrays(views, mask=mask))
    moved = MAKERS[name]().represent(MultiViewData.from_arrays([v[order] for v in views], mask=mask[order]))
    expected = matrix_of(plain)[order]
    if plain.embedding is None:
        expected = expected[:, order]
    np.testing.assert_allclose(matrix_of(moved), expected, rtol=1e-5, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("name", MAKERS)
def test_sparse_views_give_what_dense_ones_give(name: str) -> None:
    views, _ = grouped()
    views = [np.where(view < 0.8, 0.0, view) for view in views]
    mask = mask_of(45) if name in INCOMPLETE else np.ones((45, 2), dtype=bool)
    dense = MAKERS[name]().represent(MultiViewData.from_arrays(views, mask=mask))
    stored = [sparse.csr_array(view) for view in views]
    thin = MAKERS[name]().represent(MultiViewData.from_arrays(stored, mask=mask))
    scale = np.abs(matrix_of(dense)).max()
    np.testing.assert_allclose(matrix_of(thin), matrix_of(dense), rtol=1e-5, atol=1e-7 * scale)


@pytest.mark.parametrize("name", MAKERS)
def test_wide_sparse_views_are_never_made_dense(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    wide = [sparse.csr_array(sparse.random(40, 5000, 0.01, rng=rng) + sparse.eye(40, 5000)) for _ in range(2)]
    data = MultiViewData.from_arrays(wide)
    original = sparse.csr_array.toarray

    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        assert self.shape[0] * self.shape[1] <= 40 * 400, f"a sparse {self.shape} matrix was made dense"
        return original(self, *args, **kwargs)

    monkeypatch.setattr(sparse.csr_array, "toarray", guarded)
    assert np.isfinite(matrix_of(MAKERS[name]().represent(data))).all()


@pytest.mark.parametrize("name", sorted(set(MAKERS) - set(PAIRS)))
def test_three_wide_sparse_views_take_no_memory_of_dense_ones(name: str) -> None:
    n, d = 200, 8_000
    rng = np.random.default_rng(0)
    wide = [sparse.csr_array(sparse.random(n, d, 0.005, rng=rng)) for _ in range(3)]
    mask = np.ones((n, 3), dtype=bool)
    if name in INCOMPLETE:
        mask[:20, 0] = mask[20:40, 1] = mask[40:60, 2] = False
    data = MultiViewData.from_arrays(wide, mask=mask)
    tracemalloc.start()
    try:
        assert np.isfinite(matrix_of(MAKERS[name]().represent(data))).all()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * n * d, f"{name} took {peak / 2**20:.0f} MiB; one dense view is {8 * n * d / 2**20:.0f} MiB"


@pytest.mark.parametrize("name", INCOMPLETE)
def test_values_under_missing_rows_change_nothing(name: str) -> None:
    views, _ = grouped()
    mask = mask_of(45)
    garbage = [np.where(mask[:, [v]], view, 1e6 - 3e6 * v) for v, view in enumerate(views)]
    clean = MAKERS[name]().represent(MultiViewData.from_arrays(views, mask=mask))
    dirty = MAKERS[name]().represent(MultiViewData.from_arrays(garbage, mask=mask))
    np.testing.assert_array_equal(matrix_of(clean), matrix_of(dirty))


@pytest.mark.parametrize("name", sorted(set(MAKERS) - set(INCOMPLETE)))
def test_methods_for_complete_data_refuse_missing_rows(name: str) -> None:
    views, _ = grouped()
    with pytest.raises(Incompatible, match="fill-mean"):
        MAKERS[name]().fit(views, mask=mask_of(45))


@pytest.mark.parametrize("name", [*NONNEGATIVE, "rnnmf"])
def test_negative_values_are_refused_with_view_and_remedy(name: str) -> None:
    views, _ = grouped()
    views[1] = views[1] - 2.0
    with pytest.raises(Incompatible, match=r"view 'view1' holds negative values; .* minmax"):
        MAKERS[name]().fit(views)


@pytest.mark.parametrize("name", ["daimc", "img", "dsnmf"])
def test_the_others_take_negative_values(name: str) -> None:
    views, _ = grouped()
    assert np.isfinite(matrix_of(MAKERS[name]().represent(MultiViewData.from_arrays([v - 1 for v in views])))).all()


@pytest.mark.parametrize("name", MAKERS)
def test_same_input_and_seed_same_labels(name: str) -> None:
    views, _ = grouped()
    first, second = (MAKERS[name]().set_params(random_state=4).fit_predict(views) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", ["mic", "daimc", "rnnmf", "dsnmf", "pvc", "img"])
def test_the_order_of_the_views_does_not_matter(name: str) -> None:
    views, _ = grouped()
    mask = mask_of(45) if name in INCOMPLETE else np.ones((45, 2), dtype=bool)
    plain = matrix_of(MAKERS[name]().represent(MultiViewData.from_arrays(views, mask=mask)))
    turned = matrix_of(MAKERS[name]().represent(MultiViewData.from_arrays(views[::-1], mask=mask[:, ::-1])))
    np.testing.assert_allclose(turned, plain, rtol=1e-5, atol=1e-7 * np.abs(plain).max())


@pytest.mark.parametrize("name", MAKERS)
def test_zero_rows_constant_columns_and_twins_stay_finite(name: str) -> None:
    views, _ = grouped()
    for view in views:
        view[0] = 0.0
        view[:, 0] = 1.0
        view[0, 0] = 0.0
        view[2] = view[3]
    model = MAKERS[name]().fit(views)
    assert np.isfinite(matrix_of(model.representation_)).all()
    assert np.isfinite(model.objective_).all()


@pytest.mark.parametrize("name", ["pvc", "img"])
def test_pair_methods_refuse_what_they_cannot_pair(name: str) -> None:
    views, _ = grouped()
    with pytest.raises(Incompatible, match="at most 2 views"):
        MAKERS[name]().fit([*views, views[0]])
    apart = np.column_stack([np.arange(45) < 20, np.arange(45) >= 20])
    with pytest.raises(Incompatible, match="seen in every view"):
        MAKERS[name]().fit(views, mask=apart)
