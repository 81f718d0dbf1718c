"""Load every plugin behind the entry-point group `mvarena`, one `try` each: a broken one never stops the rest."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, cast

import pluggy

from mvarena.contracts.hooks import HOOKS_VERSION, PROJECT
from mvarena.contracts.specs import (
    AlgorithmSpec,
    CorruptionSpec,
    DatasetSpec,
    MetricSpec,
    PickerSpec,
    ReaderSpec,
    Spec,
    TransformSpec,
)
from mvarena.errors import MvarenaError, PluginError
from mvarena.registry import hookspecs
from mvarena.text import told_error

CONTROLS = "mvarena.algorithms.control."  # the modules whose algorithms may read labels
_SPECS = (AlgorithmSpec, DatasetSpec, CorruptionSpec, TransformSpec, MetricSpec, PickerSpec, ReaderSpec)
SPEC_HOOKS: dict[str, type[Spec]] = {f"mvarena_{one.component}s": one for one in _SPECS}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin that loaded: its entry point, the distribution it came with, and the specs it announced."""

    name: str
    distribution: str
    version: str
    specs: tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class FailedPlugin:
    """A plugin that did not load, with the traceback that says why."""

    name: str
    distribution: str
    version: str
    traceback: str

    @property
    def reason(self) -> str:
        """The last line of the traceback."""
        return self.traceback.strip().rpartition("\n")[2]


@dataclass(frozen=True, slots=True)
class Plugins:
    """All plugins, good and failed, and the pluggy manager through which hooks are called."""

    loaded: tuple[Plugin, ...]
    failed: tuple[FailedPlugin, ...]
    manager: pluggy.PluginManager


def load_plugins(points: Iterable[EntryPoint]) -> Plugins:
    """Import each entry point, check its hooks and collect its specs.

    Of two plugins that provide one name the second fails; mvarena's own come first.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    loaded: list[Plugin] = []
    failed: list[FailedPlugin] = []
    taken: dict[tuple[str, str], str] = {}
    for point in sorted(points, key=lambda one: one.dist is None or one.dist.name != PROJECT):
        distribution = point.dist.name if point.dist else "unknown"
        version = point.dist.version if point.dist else "unknown"
        name, provider = f"{distribution}:{point.name}", f"{distribution} {version}"
        try:
            with redirect_stdout(sys.stderr):
                specs = _register(manager, point, name)
            _check_names(specs, provider, taken)
        except KeyboardInterrupt:
            raise
        except BaseException:  # whatever one does, the others are to work, and `plugin list` shows this one's
            if manager.has_plugin(name):
                manager.unregister(name=name)
            failed.append(FailedPlugin(point.name, distribution, version, traceback.format_exc()))
        else:
            loaded.append(Plugin(point.name, distribution, version, specs))
            taken |= {(spec.component, spec.name): provider for spec in specs}
    return Plugins(tuple(loaded), tuple(failed), manager)


def _register(manager: pluggy.PluginManager, point: EntryPoint, name: str) -> tuple[Spec, ...]:
    module: ModuleType = point.load()
    written_for = getattr(module, "mvarena_hooks_version", HOOKS_VERSION)
    if written_for != HOOKS_VERSION:
        raise PluginError(
            f"{point.value} is written for version {written_for} of the hooks, and this mvarena has version "
            f"{HOOKS_VERSION}; install releases of the two that go together."
        )
    manager.register(module, name)
    manager.check_pending()
    specs: list[Spec] = []
    answered = 0
    for caller in manager.get_hookcallers(module) or ():
        answered += 1
        expected = SPEC_HOOKS.get(caller.name)
        if expected is None:
            continue
        for impl in caller.get_hookimpls():
            if impl.plugin is module:
                specs += _checked(cast(Iterable[Spec], impl.function()), expected, f"{point.value}:{caller.name}")
    if not answered:
        raise PluginError(f"{point.value} implements no hook; mark its functions with `from mvarena import hookimpl`.")
    return tuple(specs)


def _check_names(specs: Iterable[Spec], provider: str, taken: Mapping[tuple[str, str], str]) -> None:
    for spec in specs:
        if owner := taken.get((spec.component, spec.name)):
            raise PluginError(
                f"{spec.component} '{spec.name}' is provided by {owner} and by {provider}; uninstall one of them."
            )


def is_control(spec: Spec) -> bool:
    """True if the target of a spec lies among the controls of mvarena, whatever else the spec says."""
    return spec.target.startswith(CONTROLS)


def _checked(found: Iterable[Spec], expected: type[Spec], where: str) -> list[Spec]:
    specs = list(found)
    for spec in specs:
        if not isinstance(spec, expected):
            raise PluginError(f"{where} must return {expected.__name__} objects; it returned {spec!r}.")
        if getattr(spec, "reads_labels", False) and not is_control(spec):
            raise PluginError(f"{where}: '{spec.name}' may not read labels; only the controls of mvarena may.")
    return specs


@cache
def installed_plugins() -> Plugins:
    """The plugins of this environment, loaded once."""
    return load_plugins(entry_points(group=PROJECT))


@contextmanager
def named_errors(what: str) -> Iterator[None]:
    """Run code of a plugin: an exception becomes a PluginError that begins with `what`.

    `SystemExit` is an exception here. Errors of mvarena, MemoryError and Ctrl-C pass. What the code prints goes to
    standard error, never among a command's output.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (MvarenaError, MemoryError, KeyboardInterrupt):
        raise
    except SystemExit as error:
        raise PluginError(f"{what} tried to exit the program ({told_error(error)}).") from error
    except BaseException as error:
        raise PluginError(f"{what} failed: {told_error(error).removesuffix('.')}.") from error


def call_hooks(manager: pluggy.PluginManager, hook: str, **given: Any) -> list[str]:
    """Call `hook` of each plugin; a sentence for each one that failed, with the plugin's name."""
    sentences = []
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        try:
            with redirect_stdout(sys.stderr):
                implementation.function(*(given[name] for name in implementation.argnames))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a command and a run go on without it
            sentences.append(f"The plugin {implementation.plugin_name} failed in {hook}: {told_error(error)}")
    return sentences
