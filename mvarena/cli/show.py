"""`mvarena show NAME`: everything that is known of a component or protocol."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

import click

from mvarena.cli.completion import names_for
from mvarena.cli.output import echo_json, json_option, say
from mvarena.contracts.data_source import SourceCard
from mvarena.contracts.specs import AlgorithmSpec, Component, DatasetSpec
from mvarena.errors import unknown_name
from mvarena.text import told_error

if TYPE_CHECKING:
    from mvarena.contracts.data_source import DataSource
    from mvarena.contracts.parameters import Parameter
    from mvarena.contracts.specs import Spec
    from mvarena.registry.catalog import Catalog


# not printed: what the first lines say, what only programs need, and what other lines say in words
_HIDDEN = (
    "name", "summary", "target", "component", "description", "card", "generated", "capabilities", "look",
    "grid",
)  # fmt: skip


_KINDS = (*get_args(Component), "protocol", "study")
_HINT = "See 'mvarena list algorithms' and the other lists."


@click.command(epilog="Examples: mvarena show apmc; mvarena show missing-even; mvarena show fair; mvarena show quick")
@click.argument("name", shell_complete=names_for("show"))
@click.option("--kind", type=click.Choice(_KINDS), help="Which one to show if several have this name.")
@json_option
def show(name: str, kind: str | None, as_json: bool) -> None:
    """Show what is known of a method, data set, corruption, metric, protocol or study.

    That is its parameters, source, cost, status, and what a rate means. NAME can be a method in a file:
    my_method.py:MyMethod, or a program: algorithm.toml. Of several things of one name the first is shown; --kind shows
    another, --json all.
    """
    from mvarena.registry.catalog import COMPONENTS, installed_catalog
    from mvarena.registry.user_code import is_local, local_spec
    from mvarena.study.file import shipped_studies
    from mvarena.study.protocols import PROTOCOLS

    catalog = installed_catalog()
    plain = name.partition("[")[0]
    specs = [spec for kind in COMPONENTS for spec in catalog.specs(kind) if spec.name == plain]
    if is_local(name):
        specs = [local_spec(name)]
    described = [_described(spec, catalog, name) for spec in specs]
    if plain in PROTOCOLS:
        described.append({"component": "protocol", **PROTOCOLS[plain].as_dict()})
    studies = shipped_studies()
    if plain in studies:
        described.append(study_as_dict(plain) | {"description": studies[plain].read_text(encoding="utf-8")})
    if kind is not None:
        described = [entry for entry in described if entry["component"] == kind]
    if not described:
        known = {other for kind in COMPONENTS for other in catalog.names(kind)} | {*PROTOCOLS, *studies}
        what = kind or "algorithm, data set, corruption, transform, metric, picker, protocol or study"
        raise unknown_name(what, name, known, _HINT)
    if as_json:
        echo_json(described)
        return
    first, *others = described
    say(_text(first))
    for other in others:
        say(f"{name} is also a {other['component']}: mvarena show {name} --kind {other['component']}", err=True)


def spec_as_dict(spec: Spec) -> dict[str, Any]:
    """A spec as JSON types."""
    plain = json.loads(json.dumps(asdict(spec), default=sorted))
    return {"component": spec.component, **plain}


def study_as_dict(name: str) -> dict[str, Any]:
    """A shipped study as JSON types."""
    from mvarena.study.file import study_at

    file = study_at(name)
    return {
        "component": "study",
        "name": name,
        "summary": file.title,
        "about": file.description,
        "runs": len(file.runs),
    }


def _described(spec: Spec, catalog: Catalog, asked: str) -> dict[str, Any]:
    from mvarena.contracts.parameters import parameters_of
    from mvarena.registry.user_code import is_local

    if is_local(spec.target):
        provided_by = spec.target
    else:
        plugin = catalog.plugin_of(spec)
        provided_by = f"{plugin.distribution} {plugin.version}"
    entry = {"publication": _publication(spec, catalog), **spec_as_dict(spec)}
    if isinstance(spec, AlgorithmSpec):
        entry["takes"] = spec.capabilities.words
        entry["threads"] = spec.capabilities.threads_words
        entry["papers_range"] = "" if spec.grid is None else spec.grid.words
    entry["provided_by"] = provided_by
    if is_local(spec.target):
        entry["status"] = ""  # nothing was checked against
    target = catalog.load(spec)
    if spec.component in ("algorithm", "corruption", "transform"):
        entry["parameters"] = {name: _parameter(item) for name, item in parameters_of(target).items()}
    if isinstance(spec, DatasetSpec):
        return entry | dataset_facts(asked, catalog)
    entry["description"] = inspect.getdoc(target) or ""
    return entry


def _publication(spec: Spec, catalog: Catalog) -> str:
    """Link to the publication that is cited for it; '' where none is known."""
    from mvarena.registry.citations import cite, link_of
    from mvarena.registry.user_code import is_local

    return "" if is_local(spec.target) else link_of(cite([spec.name], {}, catalog).bibtex())


def _parameter(one: Parameter) -> dict[str, Any]:
    """A parameter as JSON types: its default, what it may be in words, and its choices."""
    default = one.default
    plain = default is None or isinstance(default, (bool, int, float, str))
    return {"default": default if plain else repr(default), "may_be": one.words, "choices": list(one.choices)}


def _shown(default: Any) -> str:
    """A value as it would be typed."""
    if default is None:
        return "none"
    return {True: "yes", False: "no"}[default] if isinstance(default, bool) else str(default)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return _shown(value)


def _text(entry: dict[str, Any]) -> str:
    lines = [f"{entry['name']} ({entry['component']}): {entry['summary']}"]
    description = entry.get("description", "")
    for key, value in entry.items():
        if key in _HIDDEN or value in (None, "", [], {}) or (key == "reads_labels" and not value):
            continue
        if key == "parameters":
            width = max(len(name) for name in value)
            lines.append("  parameters:")
            lines += [
                f"    {name:<{width}}  {_shown(item['default'])}  ({item['may_be']})" for name, item in value.items()
            ]
            continue
        if key == "traps":
            lines += ["  traps:", *(f"    {trap}" for trap in value)]
            continue
        lines.append(f"  {key.replace('_', ' ')}: {_value(value)}")
    if description:
        lines += ["", *(f"  {line}".rstrip() for line in description.splitlines())]
    return "\n".join(lines)


# What `mvarena show` says of a data set beside its spec: how many samples and clusters, the views, the terms.

_NO_TERMS = "not stated"


def dataset_facts(name: str, catalog: Catalog) -> dict[str, Any]:
    """The facts of `digits` or of `digits[fou,fac]`, whose picked views alone are told.

    What does not say how many samples it or its classes have, or where only some views are picked, is loaded and
    counted if it is at hand.
    """
    from mvarena.study.sources import data_source, source_from_text

    source = data_source(source_from_text(name), catalog)
    card = source.describe()
    counted = {} if (card.samples is not None and card.class_counts) or card.state != "ready" else _counted(source)
    return {
        "samples": card.samples,
        "clusters": card.clusters,
        "acc_of_one_cluster": _rounded(card.acc_of_one_cluster),
        "views": _views(card),
        **counted,
        "state": "drawn at random" if card.generated else card.state,
        "terms": card.terms or ("none: it is drawn at random" if card.generated else _NO_TERMS),
        "traps": list(card.traps),
        "description": card.citation,
    }


def _views(card: SourceCard) -> list[str]:
    return [f"{view.name} ({view.dimension})" if view.dimension else view.name for view in card.views]


def _counted(source: DataSource) -> dict[str, Any]:
    """Facts found by loading the data; where loading fails, the error as a run would show it."""
    try:
        data = source.load(0)
    except Exception as error:  # a stranger's code may fail in any way
        return {"cannot_be_loaded": told_error(error)}
    views = [f"{view.name} ({view.n_features})" for view in data.views]
    known = () if data.labels is None or source.generated else data.labels[data.labels >= 0]
    counts = tuple(Counter(map(int, known)).values())
    acc = SourceCard(name=data.name, class_counts=counts).acc_of_one_cluster
    facts = {"samples": data.n_samples, "clusters": data.n_clusters, "acc_of_one_cluster": _rounded(acc)}
    return facts | {"views": views}


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
