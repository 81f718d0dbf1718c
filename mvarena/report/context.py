"""Words of a report beside its numbers, from what each component announces: labels, units, ranges, looks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mvarena.analysis.conditions import Preparation
from mvarena.analysis.naming import Defaults
from mvarena.analysis.significance import MARGIN
from mvarena.contracts.specs import AlgorithmSpec, CorruptionSpec, DatasetSpec, Look, MetricSpec, Spec
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.study.components import defaults_of
from mvarena.study.families import CONTROL, family_of
from mvarena.text import visible

# a component's name, with what sets one use of it apart: 'apmc (n_neighbors=7)', 'digits[fou,fac]', 'gaussian:10'
_USE = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(?P<rest>(?: \(| #|\[|:).*)?", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Context:
    """Specs by name, of what is installed, and a few words on each data set.

    Results outlive plugins: a component without a spec is called by its name, its numbers are shown as they are.
    dataset_notes : data set, as in the results -> words such as '2,000 samples, 10 classes, views fou and fac'.
    defaults : algorithm -> its parameters' defaults, of those that the results are of.
    against : the contestant that was chosen to be compared with each other; None: nobody.
    preparation : scaling and filling of the shown trials.
    versions : method without a declared version -> how many are stored, where the newest alone is shown.
    scaled : (data set, corruption) -> what automatic scaling did to each view (`mvarena.report.formatting`).
    chosen : sentences on what a picker chose, where one did.
    above_control : metrics that are shown as the share of the way from the better control to the best value.
    """

    algorithms: Mapping[str, AlgorithmSpec] = field(default_factory=dict)
    metrics: Mapping[str, MetricSpec] = field(default_factory=dict)
    corruptions: Mapping[str, CorruptionSpec] = field(default_factory=dict)
    datasets: Mapping[str, DatasetSpec] = field(default_factory=dict)
    dataset_notes: Mapping[str, str] = field(default_factory=dict)
    defaults: Defaults = field(default_factory=dict)
    against: str | None = None
    preparation: Preparation = field(default_factory=Preparation)
    versions: Mapping[str, int] = field(default_factory=dict)
    scaled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    above_control: frozenset[str] = frozenset()
    chosen: tuple[str, ...] = ()

    @property
    def left_out(self) -> str:
        """Sentences on stored trials that are not shown, and how to show them; empty where there are none."""
        return " ".join(filter(None, [*self.chosen, self.preparation.sentence, self.versions_left_out]))

    @property
    def versions_left_out(self) -> str:
        """The sentence on older versions of methods; empty where there are none."""
        counts = [f"{name}: the newest of {count} versions" for name, count in self.versions.items()]
        return f"Shown of {'; of '.join(counts)}; --every-version shows all." if counts else ""

    @cached_property
    def directions(self) -> dict[str, bool]:
        """Metric -> True where higher is better."""
        return {name: spec.higher_is_better for name, spec in self.metrics.items()}

    @cached_property
    def label_pickers(self) -> frozenset[str]:
        """Metrics of results that ground truth picked: marked and not ranked."""
        return frozenset(name for name, spec in self.metrics.items() if spec.picks_by_labels)

    @cached_property
    def without_controls(self) -> frozenset[str]:
        """Metrics for which controls mean nothing."""
        return frozenset(name for name, spec in self.metrics.items() if not spec.controls)

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Algorithm -> its own look, for those that have one."""
        return {name: spec.look for name, spec in self.algorithms.items() if spec.look is not None}

    @cached_property
    def families(self) -> dict[str, str]:
        """Algorithm -> its family."""
        return {name: family_of(spec) for name, spec in self.algorithms.items()}

    @cached_property
    def controls(self) -> frozenset[str]:
        """Algorithms that are controls and no methods: shown apart, never ranked."""
        return frozenset(name for name, family in self.families.items() if family == CONTROL)

    @cached_property
    def label_readers(self) -> frozenset[str]:
        """Algorithms that get the classes."""
        return frozenset(name for name, spec in self.algorithms.items() if spec.reads_labels)

    def contestant(self, name: str) -> str:
        """'apmc (n_neighbors=7)' -> 'APMC (n_neighbors=7)', where the algorithm has that label."""
        return _labelled(name, self.algorithms)

    def contestants(self, names: Iterable[str]) -> dict[str, str]:
        """Name -> what tables and figures show; two that would read alike are shown by their names."""
        shown = {name: self.contestant(name) for name in names}
        alike = list(shown.values())
        return {name: label if alike.count(label) == 1 else name for name, label in shown.items()}

    def metric(self, name: str) -> str:
        """'acc' -> 'ACC'."""
        return _labelled(name, self.metrics)

    def metric_axis(self, name: str) -> str:
        """'ACC (%)'; 'ACC (%, 0 = control)' where it is shown above the better control."""
        unit = "%, 0 = control" if name in self.above_control else "%"
        return f"{self.metric(name)} ({unit})" if self.in_percent(name) else self.metric(name)

    def dataset(self, name: str) -> str:
        """'digits[fou,fac]' -> 'Digits[fou,fac]', where the data set has that label."""
        return _labelled(name, self.datasets)

    def corruption(self, name: str) -> str:
        """The same for one corruption or several, as in 'missing-even+gaussian:10'."""
        return "+".join(_labelled(part, self.corruptions) for part in name.split("+"))

    def condition(self, corruption: str, rate: float) -> str:
        """'missing-even at rate 0.3'; '' for the data as they are."""
        return "" if corruption == "none" else f"{self.corruption(corruption)} at rate {rate:g}"

    def in_percent(self, metric: str) -> bool:
        """True where the metric is known and shown in percent."""
        return metric in self.metrics and self.metrics[metric].in_percent

    def margin(self, metric: str) -> float:
        """The difference that matters, in the metric's own unit: one point where it is in percent, else any."""
        return MARGIN if self.in_percent(metric) else 0.0

    def bounds(self, metric: str) -> tuple[float, float]:
        """The lowest and highest value that the metric can have, in the unit that it is shown in."""
        spec = self.metrics.get(metric)
        if spec is not None and metric in self.above_control:
            return (-math.inf, 1.0)
        return (-math.inf, math.inf) if spec is None else (spec.lowest, spec.highest)

    def rate_means(self, corruption: str) -> str:
        """Meaning of the rate of a corruption (of several: of the first), in words; '' if unknown."""
        spec = self._varied(corruption)
        return spec.rate_means.rstrip(".") if spec else ""

    def rate_axis(self, corruption: str) -> str:
        """Label of the axis of rates: 'missing rate (missing-even)'."""
        spec = self._varied(corruption)
        ratio = spec is not None and spec.rate_kind == "snr"
        kind = "signal-to-noise ratio" if ratio else "missing rate" if spec and spec.makes_missing else "rate"
        return f"{kind} ({self.corruption(corruption)})"

    def _varied(self, corruption: str) -> CorruptionSpec | None:
        first = corruption.partition("+")[0].partition("[")[0]
        return self.corruptions.get(corruption) or self.corruptions.get(first)


def context_of(catalog: Catalog, datasets: Iterable[str], algorithms: Iterable[str] = ()) -> Context:
    """The context for results of `algorithms` on `datasets`; what is not installed gets no note and has no defaults.

    Cost: imports the algorithms.
    """
    notes = {}
    for name in dict.fromkeys(datasets):
        try:
            notes[name] = dataset_note(name, catalog)
        except MvarenaError:
            continue
    return Context(
        algorithms={spec.name: spec for spec in catalog.specs("algorithm") if isinstance(spec, AlgorithmSpec)},
        metrics={spec.name: spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec)},
        corruptions={spec.name: spec for spec in catalog.specs("corruption") if isinstance(spec, CorruptionSpec)},
        datasets={spec.name: spec for spec in catalog.specs("dataset") if isinstance(spec, DatasetSpec)},
        dataset_notes=notes,
        defaults=defaults_of(algorithms, catalog),
    )


def dataset_note(name: str, catalog: Catalog) -> str:
    """Note of the plugin on a data set such as 'digits[fou,fac]', in a few words.

    Raises MvarenaError for what no plugin provides, such as a user's own file: its name says what it is.
    """
    base, _, picked = name.removesuffix("]").partition("[")
    spec = catalog.dataset(base)
    card = catalog.card_of(spec)
    if card.samples is None or not card.views:
        return card.summary
    views = [view for view in card.views if not picked or view.name in picked.split(",")]
    shown = ", ".join(f"{view.name} ({view.dimension})" if view.dimension else view.name for view in views)
    samples = f"{card.samples} samples" if len(views) == len(card.views) else ""  # some views may hold fewer of them
    classes = f"{card.clusters} classes" if card.clusters else ""
    return ", ".join(part for part in (samples, classes, f"views {shown}") if part)


def _labelled(name: str, specs: Mapping[str, Spec]) -> str:
    """`name` with its component's label in place of the component's name, as text that can be shown."""
    use = _USE.fullmatch(name)
    spec = specs.get(use["name"]) if use else None
    return visible(f"{spec.label}{use['rest'] or ''}" if use and spec and spec.label else name)
