"""Hostile plugins: each of some deeds at each place where a command runs code of a plugin.

A deed's code stands in a plugin of its own; a fork of this process runs the command, as a user would.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# name -> statement, what is said of it. A place may say less, or something else: see `Place`.
ACTS: Mapping[str, tuple[str, str]] = {
    "exits": ("sys.exit(0)", "SystemExit: 0"),
    "ends": ("os._exit(0)", "exited with code 0"),
    "crashes": ("ctypes.string_at(0)", "SIGSEGV"),
    "kills-itself": ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    "hangs": ("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", "longer than"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "raises-what-has-no-text": ("raise Unspeakable", ""),
    "closes-every-file": ("os.closerange(0, 256)", ""),
}

IN_TRIALS = ("ends", "crashes", "hangs")  # a trial starts a worker, which costs a second
# where code may take as long as a worker may take to start
STARTS = ("an import", "a hook of", "a component's import", "annotations", "a file's top level")
BUT_HANGS = tuple(name for name in ACTS if name != "hangs")  # what may take any time: Ctrl-C ends it


@dataclass(frozen=True)
class Place:
    """Where a plugin's code runs.

    command : that runs it. code : of the plugin, in which `act()` is done. exits : the command's exit code. says : what
    it prints, whatever is done. acts : those that are done there. told : whether it says what of these was done.
    in_worker : whether the process is that of a trial's worker, whose exit code is not said.
    """

    command: str
    code: str
    exits: int = 1
    says: str = ""
    acts: Collection[str] = tuple(ACTS)
    told: bool = True
    in_worker: bool = False

    def told_of(self, act: str) -> str:
        """What it says of that act."""
        if self.in_worker and act == "ends":
            return "The worker process ended."
        return ACTS[act][1] if self.told else ""


HEAD = """
import ctypes, faulthandler, os, signal, sys, time
import numpy as np
from mvarena import MultiViewData, hookimpl
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.corruption import Corruption
from mvarena.contracts.data_source import DataSource, SourceCard
from mvarena.contracts.reader import Understanding
from mvarena.contracts.specs import *

class Unspeakable(BaseException):
    def __str__(self): raise SystemExit

def act():
    faulthandler.disable()
    {act}

def data(seed=0):
    rng = np.random.default_rng(0)
    views = [rng.random((12, 2)) + np.repeat([0, 3], 6)[:, None], rng.random((12, 3))]
    return MultiViewData.from_arrays(views, labels=np.repeat([0, 1], 6), name="fine")

class Fine(MultiViewClusterer):
    def solve(self, data, n_clusters): return Representation(embedding=data.views[0].matrix * 1.0)

SPECS = dict(name="wild", summary="wild", target="wild:wild")

@hookimpl
def mvarena_algorithms(): return [AlgorithmSpec(name="fine", target="wild:Fine", summary="healthy")]
"""
RUN = "run --algo fine --data toy-blobs --repeats 1 --restarts 2 --no-controls --timeout 5s"
ALGORITHM = """
@hookimpl
def mvarena_algorithms():
    return [AlgorithmSpec(**SPECS), AlgorithmSpec(name="fine", target="wild:Fine", summary="healthy")]
"""
DATA = """
@hookimpl
def mvarena_datasets(): return [DatasetSpec(**SPECS)]
"""
PLACES: Mapping[str, Place] = {
    "an import": Place("plugins", "act()", 0, "wild 1.0: wild: FAILED"),
    "an import, for help": Place("--help", "act()", 0, "Learn and extend:", told=False),
    "an import, in a run": Place(
        RUN.replace("fine", "toy-quick"), "act()", 0, "Ran 1 trial (1 done)", IN_TRIALS, told=False
    ),
    "a hook of specs": Place("plugins", "@hookimpl\ndef mvarena_metrics(): act()", 0, "wild 1.0: wild: FAILED"),
    "a hook of commands": Place(
        "--help", "@hookimpl\ndef mvarena_commands(cli): act()", 0, "failed in mvarena_commands"),
    "a hook for finished trials": Place(
        RUN, "@hookimpl\ndef mvarena_trial_finished(trial): act()", 0, "failed in mvarena_trial_finished", IN_TRIALS
    ),
    "a component's import": Place(
        "show wild", ALGORITHM.replace("**SPECS", "**SPECS | dict(target='wild_part:wild')"), 1, "cannot be imported"),
    "annotations": Place(
        RUN.replace("fine", "wild"), ALGORITHM + "class wild(Fine):\n    alpha: 'act()' = 1.0", 1, "Error: "),
    "annotations of a file": Place(
        RUN.replace("fine", "wild.py:Own"), "class Own(Fine):\n    alpha: 'act()' = 1.0", 1, "Error: "),
    "a file's top level": Place("show wild.py:Fine", "act()", 1, "wild.py cannot be run"),
    "a constructor": Place(
        RUN.replace("fine", "fine wild"),
        ALGORITHM + "class wild(Fine):\n    def __init__(self, **more): act()\n    def check_settings(self): pass",
        1, "1 done", IN_TRIALS, in_worker=True,
    ),
    "a check of settings": Place(
        RUN.replace("fine", "fine wild"), ALGORITHM + "class wild(Fine):\n    def check_settings(self): act()",
        1, "1 done", IN_TRIALS, in_worker=True,
    ),
    "a loader": Place(RUN.replace("toy-blobs", "wild"), DATA + "def wild(seed): act()", 1, "The data set 'wild'"),
    "a source's constructor": Place(
        "show wild",
        DATA + "class wild(DataSource):\n    def __init__(self, spec): act()\n    def load(self, seed): return data()\n"
        "    def describe(self): return SourceCard(name='wild')",
        1, "The data set 'wild'",
    ),
    "a source's description": Place(
        "show wild",
        DATA + "class wild(DataSource):\n    def __init__(self, spec): pass\n"
        "    def load(self, seed): return data()\n    def describe(self): act()",
        1, "The data set 'wild'",
    ),
    "a source's fetch": Place(
        "data fetch wild",
        DATA + "class wild(DataSource):\n    def __init__(self, spec): pass\n    def load(self, seed): return data()\n"
        "    def describe(self): return SourceCard(name='wild')\n    def fetch(self, *_): act()",
        1, "The data set 'wild'", BUT_HANGS,
    ),
    "a reader": Place(
        RUN.replace("toy-blobs", "wild.odd") + " --clusters 2",
        "@hookimpl\ndef mvarena_readers(): return [ReaderSpec(**SPECS, endings=('.odd',))]\n"
        "def wild(paths, options): act()",
        1, "The reader 'wild'",
    ),
    "a writer": Place(
        "data convert wild.csv new.odd",
        "@hookimpl\ndef mvarena_readers(): return [ReaderSpec(**SPECS, endings=('.odd',), writer='wild:write')]\n"
        "def wild(paths, options): return Understanding(data(), ())\ndef write(data, path): act()",
        1, "The reader 'wild'", BUT_HANGS,
    ),
    "a transform": Place(
        f"{RUN} --prepare wild",
        "@hookimpl\ndef mvarena_transforms(): return [TransformSpec(**SPECS)]\ndef wild(data): act()",
        1, "Ran 1 trial", IN_TRIALS, in_worker=True,
    ),
    "a transform's decisions": Place(
        f"{RUN} --prepare wild",
        "@hookimpl\ndef mvarena_transforms(): return [TransformSpec(**SPECS, decides='wild:decide')]\n"
        "def wild(data): return data\ndef decide(data): act()",
        1, "Ran 1 trial", IN_TRIALS, in_worker=True,
    ),
    "a corruption's limit": Place(
        f"{RUN} --corrupt wild:0.3",
        "@hookimpl\ndef mvarena_corruptions(): return [CorruptionSpec(**SPECS, rate_means='r', formula='r')]\n"
        "class wild(Corruption):\n    def largest_rate(self, data): act()\n"
        "    def spoil(self, data, rate, rng): return data",
        1, "The corruption 'wild'",
    ),
    "a corruption": Place(
        f"{RUN} --corrupt wild:0.3",
        "@hookimpl\ndef mvarena_corruptions(): return [CorruptionSpec(**SPECS, rate_means='r', formula='r')]\n"
        "class wild(Corruption):\n    def spoil(self, data, rate, rng): act()",
        1, "Ran 1 trial", IN_TRIALS, in_worker=True,
    ),
    "a metric": Place(
        RUN,
        "@hookimpl\ndef mvarena_metrics(): return [MetricSpec(**SPECS)]\ndef wild(table): act()",
        1, "Ran 1 trial", IN_TRIALS, in_worker=True,
    ),
    "a metric of stored labels": Place(
        "score --metric wild --db stored.db",
        "@hookimpl\ndef mvarena_metrics(): return [MetricSpec(**SPECS)]\ndef wild(table): act()", 0, "2 could not be",
        ("exits",),
    ),
    "a picker": Place(
        "pick --across --pick wild --db stored.db",
        "@hookimpl\ndef mvarena_pickers(): return [PickerSpec(**SPECS)]\ndef wild(candidates): act()",
        1, "The picker 'wild'",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class PluginDeed:
    name: str
    place: Place
    act: str
    says: str


PLUGIN_DEEDS: Mapping[str, PluginDeed] = {
    (name := f"{where}: {act}"): PluginDeed(name, place, ACTS[act][0], place.told_of(act))
    for where, place in PLACES.items()
    for act in place.acts
}
LONGEST_S = 120.0
HANGS_S = 6.0  # that an import, a hook, a metric and so on may take where one hangs


@dataclass(frozen=True)
class Done:
    """What a command did: its exit code (None: it did not end), and all that it printed."""

    code: int | None
    text: str


def faults(deed: PluginDeed, done: Done) -> Iterator[str]:
    """What is not as it must be."""
    if done.code != deed.place.exits:
        yield f"exit code {done.code}"
    text = " ".join(done.text.split())
    for words in (deed.place.says, deed.says):
        if words not in text:
            yield f"'{words}' is not said"
    if "Traceback (most" in done.text:
        yield "a traceback"


def run_plugin(deed: PluginDeed, folder: Path) -> Done:
    """Run the command of a deed in a fork. folder : of the deed, in which `stored.db` holds two trials."""
    (folder / "wild.py").write_text(f"{HEAD.replace('{act}', deed.act)}\n{deed.place.code}\n")
    (folder / "wild_part.py").write_text("import wild\nwild.act()\n")
    (folder / "wild.odd").write_text("1\n")
    (folder / "wild.csv").write_text("a,b\n1,2\n3,5\n4,4\n")
    about = folder / "wild-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: wild\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mvarena]\nwild = wild\n")
    output = folder / "output"
    return _forked(
        deed.place.command.split(),
        folder,
        output,
        HANGS_S if "hangs" in deed.name else None,
        deed.name.startswith(STARTS),
    )


def _forked(arguments: list[str], folder: Path, output: Path, seconds: float | None, starts: bool) -> Done:
    child = os.fork()
    if child == 0:
        _become(arguments, folder, output, seconds, starts)
    deadline = time.monotonic() + LONGEST_S
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Done(None, output.read_text(errors="replace"))
        time.sleep(0.01)
    return Done(os.waitstatus_to_exitcode(ended[1]), output.read_text(errors="replace"))


def _become(arguments: list[str], folder: Path, output: Path, seconds: float | None, starts: bool) -> None:
    """In the fork: be the command, and leave."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.registry.plugins import installed_plugins

    code = 99
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
        sys.path.insert(0, str(folder))
        printed = os.open(output, os.O_WRONLY | os.O_CREAT)
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        sys.stdout, sys.stderr = (open(stream, "w", closefd=False) for stream in (1, 2))  # noqa: SIM115
        warnings.simplefilter("default")  # in a test they are errors
        warnings.showwarning = _show_warning  # and pytest keeps them to itself
        for found in (installed_catalog, installed_plugins):
            found.cache_clear()
        if seconds:
            _shorten(seconds, starts=starts)
        from mvarena.cli.main import cli, main

        vars(cli).pop("_plugins_asked", None)  # for commands, by a command that this process has run before
        sys.argv = ["mvarena", *arguments]
        try:
            main(arguments)
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _show_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object) -> None:
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def _shorten(seconds: float, *, starts: bool) -> None:
    """Let code of a plugin take `seconds` only; starts : that where it is imported, and not where it is called."""
    from mvarena.registry import data_sources, listeners, plugin_calls, plugins
    from mvarena.study import components, conditions

    if starts:
        plugins.START_S = seconds
        return
    listeners.TOLD_S = plugin_calls.CALL_S = seconds
    for module in (components, conditions, data_sources):
        module.CHECK_S = seconds
