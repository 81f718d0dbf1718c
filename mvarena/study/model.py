"""A study as users describe it: which contestants meet on which data, under which conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mvarena.errors import InvalidSetting

DEFAULT_CORRUPTION = "missing-even"
DEFAULT_RATE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A grid of trials.

    algorithms, datasets : names, at least one of each.
    corruptions : names, or name:rate; None: missing-even on complete data, nothing on naturally incomplete data.
    rates : for the corruptions that carry no rate of their own; None: 0.3.
    trials, restarts : None: what the protocol says.
    params : algorithm -> parameter -> values; several values make a grid.
    prepare : transforms in place of each algorithm's own; empty for none; None: each algorithm's own.
    n_clusters : in place of the number of classes; needed for data without classes.
    seed : changes every random choice.
    """

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    corruptions: tuple[str, ...] | None = None
    rates: tuple[float, ...] | None = None
    trials: int | None = None
    restarts: int | None = None
    params: Mapping[str, Mapping[str, tuple[Any, ...]]] = field(default_factory=dict)
    prepare: tuple[str, ...] | None = None
    n_clusters: int | None = None
    protocol: str = "fair"
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.algorithms:
            raise InvalidSetting("no algorithm was named; add --algo NAME (see 'mvarena list algorithms').")
        if not self.datasets:
            raise InvalidSetting("no data set was named; add --data NAME (see 'mvarena list datasets').")
        if self.trials is not None and self.trials < 1:
            raise InvalidSetting(f"--trials must be at least 1, not {self.trials}.")
        if self.restarts is not None and self.restarts < 1:
            raise InvalidSetting(f"--restarts must be at least 1, not {self.restarts}.")
        if self.n_clusters is not None and self.n_clusters < 1:
            raise InvalidSetting(f"--clusters must be at least 1, not {self.n_clusters}.")
        strangers = sorted(set(self.params) - set(self.algorithms))
        if strangers:
            raise InvalidSetting(
                f"--param sets {strangers[0]}, which --algo does not name; add it or drop the parameter."
            )
