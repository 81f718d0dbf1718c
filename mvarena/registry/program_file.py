"""`algorithm.toml`: a program in any language, announced by a file; its version is a hash of its files."""

from __future__ import annotations

import hashlib
import keyword
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Ge, Gt, Le, MinLen

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.parameters import Parameter, parameter_of
from mvarena.contracts.program import Format, Program, Writes
from mvarena.contracts.specs import AlgorithmSpec, Verification
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.registry.code_version import PREFIX

ENDING = ".toml"
Text: TypeAlias = Annotated[str, MinLen(1)]
Texts: TypeAlias = Annotated[Sequence[Text], MinLen(1)]
Kind: TypeAlias = Literal["features", "kernel", "distance"]
Number: TypeAlias = Annotated[int, Ge(0)]
Value: TypeAlias = bool | int | float | str
_OF_SPEC = ("name", "summary", "source", "label", "cost", "status")
_OF_CAPABILITIES = ("negative", "deterministic", "min_views", "max_views", "complete_samples")
_BOUNDS: Mapping[str, Any] = {"min": Ge, "max": Le, "above": Gt}
_OURS = ("n_clusters", "n_init", "random_state")
_NAMED_PARAMETER = re.compile(r"\{param\.(\w+)\}")
_NAMED_FILE = re.compile(r"\{folder\}(?:/([\w.+-]+(?:/[\w.+-]+)*))?")


def _keys(
    *,
    name: Text,
    summary: Text,
    source: Text,
    label: Text,
    cost: Text,
    status: Verification,
    prepare: Texts,
    command: Texts,
    python: Text,
    script: Text,
    arguments: Texts,
    files: Texts,
    install: Text,
    format: Format,
    writes: Writes,
    takes: Literal["views", "matrix"],
    missing: Literal["nan", "mask"],
    samples: Literal["rows", "columns"],
    kinds: Sequence[Kind],
    negative: bool,
    deterministic: bool,
    min_views: Number,
    max_views: Number,
    complete_samples: Number,
    parameters: dict[str, Any],
) -> None:
    """Declare the keys of the file."""


def _keys_of_parameter(
    *, default: Value | Sequence[Value], min: float, max: float, above: float, choices: Sequence[Value], about: str
) -> None:
    """Declare the keys of a table below `parameters`."""


def program_spec(text: str) -> AlgorithmSpec:
    """The spec of an `algorithm.toml`. Raises InvalidSetting, with the file and the key, for what it cannot say."""
    path = Path(text).expanduser().resolve()
    if not path.is_file():
        raise InvalidSetting(f"There is no file {text}; give the path of a file that announces a program.")
    return program_at(path)[0]


def program_at(path: Path) -> tuple[AlgorithmSpec, Program]:
    """The same with the program; errors as `program_spec`."""
    said = _read(path)
    command = _command(said)
    tables = {name: _table(path, name, value) for name, value in said.get("parameters", {}).items()}
    for name in _NAMED_PARAMETER.findall(" ".join(command)):
        if name not in tables:
            raise unknown_name(f"parameter of {path}", name, tables, "Its command names {param.NAME}.")
    given = {item.name: said[item.name] for item in fields(Program) if item.name in said}
    given["parameters"] = tuple(_parameter(path, name, table) for name, table in tables.items())
    about = {name: table["about"] for name, table in tables.items() if "about" in table}
    return _spec(path, said), Program(**(given | {"file": path, "command": command, "about": about}))


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
    _check(path, "", _keys, said)
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
    return said


def _check(path: Path, place: str, declared: Any, given: Mapping[str, Any]) -> None:
    """Raise UnknownName for a key of `given` that is not declared, and InvalidSetting for a value that it may not have.

    place : of these keys in the file.
    """
    for key, value in given.items():
        try:
            parameter_of(str(path), declared, key).checked(value)
        except InvalidSetting as error:
            raise InvalidSetting(f"{path}: {place}{key} {error}.", field=f"{place}{key}", value=value) from error


def _command(said: Mapping[str, Any]) -> tuple[str, ...]:
    if "command" in said:
        return tuple(said["command"])
    # -E: variables of this environment's Python are not for another one
    return (said["python"], "-E", f"{{folder}}/{said['script']}", "{input}", "{output}", *said.get("arguments", ()))


def _spec(path: Path, said: Mapping[str, Any]) -> AlgorithmSpec:
    given = {key: said[key] for key in _OF_SPEC if key in said}
    capabilities = Capabilities(
        kinds=frozenset(said.get("kinds", ["features"])),
        missing="missing" in said,
        sparse=False,
        **{key: said[key] for key in _OF_CAPABILITIES if key in said},
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


def _table(path: Path, name: str, value: Any) -> Mapping[str, Any]:
    """Default, bounds, choices and meaning of a parameter, checked; a value that is no table is the default."""
    key = f"parameters.{name}"
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name in _OURS:
        raise InvalidSetting(
            f"{path}: a parameter cannot be called '{name}'; use letters, digits and underscores, and neither "
            f"{', '.join(_OURS)} nor a word of Python (lambda_ in place of lambda).",
            field=key,
        )
    table = value if isinstance(value, dict) else {"default": value}
    _check(path, f"{key}.", _keys_of_parameter, table)
    if "default" not in table:
        raise InvalidSetting(f"{path}: {key} has no default; write {name} = {{default = ...}}.", field=key)
    return table


def _parameter(path: Path, name: str, table: Mapping[str, Any]) -> Parameter:
    """The parameter that a table declares. Raises InvalidSetting for a default that its bounds or choices rule out."""
    default: Any = tuple(table["default"]) if isinstance(table["default"], list) else table["default"]
    kind: Any = type(default)
    bounds = [bound(table[key]) for key, bound in _BOUNDS.items() if key in table]
    if bounds and kind not in (int, float):
        raise InvalidSetting(f"{path}: parameters.{name} has a bound, and its default is no number.", field=name)
    if kind is tuple:
        kind = Sequence[type(default[0]) if default else float]  # type: ignore[misc]
    elif bounds:
        kind = Annotated[(kind, *bounds)]
    result = Parameter(name, Literal[tuple(table["choices"])] if "choices" in table else kind, default)
    try:
        result.checked(default)
    except InvalidSetting as error:
        raise InvalidSetting(f"{path}: the default of parameters.{name} {error}.", field=name) from error
    return result
