"""Checks of a bundle that run none of its code: each trial against its key, the study, the data here and its labels."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvarena.bundles.described import check_achieved, check_identity
from mvarena.bundles.expected import Method, Planned, Points, noted_of, point_of
from mvarena.bundles.files import BUNDLE, Bundle, Entry, InvalidBundle, condition_of, read_bundle
from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.errors import MvarenaError
from mvarena.store.encoding import canonical_json, fingerprint, unpack_labels

_MOST_OFF = 1e-6  # of a score that is computed again from the same labels
Labels = Mapping[int, NDArray[np.int64]]


def labels_of(entry: Entry, most: int) -> dict[int, NDArray[np.int64]]:
    """Restart -> its labels (n,). Raises ValueError or StoreError for what is none, or more than `most`."""
    places = sorted(map(int, entry.labels))
    return {
        place: unpack_labels(base64.b64decode(entry.labels[str(place)][0], validate=True), most) for place in places
    }


def trial_of(entry: Entry) -> Trial | None:
    """The trial that an entry describes; None where its identity is none. Its source and protocol are not looked up."""
    from mvarena.contracts.source import Source

    try:
        check_identity(dict(entry.identity))
        trial = Trial.from_identity(entry.identity, Source(dataset=entry.dataset))
        return trial if trial.identity_json == canonical_json(entry.identity) else None
    except (MvarenaError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def problems_of(bundle: Bundle, found: Planned, points: Points) -> Iterator[str]:
    """One sentence for each thing that is wrong; those on trials name them."""
    yield from _versions(bundle, points)
    here: set[str] = set()
    for entry in bundle.entries:
        trial = trial_of(entry)
        wrong = (
            ["its identity describes no trial."] if trial is None else list(_of_identity(entry, trial, bundle, found))
        )
        here |= set() if trial is None else {point_of(entry.identity)}
        wrong = wrong or list(_of_outcome(entry, found, points))
        yield from (f"{entry.named}: {sentence}" for sentence in wrong)
    for point, trial in found.points.items():
        if point not in here:
            what = f"{bundle.method} on {trial.dataset}, {condition_of(trial.identity())}"
            yield f"It lacks {what}: a bundle holds every trial of its study, failures too."


def _versions(bundle: Bundle, points: Points) -> Iterator[str]:
    now = {name: spec.version for name, spec in points.metrics.items()}
    for name in sorted(now.keys() | bundle.metrics.keys()):
        if (theirs := bundle.metrics.get(name)) != now.get(name):
            yield f"Its metric {name} is of version {theirs}, and here of {now.get(name)}; submit it with this mvarena."


def _of_identity(entry: Entry, trial: Trial, bundle: Bundle, found: Planned) -> Iterator[str]:
    if fingerprint(canonical_json(entry.identity)) != entry.key:
        yield "its key is not that of its identity."
    if [trial.algorithm, trial.algorithm_version] != [bundle.method, bundle.version]:
        yield (f"it is of {trial.algorithm} {trial.algorithm_version}, and the bundle of {bundle.method} "
               f"{bundle.version}.")  # fmt: skip
    planned = found.points.get(point_of(entry.identity))
    if planned is None:
        yield _not_planned(trial, found)
    elif (entry.dataset, entry.protocol) not in _names(planned, found):
        yield f"its data and protocol are called {entry.dataset} and {entry.protocol}, which are others in its study."
    if entry.code not in ("", bundle.code):
        yield "it was run by other code than the bundle's."


def _names(planned: Trial, found: Planned) -> set[tuple[str, str]]:
    trials = (planned, *(trial for trial in found.plan.also if trial.key == planned.key))
    return {(trial.dataset, trial.protocol.name) for trial in trials}


def _not_planned(trial: Trial, found: Planned) -> str:
    """The reason why a trial is at no point of the study."""
    contents = {planned.content for planned in found.points.values()}
    versions = {(step.name, step.version) for planned in found.points.values() for step in planned.corruptions}
    if trial.content not in contents:
        return f"its data have the fingerprint {trial.content[:12]}, which no data set of its study has here."
    for step in trial.corruptions:
        if step.name in dict(versions) and (step.name, step.version) not in versions:
            return f"its corruption {step.name} is of version {step.version}, and here of {dict(versions)[step.name]}."
    return "its study has no such condition, seed, repeat or protocol."


def _of_outcome(entry: Entry, found: Planned, points: Points) -> Iterator[str]:
    planned = found.points[point_of(entry.identity)]
    point = points.at(planned)
    if entry.mask != point.mask:
        yield "it saw another mask than its seeds give here."
    try:
        check_achieved(dict(entry.achieved))
        if entry.achieved.get("views") and noted_of(entry.achieved) != point.noted:
            yield "its shares of missing samples are not those of its mask."
    except (ValueError, KeyError) as error:
        yield f"what it notes of its data cannot be read: {error}."
    if entry.status != Status.DONE:
        if entry.labels or entry.scores:
            yield f"it is {entry.status} and has labels or scores."
        if not entry.reason:
            yield f"it is {entry.status} without a reason."
        return
    try:
        labels = labels_of(entry, point.n_samples)
    except (ValueError, binascii.Error, MvarenaError) as error:
        yield f"its labels cannot be read: {error}"
        return
    yield from _of_labels(labels, point.n_samples, planned)
    if labels and all(one.size == point.n_samples for one in labels.values()):
        yield from _of_scores(entry, points.scores(labels, point.truth))


def _of_labels(labels: Labels, n_samples: int, planned: Trial) -> Iterator[str]:
    """Each restart of the protocol has labels, or one alone: of a method that gives labels, or the one that counts."""
    restarts = planned.protocol.restarts
    if sorted(labels) != list(range(restarts)) and not (len(labels) == 1 and 0 <= min(labels) < restarts):
        yield f"it is done and has labels of {len(labels)} restarts, of {restarts}."
    for place, one in labels.items():
        if one.size != n_samples or (one.size and (one.min() < 0 or one.max() >= n_samples)):
            yield f"restart {place} has no cluster index for each of the {n_samples} samples."


def _of_scores(entry: Entry, now: Mapping[str, Mapping[int, float]]) -> Iterator[str]:
    if missing := sorted(now.keys() ^ entry.scores.keys()):
        yield f"its scores are not those that its labels have here ({', '.join(missing)})."
        return
    for name, values in now.items():
        theirs = {int(place): np.nan if one is None else one for place, one in entry.scores[name].items()}
        if theirs.keys() != values.keys():
            yield f"its {name} is not of the restarts whose labels it has."
            continue
        off = [
            place for place, one in values.items() if not np.isclose(theirs[place], one, 0, _MOST_OFF, equal_nan=True)
        ]
        if off:
            yield (f"its {name} of restart {off[0]} is {theirs[off[0]]:.4f}, and its labels have "
                   f"{values[off[0]]:.4f}.")  # fmt: skip


def problems_of_method(bundle: Bundle, method: Method) -> Iterator[str]:
    """The same of the method itself: its version and code, and every trial that its study has with it."""
    if (bundle.version, bundle.code) != (method.version, method.code):
        which = f"version {bundle.version}, code {bundle.code[:12]}; here {method.version}, code {method.code[:12]}"
        yield f"{bundle.source} is other code than the bundle's trials were run by ({which})."
        return
    entries = {entry.key: entry for entry in bundle.entries}
    for key in method.trials.keys() - entries.keys():
        yield f"It lacks trial {key[:12]} of its study: a bundle holds every trial, failures too."
    for key in entries.keys() - method.trials.keys():
        yield f"{entries[key].named}: its study has no such trial of {bundle.method} (parameters, preparation)."


def runnable(entry: Entry, found: Planned, method: Method | None) -> Trial:
    """The trial of a checked entry; with its method it can be run here."""
    planned = found.points[point_of(entry.identity)]
    trial = Trial.from_identity(entry.identity, planned.source)
    trial = replace(trial, protocol=planned.protocol)
    return replace(trial, spec=method.spec, picks_by_labels=method.picks_by_labels) if method else trial


# The check of a repository of results: every bundle in it by itself, and against an older state.
# It runs no code, and needs no data.

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
