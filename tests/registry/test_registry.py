"""Plugins: a broken one never stops the rest, one with a name that is taken fails, an unknown one is guessed at."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from types import SimpleNamespace

import pytest
from plugin_folders import announced_in

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.errors import PluginError, UnknownName
from mvarena.registry.catalog import COMPONENTS, Catalog, installed_catalog
from mvarena.registry.plugins import Plugins, call_hooks, installed_plugins, load_plugins

BROKEN = Path(__file__).parents[1] / "broken"


@pytest.fixture
def with_broken(monkeypatch: pytest.MonkeyPatch) -> Plugins:
    monkeypatch.syspath_prepend(str(BROKEN))
    found = [point for dist in distributions() for point in dist.entry_points if point.group == "mvarena"]
    return load_plugins({point.value: point for point in found}.values())


def test_built_ins_come_through_entry_points_like_any_plugin():
    mine = {plugin.name for plugin in installed_plugins().loaded if plugin.distribution == "mvarena"}
    assert mine == {"algorithms", "datasets", "corruptions", "transforms", "metrics", "pickers"}
    assert not [plugin for plugin in installed_plugins().failed if plugin.distribution == "mvarena"]


def test_every_announced_component_can_be_imported_and_is_documented():
    catalog = installed_catalog()
    for spec in (spec for kind in COMPONENTS for spec in catalog.specs(kind)):
        target = catalog.load(spec)
        assert callable(target), spec
        if catalog.plugin_of(spec).distribution == "mvarena":
            assert target.__doc__, spec
            assert spec.summary, spec
            assert spec.source or spec.component in ("transform", "metric", "picker", "dataset"), spec


def test_a_plugin_that_raises_on_import_is_kept_as_failed_and_the_rest_goes_on(with_broken: Plugins):
    (failed,) = [one for one in with_broken.failed if one.distribution != "mvarena-rival"]
    assert (failed.distribution, failed.version) == ("mvarena-broken", "2.0")
    assert failed.reason == "RuntimeError: this plugin is broken on purpose"
    assert Catalog(with_broken.loaded).algorithm("apmc").name == "apmc"


def test_a_plugin_that_provides_a_name_that_is_taken_has_failed(with_broken: Plugins):
    catalog = Catalog(with_broken.loaded, with_broken.failed)
    (rival,) = [one for one in with_broken.failed if one.distribution == "mvarena-rival"]
    mine = catalog.plugin_of(catalog.transform("unit-rows"))
    both = f"mvarena {mine.version} and by mvarena-rival {rival.version}"
    assert f"transform 'unit-rows' is provided by {both}; uninstall one of them." in rival.reason
    assert catalog.plugin_of(catalog.transform("unit-rows")).distribution == "mvarena"


def test_unknown_names_are_guessed_at_and_failed_plugins_mentioned(with_broken: Plugins):
    with pytest.raises(UnknownName, match=r"no algorithm called 'apcm'. Did you mean apmc"):
        installed_catalog().algorithm("apcm")
    with pytest.raises(UnknownName, match="mvarena-broken, mvarena-rival failed to load"):
        Catalog(with_broken.loaded, with_broken.failed).metric("accc")
    assert Catalog(with_broken.loaded).failed_to_load == ""


def test_specs_are_checked_when_they_are_made():
    for name, target, said in (
        ("Bad Name", "a:b", "not a component name"),
        ("fine", "no colon", "must read"),
        ("a" * 101, "a:b", "has 101 letters; a name has at most 100"),
    ):
        with pytest.raises(PluginError, match=said):
            AlgorithmSpec(name=name, target=target, summary="")
    assert AlgorithmSpec(name="a" * 100, target="a:b", summary="").name


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("x = 1", "implements no hook"),
        (
            "from mvarena import hookimpl\nmvarena_hooks_version = 99\n@hookimpl\ndef mvarena_metrics(): return []",
            "is written for version 99 of the hooks, and this mvarena has version 1",
        ),
        ("from mvarena import hookimpl\n@hookimpl\ndef mvarena_metrics(): return ['acc']", "must return MetricSpec"),
        ("from mvarena import hookimpl\n@hookimpl\ndef mvarena_metric(): return []", "unknown hook"),
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("from mvarena import hookimpl\n@hookimpl\ndef mvarena_metrics(): raise SystemExit", "SystemExit"),
        ("class Panic(BaseException): pass\nraise Panic('of Rust')", "Panic: of Rust"),
    ],
)
def test_wrong_plugins_fail_when_they_are_registered(tmp_path, monkeypatch, body, complaint):
    plugins = load_plugins(announced(tmp_path, monkeypatch, body))
    assert not plugins.loaded
    assert complaint in plugins.failed[0].traceback


def announced(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> list[EntryPoint]:
    """The entry points of a distribution whose plugin is the module `body`."""
    (folder / "wrongplug.py").write_text(body)
    monkeypatch.syspath_prepend(str(folder))
    sys.modules.pop("wrongplug", None)
    return announced_in(folder, "wrongplug")


@pytest.mark.usefixtures("ctrl_c_works")
def test_ctrl_c_while_a_plugin_is_imported_interrupts(tmp_path, monkeypatch):
    points = announced(tmp_path, monkeypatch, "import signal\nsignal.raise_signal(signal.SIGINT)")
    with pytest.raises(KeyboardInterrupt):
        load_plugins(points)


def test_a_component_that_exits_when_it_is_imported_is_one_that_cannot_be_imported(tmp_path, monkeypatch):
    (tmp_path / "exits_at_once.py").write_text("raise SystemExit(0)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        PluginError,
        match=r"^The metric 'exits': the import of exits_at_once:metric tried to exit the program \(SystemExit: 0\)",
    ):
        installed_catalog().load(MetricSpec(name="exits", target="exits_at_once:metric", summary="", needs="truth"))


def test_each_hook_is_called_though_another_exits(tmp_path, monkeypatch):
    body = (
        "import sys\nfrom mvarena import hookimpl\n@hookimpl\ndef mvarena_trial_finished(outcome): sys.exit(outcome)\n"
    )
    manager = load_plugins(announced(tmp_path, monkeypatch, body)).manager
    told = []
    manager.register(SimpleNamespace(mvarena_trial_finished=hookimpl(lambda trial: told.append(trial))), "good")
    manager.register(SimpleNamespace(mvarena_trial_finished=hookimpl(lambda trial: told.append(trial))), "other")
    (sentence,) = call_hooks(manager, "mvarena_trial_finished", trial="a trial", outcome="an outcome")
    assert sentence == "The plugin wrongplug:mine failed in mvarena_trial_finished: SystemExit: an outcome"
    assert told == ["a trial", "a trial"]
