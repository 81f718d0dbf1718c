"""The suites of the arena with their parts, and the conditions that their pages tell apart."""

from __future__ import annotations

from mvarena.study.adaptation import AUTO
from mvarena.study.model import DEFAULT_FILL

SUITES = ("arena", "arena-lite")
TUNED, DEEP, SURVIVAL = "tuned", "deep", "survival"
# suite -> part -> its study: what is no part of the board, and has a section of the page
PARTS = {
    "arena": {TUNED: "arena-tuned", DEEP: "arena-deep", SURVIVAL: "arena-survival"},
    "arena-lite": {TUNED: "arena-lite-tuned"},
}
METRICS = ("nmi", "acc", "ari")  # that a release keeps; the first ranks
STABILITY = "stability"  # kept besides: what a criterion without classes goes by
LOG_RANK, LOG_RANK_5 = "log-rank-p", "log-rank-p-5"  # the first ranks the part of survival
KERNELS = "kernels"  # the kind of data that nothing scales

THIN = 4  # corpora: a kind of data with fewer says little

PLAIN, NOISE, SCALING, FILLING = "unchanged data", "noise and outliers", "other scalings", "other fillings"


def studies_of(suite: str) -> tuple[str, ...]:
    """The studies of a suite: its own, and those of its parts."""
    return (suite, *PARTS[suite].values())


def part_of(kind: str, corruption: str, scaling: str, filling: str) -> str:
    """The part of a suite that a trial on data of a kind belongs to: 'missing-even', NOISE, SCALING and so on."""
    if kind != KERNELS and scaling != AUTO:
        return SCALING
    if filling not in ("", DEFAULT_FILL):
        return FILLING
    if corruption == "none":
        return PLAIN
    return corruption if corruption.startswith("missing-") else NOISE
