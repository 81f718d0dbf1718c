"""Cards: what is known about each data set (`<name>/card.toml`), read and checked.

A card says what a sample and each view are, where the files come from, their checksums, the terms, the citation,
the traps, and which function reads the files.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mvarena.errors import InvalidData, unknown_name
from mvarena.loaders.card_folders import CARD, card_names, card_path

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][\w.+-]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CardView(_Strict):
    """One view: its name, what its numbers mean, its number of features."""

    name: Text
    meaning: Text
    dimension: Count


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


class CardOutcomes(_Strict):
    """Outcomes of the samples: one of the set's own files, with a row for each sample in the samples' order.

    file : its name. time, event : its columns of survival, as `mvarena.readers.outcomes.read_outcomes` takes them; both
        or none. All other columns are outcomes, too.
    """

    file: FileName
    time: str = ""
    event: str = ""


class Card(_Strict):
    """Everything known about one data set.

    name, folder : those of the card; not written in it.
    loader : "package.module:function" of what makes the data of the files, name -> path; where they are drawn at
        random, it takes the seed besides. version : of that function; raise it when the numbers change.
    class_counts : class -> number of samples, or one number if every class has as many.
    generated : drawn anew from each seed.
    corpus : the collection that the data come from, where other data sets come from it, too.
    outcomes : what became of the samples, where that is known.
    uses : cards beside this one, of whose files this set is made (3sources-complete of those of 3sources).
    also_in : further folder names under which people keep these files.
    verified : False if the loader was written from the publisher's description and never saw the original.
    """

    name: Text
    folder: Path
    title: Text
    label: str = ""
    summary: Text
    loader: Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")]
    version: Text = "1"
    generated: bool = False
    samples: Count
    clusters: Count
    views: Annotated[tuple[CardView, ...], Field(min_length=1)]
    class_counts: dict[str, Count] | Count | None = None
    corpus: str = ""
    source: Text
    terms: Text
    redistributable: bool
    citation: Annotated[str, Field(pattern=r"^\s*@\w+\{")]
    traps: tuple[Text, ...] = ()
    files: tuple[CardFile, ...] = ()
    outcomes: CardOutcomes | None = None
    uses: tuple[Text, ...] = ()
    also_in: tuple[Text, ...] = ()
    verified: bool = True

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Card:
        names = [file.name for file in self.files]
        if len(set(names)) != len(names):
            raise ValueError("two files share a name")
        if not self.files and not self.uses:
            raise ValueError("give [[files]], or name under 'uses' the cards whose files this set is made of")
        if self.verified and any(file.sha256 is None or file.bytes is None for file in self.files):
            raise ValueError("each file of a verified card needs bytes and sha256")
        if self.outcomes is not None and self.outcomes.file not in names:
            raise ValueError(f"outcomes: {self.outcomes.file} is none of the files; add it to [[files]]")
        if self.outcomes is not None and bool(self.outcomes.time) != bool(self.outcomes.event):
            raise ValueError("outcomes: give both time and event, or neither")
        if isinstance(self.class_counts, dict):
            self._check_counts(len(self.class_counts), sum(self.class_counts.values()))
        elif self.class_counts is not None:
            self._check_counts(self.clusters, self.clusters * self.class_counts)
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
