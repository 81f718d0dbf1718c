"""A study with one method in the place of all: the runs of a newcomer, and of a submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mvarena.registry.catalog import Catalog
from mvarena.study.building import Block, blocks_of
from mvarena.study.file import StudyFile
from mvarena.study.settings import Layer, Layers, checked


def blocks_for(file: StudyFile, algo: str, catalog: Catalog, typed: Mapping[str, Any] | None = None) -> list[Block]:
    """The runs of a study that rank methods, with one method in place of all others and without baselines.

    algo : as `--algo` takes it. typed : further settings, which override the file. The study's parameters and
    preparations of other methods are ignored. Runs that compare preparations, and those of the values that papers
    search, are left out where there are others.
    """
    others = {spec.name for spec in catalog.specs("algorithm")} - {algo}
    upper = Layer(checked({"algo": [algo], "controls": False, **(typed or {})}, ""))
    said = [_without(item, others) for item in file.said(upper)]
    ranking = [item for item in said if not item.compares_preparations and "grid" not in item.settings]
    return blocks_of(ranking or said, catalog)


def _without(said: Layers, others: set[str]) -> Layers:
    settings = dict(said.settings)
    param = {name: values for name, values in settings.pop("param", {}).items() if name not in others}
    prepare = tuple(word for word in settings.pop("prepare", ()) if word.partition("=")[0] not in others)
    more = {"param": param, "prepare": prepare}
    return replace(said, settings=settings | {name: value for name, value in more.items() if value})
