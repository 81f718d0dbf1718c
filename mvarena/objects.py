"""Matrix of a view from objects of Python's libraries: arrays, tables, masked arrays, tensors, lists.

Each becomes numbers with NaN for what is missing, and keeps its index where it has one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.errors import InvalidData
from mvarena.naming import is_id_name, is_label_name, plain
from mvarena.samples import text_of

Matrix: TypeAlias = Any  # NDArray of bool, integers or floats, or a sparse matrix


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Contents of an object and the names of its rows.

    index : a text for each row; None where nothing names them.
    whole : whether these are whole numbers, as of a table that lost or changed the order of its rows.
    counted : whether the object numbers its rows from 0 in their order, as tables do of themselves.
    columns : the names of its columns; None where nothing names them.
    """

    values: Any
    index: tuple[str, ...] | None = None
    whole: bool = False
    counted: bool = False
    columns: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def by_number(self) -> Rows:
        """With the numbers of the rows as their index where they are only counted."""
        return replace(self, index=tuple(map(str, range(len(self))))) if self.counted else self


def named_views(name: str, views: Any) -> tuple[list[str] | None, list[Any]]:
    """The views in a container, and their names where it has these, as a dictionary does.

    Raises InvalidData for one matrix alone, and for what holds no views.
    """
    if is_pandas(views, "Series") and views.dtype == object:
        views = dict(views.items()) if _index_of(views, name).index is not None else list(views)
    if isinstance(views, Mapping):
        return [str(key) for key in views], list(views.values())
    if isinstance(views, (str, bytes)):
        raise InvalidData(f"{name}: '{views!s}' is a text; give a list with one array per view, or load_dataset(...).")
    columns = isinstance(views, (list, tuple)) and any(hasattr(item, "shape") for item in views)
    if is_matrix(views) and not columns:
        raise InvalidData(f"{name}: give a list with one array per view, not a single array; wrap it as [array].")
    try:
        return None, list(views)
    except TypeError as error:
        raise InvalidData(f"{name}: give a list with one array per view, not a {type(views).__name__}.") from error


def is_matrix(value: Any) -> bool:
    """True for one matrix of samples by features in any class, and for a column of a table."""
    if isinstance(value, (str, bytes, Mapping)):
        return False
    if is_pandas(value, "Series"):
        return not any(is_matrix(item) for item in value.iloc[:1])
    shape = getattr(value, "shape", None)
    if isinstance(shape, Sequence):
        return len(shape) == 2
    if isinstance(value, (list, tuple)):
        return bool(value) and all(_is_row(item) for item in value)
    return any(hasattr(value, name) for name in ("__array__", "to_numpy", "to_pandas", "to_df"))


def is_views(value: Any) -> bool:
    """True of a list, stack or dictionary with one matrix per view."""
    if is_pandas(value, "Series"):
        return not is_matrix(value)
    if isinstance(value, Mapping):
        return bool(value) and all(map(is_matrix, value.values()))
    if isinstance(value, np.ndarray):
        return value.ndim == 3 or (value.dtype == object and value.ndim == 1 and all(map(is_matrix, value)))
    return isinstance(value, (list, tuple)) and bool(value) and all(map(is_matrix, value))


def _is_row(item: Any) -> bool:
    if isinstance(item, (str, bytes, Mapping)):
        return False
    shape = getattr(item, "shape", None)
    if shape is not None:
        return len(shape) == 1
    return isinstance(item, (list, tuple)) and not any(isinstance(part, (list, tuple)) for part in item)


def read_matrix(about: str, value: Any) -> Rows:
    """The numbers of one view, with its index.

    about : the data and the view, for messages. Raises InvalidData for what is no matrix of real numbers.
    """
    if sparse.issparse(value):
        return Rows(value)
    if isinstance(value, np.ma.MaskedArray):
        return Rows(_with_nan(about, value))
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        return Rows(_checked(about, np.asarray(value)))
    if is_pandas(value, "Series"):
        value = value.to_frame()
    if is_pandas(value, "DataFrame"):
        return _of_table(about, value)
    return _of_foreign(about, value)


def index_of(name: str, value: Any) -> Rows:
    """A column or table of labels or of a mask, with its index; its values stay as they are."""
    return _index_of(value, name) if is_pandas(value, "Series", "DataFrame") else Rows(value)


def is_pandas(value: Any, *kinds: str) -> bool:
    """True if `value` is of one of these classes of pandas, which is not imported for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and any(isinstance(value, getattr(pandas, kind)) for kind in kinds)


# tables -----------------------------------------------------------------------------------------------------


def _index_of(value: Any, about: str) -> Rows:
    """The index of a table or column of pandas: none where it only counts the rows."""
    pandas, index = sys.modules["pandas"], value.index
    columns = None
    if is_pandas(value, "DataFrame") and not isinstance(value.columns, pandas.RangeIndex):
        columns = tuple(text_of(column) or "" for column in value.columns)
    if isinstance(index, pandas.RangeIndex) and index.start == 0 and index.step == 1:
        return Rows(value, counted=True, columns=columns)
    texts = [text_of(item) for item in index]
    empty = next((row for row, text in enumerate(texts) if text is None), None)
    if empty is not None:
        raise InvalidData(
            f"{about}: the index is empty in row {empty}; give each sample an id there, or go by position with "
            ".reset_index(drop=True)."
        )
    whole = bool(pandas.api.types.is_integer_dtype(index.dtype))
    return Rows(value, tuple(text for text in texts if text is not None), whole=whole, columns=columns)


def _of_table(about: str, frame: Any) -> Rows:
    rows = _index_of(frame, about)
    _require_measurements(about, frame)
    types = list(frame.dtypes)
    if types and all(type(dtype).__name__ == "SparseDtype" and dtype.fill_value == 0 for dtype in types):
        return replace(rows, values=sparse.csr_array(frame.sparse.to_coo()))
    if all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in types):
        return replace(rows, values=frame.to_numpy())
    numbers = [_of_column(about, frame.iloc[:, i], frame.columns[i]) for i in range(len(types))]
    return replace(rows, values=np.column_stack(numbers))


def _require_measurements(about: str, frame: Any) -> None:
    """Raise InvalidData for a column of classes or ids, which as a feature would give away what is looked for."""
    coordinates = {"x", "y"} <= {plain(name) for name in frame.columns if isinstance(name, str)}
    for place, name in enumerate(frame.columns):
        if not isinstance(name, str) or not name or (coordinates and plain(name) == "y"):
            continue
        of_labels, of_ids = is_label_name(name), is_id_name(name)
        known = [text_of(value) for value in frame.iloc[:, place]] if of_labels or of_ids else []
        if any("." in (text or "") for text in known):  # measured
            continue
        distinct = len(set(known) - {None})
        if of_labels and 2 <= distinct <= len(known) / 2:
            raise InvalidData(
                f"{about}: the column {name!r} looks like labels; leave it out with frame.drop(columns=[{name!r}]) and "
                f"give labels=frame[{name!r}], or give the column another name."
            )
        if of_ids and distinct == len(known) > 1:
            raise InvalidData(
                f"{about}: the column {name!r} looks like ids of the samples; make it the index with "
                f"frame.set_index({name!r}), or give the column another name."
            )


def _of_column(about: str, column: Any, name: object) -> NDArray[np.float64]:
    kind = column.dtype
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        return np.asarray(column, dtype=np.float64)
    if getattr(kind, "kind", "O") in "biuf":  # pandas' own types, with NA
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    values = np.asarray(column, dtype=object)
    numbers, wrong = numbers_of(values)
    if wrong is None:
        return numbers
    value = values[wrong]
    raise InvalidData(
        f"{about}: '{value}' (row {column.index[wrong]}, column {name!r}) is {_what(value)}; a view holds only "
        f"numbers. {_way_out(value, values, name)}"
    )


def _way_out(value: object, values: NDArray[Any], name: object) -> str:
    if isinstance(value, str):
        known = [text for text in values if isinstance(text, str)]
        if all(_is_number(text) for text in known):
            return f"Make the texts numbers with frame.astype({{{name!r}: float}})."
        ids = f", or frame.set_index({name!r}) if these are ids" if len(set(known)) == len(values) else ""
        return f"Leave the column out with frame.drop(columns=[{name!r}]){ids}."
    return f"Leave the column out with frame.drop(columns=[{name!r}])."


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _what(value: object) -> str:
    return "a text" if isinstance(value, str) else f"a {type(value).__name__}"


# arrays -----------------------------------------------------------------------------------------------------


def _with_nan(about: str, value: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """A masked array as one with NaN where it is masked."""
    numbers = np.array(_checked(about, np.asarray(value.data)))
    if numbers.dtype.kind != "f":
        numbers = numbers.astype(np.float64)
    numbers[np.ma.getmaskarray(value)] = np.nan
    return numbers


def _checked(about: str, array: NDArray[Any]) -> NDArray[Any]:
    """The array if its type is one of real numbers; its objects as numbers."""
    if array.dtype.kind == "O" and array.ndim == 2:
        numbers, wrong = numbers_of(array.ravel())
        if wrong is None:
            return numbers.reshape(array.shape)
        raise _no_numbers(about, f"'{array.flat[wrong]}' (row {wrong // array.shape[1]}) is {_what(array.flat[wrong])}")
    if array.dtype.kind in "US":
        advice = "if all are numbers, array.astype(float) makes them so"
        raise _no_numbers(about, f"it holds texts, such as '{array.flat[0] if array.size else ''}'; {advice}")
    if array.dtype.kind not in "biuf":
        raise _no_numbers(about, f"its type is {array.dtype}")
    if array.ndim != 2:
        turned = ".reshape(-1, 1) makes it a column" if array.ndim == 1 else ".reshape(len(array), -1) makes rows"
        advice = f"; {turned}" if array.ndim else ""
        raise InvalidData(f"{about} has {array.ndim} dimension(s); a view is samples x features{advice}.")
    return array


def numbers_of(values: NDArray[Any]) -> tuple[NDArray[np.float64], int | None]:
    """Python's objects as numbers, NaN for no value; and the place of the first that is none."""
    numbers = np.full(len(values), np.nan)
    for place, value in enumerate(values):
        if isinstance(value, (int, float, np.number, np.bool_, Decimal, Fraction)) and not isinstance(value, complex):
            numbers[place] = float(value)
        elif text_of(value) is not None:
            return numbers, place
    return numbers, None


def _no_numbers(about: str, why: str) -> InvalidData:
    return InvalidData(f"{about} is not a matrix of real numbers: {why}.")


def _of_foreign(about: str, value: Any) -> Rows:
    """Another library's object, or plain lists: as a table of pandas where it becomes one, else as an array."""
    if isinstance(value, Iterator):
        value = list(value)
    table = _as_table(about, value)
    if table is not None:
        return read_matrix(about, table)
    if isinstance(value, (str, bytes, Mapping)) or value is None:
        advice = "; pandas.DataFrame(view) makes a table of columns" if isinstance(value, Mapping) else ""
        raise _no_numbers(about, f"it is a {type(value).__name__}{advice}")
    lengths = {len(row) for row in value if _is_row(row)} if isinstance(value, (list, tuple)) else set()
    if len(lengths) > 1:
        raise _no_numbers(about, f"its rows have {min(lengths)} to {max(lengths)} numbers; give all the same number")
    try:
        array = np.asarray(value if hasattr(value, "__array__") else _dense(value))
    except Exception as error:  # of a foreign class, of which anything may come
        raise _no_numbers(about, f"a {type(value).__name__} does not become an array ({error})") from error
    if array.dtype == object and array.ndim < 2:
        raise _no_numbers(about, f"a {type(value).__name__} does not become an array of samples x features")
    return read_matrix(about, array)


def _dense(value: Any) -> Any:
    """An array of an object that has a method for it, and the object itself where it has none."""
    method = next((name for name in ("to_numpy", "numpy", "toarray", "todense") if hasattr(value, name)), None)
    return value if method is None else getattr(value, method)()


def _as_table(about: str, value: Any) -> Any:
    """A table of pandas from an object that becomes one; None from any other."""
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        from pandas import DataFrame

        return DataFrame(value)
    method = next((name for name in ("to_pandas", "to_df") if hasattr(value, name)), None)
    if method is None:
        return None
    try:
        table = getattr(value, method)()
    except ImportError:  # polars needs pyarrow for it, and no library for its array
        return None
    except Exception as error:  # of a foreign class, of which anything may come
        raise _no_numbers(about, f"a {type(value).__name__} does not become a table ({error})") from error
    return table if is_pandas(table, "DataFrame", "Series") else None
