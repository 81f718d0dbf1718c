"""`algorithm.toml`: a program in any language, announced by a file; its version is a hash of its files."""

from __future__ import annotations

import hashlib
import keyword
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.program import Format, Program, ProgramParameter, Writes
from mvarena.contracts.specs import AlgorithmSpec, Verification
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.registry.code_version import PREFIX
from mvarena.text import listed

ENDING = ".toml"
_TEXT, _YES, _COUNT, _TEXTS = "a text", "true or false", "a whole number", "a list of texts"
_CHECKS: Mapping[str, Any] = {
    _TEXT: lambda value: isinstance(value, str) and bool(value),
    _YES: lambda value: isinstance(value, bool),
    _COUNT: lambda value: type(value) is int and value >= 0,
    _TEXTS: lambda value: isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value),
}
_OF_SPEC = ("name", "summary", "source", "label", "cost")
_KEYS: Mapping[str, str | tuple[str, ...]] = {
    **dict.fromkeys(_OF_SPEC, _TEXT),
    "status": get_args(Verification),
    "prepare": _TEXTS,
    "command": _TEXTS,
    "python": _TEXT,
    "script": _TEXT,
    "arguments": _TEXTS,
    "files": _TEXTS,
    "install": _TEXT,
    "format": get_args(Format),
    "writes": get_args(Writes),
    "takes": ("views", "matrix"),
    "missing": ("nan", "mask"),
    "samples": ("rows", "columns"),
    "kinds": _TEXTS,
    "negative": _YES,
    "deterministic": _YES,
    "min_views": _COUNT,
    "max_views": _COUNT,
    "complete_samples": _COUNT,
    "parameters": "a table",
}
_KINDS = ("features", "kernel", "distance")
_BOUNDS = {"min": "least", "max": "most", "above": "above"}
_OURS = ("n_clusters", "n_init", "random_state")
_NAMED_PARAMETER = re.compile(r"\{param\.(\w+)\}")
_NAMED_FILE = re.compile(r"\{folder\}(?:/([\w.+-]+(?:/[\w.+-]+)*))?")


def program_spec(text: str) -> AlgorithmSpec:
    """The spec of an `algorithm.toml`. Raises InvalidSetting, with the file and the key, for what it cannot say."""
    path = _file(text)
    return _spec(path, _read(path))


def program_at(path: Path) -> tuple[AlgorithmSpec, Program]:
    """The same with the program; errors as `program_spec`."""
    said = _read(path)
    given = {item.name: said[item.name] for item in fields(Program) if item.name in said}
    given |= {"file": path, "command": _command(said), "parameters": tuple(_parameters(path, said))}
    return _spec(path, said), Program(**given)


def _file(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if not path.is_file():
        raise InvalidSetting(f"There is no file {text}; give the path of a file that announces a program.")
    return path


def _read(path: Path) -> dict[str, Any]:
    """The keys of the file, each of its type."""
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"{path} is not TOML: {error}.") from error
    if {"algo", "data", "run"} & said.keys():
        name = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else path
        raise InvalidSetting(
            f"'{name}' is a study file, not an algorithm; give it as the first argument: mvarena run {name}."
        )
    for key, value in said.items():
        if key not in _KEYS:
            raise unknown_name(f"key of {path}", key, _KEYS, f"Its keys are {', '.join(_KEYS)}.")
        allowed = _KEYS[key]
        if isinstance(allowed, tuple):
            fits, words = value in allowed, listed(map(repr, allowed), last="or")
        else:
            fits, words = isinstance(value, dict) if allowed == "a table" else _CHECKS[allowed](value), allowed
        if not fits:
            raise _wrong(path, key, words, value)
    if "name" not in said:
        raise InvalidSetting(f"{path} has no name; write name = 'my-method'.", field="name")
    if "command" in said and "arguments" in said:
        raise InvalidSetting(f"{path}: arguments are for a script; put them into command.", field="arguments")
    if ("command" in said) == ("script" in said) or ("python" in said) != ("script" in said):
        raise InvalidSetting(
            f"{path} must say either command = ['program', 'argument', ...] or both python = 'path of the interpreter' "
            "and script = 'method.py'.",
            field="command",
        )
    if said.get("takes") == "matrix" and said.get("kinds", ["features"]) != ["features"]:
        raise InvalidSetting(f"{path}: takes = 'matrix' puts features side by side; other kinds are taken as views.")
    parameters = said.get("parameters", {})
    _parameters_checked(path, parameters)
    for name in _NAMED_PARAMETER.findall(" ".join(_command(said))):
        if name not in parameters:
            raise unknown_name(f"parameter of {path}", name, parameters, "Its command names {param.NAME}.")
    return said


def _wrong(path: Path, key: str, words: str, value: Any) -> InvalidSetting:
    return InvalidSetting(f"{path}: {key} must be {words}, not {value!r}.", field=key, value=value)


def _command(said: Mapping[str, Any]) -> tuple[str, ...]:
    if "command" in said:
        return tuple(said["command"])
    # -E: variables of this environment's Python are not for another one
    return (said["python"], "-E", f"{{folder}}/{said['script']}", "{input}", "{output}", *said.get("arguments", ()))


def _spec(path: Path, said: Mapping[str, Any]) -> AlgorithmSpec:
    given = {key: said[key] for key in (*_OF_SPEC, "status") if key in said}
    kinds = said.get("kinds", ["features"])
    for kind in kinds:
        if kind not in _KINDS:
            raise _wrong(path, "kinds", f"of {listed(_KINDS)}", kind)
    capabilities = Capabilities(
        kinds=frozenset(kinds),
        missing="missing" in said,
        sparse=False,
        **{
            key: said[key]
            for key in ("negative", "deterministic", "min_views", "max_views", "complete_samples")
            if key in said
        },
    )
    return AlgorithmSpec(
        **{"summary": f"A program: {path.name}", **given},
        target=str(path),
        version=_version(path, said),
        prepare=tuple(said.get("prepare", ())),
        capabilities=capabilities,
    )


# files and their version ----------------------------------------------------------------------------------------


def _version(path: Path, said: Mapping[str, Any]) -> str:
    """'code-' and 12 hex digits of the file and of those of its folder that it names."""
    digest = hashlib.sha256()
    for file in [path, *sorted(_files(path, said))]:
        content = file.read_bytes()
        name = "" if file == path else os.path.relpath(file, path.parent).replace(os.sep, "/")
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return f"{PREFIX}{digest.hexdigest()[:12]}"


def _files(path: Path, said: Mapping[str, Any]) -> set[Path]:
    """The files that the command names as {folder}/NAME or by a whole path, and those that match `files`."""
    found: set[Path] = set()
    for pattern in said.get("files", ()):
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            raise InvalidSetting(f"{path}: files names what is in the file's folder, not {pattern}.", field="files")
        matching = {file for file in path.parent.glob(pattern) if file.is_file() and "__pycache__" not in file.parts}
        if not matching:
            raise InvalidSetting(f"{path}: no file of its folder matches '{pattern}' of files.", field="files")
        found |= matching
    script, words = said.get("script", ""), said.get("command") or said.get("arguments", ())
    if Path(script).is_absolute():
        raise InvalidSetting(f"{path}: script is a path in the file's folder, not {script}.", field="script")
    elsewhere = words[1:] if "command" in said else words
    found |= {Path(word) for word in elsewhere if Path(word).is_absolute() and Path(word).is_file()}
    for name in (script, *_NAMED_FILE.findall(" ".join(words))) if script else _NAMED_FILE.findall(" ".join(words)):
        if name and (path.parent / name).is_file():
            found.add(path.parent / name)
        elif name and not (path.parent / name).exists():
            raise InvalidSetting(f"{path}: there is no {path.parent / name}, which its command names.", field="command")
        elif "files" not in said:
            raise InvalidSetting(
                f"{path}: the command names a folder; name the program's files, as in files = ['*.m'], so that "
                "results of changed files are distinguished.",
                field="files",
            )
    return found - {path}


# parameters -----------------------------------------------------------------------------------------------------


def _parameters_checked(path: Path, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        key = f"parameters.{name}"
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name in _OURS:
            raise InvalidSetting(
                f"{path}: a parameter cannot be called '{name}'; use letters, digits and underscores, and neither "
                f"{', '.join(_OURS)} nor a word of Python (lambda_ in place of lambda).",
                field=key,
            )
        table = value if isinstance(value, dict) else {"default": value}
        unknown = sorted(set(table) - {"default", "choices", "about", *_BOUNDS})
        if unknown or "default" not in table:
            raise InvalidSetting(
                f"{path}: {key} is a value, or a table of default, min, max, above, choices and about"
                + (f", not {', '.join(unknown)}." if unknown else "; it has no default."),
                field=key,
            )
        _default_checked(path, key, table)


def _default_checked(path: Path, key: str, table: Mapping[str, Any]) -> None:
    default = table["default"]
    items = default if isinstance(default, list) else [default]
    if not all(isinstance(item, (bool, int, float, str)) for item in items):
        raise _wrong(path, key, "numbers, texts, lists of them, true or false", default)
    if isinstance(default, list) and len({type(item) for item in items}) > 1:
        raise _wrong(path, key, "a list of one type", default)
    choices = table.get("choices")
    if choices is not None and (not isinstance(choices, list) or default not in choices):
        raise _wrong(path, f"{key}.choices", "a list that holds the default", choices)
    for name in _BOUNDS:
        bound = table.get(name)
        if bound is not None and (type(bound) not in (int, float) or type(default) not in (int, float)):
            raise _wrong(path, f"{key}.{name}", "a number, as its default is", bound)


def _parameters(path: Path, said: Mapping[str, Any]) -> Iterable[ProgramParameter]:
    for name, value in said.get("parameters", {}).items():
        table = value if isinstance(value, dict) else {"default": value}
        default: Any = tuple(table["default"]) if isinstance(table["default"], list) else table["default"]
        bounds = {field: table[key] for key, field in _BOUNDS.items() if key in table}
        item = ProgramParameter(
            name=name, default=default, choices=tuple(table.get("choices", ())), about=table.get("about", ""), **bounds
        )
        outside = [
            item.least is not None and default < item.least,
            item.most is not None and default > item.most,
            item.above is not None and default <= item.above,
        ]
        if any(outside):
            raise _wrong(path, f"parameters.{name}", "within its bounds", default)
        yield item
