"""`mvarena doctor`: a check of the environment of a run, with what to do about each problem."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import click

from mvarena.cli.output import echo_json, json_option, say
from mvarena.errors import MvarenaError
from mvarena.text import plural, without_passwords

_EXAMPLES = """\b
Examples:
  mvarena doctor
  mvarena doctor --json
"""


@click.command(epilog=_EXAMPLES)
@json_option
def doctor(as_json: bool) -> None:
    """Check the environment, BLAS and its threads, memory, data at hand, and plugins.

    Nothing is changed and nothing downloaded. Exit code 1 if there is a problem. 'mvarena results check' checks a
    results database.
    """

    findings = examined()
    if as_json:
        echo_json([asdict(finding) for finding in findings])
    else:
        width = max(len(finding.about) for finding in findings)
        for finding in findings:
            mark = {"ok": "  ", "note": "- ", "problem": "! "}[finding.state]
            say(f"{mark}{finding.about:<{width}}  {without_passwords(finding.says)}")
    problems = sum(finding.state == "problem" for finding in findings)
    if problems:
        say(f"{plural(problems, 'problem')} found, marked with !.", err=True)
        sys.exit(1)


# What `mvarena doctor` looks at, one finding after the other; each look is a function that changes nothing.

State: TypeAlias = Literal["ok", "note", "problem"]
_GIB = 1 << 30
_LEAST_MEMORY = 2 * _GIB
_LEAST_DISK = _GIB
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ok, a note that may matter, or a problem, with what to do about it."""

    about: str
    says: str
    state: State = "ok"


def examined() -> list[Finding]:
    """Everything, in the order in which a run needs it. A look that itself fails is a problem, and the others go on."""

    looks: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
        ("mvarena", _environment),
        ("threads", _threads),
        ("memory", _memory),
        ("disk", _disk),
        ("plugins", _plugins),
        ("data", _data),
    )
    result: list[Finding] = []
    for about, look in looks:
        try:
            result += look()
        except Exception as error:  # what is looked at may be broken in any way: that is the finding
            result.append(Finding(about, f"could not be checked: {type(error).__name__}: {error}", "problem"))
    return result


def _environment() -> Iterator[Finding]:
    from mvarena.system.environment import environment

    result = environment()
    yield Finding("mvarena", f"{result['mvarena']}, Python {result['python']}")
    packages = ("numpy", "scipy", "scikit-learn")
    yield Finding("packages", ", ".join(f"{name} {result[name]}" for name in packages))
    yield Finding("machine", f"{result['platform']}, {result['cpu']}")
    cores, usable = result["cores"], result["usable_cores"]
    fewer = f", of which this process may use {usable}" if usable != cores else ""
    yield Finding("cores", f"{cores}{fewer}", "note" if fewer else "ok")


def _threads() -> Iterator[Finding]:
    """The libraries of threads, which change how fast results come, and some of them the last digits."""
    import sklearn.cluster  # noqa: F401  with it come all libraries that a run loads
    from threadpoolctl import threadpool_info

    from mvarena.system.environment import usable_cores

    for pool in threadpool_info():
        name = f"{pool['internal_api']} {pool['version'] or ''}".strip()
        kind = f" for {pool['architecture']}" if pool.get("architecture") else ""
        many = pool["num_threads"] > usable_cores()
        text = f"{name}{kind}, {pool['num_threads']} threads"
        more = ", more than the machine has cores: set OMP_NUM_THREADS" if many else ""
        yield Finding("BLAS" if pool["user_api"] == "blas" else "threads", text + more, "problem" if many else "ok")
    text = ", ".join(f"{name}={os.environ[name]}" for name in _THREAD_VARIABLES if name in os.environ)
    yield Finding("set threads", text or "neither OMP_NUM_THREADS nor a similar variable is set")


def _memory() -> Iterator[Finding]:
    from mvarena.system.memory import memory_limit, physical_memory

    machine, limit = physical_memory(), memory_limit()
    if machine is None:
        yield Finding("memory", "this system does not report it, so it limits nothing", "note")
        return
    less = f", of which this process may use {limit / _GIB:.1f} GiB (its limits or its control group's)"
    state: State = "problem" if limit < _LEAST_MEMORY else "ok"
    yield Finding("memory", f"{machine / _GIB:.1f} GiB{less if limit < machine else ''}", state)


def _disk() -> Iterator[Finding]:
    from mvarena.cache.folder import cache_root

    for about, folder in (("cache", cache_root()), ("temporary", Path(tempfile.gettempdir()))):
        there = next(path for path in (folder, *folder.parents) if path.exists())
        free = shutil.disk_usage(there).free
        text = f"{folder}, {free / _GIB:.1f} GiB free"
        if not os.access(there, os.W_OK | os.X_OK) or not there.is_dir():
            yield Finding(about, f"{folder} cannot be written; set MVARENA_CACHE or TMPDIR to another", "problem")
        else:
            yield Finding(about, text, "problem" if free < _LEAST_DISK else "ok")


def _plugins() -> Iterator[Finding]:
    from mvarena.registry.facts import facts_of_plugins
    from mvarena.registry.plugins import installed_plugins

    plugins = installed_plugins()
    distributions = Counter(f"{plugin.distribution} {plugin.version}" for plugin in plugins.loaded)
    yield Finding("plugins", ", ".join(distributions))
    for name, told in facts_of_plugins(plugins.manager).items():
        facts = ", ".join(f"{fact} {value}" for fact, value in told.items())
        yield Finding("plugins", f"{name.partition(':')[0]}: {facts}", "problem" if "failed" in told else "ok")
    for failed in plugins.failed:
        text = f"{failed.distribution} {failed.version} failed to load ({failed.reason}): see mvarena plugin list"
        yield Finding("plugins", text, "problem")


def _data() -> Iterator[Finding]:
    """Available data sets, by size; `mvarena data verify` reads and checks them."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.sources import data_source, source_from_text

    catalog = installed_catalog()
    states: Counter[str] = Counter()
    for name in catalog.names("dataset"):
        try:
            states[data_source(source_from_text(name), catalog).describe().state] += 1
        except MvarenaError as error:
            yield Finding("data", f"{name}: {error}", "problem")
    counts = f"{states['ready']} ready, {states['downloadable']} to download, {states['manual']} to be imported by hand"
    yield Finding("data", f"{counts} (mvarena data list); mvarena data verify checks what is there")
    for position in filter(None, os.environ.get("MVARENA_DATA", "").split(os.pathsep)):
        if not Path(position).expanduser().is_dir():
            yield Finding("data", f"MVARENA_DATA names {position}, which does not exist", "problem")
