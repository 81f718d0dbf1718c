"""The files between the arena and a program: data in, labels or a representation out."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.program import Program
from mvarena.data import MultiViewData
from mvarena.errors import PluginError

_NEEDS_V7 = "save it with save('-v7', ...)"


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """One call of a program: the data, how many clusters to look for, the seed, and the values of its parameters."""

    data: MultiViewData
    n_clusters: int
    seed: int
    params: Mapping[str, Any]


def write_input(program: Program, task: Task, folder: Path) -> Path:
    """Write the data and settings of `task` into `folder`; the file, or for .csv the folder, that the program reads.

    .mat : X (a cell of the views, or one matrix), mask (n x V), n_clusters, seed, view_names, params (a struct).
    .npz : X1, X2, ... (or X), mask, n_views, n_clusters, seed, view_names, params (a text of JSON).
    .csv : X1.csv, X2.csv, ... (or X.csv) without header, mask.csv, and settings.csv with lines of name and value.
    """
    arrays = _arrays(program, task.data)
    mask = task.data.mask
    if program.samples == "columns":
        mask = mask.T
    settings = {"n_clusters": task.n_clusters, "seed": task.seed, "n_views": task.data.n_views}
    if program.format == "mat":
        return _write_mat(program, task, arrays, mask, settings, folder / "input.mat")
    named = {"X": arrays[0]} if program.takes == "matrix" else {f"X{v}": array for v, array in enumerate(arrays, 1)}
    if program.format == "npz":
        path = folder / "input.npz"
        more = {"view_names": np.array(task.data.view_names), "params": np.array(json.dumps(dict(task.params)))}
        np.savez(path, mask=mask, **named, **more, **settings)  # type: ignore[arg-type]  # arrays by name
        return path
    return _write_csv(named | {"mask": mask.astype(np.float64)}, settings, task, folder / "input")


def _arrays(program: Program, data: MultiViewData) -> list[NDArray[np.float64]]:
    """The views as dense arrays, missing samples as the program wants them, or the views side by side."""
    arrays = [
        view.matrix.toarray() if view.is_sparse else np.array(view.matrix, dtype=np.float64) for view in data.views
    ]
    for view, array, observed in zip(data.views, arrays, data.mask.T, strict=True):
        filler = np.nan if program.missing == "nan" else 0.0
        array[~observed] = filler
        if view.kind != "features":
            array[:, ~observed] = filler
    if program.takes == "matrix":
        arrays = [np.hstack(arrays)]
    return [array.T for array in arrays] if program.samples == "columns" else arrays


def _write_mat(
    program: Program, task: Task, arrays: list[NDArray[np.float64]], mask: Any, settings: dict[str, int], path: Path
) -> Path:
    from scipy.io import savemat

    X: Any = arrays[0]
    if program.takes != "matrix":
        X = np.empty((1, len(arrays)), dtype=object)
        for v, array in enumerate(arrays):
            X[0, v] = array
    names = np.empty((1, len(task.data.view_names)), dtype=object)
    names[0, :] = task.data.view_names
    values = {"X": X, "mask": mask, "view_names": names, **{name: float(value) for name, value in settings.items()}}
    params = {name: [float(item) for item in v] if _are_numbers(v) else v for name, v in task.params.items()}
    params = {name: float(value) if type(value) is int else value for name, value in params.items()}
    savemat(path, values | ({"params": params} if params else {}), long_field_names=True)
    return path


def _are_numbers(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, (int, float)) for item in value)


def _write_csv(named: Mapping[str, Any], settings: Mapping[str, int], task: Task, folder: Path) -> Path:
    import pandas as pd

    folder.mkdir()
    for name, array in named.items():
        pd.DataFrame(array).to_csv(folder / f"{name}.csv", header=False, index=False, na_rep="NaN")
    lines = {**settings, **{f"param.{name}": as_text(value) for name, value in task.params.items()}}
    pd.DataFrame(lines.items()).to_csv(folder / "settings.csv", header=False, index=False)
    return folder


def as_text(value: Any) -> str:
    """A parameter's value within a command: 0.5, 1 and 0 for yes and no, [1, 2], or the text itself."""
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


# what the program wrote -----------------------------------------------------------------------------------------


def read_output(program: Program, path: Path) -> Any:
    """The array that the program wrote, by its name in a .mat or .npz file, or alone in .npy or text with commas.

    The content tells the format, whatever the file is called. Raises PluginError, with what to do, for anything else.
    """
    start = b""
    if path.is_file():
        with path.open("rb") as file:
            start = file.read(128)
    if not start.strip():
        raise PluginError(f"{program.name} wrote no {program.writes} to the file that {{output}} names.")
    if start.startswith((b"# Created by Octave", b"\x89HDF")):
        raise PluginError(
            f"{program.name} wrote a file of a format that is not read (Octave's text, or .mat 7.3); {_NEEDS_V7}."
        )
    try:
        if start.startswith(b"MATLAB 5.0"):
            return _named(program, _from_mat(path))
        if start.startswith((b"PK", b"\x93NUMPY")):
            found = np.load(path, allow_pickle=False)
            if start[:2] != b"PK":
                return found
            with found:
                return _named(program, found)
        return _from_text(program, path)
    except PluginError:
        raise
    except Exception as error:  # a damaged file may fail in any way
        raise PluginError(
            f"{program.name} wrote a file that cannot be read ({type(error).__name__}: {error}); write a .mat (-v7), "
            ".npz or .csv file."
        ) from error


def _from_mat(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        found: dict[str, Any] = loadmat(path)
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _named(program: Program, found: Any) -> Any:
    if program.writes not in found:
        there = ", ".join(sorted(found)) or "nothing"
        raise PluginError(
            f"{program.name} wrote no variable '{program.writes}'; its file holds {there}. Write it, or say "
            "writes = 'labels', 'embedding' or 'affinity' in its file."
        )
    value = found[program.writes]
    return value.toarray() if sparse.issparse(value) else np.asarray(value)


def _from_text(program: Program, path: Path) -> Any:
    lines = [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    if program.writes != "labels":
        return np.array([[float(item) for item in line.split(",")] for line in lines])
    texts = [item.strip().strip('"') for line in lines for item in line.split(",")]
    try:
        return np.array([float(text) for text in texts])
    except ValueError:
        return np.array(texts)
