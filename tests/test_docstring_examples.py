"""Every public object and every contestant has an example in its docstring, and it does what it shows."""

from __future__ import annotations

import doctest
import importlib
from typing import Any

import pytest

import mvarena
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.catalog import installed_catalog

# a marker of pluggy's, whose examples stand in the reference of the hooks; and a text
WITHOUT = {"hookimpl", "__version__"}
PUBLIC = [name for name in mvarena.__all__ if name not in WITHOUT]
CONTESTANTS = [
    spec
    for name in installed_catalog().names("algorithm")
    if (spec := installed_catalog().algorithm(name)).target.startswith("mvarena.")
]


def assert_shown(target: Any, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(target.__doc__ or "", {}, name, None, None)
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not outcome.failed, "".join(said)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_objects_do_as_their_examples_show(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = importlib.import_module("mvarena.algorithms") if name == "algorithms" else getattr(mvarena, name)
    assert_shown(target, name)


@pytest.mark.parametrize("spec", CONTESTANTS, ids=lambda spec: spec.name)
def test_contestants_do_as_their_examples_show(spec: AlgorithmSpec) -> None:
    assert_shown(installed_catalog().load(spec), spec.name)
