"""Data sets that circulate as one .mat file: which variable is which view is all that sets them apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import Kind, MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files
from mvarena.readers.limits import compact
from mvarena.readers.mat import CellArray, read_mat


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of views and labels in a .mat file.

    views : view name -> variable, or (variable, index) for an item of a cell array; in the order of the data.
    labels : the variable of the labels.
    transposed : True if samples are columns.
    classes : label -> class name, where the publisher names the classes.
    """

    file: str
    views: Mapping[str, str | tuple[str, int]]
    labels: str
    transposed: bool = False
    classes: Mapping[int, str] = field(default_factory=dict)

    def read(self, name: str, files: Files) -> MultiViewData:
        """The data of that name from the file."""
        path = files[self.file]
        variables = read_mat(path)
        try:
            values = [_pick(variables, path) for path in self.views.values()]
            labels = np.asarray(variables[self.labels]).ravel()
        except (KeyError, IndexError, TypeError) as error:
            raise InvalidData(f"{path} lacks a variable that '{name}' is read from: {error}.") from error
        arrays = [compact(array.T if self.transposed else array) for array in values]
        named = np.array([self.classes[label] for label in labels.tolist()]) if self.classes else labels
        return MultiViewData.from_arrays(arrays, labels=named, name=name, view_names=tuple(self.views))


def _pick(variables: dict[str, Any], place: str | tuple[str, int]) -> NDArray[Any]:
    if isinstance(place, str):
        picked: NDArray[Any] = variables[place]
        return picked
    cell: CellArray = variables[place[0]]
    item: NDArray[Any] = cell.items[place[1]]
    return item


def in_cell(variable: str, *views: str) -> dict[str, str | tuple[str, int]]:
    """Views that are the items of one cell array, in order."""
    return {view: (variable, index) for index, view in enumerate(views)}


def mat_reader(name: str, layout: Layout) -> Callable[[Files], MultiViewData]:
    """Reader for the data set `name` with this layout."""

    def read(files: Files) -> MultiViewData:
        return layout.read(name, files)

    read.__doc__ = f"The data set {name}, from {layout.file}."
    return read


read_bbcsport = mat_reader(
    "bbcsport",
    Layout("bbcsport4vbigRnSp.mat", in_cell("X", "seg1", "seg2", "seg3", "seg4"), "truth", transposed=True),
)
read_bbc_4view = mat_reader(
    "bbc-4view", Layout("BBC4.mat", in_cell("data", "seg1", "seg2", "seg3", "seg4"), "truth", transposed=True)
)
read_bdgp = mat_reader("bdgp", Layout("BDGP.mat", in_cell("data", "visual", "text"), "truth", transposed=True))
read_ccv_20d = mat_reader("ccv-20d", Layout("CCV.mat", in_cell("X", "v0", "v1", "v2"), "Y"))
read_citeseer = mat_reader(
    "citeseer",
    Layout(
        "CiteSeer_content_cites4732.mat",
        {"content": ("X", 1), "cites": ("X", 0)},
        "y",
        classes=dict(enumerate(("Agents", "IR", "DB", "AI", "HCI", "ML"), start=1)),
    ),
)
read_cora = mat_reader("cora", Layout("Cora.mat", in_cell("X", "cites", "content", "inbound", "outbound"), "y"))
read_cub = mat_reader("cub", Layout("cub_googlenet_doc2vec_c10.mat", in_cell("X", "image", "text"), "gt"))
read_hdigit = mat_reader("hdigit", Layout("Hdigit.mat", in_cell("X", "mnist", "usps"), "Y"))
read_leaves100 = mat_reader("leaves100", Layout("100Leaves.mat", in_cell("X", "shape", "margin", "texture"), "y"))
read_msrcv1 = mat_reader("msrcv1", Layout("MSRC-v5.mat", in_cell("X", "cm", "hog", "gist", "lbp", "centrist"), "y"))
read_newsgroups = mat_reader("newsgroups", Layout("NGs.mat", in_cell("X", "words1", "words2", "words3"), "Y"))
read_orl = mat_reader("orl", Layout("ORL_64x64.mat", {"intensity": "fea"}, "gnd"))
read_orl_4view = mat_reader("orl-4view", Layout("ORL.mat", in_cell("X", "gist", "lbp", "hog", "centrist"), "Y"))
read_orl_mtv = mat_reader(
    "orl-mtv", Layout("ORL_mtv.mat", in_cell("X", "intensity", "lbp", "gabor"), "gt", transposed=True)
)
read_prokaryotic = mat_reader(
    "prokaryotic",
    Layout("prokaryotic.mat", {view: view for view in ("gene_repert", "proteome_comp", "text")}, "truth"),
)
read_proteinfold = mat_reader(
    "proteinfold", Layout("ProteinFold.mat", in_cell("X", *(f"view{number}" for number in range(1, 13))), "y")
)
read_reuters1200 = mat_reader(
    "reuters1200", Layout("Reuters-1200.mat", in_cell("X", "en", "fr", "de", "es", "it"), "y")
)
read_scene15 = mat_reader("scene15", Layout("Scene-15.mat", in_cell("X", "gist", "phog", "lbp"), "Y"))
read_synthetic3d = mat_reader("synthetic3d", Layout("synthetic3d.mat", in_cell("X", "view1", "view2", "view3"), "Y"))
read_wikipedia = mat_reader(
    "wikipedia",
    Layout(
        "Wikipedia.mat",
        in_cell("X", "image", "text"),
        "y",
        classes=dict(
            enumerate(
                (
                    "art",
                    "biology",
                    "geography",
                    "history",
                    "literature",
                    "media",
                    "music",
                    "royalty",
                    "sport",
                    "warfare",
                ),
                start=1,
            )
        ),
    ),
)
read_webkb_course = mat_reader(
    "webkb-course",
    Layout("WebKB.mat", in_cell("X", "anchor", "page"), "y", classes={1: "course", 2: "non-course"}),
)


# Precomputed kernels and distances: the KH files of the multiple-kernel literature, and the Oxford flowers.
#
# Sources: M.-E. Nilsback and A. Zisserman, https://www.robots.ox.ac.uk/~vgg/data/flowers/ (chi-square distances);
# the files `*_Kmatrix.mat` (KH: n x n x V, Y: labels) as the multiple-kernel clustering papers pass them on.

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
    result = read_mat(path, only={name})
    if not isinstance(result.get(name), np.ndarray):
        raise InvalidData(f"{path} holds no matrix {name}; get the original (see its card).")
    matrix: NDArray[Any] = result[name]
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
