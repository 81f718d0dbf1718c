"""Load every plugin behind the entry-point group `mvarena`, one `try` each: a broken one never stops the rest."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
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
from mvarena.errors import PluginError
from mvarena.registry import hookspecs
from mvarena.system import forking
from mvarena.text import told_error

_FAILED = "MVARENA_FAILED_PLUGINS"
CONTROLS = "mvarena.algorithms.control."  # the modules whose algorithms may read labels
SPEC_HOOKS: dict[str, type[Spec]] = {
    "mvarena_algorithms": AlgorithmSpec,
    "mvarena_datasets": DatasetSpec,
    "mvarena_corruptions": CorruptionSpec,
    "mvarena_transforms": TransformSpec,
    "mvarena_metrics": MetricSpec,
    "mvarena_pickers": PickerSpec,
    "mvarena_readers": ReaderSpec,
}


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
    """Import each entry point, check its hooks and collect its specs."""
    manager = _manager()
    loaded: list[Plugin] = []
    failed: list[FailedPlugin] = []
    for point in points:
        distribution = point.dist.name if point.dist else "unknown"
        version = point.dist.version if point.dist else "unknown"
        name = _name(point)
        try:
            if not is_own(f"{point.value}."):
                tried_apart("its import", partial(_register, _manager(), point, name))
            with imported_quietly():
                specs = _register(manager, point, name)
        except (
            Exception
        ):  # a stranger's code may fail in any way; the others are to work, and `plugins` shows this one's
            if manager.has_plugin(name):
                manager.unregister(name=name)
            failed.append(FailedPlugin(point.name, distribution, version, traceback.format_exc()))
        else:
            loaded.append(Plugin(point.name, distribution, version, specs))
    return Plugins(tuple(loaded), tuple(failed), manager)


def _name(point: EntryPoint) -> str:
    return f"{point.dist.name if point.dist else 'unknown'}:{point.name}"


def _manager() -> pluggy.PluginManager:
    result = pluggy.PluginManager(PROJECT)
    result.add_hookspecs(hookspecs)
    return result


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


def is_own(target: str) -> bool:
    """True if a target ("package.module:attribute") is code of mvarena."""
    return target.startswith(f"{PROJECT}.")


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
    """The plugins of this environment, loaded once; in a worker without those that failed where it was started."""
    left_out = json.loads(os.environ.get(_FAILED, "[]"))
    return load_plugins(point for point in entry_points(group=PROJECT) if _name(point) not in left_out)


def failed_plugins() -> dict[str, str]:
    """The variable of the environment by which workers leave out the plugins that failed here."""
    return {_FAILED: json.dumps([f"{one.distribution}:{one.name}" for one in installed_plugins().failed])}


# Code of plugins that runs in this process: what it prints goes to standard error, never among a command's output.


def call_hooks(manager: pluggy.PluginManager, hook: str, **given: Any) -> list[str]:
    """Call `hook` of each plugin by itself; a sentence for each one that failed, with the plugin's name."""
    every = getattr(manager.hook, hook).get_hookimpls()
    said = (call_implementation(one, hook, [given[name] for name in one.argnames], tried=True) for one in every)
    return [sentence for sentence in said if sentence]


def call_implementation(one: Any, hook: str, values: Sequence[Any], *, tried: bool = False) -> str | None:
    """Call one plugin's implementation of a hook; a sentence where it failed. tried : in a fork first."""
    try:
        if tried:
            tried_apart("it", lambda: one.function(*values))
        with imported_quietly():
            one.function(*values)
    except Exception as error:
        return f"The plugin {one.plugin_name} failed in {hook}: {told_error(error)}"
    return None


@contextmanager
def imported_quietly() -> Iterator[None]:
    """Standard output is standard error meanwhile; not for threads that print at the same time.

    What would end Python (SystemExit, a KeyboardInterrupt without Ctrl-C) becomes a PluginError.
    """
    with redirect_stdout(sys.stderr), _noted_interrupts() as pressed:
        try:
            yield
        except Exception:
            raise
        except BaseException as error:
            if pressed:
                raise
            raise PluginError(f"it tried to exit the program ({told_error(error)}).") from error


@contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """The signals of Ctrl-C that come meanwhile; they do what they did before."""
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def note(number: int, frame: Any) -> Any:
        pressed.append(number)
        return before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, before)


# Code of plugins that has to run in this process runs in a fork first: what would end the process, or hang, is an
# error instead.

START_S = 120.0  # as long as a worker may take to start


def tried_apart(what: str, deed: Callable[[], object]) -> None:
    """Do `deed` in a fork, silently, before it is done here; nothing in a process that may end, or without forks.

    what : begins the sentence of an error. Raises PluginError where it ends its process, takes longer than START_S,
    or presses Ctrl-C. What else it raises is left to whoever does it here.
    Cost: 5 to 10 ms, and what `deed` costs.
    """
    if forking.is_fork or forking.may_end or not hasattr(os, "fork"):
        return

    def answer() -> bytes:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        try:
            deed()
        except KeyboardInterrupt:  # Ctrl-C would have ended this process
            return b"it tried to exit the program (KeyboardInterrupt: )"
        except BaseException:
            return b""  # it is raised again here
        return b""

    ended = forking.forked(answer, seconds=START_S)
    fault = ended.fault if ended.answer is None else ended.answer.decode(errors="replace")
    if fault and ended.code != -signal.SIGINT:  # Ctrl-C, which is pressed here, too
        raise PluginError(f"{what}: {fault}.")


def look_at(target: object) -> None:
    """Read what a component declares: annotations, and the types that they name, are code."""
    from mvarena.contracts.parameters import parameters_of

    for parameter in parameters_of(target).values():
        with suppress(Exception):
            parameter.checked(parameter.default)
