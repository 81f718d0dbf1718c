"""`mvarena list`: the names that can be typed, by kind."""

from __future__ import annotations

from typing import Any, get_args

import click

from mvarena.cli.output import echo_json, json_option
from mvarena.contracts.specs import AlgorithmSpec, Component
from mvarena.text import visible

_COMPONENTS = {f"{kind}s": kind for kind in get_args(Component)}
_EXAMPLES = """\b
Examples:
  mvarena list algorithms
  mvarena list algorithms --json
  mvarena list algorithms --markdown
"""


@click.command("list", epilog=_EXAMPLES)
@click.argument("kind", type=click.Choice([*_COMPONENTS, "protocols", "studies"]))
@click.option("--markdown", is_flag=True, help="Algorithms: print mvarena's own as a Markdown table by family.")
@json_option
def listing(kind: str, markdown: bool, as_json: bool) -> None:
    """List the known algorithms, datasets, corruptions, transforms, metrics, pickers, readers, protocols or studies."""
    if markdown:
        if kind != "algorithms" or as_json:
            raise click.UsageError("--markdown is for algorithms: mvarena list algorithms --markdown")
        from mvarena.registry.catalog import installed_catalog
        from mvarena.report.tables.inventory import contestants_table

        click.echo(contestants_table(installed_catalog()), nl=False)
        return
    entries = _entries(kind)
    if as_json:
        echo_json(entries)
    elif kind == "algorithms":
        _echo_by_family()
    else:
        width = max((len(entry["name"]) for entry in entries), default=0)
        for entry in entries:
            click.echo(f"{visible(entry['name']):<{width}}  {visible(entry['summary'])}")


def _echo_by_family() -> None:
    """Algorithms by family, the controls last, with the marks of `contestants_table` and what else limits them."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import CONTROL, FREE_OF_SQUARES, family_of

    catalog = installed_catalog()
    families: dict[str, dict[str, str]] = {}
    for spec in catalog.specs("algorithm"):
        assert isinstance(spec, AlgorithmSpec)
        mark = FREE_OF_SQUARES if spec.linear_memory else ""
        limits = [] if spec.capabilities.missing else ["complete data"]
        limits += [] if spec.status == "verified" or family_of(spec) == CONTROL else [spec.status]
        notes = f" [{', '.join(limits)}]" if limits else ""
        families.setdefault(family_of(spec), {})[f"{visible(spec.name)}{mark}"] = f"{visible(spec.summary)}{notes}"
    width = max(len(name) for members in families.values() for name in members)
    for family, members in sorted(families.items(), key=lambda item: (item[0] == CONTROL, item[0])):
        apart = ": shown apart and never ranked" if family == CONTROL else ""
        click.echo(f"{visible(family)} ({visible(family)}:*){apart}")
        for name, text in members.items():
            click.echo(f"  {name:<{width}}  {text}")
        click.echo()
    click.echo(
        f"{FREE_OF_SQUARES}: never an n x n matrix. [complete data]: missing samples are filled first. A method "
        "without a note on its source\nreproduces published reference numbers (verified). "
        "Details of one: mvarena show NAME."
    )


def _entries(kind: str) -> list[dict[str, Any]]:
    if kind == "protocols":
        from mvarena.study.protocols import PROTOCOLS

        return [protocol.as_dict() for protocol in PROTOCOLS.values()]
    if kind == "studies":
        from mvarena.cli.show import study_as_dict
        from mvarena.study.file import shipped_studies

        return [study_as_dict(name) for name in shipped_studies()]
    from mvarena.cli.show import spec_as_dict
    from mvarena.registry.catalog import installed_catalog

    return [spec_as_dict(spec) for spec in installed_catalog().specs(_COMPONENTS[kind])]
