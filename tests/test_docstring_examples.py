"""Every public object and every contestant has an example in its docstring, and it does what it shows; so do pages."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest
from documents import WRITTEN, sessions_of

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


def assert_shown(examples: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(examples, {}, name, None, None)
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not outcome.failed, "".join(said)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_objects_do_as_their_examples_show(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = importlib.import_module("mvarena.algorithms") if name == "algorithms" else getattr(mvarena, name)
    assert_shown(target.__doc__ or "", name)


@pytest.mark.parametrize("spec", CONTESTANTS, ids=lambda spec: spec.name)
def test_contestants_do_as_their_examples_show(spec: AlgorithmSpec) -> None:
    assert_shown(installed_catalog().load(spec).__doc__ or "", spec.name)


@pytest.mark.parametrize(
    "page", [one for one in WRITTEN if sessions_of(one.read_text("utf-8"))], ids=lambda one: one.name
)
def test_pages_show_what_the_interpreter_does(page: Path) -> None:
    assert_shown(sessions_of(page.read_text("utf-8")), page.name)
