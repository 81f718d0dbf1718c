"""`mvarena list`: the names that can be typed, by kind."""

from __future__ import annotations

from typing import Any, get_args

import click

from mvarena.cli.output import echo_json, json_option, say, say_pairs
from mvarena.contracts.specs import AlgorithmSpec, Component
from mvarena.text import visible

_COMPONENTS = {f"{kind}s": kind for kind in get_args(Component)}
_EXAMPLES = """\b
Examples:
  mvarena list methods
  mvarena list datasets --json
"""


@click.command("list", epilog=_EXAMPLES)
@click.argument("kind", type=click.Choice(["methods", *_COMPONENTS, "protocols", "studies"]))
@json_option
def listing(kind: str, as_json: bool) -> None:
    """List methods (algorithms), data sets, corruptions, transforms, metrics, pickers, readers, protocols, studies."""
    kind = "algorithms" if kind == "methods" else kind
    entries = _entries(kind)
    if as_json:
        echo_json(entries)
    elif kind == "algorithms":
        _echo_by_family()
    else:
        say_pairs((entry["name"], entry["summary"]) for entry in entries)


def _echo_by_family() -> None:
    """Methods by family, the baselines last, with marks and what else limits them."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import CONTROL, FREE_OF_SQUARES, family_of, family_words

    catalog = installed_catalog()
    families: dict[str, dict[str, str]] = {}
    heads: dict[str, str] = {}
    for spec in catalog.specs("algorithm"):
        assert isinstance(spec, AlgorithmSpec)
        mark = FREE_OF_SQUARES if spec.linear_memory else ""
        limits = [] if spec.capabilities.missing else ["complete data"]
        limits += [] if spec.status == "verified" or family_of(spec) == CONTROL else [spec.status]
        notes = f" [{', '.join(limits)}]" if limits else ""
        heads[family_of(spec)] = family_words(family_of(spec), catalog.plugin_of(spec).distribution)
        families.setdefault(family_of(spec), {})[f"{spec.name}{mark}"] = f"{spec.summary}{notes}"
    width = max(len(name) for members in families.values() for name in members)
    for family, members in sorted(families.items(), key=lambda item: (item[0] == CONTROL, heads[item[0]])):
        apart = ": shown apart and never ranked" if family == CONTROL else ""
        say(f"{visible(heads[family])} ({visible(family)}:*){apart}")
        say_pairs(members.items(), indent=2, width=width)
        click.echo()
    say(
        f"{FREE_OF_SQUARES}: memory grows linearly with the samples. [complete data]: missing samples are filled "
        "first. A method without a note on its source reproduces published reference numbers (verified). "
        "'mvarena show NAME' describes one."
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
