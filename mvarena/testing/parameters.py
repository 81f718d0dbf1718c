"""Invalid values of declared parameters, for the checks of all components that have some."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt

from mvarena.contracts.parameters import Parameter, options_of, parameters_of
from mvarena.errors import InvalidSetting
from mvarena.testing.suites import require

_ANYTHING = ("no such value", 0, -1, 1.5, 3, True, math.nan, math.inf, ["a"], None)


def bad_values(parameter: Parameter) -> Iterator[Any]:
    """Values of wrong type, out of range and unknown choices: those that the declaration refuses."""
    for value in (*_ANYTHING, *_beyond(parameter.declared)):
        try:
            parameter.checked(value)
        except InvalidSetting:
            yield value


def require_declared(component: str, target: Any) -> None:
    """Every parameter has a default that its own declaration allows."""
    for name, parameter in parameters_of(target).items():
        require(
            parameter.default is not inspect.Parameter.empty,
            f"{component}: give the parameter {name} a default, so that the component can be made without arguments.",
        )
        try:
            parameter.checked(parameter.default)
        except InvalidSetting as error:
            raise AssertionError(
                f"{component}: the default of {name} is outside its declared range: {error}."
            ) from error


def _beyond(declared: Any) -> Iterator[Any]:
    """The first values beyond the bounds."""
    for option in options_of(declared):
        if get_origin(option) is Annotated:
            for note in get_args(option)[1:]:
                match note:
                    case Gt(gt=bound) | Lt(lt=bound):
                        yield bound
                    case Ge(ge=float() | int() as bound):
                        yield bound - 1
                    case Le(le=float() | int() as bound):
                        yield bound + 1
