"""View and MultiViewData: the one thing that flows through the arena. Immutable, validated once.

A sample that a view misses has an all-zero row there (and a zero column in a kernel or distance view) and
False in the mask; outside, as a list of arrays, it is a row of NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from mvarena.alignment import joined
from mvarena.errors import InvalidData, unknown_name
from mvarena.fingerprint import new_digest, update_with_array, update_with_matrix
from mvarena.objects import named_views
from mvarena.samples import clean_ids, clean_labels, labels_sentence
from mvarena.text import small_html_table
from mvarena.view_checks import LOOKED_AT, all_nan_rows, as_mask, check_coverage, check_numbers, check_shape

Kind: TypeAlias = Literal["features", "kernel", "distance"]
Matrix: TypeAlias = Any  # NDArray[np.float64], or of float32 where it is kept, or scipy.sparse.csr_array of float64


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """View: a name, a matrix (dense or CSR; float64, or float32 where `keep_single`) and the kind of its numbers.

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
    labels : (n,) the classes of the samples, any hashable values, or a column or dictionary by id; what means
        unlabelled says `mvarena.samples.clean_labels`: None, NaN, -1 beside classes from 0 on, ... Or None.
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
        given = tuple(self.views)
        _check_views(self.name, given)
        matrices = [(view.name, view.matrix, view.kind != "features") for view in given]
        read = joined(self.name, matrices, self.labels, self.mask, self.ids)
        given = tuple(replace(view, matrix=matrix) for view, matrix in zip(given, read.matrices, strict=True))
        views, mask = _clean_views(self.name, given, read.mask, read.present, self.keep_single)
        labels, classes = clean_labels(self.name, read.labels, self.classes, len(mask))
        ids = clean_ids(self.name, read.ids, len(mask))
        n_clusters = _number_of_clusters(self.name, self.n_clusters)
        if n_clusters is None and classes is not None:
            n_clusters = len(classes)
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
        classes = "" if self.labels is None else f"; labels: {labels_sentence(self.labels)}"
        return f"MultiViewData({self.name}: {self.n_samples} samples, views {views}; {missing}{classes})"

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
        """Data that are observed only where `mask` (n, n_views) and the present mask are both True."""
        mask = np.asarray(mask, dtype=bool)
        if mask.shape != self.mask.shape:
            raise InvalidData(f"{self.name}: the mask is {mask.shape}, the data need {self.mask.shape}.")
        mask = mask & self.mask
        check_coverage(self.name, self.view_names, mask)
        views = tuple(
            view if (mask[:, i] == self.mask[:, i]).all() else replace(view, matrix=_blank(view, ~mask[:, i]))
            for i, view in enumerate(self.views)
        )
        return self._derive(views=views, mask=_frozen(mask))

    def with_views(self, views: Iterable[View], mask: NDArray[np.bool_] | None = None) -> MultiViewData:
        """Data with other views of the same samples, validated; the mask stays unless one is given."""
        mask = self.mask if mask is None else mask
        return replace(self, views=tuple(views), mask=mask)

    def holding(
        self, views: tuple[View, ...], mask: NDArray[np.bool_], labels: NDArray[np.int64] | None
    ) -> MultiViewData:
        """Data in other arrays of the same numbers, which is not checked: the fingerprint stays."""
        return self._with_digests(self._derive(views=views, mask=mask, labels=labels))

    def _with_digests(self, same: MultiViewData) -> MultiViewData:
        """`same`, which holds the same numbers, with the digests that are known of these."""
        for name in ("fingerprint", "view_digests"):
            if name in self.__dict__:
                same.__dict__[name] = self.__dict__[name]
        return same

    def in_double(self) -> MultiViewData:
        """Data with every view in double precision; itself where they are."""
        if all(view.matrix.dtype == np.float64 for view in self.views):
            return self
        doubled = (
            v if v.is_sparse else replace(v, matrix=_frozen(np.asarray(v.matrix, np.float64))) for v in self.views
        )
        return self._derive(views=tuple(doubled), keep_single=False)

    def renamed(self, name: str) -> MultiViewData:
        """Data under another name."""
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
        arrays: Any,
        *,
        mask: Any = None,
        labels: Any = None,
        n_clusters: int | None = None,
        name: str = "data",
        view_names: Sequence[str] | None = None,
        kinds: Sequence[Kind] | Mapping[str, Kind] | None = None,
        keep_single: bool = False,
        ids: Iterable[object] | None = None,
    ) -> MultiViewData:
        """Data from one n x d matrix per view; a missing sample is a NaN row, or False in `mask`.

        Parameters
        ----------
        arrays : a list of matrices, a dictionary of them by the names of the views, or a stack (V, n, d). A matrix is
            an array, a sparse matrix, a masked array (masked rows are missing), a table of pandas, polars or xarray,
            nested lists, or anything that NumPy makes an array of.

            Tables whose index is not the count of their rows are joined by it, and it becomes the `ids`: samples that
            a table has not are missing in its view.
        labels, mask : in the order of the samples: of the first table that has all; with an index, by that. A mask
            whose columns have the names of the views goes by these.
        ids : as of the class. keep_single : as of the class, for arrays such as `np.load(path, mmap_mode="r")` gives.

        Raises InvalidData for what is no matrix of numbers, and for indexes that do not meet.
        """
        own, matrices = named_views(name, arrays)
        if own is not None and view_names is not None:
            raise InvalidData(f"{name}: the views have names by their keys; leave view_names out.")
        names = own or list(view_names if view_names is not None else (f"view{i}" for i in range(len(matrices))))
        if isinstance(kinds, Mapping):
            _require_known(name, kinds, names)
            kinds = [kinds.get(view, "features") for view in names]
        kinds = list(kinds) if kinds is not None else ["features"] * len(matrices)
        if not len(matrices) == len(names) == len(kinds):
            raise InvalidData(
                f"{name}: {len(matrices)} views, {len(names)} view names, {len(kinds)} kinds; give one each."
            )
        views = tuple(View(*parts) for parts in zip(names, matrices, kinds, strict=True))
        requested: dict[str, Any] = {"mask": mask, "labels": labels, "n_clusters": n_clusters, "ids": ids}
        return cls(name, views, **requested, keep_single=keep_single)


# cleaning -------------------------------------------------------------------------------------------------


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = array.view()
    array.flags.writeable = False
    return array


def frozen_sparse(matrix: Matrix, change: Callable[[NDArray[Any]], NDArray[Any]] = _frozen) -> Matrix:
    """CSR matrix of its own with read-only arrays, or with those that `change` makes of them."""
    own = sparse.csr_array(matrix)
    own.data, own.indices, own.indptr = change(own.data), change(own.indices), change(own.indptr)
    own.has_canonical_format = matrix.has_canonical_format  # else it is found out again, in a pass over all entries
    return own


def _require_known(name: str, kinds: Mapping[str, Kind], views: Sequence[str]) -> None:
    for view in kinds:
        if view not in views:
            raise unknown_name("view", view, views, f"The views of {name} are: {', '.join(views)}.")


def _number_of_clusters(name: str, given: Any) -> int | None:
    """A whole number of any type as an int; None where none is given."""
    if given is None:
        return None
    if not isinstance(given, (int, float, np.integer, np.floating)) or given != given // 1 or given < 1:
        raise InvalidData(f"{name}: n_clusters must be a whole number from 1, not {given!r}.")
    return int(given)


def _check_views(name: str, views: Sequence[View]) -> None:
    if not views:
        raise InvalidData(f"{name}: there is no view; give at least one.")
    names = [view.name for view in views]
    if len(set(names)) != len(names):
        raise InvalidData(f"{name}: two views share a name among {', '.join(names)}; rename one.")
    known = get_args(Kind)
    for view in views:
        if view.kind not in known:
            raise InvalidData(f"{name}: view '{view.name}' is of kind '{view.kind}'; the kinds are {', '.join(known)}.")


def _clean_views(
    name: str,
    views: tuple[View, ...],
    mask: ArrayLike | None,
    present: NDArray[np.bool_] | None,
    keep_single: bool,
) -> tuple[tuple[View, ...], NDArray[np.bool_]]:
    names = [view.name for view in views]
    matrices = [_as_matrix(view, keep_single) for view in views]
    n = matrices[0].shape[0]
    for view, matrix in zip(views, matrices, strict=True):
        check_shape(name, view, matrix, n, names[0])
    if mask is None:
        observed = np.column_stack([~all_nan_rows(matrix) for matrix in matrices])
    else:
        observed = as_mask(name, mask, (n, len(views)))
        observed = observed if present is None else observed & present
    check_coverage(name, names, observed)
    cleaned = []
    for i, (view, matrix) in enumerate(zip(views, matrices, strict=True)):
        full = View(view.name, matrix, view.kind)
        if not observed[:, i].all():
            full = replace(full, matrix=_blank(full, ~observed[:, i]))
        check_numbers(name, full)
        freeze = frozen_sparse if full.is_sparse else _frozen
        cleaned.append(replace(full, matrix=freeze(full.matrix)))
    return tuple(cleaned), _frozen(observed)


def _as_matrix(view: View, keep_single: bool) -> Matrix:
    """The numbers in double precision, or in single where they are kept so; sparse ones as canonical CSR."""
    if sparse.issparse(view.matrix):
        matrix = sparse.csr_array(view.matrix)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix.astype(np.float64, copy=False)
    if keep_single and view.matrix.dtype == np.float32 and view.kind == "features":
        return view.matrix
    return np.asarray(view.matrix, dtype=np.float64)


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
    step = max(1, LOOKED_AT // matrix.shape[1])
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
