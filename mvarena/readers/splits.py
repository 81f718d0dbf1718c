"""Files that keep a training and a test part: clustering takes both together."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.naming import LABEL_NAMES, split_part
from mvarena.readers.groups import is_matrix
from mvarena.readers.labels import read_labels


def join_splits(variables: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The variables with each pair such as Train_X and Test_X joined, training samples first, and what was done.

    Joined only where labels of both parts tell the side of the samples; everything else stays as it is.
    """
    pairs: dict[str, dict[str, str]] = {}
    for name in variables:
        part = split_part(name)
        if part:
            pairs.setdefault(part[0], {})[part[1]] = name
    full = {stem: (parts["train"], parts["test"]) for stem, parts in pairs.items() if len(parts) == 2}
    for stem, names in full.items():
        labels = [read_labels(variables[name]) for name in names]
        if stem in LABEL_NAMES and labels[0] is not None and labels[1] is not None:
            sizes = (len(labels[0][0]), len(labels[1][0]))
            joined = {stem: np.concatenate([labels[0][0], labels[1][0]])}
            matrices = _joined_matrices(variables, full, sizes)
            if matrices:
                gone = {part for done in (stem, *matrices) for part in full[done]}
                kept = {name: value for name, value in variables.items() if name not in gone}
                done = [f"{' and '.join(full[stem])} are joined as {stem}" for stem in (stem, *matrices)]
                return kept | joined | matrices, done
    return variables, []


def _joined_matrices(
    variables: dict[str, Any], whole: dict[str, tuple[str, str]], sizes: tuple[int, int]
) -> dict[str, Any]:
    joined = {}
    for stem, names in whole.items():
        parts = [variables[name] for name in names]
        if not all(isinstance(part, np.ndarray) and is_matrix(part) for part in parts):
            continue
        for axis in range(parts[0].ndim):
            rest = {(*part.shape[:axis], None, *part.shape[axis + 1 :]) for part in parts}
            if len(rest) == 1 and tuple(part.shape[axis] for part in parts) == sizes:
                joined[stem] = np.concatenate(parts, axis=axis)
                break
    return joined
