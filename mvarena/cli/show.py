"""`mvarena show NAME`: everything that is known of a component or protocol."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import json_option
from mvarena.contracts.specs import CorruptionSpec
from mvarena.errors import unknown_name

if TYPE_CHECKING:
    from mvarena.contracts.specs import Spec
    from mvarena.registry.catalog import Catalog

_HIDDEN = ("name", "summary", "target")


@click.command(epilog="Examples: mvarena show apmc; mvarena show missing-even; mvarena show fair")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show everything known of NAME: parameters, tags, source, cost, status, what a rate means."""
    from mvarena.registry.catalog import COMPONENTS, installed_catalog
    from mvarena.study.protocol import PROTOCOLS

    catalog = installed_catalog()
    plain = name.partition("[")[0]
    specs = [spec for kind in COMPONENTS for spec in catalog.specs(kind) if spec.name == plain]
    described = [_described(spec, catalog) for spec in specs]
    if plain in PROTOCOLS:
        described.append({"component": "protocol", **PROTOCOLS[plain].as_dict()})
    if not described:
        known = {other for kind in COMPONENTS for other in catalog.names(kind)} | set(PROTOCOLS)
        raise unknown_name("algorithm, data set, corruption, transform, metric or protocol", name, known, _HINT)
    if as_json:
        click.echo(json.dumps(described, indent=2))
    else:
        click.echo("\n\n".join(_text(entry) for entry in described))


_HINT = "See 'mvarena list algorithms' and the other lists."


def spec_as_dict(spec: Spec) -> dict[str, Any]:
    """A spec as JSON types."""
    plain = json.loads(json.dumps(asdict(spec), default=sorted))
    return {"component": spec.component, **plain}


def _described(spec: Spec, catalog: Catalog) -> dict[str, Any]:
    plugin = catalog.plugin_of(spec)
    entry = spec_as_dict(spec) | {"provided_by": f"{plugin.distribution} {plugin.version}"}
    target = catalog.load(spec)
    if spec.component == "algorithm":
        entry["parameters"] = {key: _default(value) for key, value in sorted(target().get_params().items())}
    if isinstance(spec, CorruptionSpec) and spec.makes_missing:
        entry["example"] = _drawn(target())
    entry["description"] = inspect.getdoc(target) or ""
    return entry


def _drawn(corruption: Any) -> str:
    """The mask that it makes of a small complete example at a rate of about one half."""
    import numpy as np

    from mvarena.corruptions.drawing import draw_mask, example_data

    data = example_data()
    rate = min(0.5, corruption.largest_rate(data))
    drawn = draw_mask(corruption.apply(data, rate, np.random.default_rng(0)))
    return f"at rate {rate:g} on {data.n_samples} samples in {data.n_views} views (# observed, . missing)\n{drawn}"


def _default(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _text(entry: dict[str, Any]) -> str:
    lines = [f"{entry['name']} ({entry['component']}): {entry['summary']}"]
    description = entry.get("description", "")
    for key, value in entry.items():
        if key in (*_HIDDEN, "component", "description", "example") or value in (None, "", [], {}):
            continue
        shown = ", ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value
        shown = ", ".join(map(str, shown)) if isinstance(shown, list) else shown
        lines.append(f"  {key.replace('_', ' ')}: {shown}")
    if "example" in entry:
        lines += ["", *(f"  {line}" for line in entry["example"].splitlines())]
    if description:
        lines += ["", *(f"  {line}".rstrip() for line in description.splitlines())]
    return "\n".join(lines)
