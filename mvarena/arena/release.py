"""A release: a folder with a database of results of one suite, a card, and a page."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import select

from mvarena.arena.submissions import describe_file
from mvarena.arena.suites import FILLING, METRICS, SCALING, SUITES, part_of
from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.contents import kind_of_contents
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.frames import scores_frame
from mvarena.store.runs import keys_of_runs, runs_of
from mvarena.store.schema import conditions, datasets, methods, sources, trials
from mvarena.store.trials import Attempt, batches, current_attempts
from mvarena.study.adaptation import filling_in, scaling_in
from mvarena.study.file import study_at

CARD, DATABASE, PAGE = "release.toml", "results.db", "README.md"
HOME = Path("reports")  # of a checkout; each release is a folder there
NOT_RUN = "not run"
_ENDS = {
    Status.DONE: "finished",
    Status.SKIPPED: "refused",
    Status.TIMEOUT: "over the limit",
    Status.OUT_OF_MEMORY: "over the limit",
    Status.INTERRUPTED: NOT_RUN,
}
FAILED = "failed"
DELETED = "deleted from the database"  # in place of the part of a trial of which nothing but the key is left
COVERAGE_COLUMNS = ("key", "algorithm", "dataset", "corruption", "rate", "part", "end")
ENDS = ("finished", "refused", "over the limit", FAILED, NOT_RUN)


@dataclass(frozen=True, slots=True)
class Release:
    """folder : of the card, the database and the page. name : such as 'arena-2027.1'. suite : any of SUITES."""

    folder: Path
    name: str
    suite: str
    card: dict[str, Any]

    @property
    def db(self) -> Path:
        """Its small database, without labels."""
        return self.folder / DATABASE

    def whole(self, place: Path | None) -> Path | None:
        """The whole database of the release, with labels: `place`, or the file of its name in that folder.

        None without a place. Raises StoreError where there is no such file, or it is another than the card names.
        """
        if place is None:
            return None
        named = self.card.get("database", {})
        path = place / str(named.get("name")) if place.is_dir() else place
        if not path.is_file():
            raise StoreError(f"there is no {path}; the whole database of {self.name} is {named.get('name')}.")
        if describe_file(path)["sha256"] != named.get("sha256"):
            raise StoreError(f"{path} has another sha256 than {self.folder / CARD} states.")
        return path


def read_release(folder: Path) -> Release:
    """The release in a folder. Raises StoreError, which says what is missing or wrong."""
    path = folder / CARD
    try:
        card = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder} is no release of the arena: its {CARD} cannot be read ({error}).") from error
    name, suite = card.get("name"), card.get("suite")
    if not isinstance(name, str) or suite not in SUITES:
        raise StoreError(f"{path} needs a name, and a suite that is one of {', '.join(SUITES)}, not {suite!r}.")
    if not (folder / DATABASE).is_file():
        raise StoreError(f"{folder} holds no {DATABASE}; a release is its card and its database.")
    return Release(folder, name, suite, card)


def release_of(suite: str, folder: Path | None = None) -> Release:
    """The release of a suite: that in `folder`, else the one in the folder reports/ here or of the checkout that runs.

    Raises StoreError where there is none, or the one that is named is of another suite.
    """
    if folder is not None:
        found = read_release(folder.parent if folder.name == DATABASE else folder)
        if found.suite != suite:
            lite = " without --lite" if found.suite == SUITES[0] else " with --lite"
            raise StoreError(f"{folder} is a release of the suite {found.suite}, not of {suite}; ask{lite}.")
        return found
    for release in _installed():
        if release.suite == suite:
            return release
    raise StoreError(
        f"there is no release of the suite {suite} here: name its folder (--release FOLDER). Releases are in the "
        f"folder reports of mvarena's repository; an installed package holds none."
    )


def _installed() -> Iterator[Release]:
    for home in dict.fromkeys((HOME.resolve(), Path(__file__).resolve().parents[2] / HOME)):
        for path in sorted(home.glob(f"arena*/{CARD}")):
            yield read_release(path.parent)


def keys_of_study(db: Database, *studies: str) -> set[str]:
    """The keys of all trials that were asked for by runs of these studies (a suite, its parts), run or not."""
    of_studies, _ = runs_by_study(db, *studies)
    return {key for ids, keys in keys_of_runs(db) if of_studies.intersection(ids) for key in keys}


def runs_by_study(db: Database, *studies: str) -> tuple[set[str], set[str]]:
    """Ids of the runs of these studies, and of all others."""
    titles = {study_at(study).title for study in studies}
    of_studies = {run.id: _title(run.study) in titles for run in runs_of(db)}
    return {name for name, own in of_studies.items() if own}, {name for name, own in of_studies.items() if not own}


def _title(study: str) -> str:
    return str(tomllib.loads(study).get("title", "")) if study else ""


def scores_of_suite(db: Database, suite: str, metrics: Iterable[str] = METRICS) -> pd.DataFrame:
    """The long form (`mvarena.store.frames`) of what was run of a suite or part; INTERRUPTED trials are not run."""
    frame = scores_frame(db, metrics=list(metrics), keys=sorted(keys_of_study(db, suite)))
    return frame[frame["status"] != Status.INTERRUPTED]


def coverage(db: Database, suite: str) -> pd.DataFrame:
    """The end of each trial of the suite, columns COVERAGE_COLUMNS: part of `part_of`, end any of ENDS."""
    keys = keys_of_study(db, suite)
    ended = current_attempts(db, keys)
    columns = (
        trials.c.key, methods.c.name.label("algorithm"), datasets.c.content, sources.c.name.label("dataset"),
        conditions.c.corruption, conditions.c.rate, conditions.c.preparation.label("prepare"),
    )  # fmt: skip
    query = select(*columns).select_from(NAMED)
    with db.read() as connection:
        rows = [
            row for part in batches(sorted(keys)) for row in connection.execute(query.where(trials.c.key.in_(part)))
        ]
        kinds = kind_of_contents(connection)
    known = {row.key: row for row in rows}
    table = [
        (key, row.algorithm, row.dataset, row.corruption, row.rate or 0.0, _part(row, kinds), _end(ended.get(key)))
        for key, row in known.items()
    ]
    over = {(row[1], row[2]) for row in table if row[3] == "none" and row[-1] == _ENDS[Status.TIMEOUT]}
    # what was skipped as the method had reached a limit on the data as they are
    table = [
        (*row[:-1], _ENDS[Status.TIMEOUT]) if row[-1] == _ENDS[Status.SKIPPED] and (row[1], row[2]) in over else row
        for row in table
    ]
    table += [(key, "", "", "", 0.0, DELETED, NOT_RUN) for key in sorted(keys - known.keys())]
    return pd.DataFrame(table, columns=list(COVERAGE_COLUMNS))


def _part(row: Any, kinds: dict[str, str]) -> str:
    return part_of(kinds[row.content], row.corruption, scaling_in(row.prepare), filling_in(row.prepare))


def _end(attempt: Attempt | None) -> str:
    return NOT_RUN if attempt is None else _ENDS.get(attempt.status, FAILED)


def incomplete_points(known: pd.DataFrame) -> frozenset[tuple[str, str, float]]:
    """The (data set, corruption, rate) at which some trial was not run that the board would count.

    known : of `coverage`.
    """
    lacking = known[(known["end"] == NOT_RUN) & ~known["part"].isin([SCALING, FILLING, DELETED])]
    return frozenset(zip(lacking["dataset"], lacking["corruption"], lacking["rate"], strict=True))
