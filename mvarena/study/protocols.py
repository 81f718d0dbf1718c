"""The named protocols: the arena's own and those of the papers."""

from __future__ import annotations

from mvarena.contracts.protocol import Protocol
from mvarena.errors import unknown_name

PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            name="fair",
            summary="of 20 k-means restarts the one of lowest inertia, as `fit_predict` gives it; nothing sees labels",
            pick="lowest-inertia",
        ),
        Protocol(
            name="average",
            summary="20 k-means restarts, of which the mean counts: the expected score of a single run",
        ),
        Protocol(
            name="apmc",
            summary="the experiments of APMC: 20 repetitions, each the k-means of lowest inertia out of 20",
            pick="lowest-inertia",
            repeats=20,
            prepare="paper",
            source="Guo and Ye, AAAI 2019, section 5.3; the authors' program, whose best of 20 k-means runs has 4 to "
            "6 points more ACC than a single run on 3Sources",
        ),
        Protocol(
            name="mic",
            summary="MIC and MultiNMF: 20 k-means replicates averaged; their NMI divides by sqrt(H1 H2)",
            nmi="nmi-sqrt",
            prepare="paper",
            source="Shao, He and Yu, ECML PKDD 2015, section 4",
        ),
        Protocol(
            name="mkkm",
            summary="the MKKM and EE-IMVC group: unit rows, 50 restarts, the one of lowest inertia; NMI divides by max",
            restarts=50,
            unit_rows=True,
            pick="lowest-inertia",
            repeats=30,
            nmi="nmi-max",
            prepare="paper",
            source="Liu et al., AAAI 2019, section 4",
        ),
        Protocol(
            name="oracle",
            summary="the best of 20 restarts by ground truth: an upper bound, not a result",
            pick="best-by-labels",
        ),
    )
}


def protocol_named(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, PROTOCOLS, "See 'mvarena list protocols'.")
    return PROTOCOLS[name]
