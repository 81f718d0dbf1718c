"""The cache of memory-mapped data: read once, equal content, never needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mvarena.cache.mapped import mapped
from mvarena.data import MultiViewData


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "prepared"


HERE = "mvarena_toys.data:load_blobs"


class Reader:
    """Counts how often the original is read."""

    def __init__(self, data: MultiViewData) -> None:
        self.data = data
        self.times = 0

    def __call__(self) -> MultiViewData:
        self.times += 1
        return self.data


def made(labels: bool = True, seed: int = 0) -> MultiViewData:
    rng = np.random.default_rng(seed)
    mask = np.ones((9, 3), dtype=bool)
    mask[2:4, 0] = False
    mask[5, 1] = False
    square = rng.random((9, 9))
    return MultiViewData.from_arrays(
        [rng.random((9, 4)), sparse.random_array((9, 30), density=0.2, rng=rng), square + square.T],
        mask=mask,
        labels=rng.choice(["a", "b", "c"], 9) if labels else None,
        n_clusters=3,
        name="toy",
        view_names=["dense", "sparse", "square"],
        kinds=["features", "features", "kernel"],
        ids=["é", "", *"abcdefg"] if labels else None,
    )


def is_mapped(array: np.ndarray) -> bool:
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array is not None


@pytest.mark.parametrize("labels", [True, False])
def test_the_second_time_comes_from_the_cache_and_is_equal(labels: bool) -> None:
    reader = Reader(made(labels))
    first, second = (mapped("toy", ["1"], HERE, reader) for _ in range(2))
    assert reader.times == 1
    for data in (first, second):
        assert data.fingerprint == reader.data.fingerprint
        fresh = MultiViewData(data.name, data.views, data.mask, data.labels, data.n_clusters, data.classes)
        assert fresh.fingerprint == reader.data.fingerprint  # computed anew, not from the manifest
        assert (data.name, data.classes, data.n_clusters) == ("toy", reader.data.classes, 3)
        assert data.ids == reader.data.ids
        assert [view.kind for view in data.views] == ["features", "features", "kernel"]
        assert [view.is_sparse for view in data.views] == [False, True, False]


def test_complete_dense_views_are_memory_mapped_and_read_only() -> None:
    data = MultiViewData.from_arrays([np.random.default_rng(0).random((9, 4))], name="toy")
    mapped("toy", ["1"], HERE, Reader(data))
    matrix = mapped("toy", ["1"], HERE, Reader(data)).views[0].matrix
    assert is_mapped(matrix)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0] = 1


def test_other_files_make_another_entry_and_the_old_one_goes(cache: Path) -> None:
    one, two = Reader(made(seed=1)), Reader(made(seed=2))
    mapped("toy", ["1"], HERE, one)
    assert mapped("toy", ["2"], HERE, two).fingerprint == two.data.fingerprint
    assert len(list((cache / "toy").iterdir())) == 1
    assert mapped("toy", ["1"], HERE, one).fingerprint == one.data.fingerprint
    assert (one.times, two.times) == (2, 1)


@pytest.mark.parametrize("damage", ["manifest.json", "view1-indices.npy"])
@pytest.mark.parametrize("content", [b"", b"{}", None], ids=["emptied", "replaced", "removed"])
def test_a_damaged_entry_is_read_anew(cache: Path, damage: str, content: bytes | None) -> None:
    reader = Reader(made())
    mapped("toy", ["1"], HERE, reader)
    (file,) = cache.rglob(damage)
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    for _ in range(2):  # read anew and stored anew
        assert mapped("toy", ["1"], HERE, reader).fingerprint == reader.data.fingerprint
    assert reader.times == 2


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("where the cache should be")
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "file"))
    reader = Reader(made())
    assert mapped("toy", ["1"], HERE, reader).fingerprint == mapped("toy", ["1"], HERE, reader).fingerprint
    assert reader.times == 2
