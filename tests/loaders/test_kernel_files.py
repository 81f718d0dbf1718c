"""Loaders whose originals were not at hand, on small files of the publishers' format made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from array_files import cell
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


def read(name: str, folder: Path, files: dict[str, dict[str, Any]], **changed: object) -> MultiViewData:
    """The data set from small files in place of its own; `changed` says what of its card is other for these."""
    for file, variables in files.items():
        io.savemat(folder / file, variables)
    card = load_card(name).model_copy(update=changed)
    return read_layout(card, {file: folder / file for file in files})


def test_flower17_is_seven_distance_matrices_of_eighty_images_per_class(tmp_path: Path) -> None:
    order = ("colourgc", "hog", "hsv", "shapegc", "siftbdy", "siftint", "texturegc")
    matrices = {f"D_{view}": distances(i) for i, view in enumerate(order)}
    older = {name: matrix for name, matrix in matrices.items() if name in ("D_colourgc", "D_shapegc", "D_texturegc")}
    newer = {name: matrix for name, matrix in matrices.items() if name not in older}
    files = {"distancematrices17gcfeat06.mat": older, "distancematrices17itfeat08.mat": newer}
    data = read("flower17", tmp_path, files, clusters=2)
    assert data.view_names == order
    assert {view.kind for view in data.views} == {"distance"}
    for view in data.views:
        assert np.array_equal(view.matrix, matrices[f"D_{view.name}"])
    assert data.labels.tolist() == [0] * 80 + [1] * 80


def test_flower102_takes_its_labels_from_a_second_file(tmp_path: Path) -> None:
    order = ("hog", "hsv", "siftbdy", "siftint")
    matrices = {f"D{view}": distances(i).astype(np.float32) for i, view in enumerate(order)}
    truth = np.random.default_rng(0).integers(1, 4, (1, N))
    files = {"distancematrices102.mat": matrices, "imagelabels.mat": {"labels": truth}}
    data = read("flower102", tmp_path, files)
    assert data.view_names == order
    assert [int(data.classes[code]) for code in data.labels] == truth.ravel().tolist()


@pytest.mark.parametrize(
    ("name", "file", "count"), [("ccv", "CCV_Kmatrix.mat", 6), ("caltech102", "caltech102_Kmatrix.mat", 48)]
)
def test_kernels_in_a_stack_are_symmetric_up_to_rounding(tmp_path: Path, name: str, file: str, count: int) -> None:
    stack = np.stack([np.exp(-distances(i, 20)) for i in range(count)], axis=2)
    variables = {"KH": stack.copy(), "Y": np.repeat([1, 2], 10)[:, None]}
    variables["KH"][3, 4, 2] *= 1 + 1e-9
    data = read(name, tmp_path, {file: variables})
    assert data.n_views == count
    assert {view.kind for view in data.views} == {"kernel"}
    assert np.array_equal(data.views[2].matrix, data.views[2].matrix.T)
    assert all(np.allclose(view.matrix, stack[:, :, i], rtol=1e-8) for i, view in enumerate(data.views))
    variables["KH"][3, 4, 2] *= 1.1
    with pytest.raises(InvalidData, match=f"{name}: a view is not symmetric"):
        read(name, tmp_path, {file: variables})
    with pytest.raises(InvalidData, match=f"has no 'KH\\(:,:,1\\)', which '{name}'"):
        read(name, tmp_path, {file: {"K": stack, "Y": variables["Y"]}})


def test_files_that_are_not_what_the_card_says_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_DATA", str(tmp_path))
    views = cell(*(np.zeros((dimension, 50), dtype=np.uint8) for dimension in (4096, 3304, 6750)))
    (tmp_path / "orl-mtv").mkdir()
    io.savemat(tmp_path / "orl-mtv" / "ORL_mtv.mat", {"X": views, "gt": np.repeat(np.arange(1, 6), 10)[:, None]})
    with pytest.raises(InvalidData, match="another version"):
        load_carded("orl-mtv")


def test_these_cards_say_that_the_original_was_not_seen_and_no_others() -> None:
    cards = {spec.name: load_card(spec.card) for spec in CARDED}
    assert [name for name, card in cards.items() if not card.verified] == sorted(UNVERIFIED)
    for spec in CARDED:
        if spec.name in UNVERIFIED:
            assert any("Not verified on the original" in trap for trap in cards[spec.name].traps)
            assert "not verified on the original" in spec.summary
