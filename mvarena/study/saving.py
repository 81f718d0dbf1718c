"""Commands written as study files, so that they read back to the same plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import tomli_w

from mvarena.errors import InvalidSetting
from mvarena.study.keys import STUDY_KEYS
from mvarena.study.settings import Layers
from mvarena.study.sources import base_and_views, is_path, separated
from mvarena.text import without_passwords

_WITH_PATHS = ("algo", "data", "labels", "outcomes", "db")


def save_study(path: Path, said: Layers) -> None:
    """Write `said` to a new TOML file. Raises InvalidSetting for one that is there already or cannot be written."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(study_text(said, path.parent))
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be written: {error.strerror}.", field="save") from error


def study_text(said: Layers, folder: Path) -> str:
    """The TOML of `said` for a file of `folder`, where its paths start; addresses are without passwords."""
    table: dict[str, Any] = {}
    for name in (key.name for key in STUDY_KEYS if key.name in said.settings):
        value = said.settings[name]
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if name in _WITH_PATHS:
            values = [_moved(item, said.folder(name), folder) for item in values]
        table[name] = values[0] if len(values) == 1 else values
    return tomli_w.dumps(table)


def _moved(text: str, start: Path, folder: Path) -> str:
    """A text whose paths begin at `start`, as 'a.mat' or 'a.csv,b.csv[view]', for `folder`."""
    base, views = base_and_views(text, start)
    parts = separated(base, start)
    if not is_path(base) or "://" in base or any(Path(part).expanduser().is_absolute() for part in parts):
        return without_passwords(text)
    moved = (Path(os.path.relpath(start / part, folder)).as_posix() for part in parts)
    return ",".join(moved) + (f"[{','.join(views)}]" if views else "")
