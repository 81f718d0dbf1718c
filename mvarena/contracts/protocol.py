"""A protocol: how often clusters are assigned, and how many labellings become one number. Data, no code.

Whatever picks by labels is marked so wherever it is shown: no user without ground truth could do the same.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from mvarena.errors import InvalidSetting

Preparation = Literal["auto", "paper"]
Pick = Literal["mean", "lowest-inertia", "best-by-labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Rules for the evaluation of a representation.

    restarts : k-means runs (one random start each) per trial.
    unit_rows : whether the embedding's rows are scaled to unit length before k-means.
    pick : what a trial's score is: the mean over restarts, the restart of lowest inertia, or the best by labels.
    repeats : how often each point is run by default, each time with another mask or draw.
    prepare : where a study does not say: "auto", the same scaling for everybody and for each method the adaptation that
        it needs, or "paper", each method's published preparation. It is keyed as the steps that it comes to.
    nmi : the metric that its paper calls NMI.
    source : where it is written down.
    """

    name: str
    summary: str
    restarts: int = 20
    unit_rows: bool = False
    pick: Pick = "mean"
    repeats: int = 5
    prepare: Preparation = "auto"
    nmi: str = "nmi"
    source: str = ""

    @property
    def picks_by_labels(self) -> bool:
        return self.pick == "best-by-labels"

    def settings(self) -> dict[str, Any]:
        """Settings that change a trial's result, for the trial's key."""
        return {"restarts": self.restarts, "unit_rows": self.unit_rows, "pick": self.pick}

    def with_restarts(self, restarts: int | None) -> Protocol:
        """The same protocol with another number of restarts."""
        if restarts is None or restarts == self.restarts:
            return self
        if restarts < 1:
            raise InvalidSetting(f"restarts must be at least 1, not {restarts}.", field="restarts", value=restarts)
        return replace(self, restarts=restarts)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
