"""Studies written as files, so that they read back to the same plan."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import tomli_w

from mvarena.contracts.parameters import parsed_parameter
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog
from mvarena.registry.user_code import is_local
from mvarena.study.building import Block
from mvarena.study.components import component_named, contestants_of
from mvarena.study.families import is_pattern
from mvarena.study.keys import RUNS, STUDY_KEYS
from mvarena.study.model import Contestant
from mvarena.study.settings import Said
from mvarena.study.sources import is_path, source_from_text
from mvarena.text import without_passwords

_PER_RUN = tuple(key.name for key in STUDY_KEYS if key.per_run)
_Name: TypeAlias = str | tuple[str, str]  # of a key, or a component and its parameter


def save_study(
    path: Path, blocks: Sequence[Block], options: Said, catalog: Catalog, heads: Sequence[Mapping[str, str]] = ()
) -> None:
    """Write `blocks` to a new TOML file; paths in it are relative to its folder.

    What all runs have in common stands above them; a database's address is written without its password.
    heads : title and description, of the file and of each run.
    Raises InvalidSetting for a file that is there already or that cannot be written.
    """
    text = study_text(blocks, options, path.parent, catalog, heads)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InvalidSetting(f"{path} exists already; name another file, or remove it.", field="save") from error
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be written: {error.strerror}.", field="save") from error


def study_text(
    blocks: Sequence[Block], options: Said, folder: Path, catalog: Catalog, heads: Sequence[Mapping[str, str]] = ()
) -> str:
    """The TOML that `save_study` writes into a file of `folder`."""
    pool = [contestant for block in blocks for contestant in contestants_of(block.study, catalog)]
    runs = [_run(block, pool, folder, catalog) for block in blocks]
    above: dict[_Name, Any] = {name: options.settings[name] for name in options.settings if name not in _PER_RUN}
    if "db" in above:
        is_url = "://" in above["db"]
        above["db"] = without_passwords(above["db"]) if is_url else _moved(above["db"], options.folder("db"), folder)
    padded: list[Mapping[str, str]] = [*heads, *({} for _ in range(len(runs) + 1))]
    head, *own = padded
    first, *others = runs
    common = {name: v for name, v in first.items() if all(name in run and run[name] == v for run in others)}
    document: dict[str, Any] = {**head, **_shown(common | above)}
    if len(runs) > 1:
        rest = [{name: value for name, value in run.items() if name not in common} for run in runs]
        document[RUNS] = [{**item, **_shown(run)} for item, run in zip(own, rest, strict=False)]
    return tomli_w.dumps(document)


def _run(block: Block, pool: Sequence[Contestant], folder: Path, catalog: Catalog) -> dict[_Name, Any]:
    """Key -> value, and component and parameter -> value."""
    settings = block.said
    result: dict[_Name, Any] = {name: settings.settings[name] for name in _PER_RUN if name in settings.settings}
    result["algo"] = [
        _moved(name, settings.folder("algo"), folder) if is_local(name) else name for name in settings.settings["algo"]
    ]
    result["data"] = [_moved_data(text, settings.folder("data"), folder) for text in settings.settings["data"]]
    if "name" in result:
        result["name"] = [_moved_name(text, settings.folder("data"), folder) for text in result["name"]]
    for key in ("labels", "outcomes"):
        if key in result:
            result[key] = _moved(result[key], settings.folder(key), folder)
    result.pop("param", None)  # each parameter by itself
    return result | _params(block, pool, catalog)


def _shown(settings: Mapping[_Name, Any]) -> dict[str, Any]:
    """In the order of the keys, single values without a list around them; tables last, as TOML has it."""
    values = {key.name: _single(settings[key.name]) for key in STUDY_KEYS if key.name in settings}
    params: dict[str, dict[str, Any]] = {}
    for component, name in (key for key in settings if isinstance(key, tuple)):
        params.setdefault(component, {})[name] = settings[component, name]
    return values | ({"param": params} if params else {})


def _single(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return value
    return value[0] if len(value) == 1 else list(value)


# paths --------------------------------------------------------------------------------------------------------


def _moved(text: str, start: Path, folder: Path) -> str:
    """A path that starts at `start` as one that starts at `folder`; an absolute one stays."""
    if Path(text).expanduser().is_absolute():
        return text
    return Path(os.path.relpath(start / text, folder)).as_posix()


def _moved_name(text: str, start: Path, folder: Path) -> str:
    """'faces=path/faces.mat' with its path moved; a file's mere name is found wherever the file is."""
    name, equals, path = text.partition("=")
    return f"{name}={_moved(path, start, folder)}" if equals and "/" in path else text


def _moved_data(text: str, start: Path, folder: Path) -> str:
    base, bracket, views = text.partition("[")
    if not is_path(base) or start.absolute() == folder.absolute():
        return text
    if is_pattern(base):
        return f"{_moved(base, start, folder)}{bracket}{views}"
    source = source_from_text(text, folder=start)
    picked = f"[{','.join(source.views)}]" if source.views else ""
    return ",".join(_moved(os.path.relpath(path), Path(), folder) for path in source.paths) + picked


# parameters ---------------------------------------------------------------------------------------------------


def _params(block: Block, pool: Sequence[Contestant], catalog: Catalog) -> dict[tuple[str, str], Any]:
    result: dict[tuple[str, str], Any] = {}
    for component, table in block.study.params.items():
        target = catalog.load(component_named(component, pool, catalog))
        for name, values in table.items():
            written = [_written(component, target, name, value) for value in values]
            alone = len(written) == 1 and not isinstance(written[0], (str, list))
            result[component, name] = written[0] if alone else written
    return result


def _written(component: str, target: Any, name: str, value: Any) -> Any:
    """A value as TOML has it, so that it reads back as itself: none is a text there."""
    if value is None:
        return "none"
    if not isinstance(value, str):
        return value
    for text in (value, json.dumps(value)):
        if parsed_parameter(component, target, name, text) == value:
            return text
    raise InvalidSetting(f"{component}.{name} = {value!r} cannot be written to a study file.", field="save")
