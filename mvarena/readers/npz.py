"""The clean .npz form: write it, recognise it, and read any .npz without trusting what it declares."""

from __future__ import annotations

import math
import os
import sys
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import Kind, MultiViewData, View
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.readers.limits import Budget, Damaged
from mvarena.readers.mat_values import LARGEST_RATIO
from mvarena.readers.orientation import guess_kind
from mvarena.text import shortened

_EPOCH = (1980, 1, 1, 0, 0, 0)  # no time in the file: equal data, equal bytes
_HEADER_LIMIT = 10_000
_MOST_DIMENSIONS = 32  # that every numpy takes
_LETTER_BYTES = 4  # of the text that a byte becomes
_CSR_PARTS = ("data", "indices", "indptr", "shape")


def write_npz(data: MultiViewData, path: Path) -> None:
    """Write `data` in the clean form; an existing file is replaced only once the new one is whole.

    Raises DataUnavailable if the place cannot be written. Cost: one pass over the entries, compressed.
    """
    arrays: dict[str, NDArray[Any]] = {"view_names": np.array(data.view_names)}
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
        with zipfile.ZipFile(fresh, "w") as archive:
            for name, array in arrays.items():
                entry = zipfile.ZipInfo(f"{name}.npy", _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(entry, "w", force_zip64=True) as stream:
                    np.lib.format.write_array(stream, array, allow_pickle=False)
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


def from_clean_form(name: str, variables: dict[str, Any]) -> MultiViewData:
    """The data in the clean form. Raises InvalidData if the parts do not agree."""
    for part in ("kinds", "M", "y", "classes", "n_clusters", "ids"):
        if part in variables and not isinstance(variables[part], np.ndarray):
            raise InvalidData(f"{name}: '{part}' must be a plain array.")
    matrices = [variables[f"X{i}"] for i in range(len(variables["view_names"]))]
    labels, classes, ids = variables.get("y"), variables.get("classes"), variables.get("ids")
    if classes is not None and (labels is None or classes.ndim != 1):
        raise InvalidData(f"{name}: 'classes' names the classes of 'y', one text for each of 0 .. k-1.")
    return MultiViewData(
        name,
        tuple(map(View, variables["view_names"].tolist(), matrices, _kinds(name, variables, matrices))),
        mask=variables.get("M"),  # type: ignore[arg-type]
        labels=labels,
        n_clusters=_n_clusters(name, variables.get("n_clusters")),
        classes=None if classes is None else tuple(map(str, classes.tolist())),
        ids=None if ids is None else tuple(map(str, ids.ravel().tolist())),
    )


def _kinds(name: str, variables: dict[str, Any], matrices: list[Any]) -> list[Kind]:
    """As the file says, or found out where it does not."""
    if "kinds" not in variables:
        return [guess_kind(matrix)[0] if getattr(matrix, "ndim", 0) == 2 else "features" for matrix in matrices]
    kinds: list[Kind] = variables["kinds"].ravel().tolist()
    if len(kinds) != len(matrices):
        raise InvalidData(f"{name}: there are {len(matrices)} views and {len(kinds)} kinds; give one for each.")
    return kinds


def _n_clusters(name: str, value: NDArray[Any] | None) -> int | None:
    if value is None:
        return None
    if value.size != 1 or value.dtype.kind not in "iu":
        raise InvalidData(f"{name}: n_clusters must be one whole number.")
    return int(value.item())


def read_npz(path: Path) -> dict[str, Any]:
    """The arrays of an .npz by name; CSR parts (`X0_data`, ... or those of scipy's save_npz) become sparse matrices.

    Raises InvalidData if the file is damaged, holds Python objects (nothing is ever unpickled) or declares more
    than it can hold.
    """
    arrays: dict[str, NDArray[Any]] = {}
    try:
        budget = Budget(path.stat().st_size)
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                budget.item()
                if entry.filename.endswith(".npy"):
                    with archive.open(entry) as stream:
                        arrays[entry.filename.removesuffix(".npy")] = _read_array(stream, entry, budget)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InvalidData(f"{path} is not a whole .npz file: {shortened(str(error), 300)}.") from error
    except Damaged as error:
        raise InvalidData(f"{path} cannot be read: {shortened(str(error), 300)}.") from error
    except ValueError as error:
        raise InvalidData(f"{path}: {shortened(str(error), 300)}.") from error
    except OSError as error:
        raise InvalidData(f"{path} cannot be read: {error.strerror or error}.") from error
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than is available.") from error
    try:
        return _with_sparse(arrays, budget)
    except Damaged as error:
        raise InvalidData(f"{path} cannot be read: {error}.") from error
    except (ValueError, IndexError, TypeError) as error:
        raise InvalidData(f"{path}: the parts of a sparse matrix do not agree ({error}).") from error


def _read_array(stream: IO[bytes], entry: zipfile.ZipInfo, budget: Budget) -> NDArray[Any]:
    """One array, after holding the size that its header declares against the bytes of the archive."""
    shape, fortran, dtype = _read_header(stream, entry.filename)
    if dtype.hasobject:
        raise ValueError(f"{entry.filename} holds Python objects, which are never unpickled; save plain arrays")
    if dtype.kind not in "biufUS":
        raise ValueError(f"{entry.filename} holds values of type {dtype}; save real numbers or text")
    if any(type(size) is not int or not 0 <= size <= sys.maxsize for size in shape) or len(shape) > _MOST_DIMENSIONS:
        raise ValueError(f"{entry.filename} declares the impossible shape {str(shape)[:80]}")
    if not dtype.itemsize and math.prod(shape):
        raise ValueError(f"{entry.filename} declares {math.prod(shape)} empty texts; save texts or numbers")
    size = math.prod(shape) * dtype.itemsize
    if size > min(entry.file_size, LARGEST_RATIO * max(entry.compress_size, 1)):
        raise ValueError(f"{entry.filename} declares {size} bytes, which it cannot hold")
    budget.numbers(shape, dtype.itemsize * (_LETTER_BYTES if dtype.kind == "S" else 1))
    content = stream.read(size)
    if len(content) != size:
        raise ValueError(f"{entry.filename} declares {size} bytes and holds {len(content)}")
    flat = np.frombuffer(content, dtype=dtype) if dtype.itemsize else np.zeros(math.prod(shape), dtype=dtype)
    if dtype.kind in "US":
        flat = _checked_text(flat, entry.filename)
    return flat.reshape(shape, order="F" if fortran else "C")


def _read_header(stream: IO[bytes], name: str) -> tuple[Any, bool, np.dtype[Any]]:
    """Shape, order and type; numpy evaluates the header as a literal, which may be nested deeper than Python goes."""
    version = np.lib.format.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"{name} is of the unknown format version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd literals, such as '\d'
            shape, fortran, dtype = read(stream, max_header_size=_HEADER_LIMIT)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        raise
    except Exception as error:  # a literal can be wrong in any way, and numpy's words quote all of it
        raise ValueError(
            f"{name} has a header that is not a description of an array ({type(error).__name__})"
        ) from error
    return shape, fortran, dtype


def _checked_text(texts: NDArray[Any], where: str) -> NDArray[Any]:
    """The texts as str, after checking that every code in them is a character."""
    if texts.dtype.kind == "S":
        return np.char.decode(texts, "utf-8", "replace")
    codes = np.frombuffer(texts.tobytes(), dtype=texts.dtype.byteorder.replace("=", "<").replace("|", "<") + "u4")
    if ((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))).any():
        raise ValueError(f"{where} holds codes that are not characters")
    return texts


def _with_sparse(arrays: dict[str, NDArray[Any]], budget: Budget) -> dict[str, Any]:
    values: dict[str, Any] = {}
    stems = {name.removesuffix("_indptr") for name in arrays if name.endswith("_indptr")}
    groups = {stem: {part: f"{stem}_{part}" for part in _CSR_PARTS} for stem in stems}
    if "format" in arrays and "indptr" in arrays:  # scipy.sparse.save_npz
        groups["matrix"] = {part: part for part in _CSR_PARTS}
    for stem, parts in groups.items():
        if all(name in arrays for name in parts.values()):
            by_columns = stem == "matrix" and arrays["format"].tobytes().startswith(b"csc")
            values[stem] = _csr({part: arrays.pop(name) for part, name in parts.items()}, by_columns, budget)
    return arrays | values


def _csr(parts: dict[str, NDArray[Any]], by_columns: bool, budget: Budget) -> sparse.csr_array:
    shape = tuple(int(size) for size in parts["shape"].ravel())
    if len(shape) != 2:
        raise ValueError(f"the shape is {shape}")
    budget.numbers((2 * parts["data"].size + sum(map(abs, shape)),))
    kind = sparse.csc_array if by_columns else sparse.csr_array
    # copies, as the buffers of a file are read-only and sorting works in place
    matrix = kind(tuple(np.array(parts[part]) for part in ("data", "indices", "indptr")), shape=shape)
    matrix.check_format(full_check=True)
    matrix.sum_duplicates()
    return sparse.csr_array(matrix)
