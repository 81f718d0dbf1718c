"""Parameters as data: type, range and choices stand in the annotation beside the default, and are checked once.

    class MIC(MultiViewClusterer):
        alpha: Positive = 0.01
        scale: Literal["mean-entry", "total"] = "mean-entry"

From such a declaration come the check before anything runs, the reading of what users type, and what
`mvarena show` prints. It serves classes (constructor parameters) and functions (keyword arguments) alike.
"""

from __future__ import annotations

import inspect
import json
import math
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, Le, Lt

from mvarena.errors import InvalidSetting, PluginError, unknown_name
from mvarena.text import listed, told_error

Positive: TypeAlias = Annotated[float, Gt(0), Lt(math.inf)]
NonNegative: TypeAlias = Annotated[float, Ge(0), Lt(math.inf)]
Share: TypeAlias = Annotated[float, Gt(0), Le(1)]
Count: TypeAlias = Annotated[int, Ge(1)]

_BOUNDS = {Gt: ("above", "gt"), Ge: ("of at least", "ge"), Lt: ("below", "lt"), Le: ("of at most", "le")}
_KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text", dict: "a table"}
_NONE = ("none", "null")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a component: its name, the declared type, and the default (`inspect.Parameter.empty`: none)."""

    name: str
    declared: Any
    default: Any

    @cached_property
    def words(self) -> str:
        """Allowed values in words, as in 'a whole number of at least 1, or none'."""
        return listed(map(_words, options_of(self.declared)), last="or")

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values of a parameter that has finitely many; empty for any other."""
        values: list[Any] = []
        for option in options_of(self.declared):
            if get_origin(option) is Literal:
                values += get_args(option)
            elif option is bool:
                values += [False, True]
            elif option is not type(None):
                return ()
        return tuple(values)

    def checked(self, value: Any) -> Any:
        """The value as plain Python: a number of NumPy's becomes Python's, a whole number a float where one is due.

        Where no type is declared, a number equal to the default is the default, so that 1 and 1.0 are one setting.

        Raises InvalidSetting, with this parameter's name as the field, for what it may not be.
        """
        # told by its module: plugins are listed through here, which is not to import NumPy
        is_of_numpy = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
        plain = value.item() if is_of_numpy else value
        if self.declared is Any and {type(plain), type(self.default)} == {int, float} and plain == self.default:
            return self.default
        return self._validated(plain, lambda: self._adapter.validate_python(plain, strict=True))

    def parsed(self, text: str) -> Any:
        """The value that a user typed: 'none', 'no', '3', '1e-4' or a text, by the declared type or the default."""
        plain = text.strip()
        if plain.lower() in _NONE and type(None) in options_of(self.declared):
            return None
        if self.declared is Any:
            return _json(plain) if isinstance(self.default, str) else _untyped(plain, self.default)
        if any(_is_list(option) for option in options_of(self.declared)):
            return self._validated(text, lambda: self._adapter.validate_json(plain, strict=True))
        return self._validated(text, lambda: self._adapter.validate_strings(plain))

    def _validated(self, value: Any, read: Any) -> Any:
        from pydantic import ValidationError

        try:
            return read()
        except ValidationError as error:
            raise InvalidSetting(f"must be {self.words}, not {value!r}", field=self.name, value=value) from error

    @cached_property
    def _adapter(self) -> Any:
        from pydantic import ConfigDict, PydanticSchemaGenerationError, TypeAdapter

        try:
            return TypeAdapter(self.declared)
        except PydanticSchemaGenerationError:  # a class of the plugin's own: any instance of it
            return TypeAdapter(self.declared, config=ConfigDict(arbitrary_types_allowed=True))


@cache
def parameters_of(target: Any) -> Mapping[str, Parameter]:
    """The parameters of a class's constructor or of a function's keyword arguments, by name, sorted.

    What is not annotated may be anything. Raises PluginError for what cannot be called, or has no annotations that can
    be read.
    """
    if not callable(target):
        raise PluginError(f"a {type(target).__name__} is neither a class nor a function, which a component must be.")
    hints = _hints(target)
    if inspect.isclass(target) and not hints.keys() >= inspect.signature(target).parameters.keys():
        # a constructor written by hand; that of a dataclass repeats, as texts, names that its module need not know
        hints |= _hints(target.__init__)
    keywords = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    values = [parameter for parameter in inspect.signature(target).parameters.values() if parameter.kind in keywords]
    if not inspect.isclass(target):
        values = [item for item in values if item.kind is inspect.Parameter.KEYWORD_ONLY]
    return {
        item.name: Parameter(item.name, hints.get(item.name, Any), item.default)
        for item in sorted(values, key=lambda one: one.name)
    }


def _hints(target: Any) -> dict[str, Any]:
    """Type hints of a class or function. Raises PluginError for annotations that cannot be read."""
    try:
        return get_type_hints(target, include_extras=True)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # annotations are code
        name = getattr(target, "__qualname__", target)
        raise PluginError(f"the annotations of {name} cannot be read: {told_error(error)[:200]}") from error


def checked_parameters(component: str, target: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` as plain Python values, each checked against the declaration of `target`.

    component : the component's name, for the error. Raises UnknownName for a name that is no parameter, and
    InvalidSetting ('apmc.n_neighbors must be a whole number of at least 1, not 0.') for a value out of range.
    """
    return {name: _named(component, parameter_of(component, target, name).checked, v) for name, v in given.items()}


def parsed_parameter(component: str, target: Any, name: str, text: str) -> Any:
    """Parse a parameter of `target` as typed by a user, by its declared type; errors as `checked_parameters`."""
    return _named(component, parameter_of(component, target, name).parsed, text)


def parameter_of(component: str, target: Any, name: str) -> Parameter:
    """The parameter of that name; UnknownName, with near names, where there is none."""
    known = parameters_of(target)
    if name not in known:
        has = f"Its parameters are {', '.join(known)}." if known else "It has no parameters."
        raise unknown_name(f"parameter of {component}", name, known, has)
    return known[name]


def _named(component: str, read: Any, value: Any) -> Any:
    try:
        return read(value)
    except InvalidSetting as error:
        field = f"{component}.{error.field}"
        raise InvalidSetting(f"{field} {error}.", field=field, value=error.value) from error


def options_of(declared: Any) -> tuple[Any, ...]:
    """The members of a union, with None last; any other type is its own."""
    if get_origin(declared) in (Union, types.UnionType):
        return tuple(sorted(get_args(declared), key=lambda option: option is type(None)))
    return (declared,)


def _words(option: Any) -> str:
    if option is type(None):
        return "none"
    if option is Any:
        return "anything"
    if get_origin(option) is Literal:
        return listed(map(str, get_args(option)), last="or")
    if get_origin(option) is Annotated:
        base, *notes = get_args(option)
        bounds = [f"{_BOUNDS[type(note)][0]} {getattr(note, _BOUNDS[type(note)][1]):g}" for note in notes
                  if type(note) in _BOUNDS and note != Lt(math.inf)]  # fmt: skip
        return " ".join([_words(base), " and ".join(bounds)]).strip()
    if _is_list(option):
        return f"a list, each {listed(map(_words, options_of(get_args(option)[0])), last='or')}"
    kind = get_origin(option) or option
    return _KINDS.get(kind, getattr(kind, "__name__", str(kind)))


def _is_list(option: Any) -> bool:
    base = get_args(option)[0] if get_origin(option) is Annotated else option
    return get_origin(base) is Sequence


def _untyped(text: str, default: Any) -> Any:
    """Value of a typed text where no type is declared and the default is no text: None, a truth, a number, itself."""
    word = text.lower()
    if word in _NONE:
        return None
    if word in ("true", "false") or (isinstance(default, bool) and word in ("yes", "no")):
        return word in ("true", "yes")
    value = _json(text)
    if value == text:
        with suppress(ValueError):
            return float(text) if math.isfinite(float(text)) else text
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
