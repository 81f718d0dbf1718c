"""A class with `fit` or `fit_predict` as a contestant: it takes views side by side, or a list, and returns labels."""

from __future__ import annotations

import inspect
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.gap_handling import MASK, NAN, missing_of
from mvarena.contracts.specs import AlgorithmSpec, Look
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, PluginError

VIEWS, MATRIX = "views", "matrix"
_OURS = ("n_clusters", "random_state")
_RENAMED = {"n_init": "estimator_n_init"}


class WrappedClusterer(MultiViewClusterer):
    """Base of the classes that `wrapped_clusterer` makes.

    wraps : the class inside. gaps : what it gets of missing samples, as `missing_of` says.
    """

    wraps: ClassVar[type]
    gaps: ClassVar[str | None]
    canonical: ClassVar[bool] = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        given = {name: getattr(self, _RENAMED.get(name, name)) for name in _parameters(self.wraps)}
        if "n_clusters" in given:
            given["n_clusters"] = n_clusters
        estimator = self.wraps(**given)
        of_views = input_of(self.wraps)[0] == VIEWS
        views = _as_list(data, self.gaps) if of_views else _side_by_side(data, self.gaps, self.spec.capabilities.sparse)
        more: dict[str, Any] = {"mask": np.array(data.mask)} if self.gaps == MASK else {}
        if "n_clusters" in _asked_for(self.wraps):
            more["n_clusters"] = n_clusters
        result = _labels(estimator, views, more)
        return Representation(labels=checked_labels(result, data.n_samples, self.wraps.__name__))

    def __reduce__(self) -> Any:
        return _rebuilt, (self.wraps, vars(self))


@cache
def wrapped_clusterer(kind: type) -> type[WrappedClusterer]:
    """A contestant of `kind`, a class with `fit_predict`, or with `fit` that sets `labels_`.

    It has the parameters of `kind`, of which n_clusters (None: as many as the data say; it may be one of the method's
    instead) and random_state come from the arena, and n_init is called estimator_n_init. A label of -1 (noise) is a
    cluster like any other. Samples come in an order of their values.

    What it is handed, `kind` says by its class attribute `takes`: "matrix", the views side by side, or "views", a list
    of dense (n, d_v) arrays. Without it the parameter's name decides (`input_of`). Incomplete data are refused, so that
    a transform such as fill-mean comes first, unless the class attribute `missing` is "nan" (rows of samples that a
    view misses are NaN) or "mask" (they are 0, and `mask`, (n, V), True where observed, is given by that name). Without
    it a parameter mask, calls such as np.isnan and the docstring decide (`missing_of`). Its name, label, source and the
    like may be class attributes, too, as `AlgorithmSpec` has them.

    Raises InvalidSetting where `kind` has neither method, a parameter without default, in its constructor or its
    method, or another `takes` or `missing`.
    """
    if not any(callable(getattr(kind, name, None)) for name in ("fit_predict", "fit")):
        raise InvalidSetting(
            f"{kind.__name__} cannot be used as an algorithm: it is no function and has neither fit nor fit_predict, "
            "as scikit-learn's clusterers have; write a class with fit_predict(self, views), or a function f(views, "
            "n_clusters)."
        )
    takes, reason = input_of(kind)
    missing, why = _missing_of(kind)
    own = {_RENAMED.get(name, name): default for name, default in _parameters(kind).items() if name not in _OURS}
    open_ones = [name for name, default in own.items() if default is inspect.Parameter.empty]
    if open_ones:
        raise InvalidSetting(
            f"{kind.__name__} cannot be wrapped: its parameter {open_ones[0]} has no default; give {open_ones[0]} a "
            "default, or call it n_clusters if it is the number of clusters."
        )
    _require_nothing_else(kind, missing)
    capabilities = Capabilities(
        missing=bool(missing),
        sparse=takes == MATRIX and _takes_sparse(kind),
        deterministic="random_state" not in _parameters(kind),
    )
    attributes = {field.name: getattr(kind, field.name, None) for field in fields(AlgorithmSpec)}
    declared = {key: value for key, value in attributes.items() if isinstance(value, (str, tuple, Capabilities, Look))}
    body: dict[str, Any] = {"wraps": kind, "gaps": missing, "capabilities": capabilities, "__module__": kind.__module__}
    body["__annotations__"] = dict.fromkeys(own, Any)
    words = "a list of views" if takes == VIEWS else "the views side by side"
    named = f"\n\nParameters of {kind.__name__}: {', '.join(own)}." if own else ""
    own_line = "" if _is_of_sklearn(kind) else inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
    body["__doc__"] = (own_line or f"{kind.__name__} on {words}.") + named
    body["handed"] = _handed(kind, words, reason, missing, why)
    return type(kind.__name__, (WrappedClusterer,), body | own | declared)


def _handed(kind: type, words: str, reason: str, missing: str | None, why: str) -> str:
    """Sentence on the input of a class that does not declare it."""
    parts = [f"{words} ({reason}; the attribute takes = '{input_of(kind)[0]}' sets it)"] if reason else []
    if why:
        gaps = "missing samples as rows of NaN" if missing == NAN else "a mask of the samples that views miss"
        parts.append(f"{gaps} (guessed from {why}; the attribute missing = '{missing}' sets it, None has them filled)")
    elif reason and not hasattr(kind, "missing"):
        parts.append("complete data (missing samples are filled; missing = 'nan' or 'mask' gives it the gaps)")
    if "n_clusters" not in {*_parameters(kind), *_asked_for(kind)}:
        parts.append("no number of clusters (it has no parameter n_clusters)")
    return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + "".join(parts[-1:])


def _missing_of(kind: type) -> tuple[str | None, str]:
    """As `missing_of`; a class of scikit-learn gets filled data."""
    if _is_of_sklearn(kind):
        return None, ""
    return missing_of(kind, _method_of(kind), _asked_for(kind))


def _is_of_sklearn(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "sklearn"


def _require_nothing_else(kind: type, missing: str | None) -> None:
    """Raise InvalidSetting for a parameter of the method without default that mvarena does not give."""
    for name, parameter in _asked_for(kind).items():
        if name == "n_clusters" or (name == "mask" and missing == MASK) or parameter.default is not parameter.empty:
            continue
        default = f"give {name} a default, or call it n_clusters if it is the number of clusters"
        hint = "write missing = 'mask' to get it" if name == "mask" else default
        raise InvalidSetting(
            f"{kind.__name__} cannot be wrapped: {_method_of(kind)} has the parameter {name}, which is not given; "
            f"{hint}."
        )


def _method_of(kind: type) -> str:
    return "fit_predict" if callable(getattr(kind, "fit_predict", None)) else "fit"


def _asked_for(kind: type) -> dict[str, inspect.Parameter]:
    """The parameters of the method, by name, but for self and the data."""
    try:
        items = list(inspect.signature(getattr(kind, _method_of(kind))).parameters.values())[2:]
    except ValueError:  # of compiled code
        return {}
    return {item.name: item for item in items if item.kind in (item.KEYWORD_ONLY, item.POSITIONAL_OR_KEYWORD)}


def input_of(kind: type) -> tuple[str, str]:
    """VIEWS or MATRIX, the input of `kind`, and the evidence of the guess ('' for a declaration).

    A class of scikit-learn takes a matrix. Of any other the first parameter of `fit` and of `fit_predict` decides: one
    whose name speaks of views ("Xs", "views", "X_list", ...), or that is annotated as a list, means a list of views.
    Raises InvalidSetting for another declaration.
    """
    declared = getattr(kind, "takes", None)
    if declared in (VIEWS, MATRIX):
        return str(declared), ""
    if declared is not None:
        raise InvalidSetting(
            f"{kind.__name__}.takes is {declared!r}; write takes = 'views' or takes = 'matrix'.", field="takes"
        )
    if _is_of_sklearn(kind):
        return MATRIX, ""
    first = None
    for name in ("fit", "fit_predict"):
        method = getattr(kind, name, None)
        parameters = [] if method is None else list(inspect.signature(method).parameters.values())[1:]
        if parameters:
            first = first or parameters[0]
            if _speaks_of_views(parameters[0]):
                return VIEWS, f"guessed from the parameter {parameters[0].name} of {name}"
    return MATRIX, f"guessed from the parameter {first.name}" if first is not None else "guessed"


def _speaks_of_views(parameter: inspect.Parameter) -> bool:
    name = parameter.name.lower()
    annotation = "" if parameter.annotation is inspect.Parameter.empty else str(parameter.annotation).lower()
    return (
        "view" in name
        or name in ("xs", "xv")
        or "list" in name
        or annotation.startswith(("list", "typing.list", "sequence", "typing.sequence"))
    )


def _as_list(data: MultiViewData, missing: str | None) -> list[NDArray[np.float64]]:
    """The views as dense arrays of their own; missing rows are NaN for a class that takes them so."""
    arrays = [
        view.matrix.toarray() if view.is_sparse else np.array(view.matrix, dtype=np.float64) for view in data.views
    ]
    if missing == NAN:
        for v, array in enumerate(arrays):
            array[~data.mask[:, v]] = np.nan
    return arrays


def _labels(estimator: Any, given: Any, more: dict[str, Any]) -> Any:
    if callable(getattr(estimator, "fit_predict", None)):
        return estimator.fit_predict(given, **more)
    estimator.fit(given, **more)
    if not hasattr(estimator, "labels_"):
        raise PluginError(f"{type(estimator).__name__}.fit set no labels_; set them, or write a fit_predict.")
    return estimator.labels_


def checked_labels(result: Any, n: int, name: str) -> NDArray[np.int64]:
    """Labels from 0. Raises PluginError, with what to do, for anything but one whole number or text per sample."""
    if result is None:
        raise PluginError(f"{name} returned None; fit_predict must return one label per sample.")
    try:
        labels = np.asarray(result)
    except ValueError as error:  # of parts with several shapes
        raise PluginError(
            f"{name} returned a {type(result).__name__} of {len(result)} parts; return one label per sample, alone."
        ) from error
    if labels.ndim != 1 or len(labels) != n:
        shape = f"{len(labels)} labels" if labels.ndim == 1 else f"an array of shape {labels.shape}"
        raise PluginError(f"{name} returned {shape} for {n} samples; one label per sample is needed.")
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.round(labels)):
        raise PluginError(
            f"{name} returned labels that are not whole numbers, such as {labels[labels != np.round(labels)][0]:g}."
        )
    if labels.dtype.kind not in "iufbUS":
        raise PluginError(f"{name} returned labels of type {labels.dtype}; return whole numbers.")
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def changed_parameters(estimator: Any) -> dict[str, Any]:
    """Parameters of an instance of a wrapped class that are not defaults, by the contestant's names."""
    defaults = _parameters(type(estimator))
    changed = {name: getattr(estimator, name) for name in defaults if name != "random_state"}
    return {_RENAMED.get(name, name): value for name, value in changed.items() if not is_same(value, defaults[name])}


def is_same(value: Any, default: Any) -> bool:
    """True if a parameter's value is its default; values of different types never are."""
    return value is default or (type(value) is type(default) and bool(value == default))


def _parameters(kind: Any) -> dict[str, Any]:
    """The defaults of a class's constructor, by name."""
    return {
        name: item.default
        for name, item in inspect.signature(kind).parameters.items()
        if item.kind in (item.KEYWORD_ONLY, item.POSITIONAL_OR_KEYWORD)
    }


def _takes_sparse(kind: Any) -> bool:
    """True if scikit-learn's tags say that sparse input is accepted."""
    try:
        from sklearn.utils import get_tags

        return bool(get_tags(kind()).input_tags.sparse)
    except (ImportError, AttributeError, TypeError, ValueError):
        return False


def _side_by_side(data: MultiViewData, missing: str | None, takes_sparse: bool) -> Any:
    if takes_sparse and missing != NAN and all(view.is_sparse for view in data.views):
        return sparse.csr_array(sparse.hstack([view.matrix for view in data.views]))
    return np.hstack(_as_list(data, missing))


def _rebuilt(kind: type, state: dict[str, Any]) -> WrappedClusterer:
    made = wrapped_clusterer(kind)()
    made.__dict__.update(state)
    return made
