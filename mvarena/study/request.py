"""Request behind a run, as stored with results: the words as they were typed, without passwords."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomli_w

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
