"""A verified bundle taken into a results database, with the mark of how far it was verified."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.bundles.checks import labels_of
from mvarena.bundles.expected import Points
from mvarena.bundles.files import BUNDLE, SIGNATURE, Entry, InvalidBundle
from mvarena.bundles.verify import Verified
from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.trial import Trial
from mvarena.errors import InvalidSetting
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import Catalog
from mvarena.store.checks import problems
from mvarena.store.contents import describe_contents
from mvarena.store.database import Database, open_database
from mvarena.store.marks import RERUN, SIGNED, SUBMISSION, UNVERIFIED, remark
from mvarena.store.merge import merge
from mvarena.store.read_outcomes import labellings
from mvarena.store.runs import asked_run
from mvarena.store.trials import current_attempts
from mvarena.store.write_outcomes import record
from mvarena.study.request import Asked
from mvarena.system.environment import environment
from mvarena.system.temporary import temporary_folder

NAMESPACE = "mvarena-bundle"  # of signatures: one for something else is none for a bundle
_PROGRAM_S = 60.0


@dataclass(frozen=True, slots=True)
class Pulled:
    """added : trials that are new here. here : that were here, and stay as they are. other : of those, how many have
    other labels in the bundle. remarked : that came of this bundle before and have another mark now."""

    mark: str
    added: int
    here: int
    other: int
    remarked: int


def pull(db: Database, found: Verified, signer: str, asked: Asked, catalog: Catalog) -> Pulled:
    """Add the trials of a verified bundle that `db` does not hold yet; those that it holds stay.

    signer : whose signature it has ('' for none, `signer_of`). asked : what the database keeps of who asked for it.
    Scores are those that the labels have here. Raises InvalidBundle for values that no run stores.
    """
    points, trials = Points(catalog), found.trials()
    submission = _submission(found, signer)
    known = current_attempts(db, trials)
    remarked = remark(db, submission)
    other = sum(
        _differs(db, entry, points.at(trials[entry.key]).n_samples)
        for entry in found.bundle.entries
        if entry.key in known and known[entry.key].status is Status.DONE and entry.labels
    )
    new = [entry for entry in found.bundle.entries if entry.key not in known]
    with temporary_folder() as folder, open_database(Path(folder) / "bundle.db") as part:
        with asked_run(part, asked, environment()) as run:
            describe_contents(part, found.planned.plan.contents)
            for entry in new:
                trial = trials[entry.key]
                stated = dict(found.bundle.environments[entry.environment])
                record(part, trial, _outcome(entry, trial, stated | {SUBMISSION: submission}, points))
            run.wants(entry.key for entry in new)
        wrong = list(problems(part))
        if wrong:
            raise InvalidBundle(found.bundle.method, wrong)
        if new:
            merge(db, part)
    return Pulled(submission["mark"], len(new), len(known), other, remarked)


def _submission(found: Verified, signer: str) -> dict[str, Any]:
    mark = SIGNED if signer else RERUN if found.rerun else UNVERIFIED
    facts = {"bundle": found.bundle.digest, "mark": mark, "source": found.bundle.source}
    facts |= {"signer": signer} if signer else {}
    return facts | ({"run_again": f"{found.rerun} of {len(found.bundle.entries)} trials"} if found.rerun else {})


def _differs(db: Database, entry: Entry, n_samples: int) -> bool:
    mine = labellings(db, entry.key)
    theirs = list(labels_of(entry, n_samples).values())
    return len(mine) == len(theirs) and not all(
        np.array_equal(one.labels, labels) for one, labels in zip(mine, theirs, strict=True)
    )


def _outcome(entry: Entry, trial: Trial, stated: Mapping[str, Any], points: Points) -> Outcome:
    point = points.at(trial)
    labels = labels_of(entry, point.n_samples)
    # a restart that stands alone is stored as the first, as no run stores gaps
    scores = points.scores(dict(enumerate(labels.values())), point.truth)
    return Outcome(
        status=Status(entry.status),
        started_at=datetime.fromisoformat(entry.started_at),
        **{name: getattr(entry, name) for name in ("reason", "wall_s", "cpu_s", "fit_s", "peak_rss_mb", "n_iter")},
        converged=entry.converged,
        stopped_because=entry.stopped_because,
        labellings=tuple(
            Labelling(one, math.nan if (inertia := entry.labels[str(place)][1]) is None else inertia)
            for place, one in labels.items()
        ),
        scores=tuple(
            Score(place, name, points.metrics[name].version, value)
            for name, values in scores.items()
            for place, value in values.items()
        ),
        truth=point.truth if labels else None,
        achieved=dict(entry.achieved),
        environment=dict(stated),
        source_hash=entry.code,
    )


def signer_of(folder: Path, allowed: Path) -> str:
    """The name of whoever signed the bundle, by a file of allowed signers of OpenSSH.

    The signature is that of `ssh-keygen -Y sign -n mvarena-bundle -f KEY bundle.toml`, which holds the digests of all
    other files. Raises InvalidSetting without ssh-keygen or a signature, and InvalidBundle for one that does not hold.
    """
    signature, signed = folder / SIGNATURE, folder / BUNDLE
    if not allowed.is_file():
        raise InvalidSetting(f"There is no file {allowed} of allowed signers.", field="signers")
    if not signature.is_file():
        raise InvalidSetting(f"{folder} has no {SIGNATURE}; leave --signers out, or have it signed: ssh-keygen -Y sign "
                             f"-n {NAMESPACE} -f KEY {BUNDLE}.", field="signers")  # fmt: skip
    found = _keygen(["find-principals", "-s", str(signature), "-f", str(allowed)], b"")
    name = found.stdout.decode("utf-8", "replace").partition("\n")[0].strip()
    text = signed.read_bytes()
    rest = ["-f", str(allowed), "-I", name, "-n", NAMESPACE, "-s", str(signature)]
    if found.returncode or not name or _keygen(["verify", *rest], text).returncode:
        raise InvalidBundle(folder, [f"{SIGNATURE} is of nobody in {allowed.name}, or not of this {BUNDLE}."])
    return name


def _keygen(words: list[str], stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["ssh-keygen", "-Y", *words], input=stdin, capture_output=True, timeout=_PROGRAM_S)
    except (OSError, subprocess.SubprocessError) as error:
        raise InvalidSetting(f"signatures are checked by ssh-keygen (OpenSSH 8.2), which cannot be run: {error}.",
                             field="signers") from error  # fmt: skip
