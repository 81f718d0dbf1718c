"""What a plugin's code raises is one sentence that names the component and the plugin, wherever it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import toy_trials

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
from mvarena.contracts.corruption import Corruption
from mvarena.contracts.data_source import DataSource
from mvarena.contracts.specs import CorruptionSpec, DatasetSpec, PickerSpec, ReaderSpec, TransformSpec


def act(*given):
    raise ZeroDivisionError('no number')


class Source(DataSource):
    def __init__(self, spec):
        self.spec = spec

    load = describe = files = verify = fetch = act


class Constructed(Source):
    __init__ = act


def loads_text(seed):
    return "no data"


def transform(data):
    act()


class Spoils(Corruption):
    largest_rate = act

    def spoil(self, data, rate, rng):
        return data


class SpoilsLate(Corruption):
    spoil = act


T = "its_code"
specs = [
    DatasetSpec(name="a-source", target=T + ":Source", summary="x"),
    DatasetSpec(name="a-constructed", target=T + ":Constructed", summary="x"),
    DatasetSpec(name="a-load", target=T + ":act", summary="x", views=("a",)),
    DatasetSpec(name="a-text", target=T + ":loads_text", summary="x", views=("a",)),
    DatasetSpec(name="a-missing", target=T + ":no_such_name", summary="x"),
    ReaderSpec(name="a-reader", target=T + ":act", writer=T + ":act", endings=(".its",), summary="x"),
    TransformSpec(name="a-transform", target=T + ":transform", summary="x"),
    CorruptionSpec(name="a-corruption", target=T + ":Spoils", summary="x", rate_means="x", formula="x"),
    CorruptionSpec(name="a-late-corruption", target=T + ":SpoilsLate", summary="x", rate_means="x", formula="x"),
    PickerSpec(name="a-picker", target=T + ":act", summary="x", needs="labels"),
]
"""
TOLD = "failed: ZeroDivisionError: no number."


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """A catalog with the components of a plugin that all raise."""
    (tmp_path / "its_code.py").write_text(PLUGIN)
    (tmp_path / "data.its").write_text("x")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    import its_code

    found = Catalog([*installed_plugins().loaded, Plugin("its", "its-plugin", "1.0", tuple(its_code.specs))])
    monkeypatch.setattr(module, "installed_catalog", lambda: found)
    yield found
    sys.modules.pop("its_code")


def source(name: str, catalog: Catalog):
    return data_source(source_from_text(name, catalog), catalog)


STUDY = Study(algorithms=("concat",), datasets=("toy-blobs",), corruptions=("a-corruption",), rates=(0.5,))
CALLS: list[tuple[str, str, Callable[[Catalog], object]]] = [
    ("data set", "a-load", lambda catalog: source("a-load", catalog).load(0)),
    ("data set", "a-source", lambda catalog: source("a-source", catalog).load(0)),
    ("data set", "a-source", lambda catalog: source("a-source", catalog).describe()),
    ("data set", "a-source", lambda catalog: source("a-source", catalog).files()),
    ("data set", "a-source", lambda catalog: source("a-source", catalog).verify()),
    ("data set", "a-source", lambda catalog: source("a-source", catalog).fetch()),
    ("data set", "a-constructed", lambda catalog: catalog.card_of(catalog.dataset("a-constructed"))),
    ("reader", "a-reader", lambda catalog: source("data.its", catalog).load(0)),
    ("picker", "a-picker", lambda catalog: catalog.function(catalog.picker("a-picker"))(None)),
    ("corruption", "a-corruption", lambda catalog: plan_study(STUDY, catalog)),
]


@pytest.mark.parametrize(("kind", "name", "call"), CALLS)
def test_what_raises_is_named(catalog: Catalog, kind: str, name: str, call: Callable[[Catalog], object]) -> None:
    with pytest.raises(PluginError) as error:
        call(catalog)
    assert str(error.value) == f"The {kind} '{name}' of the plugin its-plugin 1.0 {TOLD}"


def test_a_loader_that_returns_something_else_or_is_not_there_is_named(catalog: Catalog) -> None:
    with pytest.raises(PluginError, match=r"'a-text' of the plugin .*it returned a str instead of MultiViewData"):
        source("a-text", catalog).load(0)
    with pytest.raises(PluginError, match=r"1\.0: the import of its_code:no_such_name failed: AttributeError"):
        catalog.load(catalog.dataset("a-missing"))


@pytest.mark.parametrize(
    ("study", "named"),
    [
        ({"corruptions": ("a-late-corruption",), "rates": (0.5,)}, "The corruption 'a-late-corruption'"),
        ({"prepare": ("a-transform",), "corruptions": ("none",)}, "The transform 'a-transform'"),
    ],
)
def test_a_step_of_a_trial_is_named(catalog: Catalog, monkeypatch, study: dict[str, object], named: str) -> None:
    monkeypatch.setattr(toy_trials, "installed_catalog", lambda: catalog)
    outcome = execute(toy_trials.one_trial("concat", **study), catalog)
    assert (outcome.status, outcome.reason) == (Status.FAILED, f"{named} of the plugin its-plugin 1.0 {TOLD}")


def test_a_command_says_so_and_ends_with_2(catalog: Catalog, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["data", "verify", "a-source"])
    assert ended.value.code == 2
    assert f"'a-source' of the plugin its-plugin 1.0 {TOLD}" in " ".join(capsys.readouterr().err.split())


def test_what_exits_is_named_too() -> None:
    with pytest.raises(PluginError, match=r"^It tried to exit the program \(SystemExit: 3\)\.$"), named_errors("It"):
        sys.exit(3)


@pytest.mark.parametrize("error", [Incompatible("not these."), InvalidSetting("too large."), MemoryError()])
def test_errors_of_mvarena_and_a_full_memory_stay_what_they_are(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, named_errors("It"):
        raise error
    assert raised.value is error


def test_what_the_code_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with named_errors("It"):
        print("noise")
    assert capsys.readouterr() == ("", "noise\n")
