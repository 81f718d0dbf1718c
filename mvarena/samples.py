"""Classes and ids of samples: made of any values that users give, and validated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import date, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvarena.errors import InvalidData

UNLABELLED = -1
EMPTY_MARKS = frozenset(
    (
        *("", "na", "nan", "n/a", "#n/a", "#na", "<na>", "null", "none", "?", ".", "-", "not available"),
        *("[not available]", "[not applicable]", "[unknown]", "[not evaluated]", "[discrepancy]"),
    )
)
"""Texts of a cell without a value, in lower case: of spreadsheets, R, pandas, SQL and clinical tables."""
_WHOLE = re.compile(r"-?[0-9]+(\.0+)?")
_NO_VALUE = ("NAType", "NaTType", "MaskedConstant")


class _Class(NamedTuple):
    """A class by the text that names it, and its number where it is one."""

    name: str
    number: float | int | None


def clean_labels(
    name: str, labels: Any, classes: tuple[str, ...] | None, n: int
) -> tuple[NDArray[np.int64] | None, tuple[str, ...] | None]:
    """Class of each sample (n,) from 0, -1 where unlabelled, and the names of the classes; None, None without any.

    A class is named by the text of its values: 1 and 1.0 are one class, the texts '1', '01' and '001' three. Classes
    that are all numbers are in the order of these, others in that of their texts.

    Unlabelled are None, NaN, NA, masked values, and texts that are blank or one of `EMPTY_MARKS`; but 'none' is a class
    beside other classes, and '-' beside '+' alone. -1, as a number or a text, is unlabelled beside whole numbers from 0
    on: so are -1, 0, 1 and -1, 1, 2; but it is a class beside one that is not 0 (-1 and 1), or beside other negative
    numbers.

    Parameters
    ----------
    name : of the data, for messages.
    labels : any hashable values; with `classes` given, whole numbers from -1 to their number less one.

    Raises InvalidData. Cost O(n log n).
    """
    if labels is None:
        return None, None
    column = label_column(name, labels)
    if column.shape != (n,):
        advice = "; of one column per class, .argmax(axis=1) makes one" if column.ndim == 2 else ""
        raise InvalidData(f"{name}: the labels have shape {column.shape}; give one per sample, ({n},){advice}.")
    if classes is not None:
        column = np.array(column.tolist()) if column.dtype == object else column
        if column.dtype.kind not in "iu" or column.min() < UNLABELLED or column.max() >= len(classes):
            raise InvalidData(
                f"{name}: with classes given, labels are integers from -1 (unlabelled) to {len(classes) - 1}."
            )
        return _frozen(column.astype(np.int64)), tuple(classes)
    values, index = _distinct(name, column)
    found = [None if (text := text_of(value)) is None else _Class(text, _number(value)) for value in values]
    known = _known({item for item in found if item is not None})
    if not known:
        return None, None
    code_of = {text: code for code, text in enumerate(known)}
    codes = np.array([UNLABELLED if item is None else code_of.get(item.name, UNLABELLED) for item in found])
    return _frozen(codes[index].astype(np.int64)), tuple(known)


def labels_sentence(labels: NDArray[np.int64]) -> str:
    """Sentence on the samples of all classes: '40 samples of 2 classes, 20 unlabelled'.

    labels : (n,) whole numbers from 0, -1 where unlabelled, as `MultiViewData.labels`.
    """
    known = labels[labels != UNLABELLED]
    count = len(np.unique(known))
    said = f"{len(known)} sample{'s' * (len(known) != 1)} of {count} class{'es' * (count != 1)}"
    return said if len(known) == len(labels) else f"{said}, {len(labels) - len(known)} unlabelled"


def clean_ids(name: str, ids: Iterable[object] | None, n: int) -> tuple[str, ...] | None:
    """Ids of n samples as texts; None without any.

    Raises InvalidData for another number of them, for one without a value (None, NaN), and for equal ones.
    """
    if ids is None:
        return None
    found = [value if isinstance(value, str) else text_of(value) for value in ids]
    if len(found) != n:
        raise InvalidData(f"{name}: there are {len(found)} sample ids and {n} samples; give one per sample.")
    texts = tuple(text for text in found if text is not None)
    if len(texts) < n:
        raise InvalidData(f"{name}: the sample id in row {found.index(None)} has no value; give each sample an id.")
    if len(set(texts)) < n:
        twice, times = Counter(texts).most_common(1)[0]
        raise InvalidData(f"{name}: the sample id '{twice}' occurs {times} times; give each sample an id of its own.")
    return texts


def text_of(value: object) -> str | None:
    """The text that names a class or a sample; None for no value: None, NaN, NA, a masked value or a blank text.

    Whole numbers of any type are written without a point, days without a time, and the parts of a tuple with a slash
    between them.
    """
    if value is None or type(value).__name__ in _NO_VALUE:
        return None
    if isinstance(value, bytes):
        return text_of(value.decode("utf-8", "replace"))
    if isinstance(value, str):
        return str(value) if value.strip() else None
    if isinstance(value, (float, np.floating)):
        whole = float(value).is_integer()
        return None if np.isnan(value) else str(int(value)) if whole else str(value)
    if isinstance(value, tuple):
        return "/".join(text_of(part) or "" for part in value)
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else str(value).removesuffix("T00:00:00").partition("T00:00:00.")[0]
    if isinstance(value, (datetime, date)):
        return value.isoformat().removesuffix("T00:00:00")
    return str(value)


def label_column(name: str, labels: Any) -> NDArray[Any]:
    """Labels of any container as one array: a column stays in its order, masked values are None. Raises InvalidData."""
    if isinstance(labels, (str, bytes, Set, Mapping)):
        raise InvalidData(f"{name}: the labels are a {type(labels).__name__}; give a list with one label per sample.")
    if isinstance(labels, np.ma.MaskedArray):
        column = np.array(labels.data, dtype=object)
        column[np.ma.getmaskarray(labels)] = None
    elif hasattr(labels, "to_numpy") and not hasattr(labels, "__array__"):
        return label_column(name, labels.to_numpy())
    else:
        column = _as_array(name, list(labels) if isinstance(labels, Iterator) or _is_plain(labels) else labels)
    if column.ndim == 2 and 1 in column.shape:
        return np.asarray(column.ravel())
    return np.asarray(column)


def _is_plain(labels: Any) -> bool:
    """True of a list and the like, whose values NumPy would turn into one type: 1 and 'a' into texts."""
    return not hasattr(labels, "__array__") and isinstance(labels, Iterable)


def _as_array(name: str, labels: Any) -> NDArray[Any]:
    try:
        if isinstance(labels, list) and not any(hasattr(item, "__len__") and not _is_text(item) for item in labels):
            column = np.empty(len(labels), dtype=object)
            column[:] = labels
            return column
        return np.asarray(labels)
    except Exception as error:  # of a foreign class, of which anything may come
        raise InvalidData(f"{name}: the labels cannot be read as an array: {error}") from error


def _is_text(value: object) -> bool:
    return isinstance(value, (str, bytes))


def _distinct(name: str, column: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """The distinct values of a column, and of each sample the place of its value among them."""
    if column.dtype.kind != "O":
        values, index = np.unique(column, return_inverse=True)
        return list(values), index
    place: dict[Any, int] = {}
    try:
        at = [place.setdefault((type(value), value), len(place)) for value in column.tolist()]
    except TypeError as error:
        odd = next(value for value in column.tolist() if type(value).__hash__ is None)
        raise InvalidData(
            f"{name}: a label is a {type(odd).__name__}; give one number or text per sample, or None."
        ) from error
    return [value for _, value in place], np.array(at, dtype=np.int64)


def _number(value: object) -> float | int | None:
    """The number that a value is, or that its text is where that is a whole one."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    text = text_of(value)
    return int(text.partition(".")[0]) if text is not None and _WHOLE.fullmatch(text) else None


def _known(found: set[_Class]) -> list[str]:
    """The names of those that are classes, in their order."""
    marked = {item for item in found if item.name.strip().lower() in EMPTY_MARKS}
    classes = found - marked
    if classes:
        beside_plus = {item.name.strip() for item in classes} == {"+"}
        signs = ("none", "-") if beside_plus else ("none",)
        classes |= {item for item in marked if item.name.strip().lower() in signs}
    if _minus_one_is_unlabelled(classes):
        classes = {item for item in classes if item.number != UNLABELLED}
    numbers = {item.name: item.number for item in classes}
    if any(number is None for number in numbers.values()):
        return sorted(numbers)
    return sorted(numbers, key=lambda text: (numbers[text] or 0, text))


def _minus_one_is_unlabelled(classes: set[_Class]) -> bool:
    others = {item.number for item in classes if item.number != UNLABELLED}
    whole = all(number is not None and number >= 0 and float(number).is_integer() for number in others)
    return whole and (0 in others or len(others) != 1)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
