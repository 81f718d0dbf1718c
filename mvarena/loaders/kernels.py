"""Precomputed kernels and distances: the KH files of the multiple-kernel literature, and the Oxford flowers.

Sources: M.-E. Nilsback and A. Zisserman, https://www.robots.ox.ac.uk/~vgg/data/flowers/ (chi-square distances);
the files `*_Kmatrix.mat` (KH: n x n x V, Y: labels) as the multiple-kernel clustering papers pass them on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import Kind, MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.carded import Files
from mvarena.loaders.matfile import read_mat

FLOWER17_VIEWS = {
    "colourgc": "distancematrices17gcfeat06.mat",
    "hog": "distancematrices17itfeat08.mat",
    "hsv": "distancematrices17itfeat08.mat",
    "shapegc": "distancematrices17gcfeat06.mat",
    "siftbdy": "distancematrices17itfeat08.mat",
    "siftint": "distancematrices17itfeat08.mat",
    "texturegc": "distancematrices17gcfeat06.mat",
}
FLOWER102_VIEWS = ("hog", "hsv", "siftbdy", "siftint")
_SYMMETRIC_TO = 1e-6


def read_kernel_cornell(files: Files) -> MultiViewData:
    """Two kernels of 195 web pages of Cornell."""
    return _kernels("kernel-cornell", files["cornell_Kmatrix.mat"])


def read_kernel_yale(files: Files) -> MultiViewData:
    """Five kernels of 165 faces of Yale."""
    return _kernels("kernel-yale", files["YALE_Kmatrix.mat"])


def read_caltech102(files: Files) -> MultiViewData:
    """48 kernels of 3060 images, 30 of each of 102 classes."""
    return _kernels("caltech102", files["caltech102_Kmatrix.mat"])


def read_ccv(files: Files) -> MultiViewData:
    """The kernels of 6773 consumer videos."""
    return _kernels("ccv", files["CCV_Kmatrix.mat"])


def read_flower17(files: Files) -> MultiViewData:
    """Seven chi-square distance matrices of 1360 flowers, 80 of each of 17 classes, class by class."""
    arrays = [_variable(files[file], f"D_{view}") for view, file in FLOWER17_VIEWS.items()]
    labels = np.arange(len(arrays[0])) // 80 + 1
    return _symmetric("flower17", arrays, labels, tuple(FLOWER17_VIEWS), "distance")


def read_flower102(files: Files) -> MultiViewData:
    """Four chi-square distance matrices of 8189 flowers of 102 classes."""
    arrays = [_variable(files["distancematrices102.mat"], f"D{view}") for view in FLOWER102_VIEWS]
    labels = _variable(files["imagelabels.mat"], "labels").ravel()
    return _symmetric("flower102", arrays, labels, FLOWER102_VIEWS, "distance")


def _kernels(name: str, path: Path) -> MultiViewData:
    stack = _variable(path, "KH")
    if stack.ndim != 3:
        raise InvalidData(f"{path}: KH is {' x '.join(map(str, stack.shape))}; it must be samples x samples x kernels.")
    views = tuple(f"kernel{i}" for i in range(1, stack.shape[2] + 1))
    arrays = [stack[:, :, i] for i in range(stack.shape[2])]
    return _symmetric(name, arrays, _variable(path, "Y").ravel(), views, "kernel")


def _variable(path: Path, name: str) -> NDArray[Any]:
    found = read_mat(path, only={name})
    if not isinstance(found.get(name), np.ndarray):
        raise InvalidData(f"{path} holds no matrix {name}; get the original (its card says where).")
    matrix: NDArray[Any] = found[name]
    return matrix


def _symmetric(
    name: str, arrays: list[NDArray[Any]], labels: NDArray[Any], views: tuple[str, ...], kind: Kind
) -> MultiViewData:
    """The data, after removing asymmetry from rounding (single precision, other people's loops)."""
    matrices = []
    for view, array in zip(views, arrays, strict=True):
        matrix = np.array(array, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidData(f"{name}: view '{view}' is not samples x samples but {matrix.shape}.")
        gap, size = np.abs(matrix - matrix.T).max(), np.abs(matrix).max()
        if gap > _SYMMETRIC_TO * size:
            raise InvalidData(f"{name}: view '{view}' is not symmetric (it differs by {gap:.3g} of {size:.3g}).")
        matrices.append((matrix + matrix.T) / 2 if gap else matrix)
    return MultiViewData.from_arrays(
        matrices, labels=labels.astype(np.int64), name=name, view_names=views, kinds=[kind] * len(views)
    )
