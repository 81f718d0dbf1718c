"""The names that people give to views, labels and masks."""

from __future__ import annotations

import re

# in order of preference, as `plain` writes them
LABEL_NAMES = (
    "y", "gt", "gnd", "truth", "groundtruth", "truelabel", "truelabels", "label", "labels", "labelmat", "gtruth",
    "target", "targets", "lab", "labs", "class", "classes", "cls", "trueclass", "classlabel", "classlabels",
)  # fmt: skip
VIEW_NAMES = (
    "x", "data", "fea", "feas", "feat", "feature", "features", "view", "views", "xs", "kh", "k", "kernel", "kernels",
    "d", "dist", "distance", "distances", "samples", "matrix",
)  # fmt: skip
MASK_NAMES = ("m", "mask", "masks", "ind", "index", "indices", "idx", "indx", "observed", "obs", "available", "exist")
ID_NAMES = (
    "", "id", "ids", "sample", "samples", "sampleid", "name", "index", "key", "unnamed:0", "patient", "patients", "pid",
    "subject", "participant", "case", "donor", "barcode", "samplename", "samplenames",
)  # fmt: skip
MISSING_NAMES = ("missing", "miss", "missidx", "missind", "missindex", "missingindex", "absent")

_NUMBERED = re.compile(r"(.*?)[_ ]?(\d+)")
_ENDS_IN_ID = re.compile(r".*(?:[\s_.-](?i:ids?)|[a-z]I[Dd]s?)")
_SPLIT = re.compile(r"(?i)(train|test)")


def plain(name: str) -> str:
    """The name in lower case without underscores and spaces: `True_Label` becomes `truelabel`."""
    return re.sub(r"[_\s-]", "", name).lower()


def is_label_name(name: str) -> bool:
    return plain(name) in LABEL_NAMES


def is_id_name(name: str) -> bool:
    """True if the name is one of sample ids: "id", "patient", or with id at its end, as patient_id and PatientID."""
    return plain(name) in ID_NAMES or _ENDS_IN_ID.fullmatch(name) is not None


def is_counter_name(name: str) -> bool:
    """True if the name is that of rows: blank, or as pandas and spreadsheets call their row numbers."""
    return plain(name) in ("", "index", "unnamed:0")


def is_missing_name(name: str) -> bool:
    """True if the name says that it marks what is missing."""
    return re.sub("masks?$", "", plain(name)) in MISSING_NAMES


def is_mask_name(name: str) -> bool:
    return plain(name) in MASK_NAMES or is_sure_mask_name(name)


def is_sure_mask_name(name: str) -> bool:
    """True if the name, with or without a number, says that it marks what is observed or missing; no view does."""
    stem = plain((numbered(name) or (name,))[0])
    return stem.endswith(("mask", "masks", "observed")) or name.lower().startswith("mask_") or is_missing_name(stem)


def label_rank(name: str) -> int:
    """Rank of a name as that of the labels: 0 is most likely."""
    return LABEL_NAMES.index(plain(name)) if is_label_name(name) else len(LABEL_NAMES)


def view_rank(name: str) -> int:
    """Rank of a name as that of the views: 0 is most likely."""
    stem = plain(name)
    return VIEW_NAMES.index(stem) if stem in VIEW_NAMES else len(VIEW_NAMES)


def numbered(name: str) -> tuple[str, int] | None:
    """Stem and number of a name such as X1 or view_2; None if there is no number at its end."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match and match[1] and len(match[2]) < 6 else None


def split_part(name: str) -> tuple[str, str] | None:
    """Name without its train or test part, and that part: `Train_DAT` -> ("dat", "train")."""
    match = _SPLIT.search(name)
    if match is None:
        return None
    return plain(name[: match.start()] + name[match.end() :]), match[1].lower()
