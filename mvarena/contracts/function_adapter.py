"""A function f(views, n_clusters, ...) that returns labels, as a class with `fit_predict`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from mvarena.errors import InvalidSetting

_OF_THE_METHOD = ("n_clusters", "mask")
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class FunctionClusterer:
    """Base of the classes that `class_of_function` makes; `function` is the function inside."""

    function: ClassVar[Callable[..., Any]]

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)


@cache
def class_of_function(function: Callable[..., Any]) -> type[FunctionClusterer]:
    """A class whose `fit_predict` calls the function, whose constructor has its further parameters.

    Its first parameter gets the data, n_clusters the number of clusters, and mask the mask; attributes of the function
    (takes, missing, name, ...) are those of the class. Raises InvalidSetting for a function without parameters.
    """
    name = function.__name__.strip("<>")  # of a lambda
    parameters = [item for item in inspect.signature(function).parameters.values() if item.kind in _NAMED]
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.kind not in (*_NAMED, inspect.Parameter.POSITIONAL_ONLY):
        raise InvalidSetting(
            f"the function {name} cannot be used as an algorithm: it takes no data; write it as "
            f"{name}(views, n_clusters), to return one label per sample."
        )
    everything = list(inspect.signature(function).parameters.values())
    if fixed := [item.name for item in everything[1:] if item.kind is inspect.Parameter.POSITIONAL_ONLY]:
        raise InvalidSetting(
            f"the function {name} has {fixed[0]} before '/', so that it cannot be given by name; leave the '/' out."
        )
    rest = [item for item in parameters if item.name != first.name]
    asked = [item for item in rest if item.name in _OF_THE_METHOD]
    own = [item for item in rest if item.name not in _OF_THE_METHOD]

    def fit_predict(self: FunctionClusterer, data: Any, **more: Any) -> Any:
        return function(data, **more, **vars(self))

    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    data = first.replace(kind=inspect.Parameter.POSITIONAL_ONLY)
    by_name = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in asked]
    fit_predict.__signature__ = inspect.Signature([this, data, *by_name])  # type: ignore[attr-defined]
    body = vars(function) | {
        "__doc__": function.__doc__,
        "__module__": function.__module__,
        "__qualname__": name,
        "__signature__": inspect.Signature([item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own]),
        "function": staticmethod(function),
        "fit_predict": fit_predict,
    }
    return type(name, (FunctionClusterer,), body)
