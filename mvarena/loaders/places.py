"""Files of data sets as named variables, and places in them.

A place is `file:variable`, a variable of the card's first file, or a file as a whole. A variable is followed by steps
as the file's language writes them: `X{2}` or `list[[2]]` is the second item, `KH(:,:,3)` the third matrix of a stack,
`table$column` and `object@slot` go by name, `table[,3:7]` takes columns, and `A'` is transposed. Numbers count from 1.
"""

from __future__ import annotations

import gzip
import io
import math
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import mmread

from mvarena.errors import InvalidData
from mvarena.loaders.archives import read_members
from mvarena.readers.mat import read_mat

_STEP = re.compile(
    r"[$@]?(?P<name>[^$@{(\[']+)|[{\[]+(?P<item>\d+)[}\]]+|\(:,:,(?P<page>\d+)\)"
    r"|[\[(]:?,(?P<first>\d+):(?P<last>\d+)[\])]|'"
)
_IDX_UNSIGNED_BYTES = b"\0\0\x08"
_LARGEST = 1 << 27
_POWERS_OF_TEN = np.array([float(f"1e{i}") for i in range(23)])  # all exact in float64


class Places:
    """The files of one data set; each is opened once, when it is first asked for.

    header : whether tables of text have a first line and a first column of names.
    """

    def __init__(self, name: str, files: Mapping[str, Path], header: bool = True) -> None:
        self._name = name
        self._files = files
        self._header = header
        self._opened: dict[str, Any] = {}

    def value(self, place: str) -> Any:
        """The value at a place. Raises InvalidData, naming the file and the place, if there is no such place."""
        file, _, inside = (place, "", "") if place in self._files else place.partition(":")
        if file not in self._files:
            file, inside = next(iter(self._files)), place
        path = self._files[file]
        if file not in self._opened:
            self._opened[file] = opened(path, self._header)
        value = self._opened[file]
        try:
            for step in _STEP.finditer(inside):
                value = _step(value, step)
        except (KeyError, IndexError, AttributeError, TypeError) as error:
            raise InvalidData(
                f"{path} has no '{inside}', which '{self._name}' is read from ({error}); "
                "get the original (see its card)."
            ) from error
        return value


def _step(value: Any, step: re.Match[str]) -> Any:
    name, item, page, first, last = step.groups()
    if name is not None:
        within = isinstance(value, Mapping) or name in getattr(value, "columns", ())
        return value[name] if within else getattr(value, name)
    if item is not None:
        items = value if isinstance(value, list) else value.items  # a list in R, a cell array in MATLAB
        return items[int(item) - 1]
    if page is not None:
        return value[:, :, int(page) - 1]
    if first is None:
        return value.T
    columns = slice(int(first) - 1, int(last))
    return value.iloc[:, columns] if hasattr(value, "iloc") else value[:, columns]


def opened(path: Path, header: bool = True) -> Any:
    """The variables of a file by name, or the one thing that it holds. Raises InvalidData if it is damaged."""
    suffix = path.suffix.lower()
    if suffix == ".mat":
        return read_mat(path)
    if suffix in (".rda", ".rdata"):
        from mvarena.loaders.rda import read_rda

        return read_rda(path)
    if suffix == ".npz":
        with np.load(path, allow_pickle=False) as bundle:
            return _Bundle(bundle)
    if path.name.endswith(".tar.gz"):
        return _Members(path)
    if suffix == ".gz":
        return read_idx(path)
    if suffix in _SMALL:
        return _SMALL[suffix](path.read_bytes())
    return _table(path, header)


class _Bundle(dict[str, NDArray[Any]]):
    """Arrays of a file that comes with mvarena; decimal numbers are kept as numerator / 10 ** decimals."""

    def __missing__(self, name: str) -> NDArray[np.float64]:
        numerator = self[f"{name}_numerator"].astype(np.float64) if f"{name}_numerator" in self else None
        if numerator is None:
            raise KeyError(name)
        decimals = self.get(f"{name}_decimals")  # an exactly rounded division gives what parsing the text would
        return numerator if decimals is None else numerator / _POWERS_OF_TEN[decimals]


class _Members(dict[str, Any]):
    """Members of an archive by name, read when asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __missing__(self, name: str) -> Any:
        self[name] = _SMALL[Path(name).suffix](read_members(self._path, [name], _LARGEST)[name])
        return self[name]


def _words(content: bytes) -> list[str]:
    return content.decode("utf-8").split()


def _topics(content: bytes) -> Any:
    """A row for each story in the order of their numbers, from lines such as `business: 001,013`."""
    import pandas as pd

    topics: dict[str, str] = {}
    for line in content.decode("utf-8").splitlines():
        topic, _, stories = line.partition(":")
        topics.update(dict.fromkeys((story.strip() for story in stories.split(",") if story.strip()), topic.strip()))
    return pd.DataFrame({"topic": topics}).sort_index()


_SMALL: dict[str, Any] = {
    ".mtx": lambda content: mmread(io.BytesIO(content)),
    ".txt": _words,
    ".docs": _words,
    ".clist": _topics,
}


def _table(path: Path, header: bool) -> Any:
    import pandas as pd

    form: dict[str, Any] = {"index_col": 0} if header else {"header": None, "sep": r"\s+"}
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, **form)  # NumPy reads numbers to the last digit
    except (ValueError, OSError) as error:
        raise InvalidData(f"{path} is not a table of text: {error}.") from error


def read_idx(path: Path) -> NDArray[np.uint8]:
    """The array of bytes in a gzipped IDX file (the format of MNIST), a row for each item. Raises InvalidData."""
    try:
        with gzip.open(path) as stream:
            content = stream.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidData(f"{path} cannot be unpacked: {error}.") from error
    dimensions = content[3] if len(content) > 3 else 0
    start = 4 + 4 * dimensions
    if content[:3] != _IDX_UNSIGNED_BYTES or not 1 <= dimensions <= 3 or len(content) < start:
        raise InvalidData(f"{path} is not an IDX file of unsigned bytes.")
    shape = tuple(np.frombuffer(content[4:start], dtype=">u4").tolist())
    values = np.frombuffer(content[start:], dtype=np.uint8)
    if values.size != math.prod(shape):
        raise InvalidData(f"{path} announces {' x '.join(map(str, shape))} bytes and holds {values.size}.")
    return values.reshape(shape[0], -1)
