"""Pages of corruptions, transforms, metrics and pickers."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from generation.markdown import cell, code, named, prose, sentence, table
from mvarena.contracts.metric import Contingency
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import CorruptionSpec, MetricSpec, Spec
from mvarena.registry.catalog import Catalog

ROOT = Path(__file__).parents[2]


OWN = "mvarena"  # the distribution whose components have pages here


def own(catalog: Catalog, kind: str) -> list[Any]:
    """Specs of that kind which come with mvarena, by name."""
    return sorted(
        (spec for spec in catalog.specs(kind) if catalog.plugin_of(spec).distribution == OWN),
        key=lambda spec: spec.name,
    )


TRANSFORMS = (
    "Steps of preparation. `--scale` takes those that scale features, `--prepare` any of them, in order, with commas "
    "between. The plan adds the requirements of a method (a filling, kernels, values above 0)."
)


PICKERS = (
    "Ways to choose among the results of a grid of parameters, or among methods, without labels. "
    "`mvarena pick --across` gives the regret of each."
)


def corruptions_page(catalog: Catalog) -> str:
    parts = [
        "# Corruptions",
        "Ways to spoil complete data, at a rate. The mask of a repeat depends on the data, the corruption, the "
        "rate and the seed, never on the method. Pictures show 36 samples of three classes: for missing samples a "
        "column per sample, coloured by class, and a row per view, white where it misses the sample; else the values "
        "of two views, a row per sample. `python docs/gallery/draw_components.py` draws them.",
        '    mvarena run --algo apmc concat --data "digits[fou,fac]" --corrupt missing-even --rates 0.1 0.5\n'
        "    mvarena show missing-even",
    ]
    for spec in own(catalog, "corruption"):
        parts += [f"## {spec.name}", sentence(spec.summary)]
        facts = [("A rate means", spec.rate_means), ("Formula", spec.formula), ("Largest rate", spec.rate_range)]
        facts += [("Source", spec.source)]
        parts.append(table(("", ""), [(key, value) for key, value in facts if value]))
        target = catalog.load(spec)
        parts += list(_parameter_table(target))
        parts += [picture(spec), prose(inspect.getdoc(target) or "")]
    return "\n\n".join(parts) + "\n"


def picture(spec: CorruptionSpec | MetricSpec) -> str:
    """The picture that draw_components.py draws of it."""
    what = "samples before and after" if spec.component == "corruption" else "its values on examples"
    return f"![{spec.name}: {what}](../gallery/components/{spec.component}-{spec.name}.png)"


_EXAMPLE = np.array([[4, 1, 0], [0, 4, 0], [0, 1, 2]])  # samples by class and cluster


def example_table() -> str:
    rows = [f"class {c + 1}   " + "".join(f"{count:>11}" for count in row) for c, row in enumerate(_EXAMPLE)]
    return "\n".join(["samples   " + "".join(f"  cluster {k + 1}" for k in range(len(_EXAMPLE.T))), *rows])


def metrics_page(catalog: Catalog) -> str:
    words = {
        "truth": "the classes and one labelling",
        "points": "the prepared views or the embedding, and one labelling",
        "restarts": "the labellings of all restarts",
        "checkpoints": "the classes, and labellings after some of the iterations",
        "outcomes": "the outcomes of the samples, such as survival, and one labelling",
    }
    parts = [
        "# Metrics",
        "External metrics compare with classes; internal ones need none; those by outcomes look at survival and other "
        "columns (the how-to on outcomes of samples). Labels are kept, so that a metric can be "
        "added to stored results without a run.",
        "    mvarena score --metric silhouette-views\n    mvarena report --metric ari acc",
        "In formulas, of n samples `n_ck` are in class c and cluster k; H are entropies, I is the mutual information; "
        "of N pairs of samples `s_C` share a class, `s_K` a cluster and t both. a is the mean distance to the own "
        "cluster and b that to the nearest other one, s the mean distance to a centre c, B and W the squared distances "
        "of the K centres and within clusters. A picture shows the score as a labelling gets worse, or as clusters "
        "move apart (`python docs/gallery/draw_components.py`). *On the example* is the score of these twelve samples:",
        code(example_table()),
    ]
    example = Contingency(_EXAMPLE)
    for spec in own(catalog, "metric"):
        better = "higher" if spec.higher_is_better else "lower"
        low, high = (f"{edge:g}" for edge in (spec.lowest, spec.highest))
        facts = [("Formula", named(spec.formula)), ("Needs", words.get(spec.needs, spec.needs))]
        facts += [("Better", better), ("Range", f"{low} to {high}")]
        if spec.needs == "truth":
            facts.append(("On the example", f"{catalog.load(spec)(example):.3f}"))
        facts += [("Source", spec.source)] if spec.source else []
        parts += [f"## {spec.name}", sentence(spec.summary), table(("", ""), facts), picture(spec)]
        parts.append(prose(inspect.getdoc(catalog.load(spec)) or ""))
    return "\n\n".join(parts) + "\n"


def components_page(catalog: Catalog, kind: str, title: str, introduction: str) -> str:
    parts = [f"# {title}", introduction]
    for spec in own(catalog, kind):
        target = catalog.load(spec)
        parts += [f"## {spec.name}", sentence(spec.summary), *_source(spec), *_parameter_table(target)]
        if text := inspect.getdoc(target):
            parts.append(prose(text))
    return "\n\n".join(parts) + "\n"


def _source(spec: Spec) -> Iterator[str]:
    if spec.source:
        yield f"Source: {cell(spec.source)}."


def _parameter_table(target: Any) -> Iterator[str]:
    rows = [(named(name), _default(one.default), one.words) for name, one in parameters_of(target).items()]
    if rows:
        yield table(("parameter", "default", "values"), rows)


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return "–"
    return "none" if value is None else json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)
