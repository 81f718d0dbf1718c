"""From stored trials of a method on a study to a bundle."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from inspect import Parameter
from pathlib import Path
from typing import Any

import numpy as np

from mvarena import __version__
from mvarena.bundles.expected import Points, blocks_for
from mvarena.bundles.files import CODE, Bundle, Entry, write_bundle
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import codes_of
from mvarena.errors import InvalidSetting, StoreError
from mvarena.registry.catalog import Catalog
from mvarena.registry.code_version import version_in_file
from mvarena.registry.stale_results import is_other_code
from mvarena.store.checks import problems
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json, fingerprint, pack_labels
from mvarena.store.read_outcomes import outcome_of, restarts_of
from mvarena.study.file import shipped_studies, study_at
from mvarena.study.plan import plan_blocks
from mvarena.study.request import kept_study
from mvarena.system.temporary import temporary_folder
from mvarena.text import plural, shortened

_MOST_NAMED = 3
_MOST_REASON = 2000  # letters


def submit(db: Database, study: str, algo: str, out: Path, catalog: Catalog) -> tuple[Path, Bundle]:
    """Write the bundle of a method's stored trials on a study; its folder (out/METHOD/STUDY) and content.

    study : a shipped one's name, or a file. algo : as `mvarena run --algo` takes it, one method.
    Every trial of the study must be stored, failures too. Raises StoreError where the database is not whole,
    InvalidSetting where trials are missing or of other code, where data are files of one's own, and for a method that
    others cannot run: one of several files that is no plugin.
    """
    for problem in problems(db):
        raise StoreError(f"no bundle is made of {db.where}, which is not whole: {problem}")
    file = study_at(study)
    trials = _trials(plan_blocks(blocks_for(file, algo, catalog), catalog).trials)
    outcomes = {trial.key: outcome_of(db, trial.key) for trial in trials}
    _require_all(trials, outcomes, study, algo, db.where)
    spec = trials[0].spec or catalog.algorithm(trials[0].algorithm)
    code = codes_of(trials[:1], catalog)[spec.name]
    points = Points(catalog)
    known = {trial.key: outcome for trial in trials if (outcome := outcomes[trial.key]) is not None}
    if any(is_other_code(outcome.source_hash, code) for outcome in known.values()):
        raise InvalidSetting(f"some trials of {spec.name} were run by other code than is here; run the study again "
                             "with --rerun stale.")  # fmt: skip
    environments = {fingerprint(canonical_json(dict(one.environment)))[:12]: one.environment for one in known.values()}
    source, text = _source_of(spec, trials[0], catalog)
    bundle = Bundle(
        method=spec.name,
        version=spec.version,
        study=study if study in shipped_studies() else "",
        study_text=kept_study(file.document),
        source=source,
        code=code,
        mvarena=__version__,
        metrics={name: metric.version for name, metric in points.metrics.items()},
        card=_card(spec, catalog),
        environments={name: _plain(value) for name, value in environments.items()},
        entries=tuple(_entry(trial, known[trial.key], restarts_of(db, trial.key), points) for trial in trials),
        source_text=text,
    )
    folder = out / spec.name / (re.sub(r"[^a-z0-9.]+", "-", file.path.stem.lower()).strip("-.") or "study")
    write_bundle(folder, bundle)
    return folder, bundle


def _trials(planned: Sequence[Trial]) -> list[Trial]:
    trials = list(planned)
    if len(names := sorted({trial.algorithm for trial in trials})) != 1:
        raise InvalidSetting(f"a bundle is of one method, and not of {', '.join(names) or 'none'}; name one.",
                             field="algo")  # fmt: skip
    for trial in trials:
        if not _is_finite(trial):
            raise InvalidSetting(f"{trial.algorithm} on {trial.dataset} has a rate or parameter that is no finite "
                                 "number, which a bundle does not hold; leave it out of the study.")  # fmt: skip
        if trial.source.paths:
            raise InvalidSetting(f"{trial.dataset} is a file of your own, which others lack; a bundle is of data "
                                 "sets that mvarena or a plugin announces.", field="datasets")  # fmt: skip
    return trials


def _is_finite(trial: Trial) -> bool:
    try:
        json.dumps(trial.identity(), allow_nan=False)
    except ValueError:
        return False
    return True


def _require_all(
    trials: Sequence[Trial], outcomes: dict[str, Outcome | None], study: str, algo: str, where: str
) -> None:
    missing = [
        trial for trial in trials if (outcome := outcomes[trial.key]) is None or outcome.status is Status.INTERRUPTED
    ]
    if missing:
        named = "; ".join(
            f"{one.dataset}, {one.corruption} {one.rate:g}, repeat {one.repeat}" for one in missing[:_MOST_NAMED]
        )
        raise InvalidSetting(
            f"{plural(len(missing), 'trial')} of {len(trials)} are not in {where} ({named}"
            f"{'; ...' if len(missing) > _MOST_NAMED else ''}). A bundle holds all, failures too; run them: "
            f"mvarena run {study} --algo {algo} --no-controls --db {where}"
        )


def _source_of(spec: AlgorithmSpec, trial: Trial, catalog: Catalog) -> tuple[str, str | None]:
    """Provider of the method, in words, and the text of its file where it is one."""
    if trial.spec is None:
        plugin = catalog.plugin_of(spec)
        return f"{plugin.distribution} {plugin.version}", None
    place, _, name = spec.target.rpartition(":")
    path = Path(place)
    if path.suffix != ".py" or not path.is_file() or not path.stem.isidentifier():
        raise InvalidSetting(f"{spec.name} is no class in one Python file; make it a plugin (mvarena plugin new).")
    with temporary_folder() as folder:  # alone, without its neighbours
        alone = Path(folder) / path.name
        alone.write_bytes(path.read_bytes())
        if version_in_file(alone) != spec.version:
            raise InvalidSetting(f"{path.name} uses other files of its folder; put all into one file, or make it a "
                                 "plugin (mvarena plugin new).")  # fmt: skip
        try:
            return f"{CODE}/{path.name}:{name}", alone.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidSetting(f"{path.name} is no UTF-8 text.") from error


def _card(spec: AlgorithmSpec, catalog: Catalog) -> dict[str, Any]:
    parameters = parameters_of(catalog.load(spec)).values()
    card = {"label": spec.label, "summary": spec.summary, "source": spec.source, "status": spec.status}
    card |= {"takes": spec.capabilities.words, "prepare": ", ".join(spec.prepare), "cost": spec.cost}
    return card | {
        "parameters": [
            f"{one.name} = {one.default!r}: {one.words}" for one in parameters if one.default is not Parameter.empty
        ]
    }


def _entry(trial: Trial, outcome: Outcome, places: Sequence[int], points: Points) -> Entry:
    """The entry of a trial; its scores are those that its labels have, also where a database keeps only some."""
    point = points.at(trial)
    labels = {place: one.labels for place, one in zip(places, outcome.labellings, strict=True)}
    scores = points.scores(labels, point.truth)
    return Entry(
        key=trial.key,
        dataset=trial.dataset,
        protocol=trial.protocol.name,
        identity=trial.identity(),
        status=outcome.status.value,
        reason=shortened(outcome.reason, _MOST_REASON),
        started_at=outcome.started_at.isoformat(),
        **{name: float(getattr(outcome, name)) for name in ("wall_s", "cpu_s", "fit_s", "peak_rss_mb")},
        n_iter=int(outcome.n_iter),
        converged=bool(outcome.converged),
        stopped_because=shortened(outcome.stopped_because, _MOST_REASON),
        code=outcome.source_hash,
        environment=fingerprint(canonical_json(dict(outcome.environment)))[:12],
        mask=point.mask,
        achieved=_plain(outcome.achieved),
        scores={name: {str(place): _real(one) for place, one in own.items()} for name, own in scores.items()},
        labels={
            str(place): (base64.b64encode(pack_labels(one.labels)).decode(), _real(one.inertia))
            for place, one in zip(places, outcome.labellings, strict=True)
        },
    )


def _real(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _plain(value: Any) -> Any:
    """The same with null for what is no finite number, which JSON knows not."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
