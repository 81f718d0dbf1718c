"""Request behind a run, as stored with shared results: no password, and of paths the files' names."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import tomli_w

from mvarena.contracts.source import file_name
from mvarena.study.keys import TITLES, key_of_field
from mvarena.study.model import plain
from mvarena.text import address_without_password, without_passwords

_OPTION = re.compile(r"(?P<name>--?[A-Za-z][\w-]*=)(?P<value>.*)", re.DOTALL)
_ADDRESS = re.compile(r"(?P<host>[A-Za-z][\w+.-]+://[^/?#]+)(?P<rest>.*)", re.DOTALL)
_IS_FILES = re.compile(r"file:|[A-Za-z][\w+.-]*:///", re.IGNORECASE)
_WINDOWS = re.compile(r"(?:^|[=,])(?:[A-Za-z]:[\\/]|\\\\)")
# in a sentence: paths that start at the root, a home or a drive, up to the last separator; 'and/or' stays
_IN_PROSE = re.compile(r"(?<![\w./\\:~-])(?:~\w*|[A-Za-z]:)?[/\\](?:[^\s/\\'\",;()]+[/\\])+(?=[^\s/\\])")


@dataclass(frozen=True, slots=True)
class Asked:
    """command : as it was typed (`typed_command`). study : the study file that was run, TOML; empty where none was."""

    command: str
    study: str = ""


BY_PYTHON = Asked("mvarena.run from Python")


def typed_command(words: Sequence[str]) -> str:
    """A command line to be kept, quoted for a shell: `mvarena run --data faces.mat` for `--data /home/me/faces.mat`.

    Passwords in addresses go, and so do the folders of every path; the driver asks `~/.pgpass` for the one, and whoever
    runs it again knows the other.
    """
    return shlex.join(["mvarena", *map(_kept_word, words)])


def kept_study(document: Mapping[str, Any]) -> str:
    """The TOML of a study file as it was parsed, by the same rules. Comments, which may hold anything, are left out."""
    return tomli_w.dumps(_kept_table(document))


def _kept_table(table: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _kept_word(name): _kept_title(item) if name in TITLES else _kept_value(item) for name, item in table.items()
    }


def _kept_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _kept_table(value)
    if isinstance(value, list):
        return [_kept_value(item) for item in value]
    return _kept_word(value) if isinstance(value, str) else value


def _kept_title(value: Any) -> Any:
    """Titles and descriptions, in which words such as 'and/or' stay."""
    return without_passwords(_IN_PROSE.sub("", value)) if isinstance(value, str) else _kept_value(value)


def _kept_word(word: str) -> str:
    option = _OPTION.fullmatch(word)
    if option:
        return option["name"] + _kept_word(option["value"])
    address = _ADDRESS.fullmatch(word)
    if address and not _IS_FILES.match(word):
        return without_passwords(_kept_address(word))
    return without_passwords(_without_folders(word))


def _kept_address(word: str) -> str:
    """A URL without its password; what its query names by a path (a socket, a certificate) by the file's name."""
    before, mark, query = address_without_password(word).partition("?")
    if "/" not in query and "%2f" not in query.lower():
        return f"{before}{mark}{query}"
    pairs = [(name, _without_folders(value)) for name, value in parse_qsl(query, keep_blank_values=True)]
    return f"{before}?{urlencode(pairs)}"


def _without_folders(word: str) -> str:
    """'faces.mat[a]' for '/home/me/faces.mat[a]', 'a.csv,b.csv' for 'x/a.csv,x/b.csv', 'faces=faces.mat'."""
    path, bracket, views = word.partition("[")
    if not _has_folder(word):
        return word
    if _has_folder(views) or os.path.exists(word):  # a folder may hold brackets, a comma or an equals sign, too
        return file_name(word)
    if os.path.exists(path):
        return file_name(path) + bracket + views
    parts = [_without_folder(part) for part in path.split(",")]
    return ",".join(parts) + bracket + views


def _without_folder(part: str) -> str:
    name, equals, path = part.partition("=")
    if equals and not _has_folder(name):
        rooted = path[:1] in ("/", "~", ".") or _WINDOWS.match(path) or _IS_FILES.match(path)
        of_a_parameter = "." in name and not rooted  # 'mic.beta=1/3' is no path
        return part if of_a_parameter or not _has_folder(path) else name + equals + file_name(path)
    return file_name(part) if _has_folder(part) else part


def _has_folder(text: str) -> bool:
    return "/" in text or bool(_WINDOWS.search(text)) or (os.sep == "\\" and os.sep in text)


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
