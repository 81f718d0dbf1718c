"""Submissions: the stored trials of one method on one study as a small results database with a card.

submissions/my-method/arena-lite/
    submission.toml      the card: method, version, study, size and sha256 of the database
    results.db           every trial of the method on the study, failures too, and nothing else
    my_method.py         the method, if it is a class in one file
    study.toml           the study, if it does not come with mvarena
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from inspect import Parameter
from pathlib import Path
from typing import Any

import tomli_w
from sqlalchemy import select

from mvarena import __version__
from mvarena.arena.one_method import blocks_for
from mvarena.contracts.outcome import Status
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.pending import codes_of
from mvarena.errors import InvalidSetting, StoreError
from mvarena.files import temporary_folder, write_atomically
from mvarena.registry.catalog import Catalog
from mvarena.registry.code_digest import is_other_code
from mvarena.registry.code_version import version_in_file
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.maintenance import remove, thin
from mvarena.store.merge import merge
from mvarena.store.schema import trials
from mvarena.store.trials import Attempt, current_attempts
from mvarena.study.file import shipped_studies, study_at
from mvarena.study.plan import plan_blocks
from mvarena.text import plural

CARD, DATABASE, STUDY = "submission.toml", "results.db", "study.toml"
FORMAT = 2
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Submission:
    """folder : of the card and the database. card : its content."""

    folder: Path
    card: dict[str, Any]

    @property
    def db(self) -> Path:
        """Its database."""
        return self.folder / DATABASE

    @property
    def method(self) -> str:
        """The method as `--algo` takes it: a name, or a class in the submission's file."""
        file, _, name = str(self.card["target"]).rpartition(":")
        return f"{self.folder / file}:{name}" if file else name

    @property
    def study(self) -> str:
        """The study as `study_at` takes it."""
        name = str(self.card["study"])
        return str(self.folder / STUDY) if name == STUDY else name


def describe_file(path: Path) -> dict[str, Any]:
    """Name, size in bytes and sha256 of a file, as cards state them. Cost: the file is read once."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "size": path.stat().st_size, "sha256": digest}


def submit(db: Database, study: str, algo: str, out: Path, catalog: Catalog) -> Submission:
    """Write the stored trials of a method on a study into a submission in `out`/METHOD/STUDY.

    study : the name of a study that comes with mvarena, or a file. algo : one method, as `mvarena run --algo` takes it.
    Of each trial the labels and the scores stay that its protocol counts.

    Raises StoreError where the database is damaged; InvalidSetting where trials are missing or were run by other code,
    where data are the submitter's own files, and for a method of several files that is no plugin.
    """
    for problem in problems(db):
        raise StoreError(f"no submission is made from {db.where}, which is damaged: {problem}")
    file = study_at(study)
    planned = plan_blocks(blocks_for(file, algo, catalog), catalog).trials
    spec = _method_of(planned, catalog)
    code = codes_of(planned[:1], catalog)[spec.name]
    _check_stored(planned, current_attempts(db, (trial.key for trial in planned)), code, db.where, study, algo)
    target = _target(spec, planned[0])
    folder = out / spec.name / (re.sub(r"[^a-z0-9.]+", "-", file.path.stem.lower()).strip("-.") or "study")
    folder.mkdir(parents=True, exist_ok=True)
    copy_trials(db, folder / DATABASE, {trial.key for trial in planned}, truth_metrics(catalog))
    if ":" in target:
        shutil.copyfile(spec.target.rpartition(":")[0], folder / target.partition(":")[0])
    shipped = study in shipped_studies()
    if not shipped:
        shutil.copyfile(file.path, folder / STUDY)
    card = _card(spec, catalog) | {
        "target": target,
        "code": code,
        "study": study if shipped else STUDY,
        "trials": len(planned),
        "database": describe_file(folder / DATABASE),
    }
    write_atomically(folder / CARD, tomli_w.dumps(card))
    return Submission(folder, card)


def truth_metrics(catalog: Catalog) -> dict[str, MetricSpec]:
    """The metrics of mvarena that are functions of labels and classes, by name."""
    specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and spec.needs == "truth"]
    return {spec.name: spec for spec in specs if catalog.plugin_of(spec).distribution == "mvarena"}


def copy_trials(db: Database, target: Path, keys: set[str], metrics: Collection[str], *, labels: bool = True) -> None:
    """Write a database of some of the trials of `db`, with their scores by `metrics` alone. Replaces `target`.

    labels : whether the labelling that counts stays.
    """
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    with open_database(part) as copy:
        merge(copy, db)
        remove(copy, stored_keys(copy) - keys)
        thin(copy, metrics, labels=labels)
    part.replace(target)


def stored_keys(db: Database) -> set[str]:
    """The keys of all trials in a database."""
    with db.read() as connection:
        return set(connection.scalars(select(trials.c.key)))


def _method_of(planned: Sequence[Trial], catalog: Catalog) -> AlgorithmSpec:
    if len(names := sorted({trial.algorithm for trial in planned})) != 1:
        found = ", ".join(names) or "none"
        raise InvalidSetting(f"a submission is of one method, not of {found}; name one.", field="algorithms")
    for trial in planned:
        if trial.source.paths:
            raise InvalidSetting(f"{trial.dataset} is a file of yours, which others do not have; submit results on "
                                 "data sets that mvarena or a plugin provides.", field="datasets")  # fmt: skip
    return planned[0].spec or catalog.algorithm(planned[0].algorithm)


def _check_stored(
    planned: Sequence[Trial], stored: dict[str, Attempt], code: str, where: str, study: str, algo: str
) -> None:
    """Raise InvalidSetting where a trial is not stored, was interrupted, or was run by other code."""
    missing = [trial for trial in planned if trial.key not in stored or stored[trial.key].status is Status.INTERRUPTED]
    if missing:
        named = "; ".join(described(trial) for trial in missing[:_MOST_NAMED])
        raise InvalidSetting(
            f"{plural(len(missing), 'trial')} of {len(planned)} are not in {where} ({named}"
            f"{'; ...' if len(missing) > _MOST_NAMED else ''}). A submission holds all trials, failures too; run them: "
            f"mvarena run {study} --algo {algo} --no-controls --db {where}"
        )
    if any(is_other_code(stored[trial.key].source_hash, code) for trial in planned):
        raise InvalidSetting(f"some trials of {algo} were run by other code than the present one; run the study again "
                             "with --rerun stale.")  # fmt: skip


def described(trial: Trial) -> str:
    """'digits, missing-even 0.3, repeat 2'."""
    condition = f"{trial.corruption} {trial.rate:g}" if trial.corruptions else "complete data"
    return f"{trial.dataset}, {condition}, repeat {trial.repeat + 1}"


def _target(spec: AlgorithmSpec, trial: Trial) -> str:
    """'apmc' for an installed method, 'my_method.py:MyMethod' for a class in one file."""
    if trial.spec is None:
        return spec.name
    place, _, name = spec.target.rpartition(":")
    path = Path(place)
    if path.suffix != ".py" or not path.is_file() or not path.stem.isidentifier():
        raise InvalidSetting(f"{spec.name} is no class in one Python file; make it a plugin (mvarena plugin new).")
    with temporary_folder() as folder:  # alone, without its neighbours
        alone = Path(shutil.copy(path, folder))
        if version_in_file(alone) != spec.version:
            raise InvalidSetting(f"{path.name} imports other files of its folder; put all into one file, or make it a "
                                 "plugin (mvarena plugin new).")  # fmt: skip
    return f"{path.name}:{name}"


def _card(spec: AlgorithmSpec, catalog: Catalog) -> dict[str, Any]:
    card = {"format": FORMAT, "mvarena": __version__, "method": spec.name, "version": spec.version}
    card |= {"summary": spec.summary, "source": spec.source, "takes": spec.capabilities.words, "cost": spec.cost}
    parameters = parameters_of(catalog.load(spec)).values()
    return card | {
        "parameters": [f"{one.name} = {one.default!r}" for one in parameters if one.default is not Parameter.empty]
    }


# Reading a submission.

_FIELDS: dict[str, type] = {
    "method": str, "version": str, "target": str, "code": str, "study": str, "trials": int, "database": dict,
}  # fmt: skip


def read_submission(folder: Path) -> Submission:
    """The submission in a folder; none of its code runs. Raises StoreError for a card or files that are none."""
    path = folder / CARD
    try:
        card = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder} is no submission: its {CARD} cannot be read ({error}).") from error
    if card.get("format") != FORMAT:
        raise StoreError(f"{path}: the format is {card.get('format')!r:.40}; this version of mvarena reads {FORMAT}.")
    wrong = [name for name, kind in _FIELDS.items() if not isinstance(card.get(name), kind)]
    if wrong:
        raise StoreError(f"{path}: {', '.join(wrong)} must be given, as 'mvarena results submit' writes it.")
    file = card["target"].rpartition(":")[0]
    for name in (DATABASE, *([file] if file else []), *([STUDY] if card["study"] == STUDY else [])):
        if Path(name).name != name or (folder / name).is_symlink() or not (folder / name).is_file():
            raise StoreError(f"{folder} has no file {name}, which its {CARD} names.")
    return Submission(folder, card)
