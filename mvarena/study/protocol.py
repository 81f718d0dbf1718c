"""Protocols: how often clusters are assigned, and how many labellings become one number. Named data, no code.

Whatever picks by labels is marked so wherever it is shown: no user without ground truth could do the same.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from mvarena.errors import InvalidSetting, unknown_name

Pick = Literal["mean", "lowest-inertia", "best-by-labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How a representation is evaluated.

    restarts : k-means runs (one random start each) per trial.
    unit_rows : whether the embedding's rows are scaled to unit length before k-means.
    pick : what a trial's score is: the mean over restarts, the restart of lowest inertia, or the best by labels.
    trials : how many trials (masks, draws) a point gets by default.
    nmi : the metric that its paper calls NMI.
    source : where it is written down.
    """

    name: str
    summary: str
    restarts: int = 20
    unit_rows: bool = False
    pick: Pick = "mean"
    trials: int = 5
    nmi: str = "nmi"
    source: str = ""

    @property
    def picks_by_labels(self) -> bool:
        return self.pick == "best-by-labels"

    def settings(self) -> dict[str, Any]:
        """What of it changes a trial's result, for the trial's key."""
        return {"restarts": self.restarts, "unit_rows": self.unit_rows, "pick": self.pick}

    def with_restarts(self, restarts: int | None) -> Protocol:
        """The same protocol with another number of restarts."""
        if restarts is None or restarts == self.restarts:
            return self
        if restarts < 1:
            raise InvalidSetting(f"--restarts must be at least 1, not {restarts}.")
        return replace(self, restarts=restarts)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            name="fair",
            summary="20 k-means restarts, every one counted: mean over restarts and trials; nothing sees labels",
        ),
        Protocol(
            name="apmc",
            summary="the experiments of APMC: 20 repetitions, mean and standard deviation",
            restarts=1,
            trials=20,
            source="Guo and Ye, AAAI 2019, section 5.3",
        ),
        Protocol(
            name="mic",
            summary="MIC and MultiNMF: 20 k-means replicates averaged; their NMI divides by sqrt(H1 H2)",
            nmi="nmi-sqrt",
            source="Shao, He and Yu, ECML PKDD 2015, section 4",
        ),
        Protocol(
            name="mkkm",
            summary="the MKKM and EE-IMVC group: unit rows, 50 restarts, the one of lowest inertia; NMI divides by max",
            restarts=50,
            unit_rows=True,
            pick="lowest-inertia",
            trials=30,
            nmi="nmi-max",
            source="Liu et al., AAAI 2019, section 4",
        ),
        Protocol(
            name="oracle",
            summary="the best of 20 restarts by ground truth: an upper bound, never a result",
            pick="best-by-labels",
        ),
    )
}


def protocol_named(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, PROTOCOLS, "See 'mvarena list protocols'.")
    return PROTOCOLS[name]
