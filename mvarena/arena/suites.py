"""The suites of the arena, and the groups of data and conditions that their pages tell apart."""

from __future__ import annotations

import math

from mvarena.study.adaptation import AUTO
from mvarena.study.model import DEFAULT_FILL

SUITES = ("arena", "arena-lite")
METRICS = ("nmi", "acc", "ari")  # that a release keeps; the first ranks

# kind -> the data sets of it; what several kinds would fit stands under the first that names it
KINDS: dict[str, tuple[str, ...]] = {
    "texts": ("bbcsport", "bbc-4view", "3sources", "3sources-complete", "newsgroups", "reuters1200"),
    "links": (
        "webkb-cornell",
        "webkb-texas",
        "webkb-washington",
        "webkb-wisconsin",
        "webkb-course",
        "cora",
        "citeseer",
    ),
    "images": ("msrcv1", "orl-4view", "usps-mnist", "hdigit", "digits", "leaves100", "scene15", "ccv-20d"),
    "images and texts": ("cub", "fox", "cnn", "bdgp", "wikipedia"),
    "kernels": ("kernel-yale", "kernel-cornell"),
    "omics": ("prokaryotic", "proteinfold"),
    "synthetic": ("synthetic3d",),
}
OTHER = "other"
SIZES = ((700, "up to 700 samples"), (4000, "701 to 4,000 samples"), (math.inf, "more than 4,000 samples"))

# methods of plugins, which may not be installed where a page is made
DEEP = ("ae-km", "simvc", "comvc", "completer", "dsimvc", "proimp", "mflvc", "cpspan", "rml", "dcp")  # of mvarena-deep
OMICS = ("mofa", "nemo", "snf")  # of mvarena-omics

PLAIN, NOISE, SCALING, FILLING = "unchanged data", "noise and outliers", "other scalings", "other fillings"


def kind_of(dataset: str) -> str:
    """The kind of a data set such as 'digits[fou,fac]'; OTHER where none names it."""
    base = dataset.partition("[")[0]
    return next((kind for kind, names in KINDS.items() if base in names), OTHER)


def size_of(n_samples: int) -> str:
    """The group of sizes that n samples belong to."""
    return next(words for most, words in SIZES if n_samples <= most)


def part_of(dataset: str, corruption: str, scaling: str, filling: str) -> str:
    """The part of a suite that a trial belongs to: 'missing-even', NOISE, SCALING and so on.

    Nothing scales kernels, whose scaling is 'none' therefore.
    """
    if kind_of(dataset) != "kernels" and scaling != AUTO:
        return SCALING
    if filling not in ("", DEFAULT_FILL):
        return FILLING
    if corruption == "none":
        return PLAIN
    return corruption if corruption.startswith("missing-") else NOISE
