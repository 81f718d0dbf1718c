"""Studies as files: TOML, whose keys are those of `mvarena.study.keys`.

    title = "MIC on digits"
    data = "digits[fou,fac]"
    rates = "0.1:0.9:0.2"

    [[run]]
    algo = ["mic", "concat"]
    param.mic.beta = [0.01, 0.1]

    [[run]]
    algo = "apmc"
    prepare = "paper"

What stands above the runs holds for each of them that does not say otherwise. A file without runs is one run.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from mvarena.errors import InvalidSetting, unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.study.building import Block, blocks_of
from mvarena.study.keys import RUNS, STUDY_KEYS, TITLES
from mvarena.study.settings import Layer, Layers, checked, laid_over
from mvarena.study.sources import base_and_views, is_path, separated
from mvarena.text import without_passwords

NOWHERE = Layer({})
_ABOVE_RUNS = tuple(key.name for key in STUDY_KEYS if not key.per_run)


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study file as it was read: nothing is looked up yet.

    path : of the file. defaults : what stands above its runs. runs : one layer for each.
    head : title and description, where there are any. document : all of it, as parsed.
    """

    path: Path
    defaults: Layer
    runs: tuple[Layer, ...]
    head: Mapping[str, str]
    document: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Title of the study; '' where none is given."""
        return self.head.get("title", "")

    @property
    def description(self) -> str:
        """Description of the study; '' where none is given."""
        return self.head.get("description", "")

    def said(self, upper: Layer = NOWHERE) -> list[Layers]:
        """Settings of each run, where `upper` (a command line, a caller) overrides the file."""
        return [laid_over([self.defaults, run, upper]) for run in self.runs]

    def blocks(self, catalog: Catalog, upper: Layer = NOWHERE) -> list[Block]:
        """The runs as studies. Raises UnknownName and InvalidSetting that name the file, the run and the key."""
        return blocks_of(self.said(upper), catalog)


def read_study_file(path: str | Path, *, shown: str = "") -> StudyFile:
    """The study in a TOML file; shown : what errors call it, by default its path.

    Raises InvalidSetting, naming the file, the run and the key, for a file that is none, for a value of another kind
    and for what may only stand above the runs; UnknownName for a key that there is not.
    """
    path = Path(path)
    shown = shown or str(path)
    document = _parsed(path, shown)
    own = {name: value for name, value in document.items() if name not in (*TITLES, RUNS)}
    head = _head(document, shown)
    tables = document.get(RUNS, [])
    if isinstance(tables, Mapping):
        tables = [tables]
    if not isinstance(tables, list) or not all(isinstance(item, Mapping) for item in tables):
        raise InvalidSetting(f"{shown}: each run is a table; write [[run]] above its keys.")
    defaults = Layer(checked(own, shown), shown, path.parent)
    runs = []
    for number, table in enumerate(tables, 1):
        where = f"{shown}, run {number}"
        _head(table, where)
        runs.append(_run(table, where, path.parent))
    return StudyFile(path, defaults, tuple(runs) or (NOWHERE,), head, document)


def _run(table: Mapping[str, Any], where: str, folder: Path) -> Layer:
    for name in table:
        if name in _ABOVE_RUNS:
            raise InvalidSetting(f"{where}: {name} applies to the whole file; write it above the first [[run]].")
        if name == RUNS:
            raise InvalidSetting(
                f"{where}: a run cannot contain runs; write one [[run]] for each, one after the other."
            )
    return Layer(checked({name: v for name, v in table.items() if name not in TITLES}, where), where, folder)


def _parsed(path: Path, shown: str) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError as error:
        beside = [one.name for one in path.parent.glob("*.toml")]
        hint = "'mvarena run ... --save FILE' writes one; 'mvarena list studies' lists those of mvarena."
        raise unknown_name("study file", shown, beside, hint) from error
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidSetting(f"{shown} cannot be read as a study file (TOML): {reason}.") from error


def _head(table: Mapping[str, Any], where: str) -> dict[str, str]:
    result = {name: table[name] for name in TITLES if name in table}
    for name, value in result.items():
        if not isinstance(value, str):
            raise InvalidSetting(f"{where}: {name} must be a text, not {value!r}.")
    return result


# The studies that come with mvarena, found by name, and the files of one's own, found by path.

ENDING = ".toml"
FOLDER = Path(__file__).parents[1] / "studies"


def shipped_studies() -> dict[str, Path]:
    """Name -> file, sorted by name."""
    return {path.stem: path for path in sorted(FOLDER.glob(f"*{ENDING}"))}


def study_at(text: str | os.PathLike[str]) -> StudyFile:
    """The study behind a path or the name of a shipped one.

    Text with an ending or a folder is a path. Raises UnknownName for a name that there is not, else as
    `read_study_file`.
    """
    given = os.fspath(text)
    known = shipped_studies()
    if given in known:
        return read_study_file(known[given], shown=given)
    if "." in given or "/" in given or os.sep in given:
        return read_study_file(given)
    raise unknown_name("study", given, known, "See 'mvarena list studies'; a file of your own ends in .toml.")


# Commands written as study files, so that they read back to the same plan.

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
