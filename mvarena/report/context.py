"""Words of a report beside its numbers: labels, units, ranges and looks, from stored cards and announced metrics."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mvarena.analysis.boards import Question
from mvarena.analysis.conditions import Preparation
from mvarena.contracts.specs import CorruptionSpec, Look, MetricSpec
from mvarena.store.cards import Cards
from mvarena.study.cards import announced_corruptions, announced_metrics
from mvarena.text import listed, visible

# a component's name, with what sets one use of it apart: 'apmc (n_neighbors=7)', 'digits[fou,fac]', 'gaussian:10'
_USE = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(?P<rest>(?: \(| #|\[|:).*)?", re.DOTALL)
_COMPLETE, _UNCHANGED = "complete data", "unchanged data"


@dataclass(frozen=True, kw_only=True)
class Context:
    """Cards of methods and data sets by name, specs of metrics and corruptions, and what was chosen for a report.

    Results outlive plugins: what nobody describes is called by its name, its numbers are shown as they are.
    against : the contestant that was chosen to be compared with each other; None: nobody.
    preparation : scaling and filling of the shown trials.
    incomplete : data set that lacks samples in some view as it comes -> kind, group of sizes, stored metrics.
    versions : method without a declared version -> how many are stored, where the newest alone is shown.
    chosen : sentences on what a picker chose, where one did.
    """

    cards: Cards = field(default_factory=lambda: Cards({}, {}))
    metrics: Mapping[str, MetricSpec] = field(default_factory=dict)
    corruptions: Mapping[str, CorruptionSpec] = field(default_factory=dict)
    incomplete: Mapping[str, tuple[str, str, Collection[str]]] = field(default_factory=dict)
    against: str | None = None
    preparation: Preparation = field(default_factory=Preparation)
    versions: Mapping[str, int] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    @property
    def left_out(self) -> str:
        """Sentences on stored trials that are not shown, and how to show them; empty where there are none."""
        counts = [f"{name}: the newest of {count} versions" for name, count in self.versions.items()]
        versions = f"Shown of {'; of '.join(counts)}." if counts else ""
        return " ".join(filter(None, [*self.chosen, self.preparation.sentence, versions]))

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
        """Metrics for which baselines mean nothing."""
        return frozenset(name for name, spec in self.metrics.items() if not spec.controls)

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Algorithm -> its own look, for those that have one."""
        return {name: card.look for name, card in self.cards.methods.items() if card.look is not None}

    @cached_property
    def controls(self) -> frozenset[str]:
        """Algorithms that are baselines and no methods: shown apart, never ranked."""
        return frozenset(name for name, card in self.cards.methods.items() if card.is_control)

    @cached_property
    def label_readers(self) -> frozenset[str]:
        """Algorithms that get the classes."""
        return frozenset(name for name, card in self.cards.methods.items() if card.reads_labels)

    def contestant(self, name: str) -> str:
        """'apmc (n_neighbors=7)' -> 'APMC (n_neighbors=7)', where the algorithm has that label."""
        return _labelled(name, self._method_labels)

    @cached_property
    def _method_labels(self) -> dict[str, str]:
        return {name: card.label for name, card in self.cards.methods.items()}

    def contestants(self, names: Iterable[str]) -> dict[str, str]:
        """Name -> what tables and figures show; two that would read alike are shown by their names."""
        shown = {name: self.contestant(name) for name in names}
        alike = list(shown.values())
        return {name: label if alike.count(label) == 1 else name for name, label in shown.items()}

    def metric(self, name: str) -> str:
        """'acc' -> 'ACC'."""
        return _labelled(name, {one: spec.label for one, spec in self.metrics.items()})

    def metric_axis(self, name: str) -> str:
        """'ACC (%)'."""
        return f"{self.metric(name)} (%)" if self.in_percent(name) else self.metric(name)

    def dataset(self, name: str) -> str:
        """'digits[fou,fac]' -> 'Digits[fou,fac]', where the data set has that label."""
        return _labelled(name, {one: card.label for one, card in self.cards.datasets.items()})

    def dataset_note(self, name: str) -> str:
        """'2,000 samples, 10 classes, views fou (76) and fac (216)'; '' for data of which nothing is known."""
        card = self.cards.dataset(name)
        if card.samples is None or not card.views:
            return card.summary
        _, _, picked = name.removesuffix("]").partition("[")
        views = [view for view in card.views if not picked or view.name in picked.split(",")]
        shown = ", ".join(f"{view.name} ({view.dimension})" if view.dimension else view.name for view in views)
        samples = f"{card.samples} samples" if len(views) == len(card.views) else ""  # some views may hold fewer
        classes = f"{card.clusters} classes" if card.clusters else ""
        return ", ".join(part for part in (samples, classes, f"views {shown}") if part)

    def corruption(self, name: str) -> str:
        """The same for one corruption or several, as in 'missing-even+gaussian:10'."""
        labels = {one: spec.label for one, spec in self.corruptions.items()}
        return "+".join(_labelled(part, labels) for part in name.split("+"))

    def condition(self, corruption: str, rate: float, datasets: Iterable[str]) -> str:
        """'missing-even at rate 0.3', 'gaussian 10 dB'; of data as they are 'complete data', or 'unchanged data' where
        one of the data sets is incomplete as it comes."""
        if corruption == "none":
            return _UNCHANGED if any(name.partition(" #")[0] in self.incomplete for name in datasets) else _COMPLETE
        at = "" if self._is_ratio(corruption) else "at rate "
        return f"{self.corruption(corruption)} {at}{self.rate(corruption, rate)}"

    def rate(self, corruption: str, rate: float) -> str:
        """'0.3', or '10 dB' of a corruption whose rate is a signal-to-noise ratio."""
        return f"{10 * math.log10(rate):g} dB" if self._is_ratio(corruption) and rate > 0 else f"{rate:g}"

    def conditions(self, corruption: str, rates: Sequence[float], datasets: Iterable[str]) -> str:
        """One condition, or 'missing-even, mean over rates 0.1, 0.3 and 0.5'."""
        if len(rates) == 1:
            return self.condition(corruption, rates[0], datasets)
        return f"{self.corruption(corruption)}, mean over rates {listed(self.rate(corruption, rate) for rate in rates)}"

    def question(self, question: Question) -> str:
        """'NMI, all conditions', 'ACC, complete data, texts': what a table or a claim is about."""
        condition = "all conditions"
        if question.corruption is not None and question.rate is not None:
            asked = [
                name
                for name, (kind, size, metrics) in self.incomplete.items()
                if question.metric in metrics and question.kind in ("", kind) and question.size in ("", size)
            ]
            condition = self.condition(question.corruption, question.rate, asked)
        return ", ".join(filter(None, (self.metric(question.metric), condition, question.kind, question.size)))

    def in_percent(self, metric: str) -> bool:
        """True where the metric is known and shown in percent."""
        return metric in self.metrics and self.metrics[metric].in_percent

    def bounds(self, metric: str) -> tuple[float, float]:
        """The lowest and highest value that the metric can have."""
        spec = self.metrics.get(metric)
        return (-math.inf, math.inf) if spec is None else (spec.lowest, spec.highest)

    def rate_means(self, corruption: str) -> str:
        """Meaning of the rate of a corruption (of several: of the first), in words; '' if unknown."""
        spec = self._varied(corruption)
        return spec.rate_means.rstrip(".") if spec else ""

    def rate_axis(self, corruption: str) -> str:
        """Label of the axis of rates: 'missing rate (missing-even)'."""
        spec = self._varied(corruption)
        ratio = self._is_ratio(corruption)
        kind = "signal-to-noise ratio" if ratio else "missing rate" if spec and spec.makes_missing else "rate"
        return f"{kind} ({self.corruption(corruption)})"

    def _is_ratio(self, corruption: str) -> bool:
        spec = self._varied(corruption)
        return spec is not None and spec.rate_kind == "snr"

    def _varied(self, corruption: str) -> CorruptionSpec | None:
        first = corruption.partition("+")[0].partition("[")[0]
        return self.corruptions.get(corruption) or self.corruptions.get(first)


def context_of(cards: Cards) -> Context:
    """The context for results whose methods and data sets have these cards."""
    return Context(cards=cards, metrics=announced_metrics(), corruptions=announced_corruptions())


def _labelled(name: str, labels: Mapping[str, str]) -> str:
    """`name` with its component's label in place of the component's name, as text that can be shown."""
    use = _USE.fullmatch(name)
    label = labels.get(use["name"]) if use else None
    return visible(f"{label}{use['rest'] or ''}" if use and label else name)
