"""A source of data, as a value: a data set's name or a user's files, the views picked, and how to read them.

It is made once, where a user says it, and carried whole; its `name` is for display and is never read back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self, Unpack

from mvarena.contracts.reader import ReadOptions, ReadSettings
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.text import visible

_AS_IS = ReadOptions()
_MOST_STEMS = 3


@dataclass(frozen=True, slots=True)
class OutcomeFile:
    """A CSV file with outcomes of the samples (`mvarena.readers.outcomes`): its absolute path, and its columns with the
    time and the event of survival, '' where it has none. Raises InvalidSetting for one of the two without the other.
    """

    path: str
    time: str = ""
    event: str = ""

    def __post_init__(self) -> None:
        if bool(self.time) != bool(self.event):
            lacking = "event" if self.time else "time"
            raise InvalidSetting(
                f"survival needs a column of times and a column of events; name the {lacking}, too.", field=lacking
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of data: exactly one of `dataset` and `paths` is set.

    dataset : the name of an announced data set.
    paths : absolute paths of a user's files: one, or one for each view.
    views : the picked views, in order; empty for all.
    options : how to read the files.
    outcomes : a user's file with outcomes of the samples; None: those of the data set, if it has any.
    name : what tables call it, as text that can be shown and stored; empty: as it would be typed, and for files their
        short name (`short_name`).

    Raises InvalidSetting for reading options of an announced data set.
    """

    dataset: str = ""
    paths: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    options: ReadOptions = _AS_IS
    outcomes: OutcomeFile | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if bool(self.dataset) == bool(self.paths):
            raise InvalidSetting("give either a data set or paths of files, not both.", field="datasets")
        if self.dataset:
            _refuse(self.dataset, self.options)
        name = self.name or _with_views(self.dataset or short_name(self.paths), self.views)
        object.__setattr__(self, "name", visible(name))

    @classmethod
    def of_files(
        cls,
        paths: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        views: Sequence[str] = (),
        name: str = "",
        folder: Path = Path(),
        **how: Unpack[ReadSettings],
    ) -> Self:
        """A user's files, one or one for each view; relative paths start at `folder`, the working directory.

        how : fields of `ReadOptions`.
        """
        given = [fspath(path) for path in ([paths] if isinstance(paths, (str, PathLike)) else paths)]
        if (labels := how.get("labels")) is not None:
            how["labels"] = _absolute(fspath(labels), folder)
        options = ReadOptions(**how)  # type: ignore[arg-type]  # checked there
        places = tuple(_absolute(path, folder) for path in given)
        return cls(paths=places, views=tuple(views), options=options, name=name)

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that the source itself names, of those that the data are read from."""
        labels = () if self.options.labels is None else (self.options.labels,)
        return tuple(map(Path, (*self.paths, *labels)))

    def called(self, name: str) -> Self:
        """Source under another name, to which the picked views are added: 'faces' is then 'faces[a,b]'."""
        return replace(self, name=_with_views(name, self.views))

    def without_folders(self) -> Self:
        """Source with the names of its files alone, as results that are shared keep it: whose folders they were
        in is nobody's business, and `mvarena.study.file_locations` finds them again where they are."""
        labels = None if self.options.labels is None else file_name(self.options.labels)
        options = replace(self.options, labels=labels)
        outcomes = None if self.outcomes is None else replace(self.outcomes, path=file_name(self.outcomes.path))
        return replace(self, paths=tuple(map(file_name, self.paths)), options=options, outcomes=outcomes)

    def to_json(self) -> str:
        """One line of JSON, in ASCII; what is not set is left out."""
        parts: dict[str, Any] = {
            "dataset": self.dataset,
            "paths": list(self.paths),
            "views": list(self.views),
            **self.options.given(),
            "outcomes": None if self.outcomes is None else asdict(self.outcomes),
            "name": self.name,
        }
        return json.dumps({key: value for key, value in parts.items() if value}, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The source whose `to_json()` this is. Raises InvalidData for any other text."""
        try:
            parts = json.loads(text)
            options = ReadOptions(**{name: parts.pop(name) for name in ReadSettings.__annotations__ if name in parts})
            paths, views = (tuple(parts.pop(key, ())) for key in ("paths", "views"))
            outcomes = parts.pop("outcomes", None)
            of_samples = None if outcomes is None else OutcomeFile(**outcomes)
            return cls(paths=paths, views=views, options=options, outcomes=of_samples, **parts)
        except (ValueError, TypeError, AttributeError, InvalidSetting) as error:
            raise InvalidData(f"'{text[:80]}' does not describe a source of data: {error}.") from error


def _absolute(path: str, folder: Path) -> str:
    return str((folder / path).absolute())


def _refuse(dataset: str, options: ReadOptions) -> None:
    for field, value in options.given().items():
        raise InvalidSetting(
            f"{field} is for your own files, and '{dataset}' is a data set; leave it out.", field=field, value=value
        )


def file_name(path: str) -> str:
    """Part of a path behind its last separator, of this system or another."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def short_name(paths: Sequence[str]) -> str:
    """Display name of a user's files: 'faces' for my/faces.mat, 'a+b' for a.csv and b.csv, 'a+3' for four files."""
    names = [file_name(path).removesuffix(".gz") for path in paths]
    stems = [Path(name).stem.strip() or name for name in names]
    return "+".join(stems) if len(stems) <= _MOST_STEMS else f"{stems[0]}+{len(stems) - 1}"


def _with_views(base: str, views: Sequence[str]) -> str:
    """'digits[fou,fac]'."""
    return f"{base}[{','.join(views)}]" if views else base
