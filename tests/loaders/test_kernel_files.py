"""Loaders whose originals were not at hand, on small files of the publishers' format made here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import io

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.cards import load_card
from mvarena.loaders.dataset import load_carded
from mvarena.loaders.layout import read_layout
from mvarena.loaders.specs import CARDED

UNVERIFIED = ("caltech102", "ccv", "flower102", "flower17", "orl-mtv")
N = 160


def distances(seed: int, n: int = N) -> np.ndarray:
    points = np.random.default_rng(seed).random((n, 3))
    return ((points[:, None] - points[None]) ** 2).sum(axis=2)


def saved(folder: Path, **files: dict) -> dict[str, Path]:
    for name, variables in files.items():
        io.savemat(folder / f"{name}.mat", variables)
    return {f"{name}.mat": folder / f"{name}.mat" for name in files}


def read(name: str, files: dict[str, Path], **changed: object) -> MultiViewData:
    """The data set from small files in place of its own; `changed` says what of its card is other for these."""
    return read_layout(load_card(name).model_copy(update=changed), files)


def test_flower17_is_seven_distance_matrices_of_eighty_images_per_class(tmp_path: Path) -> None:
    order = ("colourgc", "hog", "hsv", "shapegc", "siftbdy", "siftint", "texturegc")
    matrices = {f"D_{view}": distances(i) for i, view in enumerate(order)}
    older = {name: matrices[name] for name in ("D_colourgc", "D_shapegc", "D_texturegc")}
    newer = {name: matrix for name, matrix in matrices.items() if name not in older}
    files = saved(tmp_path, distancematrices17gcfeat06=older, distancematrices17itfeat08=newer)
    data = read("flower17", files, clusters=2)
    assert data.view_names == order
    assert {view.kind for view in data.views} == {"distance"}
    for view in data.views:
        assert np.array_equal(view.matrix, matrices[f"D_{view.name}"])
    assert data.labels.tolist() == [0] * 80 + [1] * 80


def test_flower102_takes_its_labels_from_a_second_file(tmp_path: Path) -> None:
    matrices = {
        f"D{view}": distances(i).astype(np.float32) for i, view in enumerate(("hog", "hsv", "siftbdy", "siftint"))
    }
    truth = np.random.default_rng(0).integers(1, 4, (1, N))
    files = saved(tmp_path, distancematrices102=matrices, imagelabels={"labels": truth})
    data = read("flower102", files)
    assert data.view_names == ("hog", "hsv", "siftbdy", "siftint")
    assert [int(data.classes[code]) for code in data.labels] == truth.ravel().tolist()


@pytest.mark.parametrize(
    ("name", "file", "count"), [("ccv", "CCV_Kmatrix", 6), ("caltech102", "caltech102_Kmatrix", 48)]
)
def test_kh_files(tmp_path: Path, name: str, file: str, count: int) -> None:
    stack = np.stack([np.exp(-distances(i, 20)) for i in range(count)], axis=2)
    data = read(name, saved(tmp_path, **{file: {"KH": stack, "Y": np.repeat([1, 2], 10)[:, None]}}))
    assert data.n_views == count
    assert {view.kind for view in data.views} == {"kernel"}
    assert all(np.array_equal(view.matrix, stack[:, :, i]) for i, view in enumerate(data.views))


def test_asymmetry_from_rounding_is_removed_and_any_other_refused(tmp_path: Path) -> None:
    stack = np.stack([np.exp(-distances(0, 20))] * 6, axis=2)
    stack[3, 4, 2] *= 1 + 1e-9
    truth = np.repeat([1, 2], 10)
    data = read("ccv", saved(tmp_path, CCV_Kmatrix={"KH": stack, "Y": truth}))
    assert np.array_equal(data.views[2].matrix, data.views[2].matrix.T)
    stack[3, 4, 2] *= 1.1
    with pytest.raises(InvalidData, match="ccv: a view is not symmetric"):
        read("ccv", saved(tmp_path, CCV_Kmatrix={"KH": stack, "Y": truth}))
    with pytest.raises(InvalidData, match="has no 'KH\\(:,:,1\\)', which 'ccv'"):
        read("ccv", saved(tmp_path, CCV_Kmatrix={"K": stack, "Y": truth}))


def orl_mtv(folder: Path, n: int) -> None:
    rng = np.random.default_rng(0)
    views = np.empty((1, 3), dtype=object)
    for i, dimension in enumerate((4096, 3304, 6750)):
        views[0, i] = rng.integers(0, 255, (dimension, n), dtype=np.uint8)
    (folder / "orl-mtv").mkdir(exist_ok=True)
    io.savemat(
        folder / "orl-mtv" / "ORL_mtv.mat", {"X": views, "gt": np.repeat(np.arange(1, n // 10 + 1), 10)[:, None]}
    )


def test_files_that_are_not_what_the_card_says_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_DATA", str(tmp_path))
    orl_mtv(tmp_path, 50)
    with pytest.raises(InvalidData, match="another version"):
        load_carded("orl-mtv")


@pytest.mark.parametrize("name", UNVERIFIED)
def test_the_card_says_that_the_original_was_not_seen(name: str) -> None:
    card = load_card(name)
    assert not card.verified
    assert any("Not verified on the original" in trap for trap in card.traps)
    assert any(spec.name == name and "not verified on the original" in spec.summary for spec in CARDED)


def test_every_other_card_is_verified() -> None:
    assert [spec.name for spec in CARDED if not load_card(spec.card).verified] == sorted(UNVERIFIED)
