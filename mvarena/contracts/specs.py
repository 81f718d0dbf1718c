"""Specs: announcements of components. Plain data; nothing heavy is imported to read one."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from mvarena.contracts.capabilities import Capabilities
from mvarena.errors import PluginError

Colour: TypeAlias = Literal["black", "blue", "vermilion", "green", "pink", "sky", "orange", "indigo", "wine"]
Marker: TypeAlias = Literal["o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*"]
Dash: TypeAlias = Literal["solid", "dashed", "dotted", "dashdot", "short", "dashdotdot"]


@dataclass(frozen=True, slots=True)
class Look:
    """colour : of line and marker. marker : matplotlib's code. dash : of the line."""

    colour: Colour
    marker: Marker
    dash: Dash

    def __post_init__(self) -> None:
        for word, known in ((self.colour, Colour), (self.marker, Marker), (self.dash, Dash)):
            if word not in get_args(known):
                raise PluginError(f"a look has no '{word}'; choose one of {', '.join(get_args(known))}.")


Verification: TypeAlias = Literal["verified", "from the paper", "from secondary sources"]
Component: TypeAlias = Literal["algorithm", "dataset", "corruption", "transform", "metric", "picker", "reader"]
DataKind: TypeAlias = Literal["texts", "images", "images and texts", "links", "omics", "kernels", "synthetic", "other"]
RateKind: TypeAlias = Literal["fraction", "snr"]
MetricInput: TypeAlias = Literal["truth", "points", "restarts", "checkpoints", "outcomes"]
PickerInput: TypeAlias = Literal["labellings", "metric", "truth"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
MOST_LETTERS = 100  # of a component's name, as results databases and names of files take them
_TARGET = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*|.+\.py:[A-Za-z_]\w*|.+\.toml|by-value:[A-Za-z0-9+/]+=*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """Fields common to the specs of all components.

    name : lower case letters, digits and hyphens; what users type.
    target : "package.module:attribute", imported when first used; "folder/file.py:attribute", "folder/algorithm.toml"
        and "by-value:..." stand for code that is found by itself (`mvarena.registry.user_code`).
    summary : one line.
    source : where it comes from (paper and equation, publisher).
    label : what tables and figures call it; empty: its name.
    """

    component: ClassVar[Component]
    name: str
    target: str
    summary: str
    source: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise PluginError(f"'{self.name}' is not a component name: use lower case letters, digits and hyphens.")
        if len(self.name) > MOST_LETTERS:
            raise PluginError(f"'{self.name[:30]}...' has {len(self.name)} letters; a name has at most {MOST_LETTERS}.")
        if not _TARGET.fullmatch(self.target):
            raise PluginError(f"{self.name}: the target '{self.target}' must read 'package.module:attribute'.")


MOST_SEARCHED, MOST_SETTINGS = 2, 12


@dataclass(frozen=True, slots=True)
class PaperGrid:
    """The parameters that the experiments of a method's paper try, of which a study can run a grid.

    source : section or table of the paper, or the authors' program; of a grid that is not known, why not.
    values : parameter -> its values, as pairs; at most two parameters and twelve settings. Empty: the paper fixes all.
    by_classes : the paper reports the setting that is best by ground truth.
    known : False where neither the paper nor a program could be consulted.
    """

    source: str
    values: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    by_classes: bool = False
    known: bool = True

    def __post_init__(self) -> None:
        if not self.source:
            raise PluginError("a paper's grid names its source: a section, a table or the authors' program.")
        settings = math.prod(len(values) for _, values in self.values)
        if len(self.values) > MOST_SEARCHED or settings > MOST_SETTINGS or not settings:
            raise PluginError(
                f"a paper's grid has at most {MOST_SEARCHED} parameters and 1 to {MOST_SETTINGS} settings, "
                f"not {len(self.values)} and {settings}: {dict(self.values)}."
            )

    @property
    def words(self) -> str:
        """'lam=0.01,0.02 (section 4; the best by classes)'."""
        searched = " ".join(f"{name}={','.join(map(_typed, values))}" for name, values in self.values)
        without = "nothing is searched" if self.known else "no range is known"
        by = "; the best by the classes is reported" if self.by_classes else ""
        return f"{searched or without} ({self.source}{by})"


def _typed(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmSpec(Spec):
    """A clustering algorithm; its target is a `MultiViewClusterer`.

    version : raise it whenever results may change: stored trials of the old version then run again.
    capabilities : what it takes.
    prepare : the transforms of its paper's experiments, in order: what a study applies that prepares as papers do.
    cost : time and memory in n, d, V, k.
    linear_memory : takes features, and holds no n x n matrix.
    status : what its numbers have been checked against.
    picks_by_labels : a parameter over whose values the literature picks the best by ground truth (the view, for
        a best single view). The arena runs one trial for each and marks the pick wherever it shows it.
    grid : what its paper searches; None: not known.
    units : why a view that is multiplied by a number changes the result; empty: it does not.
    caveats : on which data it is below a trivial baseline, and why (numbers of ours: `reports/audit/causes.py`).
    decides : of a method whose options follow what a view holds: "package.module:attribute" of a function
        `MultiViewData -> {view: what it does with it}`, in words; the plan prints them.
    look : its colour, marker and dash in every figure; None: chosen from its name.
    reads_labels : gets the classes of the data: for the controls of mvarena alone, which are marked and never ranked.
    handed : what a wrapped class is handed, where it does not declare it and its parameter's name decided.
    """

    component: ClassVar[Component] = "algorithm"
    version: str = "1"
    capabilities: Capabilities = field(default_factory=Capabilities)
    prepare: tuple[str, ...] = ()
    cost: str = ""
    linear_memory: bool = False
    status: Verification = "from secondary sources"
    picks_by_labels: str | None = None
    grid: PaperGrid | None = None
    units: str = ""
    caveats: str = ""
    decides: str = ""
    look: Look | None = None
    reads_labels: bool = False
    handed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSpec(Spec):
    """A data set. Its target is one of three:

    - a function `load(seed: int) -> MultiViewData`;
    - a `DataSource` (mvarena.contracts.data_source);
    - a subclass of it that takes the spec, such as `mvarena.loaders.dataset:CardedData`, which goes by a card.

    views : view names, for a data set without a card.
    generated : drawn at random from the seed, anew in each trial; otherwise the seed is ignored.
    version : of the loader or generator; raise it when the numbers change.
    card : where its card.toml is, as "package:folder/card.toml"; `mvarena.loaders.specs.dataset_of_card` makes the
        whole spec from it.
    corpus : name of the collection that the data come from; empty: their own. Data sets of one corpus are not
        independent: ranks and tests over data sets count a corpus once.
    kind : of the data; results are also shown by kind.
    """

    component: ClassVar[Component] = "dataset"
    views: tuple[str, ...] = ()
    generated: bool = False
    version: str = "1"
    card: str = ""
    corpus: str = ""
    kind: DataKind = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptionSpec(Spec):
    """A way to spoil data; its target is a subclass of `Corruption`, made with its parameters.

    rate_means : in words, what a rate of r is.
    formula : the same as a formula.
    rate_kind : "fraction" (0 leaves the data as they are) or "snr", a linear signal-to-noise ratio: a power ratio
        above 0, of which infinity leaves the data as they are (10 dB is a ratio of 10, 20 dB of 100).
    rate_range : in words, which rates are possible.
    makes_missing : True if it removes samples from views.
    needs_complete : True if it is only defined on data of which no sample misses a view.
    """

    component: ClassVar[Component] = "corruption"
    rate_means: str
    formula: str
    rate_kind: RateKind = "fraction"
    rate_range: str = "0 to 1"
    makes_missing: bool = False
    needs_complete: bool = False
    version: str = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformSpec(Spec):
    """A preparation step; its target is a function `(MultiViewData, *, parameters) -> MultiViewData`.

    before_corruption : it is defined on the data before anything is deleted or spoilt: the arena applies it, and the
        steps named before it, ahead of the corruption. What is deleted afterwards thus leaks into the rest.
    decides : of a transform that chooses what to do by looking at each view: "package.module:attribute" of a function
        `MultiViewData -> {view: what it does to it}`, in words; the plan prints them.
    """

    component: ClassVar[Component] = "transform"
    version: str = "1"
    before_corruption: bool = False
    decides: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec(Spec):
    """Metric, whose target is a function of the input that `needs` names (see contracts.metric).

    higher_is_better : the direction.
    lowest, highest : the range.
    needs : "truth" (`Contingency -> float`: the classes and one labelling), "points" (`Points -> float`: one labelling
        and the coordinates it clusters; no classes), "restarts" (`Restarts -> float`: all labellings of a trial),
        "checkpoints" (`Checkpoints -> float`: the classes and the labellings after some iterations, of a method that
        keeps these): it chooses among them by labels, is marked wherever it is shown, and never ranked;
        or "outcomes" (`Outcomes -> float`: one labelling and what became of the samples, such as survival).
    controls : whether a score is held against those of the controls, one cluster and random labels: a method that is
        not above them has found nothing. False where they mean nothing, as for the stability of one cluster.
    formula : the same as a formula: n samples, of which n_ck are in class c and cluster k; entropies H and mutual
        information I; N pairs of samples, of which s_C share a class, s_K a cluster and t both.
    """

    component: ClassVar[Component] = "metric"
    formula: str = ""
    higher_is_better: bool = True
    lowest: float = 0.0
    highest: float = 1.0
    needs: MetricInput = "truth"
    controls: bool = True
    version: str = "1"

    @property
    def picks_by_labels(self) -> bool:
        """True if no user without ground truth could get the result that has this score."""
        return self.needs == "checkpoints"

    @property
    def in_percent(self) -> bool:
        """True where scores are shown in percent: where 1 is the most that they can be, but for those by outcomes."""
        return self.highest == 1 and self.needs != "outcomes"


@dataclass(frozen=True, slots=True, kw_only=True)
class PickerSpec(Spec):
    """A way to choose among results; its target is `pick(candidates) -> Weights | None`, or gives labels (see
    contracts.picker).

    needs : what it sees beside parameters and labellings. "labellings": nothing. "metric": each candidate's value of
        `metric`, which needs no classes. "truth": each candidate's score by the metric that is shown, which ground
        truth gave: such a picker is marked wherever it is shown.
    metric : the name of the metric that it picks by.
    looks_at_nothing : it goes by parameters alone. Others do not see labellings of fewer than half of the clusters that
        were asked for, as long as there are better ones.
    makes_labels : its target is `(candidates) -> labels (n,)`: it picks none of them and makes a labelling of its own.
    """

    component: ClassVar[Component] = "picker"
    needs: PickerInput = "labellings"
    metric: str = ""
    looks_at_nothing: bool = False
    makes_labels: bool = False
    version: str = "1"

    def __post_init__(self) -> None:
        super(PickerSpec, self).__post_init__()  # a class with slots knows no bare super()
        if bool(self.metric) != (self.needs == "metric"):
            raise PluginError(f"{self.name}: a picker names a metric if, and only if, it needs one.")

    @property
    def picks_by_labels(self) -> bool:
        """True if no user without ground truth could do the same."""
        return self.needs == "truth"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSpec(Spec):
    """A reader of users' files; its target is `read(paths, options) -> Understanding` (see contracts.reader).

    endings : of the files that it reads, in lower case, such as (".mat",).
    writer : "package.module:attribute" of a function `write(data, path)` that writes such a file; empty: it reads only.
    """

    component: ClassVar[Component] = "reader"
    endings: tuple[str, ...]
    writer: str = ""

    def __post_init__(self) -> None:
        super(ReaderSpec, self).__post_init__()  # a class with slots knows no bare super()
        if not self.endings or any(not ending.startswith(".") or ending != ending.lower() for ending in self.endings):
            raise PluginError(f"{self.name}: endings are lower case and begin with a dot, such as ('.mat',).")
        if self.writer and not _TARGET.fullmatch(self.writer):
            raise PluginError(f"{self.name}: the writer '{self.writer}' must read 'package.module:attribute'.")
