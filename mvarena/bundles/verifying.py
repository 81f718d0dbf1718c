"""A bundle verified: first all that can be seen without running it, then its method, then a sample run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mvarena.bundles.checking import problems_of, problems_of_method, runnable
from mvarena.bundles.layout import Bundle, InvalidBundle, read_bundle
from mvarena.bundles.masks import Points
from mvarena.bundles.planned import Method, Planned, method_of, planned, point_of
from mvarena.bundles.rerunning import differences, drawn, rerun
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.errors import StoreError
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.integrity import faults
from mvarena.store.trials import identities
from mvarena.study.options import run_options

_NOT_RUN = "Nothing of it was run, so its labels, its parameters and its preparation are as it says."


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
    outcomes = rerun(list(trials.values()), _limits(found), jobs, on_trial)
    for entry in entries:
        wrong = differences(entry, outcomes[entry.key], points, trials[entry.key])
        problems += [f"{entry.named}, run again: {sentence}" for sentence in wrong]
    if problems:
        raise InvalidBundle(folder, problems)
    return Verified(bundle, found, method, len(entries), found.remarks)


def _limits(found: Planned) -> Limits:
    """Limits of the study; its secrets and engines are not for the submitter to name."""
    how = run_options(found.file.said()[0])
    return Limits(timeout_s=how.timeout_s, cpu_s=how.cpu_s, memory=how.memory, threads=how.threads)


def _against(bundle: Bundle, release: Database) -> list[str]:
    for fault in faults(release):
        raise StoreError(f"{release.where} is not whole, so nothing is compared with it: {fault.sentence}")
    known = {point_of(identity) for identity in identities(release)}
    return [
        f"{entry.named}: {release.where} holds no trial on such data under such conditions."
        for entry in bundle.entries
        if point_of(entry.identity) not in known
    ]
