"""`mvarena list`: the names that can be typed, by kind."""

from __future__ import annotations

import sys
from typing import Any

import click

from mvarena.cli.output import echo_json, json_option
from mvarena.text import visible

_KINDS = (
    "algorithms",
    "datasets",
    "corruptions",
    "transforms",
    "metrics",
    "pickers",
    "readers",
    "protocols",
    "studies",
)


_EXAMPLES = """\b
Examples:
  mvarena list algorithms
  mvarena list algorithms --json
  mvarena list algorithms --markdown
"""


@click.command("list", epilog=_EXAMPLES)
@click.argument("kind", type=click.Choice(_KINDS))
@click.option("--markdown", is_flag=True, help="Algorithms: print mvarena's own as a Markdown table by family.")
@json_option
def listing(kind: str, markdown: bool, as_json: bool) -> None:
    """List the known algorithms, datasets, corruptions, transforms, metrics, pickers, readers, protocols or studies."""
    if markdown:
        if kind != "algorithms" or as_json:
            raise click.UsageError("--markdown is for algorithms: mvarena list algorithms --markdown")
        _echo_table_of_algorithms()
        return
    entries = _entries(kind)
    if as_json:
        echo_json(entries)
        return
    width = max((len(entry["name"]) for entry in entries), default=0)
    apart = _controls() if kind == "algorithms" else frozenset()
    for entry in sorted(entries, key=lambda entry: entry["name"] in apart):
        if entry["name"] == min(apart, default=None) and sys.stdout.isatty():  # in a pipe, a line is a name
            click.echo("\nControls, shown apart and never ranked (control:*):")
        click.echo(f"{visible(entry['name']):<{width}}  {visible(entry['summary'])}")


def _controls() -> frozenset[str]:
    """The names of the algorithms that are controls."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import controls

    return frozenset(spec.name for spec in controls(installed_catalog()))


def _echo_table_of_algorithms() -> None:
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.tables.inventory import contestants_table

    click.echo(contestants_table(installed_catalog()), nl=False)


def _entries(kind: str) -> list[dict[str, Any]]:
    if kind == "protocols":
        from mvarena.study.protocols import PROTOCOLS

        return [protocol.as_dict() for protocol in PROTOCOLS.values()]
    if kind == "studies":
        from mvarena.cli.show import study_as_dict
        from mvarena.study.shipped import shipped_studies

        return [study_as_dict(name) for name in shipped_studies()]
    from mvarena.cli.show import spec_as_dict
    from mvarena.registry.catalog import COMPONENTS, installed_catalog

    component = next(name for name in COMPONENTS if f"{name}s" == kind)
    return [spec_as_dict(spec) for spec in installed_catalog().specs(component)]
