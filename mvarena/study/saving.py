"""Studies written as files, so that they read back to the same plan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from mvarena.errors import InvalidSetting
from mvarena.registry.user_code import is_local
from mvarena.study.building import Block
from mvarena.study.keys import RUNS, STUDY_KEYS
from mvarena.study.settings import Said
from mvarena.study.sources import is_path
from mvarena.text import without_passwords

_PER_RUN = tuple(key.name for key in STUDY_KEYS if key.per_run)
Heads = Sequence[Mapping[str, str]]


def save_study(path: Path, blocks: Sequence[Block], options: Said, heads: Heads = ()) -> None:
    """Write `blocks` to a new TOML file; paths in it are relative to its folder.

    What all runs have in common stands above them; a database's address is written without its password.
    heads : title and description, of the file and of each run.
    Raises InvalidSetting for a file that is there already or that cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(study_text(blocks, options, path.parent, heads))
    except FileExistsError as error:
        raise InvalidSetting(f"{path} exists already; name another file, or remove it.", field="save") from error
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be written: {error.strerror}.", field="save") from error


def study_text(blocks: Sequence[Block], options: Said, folder: Path, heads: Heads = ()) -> str:
    """The TOML that `save_study` writes into a file of `folder`."""
    runs = [_run(block.said, folder) for block in blocks]
    common = {name: value for name, value in runs[0].items() if all(run.get(name) == value for run in runs)}
    above = {name: options.settings[name] for name in options.settings if name not in _PER_RUN}
    if "db" in above:
        db = without_passwords(above["db"])
        above["db"] = db if "://" in db else _moved(db, options.folder("db"), folder)
    padded: list[Mapping[str, str]] = [*heads, *({} for _ in range(len(runs) + 1))]
    head, *own = padded
    document: dict[str, Any] = {**head, **_nested(common | above)}
    if len(runs) > 1:
        rest = [{name: value for name, value in run.items() if name not in common} for run in runs]
        document[RUNS] = [{**item, **_nested(run)} for item, run in zip(own, rest, strict=False)]
    return tomli_w.dumps(document)


def _run(said: Said, folder: Path) -> dict[str | tuple[str, str], Any]:
    """Key -> value, and component and parameter -> values."""
    result: dict[Any, Any] = {name: said.settings[name] for name in _PER_RUN if name in said.settings}
    for table, values in result.pop("param", {}).items():
        result |= {(table, name): ["none" if value is None else value for value in values[name]] for name in values}
    for key in ("algo", "data", "name", "labels", "outcomes"):
        if key in result:
            start, value = said.folder("data" if key == "name" else key), result[key]
            several = [value] if isinstance(value, str) else value
            result[key] = [_relocated(key, text, start, folder) for text in several]
    return result


def _nested(settings: Mapping[Any, Any]) -> dict[str, Any]:
    """In the order of the keys, single values without a list around them; parameters as tables."""
    values = {key.name: _single(settings[key.name]) for key in STUDY_KEYS if key.name in settings}
    for component, name in (key for key in settings if isinstance(key, tuple)):
        values.setdefault("param", {}).setdefault(component, {})[name] = settings[component, name]
    return values


def _single(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return value
    return value[0] if len(value) == 1 else list(value)


def _relocated(key: str, text: str, start: Path, folder: Path) -> str:
    """A value of `key` in which paths that start at `start` start at `folder`; names stay."""
    if key == "name":
        name, equals, path = text.partition("=")
        return f"{name}={_moved(path, start, folder)}" if equals and "/" in path else text
    base, bracket, views = text.partition("[") if key == "data" and not (start / text).exists() else (text, "", "")
    if (key == "algo" and not is_local(text)) or (key == "data" and not is_path(base)):
        return text
    parts = base.split(",") if key == "data" and not (start / base).exists() else [base]
    return ",".join(_moved(part.strip(), start, folder) for part in parts) + bracket + views


def _moved(text: str, start: Path, folder: Path) -> str:
    """A path that starts at `start` as one that starts at `folder`; an absolute one stays."""
    if Path(text).expanduser().is_absolute():
        return text
    return Path(os.path.relpath(start / text, folder)).as_posix()
