"""Arrays as people keep them in .npz and .mat files: stacks, images, kernels of any precision, sparse forms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from array_files import WRITERS, cell, mat, npz
from scipy import sparse
from user_files import understand

from mvarena.contracts.reader import Understanding
from mvarena.errors import InvalidData

N = 30
RNG = np.random.default_rng(0)
Y = np.arange(N) % 3
A, B = RNG.normal(size=(N, 4)) + Y[:, None], RNG.normal(size=(N, 6)) - Y[:, None]
POINTS = RNG.normal(size=(N, 8))
SQUARED = ((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2)
RBF = np.exp(-SQUARED / 16)
LINKS = np.triu(RNG.random((N, N)) < 0.2, 1)
LINKS = (LINKS | LINKS.T).astype(float)


def stacked(form: str, *views: np.ndarray) -> np.ndarray:
    return np.stack(views, axis=0 if form == "npz" else -1)


def shapes(read: Understanding) -> list[tuple[int, int]]:
    return [view.matrix.shape for view in read.data.views]


def dense(view: Any) -> np.ndarray:
    return view.matrix.toarray() if view.is_sparse else view.matrix


def same(read: Understanding, *views: np.ndarray) -> None:
    assert len(read.data.views) == len(views)
    for ours, theirs in zip(read.data.views, views, strict=True):
        assert np.allclose(dense(ours), theirs)


# stacks


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize(("features", "count"), [(4, 2), (64, 2), (4, 3), (64, 5)])
@pytest.mark.parametrize("columns", [False, True])
def test_stacks_are_sliced_as_their_format_does(tmp_path: Path, form: str, features: int, count: int, columns) -> None:
    views = RNG.normal(size=(count, N, features))
    stack = stacked(form, *(view.T if columns else view for view in views))
    read = understand(WRITERS[form](tmp_path, X=stack, y=Y))
    same(read, *views)
    assert any("axis" in sentence for sentence in read.understood)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_sixty_four_views_of_two_features_are_never_meant(tmp_path: Path, form: str, axis: int) -> None:
    views = RNG.normal(size=(2, N, 64))
    same(understand(WRITERS[form](tmp_path, X=np.stack(views, axis=axis), y=Y)), *views)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("axis", [0, 2])
def test_stacks_of_kernels_and_distances(tmp_path: Path, form: str, known: bool, axis: int) -> None:
    truth = {"y": Y} if known else {}
    read = understand(WRITERS[form](tmp_path, KH=np.stack([RBF, SQUARED], axis=axis), **truth))
    same(read, RBF, SQUARED)
    assert [view.kind for view in read.data.views] == ["kernel", "distance"]


def test_a_stack_without_labels_is_asked_for(tmp_path: Path) -> None:
    path = npz(tmp_path, X=np.stack([A, A + 1]))
    with pytest.raises(InvalidData, match="give the orientation, rows or columns"):
        understand(path)
    same(understand(path, orientation="rows"), A, A + 1)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("shape", [(8, 8), (1, 8, 8), (3, 8, 8), (8, 8, 3)])
def test_images_are_flattened_and_it_is_said(tmp_path: Path, form: str, known: bool, shape: tuple[int, ...]) -> None:
    images = RNG.random((N, *shape))
    truth = {"y": Y} if known else {}
    if form != "npz" and not known:
        images = np.moveaxis(images, 0, -1)
    read = understand(WRITERS[form](tmp_path, images=images, **truth))
    assert shapes(read) == [(N, int(np.prod(shape)))]
    first = images[..., 0] if form != "npz" and not known else images[0]
    assert sorted(dense(read.data.views[0])[0]) == pytest.approx(sorted(first.ravel()))
    assert any("one array of" in sentence for sentence in read.understood)


@pytest.mark.parametrize("known", [True, False])
def test_images_beside_a_matrix_are_both_views(tmp_path: Path, known: bool) -> None:
    truth = {"y": Y} if known else {}
    read = understand(npz(tmp_path, image=RNG.random((N, 7, 7)), text=B, **truth))
    assert shapes(read) == [(N, 49), (N, 6)]
    read = understand(npz(tmp_path, X1=RNG.random((N, 7, 7)), X2=RNG.random((N, 5, 5)), X3=B, **truth))
    assert shapes(read) == [(N, 49), (N, 25), (N, 6)]


def test_images_in_a_cell_and_in_training_and_test_parts(tmp_path: Path) -> None:
    assert shapes(understand(mat(tmp_path, X=cell(RNG.random((N, 5, 5)), B), y=Y))) == [(N, 25), (N, 6)]
    images = RNG.random((N, 5, 5))
    read = understand(npz(tmp_path, x_train=images[:20], x_test=images[20:], y_train=Y[:20], y_test=Y[20:]))
    same(read, images.reshape(N, -1))
    assert read.data.labels.tolist() == Y.tolist()


# views that are easily lost


@pytest.mark.parametrize("column", [A[:, :1], A[:, 0]])
def test_a_view_of_one_column_is_a_view(tmp_path: Path, column: np.ndarray) -> None:
    same(understand(npz(tmp_path, X0=column, X1=B, y=Y)), A[:, :1], B)
    same(understand(npz(tmp_path, X0=column, X1=column + 1, y=Y)), A[:, :1], A[:, :1] + 1)
    same(understand(npz(tmp_path, X=column, y=Y)), A[:, :1])
    same(understand(npz(tmp_path, X=column)), A[:, :1])


@pytest.mark.parametrize("turn", [False, True])
def test_a_column_in_a_cell_is_a_view(tmp_path: Path, turn: bool) -> None:
    items = (A[:, :1], B)
    same(understand(mat(tmp_path, X=cell(*(item.T if turn else item for item in items)), y=Y)), *items)
    same(understand(mat(tmp_path, X=cell(A[:, :1], A[:, 1:2]), y=Y)), A[:, :1], A[:, 1:2])


def test_nothing_and_text_in_a_cell_of_views_are_said(tmp_path: Path) -> None:
    read = understand(mat(tmp_path, X=cell(A, np.empty((0, 0)), B, "notes"), y=Y))
    same(read, A, B)
    assert read.not_used == ("X{2} (0 x 0 numbers)", "X{4} (text)")
    with pytest.raises(InvalidData, match=r"X\{2\} \(complex numbers\) cannot be a view"):
        understand(mat(tmp_path, X=cell(A, B * 1j), y=Y))


def test_labels_without_a_name_are_no_view(tmp_path: Path) -> None:
    """What numpy.savez(file, A, B, y) writes: three arrays that are numbered alike."""
    np.savez(tmp_path / "a.npz", A, B, Y)
    with pytest.raises(InvalidData, match=r"arr_2 holds 3 different whole numbers, .* name it y"):
        understand(tmp_path / "a.npz")
    with pytest.raises(InvalidData, match="view3 holds 3 different whole numbers"):
        understand(mat(tmp_path, X=cell(A, B, Y[:, None])))
    same(understand(npz(tmp_path, X1=A, X2=B, X3=Y, y=Y)), A, B, Y[:, None])


def test_structs_of_views(tmp_path: Path) -> None:
    same(understand(mat(tmp_path, X=cell({"data": A}, {"data": B}), y=Y)), A, B)
    same(understand(mat(tmp_path, views={"rna": A, "protein": B}, y=Y)), A, B)
    same(understand(mat(tmp_path, rna={"X": A, "y": Y}, protein={"X": B, "y": Y})), A, B)
    same(understand(mat(tmp_path, data={"rna": A, "protein": B, "y": Y}, opts=np.eye(3))), A, B)
    with pytest.raises(InvalidData, match="protein and others hold 'y', and not the same"):
        understand(mat(tmp_path, rna={"X": A, "y": Y}, protein={"X": B, "y": Y[::-1]}))


@pytest.mark.parametrize(
    "sibling",
    [RNG.normal(size=(7, 3)), np.array("text"), np.array([{}, {}], dtype=object), B * 1j, np.array(3.0)],
    ids=["short", "text", "objects", "complex", "number"],
)
def test_a_numbered_sibling_is_never_dropped(tmp_path: Path, sibling: np.ndarray) -> None:
    with pytest.raises(InvalidData, match=r"X3 \(.*\) is no view, and X[12] has 30 samples"):
        understand(npz(tmp_path, X1=A, X2=B, X3=sibling, y=Y))


@pytest.mark.parametrize("links", [LINKS, sparse.csc_array(LINKS)], ids=["dense", "sparse"])
def test_a_content_matrix_beside_links_is_a_view(tmp_path: Path, links: Any) -> None:
    read = understand(mat(tmp_path, A=cell(links, links), fea=B, y=Y))
    same(read, LINKS, LINKS, B)
    if not sparse.issparse(links):
        same(understand(npz(tmp_path, A=np.stack([links, links]), fea=B, y=Y)), LINKS, LINKS, B)


# kernels, distances and links


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(("matrix", "expected"), [(RBF, "kernel"), (POINTS @ POINTS.T, "kernel"), (SQUARED, "distance"),
                                                  (np.sqrt(SQUARED), "distance"), (1 - RBF, "distance")])  # fmt: skip
def test_kernels_and_distances_of_any_precision(tmp_path: Path, kind: type, matrix: np.ndarray, expected: str) -> None:
    rounded = matrix.astype(kind)
    noise = np.finfo(kind).eps * np.abs(rounded).max() * RNG.uniform(-1, 1, (N, N))
    read = understand(npz(tmp_path, K=(rounded + noise).astype(kind), y=Y))
    (view,) = read.data.views
    assert view.kind == expected
    assert np.allclose(view.matrix, view.matrix.T, rtol=0, atol=1e-8)
    assert np.allclose(view.matrix, matrix, atol=10 * np.finfo(kind).eps * np.abs(matrix).max())
    assert any("averaged" in sentence for sentence in read.understood) == (kind != np.float64)


@pytest.mark.parametrize("diagonal", [1e-7, -1e-16])
def test_a_diagonal_that_is_zero_but_for_rounding_is_zero(tmp_path: Path, diagonal: float) -> None:
    distances = np.sqrt(SQUARED)
    np.fill_diagonal(distances, diagonal)
    read = understand(npz(tmp_path, D=distances, y=Y))
    assert read.data.views[0].kind == "distance"
    assert not read.data.views[0].matrix.diagonal().any()
    assert any("diagonal is zero but for rounding" in sentence for sentence in read.understood)


def test_a_nearly_symmetric_matrix_asks_for_its_kind(tmp_path: Path) -> None:
    path = npz(tmp_path, K=RBF + np.triu(np.full((N, N), 1e-3), 1), y=Y)
    with pytest.raises(InvalidData, match=r"K \(30 x 30\) is nearly symmetric .* a kernel or distances\?"):
        understand(path)
    assert understand(path, orientation="rows").data.views[0].kind == "features"
    crooked = np.load(path)["K"]
    assert understand(npz(tmp_path, K=(crooked + crooked.T) / 2, y=Y)).data.views[0].kind == "kernel"


def normalised(links: np.ndarray) -> np.ndarray:
    degree = links.sum(axis=1)
    return links / np.sqrt(degree[:, None] * degree[None, :])


@pytest.mark.parametrize("turn", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("links", [LINKS, LINKS + np.eye(N), normalised(LINKS + np.eye(N)), 1 - LINKS - np.eye(N)])
def test_links_are_features(tmp_path: Path, links: np.ndarray, turn: Callable[[np.ndarray], Any]) -> None:
    read = understand(mat(tmp_path, L=turn(links), y=Y))
    assert [view.kind for view in read.data.views] == ["features"]
    assert any("used as features" in sentence for sentence in read.understood)


def test_similarities_with_a_zero_diagonal_are_no_distances(tmp_path: Path) -> None:
    similar = np.where(Y[:, None] == Y[None], 0.9, 0.01) * (1 - np.eye(N))
    assert understand(npz(tmp_path, W=similar, y=Y)).data.views[0].kind == "features"


def test_large_links_and_kernels_are_told_apart(tmp_path: Path) -> None:
    n = 1200
    links = np.triu(RNG.random((n, n)) < 0.3, 1)
    points = RNG.normal(size=(n, 5))
    labels = np.arange(n) % 3
    read = understand(npz(tmp_path, L=(links | links.T) + np.eye(n), K=points @ points.T, y=labels))
    assert [view.kind for view in read.data.views] == ["features", "kernel"]


# sparse forms


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "bsr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_matrices_of_scipy_in_each_of_its_formats(tmp_path: Path, form: str, kind: str) -> None:
    matrix = np.where(np.abs(B) > 1, B, 0)
    sparse.save_npz(tmp_path / "a.npz", getattr(sparse, f"{form}_{kind}")(matrix))
    read = understand(tmp_path / "a.npz")
    same(read, matrix)
    assert any("rows" in sentence for sentence in read.understood)
    same(understand(tmp_path / "a.npz", orientation="columns"), matrix.T)


def test_a_sparse_matrix_of_scipy_with_labels_beside_it(tmp_path: Path) -> None:
    matrix = sparse.csr_array(B)
    path = npz(tmp_path, format="csr", data=matrix.data, indices=matrix.indices, indptr=matrix.indptr,
               shape=matrix.shape, y=Y)  # fmt: skip
    read = understand(path)
    same(read, B)
    assert read.data.n_clusters == 3


def test_a_damaged_sparse_matrix_is_refused(tmp_path: Path) -> None:
    path = npz(tmp_path, format="csr", data=np.ones(2), indices=[0, 9], indptr=[0, 1, 2], shape=[2, 3])
    with pytest.raises(InvalidData, match=r"a\.npz is not a whole"):
        understand(path)


# what cannot be used


def test_python_objects_beside_arrays_are_not_used(tmp_path: Path) -> None:
    read = understand(npz(tmp_path, X0=A, X1=B, y=Y, info=np.array({"made": 1}), when=np.array("2020", "M8[D]")))
    same(read, A, B)
    assert [entry.partition(" ")[0] for entry in read.not_used] == ["info", "when"]
    assert "never unpickled" in read.not_used[0]


def test_variables_that_are_no_data_are_said(tmp_path: Path) -> None:
    read = understand(mat(tmp_path, X=A, y=Y, c=A * 1j, e=np.empty((0, 3)), t=np.array([[["ab"], ["cd"]]]), z=3.0))
    same(read, A)
    assert [entry.partition(" ")[0] for entry in read.not_used] == ["c", "e", "t", "z"]
    with pytest.raises(InvalidData, match=r"nothing that could be a view: c \(complex numbers\)"):
        understand(mat(tmp_path, c=A * 1j))
