"""Names, units and looks of everything that the pages show: what each page reads first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from mvarena import __version__
from mvarena.analysis.boards import SIZES
from mvarena.report.context import Context
from mvarena.site.data import Material
from mvarena.text import visible


def labels_of(material: Material, title: str) -> dict[str, Any]:
    """Labels of metrics, data sets, conditions and contestants; all tables hold indices in these lists.

    Lists of data sets and contestants are sorted as texts, so that what the order of names decides comes out in the
    pages as it does in Python. kinds, sizes : those that there are results of, where there are several.
    """
    trials, context = material.trials, material.results.context
    sizes = [words for _, words in SIZES]
    claimed = dict.fromkeys(question.metric for question in material.results.questions)
    return {
        "title": visible(title),
        "mvarena": __version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "statuses": {str(name): int(count) for name, count in trials["status"].value_counts().items()},
        "n_trials": int(trials["key"].nunique()),
        "metrics": [_metric(name, context) for name in material.metrics],
        "claimed": [context.metric(name) for name in claimed],
        "datasets": _datasets(material),
        "kinds": _several(sorted(set(material.kinds.values()) - {""})),
        "sizes": _several([words for words in sizes if words in material.sizes.values()]),
        "conditions": [_condition(*pair, context) for pair in material.conditions],
        "contestants": _contestants(material),
        "prepared": f"Prepared by {words}." if (words := context.preparation.words) else "",
        "older": visible(context.left_out),
    }


def _several(values: list[str]) -> list[str]:
    return values if len(values) > 1 else []


def _metric(name: str, context: Context) -> dict[str, Any]:
    return {
        "name": name,
        "label": context.metric(name),
        "axis": context.metric_axis(name),
        "percent": context.in_percent(name),
        "higher": context.directions.get(name, True),
    }


def _datasets(material: Material) -> list[dict[str, Any]]:
    corpora = dict(zip(material.trials["dataset"], material.trials["corpus"].map(visible), strict=True))
    contents = dict(zip(material.trials["dataset"], material.trials["content"], strict=True))
    incomplete = material.results.context.incomplete
    return [
        {
            "name": dataset,
            "label": material.results.context.dataset(dataset),
            "corpus": corpora[dataset],
            "kind": material.kinds[dataset],
            "size": material.sizes.get(dataset, ""),
            "incomplete": sorted(incomplete[name][2]) if (name := dataset.partition(" #")[0]) in incomplete else [],
            "samples": material.results.samples.get(contents[dataset]),
        }
        for dataset in material.datasets
    ]


def condition_name(corruption: str, rate: float) -> str:
    """'missing-even 0.3', 'none': what addresses call a condition."""
    return corruption if corruption == "none" else f"{corruption} {rate:g}"


def _condition(corruption: str, rate: float, context: Context) -> dict[str, Any]:
    """label : short, as '50 % missing'. words : as claims have it, of complete data sets. axis : of the rate."""
    return {
        "name": condition_name(corruption, rate),
        "label": short_condition(corruption, rate, context),
        "words": context.condition(corruption, rate, ()),
        "corruption": corruption,
        "rate": rate,
        "axis": context.rate_axis(corruption) if corruption != "none" else "",
    }


def short_condition(corruption: str, rate: float, context: Context) -> str:
    """'complete' ('unchanged' where some data sets are incomplete as they come), '50 % missing',
    '30 % missing, unbalanced', 'gaussian 10 dB', 'outliers 0.1'."""
    if corruption == "none":
        return context.condition(corruption, rate, context.incomplete).removesuffix(" data")
    spec = context.corruptions.get(corruption)
    if spec is not None and spec.makes_missing and spec.rate_kind == "fraction":
        how = corruption.removeprefix("missing-")
        return f"{100 * rate:g} % missing{'' if how == 'even' else f', {how}'}"
    return context.condition(corruption, rate, ()).replace(" at rate ", " ")


def _contestants(material: Material) -> list[dict[str, Any]]:
    trials = material.trials.drop_duplicates("contestant").set_index("contestant")
    context, looks = material.results.context, material.results.looks
    shown = context.contestants(material.contestants)
    drawn = set(material.results.summary["contestant"])
    result = []
    for name in material.contestants:
        algorithm = str(trials.at[name, "algorithm"])
        look = looks[name] if name in drawn else None
        result.append({
            "name": name,
            "label": shown[name],
            "algorithm": algorithm,
            "family": context.cards.method(algorithm).family_words or "other",
            "control": algorithm in context.controls,
            "colour": look.colour if look else "black",
            "dash": look.dash if look else "solid",
            "muted": name in looks.muted,
        })  # fmt: skip
    return result
