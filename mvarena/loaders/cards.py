"""Cards: descriptions of data sets (`<name>/card.toml`), read and checked.

A card says what a sample and each view are, where the files come from, their checksums, the terms, the citation,
the traps, and where in the files the views and the labels are, or which function reads them.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mvarena.contracts.specs import DataKind
from mvarena.errors import InvalidData, unknown_name
from mvarena.loaders.specs import CARD, card_names, card_path

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][\w.+-]*$")]
Places = Text | tuple[Text, ...]
BY_LAYOUT = "mvarena.loaders.layout:read_layout"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CardView(_Strict):
    """View of a data set: its name, the meaning of its numbers, its number of features.

    place : where it is in the files, if the layout's rule for all views does not say; of several places, the samples of
        one follow on those of the one before. beside : further places, whose columns follow on these.
    ids : place of the names of its samples, where the matrix itself has none.
    """

    name: Text
    meaning: Text
    dimension: Count
    place: Places = ()
    beside: tuple[Text, ...] = ()
    ids: str = ""


class Layout(_Strict):
    """Places of views and labels in the files. A place is written as in `mvarena.loaders.places`.

    views : place of each view; in it, '#' is the number of the view and '*' its name.
    labels : place of the labels; several places follow on each other. 'ids': the ids are the labels; 'sorted': the
        samples stand class by class, as the class counts of the card say; '': there are none.
    label_pattern : what of a label's text is the class: the first group of this regular expression.
    classes : label -> name of the class. leave_out : labels of samples, by their
        ids, that do not belong to the data.
    ids : place of the ids of the samples, by which the rows of each view are found; a view without a row for a sample
        misses it. 'rows': the ids are the names of the first view's rows. '': the rows are the samples, in order.
    id_letters : only so many first letters of an id count. complete : only the samples that all views observe.
    transposed : samples are columns; where there are ids, these tell.
    header : whether tables of text have a first line and a first column of names.
    codes : text -> number, where cells of views are text. kind : of all views.
    """

    views: Text = "*"
    labels: Places | Literal[""] = ""
    label_pattern: str = ""
    classes: dict[str, str] = Field(default_factory=dict)
    leave_out: tuple[str, ...] = ()
    ids: str = ""
    id_letters: Count | None = None
    complete: bool = False
    transposed: bool = False
    header: bool = True
    codes: dict[str, float] = Field(default_factory=dict)
    kind: Literal["features", "kernel", "distance"] = "features"


class CardFile(_Strict):
    """One file of a data set.

    bytes, sha256 : size and checksum; absent for files that nobody here has seen (the card is then unverified).
    also_sha256 : checksums of other editions with the same content (a .gz packed again, for instance).
    url : where the file itself can be fetched.
    archive : where a .zip or .tar.* can be fetched that holds a member of this name.
    """

    name: FileName
    bytes: Count | None = None
    sha256: Digest | None = None
    also_sha256: tuple[Digest, ...] = ()
    url: Annotated[str, Field(pattern=r"^https?://")] | None = None
    archive: Annotated[str, Field(pattern=r"^https?://")] | None = None

    @property
    def downloadable(self) -> bool:
        """True if there is an address and a checksum to hold the download against."""
        return (self.url or self.archive) is not None and self.sha256 is not None

    def has(self, digest: str) -> bool:
        """True if the file may have this sha256."""
        return digest in (self.sha256, *self.also_sha256)


class CardOutcomes(_Strict):
    """Outcomes of the samples: one of the set's own files, with a row for each sample in the samples' order.

    file : its name. time, event : its columns of survival, as `mvarena.readers.outcomes.read_outcomes` takes them; both
        or none. All other columns are outcomes, too.
    place : where the columns are in a file that is no table; there, only `columns` are further outcomes, and several
        columns of `time`, separated by spaces, are asked in turn for one that is known.
    """

    file: FileName
    time: str = ""
    event: str = ""
    place: str = ""
    columns: tuple[Text, ...] = ()


class Card(_Strict):
    """Everything known about one data set.

    name, folder : those of the card; not written in it.
    layout : where views and labels are in the files; or
    loader : "package.module:function" of what makes the data of the files, name -> path; where they are drawn at
        random, it takes the seed besides. version : of either; raise it when the numbers change.
    class_counts : class -> number of samples, or one number if every class has as many. unlabelled : samples without.
    generated : drawn anew from each seed.
    corpus : the collection that the data come from, where other data sets come from it, too. kind : of the data.
    outcomes : what became of the samples, where that is known.
    uses : cards beside this one, of whose files this set is made (3sources-complete of those of 3sources).
    package : the Python package that comes with the data, where there are no files.
    also_in : further folder names under which people keep these files.
    verified : False if the loader was written from the publisher's description and never saw the original.
    """

    name: Text
    folder: Path
    title: Text
    label: str = ""
    summary: Text
    loader: Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")] = BY_LAYOUT
    layout: Layout | None = None
    version: Text = "1"
    generated: bool = False
    samples: Count
    clusters: Count
    views: Annotated[tuple[CardView, ...], Field(min_length=1)]
    class_counts: dict[str, Count] | Count | None = None
    unlabelled: int = 0
    corpus: str = ""
    kind: DataKind = "other"
    source: Text
    terms: Text
    redistributable: bool
    citation: Annotated[str, Field(pattern=r"^\s*@\w+\{")]
    traps: tuple[Text, ...] = ()
    files: tuple[CardFile, ...] = ()
    outcomes: CardOutcomes | None = None
    uses: tuple[Text, ...] = ()
    package: str = ""
    also_in: tuple[Text, ...] = ()
    verified: bool = True

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Card:
        names = [file.name for file in self.files]
        if len(set(names)) != len(names):
            raise ValueError("two files share a name")
        if not self.files and not self.uses and not self.package:
            raise ValueError("give [[files]], or name under 'uses' the cards whose files this set is made of")
        if (self.layout is None) == (self.loader == BY_LAYOUT):
            raise ValueError("give [layout], or the loader that reads the files, and not both")
        if self.verified and any(file.sha256 is None or file.bytes is None for file in self.files):
            raise ValueError("each file of a verified card needs bytes and sha256")
        if self.outcomes is not None and self.outcomes.file not in names:
            raise ValueError(f"outcomes: {self.outcomes.file} is none of the files; add it to [[files]]")
        if self.outcomes is not None and bool(self.outcomes.time) != bool(self.outcomes.event):
            raise ValueError("outcomes: give both time and event, or neither")
        if isinstance(self.class_counts, dict):
            self._check_counts(len(self.class_counts), sum(self.class_counts.values()) + self.unlabelled)
        elif self.class_counts is not None:
            self._check_counts(self.clusters, self.clusters * self.class_counts + self.unlabelled)
        return self

    @property
    def counts(self) -> tuple[int, ...]:
        """Samples of each class; empty where the card does not say."""
        if isinstance(self.class_counts, dict):
            return tuple(self.class_counts.values())
        return () if self.class_counts is None else (self.class_counts,) * self.clusters

    @property
    def used(self) -> list[Card]:
        """The cards of whose files this set is made, itself among them if it has files."""
        others = [card for name in self.uses for card in read_card(self.folder.parent / name / CARD).used]
        return [self, *others] if self.files else others

    def _check_counts(self, classes: int, samples: int) -> None:
        if (classes, samples) != (self.clusters, self.samples):
            raise ValueError(
                f"class_counts give {classes} classes and {samples} samples, not {self.clusters} and {self.samples}"
            )


def load_card(where: str) -> Card:
    """The card at `where` (see `card_path`). Raises UnknownName, or InvalidData for a card that is not well formed."""
    path = card_path(where)
    if not path.is_file():
        raise unknown_name("data set with files", where, card_names(), "See 'mvarena data list'.")
    return read_card(path)


@cache
def read_card(path: Path) -> Card:
    """Read and check one card.toml; the data set's name is the name of the folder."""
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidData(f"The card {path} cannot be read: {error}.") from error
    try:
        return Card(name=path.parent.name, folder=path.parent, **content)
    except (ValidationError, TypeError) as error:
        raise InvalidData(f"The card {path} is not well formed: {_faults(error)}.") from error


def _faults(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    faults = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        where = ".".join(str(part) for part in fault["loc"])
        faults.append(f"{where}: {fault['msg']}" if where else fault["msg"])
    return "; ".join(faults)
