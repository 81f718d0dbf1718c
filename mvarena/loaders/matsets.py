"""Data sets that circulate as one .mat file: which variable is which view is all that sets them apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.fixed import Files, Loader, from_card
from mvarena.loaders.matfile import Cell, read_mat
from mvarena.loaders.storage import compact


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
    cell: Cell = variables[place[0]]
    item: NDArray[Any] = cell.items[place[1]]
    return item


def in_cell(variable: str, *views: str) -> dict[str, str | tuple[str, int]]:
    """Views that are the items of one cell array, in order."""
    return {view: (variable, index) for index, view in enumerate(views)}


def mat_loader(name: str, layout: Layout) -> Loader:
    """The loader of the data set `name` with this layout."""

    def read(files: Files) -> MultiViewData:
        return layout.read(name, files)

    read.__doc__ = f"The data set {name}, from {layout.file}."
    as_loader: Callable[[Callable[[Files], MultiViewData]], Loader] = from_card(name)
    return as_loader(read)


load_bbcsport = mat_loader(
    "bbcsport",
    Layout("bbcsport4vbigRnSp.mat", in_cell("X", "seg1", "seg2", "seg3", "seg4"), "truth", transposed=True),
)
load_bdgp = mat_loader("bdgp", Layout("BDGP.mat", in_cell("data", "visual", "text"), "truth", transposed=True))
load_ccv_20d = mat_loader("ccv-20d", Layout("CCV.mat", in_cell("X", "v0", "v1", "v2"), "Y"))
load_citeseer = mat_loader(
    "citeseer",
    Layout(
        "CiteSeer_content_cites4732.mat",
        {"content": ("X", 1), "cites": ("X", 0)},
        "y",
        classes=dict(enumerate(("Agents", "IR", "DB", "AI", "HCI", "ML"), start=1)),
    ),
)
load_cora = mat_loader("cora", Layout("Cora.mat", in_cell("X", "cites", "content", "inbound", "outbound"), "y"))
load_hdigit = mat_loader("hdigit", Layout("Hdigit.mat", in_cell("X", "mnist", "usps"), "Y"))
load_leaves100 = mat_loader("leaves100", Layout("100Leaves.mat", in_cell("X", "shape", "margin", "texture"), "y"))
load_msrcv1 = mat_loader("msrcv1", Layout("MSRC-v5.mat", in_cell("X", "cm", "hog", "gist", "lbp", "centrist"), "y"))
load_orl = mat_loader("orl", Layout("ORL_64x64.mat", {"intensity": "fea"}, "gnd"))
load_orl_4view = mat_loader("orl-4view", Layout("ORL.mat", in_cell("X", "gist", "lbp", "hog", "centrist"), "Y"))
load_orl_mtv = mat_loader(
    "orl-mtv", Layout("ORL_mtv.mat", in_cell("X", "intensity", "lbp", "gabor"), "gt", transposed=True)
)
load_prokaryotic = mat_loader(
    "prokaryotic",
    Layout("prokaryotic.mat", {view: view for view in ("gene_repert", "proteome_comp", "text")}, "truth"),
)
load_reuters1200 = mat_loader(
    "reuters1200", Layout("Reuters-1200.mat", in_cell("X", "en", "fr", "de", "es", "it"), "y")
)
load_scene15 = mat_loader("scene15", Layout("Scene-15.mat", in_cell("X", "gist", "phog", "lbp"), "Y"))
load_webkb_course = mat_loader(
    "webkb-course",
    Layout("WebKB.mat", in_cell("X", "anchor", "page"), "y", classes={1: "course", 2: "non-course"}),
)
