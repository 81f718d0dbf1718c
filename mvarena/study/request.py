"""Request behind a run, as stored with results: the words as they were typed, without passwords."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import tomli_w

from mvarena.study.keys import key_of_field
from mvarena.study.model import plain
from mvarena.text import without_passwords


@dataclass(frozen=True, slots=True)
class Asked:
    """command : as it was typed (`typed_command`). study : the study file that was run, TOML; empty where none was."""

    command: str
    study: str = ""


BY_PYTHON = Asked("mvarena.run from Python")


def typed_command(words: Sequence[str]) -> str:
    """A command line to be kept, quoted for a shell: the words as they were typed, without passwords in addresses."""
    return shlex.join(["mvarena", *map(_kept, words)])


def kept_study(document: Mapping[str, Any]) -> str:
    """The TOML of a study file as it was parsed, by the same rule. Comments, which may hold anything, are left out."""
    return tomli_w.dumps(_kept(document))


def _kept(value: Any) -> Any:
    """Text without passwords, and below the working folder relative to it; tables and lists of such texts."""
    if isinstance(value, Mapping):
        return {_kept(name): _kept(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_kept(item) for item in value]
    return without_passwords(value).replace(f"{os.getcwd()}{os.sep}", "") if isinstance(value, str) else value


# A call of `mvarena.run` as the study file that would have asked the same.

_OF_THE_MACHINE = ("db", "jobs", "scheduler")  # which results do not depend on


def asked_by_call(algorithms: Any, datasets: Any, given: Mapping[str, Any]) -> Asked:
    """Request of a call of `mvarena.run`: its settings as a study file has them.

    given : the other arguments, those that are None left out. Estimators and arrays have no words that would ask for
    them again: of a call with such, only that Python asked.
    """
    named = {"algorithms": algorithms, "datasets": datasets}
    if isinstance(datasets, Mapping):
        named |= {"datasets": list(datasets.values()), "names": [f"{name}={of}" for name, of in datasets.items()]}
    if not (_is_words(algorithms) and _is_words(named["datasets"])):
        return BY_PYTHON
    settings = {name: value for name, value in given.items() if value is not None and name not in _OF_THE_MACHINE}
    document = {key_of_field(name): _in_toml(plain(value)) for name, value in (named | settings).items()}
    return replace(BY_PYTHON, study=kept_study(document))


def _is_words(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value))


def _in_toml(value: Any) -> Any:
    """Value that TOML can hold: None, of a parameter, becomes a word, and anything else its text."""
    if isinstance(value, Mapping):
        return {str(name): _in_toml(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_in_toml(item) for item in value]
    return "none" if value is None else value if isinstance(value, (str, bool, int, float)) else str(value)
