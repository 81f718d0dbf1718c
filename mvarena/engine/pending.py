"""Selection of the trials that a run would execute, and of those that it would leave as stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import Rerun, codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import ENDED, current_attempts, parts_of, restarts_kept


@dataclass(frozen=True, slots=True)
class Pending:
    """The one decision on what runs, which a preview shows and `Conductor` follows.

    planned : all trials that are asked for. trials : those that run, in order. kept : key -> the status of what is
    stored and stays. replacing : of trials that run though they are stored, key -> the attempt that counts no more.
    stale : algorithm -> how many of what is kept was run by other code of it.
    """

    planned: Sequence[Trial]
    trials: Sequence[Trial]
    kept: Mapping[str, Status]
    replacing: Mapping[str, int]
    stale: Mapping[str, int]


def pending(
    db: Database | None,
    trials: Sequence[Trial],
    rerun: Iterable[str] = (),
    keep_restarts: bool = False,
) -> Pending:
    """Decide which of `trials` run: those that the database does not hold, and those that are to run again.

    keep_restarts : whether what is done runs again where the labels of some restarts are not stored.

    Imports the algorithms of what is stored. Raises InvalidSetting for what cannot be run again. Memory: some bytes for
    each trial, and some hundred for each that is stored. Cost: a statement for each 5000 trials.
    """
    codes: dict[str, str] = {}
    rule = Rerun(frozenset(rerun), codes)
    runs, kept, replacing, stale = list[Trial](), dict[str, Status](), dict[str, int](), Counter[str]()
    for batch in parts_of(trials):
        stored = {} if db is None else current_attempts(db, [trial.key for trial in batch])
        known = [trial for trial in batch if trial.key in stored and trial.algorithm not in codes]
        labels = restarts_kept(db, stored) if db is not None and keep_restarts else None
        codes.update(codes_of(known, installed_catalog()))
        for trial in batch:
            attempt = stored.get(trial.key) if stored else None
            lacking = labels is not None and labels.get(trial.key, 0) < trial.protocol.restarts
            lacking = lacking and attempt is not None and attempt.status is Status.DONE
            if attempt is not None and (lacking or rule.wants(trial, attempt)):
                replacing[trial.key] = attempt.number
            elif attempt is not None:
                stale[trial.algorithm] += rule.is_stale(trial, attempt)
                if attempt.status in ENDED:
                    kept[trial.key] = attempt.status
                    continue
            runs.append(trial)
    return Pending(trials, runs, kept, replacing, +stale)
