"""View and MultiViewData: the one thing that flows through the arena. Immutable, validated once.

A sample that a view misses has an all-zero row there (and a zero column in a kernel or distance view) and
False in the mask; outside, as a list of arrays, it is a row of NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from mvarena.errors import InvalidData, unknown_name
from mvarena.fingerprint import new_digest, update_with_array, update_with_matrix
from mvarena.samples import clean_ids, clean_labels
from mvarena.text import small_html_table

Kind: TypeAlias = Literal["features", "kernel", "distance"]
Matrix: TypeAlias = Any  # NDArray[np.float64], or of float32 where it is kept, or scipy.sparse.csr_array of float64
_LOOKED_AT = 2**17  # entries at a time, which the processor keeps at hand


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """One view: its name, a matrix (dense or CSR; float64, or float32 where `keep_single`) and what the numbers mean.

    `features` is n x d; `kernel` (similarities) and `distance` are symmetric n x n.

    Examples
    --------
    >>> from mvarena import load_dataset
    >>> load_dataset("digits").views[0].n_features
    76
    """

    name: str
    matrix: Matrix
    kind: Kind = "features"

    @property
    def n_samples(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.matrix.shape[1])

    @property
    def is_sparse(self) -> bool:
        return bool(sparse.issparse(self.matrix))

    def __repr__(self) -> str:
        return f"View({self.name}: {self.n_samples} x {self.n_features} {'sparse ' * self.is_sparse}{self.kind})"


@dataclass(frozen=True, eq=False)
class MultiViewData:
    """Samples seen in several views, some of them missing.

    Parameters
    ----------
    name : what users call the data.
    views : at least one `View`; names unique, all with the same number of rows n.
    mask : (n, n_views) bool, True where the view observes the sample. None: rows that are NaN throughout are
        missing, all others observed. Where a mask is given, whatever stands in a missing row is ignored.
    labels : (n,) the classes of the samples, any hashable values; -1, None or NaN means unlabelled. Or None.
    n_clusters : how many clusters to look for; by default the number of classes.
    keep_single : whether dense float32 features stay so, memory-mapped ones on disk. Methods whose
        capabilities say `single` then count with them block by block; all others get a copy in double precision.
    ids : (n,) a name for each sample, no two the same; or None. The same data with other ids have the same fingerprint,
        and no algorithm sees them.

    Raises InvalidData, naming the view and the row, for NaN or infinity in an observed row, shapes that do not
    agree, a sample that no view observes, a view that observes no sample, or a kernel that is not symmetric.
    Cost: one pass over the entries; arrays that are float64 already are not copied, unless rows that they miss hold
    anything but zeros.

    Examples
    --------
    >>> from mvarena import MultiViewData
    >>> MultiViewData.from_arrays([[[0.0], [1.0]], [[5.0, 2.0], [float("nan")] * 2]]).mask.tolist()
    [[True, True], [True, False]]
    """

    name: str
    views: tuple[View, ...]
    mask: NDArray[np.bool_] = None  # type: ignore[assignment]
    labels: NDArray[np.int64] | None = None
    n_clusters: int | None = None
    classes: tuple[str, ...] | None = field(default=None)
    keep_single: bool = False
    ids: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        views, mask = _clean_views(self.name, tuple(self.views), self.mask, self.keep_single)
        labels, classes = clean_labels(self.name, self.labels, self.classes, len(mask))
        ids = clean_ids(self.name, self.ids, len(mask))
        n_clusters = self.n_clusters
        if n_clusters is None and classes is not None:
            n_clusters = len(classes)
        if n_clusters is not None and n_clusters < 1:
            raise InvalidData(f"{self.name}: n_clusters must be at least 1, not {n_clusters}.")
        self._set(views=views, mask=mask, labels=labels, classes=classes, n_clusters=n_clusters, ids=ids)

    def _set(self, **fields: Any) -> None:
        for key, value in fields.items():
            object.__setattr__(self, key, value)

    def _derive(self, **fields: Any) -> MultiViewData:
        """A changed copy whose fields are known to be valid: nothing is checked or copied again."""
        derived = object.__new__(MultiViewData)
        kept = ("name", "views", "mask", "labels", "n_clusters", "classes", "keep_single", "ids")
        derived._set(**{key: getattr(self, key) for key in kept} | fields)
        return derived

    # what it is -------------------------------------------------------------------------------------------

    @property
    def n_samples(self) -> int:
        return int(self.mask.shape[0])

    @property
    def n_views(self) -> int:
        return len(self.views)

    @property
    def view_names(self) -> tuple[str, ...]:
        return tuple(view.name for view in self.views)

    @property
    def is_complete(self) -> bool:
        """True if every view observes every sample."""
        return bool(self.mask.all())

    @cached_property
    def complete_samples(self) -> NDArray[np.bool_]:
        """(n,) True for the samples that every view observes."""
        return np.asarray(self.mask.all(axis=1))

    @cached_property
    def fingerprint(self) -> str:
        """64 hex digits of the content: views (names, kinds, numbers), mask, labels, n_clusters; no name, no ids."""
        digest = new_digest()
        for view in self.views:
            digest.update(f"|{view.name}|{view.kind}|".encode())
            update_with_matrix(digest, view.matrix)
        update_with_array(digest, self.mask, "|b1")
        update_with_array(digest, self.labels, "<i8")
        digest.update(str(self.n_clusters).encode())
        return digest.hexdigest()

    @cached_property
    def view_digests(self) -> tuple[str, ...]:
        """Of each view, 64 hex digits of its numbers alone: equal ones say that two data sets share a view."""
        digests = [new_digest() for _ in self.views]
        for digest, view in zip(digests, self.views, strict=True):
            update_with_matrix(digest, view.matrix)
        return tuple(digest.hexdigest() for digest in digests)

    def view(self, name: str) -> View:
        """The view of that name."""
        return self.views[self._index(name)]

    def _index(self, name: str) -> int:
        if name not in self.view_names:
            hint = f"The views of {self.name} are: {', '.join(self.view_names)}."
            raise unknown_name("view", name, self.view_names, hint)
        return self.view_names.index(name)

    def __repr__(self) -> str:
        views = ", ".join(f"{v.name} {v.n_features}{' sparse' if v.is_sparse else ''}" for v in self.views)
        missing = "complete" if self.is_complete else f"{1 - self.mask.mean():.0%} of the rows missing"
        return f"MultiViewData({self.name}: {self.n_samples} samples, views {views}; {missing})"

    def _repr_html_(self) -> str:
        heads = ("view", "kind", "features", "samples seen")
        seen = self.mask.sum(axis=0)
        rows = [(view.name, view.kind, view.n_features, count) for view, count in zip(self.views, seen, strict=True)]
        return small_html_table(repr(self), heads, rows)

    # what can be made of it -------------------------------------------------------------------------------

    def select_views(self, names: Sequence[str]) -> MultiViewData:
        """These views, in this order, with the samples that at least one of them observes."""
        index = [self._index(name) for name in names]
        if len(set(index)) != len(index) or not index:
            raise InvalidData(f"{self.name}: give at least one view, each only once; got {', '.join(names) or 'none'}.")
        picked = self._derive(views=tuple(self.views[i] for i in index), mask=_frozen(self.mask[:, index]))
        if "view_digests" in self.__dict__:
            picked.__dict__["view_digests"] = tuple(self.view_digests[i] for i in index)
        seen = picked.mask.any(axis=1)
        return picked if seen.all() else picked.take(np.flatnonzero(seen))

    def take(self, samples: NDArray[np.int64]) -> MultiViewData:
        """These samples, in this order: a subset or a permutation."""
        views = tuple(replace(v, matrix=_take_rows(v, samples)) for v in self.views)
        labels = None if self.labels is None else _frozen(self.labels[samples])
        ids = None if self.ids is None else tuple(self.ids[i] for i in samples)
        return self._derive(views=views, mask=_frozen(self.mask[samples]), labels=labels, ids=ids)

    def with_mask(self, mask: NDArray[np.bool_]) -> MultiViewData:
        """The same data observed only where `mask` (n, n_views) and the present mask are both True."""
        mask = np.asarray(mask, dtype=bool)
        if mask.shape != self.mask.shape:
            raise InvalidData(f"{self.name}: the mask is {mask.shape}, the data need {self.mask.shape}.")
        mask = mask & self.mask
        _check_coverage(self.name, self.view_names, mask)
        views = tuple(
            view if (mask[:, i] == self.mask[:, i]).all() else replace(view, matrix=_blank(view, ~mask[:, i]))
            for i, view in enumerate(self.views)
        )
        return self._derive(views=views, mask=_frozen(mask))

    def with_views(self, views: Iterable[View], mask: NDArray[np.bool_] | None = None) -> MultiViewData:
        """The same samples, labels and ids with other views, validated; the mask stays unless one is given."""
        mask = self.mask if mask is None else mask
        return replace(self, views=tuple(views), mask=mask)

    def holding(
        self, views: tuple[View, ...], mask: NDArray[np.bool_], labels: NDArray[np.int64] | None
    ) -> MultiViewData:
        """The same data in other arrays that hold the same numbers, which is not checked: the fingerprint stays."""
        return self._with_digests(self._derive(views=views, mask=mask, labels=labels))

    def _with_digests(self, same: MultiViewData) -> MultiViewData:
        """`same`, which holds the same numbers, with the digests that are known of these."""
        for name in ("fingerprint", "view_digests"):
            if name in self.__dict__:
                same.__dict__[name] = self.__dict__[name]
        return same

    def in_double(self) -> MultiViewData:
        """The same data with every view in double precision; itself where they are."""
        if all(view.matrix.dtype == np.float64 for view in self.views):
            return self
        doubled = (
            v if v.is_sparse else replace(v, matrix=_frozen(np.asarray(v.matrix, np.float64))) for v in self.views
        )
        return self._derive(views=tuple(doubled), keep_single=False)

    def renamed(self, name: str) -> MultiViewData:
        """The same data under another name."""
        same = self._derive(name=name)
        return self._with_digests(same)

    def without_labels(self) -> MultiViewData:
        """Copy without labels and ids, as an algorithm may see it; the number of clusters stays."""
        return self._derive(labels=None, classes=None, ids=None)

    def to_arrays(self) -> list[Any]:
        """A list of float64 arrays in which a missing sample is a row of NaN.

        A sparse view stays CSR when it misses no sample and becomes dense otherwise: NaN rows are dense.
        """
        return [_with_nan_rows(view, ~self.mask[:, i]) for i, view in enumerate(self.views)]

    @classmethod
    def from_arrays(
        cls,
        arrays: Sequence[ArrayLike | sparse.sparray | sparse.spmatrix],
        *,
        mask: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        n_clusters: int | None = None,
        name: str = "data",
        view_names: Sequence[str] | None = None,
        kinds: Sequence[Kind] | None = None,
        keep_single: bool = False,
        ids: Sequence[str] | None = None,
    ) -> MultiViewData:
        """Data from one n x d array or sparse matrix per view; a missing sample is a NaN row, or False in `mask`.

        ids : as of the class. keep_single : as of the class, for arrays such as `np.load(path, mmap_mode="r")` gives.
        """
        if isinstance(arrays, np.ndarray) and arrays.ndim == 2:
            raise InvalidData(f"{name}: give a list with one array per view, not a single array; wrap it as [array].")
        names = list(view_names) if view_names is not None else [f"view{i}" for i in range(len(arrays))]
        kinds = list(kinds) if kinds is not None else ["features"] * len(arrays)
        if not len(arrays) == len(names) == len(kinds):
            raise InvalidData(
                f"{name}: {len(arrays)} views, {len(names)} view names, {len(kinds)} kinds; give one each."
            )
        views = tuple(View(view_name, array, kind) for view_name, array, kind in zip(names, arrays, kinds, strict=True))
        requested: dict[str, Any] = {"mask": mask, "labels": labels, "n_clusters": n_clusters, "ids": ids}
        return cls(name, views, **requested, keep_single=keep_single)


# cleaning -------------------------------------------------------------------------------------------------


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = array.view()
    array.flags.writeable = False
    return array


def frozen_sparse(matrix: Matrix, change: Callable[[NDArray[Any]], NDArray[Any]] = _frozen) -> Matrix:
    """The same CSR matrix as an object of its own, whose three arrays are read-only, or what `change` makes of them."""
    own = sparse.csr_array(matrix)
    own.data, own.indices, own.indptr = change(own.data), change(own.indices), change(own.indptr)
    own.has_canonical_format = matrix.has_canonical_format  # else it is found out again, in a pass over all entries
    return own


def _clean_views(
    name: str, views: tuple[View, ...], mask: ArrayLike | None, keep_single: bool
) -> tuple[tuple[View, ...], NDArray[np.bool_]]:
    if not views:
        raise InvalidData(f"{name}: there is no view; give at least one.")
    names = [view.name for view in views]
    if len(set(names)) != len(names):
        raise InvalidData(f"{name}: two views share a name among {', '.join(names)}; rename one.")
    matrices = [_as_matrix(name, view, keep_single) for view in views]
    n = matrices[0].shape[0]
    for view, matrix in zip(views, matrices, strict=True):
        _check_shape(name, view, matrix, n, names[0])
    if mask is None:
        observed = np.column_stack([~_all_nan_rows(matrix) for matrix in matrices])
    else:
        observed = _as_mask(name, mask, (n, len(views)))
    _check_coverage(name, names, observed)
    cleaned = []
    for i, (view, matrix) in enumerate(zip(views, matrices, strict=True)):
        full = View(view.name, matrix, view.kind)
        if not observed[:, i].all():
            full = replace(full, matrix=_blank(full, ~observed[:, i]))
        _check_numbers(name, full)
        freeze = frozen_sparse if full.is_sparse else _frozen
        cleaned.append(replace(full, matrix=freeze(full.matrix)))
    return tuple(cleaned), _frozen(observed)


def _as_matrix(name: str, view: View, keep_single: bool) -> Matrix:
    if view.kind not in get_args(Kind):
        kinds = ", ".join(get_args(Kind))
        raise InvalidData(f"{name}: view '{view.name}' is of kind '{view.kind}'; the kinds are {kinds}.")
    if sparse.issparse(view.matrix):
        matrix = sparse.csr_array(view.matrix)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix.astype(np.float64, copy=False)
    try:
        array = np.asarray(view.matrix)
        if array.dtype.kind not in "biuf" and not (array.dtype.kind == "O" and array.ndim == 2):
            raise TypeError(f"its type is {array.dtype}")
        if not (keep_single and array.dtype == np.float32 and view.kind == "features"):
            array = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidData(f"{name}: view '{view.name}' is not a matrix of real numbers: {error}.") from error
    if array.ndim != 2:
        raise InvalidData(f"{name}: view '{view.name}' has {array.ndim} dimension(s); a view is samples x features.")
    return array


def _check_shape(name: str, view: View, matrix: Matrix, n: int, first: str) -> None:
    rows, columns = matrix.shape
    if rows != n:
        raise InvalidData(
            f"{name}: view '{view.name}' has {rows} rows and view '{first}' has {n}; every view needs one row per "
            "sample (a missing sample is a row of NaN)."
        )
    if rows == 0 or columns == 0:
        raise InvalidData(f"{name}: view '{view.name}' is empty ({rows} x {columns}).")
    if view.kind != "features" and rows != columns:
        raise InvalidData(f"{name}: view '{view.name}' is a {view.kind}, so it must be n x n, not {rows} x {columns}.")


def _as_mask(name: str, mask: ArrayLike, shape: tuple[int, int]) -> NDArray[np.bool_]:
    array = np.asarray(mask)
    if array.shape != shape:
        raise InvalidData(f"{name}: the mask is {array.shape}; it must be samples x views, {shape}.")
    if not np.isin(array, (0, 1)).all():
        raise InvalidData(f"{name}: the mask must hold only True / False or 1 / 0.")
    return array.astype(bool)


def _check_coverage(name: str, names: Sequence[str], mask: NDArray[np.bool_]) -> None:
    unseen = np.flatnonzero(~mask.any(axis=1))
    if unseen.size:
        raise InvalidData(f"{name}: no view observes {_rows(unseen)}; remove these samples.")
    blind = np.flatnonzero(~mask.any(axis=0))
    if blind.size:
        raise InvalidData(f"{name}: view '{names[blind[0]]}' observes no sample; remove it.")


def _check_numbers(name: str, view: View) -> None:
    matrix = view.matrix
    if sparse.issparse(matrix):
        bad_entries = np.flatnonzero(~np.isfinite(matrix.data))
        bad = np.unique(np.searchsorted(matrix.indptr, bad_entries, side="right") - 1)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            suspects = np.flatnonzero(~np.isfinite(matrix.sum(axis=1)))
        bad = suspects[~np.isfinite(matrix[suspects]).all(axis=1)]
    if bad.size:
        raise InvalidData(
            f"{name}: view '{view.name}' has NaN or infinity in {_rows(bad)}. A missing sample is a row of NaN only; "
            "fill or remove single missing values first."
        )
    if view.kind != "features":
        gap = abs(matrix - matrix.T).max() if view.is_sparse else _asymmetry(matrix)
        if gap > 1e-8 and gap > 1e-8 * abs(matrix).max():
            raise InvalidData(
                f"{name}: view '{view.name}' is a {view.kind} but not symmetric (it differs by {gap:.3g})."
            )


def _asymmetry(matrix: NDArray[Any]) -> float:
    """The largest |m_ij - m_ji| of a matrix (n, n), whose like is not allocated for it."""
    step = max(1, _LOOKED_AT // len(matrix))
    blocks = [(slice(first, first + step), slice(first, None)) for first in range(0, len(matrix), step)]
    return max(float(np.abs(matrix[rows, rest] - matrix[rest, rows].T).max()) for rows, rest in blocks)


def _all_nan_rows(matrix: Matrix) -> NDArray[np.bool_]:
    if sparse.issparse(matrix):
        nans = sparse.csr_array((np.isnan(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
        return np.asarray(nans.sum(axis=1)).ravel() == matrix.shape[1]
    result = np.isnan(matrix[:, 0])
    rows = np.flatnonzero(result)
    result[rows] = np.isnan(matrix[rows]).all(axis=1)
    return np.asarray(result)


def _blank(view: View, missing: NDArray[np.bool_]) -> Matrix:
    """The view's matrix with zeros where samples are missing (whatever stood there, NaN included)."""
    matrix = view.matrix
    gaps = np.flatnonzero(missing)
    sides = () if view.is_sparse else (matrix,) if view.kind == "features" else (matrix, matrix.T)
    if sides and all(_are_zero(side, gaps) for side in sides):
        return matrix
    if sparse.issparse(matrix):
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        gone = missing[rows] if view.kind == "features" else missing[rows] | missing[matrix.indices]
        kept = sparse.coo_array((matrix.data[~gone], (rows[~gone], matrix.indices[~gone])), shape=matrix.shape)
        return frozen_sparse(sparse.csr_array(kept))
    blanked = np.array(matrix)
    blanked[missing] = 0.0
    if view.kind != "features":
        blanked[:, missing] = 0.0
    return _frozen(blanked)


def _are_zero(matrix: NDArray[Any], rows: NDArray[np.int64]) -> bool:
    step = max(1, _LOOKED_AT // matrix.shape[1])
    return not any(matrix[rows[first : first + step]].any() for first in range(0, len(rows), step))


def _take_rows(view: View, samples: NDArray[np.int64]) -> Matrix:
    if view.kind == "features":
        taken = view.matrix[samples]
    else:
        taken = view.matrix[np.ix_(samples, samples)] if not view.is_sparse else view.matrix[samples][:, samples]
    return frozen_sparse(taken) if sparse.issparse(taken) else _frozen(taken)


def _with_nan_rows(view: View, missing: NDArray[np.bool_]) -> Any:
    if not missing.any():
        return view.matrix.copy()
    array = view.matrix.toarray() if sparse.issparse(view.matrix) else np.array(view.matrix)
    array[missing] = np.nan
    if view.kind != "features":
        array[:, missing] = np.nan
    return array


def _rows(rows: NDArray[np.int64]) -> str:
    shown = ", ".join(str(row) for row in rows[:5])
    more = f" and {rows.size - 5} more" if rows.size > 5 else ""
    return f"row{'s' if rows.size > 1 else ''} {shown}{more}"
