"""`mvarena plugin list`, `check` and `new`: the installed plugins, checks of a component, a new plugin."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mvarena.cli.lazy import SummaryGroup
from mvarena.cli.output import say, table_console
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.text import plural, visible_lines

if TYPE_CHECKING:
    from mvarena.contracts.specs import Component, Spec
    from mvarena.testing.suites import Result


_KINDS = ("algorithm", "dataset", "corruption", "transform", "metric")
_SHOW_PROGRESS_AFTER_S = 2.0


@click.group(cls=SummaryGroup)
def plugin() -> None:
    """List the installed plugins, check a component, or write a new plugin."""


@plugin.command("list", epilog="Example: mvarena plugin list --traceback")
@click.option("--traceback", "tracebacks", is_flag=True, help="Print the whole traceback of each failed plugin.")
def list_plugins(tracebacks: bool) -> None:
    """List the installed distributions, what the plugins of each provide, and which plugins failed to load."""
    from mvarena.registry.catalog import COMPONENTS
    from mvarena.registry.plugins import installed_plugins

    result = installed_plugins()
    provided: dict[str, Counter[Component]] = {}
    for loaded in result.loaded:
        counts = provided.setdefault(f"{loaded.distribution} {loaded.version}", Counter())
        counts.update(spec.component for spec in loaded.specs)
    for distribution, counts in provided.items():
        kinds = [plural(counts[kind], kind.replace("dataset", "data set")) for kind in COMPONENTS if counts[kind]]
        say(f"{distribution}: {', '.join(kinds) or 'hooks only'}")
    for failed in result.failed:
        say(f"{failed.distribution} {failed.version}: {failed.name}: FAILED: {failed.reason}")
        if tracebacks:
            say(failed.traceback)
    if result.failed and not tracebacks:
        say("--traceback shows where each failed.")


@plugin.command(epilog="Examples: mvarena plugin check apmc; mvarena plugin check mvarena-example")
@click.argument("name")
def check(name: str) -> None:
    """Run the conformance checks of NAME.

    NAME is a component, a distribution, a class in a file (my_method.py:MyMethod) or a program (algorithm.toml).

    Exit code 1 if one fails.
    """
    from mvarena.testing.suites import checks_of

    specs = _specs_named(name)
    failed = 0
    for spec in specs:
        checks = checks_of(spec)
        if not checks:
            say(f"There are no checks for a {spec.component}: {spec.name}.")
            continue
        results = list(_run(checks, spec))
        _print(spec, results)
        failed += sum(result.state == "failed" for result in results)
    if failed:
        say(f"{plural(failed, 'check')} failed.", err=True)
        sys.exit(1)


@plugin.command(epilog="Example: mvarena plugin new my-method --kind algorithm")
@click.argument("name")
@click.option("--kind", type=click.Choice(_KINDS), required=True, help="What the plugin provides.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Folder to create; by default ./mvarena-NAME."
)
def new(name: str, kind: str, out: Path | None) -> None:
    """Write a small complete plugin that provides NAME: it installs, and its tests pass."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.testing.new_plugin import write_plugin

    if name in installed_catalog().names(cast("Component", kind)):
        raise InvalidSetting(
            f"The {kind} of this name is installed already: '{name}'. Choose another name: two of one name cannot be "
            "told apart.",
            field="name",
            value=name,
        )
    folder = out or Path(f"mvarena-{name}")
    for path in write_plugin(name, kind, folder):
        click.echo(path)
    say(f"\nNow: pip install -e {folder}; mvarena plugin check {name}; python -m pytest {folder}")


def _specs_named(name: str) -> list[Spec]:
    """The components that are called so, or those of the distribution that is."""
    from mvarena.registry.catalog import COMPONENTS, installed_catalog
    from mvarena.registry.user_code import is_local, local_spec

    if is_local(name):
        return [local_spec(name)]
    catalog = installed_catalog()
    specs = [spec for kind in COMPONENTS for spec in catalog.specs(kind)]
    result = [spec for spec in specs if spec.name == name]
    result = result or [spec for spec in specs if catalog.plugin_of(spec).distribution == name]
    if not result:
        known = {spec.name for spec in specs} | {catalog.plugin_of(spec).distribution for spec in specs}
        install = "'mvarena plugin list' shows what is installed; 'pip install -e FOLDER' installs a plugin."
        hint = catalog.failed_to_load.strip() or install
        raise unknown_name("component or distribution", name, known, hint)
    return result


def _run(checks: list, spec: Spec) -> Iterator[Result]:  # type: ignore[type-arg]
    """The results, one by one; what takes long says on standard error where it is."""
    from rich.console import Console

    from mvarena.testing.suites import run_check

    console = Console(stderr=True)
    started = time.monotonic()
    with console.status("") as status:
        for i, item in enumerate(checks):
            if time.monotonic() - started > _SHOW_PROGRESS_AFTER_S:
                status.update(f"{spec.name}: {item.check.name} ({i + 1} of {len(checks)})")
            yield run_check(item)


def _print(spec: Spec, results: list[Result]) -> None:
    from rich.table import Table
    from rich.text import Text

    colours = {"passed": "green", "failed": "red", "skipped": "yellow"}
    passed = sum(result.state == "passed" for result in results)
    table = Table(title=f"{spec.component} {spec.name}: {passed} of {len(results)} checks passed", title_justify="left")
    table.add_column("check", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("what it asserts, or what is wrong")
    for result in results:
        text = result.sentence or result.check.check.asserts
        table.add_row(
            result.check.check.name, Text(result.state, style=colours[result.state]), Text(visible_lines(text))
        )
    table_console(140).print(table)
