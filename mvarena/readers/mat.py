"""MATLAB files, versions 5 to 7.3, read without trusting what they declare."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from mvarena.errors import InvalidData
from mvarena.readers.limits import Budget, Damaged
from mvarena.readers.mat_v5 import read_v5

_HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"
_HEADER_BYTES = 128


def read_mat(path: Path, only: Collection[str] | None = None) -> dict[str, Any]:
    """The variables of a .mat file by name; `only` names those wanted (all if None).

    Numeric arrays come as numpy arrays in MATLAB's shape, sparse matrices as CSC, char arrays as text or a list
    of text, cell arrays as `CellArray`, structs as dicts, anything else as `Unsupported`.
    Raises InvalidData, naming the file, if it is damaged, of version 4, no MATLAB file, or takes more memory, items or
    time than its size can account for (`mvarena.readers.limits`).
    """
    try:
        budget = Budget(path.stat().st_size)
        with path.open("rb") as stream:
            head = stream.read(512 + len(_HDF5_MAGIC))
        if head.startswith(_HDF5_MAGIC) or head[512:] == _HDF5_MAGIC:
            from mvarena.readers.mat_v73 import read_v73  # imports h5py

            return read_v73(path, only, budget)
        if head[124:128] not in (b"\x00\x01IM", b"\x01\x00MI"):
            raise Damaged("it is not a MATLAB file of version 5 to 7.3; save it in MATLAB with save(..., '-v7')")
        return read_v5(path.read_bytes()[_HEADER_BYTES:], "<" if head[126:128] == b"IM" else ">", only, budget)
    except Damaged as error:
        raise InvalidData(f"{path} cannot be read: {error}.") from error
    except OSError as error:
        raise InvalidData(f"{path} cannot be read: {error.strerror or error}.") from error
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than is available.") from error
