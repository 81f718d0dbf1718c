"""Data sets that circulate as one .mat file: which variable is which view is all that sets them apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.carded import Files
from mvarena.loaders.compact import compact
from mvarena.loaders.matfile import CellArray, read_mat


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a .mat file keeps views and labels.

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
            found = [_pick(variables, place) for place in self.views.values()]
            labels = np.asarray(variables[self.labels]).ravel()
        except (KeyError, IndexError, TypeError) as error:
            raise InvalidData(f"{path} lacks a variable that '{name}' is read from: {error}.") from error
        arrays = [compact(array.T if self.transposed else array) for array in found]
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
    """What reads the data set `name` with this layout."""

    def read(files: Files) -> MultiViewData:
        return layout.read(name, files)

    read.__doc__ = f"The data set {name}, from {layout.file}."
    return read


read_bbcsport = mat_reader(
    "bbcsport",
    Layout("bbcsport4vbigRnSp.mat", in_cell("X", "seg1", "seg2", "seg3", "seg4"), "truth", transposed=True),
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
read_hdigit = mat_reader("hdigit", Layout("Hdigit.mat", in_cell("X", "mnist", "usps"), "Y"))
read_leaves100 = mat_reader("leaves100", Layout("100Leaves.mat", in_cell("X", "shape", "margin", "texture"), "y"))
read_msrcv1 = mat_reader("msrcv1", Layout("MSRC-v5.mat", in_cell("X", "cm", "hog", "gist", "lbp", "centrist"), "y"))
read_orl = mat_reader("orl", Layout("ORL_64x64.mat", {"intensity": "fea"}, "gnd"))
read_orl_4view = mat_reader("orl-4view", Layout("ORL.mat", in_cell("X", "gist", "lbp", "hog", "centrist"), "Y"))
read_orl_mtv = mat_reader(
    "orl-mtv", Layout("ORL_mtv.mat", in_cell("X", "intensity", "lbp", "gabor"), "gt", transposed=True)
)
read_prokaryotic = mat_reader(
    "prokaryotic",
    Layout("prokaryotic.mat", {view: view for view in ("gene_repert", "proteome_comp", "text")}, "truth"),
)
read_reuters1200 = mat_reader(
    "reuters1200", Layout("Reuters-1200.mat", in_cell("X", "en", "fr", "de", "es", "it"), "y")
)
read_scene15 = mat_reader("scene15", Layout("Scene-15.mat", in_cell("X", "gist", "phog", "lbp"), "Y"))
read_webkb_course = mat_reader(
    "webkb-course",
    Layout("WebKB.mat", in_cell("X", "anchor", "page"), "y", classes={1: "course", 2: "non-course"}),
)
