"""A study as users describe it: which contestants meet on which data, under which conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.study.settings import checked_field
from mvarena.study.values import rates_from

DEFAULT_CORRUPTION = "missing-even"
DEFAULT_RATE = 0.3
DEFAULT_SCALE = ("auto",)
DEFAULT_FILL = "knn"
PAPER_GRID = "paper"
FAIR = "fair"  # the protocol under which controls take part


@dataclass(frozen=True, slots=True)
class Contestant:
    """An algorithm that no plugin announces, with the parameters that are set already."""

    spec: AlgorithmSpec
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A grid of trials.

    algorithms : names, 'all' for all that are announced, or contestants that no plugin announces; at least one.
    datasets : what `source_from_text` reads, or sources; at least one.
    corruptions : conditions that are compared: names, name:rate, chains with + (missing-even:0.3+gaussian:10dB), or
        none; None: missing-even on complete data, nothing on naturally incomplete data.
    rates : for the corruptions that carry no rate of their own; shares, unless all of these are measured by
        signal-to-noise ratios; None: 0.3.
    repeats, restarts : None: what the protocol says.
    params : algorithm, corruption or transform -> parameter -> values; several values make a grid.
    grid : 'paper', what the algorithms' papers search, for parameters that `params` leaves open; None: the defaults.
    scale : how everybody's features are scaled: 'auto', 'none' or transforms such as 'tfidf,unit-rows'; several are
        compared. None: auto.
    fill : what stands in for missing samples where a method needs complete data: 'knn' for fill-knn, and so on; several
        are compared. None: knn.
    prepare : 'auto', scaling and what each algorithm needs besides; 'paper', each algorithm's published preparation;
        'none'; or transforms, for everybody. 'ALGORITHM=' with such words (commas between) says it for one algorithm.
        None: what the protocol says, unless a scaling is asked for.
    n_clusters : in place of the number of classes; needed for data without classes. Several make a grid; controls, but
        on data without classes, look for the number of classes then.
    protocol : its name.
    controls : whether the controls take part, under the protocol fair.
    seed : changes every random choice.
    """

    algorithms: tuple[str | Contestant, ...]
    datasets: tuple[str | Source, ...]
    corruptions: tuple[str, ...] | None = None
    rates: tuple[float, ...] | None = None
    repeats: int | None = None
    restarts: int | None = None
    params: Mapping[str, Mapping[str, tuple[Any, ...]]] = field(default_factory=dict)
    grid: str | None = None
    scale: tuple[str, ...] | None = None
    fill: tuple[str, ...] | None = None
    prepare: tuple[str, ...] | None = None
    n_clusters: tuple[int, ...] | None = None
    protocol: str = FAIR
    controls: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("algorithms", "datasets", "corruptions", "rates", "scale", "fill", "prepare", "n_clusters"):
            if isinstance(value := getattr(self, name), (str, int)):
                raise InvalidSetting(f"{name} are several, as in ({value!r},); `Study.of` takes one, too.", field=name)
        for name, what in (("algorithms", "algorithm"), ("datasets", "data set")):
            if not getattr(self, name):
                raise InvalidSetting(f"no {what} was given; name at least one.", field=name)
        if self.grid not in (None, PAPER_GRID):
            raise InvalidSetting(f"grid is '{PAPER_GRID}', not '{self.grid}'.", field="grid", value=self.grid)
        for name in ("repeats", "restarts", "n_clusters"):
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if number is not None and number < 1:
                    raise InvalidSetting(f"{name} must be at least 1, not {number}.", field=name, value=value)

    @classmethod
    def of(cls, **values: Any) -> Self:
        """A study from values as a program has them: one name or several, a rate or several, NumPy's numbers.

        Raises UnknownName for what is no field of a study, and InvalidSetting for a value that cannot be one.
        """
        known = [item.name for item in fields(cls)]
        for name in values:
            if name not in known:
                raise unknown_name("condition of a study", name, known, f"There are {', '.join(known)}.")
        return cls(**{name: _value(name, value) for name, value in values.items() if value is not None})


def _value(name: str, value: Any) -> Any:
    """Value of a field: several algorithms or data sets, and of any other field what a study file may hold."""
    if name in ("algorithms", "datasets"):
        return tuple(value) if isinstance(value, Iterable) and not isinstance(value, (str, Source)) else (value,)
    checked = checked_field(name, plain(value) or "none" if name == "prepare" else plain(value))
    return rates_from(checked) if name == "rates" else checked


def plain(value: Any) -> Any:
    """The same with NumPy's and pandas' numbers and arrays, ranges and tuples as Python's numbers and lists."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(item) for item in value] if isinstance(value, (list, tuple, range)) else value
