"""The check of a repository of results: every bundle in it by itself, and against an older state. Runs no code, and
needs no data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mvarena.bundles.checking import trial_of
from mvarena.bundles.layout import BUNDLE, Bundle, Entry, InvalidBundle, read_bundle
from mvarena.store.encoding import canonical_json, fingerprint

MOST_OFF = 1e-3
Cell = tuple[str, str]  # the folder of a bundle, and what a trial asks for whatever the method's version


@dataclass(slots=True)
class Checked:
    """problems : what must not be merged. changes : what a reviewer must look at. bundles, trials : how many."""

    problems: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    bundles: int = 0
    trials: int = 0


def check_repository(folder: Path, against: Path | None = None) -> Checked:
    """Check each bundle below `folder`: its schema, its keys, trials that stand there twice.

    against : an older state of the repository: no trial of it may be missing, and every score and status that differs
    is named; a new version of a method is compared with its last.
    Cost: reading all files. Raises InvalidBundle where `folder` holds no bundle.
    """
    result = Checked()
    bundles = _bundles(folder, result.problems)
    if not bundles and not result.problems:
        raise InvalidBundle(folder, [f"There is no {BUNDLE} below it; name the folder of a repository of results."])
    result.bundles, result.trials = len(bundles), sum(len(bundle.entries) for bundle in bundles.values())
    owners: dict[str, str] = {}
    for where, bundle in bundles.items():
        result.problems += [f"{where}: {sentence}" for sentence in _own_problems(where, bundle)]
        for entry in bundle.entries:
            if entry.key in owners:
                result.problems.append(f"{where}: {entry.named} stands in {owners[entry.key]}, too.")
            owners[entry.key] = where
    if against is not None:
        _compare(_bundles(against, result.changes), bundles, result)
    return result


def _bundles(folder: Path, problems: list[str]) -> dict[str, Bundle]:
    found = {}
    for path in sorted(folder.rglob(BUNDLE)):
        where = path.parent.relative_to(folder).as_posix()
        try:
            found[where] = read_bundle(path.parent)
        except InvalidBundle as error:
            problems += [f"{where}: {sentence}" for sentence in error.problems]
    return found


def _own_problems(where: str, bundle: Bundle) -> Iterator[str]:
    if bundle.method not in Path(where).parts:
        yield f"it is of {bundle.method}, and must lie in a folder of that name."
    for entry in bundle.entries:
        trial = trial_of(entry)
        if trial is None or fingerprint(canonical_json(entry.identity)) != entry.key:
            yield f"{entry.named}: its key is not that of its identity."
        elif [trial.algorithm, trial.algorithm_version] != [bundle.method, bundle.version]:
            yield f"{entry.named}: it is of another method or version than the bundle."


def _compare(before: dict[str, Bundle], now: dict[str, Bundle], result: Checked) -> None:
    old, new = _cells(before), _cells(now)
    for cell, entry in old.items():
        if cell not in new:
            result.problems.append(f"{cell[0]}: {entry.named} is gone; no trial is dropped, failures neither.")
            continue
        result.changes += [f"{cell[0]}: {new[cell].named}: {text}" for text in _changes(entry, new[cell])]


def _cells(bundles: dict[str, Bundle]) -> dict[Cell, Entry]:
    return {(where, _asked(entry)): entry for where, bundle in bundles.items() for entry in bundle.entries}


def _asked(entry: Entry) -> str:
    """The identity without the version of the method."""
    return canonical_json({name: value for name, value in entry.identity.items() if name != "algorithm"})


def _changes(old: Entry, new: Entry) -> Iterator[str]:
    if old.status != new.status:
        yield f"it was {old.status} and is {new.status}."
    for metric in sorted(old.scores.keys() | new.scores.keys()):
        before, after = _mean(old, metric), _mean(new, metric)
        if (before is None) != (after is None) or (
            before is not None and after is not None and abs(before - after) > MOST_OFF
        ):
            yield f"{metric} was {_shown(before)} and is {_shown(after)}."


def _mean(entry: Entry, metric: str) -> float | None:
    """Over the restarts that have the score."""
    values = [value for value in entry.scores.get(metric, {}).values() if value is not None]
    return sum(values) / len(values) if values else None


def _shown(value: float | None) -> str:
    return "not there" if value is None else f"{value:.4f}"
