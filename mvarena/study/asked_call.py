"""A call of `mvarena.run` as the study file that would have asked the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mvarena.study.asked import BY_PYTHON, Asked, kept_study
from mvarena.study.keys import key_of_field
from mvarena.study.model import plain

_OF_THE_MACHINE = ("db", "jobs")  # which results do not depend on


def asked_by_call(algorithms: Any, datasets: Any, given: Mapping[str, Any]) -> Asked:
    """What a database keeps of the call: its words as a study file has them.

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
    return isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value))


def _in_toml(value: Any) -> Any:
    """What TOML knows: None, of a parameter, is a word there, and anything else that it lacks is shown by its text."""
    if isinstance(value, Mapping):
        return {str(name): _in_toml(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_in_toml(one) for one in value]
    return "none" if value is None else value if isinstance(value, (str, bool, int, float)) else str(value)
