"""Content that a bundle must have, found without it: the points of its study, and the trials of its method there.

The points are planned with a method of mvarena in the place of the submitted one, whose code runs in a fork alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mvarena.bundles.files import BUNDLE, CODE, STUDY, Bundle, InvalidBundle
from mvarena.contracts.corruption import corruption_effect
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import codes_of
from mvarena.engine.scoring import Material, inputs_of, scores_by
from mvarena.engine.stages import staged
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugin_calls import apart
from mvarena.registry.plugins import is_own
from mvarena.registry.user_code import is_local
from mvarena.store.encoding import canonical_json
from mvarena.study.building import Block, blocks_of
from mvarena.study.file import StudyFile, read_study_file, shipped_studies, study_at
from mvarena.study.plan import Plan, plan_blocks
from mvarena.study.request import kept_study
from mvarena.study.settings import Layer, Said

STAND_IN = "concat"  # takes any data: every point of a study is one of its
_MOST_S = 900.0  # that the submitted code may take to be imported and planned


def blocks_for(file: StudyFile, algo: str, catalog: Catalog) -> list[Block]:
    """The runs of a study that rank methods, with one method in place of all others, without controls.

    algo : as `--algo` takes it. What the study says of other methods does not count. Runs that compare preparations are
    left out where there are others.
    """
    others = {spec.name for spec in catalog.specs("algorithm")} - {algo}
    said = [_without(item, others) for item in file.said(Layer({"algo": (algo,), "controls": False}))]
    return blocks_of([item for item in said if not item.compares_preparations] or said, catalog)


def _without(said: Said, others: set[str]) -> Said:
    settings = dict(said.settings)
    param = {name: values for name, values in settings.pop("param", {}).items() if name not in others}
    prepare = tuple(word for word in settings.pop("prepare", ()) if word.partition("=")[0] not in others)
    more = {"param": param, "prepare": prepare}
    return replace(said, settings=settings | {name: value for name, value in more.items() if value})


def point_of(identity: Mapping[str, Any]) -> str:
    """The part of a trial's identity that its method does not decide: data, corruptions, protocol, seed and repeat."""
    return canonical_json([identity[name] for name in ("content", "corruptions", "protocol", "seed")])


@dataclass(frozen=True)
class Planned:
    """The study of a bundle, planned here.

    plan : with the stand-in. how : remarks on which study it is.
    """

    file: StudyFile
    plan: Plan
    remarks: tuple[str, ...] = ()

    @cached_property
    def points(self) -> dict[str, Trial]:
        """Point -> the stand-in's trial there."""
        return {point_of(trial.identity()): trial for trial in reversed((*self.plan.trials, *self.plan.also))}


def planned(bundle: Bundle, folder: Path, study: str | None, catalog: Catalog) -> Planned:
    """Plan the study of a bundle; loads each of its data sets once.

    study : the name or file of the study that it must be; None: the shipped one that it names, else its own.
    Raises InvalidBundle for another study and for files in the place of data sets, and what planning raises.
    """
    name = study or (bundle.study if bundle.study in shipped_studies() else None)
    file = read_study_file(folder / STUDY, shown=STUDY)
    remarks = () if name else (f"No study of that kind comes with mvarena: {STUDY} of the bundle is taken as it is.",)
    if name and kept_study(file.document) != kept_study(study_at(name).document):
        raise InvalidBundle(folder, [f"Its {STUDY} is not the study {name} that is here."])
    blocks = blocks_for(file, STAND_IN, catalog)
    for block in blocks:
        for source in block.study.datasets:
            if isinstance(source, str) or source.paths or source.outcomes is not None:
                text = (
                    f"Its study names files ({getattr(source, 'name', source)}); others have data sets by name alone."
                )
                raise InvalidBundle(folder, [text])
    return Planned(file, plan_blocks(blocks, catalog), remarks)


@dataclass(frozen=True, slots=True)
class Method:
    """The submitted method, as its own code says.

    spec : None where a plugin announces it. code : its fingerprint here. trials : key -> identity (JSON), of the study.
    picks_by_labels : as of the spec.
    """

    spec: AlgorithmSpec | None
    version: str
    code: str
    picks_by_labels: str | None
    trials: Mapping[str, str]


def method_of(bundle: Bundle, folder: Path, found: Planned, catalog: Catalog) -> Method:
    """Import the method and plan the study with it, in a fork of this process.

    Raises PluginError where it cannot be imported or planned, UnknownName for a method that is not installed, and
    InvalidBundle where the file holds another method.
    """
    named = f"{folder / CODE / bundle.one_file[0]}:{bundle.one_file[1]}" if bundle.one_file else bundle.method
    if not bundle.one_file and is_local(named):
        raise InvalidBundle(folder, [f"The method in {BUNDLE} is no name."])

    def deed() -> tuple[Any, ...]:
        trials = list(plan_blocks(blocks_for(found.file, named, catalog), catalog).trials)
        spec = trials[0].spec or catalog.algorithm(trials[0].algorithm)
        code = codes_of(trials[:1], catalog)[trials[0].algorithm]
        return spec, code, {trial.key: trial.identity_json for trial in trials}

    spec, code, trials = apart(f"The method {bundle.method}", deed, _MOST_S)
    if spec.name != bundle.method:
        raise InvalidBundle(folder, [f"{bundle.source} is the method {spec.name}, and not {bundle.method}."])
    return Method(spec if bundle.one_file else None, spec.version, code, spec.picks_by_labels, trials)


# The data at the points of a study, made here: the mask, the classes, and the scores that labels have by them.


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """mask : its digest. noted : what an outcome notes that its mask decides. truth : (n,) classes, or None."""

    mask: str
    noted: Mapping[str, Any]
    n_samples: int
    truth: NDArray[np.int64] | None


class Points:
    """Makes the data of each point once, from the seeds of its trials. Cost of a point: that of loading and corrupting.

    metrics : those of mvarena that are functions of labels and classes, by name.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, Point] = {}
        specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and is_own(spec.target)]
        self.metrics = {spec.name: spec for spec in specs if spec.needs == "truth"}

    def at(self, trial: Trial) -> Point:
        """The data where `trial` is; its method and preparation do not matter. Raises what making them raises."""
        name = point_of(trial.identity())
        if name not in self._known:
            data = staged(replace(trial, prepare=()), self._catalog)
            mask = data.corrupted.mask
            effect = corruption_effect(data.whole, data.corrupted)
            digest = hashlib.sha256(f"{mask.shape}".encode() + np.packbits(mask).tobytes()).hexdigest()
            self._known[name] = Point(digest, noted_of(effect), data.whole.n_samples, data.whole.labels)
        return self._known[name]

    def scores(
        self, labels: Mapping[int, NDArray[np.int64]], truth: NDArray[np.int64] | None
    ) -> dict[str, dict[int, float]]:
        """Metric -> restart -> the score of its labels; nothing without classes or labels."""
        if truth is None or not labels:
            return {}
        material = Material(labels=list(labels.values()), truth=lambda: truth, views=_no_views)
        inputs = inputs_of("truth", material)
        return {
            name: {place: score.value for place, score in zip(labels, found, strict=True)}
            for name, spec in self.metrics.items()
            if (found := scores_by(spec, inputs, self._catalog))
        }


def noted_of(achieved: Mapping[str, Any]) -> dict[str, Any]:
    """The part of what an outcome notes of its data that its mask decides."""
    views = {name: view["missing"] for name, view in achieved["views"].items()}
    return {name: achieved[name] for name in ("incomplete", "samples_by_missing_views")} | {"views": views}


def _no_views() -> NoReturn:
    raise AssertionError("metrics of labels and classes look at no views")
