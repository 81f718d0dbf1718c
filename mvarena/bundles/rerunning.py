"""A sample of a bundle's trials, drawn so that nobody knows it beforehand, run here and compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mvarena.bundles.checking import labels_of
from mvarena.bundles.layout import Entry
from mvarena.bundles.masks import Points
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits, workers_for
from mvarena.engine.local_engine import LocalEngine

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
