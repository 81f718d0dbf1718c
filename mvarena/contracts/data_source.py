"""Sources of data as the arena uses them: described, fetched, checked and loaded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import InvalidSetting, PluginError

if TYPE_CHECKING:
    from mvarena.contracts.outcome_table import OutcomeTable
    from mvarena.data import MultiViewData

State: TypeAlias = Literal["ready", "downloadable", "manual"]

BytesSeen: TypeAlias = Callable[[str, int, int | None], None]
"""Called with the file's name, the bytes so far and the bytes in all (None if the server does not say)."""


@dataclass(frozen=True, slots=True)
class ViewFacts:
    """Facts on a view before it is loaded: name, number of features, meaning of its numbers."""

    name: str
    dimension: int | None = None
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCard:
    """Facts on data before they are loaded; None and empty where unknown.

    samples, clusters : how many. class_counts : how many samples of each class. views : those picked, in order.
    terms, source, citation : what one may do with the data, where they come from, and whom to cite (BibTeX).
    traps : what surprises people in these data.
    generated : drawn anew from each seed.
    state : ready (all files are at hand), downloadable, or manual (someone must put files in place).
    bytes : of all files together. files, missing : their names, and those of the ones that are not at hand.
    """

    name: str
    title: str = ""
    summary: str = ""
    samples: int | None = None
    clusters: int | None = None
    class_counts: tuple[int, ...] = ()
    views: tuple[ViewFacts, ...] = ()
    terms: str = ""
    source: str = ""
    citation: str = ""
    traps: tuple[str, ...] = ()
    generated: bool = False
    state: State = "ready"
    bytes: int = 0
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def acc_of_one_cluster(self) -> float | None:
        """Accuracy of all samples in one cluster, the share of the largest class; None where counts are unknown."""
        return max(self.class_counts) / sum(self.class_counts) if self.class_counts else None


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Check of one file: its name, its path (None: not found) and its problem (None: none)."""

    name: str
    path: Path | None
    problem: str | None


class DataSource(ABC):
    """Data that can be loaded. Where there are no files, as the defaults say, `load` and `describe` are all."""

    @abstractmethod
    def load(self, seed: int) -> MultiViewData:
        """The data; `seed` matters only for those drawn at random.

        Raises DataUnavailable, with what to do, for files that are not at hand; InvalidData for damaged ones.
        """

    @abstractmethod
    def describe(self) -> SourceCard:
        """Return the facts that need no loading."""

    @property
    def generated(self) -> bool:
        """True for data drawn anew from each seed."""
        return False

    def content(self, data: MultiViewData) -> str:
        """Identity of the numbers of `data`, loaded from here: their fingerprint, or the generator's name."""
        return data.fingerprint

    def outcomes(self) -> OutcomeTable | None:
        """Outcomes of the samples, in the order of `load`; None where there are none.

        Raises DataUnavailable for files that are not at hand; InvalidData for damaged ones.
        """
        return None

    def files(self) -> tuple[Path, ...]:
        """All files, checked. Raises DataUnavailable if one is missing, InvalidData if one is damaged."""
        return ()

    def verify(self) -> tuple[FileCheck, ...]:
        """Check every file, and go on after a bad one."""
        return ()

    def fetch(self, progress: BytesSeen | None = None) -> tuple[Path, ...]:
        """Download the missing files; all files, checked. Raises DataUnavailable, with the files to put in place."""
        del progress
        return self.files()

    def put_in_place(self, found: Path) -> tuple[Path, ...]:
        """Copy files that a user found (a folder, a file or an archive) to where they are looked for, after a check."""
        raise InvalidSetting(f"{self.describe().name} needs no files, so {found} cannot be imported.", field="name")


class FunctionSource(DataSource):
    """Data set that is a function of the seed, described by its spec alone."""

    def __init__(self, spec: DatasetSpec, function: Callable[[int], MultiViewData]) -> None:
        self.spec = spec
        self.function = function

    @property
    def generated(self) -> bool:
        return self.spec.generated

    def load(self, seed: int) -> MultiViewData:
        return self.function(seed)

    def describe(self) -> SourceCard:
        return SourceCard(
            name=self.spec.name,
            title=self.spec.label,
            summary=self.spec.summary,
            views=tuple(map(ViewFacts, self.spec.views)),
            source=self.spec.source,
            generated=self.spec.generated,
        )


def as_data_source(spec: DatasetSpec, target: Any) -> DataSource:
    """The target of `spec` as a data source, whichever of the three forms of `DatasetSpec` it has.

    Raises PluginError for a target of another form.
    """
    if isinstance(target, type) and issubclass(target, DataSource):
        return target(spec)  # type: ignore[call-arg]  # of this form it takes its spec
    if isinstance(target, DataSource):
        return target
    if callable(target):
        return FunctionSource(spec, target)
    raise PluginError(
        f"dataset '{spec.name}': {spec.target} is a {type(target).__name__}; it must be a function load(seed), "
        "a DataSource, or a subclass of DataSource that takes the spec."
    )
