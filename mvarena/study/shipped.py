"""The studies that come with mvarena, found by name, and the files of one's own, found by path."""

from __future__ import annotations

import os
from pathlib import Path

from mvarena.errors import unknown_name
from mvarena.study.file import StudyFile, read_study_file

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
