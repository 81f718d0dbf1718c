"""A scikit-learn clusterer as a contestant: it clusters the views side by side and ends in labels."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

_OURS = ("n_clusters", "random_state")
_RENAMED = {"n_init": "estimator_n_init"}


class WrappedClusterer(MultiViewClusterer):
    """Base of the classes that `wrapped_clusterer` makes; `wraps` is the class inside."""

    wraps: ClassVar[type]
    canonical: ClassVar[bool] = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        given = {name: getattr(self, _RENAMED.get(name, name)) for name in _parameters(self.wraps)}
        if "n_clusters" in given:
            given["n_clusters"] = n_clusters
        result = np.asarray(self.wraps(**given).fit_predict(_side_by_side(data, self.spec.capabilities.sparse)))
        return Representation(labels=np.unique(result, return_inverse=True)[1].astype(np.int64))

    def __reduce__(self) -> Any:
        return _rebuilt, (self.wraps, vars(self))


@cache
def wrapped_clusterer(kind: type) -> type[WrappedClusterer]:
    """A contestant of `kind`, a class with `fit_predict`, which clusters the views side by side.

    It has the parameters of `kind`, of which n_clusters (None: as many as the data say) and random_state come from
    the arena, and n_init is called estimator_n_init. Incomplete data are refused: a transform such as fill-mean must
    come first. A label of -1 (noise) is a cluster like any other. Samples come in an order of their values.

    Raises InvalidSetting where `kind` has no `fit_predict`, or a parameter without default.
    """
    if not callable(getattr(kind, "fit_predict", None)):
        raise InvalidSetting(
            f"{kind.__name__} is no contestant: it is no MultiViewClusterer and has no fit_predict as scikit-learn's "
            "clusterers do."
        )
    own = {_RENAMED.get(name, name): default for name, default in _parameters(kind).items() if name not in _OURS}
    open_ones = [name for name, default in own.items() if default is inspect.Parameter.empty]
    if open_ones:
        raise InvalidSetting(
            f"{kind.__name__} cannot be wrapped: its parameter {open_ones[0]} has no default; write a subclass of "
            "MultiViewClusterer that sets it."
        )
    capabilities = Capabilities(
        missing=False, sparse=_takes_sparse(kind), deterministic="random_state" not in _parameters(kind)
    )
    body: dict[str, Any] = {"wraps": kind, "capabilities": capabilities, "__module__": kind.__module__}
    body["__annotations__"] = dict.fromkeys(own, Any)
    body["__doc__"] = f"{kind.__name__} on the views side by side.\n\nParameters of {kind.__name__}: {', '.join(own)}."
    return type(kind.__name__, (WrappedClusterer,), body | own)


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


def _side_by_side(data: MultiViewData, takes_sparse: bool) -> Any:
    if takes_sparse and all(view.is_sparse for view in data.views):
        return sparse.csr_array(sparse.hstack([view.matrix for view in data.views]))
    return np.hstack([view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views])


def _rebuilt(kind: type, state: dict[str, Any]) -> WrappedClusterer:
    made = wrapped_clusterer(kind)()
    made.__dict__.update(state)
    return made
