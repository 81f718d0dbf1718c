"""A bundle verified: first all that can be seen without running it, then its method, then a sample run again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mvarena.bundles.checks import labels_of, problems_of, problems_of_method, runnable
from mvarena.bundles.expected import Method, Planned, Points, method_of, planned, point_of
from mvarena.bundles.files import Bundle, Entry, InvalidBundle, read_bundle
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits, workers_for
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.peeking import peeking_of
from mvarena.errors import StoreError
from mvarena.registry.catalog import Catalog
from mvarena.store.checks import problems
from mvarena.store.database import Database
from mvarena.store.trials import identities
from mvarena.study.options import run_options
from mvarena.system.openblas import can_use, processes_use, routines_in_use
from mvarena.text import shortened

_NOT_RUN = "Nothing of it was run, so its labels, its parameters and its preparation are as it says."
_ROUNDING = "Some methods amplify rounding, which differs between processors"


@dataclass(frozen=True, slots=True)
class Verified:
    """A bundle that holds. planned : its study here. method : None where no code of it was run.

    rerun : how many of its trials came out alike here. remarks : what whoever reads of it should know.
    """

    bundle: Bundle
    planned: Planned
    method: Method | None
    rerun: int
    remarks: tuple[str, ...]

    def trials(self) -> dict[str, Trial]:
        """Key -> the trial, of the whole bundle."""
        return {entry.key: runnable(entry, self.planned, self.method) for entry in self.bundle.entries}


def verify(
    folder: Path,
    catalog: Catalog,
    *,
    sample: int,
    seed: int,
    study: str | None = None,
    release: Database | None = None,
    jobs: int | None = None,
    on_sample: Callable[[int], None] = lambda _: None,
    on_trial: Callable[[], None] = lambda: None,
) -> Verified:
    """Verify the bundle in `folder`. Nothing is stored.

    sample : how many trials are run again, drawn by `seed`, which the submitter must not know; 0: the method's code is
        not imported, and whether its parameters and preparation are those of its study stays unknown.
    study : the study that it must be of. release : stored results whose data and conditions it must be of.
    on_sample : called with the number of trials before they run, on_trial after each.

    Of the trials that are run again, the method of the quickest is checked for peeking (`mvarena.engine.peeking`).

    Raises InvalidBundle, with a sentence for each thing that does not hold, and what is raised where the data are not
    at hand (DataUnavailable) or the method is not installed (UnknownName).
    """
    bundle = read_bundle(folder)
    found = planned(bundle, folder, study, catalog)
    points = Points(catalog)
    problems = list(problems_of(bundle, found, points))
    problems += [] if release is None else _against(bundle, release)
    if problems:
        raise InvalidBundle(folder, problems)
    if not sample:
        return Verified(bundle, found, None, 0, (*found.remarks, _NOT_RUN))
    method = method_of(bundle, folder, found, catalog)
    problems = list(problems_of_method(bundle, method))
    if problems:
        raise InvalidBundle(folder, problems)
    entries = drawn(bundle.entries, sample, seed)
    trials = {entry.key: runnable(entry, found, method) for entry in entries}
    on_sample(len(trials))
    remarks = list(found.remarks)
    seconds: dict[str, float] = {}
    for theirs, group in _by_routines(bundle, entries).items():
        usable = not theirs or can_use(theirs)
        with processes_use(theirs if usable else ""):
            outcomes = rerun([trials[entry.key] for entry in group], _limits(found), jobs, on_trial)
        seconds |= {key: outcome.wall_s for key, outcome in outcomes.items() if outcome.status is Status.DONE}
        wrong = [
            f"{entry.named}, run again: {sentence}"
            for entry in group
            for sentence in differences(entry, outcomes[entry.key], points, trials[entry.key])
        ]
        if not usable:
            (problems if wrong else remarks).append(_other_processor(theirs))
        elif wrong and not theirs:
            problems.append(f"{_ROUNDING}, and these trials do not say which routines of OpenBLAS they used; "
                            f"here they are those for {routines_in_use() or 'another library'}.")  # fmt: skip
        problems += wrong
    if seconds:
        quickest = min(seconds, key=lambda key: seconds[key])
        sentence = peeking_of(trials[quickest], catalog)
        problems += [f"{bundle.method} reads classes: on {trials[quickest].dataset}, {sentence}."] if sentence else []
    if problems:
        raise InvalidBundle(folder, problems)
    return Verified(bundle, found, method, len(entries), tuple(remarks))


def _by_routines(bundle: Bundle, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The entries by the routines of OpenBLAS that they say they used; '' where they do not say."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        stated = bundle.environments.get(entry.environment, {}).get("openblas")
        groups.setdefault(stated if isinstance(stated, str) else "", []).append(entry)
    return groups


def _other_processor(theirs: str) -> str:
    return (f"OpenBLAS used its routines for {shortened(theirs, 40)} there, which this processor lacks, and those for "
            f"{routines_in_use()} here. {_ROUNDING}; verify it on such a processor.")  # fmt: skip


def _limits(found: Planned) -> Limits:
    """Limits of the study; its secrets and engines are not for the submitter to name."""
    how = run_options(found.file.said()[0])
    return Limits(timeout_s=how.timeout_s, cpu_s=how.cpu_s, memory=how.memory, threads=how.threads)


def _against(bundle: Bundle, release: Database) -> list[str]:
    for problem in problems(release):
        raise StoreError(f"{release.where} is not whole, so nothing is compared with it: {problem}")
    known = {point_of(identity) for identity in identities(release)}
    return [
        f"{entry.named}: {release.where} holds no trial on such data under such conditions."
        for entry in bundle.entries
        if point_of(entry.identity) not in known
    ]


# A sample of a bundle's trials, drawn so that nobody knows it beforehand, run here and compared.

MOST_OFF = 1e-3  # of a score, between machines
# how these end depends on the machine and its limits
_OF_THE_MACHINE = (Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)


def drawn(entries: Sequence[Entry], count: int, seed: int) -> list[Entry]:
    """`count` of the entries that end alike on every machine, drawn by `seed`; all where there are fewer."""
    known = sorted((one for one in entries if one.status not in _OF_THE_MACHINE), key=lambda one: one.key)
    return random.Random(seed).sample(known, min(count, len(known)))


def rerun(
    trials: Sequence[Trial], limits: Limits, jobs: int | None, on_trial: Callable[[], None] = lambda: None
) -> dict[str, Outcome]:
    """Key -> outcome of each trial, run in processes of its own under `limits`; nothing is stored."""
    waiting, outcomes = list(trials)[::-1], {}
    with LocalEngine(jobs or workers_for(len(trials), limits, most_samples=0), limits=limits) as engine:
        while waiting or engine.running:
            while waiting and engine.has_room:
                engine.submit(waiting.pop())
            for trial, outcome in engine.finished(1.0):
                outcomes[trial.key] = outcome
                on_trial()
    return outcomes


def differences(entry: Entry, outcome: Outcome, points: Points, trial: Trial) -> Iterator[str]:
    """One sentence for each thing in which the trial came out otherwise here."""
    if outcome.status != entry.status:
        why = f" ({outcome.reason})" if outcome.reason else ""
        yield f"it is {entry.status} in the bundle and {outcome.status.value} here{why}."
        return
    if outcome.status is not Status.DONE:
        return
    point = points.at(trial)
    theirs, here = labels_of(entry, point.n_samples), dict(enumerate(one.labels for one in outcome.labellings))
    other = [place for place in theirs if place not in here or not np.array_equal(theirs[place], here[place])]
    if other:
        yield f"its labels of {len(other)} of {len(theirs)} restarts are others here."
    yield from _of_inertia(entry, {place: one.inertia for place, one in enumerate(outcome.labellings)}, trial)
    scores = points.scores({place: here[place] for place in theirs if place in here}, point.truth)
    for name, values in scores.items():
        stated = entry.scores.get(name, {})
        off = [abs(one - (stated.get(str(place)) or 0.0)) for place, one in values.items() if np.isfinite(one)]
        if off and max(off) > MOST_OFF:
            yield f"its {name} differs by {max(off):.4f} from what comes out here."


def _of_inertia(entry: Entry, here: dict[int, float], trial: Trial) -> Iterator[str]:
    """Inertias decide which restart counts, and so does it which restarts have labels at all."""
    stated = {int(place): inertia for place, (_, inertia) in entry.labels.items()}
    if len(stated) < len(here):
        lowest = min(here, key=lambda place: here[place])
        if trial.protocol.pick != "lowest-inertia" or list(stated) != [lowest]:
            yield f"it has labels of restart {min(stated)} alone, of {len(here)}, which is not the one that counts."
    for place, inertia in stated.items():
        theirs = np.nan if inertia is None else inertia
        if place in here and not np.isclose(theirs, here[place], MOST_OFF, 1e-9, equal_nan=True):
            yield f"its inertia of restart {place} is {theirs:.6g}, and {here[place]:.6g} here."
