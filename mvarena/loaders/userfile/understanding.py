"""Understand a user's file: find views, labels and mask, and say what was found and why."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting
from mvarena.loaders.checksums import file_sha256
from mvarena.loaders.mapped import mapped
from mvarena.loaders.matfile import read_mat
from mvarena.loaders.userfile.npzform import from_clean_form, is_clean_form, read_npz
from mvarena.loaders.userfile.orientation import Orientation, check_orientation
from mvarena.loaders.userfile.tables import read_tables
from mvarena.loaders.userfile.variables import describe, read_variables

TABLES = (".csv", ".tsv", ".txt")
ENDINGS = (".npz", ".mat", *TABLES)


@dataclass(frozen=True, slots=True, eq=False)
class Understanding:
    """The data of a file, what was understood and why, and the variables that were not used (with what they are)."""

    data: MultiViewData
    understood: tuple[str, ...]
    not_used: tuple[str, ...]


def understand(
    path: Path | Sequence[Path], *, orientation: str | None = None, labels: Path | None = None
) -> Understanding:
    """Read a user's file and say what was made of it.

    Parameters
    ----------
    path : one .npz or .mat file, or one .csv file per view.
    orientation : "rows" or "columns": what the samples are, where the file does not tell.
    labels : a .csv file with the labels, for views in .csv files.

    Raises DataUnavailable for a file that is not there, InvalidData (one sentence) for one that is damaged or
    cannot be data, and InvalidSetting for options that do not go together. Nothing is ever unpickled.
    Cost: reading the file, and O(n d) per view; O(n^2) for n x n matrices.
    """
    wanted = check_orientation(orientation)
    paths = [Path(one) for one in ([path] if isinstance(path, (str, Path)) else path)]
    _check_paths(paths, labels)
    name = paths[0].stem if len(paths) == 1 else "+".join(one.stem for one in paths)
    try:
        data, understood, not_used = _read(name, paths, wanted, labels)
    except MemoryError as error:
        raise InvalidData(f"{paths[0]} needs more memory than there is.") from error
    except InvalidData as error:
        raise type(error)(_one_line(str(error))) from error
    return Understanding(data, tuple(understood), tuple(not_used))


def load_user_data(
    path: Path | Sequence[Path], *, orientation: str | None = None, labels: Path | None = None
) -> MultiViewData:
    """The data of a user's file, as `understand` reads it; read once, then memory-mapped from the user's cache."""
    paths = [Path(one) for one in ([path] if isinstance(path, (str, Path)) else path)]
    _check_paths(paths, labels)
    check_orientation(orientation)
    parts = [f"{one.name}:{file_sha256(one)}" for one in (*paths, *([labels] if labels else []))]
    place = hashlib.sha256(str(paths[0].resolve()).encode()).hexdigest()[:16]
    return mapped(
        f"file-{place}",
        [*parts, f"orientation:{orientation}"],
        lambda: understand(paths, orientation=orientation, labels=labels).data,
    )


def _one_line(message: str) -> str:
    """The message in one line, as names and cells of a damaged file may hold anything."""
    return "".join(letter if letter.isprintable() else "?" for letter in message)


def _check_paths(paths: list[Path], labels: Path | None) -> None:
    if not paths:
        raise InvalidSetting("Name at least one data file.")
    for path in (*paths, *([labels] if labels else [])):
        if not path.is_file():
            raise DataUnavailable(f"There is no file {path}.")
    endings = {path.suffix.lower() for path in paths}
    unknown = sorted(endings - set(ENDINGS))
    if unknown:
        raise InvalidSetting(f"{paths[0]}: data files end in {', '.join(ENDINGS)}, not in '{unknown[0]}'.")
    if len(paths) > 1 and not endings <= set(TABLES):
        raise InvalidSetting("Several files are one .csv file per view; an .npz or .mat file holds all views itself.")
    if labels is not None and not endings <= set(TABLES):
        raise InvalidSetting("--labels goes with .csv files; an .npz or .mat file holds its labels itself.")


def _read(
    name: str, paths: list[Path], wanted: Orientation | None, labels: Path | None
) -> tuple[MultiViewData, list[str], list[str]]:
    path = paths[0]
    if path.suffix.lower() in TABLES:
        if wanted == "columns":
            raise InvalidSetting("In .csv files the samples are rows; transpose the file and leave --orientation out.")
        return read_tables(name, paths, labels)
    if path.suffix.lower() == ".mat":
        return read_variables(name, str(path), read_mat(path), wanted)
    variables = read_npz(path)
    if is_clean_form(variables):
        data = from_clean_form(name, variables)
        known = {"view_names", "kinds", "M", "y", "classes", "n_clusters", *(f"X{i}" for i in range(data.n_views))}
        not_used = [f"{extra} ({describe(value)})" for extra, value in variables.items() if extra not in known]
        views = f"{data.n_views} view{'' if data.n_views == 1 else 's'}"
        return data, [f"it is in mvarena's form: {views} of {data.n_samples} samples"], not_used
    return read_variables(name, str(path), variables, wanted)
