"""Settings of a study, from a file or elsewhere: each key's value checked, and layers merged."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from mvarena.errors import InvalidSetting, MvarenaError
from mvarena.study.keys import AUTO_JOBS, StudyKey, key_named, key_of_field
from mvarena.study.values import chained, numbers_from, parse_duration, parse_size, raw_params

Settings: TypeAlias = Mapping[str, Any]
"""Key -> its value in the one form that `checked` gives."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place.

    where : the place, as errors name it: 'study.toml, run 2'; empty for what stands in no file.
    folder : where its relative paths start.
    """

    settings: Settings
    where: str = ""
    folder: Path = Path()


@dataclass(frozen=True, slots=True)
class Layers:
    """Layers as one: what holds of each key, and which layer said it.

    shared : components whose parameters a lower layer sets, which this study need not use.
    """

    settings: Settings
    origin: Mapping[str, Layer]
    shared: frozenset[str] = frozenset()
    where: str = ""

    @property
    def compares_preparations(self) -> bool:
        """True where scalings, fillings or preparations are set: such a run of a study ranks no methods."""
        return not self.settings.keys().isdisjoint(("scale", "fill", "prepare"))

    def folder(self, key: str) -> Path:
        """Folder at which relative paths in the value of `key` start."""
        return self.origin[key].folder if key in self.origin else Path()

    def located(self, error: MvarenaError) -> MvarenaError:
        """The error with the file, the run and the key that it is about; as it is, where no file is."""
        key = key_of_field(error.field)
        where = self.origin[key].where if key in self.origin else self.where
        if not where or str(error).startswith(self.where):
            return error
        text = f"{str(error).removesuffix('.')} (key '{key}')." if key else str(error)
        return type(error)(f"{where}: {text}")


def checked(settings: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Key -> value in one form: tuples for what is several, parameters by component.

    Raises UnknownName for a key that there is not, and InvalidSetting, naming the place and the key, for a value of
    another kind.
    """
    result = {}
    for name, value in settings.items():
        try:
            key = key_named(name)
            result[name] = _CHECKS[key.kind](key, value)
        except MvarenaError as error:
            if not where:
                raise
            text = str(error)
            if not text.startswith((f"{name} ", "There is no key")):
                text = f"{text.removesuffix('.')} (key '{name}')."
            raise type(error)(f"{where}: {text}") from None
    return result


def checked_field(field: str, value: Any) -> Any:
    """Value of the key behind a field of `Study`, in the same form; errors call it by the field's name."""
    key = key_named(key_of_field(field))
    return _CHECKS[key.kind](replace(key, name=field), value)


def laid_over(layers: Iterable[Layer]) -> Layers:
    """The layers, the lowest first, as one: an upper layer's value takes the place of a lower one's.

    Parameters are replaced one by one, not all together. What an upper layer makes void goes with it: rates where its
    corruptions carry their own; a file's labels, outcomes and orientation where it names other data; a scaling
    and a filling where it says all steps of preparation, and the other way round.
    """
    settings: dict[str, Any] = {}
    origin: dict[str, Layer] = {}
    shared: set[str] = set()
    where = ""
    for layer in layers:
        for void in _made_void(layer.settings, settings):
            settings.pop(void, None)
        if "scale" in layer.settings and "prepare" not in layer.settings and "prepare" in settings:
            settings["prepare"] = tuple(word for word in settings["prepare"] if "=" in word)
        params = settings.get("param", {})
        shared = {*params, *shared} - set(layer.settings.get("param", {}))
        settings |= layer.settings
        settings["param"] = _merged(params, layer.settings.get("param", {}))
        origin |= dict.fromkeys(layer.settings, layer)
        where = layer.where or where
    kept = {name: value for name, value in settings.items() if value != {} and (name != "prepare" or value)}
    return Layers(kept, origin, frozenset(shared), where)


def _made_void(upper: Settings, lower: Settings) -> set[str]:
    void = set()
    if "corrupt" in upper and "rates" in lower and not any(_takes_rates(text) for text in upper["corrupt"]):
        void |= {"rates"}
    if "data" in upper:
        void |= {"labels", "orientation", "impute", "header", "decimal", "drop", "outcomes", "time", "event"}
    if any("=" not in word and word != "auto" for word in upper.get("prepare", ())):
        void |= {"scale", "fill"}
    return void


def _takes_rates(text: str) -> bool:
    return any(":" not in part and part != "none" for part in chained(text))


def _merged(lower: Mapping[str, Settings], upper: Mapping[str, Settings]) -> dict[str, dict[str, Any]]:
    return {name: {**lower.get(name, {}), **upper.get(name, {})} for name in {**lower, **upper}}


# one check for each kind of value -----------------------------------------------------------------------------


def _text(key: StudyKey, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(key, value, f'a text, as in {key.name} = "{key.default or "NAME"}"')
    return value


def _texts(key: StudyKey, value: Any) -> tuple[str, ...]:
    """One text or several; commas separate names, but not the paths of files."""
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, (list, tuple)) or not all(isinstance(item, str) and item.strip() for item in several):
        raise _wrong(key, value, f'a text or a list of texts, as in {key.name} = ["A", "B"]')
    if not several:
        raise _wrong(key, value, "at least one text")
    if key.name in ("data", "scale", "drop"):
        return tuple(several)
    return tuple(part.strip() for item in several for part in item.split(",") if part.strip())


def _preparation(key: StudyKey, value: Any) -> tuple[str, ...]:
    """Names apart; what is said of one algorithm, 'apmc=minmax,unit-rows', in one piece; {apmc = ...} alike."""
    if isinstance(value, Mapping):
        value = [f"{name}={','.join(_texts(key, words))}" for name, words in value.items()]
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, (list, tuple)) or not several or not all(isinstance(item, str) for item in several):
        raise _wrong(key, value, 'a text or a list of texts, as in prepare = ["paper", "apmc=unit-rows"]')
    words = [item for text in several for item in ([text] if "=" in text else text.split(","))]
    return tuple(word.strip() for word in words if word.strip())


def _whole(key: StudyKey, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(key, value, f"a whole number, as in {key.name} = {key.default or 5}")
    return value


def _numbers(key: StudyKey, value: Any) -> tuple[int, ...]:
    several = list(value) if isinstance(value, (list, tuple)) else [value]
    if not several or any(isinstance(item, bool) or not isinstance(item, (int, str)) for item in several):
        raise _wrong(key, value, f'whole numbers or a range, as in {key.name} = 5 or {key.name} = "2:10"')
    numbers = (number for item in several for number in (numbers_from(item) if isinstance(item, str) else (item,)))
    return tuple(dict.fromkeys(numbers))


def _switch(key: StudyKey, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(key, value, f"true or false, as in {key.name} = false")
    return value


def _rates(key: StudyKey, value: Any) -> tuple[str | float, ...]:
    """Numbers as they are and texts as they are typed: they are read where their corruption is known."""
    several = list(value) if isinstance(value, (list, tuple)) else [value]
    if not several or any(isinstance(item, bool) or not isinstance(item, (int, float, str)) for item in several):
        raise _wrong(key, value, 'numbers or texts, as in rates = [0.1, 0.3] or rates = "0.1:0.9:0.2"')
    return tuple(item if isinstance(item, str) else float(item) for item in several)


def _duration(key: StudyKey, value: Any) -> str | float:
    if isinstance(value, str):
        parse_duration(value)
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise _wrong(key, value, f'a text as {key.name} = "10m", or seconds above 0')
    return float(value)


def _size(key: StudyKey, value: Any) -> str | int:
    if isinstance(value, str):
        parse_size(value)
        return value
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise _wrong(key, value, f'a text as {key.name} = "8GiB", or bytes above 0')
    return value


def _jobs(key: StudyKey, value: Any) -> str | int:
    """A number, typed or not, or the word for as many as there is room for."""
    number = int(value) if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() else value
    if number == AUTO_JOBS or (isinstance(number, int) and not isinstance(number, bool) and number > 0):
        return number
    raise _wrong(key, value, f"a whole number of at least 1, or {AUTO_JOBS}")


def _params(key: StudyKey, value: Any) -> dict[str, dict[str, tuple[Any, ...]]]:
    """[param.mic] beta = [0.01, 0.1], "mic.beta" = [0.01, 0.1], or texts as "mic.beta=0.01,0.1"."""
    if isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)):
        return raw_params([value] if isinstance(value, str) else value)
    if not isinstance(value, Mapping):
        raise _wrong(key, value, 'a table, as in param.mic.beta = [0.01, 0.1], or texts as "mic.beta=0.01,0.1"')
    result: dict[str, dict[str, tuple[Any, ...]]] = {}
    for name, inner in value.items():
        component, dot, parameter = name.rpartition(".")
        if not dot and not isinstance(inner, Mapping):
            raise _wrong(key, inner, f"a table for {name}, as in param.{name}.PARAMETER = VALUE")
        table = {parameter: inner} if dot else inner
        into = result.setdefault(component if dot else name, {})
        for item, given in table.items():
            if item in into:
                raise InvalidSetting(f"param.{name} is given twice.", field=key.field)
            into[item] = _values(key, f"{component if dot else name}.{item}", given)
    return result


def _values(key: StudyKey, name: str, given: Any) -> tuple[Any, ...]:
    """A list is a grid; a text is read as it would be typed, with commas between the values of a grid."""
    if isinstance(given, str):
        ((table,),) = (raw_params([f"{name}={given}"]).values(),)
        return next(iter(table.values()))
    values = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    if not values or not all(_is_plain(value) for value in values):
        raise _wrong(key, given, f"a number, a text, true or false, or a list of them, as {name}")
    return values


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, (bool, int, float, str))


def _wrong(key: StudyKey, value: Any, wanted: str) -> InvalidSetting:
    shown = repr(value) if len(repr(value)) < 60 else f"{repr(value)[:57]}..."
    return InvalidSetting(f"{key.name} must be {wanted}, not {shown}.", field=key.field, value=value)


_CHECKS: Mapping[str, Callable[[StudyKey, Any], Any]] = {
    "text": _text,
    "texts": _texts,
    "prepare": _preparation,
    "whole": _whole,
    "numbers": _numbers,
    "switch": _switch,
    "rates": _rates,
    "duration": _duration,
    "size": _size,
    "params": _params,
    "jobs": _jobs,
}
