"""Selection of the trials that a run would execute, and of those that it would leave as stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mvarena.contracts.outcome import ALL, OUTCOMES, RERUNS, STALE, Status
from mvarena.contracts.trial import Trial
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.code_digest import code_digest, is_other_code
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

    rerun : any of `RERUNS`, for what is stored. failed : ended in an error, out of memory among them. timeout, crashed,
        skipped : ended so. stale : run by other code of the algorithm than is here now, however that ended; never where
        either is not known. all : all of these; what is done by the same code stays.
    keep_restarts : whether what is done runs again where the labels of some restarts are not stored.

    Imports the algorithms of what is stored. Raises InvalidSetting for what cannot be run again. Memory: some bytes for
    each trial, and some hundred for each that is stored. Cost: a statement for each 5000 trials.
    """
    codes: dict[str, str] = {}
    statuses, stale_too = rerun_statuses(rerun)
    runs, kept, replacing, stale = list[Trial](), dict[str, Status](), dict[str, int](), Counter[str]()
    for batch in parts_of(trials):
        stored = {} if db is None else current_attempts(db, [trial.key for trial in batch])
        known = [trial for trial in batch if trial.key in stored and trial.algorithm not in codes]
        labels = restarts_kept(db, stored) if db is not None and keep_restarts else None
        codes.update(codes_of(known, installed_catalog()))
        for trial in batch:
            attempt = stored.get(trial.key)
            if attempt is None:
                runs.append(trial)
                continue
            is_stale = is_other_code(attempt.source_hash, codes[trial.algorithm])
            lacking = labels is not None and labels.get(trial.key, 0) < trial.protocol.restarts
            if attempt.status in statuses or (is_stale and stale_too) or (lacking and attempt.status is Status.DONE):
                replacing[trial.key] = attempt.number
                runs.append(trial)
                continue
            stale[trial.algorithm] += is_stale
            if attempt.status in ENDED:
                kept[trial.key] = attempt.status
            else:
                runs.append(trial)
    return Pending(trials, runs, kept, replacing, +stale)


def rerun_statuses(kinds: Iterable[str]) -> tuple[set[Status], bool]:
    """The statuses whose trials run again, and whether those do that other code ran. Raises as `pending`."""
    asked = set(kinds)
    for kind in sorted(asked - set(RERUNS)):
        raise InvalidSetting(f"'{kind}' cannot be run again; choose from {', '.join(RERUNS)}.", field="rerun")
    if ALL in asked:
        asked = set(RERUNS)
    return {status for kind in asked for status in OUTCOMES.get(kind, ())}, STALE in asked


def codes_of(trials: Iterable[Trial], catalog: Catalog) -> dict[str, str]:
    """Algorithm -> the fingerprint of its code, for the algorithms of `trials`. Each is imported."""
    specs = {trial.algorithm: trial.spec for trial in trials}
    return {name: code_digest(catalog.load(spec or catalog.algorithm(name))) for name, spec in specs.items()}
