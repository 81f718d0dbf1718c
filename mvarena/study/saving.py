"""Studies written as files, so that they read back to the same plan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from mvarena.errors import InvalidSetting
from mvarena.study.building import Block
from mvarena.study.keys import RUNS, STUDY_KEYS
from mvarena.study.settings import Layers
from mvarena.study.sources import base_and_views, is_path, separated
from mvarena.text import without_passwords

_WITH_PATHS = ("algo", "data", "labels", "outcomes", "db")


def save_study(path: Path, blocks: Sequence[Block], options: Layers, heads: Sequence[Mapping[str, str]] = ()) -> None:
    """Write `blocks` to a new TOML file. heads : title and description, of the file and of each run.

    Raises InvalidSetting for a file that is there already or that cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(study_text(blocks, options, path.parent, heads))
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be written: {error.strerror}.", field="save") from error


def study_text(blocks: Sequence[Block], options: Layers, folder: Path, heads: Sequence[Mapping[str, str]] = ()) -> str:
    """The TOML of `blocks` for a file of `folder`, where its paths start; addresses are without passwords."""
    runs = [_table(True, block.said, folder) for block in blocks]
    padded: list[Mapping[str, str]] = [*heads, *[{}] * (len(runs) + 1)]
    head, *titles = padded
    many = {RUNS: [{**title, **run} for title, run in zip(titles, runs, strict=False)]}
    return tomli_w.dumps({**head, **_table(False, options, folder), **(runs[0] if len(runs) == 1 else many)})


def _table(per_run: bool, said: Layers, folder: Path) -> dict[str, Any]:
    """Key -> value, without a list around a single one."""
    table: dict[str, Any] = {}
    for name in (key.name for key in STUDY_KEYS if key.per_run == per_run and key.name in said.settings):
        value = said.settings[name]
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if name in _WITH_PATHS:
            values = [_moved(item, said.folder(name), folder) for item in values]
        table[name] = values[0] if len(values) == 1 else values
    return table


def _moved(text: str, start: Path, folder: Path) -> str:
    """A text whose paths begin at `start`, as 'a.mat' or 'a.csv,b.csv[view]', for `folder`."""
    base, views = base_and_views(text, start)
    parts = separated(base, start)
    if not is_path(base) or "://" in base or any(Path(part).expanduser().is_absolute() for part in parts):
        return without_passwords(text)
    moved = (Path(os.path.relpath(start / part, folder)).as_posix() for part in parts)
    return ",".join(moved) + (f"[{','.join(views)}]" if views else "")
