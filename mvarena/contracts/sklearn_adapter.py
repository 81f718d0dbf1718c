"""A class with `fit` or `fit_predict` as a contestant: it takes views side by side, or a list, and returns labels."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.function_adapter import FunctionClusterer, class_of_function
from mvarena.contracts.gap_handling import MASK, NAN, missing_of
from mvarena.contracts.specs import AlgorithmSpec, Look
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, PluginError

VIEWS, MATRIX = "views", "matrix"
_OURS = ("n_clusters", "random_state")


class WrappedClusterer(MultiViewClusterer):
    """Base of the classes that `wrapped_clusterer` makes.

    wraps : the class inside. gaps : what it gets of missing samples, as `missing_of` says.
    """

    wraps: ClassVar[type]
    gaps: ClassVar[str | None]
    canonical: ClassVar[bool] = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        arena: dict[str, Any] = {"n_clusters": n_clusters, "random_state": self.random_state}
        given = {name: value for name, value in arena.items() if name in _parameters(self.wraps)}
        for name, default in _settings(self.wraps).items():
            value = getattr(self, _renamed(name))
            if not is_same(value, default):  # others the class makes itself
                given[name] = _as_written(value, _defaults(self.wraps)[name])
        estimator = self.wraps(**given)
        of_views = input_of(self.wraps)[0] == VIEWS
        views = _as_list(data, self.gaps) if of_views else _side_by_side(data, self.gaps, self.spec.capabilities.sparse)
        more: dict[str, Any] = {"mask": np.array(data.mask)} if self.gaps == MASK else {}
        if "n_clusters" in _asked_for(self.wraps):
            more["n_clusters"] = n_clusters
        result = _labels(estimator, views, more)
        return Representation(labels=checked_labels(result, data.n_samples, self.wraps.__name__))

    def __reduce__(self) -> Any:
        code = self.wraps.function if issubclass(self.wraps, FunctionClusterer) else self.wraps
        return _rebuilt, (code, vars(self))


@cache
def wrapped_clusterer(kind: type) -> type[WrappedClusterer]:
    """A contestant of `kind`, a class with `fit_predict`, or with `fit` that sets `labels_`.

    It has the parameters of `kind` whose defaults are numbers, texts, lists of these, booleans or None, of which
    n_clusters (None: as many as the data say; it may be one of the method's instead) and random_state come from the
    arena. One that is called as an attribute of its own is (n_init, name, ...) is called estimator_n_init. A label of
    -1 (noise) is a cluster like any other. Samples come in an order of their values.

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
    own = {_renamed(name): default for name, default in _settings(kind).items()}
    open_ones = [
        name for name, default in _parameters(kind).items() if default is inspect.Parameter.empty and name not in _OURS
    ]
    if open_ones:
        ways = f"give {open_ones[0]} a default, or call it n_clusters if it is the number of clusters"
        way = "write a function f(views, n_clusters) that makes and calls one" if _is_of_sklearn(kind) else ways
        raise InvalidSetting(f"{kind.__name__} cannot be wrapped: its parameter {open_ones[0]} has no default; {way}.")
    _require_nothing_else(kind, missing)
    capabilities = Capabilities(
        missing=bool(missing),
        sparse=takes == MATRIX and _takes_sparse(kind),
        deterministic="random_state" not in _parameters(kind),
    )
    of_spec = [field.name for field in fields(AlgorithmSpec) if field.name not in _parameters(kind)]
    attributes = {name: getattr(kind, name, None) for name in of_spec}
    declared = {
        key: value for key, value in attributes.items() if isinstance(value, (str, tuple, list, Capabilities, Look))
    }
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
    asked, what = _asked_for(kind), f"{kind.__name__} cannot be wrapped: {_method_of(kind)}"
    for item in inspect.signature(kind).parameters.values():
        if item.kind is item.POSITIONAL_ONLY:
            raise InvalidSetting(
                f"{kind.__name__} cannot be wrapped: its constructor has {item.name} before '/', where no name can be "
                "given; leave '/' out."
            )
    maskless = missing == MASK and "mask" not in asked
    for name, parameter in asked.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise InvalidSetting(
                f"{what} has {name} before '/', so that it cannot be given by name; leave the '/' out."
            )
        if name == "n_clusters" or (name == "mask" and missing == MASK) or parameter.default is not parameter.empty:
            continue
        default = f"give {name} a default, or call it n_clusters if it is the number of clusters"
        hint = "write missing = 'mask' to get it" if name == "mask" else "call it mask" if maskless else default
        raise InvalidSetting(f"{what} has the parameter {name}, which is not given; {hint}.")
    if maskless and not _takes_any_name(kind):
        raise InvalidSetting(f"{what} has no parameter mask, which missing = 'mask' gives; add it.")


def _method_of(kind: type) -> str:
    """The method that is called: fit_predict, if it is not scikit-learn's around a fit of the class's own."""
    owners = {
        name: next((base for base in kind.__mro__ if name in vars(base)), None) for name in ("fit_predict", "fit")
    }
    if owners["fit_predict"] is None:
        return "fit"
    around = owners["fit"] is not None and _is_of_sklearn(owners["fit_predict"]) and not _is_of_sklearn(owners["fit"])
    return "fit" if around else "fit_predict"


def _asked_for(kind: type) -> dict[str, inspect.Parameter]:
    """The parameters of the method, by name, but for self and the data."""
    items = _parameters_of_method(kind, _method_of(kind))[1:]
    return {item.name: item for item in items if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL)}


def _takes_any_name(kind: type) -> bool:
    return any(item.kind is item.VAR_KEYWORD for item in _parameters_of_method(kind, _method_of(kind)))


def _parameters_of_method(kind: type, method: str) -> list[inspect.Parameter]:
    """Parameters of a method, from the data on."""
    bound = isinstance(inspect.getattr_static(kind, method, None), (staticmethod, classmethod))
    try:
        return list(inspect.signature(getattr(kind, method)).parameters.values())[0 if bound else 1 :]
    except (AttributeError, ValueError):  # there is none, or it is of compiled code
        return []


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
        if parameters := _parameters_of_method(kind, name):
            first = first or parameters[0]
            if _speaks_of_views(parameters[0]):
                return VIEWS, f"guessed from the parameter {parameters[0].name} of {name}"
    return MATRIX, f"guessed from the parameter {first.name}" if first is not None else "guessed"


def _speaks_of_views(parameter: inspect.Parameter) -> bool:
    name = parameter.name.lower()
    annotation = parameter.annotation
    text = annotation.__name__ if isinstance(annotation, type) and not get_args(annotation) else str(annotation)
    text = re.sub(r"\b[\w.]*\.|(optional|union)\[", "", text.lower())
    return "view" in name or name in ("xs", "xv") or "list" in name or text.startswith(("list", "sequence"))


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
    if _method_of(type(estimator)) == "fit_predict":
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
    kind = type(estimator)
    defaults = _parameters(kind)
    lacking = [name for name in defaults if name != "random_state" and not hasattr(estimator, name)]
    if lacking:
        raise InvalidSetting(
            f"{kind.__name__} does not keep its parameter {lacking[0]}; set self.{lacking[0]} in its constructor, as "
            "scikit-learn's estimators do, or give the class."
        )
    changed = {name: getattr(estimator, name) for name in defaults if name != "random_state"}
    return {_renamed(name): value for name, value in changed.items() if not is_same(value, defaults[name])}


def is_same(value: Any, default: Any) -> bool:
    """True if a parameter's value is its default; values of different types never are, but for lists and tuples."""
    if isinstance(value, (list, tuple)) and isinstance(default, (list, tuple)):
        return len(value) == len(default) and all(map(is_same, value, default))
    return value is default or (type(value) is type(default) and np.array_equal(value, default))


def _parameters(kind: Any) -> dict[str, Any]:
    """The defaults of a class's constructor, by name: numbers of NumPy as Python's, lists as tuples."""
    return {name: _frozen(default) for name, default in _defaults(kind).items()}


def _defaults(kind: Any) -> dict[str, Any]:
    made: dict[str, Any] = {item.name: item.default_factory for item in fields(kind)} if is_dataclass(kind) else {}
    return {
        name: made[name]() if made.get(name, MISSING) is not MISSING else item.default
        for name, item in inspect.signature(kind).parameters.items()
        if item.kind in (item.KEYWORD_ONLY, item.POSITIONAL_OR_KEYWORD)
    }


def _as_written(value: Any, default: Any) -> Any:
    """A list or tuple as the one of them that the default is; any other value as it is."""
    several = isinstance(value, (list, tuple)) and isinstance(default, (list, tuple))
    return type(default)(value) if several else value


def _frozen(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


def _settings(kind: Any) -> dict[str, Any]:
    """The defaults that a contestant can have other values for: numbers, texts, lists of these, booleans and None."""
    return {name: value for name, value in _parameters(kind).items() if name not in _OURS and _is_plain(value)}


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, (int, float, str, type(None)))


def _renamed(name: str) -> str:
    """The contestant's name of a parameter: that of the class, unless contestants have an attribute of that name."""
    taken = name in {field.name for field in fields(AlgorithmSpec)} or hasattr(WrappedClusterer, name)
    return f"estimator_{name}" if taken or name in ("wraps", "gaps", "handed") else name


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


def _rebuilt(code: Any, state: dict[str, Any]) -> WrappedClusterer:
    kind: Any = class_of_function(code) if inspect.isfunction(code) else code
    made = wrapped_clusterer(kind)()
    made.__dict__.update(state)
    return made
