"""What a plugin's code raises is one sentence that names the component and the plugin, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mvarena.cli.main import main
from mvarena.contracts.outcome import Status
from mvarena.engine.execute import execute
from mvarena.errors import Incompatible, InvalidSetting, PluginError
from mvarena.registry import catalog as module
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import Plugin, installed_plugins, named_errors
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.study.sources import data_source, source_from_text

PLUGIN = """
import sys
import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.corruption import Corruption
from mvarena.contracts.data_source import DataSource, SourceCard
from mvarena.contracts.specs import (
    AlgorithmSpec, CorruptionSpec, DatasetSpec, MetricSpec, PickerSpec, ReaderSpec, TransformSpec
)


def act():
    {act}


class Source(DataSource):
    def __init__(self, spec):
        self.spec = spec

    def load(self, seed):
        act()

    def describe(self):
        act()

    def files(self):
        act()

    def verify(self):
        act()

    def fetch(self, progress=None):
        act()


class Constructed(Source):
    def __init__(self, spec):
        act()


def load(seed):
    act()


def loads_text(seed):
    return "no data"


def pick(candidates):
    act()


def read(paths, options):
    act()


def write(data, path):
    act()


def transform(data):
    act()


class Spoils(Corruption):
    def largest_rate(self, data):
        act()

    def spoil(self, data, rate, rng):
        return data


class SpoilsLate(Corruption):
    def largest_rate(self, data):
        return 1.0

    def spoil(self, data, rate, rng):
        act()


class Method(MultiViewClusterer):
    def solve(self, data, n_clusters):
        act()


T = "its_code"
specs = [
    DatasetSpec(name="a-source", target=T + ":Source", summary="x"),
    DatasetSpec(name="a-constructed", target=T + ":Constructed", summary="x"),
    DatasetSpec(name="a-load", target=T + ":load", summary="x", views=("a",)),
    DatasetSpec(name="a-text", target=T + ":loads_text", summary="x", views=("a",)),
    DatasetSpec(name="a-missing", target=T + ":no_such_name", summary="x"),
    ReaderSpec(name="a-reader", target=T + ":read", writer=T + ":write", endings=(".its",), summary="x"),
    TransformSpec(name="a-transform", target=T + ":transform", summary="x"),
    CorruptionSpec(name="a-corruption", target=T + ":Spoils", summary="x", rate_means="x", formula="x"),
    CorruptionSpec(name="a-late-corruption", target=T + ":SpoilsLate", summary="x", rate_means="x", formula="x"),
    AlgorithmSpec(name="a-method", target=T + ":Method", summary="x"),
    PickerSpec(name="a-picker", target=T + ":pick", summary="x", needs="labels"),
    MetricSpec(name="a-metric", target=T + ":pick", summary="x", needs="truth"),
]
"""
ACTS = {
    "raises": ("raise ZeroDivisionError('no number')", "failed: ZeroDivisionError: no number."),
    "exits": ("sys.exit(3)", "tried to exit the program (SystemExit: 3)."),
}


@pytest.fixture(params=ACTS)
def told(request: pytest.FixtureRequest) -> str:
    return ACTS[request.param][1]


@pytest.fixture
def catalog(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """A catalog with the components of a plugin that all do what the parameter of `told` says."""
    import sys

    act = next((code for code, told in ACTS.values() if told == request.getfixturevalue("told")))
    (tmp_path / "its_code.py").write_text(PLUGIN.replace("{act}", act))
    monkeypatch.syspath_prepend(str(tmp_path))
    import its_code

    found = Catalog([*installed_plugins().loaded, Plugin("its", "its-plugin", "1.0", tuple(its_code.specs))])
    monkeypatch.setattr(module, "installed_catalog", lambda: found)
    yield found
    sys.modules.pop("its_code")


def of(kind: str, name: str) -> str:
    return f"The {kind} '{name}' of the plugin its-plugin 1.0 "


@pytest.mark.parametrize("name", ["a-source", "a-load"])
def test_a_loader(catalog: Catalog, told: str, name: str) -> None:
    with pytest.raises(PluginError) as error:
        data_source(source_from_text(name, catalog), catalog).load(0)
    assert str(error.value) == of("data set", name) + told


@pytest.mark.parametrize("asked", ["describe", "files", "verify", "fetch"])
def test_what_a_source_says(catalog: Catalog, told: str, asked: str) -> None:
    with pytest.raises(PluginError) as error:
        getattr(data_source(source_from_text("a-source", catalog), catalog), asked)()
    assert str(error.value) == of("data set", "a-source") + told


def test_a_source_that_cannot_be_made(catalog: Catalog, told: str) -> None:
    with pytest.raises(PluginError) as error:
        catalog.card_of(catalog.dataset("a-constructed"))
    assert str(error.value) == of("data set", "a-constructed") + told


def test_a_loader_that_returns_something_else(catalog: Catalog, told: str) -> None:
    del told
    with pytest.raises(PluginError, match=r"'a-text' of the plugin .*it returned a str instead of MultiViewData"):
        data_source(source_from_text("a-text", catalog), catalog).load(0)


def test_a_component_that_is_not_there(catalog: Catalog, told: str) -> None:
    with pytest.raises(PluginError, match=r"1\.0: the import of its_code:no_such_name failed: AttributeError"):
        catalog.load(catalog.dataset("a-missing"))


def test_a_reader(catalog: Catalog, told: str, tmp_path: Path) -> None:
    path = tmp_path / "data.its"
    path.write_text("x")
    with pytest.raises(PluginError) as error:
        data_source(source_from_text(str(path), catalog), catalog).load(0)
    assert str(error.value) == of("reader", "a-reader") + told


def test_a_picker(catalog: Catalog, told: str) -> None:
    with pytest.raises(PluginError) as error:
        catalog.function(catalog.picker("a-picker"))(None)
    assert str(error.value) == of("picker", "a-picker") + told


def test_the_limit_of_a_corruption(catalog: Catalog, told: str) -> None:
    study = Study(algorithms=("concat",), datasets=("toy-blobs",), corruptions=("a-corruption",), rates=(0.5,))
    with pytest.raises(PluginError) as error:
        plan_study(study, catalog)
    assert str(error.value) == of("corruption", "a-corruption") + told


@pytest.mark.parametrize(
    ("study", "named"),
    [
        ({"corruptions": ("a-late-corruption",), "rates": (0.5,)}, of("corruption", "a-late-corruption")),
        ({"prepare": ("a-transform",)}, of("transform", "a-transform")),
    ],
)
def test_a_step_of_a_trial(catalog: Catalog, told: str, study: dict[str, object], named: str) -> None:
    asked = {"algorithms": ("concat",), "datasets": ("toy-blobs",), "corruptions": ("none",)} | study
    outcome = execute(plan_study(Study(**asked), catalog).trials[0], catalog)
    assert (outcome.status, outcome.reason) == (Status.FAILED, named + told)


def test_a_command_says_so_and_ends_with_1(catalog: Catalog, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["data", "verify", "a-source"])
    assert ended.value.code == 2
    assert of("data set", "a-source") + told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("error", [Incompatible("not these."), InvalidSetting("too large."), MemoryError()])
def test_errors_of_mvarena_and_a_full_memory_stay_what_they_are(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, named_errors("It"):
        raise error
    assert raised.value is error


def test_what_the_code_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with named_errors("It"):
        print("noise")
    assert capsys.readouterr() == ("", "noise\n")
