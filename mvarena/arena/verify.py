"""Verification of a submission: its trials against its study, its scores against its labels, and a sample run again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import numpy as np
import tomli_w
from numpy.typing import NDArray

from mvarena.arena.one_method import blocks_for
from mvarena.arena.submissions import (
    CARD,
    Submission,
    describe_file,
    described,
    read_submission,
    stored_keys,
    truth_metrics,
)
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.peeking import peeking_of
from mvarena.engine.pending import codes_of
from mvarena.engine.scoring import Material, inputs_of, values_by
from mvarena.engine.stages import staged
from mvarena.errors import MvarenaError
from mvarena.files import temporary_folder, write_atomically
from mvarena.registry.catalog import Catalog
from mvarena.running import preview_of_plan, run_plan
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.maintenance import thin
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import kept_study
from mvarena.store.trials import ENDED
from mvarena.study.building import RunOptions, run_options
from mvarena.study.file import study_at
from mvarena.study.plan import Plan, plan_blocks
from mvarena.system.openblas import can_use, processes_use, routines_in_use
from mvarena.text import listed, shortened

_ROUNDING_OFF = 1e-6  # of a score that is computed again from the same labels
# whether a trial ends so depends on the machine and its limits
_OF_THE_MACHINE = (Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)
Stored = Mapping[str, Outcome]


class Refused(MvarenaError):
    """A submission that does not hold. problems : a sentence for each thing that is wrong."""

    def __init__(self, folder: Path, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{folder} is refused. {' '.join(self.problems)}")


@dataclass(frozen=True, slots=True)
class Verified:
    """trials : how many the submission holds. again : how many of them were run again. remarks : to be read."""

    submission: Submission
    trials: int
    again: int
    remarks: tuple[str, ...]


def verify(
    folder: Path,
    catalog: Catalog,
    *,
    sample: int,
    seed: int,
    study: str | None = None,
    jobs: int | None = None,
) -> Verified:
    """Verify the submission in `folder` and note in its card when, and how many trials were run again.

    Its trials must be exactly those of its study with its method, each ended, with the scores that its labels have
    here. Then `sample` of them, drawn by `seed`, which the submitter must not know, run again; of the quickest the
    method is checked for peeking (`mvarena.engine.peeking`).
    study : the study that it must be of.

    The method is imported and run, with the rights of this process. Raises Refused with a sentence for each thing that
    is wrong, StoreError for a folder or database that is none, DataUnavailable where data are not available.
    """
    submission = read_submission(folder)
    if submission.card["database"].get("sha256") != describe_file(submission.db)["sha256"]:
        raise Refused(folder, [f"{submission.db.name} has another sha256 than {CARD} says."])
    file = study_at(submission.study)
    if study is not None and kept_study(file.document) != kept_study(study_at(study).document):
        raise Refused(folder, [f"Its study {submission.card['study']} is not {study} as it is here."])
    plan = plan_blocks(blocks_for(file, submission.method, catalog), catalog)
    with open_to_read(submission.db) as db:
        _refuse(folder, problems(db))
        _refuse(folder, _other_method(submission, plan.trials[0], catalog))
        _refuse(folder, _other_trials(plan.trials, stored_keys(db)))
        known = {trial.key: outcome for trial in plan.trials if (outcome := outcome_of(db, trial.key)) is not None}
    _refuse(folder, _wrong_outcomes(plan.trials, known, str(submission.card["code"]), catalog))
    chosen = _drawn(plan.trials, known, sample, seed)
    how = replace(run_options(file.said()[0]), jobs=jobs or "auto")
    wrong, remarks = _run_again(plan, chosen, known, how, catalog)
    done = [trial for trial in chosen if known[trial.key].status is Status.DONE]
    if done:
        quickest = min(done, key=lambda trial: known[trial.key].wall_s)
        sentence = peeking_of(quickest, catalog)
        wrong += [f"{quickest.algorithm} reads classes: on {quickest.dataset}, {sentence}."] if sentence else []
    _refuse(folder, wrong)
    if chosen:
        again = {"on": datetime.now(UTC).date().isoformat(), "trials": len(chosen)}
        write_atomically(folder / CARD, tomli_w.dumps(submission.card | {"run-again": again}))
    return Verified(submission, len(plan.trials), len(chosen), tuple(remarks))


def _refuse(folder: Path, sentences: Iterator[str] | Sequence[str]) -> None:
    if wrong := list(sentences):
        raise Refused(folder, wrong)


def _other_method(submission: Submission, trial: Trial, catalog: Catalog) -> Iterator[str]:
    card, code = submission.card, codes_of([trial], catalog)[trial.algorithm]
    if [trial.algorithm, trial.algorithm_version] != [card["method"], card["version"]]:
        yield (f"{card['target']} is the method {trial.algorithm} {trial.algorithm_version}; its card says "
               f"{card['method']} {card['version']}.")  # fmt: skip
    elif code != card["code"]:
        yield f"{card['target']} is other code than its trials were run by, says its card."


def _other_trials(planned: Sequence[Trial], stored: set[str]) -> Iterator[str]:
    keys = {trial.key for trial in planned}
    if own := sorted({trial.dataset for trial in planned if trial.source.paths}):
        yield f"Its study names files ({listed(own)}), which others do not have."
    for trial in planned:
        if trial.key not in stored:
            yield f"It lacks {described(trial)}: a submission holds every trial of its study, failures too."
    for key in sorted(stored - keys):
        yield (f"Trial {key[:12]} is none of its study: another condition, seed or parameter, or other data or "
               "versions than here.")  # fmt: skip


def _wrong_outcomes(trials: Sequence[Trial], known: Stored, code: str, catalog: Catalog) -> Iterator[str]:
    for trial in trials:
        outcome = known.get(trial.key)
        if outcome is None or outcome.status not in ENDED:
            yield f"{described(trial)}: it was not run."
        elif outcome.source_hash not in ("", code):
            yield f"{described(trial)}: it was run by other code than the submission's."
        elif outcome.status is not Status.DONE:
            if outcome.labellings or outcome.scores:
                yield f"{described(trial)}: it is {outcome.status} and has labels or scores."
        else:
            yield from (f"{described(trial)}: {sentence}" for sentence in _wrong_scores(trial, outcome, catalog))


def _wrong_scores(trial: Trial, outcome: Outcome, catalog: Catalog) -> Iterator[str]:
    """Sentences on labels that are none, and on scores that are not those of the labels."""
    whole = staged(replace(trial, prepare=()), catalog).whole
    labels = [labelling.labels for labelling in outcome.labellings]
    if not labels or any(one.size != whole.n_samples for one in labels):
        yield f"it has no cluster index for each of the {whole.n_samples} samples."
        return
    if whole.labels is None:
        return
    here = scores_here(labels, whole.labels, catalog)
    stated = {score.metric: score.value for score in outcome.scores}
    for name in sorted(here.keys() ^ stated.keys()):
        yield f"its {name} is {'missing' if name in here else 'no metric of labels and classes'}."
    if trial.protocol.pick != "lowest-inertia":  # the labels of one restart do not say what the others had
        return
    for name in here.keys() & stated.keys():
        if not np.isclose(here[name][0], stated[name], 0, _ROUNDING_OFF, equal_nan=True):
            yield f"its {name} is {stated[name]:.4f}, and its labels have {here[name][0]:.4f}."


def scores_here(
    labels: Sequence[NDArray[np.int64]], truth: NDArray[np.int64], catalog: Catalog
) -> dict[str, list[float]]:
    """Metric -> the score of each labelling (n,) by the classes (n,)."""
    inputs = inputs_of("truth", Material(labels=labels, truth=lambda: truth, views=_no_views))
    return {name: values_by(spec, inputs, catalog) for name, spec in truth_metrics(catalog).items()}


def _no_views() -> NoReturn:
    raise AssertionError("metrics of labels and classes look at no views")


def _drawn(trials: Sequence[Trial], known: Stored, count: int, seed: int) -> list[Trial]:
    """`count` of the trials that end alike on every machine, drawn by `seed`; all where there are fewer."""
    alike = [trial for trial in trials if known[trial.key].status not in _OF_THE_MACHINE]
    alike.sort(key=lambda trial: trial.key)
    return random.Random(seed).sample(alike, min(count, len(alike)))


def _run_again(
    plan: Plan,
    chosen: Sequence[Trial],
    known: Stored,
    how: RunOptions,
    catalog: Catalog,
) -> tuple[list[str], list[str]]:
    """Differences from what is stated, and remarks. Each trial runs with the routines of OpenBLAS that it states."""
    wrong: list[str] = []
    remarks: list[str] = []
    groups: dict[str, list[Trial]] = {}
    for trial in chosen:
        groups.setdefault(str(known[trial.key].environment.get("openblas", "")), []).append(trial)
    for routines, trials in groups.items():
        usable = not routines or can_use(routines)
        with temporary_folder() as folder, open_database(Path(folder) / "again.db") as db:
            with processes_use(routines if usable else ""):
                part = Plan(tuple(trials), (), contents=plan.contents)
                run_plan(db, preview_of_plan(db, part, how), how)
            thin(db, truth_metrics(catalog), labels=True)
            other = [sentence for trial in trials for sentence in _differences(trial, known[trial.key], db)]
        if not usable:
            (wrong if other else remarks).append(
                f"OpenBLAS used its routines for {shortened(routines, 40)} there, which this processor lacks, and "
                f"those for {routines_in_use()} here. Some methods amplify rounding; verify on such a processor."
            )
        wrong += other
    return wrong, remarks


def _differences(trial: Trial, stated: Outcome, db: Database) -> Iterator[str]:
    here = outcome_of(db, trial.key)
    assert here is not None
    if here.status != stated.status:
        why = f" ({here.reason})" if here.reason else ""
        yield f"{described(trial)}, run again: it is {stated.status} there and {here.status} here{why}."
    elif here.status is Status.DONE:
        theirs, ours = ([one.labels for one in outcome.labellings] for outcome in (stated, here))
        if len(theirs) != len(ours) or not all(map(np.array_equal, theirs, ours)):
            yield f"{described(trial)}, run again: its labels are others here."
