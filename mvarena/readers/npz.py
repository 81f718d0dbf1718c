"""NumPy archives: the clean form, written and recognised, and any other as named arrays."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.reader import Imputation
from mvarena.data import Kind, MultiViewData, View
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.naming import is_label_name, is_sure_mask_name
from mvarena.readers.groups import is_table
from mvarena.readers.imputation import complete
from mvarena.readers.kinds import guess_kind, symmetrised
from mvarena.readers.limits import Damaged, checked_sparse, fits_memory
from mvarena.readers.values import Unsupported
from mvarena.text import shortened

SCIPYS_MATRIX = "matrix"  # the variable that scipy.sparse.save_npz writes, which has no name there
_CSR_PARTS = ("data", "indices", "indptr", "shape")
_SCIPYS_PARTS = (*_CSR_PARTS, "row", "col", "coords", "offsets", "format", "_is_array")


def write_npz(data: MultiViewData, path: Path) -> None:
    """Write `data` in the clean form; an existing file is replaced only once the new one is whole.

    Raises DataUnavailable if the place cannot be written. Cost: one pass over the entries, compressed.
    """
    arrays: dict[str, Any] = {"view_names": np.array(data.view_names)}
    for i, view in enumerate(data.views):
        arrays |= _view_arrays(f"X{i}", view)
    arrays["kinds"] = np.array([view.kind for view in data.views])
    if not data.is_complete:
        arrays["M"] = data.mask
    if data.labels is not None and data.classes is not None:
        arrays |= {"y": data.labels, "classes": np.array(data.classes)}
    if data.n_clusters is not None:
        arrays["n_clusters"] = np.array(data.n_clusters)
    if data.ids is not None:
        arrays["ids"] = np.array(data.ids)
    fresh = path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as stream:
            np.savez_compressed(stream, **arrays)  # without times: equal data, equal bytes
        os.replace(fresh, path)
    except OSError as error:
        raise DataUnavailable(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        fresh.unlink(missing_ok=True)


def _view_arrays(name: str, view: View) -> dict[str, NDArray[Any]]:
    if not view.is_sparse:
        return {name: view.matrix}
    matrix = view.matrix
    parts = (matrix.data, matrix.indices, matrix.indptr, np.array(matrix.shape))
    return {f"{name}_{part}": array for part, array in zip(_CSR_PARTS, parts, strict=True)}


def is_clean_form(variables: dict[str, Any]) -> bool:
    """True if `variables` (of `read_npz`) are those of the clean form."""
    names = variables.get("view_names")
    if not isinstance(names, np.ndarray) or names.ndim != 1 or names.dtype.kind != "U":
        return False
    return all(f"X{i}" in variables for i in range(len(names)))


def from_clean_form(
    name: str, where: str, variables: dict[str, Any], impute: Imputation | None = None
) -> tuple[MultiViewData, str]:
    """The data in the clean form, and a sentence on values that were filled in (`where`: the file, for errors).

    Raises InvalidData if the parts do not agree.
    """
    for part in ("kinds", "M", "y", "classes", "n_clusters", "ids"):
        if part in variables and not isinstance(variables[part], np.ndarray):
            raise InvalidData(f"{name}: '{part}' must be a plain array.")
    for extra in variables:
        part = "y" if is_label_name(extra) else "M" if is_sure_mask_name(extra) else extra
        if part not in variables:
            raise InvalidData(f"{name}: '{extra}' is called '{part}' in mvarena's form; save it under that name.")
    names = variables["view_names"].tolist()
    matrices, kinds = _matrices(name, variables)
    labels, classes, ids, mask = (variables.get(part) for part in ("y", "classes", "ids", "M"))
    if classes is not None and (labels is None or classes.ndim != 1):
        raise InvalidData(f"{name}: 'classes' names the classes of 'y', one text for each of 0 .. k-1.")
    observed = mask.astype(bool) if mask is not None and mask.shape == (matrices[0].shape[0], len(matrices)) else None
    matrices, imputed = complete([f"{where}, {view}" for view in names], matrices, impute, kinds=kinds, mask=observed)
    data = MultiViewData(
        name,
        tuple(map(View, names, matrices, kinds)),
        mask=mask,  # type: ignore[arg-type]
        labels=labels,
        n_clusters=_n_clusters(name, variables.get("n_clusters")),
        classes=None if classes is None else tuple(map(str, classes.tolist())),
        ids=None if ids is None else tuple(map(str, ids.ravel().tolist())),
    )
    return data, imputed


def _matrices(name: str, variables: dict[str, Any]) -> tuple[list[Any], list[Kind]]:
    """The views and their kinds: as the file says, or found out where it does not."""
    matrices = [variables[f"X{i}"] for i in range(len(variables["view_names"]))]
    for i, matrix in enumerate(matrices):
        if not is_table(matrix) or matrix.ndim != 2:
            raise InvalidData(f"{name}: X{i} is no matrix of numbers; a view is samples x features.")
    if "kinds" not in variables:
        kinds, used, _ = zip(*map(guess_kind, matrices), strict=True)
        return list(used), list(kinds)
    said: list[Kind] = variables["kinds"].ravel().tolist()
    if len(said) != len(matrices):
        raise InvalidData(f"{name}: there are {len(matrices)} views and {len(said)} kinds; give one for each.")
    return [m if kind == "features" else symmetrised(m)[0] for m, kind in zip(matrices, said, strict=True)], said


def _n_clusters(name: str, value: NDArray[Any] | None) -> int | None:
    if value is None:
        return None
    if value.size != 1 or value.dtype.kind not in "iu":
        raise InvalidData(f"{name}: n_clusters must be one whole number.")
    return int(value.item())


def read_npz(path: Path) -> dict[str, Any]:
    """The arrays of an .npz by name; what scipy's save_npz writes, and the parts of a CSR matrix (`X0_data`, ...), as
    sparse arrays. Anything but real numbers and texts comes, with the reason, as `Unsupported`.

    Raises InvalidData if the file is damaged or does not fit into memory. Nothing is ever unpickled.
    """
    try:
        with warnings.catch_warnings(action="ignore"), path.open("rb") as stream:
            return _with_sparse(_arrays(stream), path)
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than is available.") from error
    except (OSError, Damaged) as error:
        raise InvalidData(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    except Exception as error:  # numpy and zipfile raise whatever a damaged file leads to
        raise InvalidData(f"{path} is not a whole .npz file: {shortened(str(error), 300)}.") from error


def _arrays(stream: Any) -> dict[str, Any]:
    archive: Any = np.load(stream, allow_pickle=False)
    if isinstance(archive, np.ndarray):
        raise Damaged("it holds a single array; save it by numpy.savez(file, X=array)")
    unpacked = sum(entry.file_size for entry in archive.zip.infolist())  # no more than this is read
    if not fits_memory((unpacked // 8,)):
        raise Damaged(f"its arrays take {unpacked} bytes, which do not fit into the memory of this machine")
    return {name: _array(archive, name) for name in archive.files if f"{name}.npy" in archive.zip.namelist()}


def _array(archive: Any, name: str) -> NDArray[Any] | Unsupported:
    try:
        array = archive[name]
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        return Unsupported(
            "Python objects, which are never unpickled; save plain numbers or texts, each array by a name of its own"
        )
    if array.dtype.kind == "S":
        return np.char.decode(array, "utf-8", "replace")
    if array.dtype.kind not in "biufU" or not array.dtype.itemsize:
        return Unsupported("complex numbers" if array.dtype.kind == "c" else f"values of type {array.dtype}")
    return np.asarray(array)


def _with_sparse(arrays: dict[str, Any], path: Path) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for stem in [name.removesuffix("_indptr") for name in arrays if name.endswith("_indptr")]:
        parts = [f"{stem}_{part}" for part in _CSR_PARTS]
        if all(part in arrays for part in parts):
            data, indices, indptr, shape = (arrays.pop(part) for part in parts)
            values[stem] = checked_sparse(sparse.csr_array((data, indices, indptr), shape=shape.ravel().tolist()))
    if {"format", "data", "shape"} <= arrays.keys():
        values[SCIPYS_MATRIX] = checked_sparse(sparse.load_npz(path))
        arrays = {name: array for name, array in arrays.items() if name not in _SCIPYS_PARTS}
    return arrays | values
