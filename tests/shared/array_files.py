"""Files of named arrays as NumPy, scipy and MATLAB write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
from scipy import io, sparse


def cell(*items: Any) -> np.ndarray:
    """A cell array of MATLAB, as scipy writes it."""
    result = np.empty((1, len(items)), dtype=object)
    result[0, :] = items
    return result


def npz(folder: Path, **variables: Any) -> Path:
    np.savez(folder / "a.npz", **variables)
    return folder / "a.npz"


def mat(folder: Path, **variables: Any) -> Path:
    """A file of version 5, compressed as MATLAB does."""
    io.savemat(folder / "a.mat", variables, do_compression=True)
    return folder / "a.mat"


def mat4(folder: Path, **variables: Any) -> Path:
    io.savemat(folder / "a.mat", variables, format="4")
    return folder / "a.mat"


def mat73(folder: Path, **variables: Any) -> Path:
    """A file as MATLAB's -v7.3 writes it: reversed dimensions, cells as references, a 512-byte user block."""
    with h5py.File(folder / "a.mat", "w", userblock_size=512) as file:
        for name, value in variables.items():
            _put(file, file, name, value)
    with (folder / "a.mat").open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, made by a test".ljust(124) + b"\x00\x02IM")
    return folder / "a.mat"


def _put(file: Any, group: Any, name: str, value: Any) -> None:
    if isinstance(value, list):
        refs = group.create_dataset(name, (len(value), 1), dtype=h5py.special_dtype(ref=h5py.Reference))
        refs.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, item in enumerate(value):
            _put(file, file.require_group("#refs#"), f"{name}{i}", item)
            refs[i, 0] = file["#refs#"][f"{name}{i}"].ref
    elif isinstance(value, dict):
        inner = group.create_group(name)
        inner.attrs["MATLAB_class"] = np.bytes_("struct")
        for key, item in value.items():
            _put(file, inner, key, item)
    elif sparse.issparse(value):
        inner = group.create_group(name)
        matrix = sparse.csc_array(value)
        inner.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        for part, array in (("data", matrix.data), ("ir", matrix.indices), ("jc", matrix.indptr)):
            inner.create_dataset(part, data=array)
    elif isinstance(value, str):
        made = group.create_dataset(name, data=np.array([[ord(c)] for c in value], dtype=np.uint16))
        made.attrs["MATLAB_class"] = np.bytes_("char")
    else:
        made = group.create_dataset(name, data=np.atleast_2d(value).T, compression="gzip")
        made.attrs["MATLAB_class"] = np.bytes_("double")


WRITERS = {"npz": npz, "mat": mat, "mat73": mat73}
