"""Labels in their usual forms, and variables with a label's name that hold none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.reader import Understanding
from mvarena.data import MultiViewData
from mvarena.naming import is_label_name, label_rank, plain
from mvarena.readers.values import CellArray, are_whole
from mvarena.samples import labels_sentence

_MOSTLY = 0.1  # of the samples have a class where one-hot rows of zeros are those that have none
_FEWEST_IDS = 3  # so few samples may all be of different classes


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A variable that can be read as labels: its values (n,) and in words how they were kept."""

    variable: str
    values: NDArray[Any]
    kept_as: str

    def describe(self, data: MultiViewData) -> str:
        """A sentence on them in the data."""
        if data.labels is None:
            return f"{self.variable} ({self.kept_as}) labels none of {len(self.values)} samples"
        return f"{self.variable} holds the labels ({self.kept_as}): {labels_sentence(data.labels)}"


def find_labels(variables: dict[str, Any]) -> list[Labels]:
    """All variables with a label's name that can be read as labels, the likeliest first."""
    result = []
    for name in sorted(filter(is_label_name, variables), key=label_rank):
        read = read_labels(variables[name])
        if read is not None and not (plain(name) == "classes" and read[0].dtype.kind == "U" and "y" in variables):
            result.append(Labels(name, *read))
    return result


def read_labels(value: Any) -> tuple[NDArray[Any], str] | None:
    """The labels (n,) in a value, and how it keeps them; None if they cannot be labels."""
    if isinstance(value, CellArray):
        return _from_cell(value)
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return np.array([line.strip() for line in value]), "one text per sample"
    if sparse.issparse(value):
        return _from_one_hot(value)
    if not isinstance(value, np.ndarray) or value.size < 2:
        return None
    if value.dtype.kind == "U":
        return (value.ravel(), "one text per sample") if value.ndim == 1 or 1 in value.shape else None
    if value.dtype.kind not in "biuf" or value.ndim > 2:
        return None
    if value.ndim == 1 or 1 in value.shape:
        return _from_vector(value.ravel())
    return _from_one_hot(sparse.csr_array(value)) if np.isin(value, (0, 1)).all() else None


def without_useless_labels(found: Understanding) -> Understanding:
    """Drop labels that carry no information on a clustering: one class alone, or one per sample.

    Every labelling agrees fully with a single class, and no clustering can agree with a class for each sample.
    """
    data = found.data
    if data.labels is None:
        return found
    known = data.labels[data.labels >= 0]
    classes = len(np.unique(known))
    if classes > 1 and (classes < len(known) or classes < _FEWEST_IDS):
        return found
    why = "all labelled samples are of one class" if classes == 1 else f"each of {classes} samples is its own class"
    n_clusters = None if data.n_clusters == classes else data.n_clusters
    unlabelled = replace(data, labels=None, classes=None, n_clusters=n_clusters)
    return replace(found, data=unlabelled, not_used=(*found.not_used, f"the labels ({why})"))


def _from_vector(vector: NDArray[Any]) -> tuple[NDArray[Any], str] | None:
    if vector.dtype.kind == "f":
        known = vector[~np.isnan(vector)]
        if not known.size or not are_whole(known):
            return None
        if known.size == vector.size:
            vector = vector.astype(np.int64)
    return vector, "a vector"


def _from_one_hot(matrix: Any) -> tuple[NDArray[Any], str] | None:
    table = sparse.csr_array(matrix)
    if table.nnz == 0 or not (table.data == 1).all():
        return None
    for one_hot, side in ((table, "row"), (sparse.csr_array(table.T), "column")):
        marked = np.diff(one_hot.indptr)
        if one_hot.shape[0] > one_hot.shape[1] >= 2 and marked.max() == 1 and marked.mean() > _MOSTLY:
            values = np.full(one_hot.shape[0], -1, dtype=np.int64)
            values[marked == 1] = one_hot.indices + int(marked.all())  # from 0 where -1 says that some have no class
            return values, f"one-hot, one {side} per sample"
    return None


def _from_cell(cell: CellArray) -> tuple[NDArray[Any], str] | None:
    texts = ["" if isinstance(item, np.ndarray) and not item.size else item for item in cell.items]  # [] for a blank
    if len(texts) >= 2 and all(isinstance(text, str) for text in texts) and any(texts):
        return np.array([text.strip() for text in texts]), "a cell of texts"
    copies = [read_labels(item) for item in cell.items]
    if not copies or any(copy is None for copy in copies):
        return None
    vectors = [copy[0] for copy in copies if copy is not None]
    if any(not np.array_equal(vectors[0], vector) for vector in vectors[1:]):
        return None
    return vectors[0], f"a cell of {len(vectors)} copies" if len(vectors) > 1 else "a vector in a cell"
