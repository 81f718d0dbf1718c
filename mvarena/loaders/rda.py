"""R's files (.rda, .RData), by the package rdata: lists, data frames, matrices and the classes of Bioconductor.

No code of a file is run or kept.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.errors import DataUnavailable, InvalidData

_NO_INTEGER = -(2**31)  # R's NA among integers


def read_rda(path: Path) -> dict[str, Any]:
    """The objects of the file by name: lists as dict, objects of classes with their slots as attributes.

    Raises DataUnavailable without the package rdata, InvalidData for a file that is damaged.
    """
    try:
        import rdata
    except ImportError as error:
        raise DataUnavailable(
            f"{path} is a file of R, which the package rdata reads; install it: pip install 'mvarena[rda]'."
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes that it does not know, which are kept as their slots
            content = rdata.parser.parse_file(path)
            _without_code(content.object, rdata.parser.RObjectType)
            objects: dict[str, Any] = rdata.conversion.convert(content)
    except Exception as error:  # a damaged file may fail in any way in another's code
        raise InvalidData(f"{path} cannot be read as a file of R: {error}.") from error
    return objects


def _without_code(root: Any, types: Any) -> None:
    """Put NULL for functions, calls and promises: they hold no data, and rdata cannot convert all of them."""
    pending, seen = [root], set()
    while pending:
        item = pending.pop()
        if isinstance(item, list | tuple):
            pending.extend(item)
        elif hasattr(item, "__dataclass_fields__") and id(item) not in seen:
            seen.add(id(item))
            if getattr(getattr(item, "info", None), "type", None) in (types.CLO, types.LANG, types.PROM):
                item.info.type, item.value, item.attributes, item.tag = types.NILVALUE, None, None, None
            else:
                pending.extend(getattr(item, field) for field in item.__dataclass_fields__)


def matrix_of(value: Any) -> tuple[Any, list[str], list[str]]:
    """An R object as a matrix with names of rows and columns, none where it has none; other values as they are.

    A SummarizedExperiment is its first assay, an ExpressionSet its expressions, a dgCMatrix a sparse matrix.
    """
    if hasattr(value, "assays"):
        fields = getattr(value.assays, ".xData").maps[0]
        assays = fields[".->data" if ".->data" in fields else "data"].listData  # R calls a field behind a function so
        first = next(iter(assays.values())) if isinstance(assays, dict) else assays[0]
        return matrix_of(first)[0], _names(value.NAMES), _names(value.colData.rownames)
    if hasattr(value, "assayData"):
        return matrix_of(value.assayData["exprs"])
    if hasattr(value, "Dimnames"):
        return sparse.csc_array((value.x, value.i, value.p), shape=tuple(value.Dim)), *map(_names, value.Dimnames)
    if hasattr(value, "dims"):
        names = [_names(value.coords[dim].values) if dim in value.coords else [] for dim in value.dims]
        return known(value.values), names[0], names[1]
    return known(value), [], []


def known(values: Any) -> Any:
    """The values with NaN for R's missing integers."""
    if getattr(values, "dtype", None) == np.int32 and (values == _NO_INTEGER).any():
        return np.where(values == _NO_INTEGER, np.nan, values)
    return values


def _names(values: Any) -> list[str]:
    return [] if values is None else [str(value) for value in values]
