"""Errors for users of mvarena: each says what was given, what was expected and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class MvarenaError(Exception):
    """Base of every error that mvarena raises on purpose; the command line prints it as one sentence.

    field : the name of what was set, such as 'repeats' or 'apmc.n_neighbors'; a command line adds its own word for it.
    value : what it was set to.
    """

    def __init__(self, message: str, *, field: str | None = None, value: Any = None) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


class UnknownName(MvarenaError):
    """A name that no plugin provides."""


class InvalidSetting(MvarenaError):
    """A parameter, rate or option outside what is possible."""


class InvalidData(MvarenaError):
    """Data that cannot be what they claim to be: wrong shape, NaN in an observed row, ..."""


class Incompatible(MvarenaError):
    """A contestant cannot take these data (negative values, a third view, ...): its capability says so."""


class DataUnavailable(MvarenaError):
    """A data set's files are not available and could not be downloaded."""


class EngineError(MvarenaError):
    """The machines that were to run the trials cannot."""


class StoreError(MvarenaError):
    """The results database cannot be opened, read or written."""


class NothingToReport(MvarenaError):
    """No result is stored, or none of those that are asked for."""


class FiguresLeftOut(UserWarning):
    """Fewer figures of a kind are drawn than there are; the words say how to have all."""


class PluginError(MvarenaError):
    """A plugin is broken, or two plugins provide one name."""


@contextmanager
def about(field: str) -> Iterator[None]:
    """Errors raised within that name no field are about this one."""
    try:
        yield
    except MvarenaError as error:
        error.field = error.field or field
        raise


# words of other libraries and papers -> the name here
_ALSO_CALLED = {
    "standard": "zscore",
    "standardize": "zscore",
    "standardscaler": "zscore",
    "z-score": "zscore",
    "minmaxscaler": "minmax",
    "min-max": "minmax",
    "normalize": "unit-rows",
    "l2": "unit-rows",
    "mcar": "missing-per-view",
    "missing": "missing-even",
    "noise": "gaussian",
    "accuracy": "acc",
    "f-score": "pair-f",
    "kmeans": "concat",
    "k-means": "concat",
    "spectral": "sc-concat",
}


def unknown_name(kind: str, name: str, known: Iterable[str], hint: str) -> UnknownName:
    """The error for `name`, with the nearest known names and where to see them all.

    One name is suggested where it differs by capitals alone, or is what other libraries call by `name`.
    """
    lower = {item.lower(): item for item in sorted(known)}
    typed = name.lower()
    exact = typed if typed in lower else _ALSO_CALLED.get(typed)
    wanted = [exact] if exact in lower else difflib.get_close_matches(typed, lower, n=3, cutoff=0.5)
    near = [lower[item] for item in wanted]
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return UnknownName(f"There is no {kind} called '{name}'.{meant} {hint}")
