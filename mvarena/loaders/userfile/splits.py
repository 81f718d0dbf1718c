"""Files that keep a training and a test part: clustering takes both together."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.loaders.userfile.groups import is_matrix
from mvarena.loaders.userfile.labels import read_labels
from mvarena.loaders.userfile.names import LABEL_NAMES, split_part


def join_splits(variables: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The variables with each pair such as Train_X and Test_X joined, training samples first, and what was done.

    Joined only where labels of both parts tell the side of the samples; everything else stays as it is.
    """
    pairs: dict[str, dict[str, str]] = {}
    for name in variables:
        part = split_part(name)
        if part:
            pairs.setdefault(part[0], {})[part[1]] = name
    whole = {stem: (parts["train"], parts["test"]) for stem, parts in pairs.items() if len(parts) == 2}
    for stem, names in whole.items():
        labels = [read_labels(variables[name]) for name in names]
        if stem in LABEL_NAMES and labels[0] is not None and labels[1] is not None:
            sizes = (len(labels[0][0]), len(labels[1][0]))
            joined = {stem: np.concatenate([labels[0][0], labels[1][0]])}
            matrices = _joined_matrices(variables, whole, sizes)
            if matrices:
                gone = {part for done in (stem, *matrices) for part in whole[done]}
                kept = {name: value for name, value in variables.items() if name not in gone}
                done = [f"{' and '.join(whole[stem])} are joined as {stem}" for stem in (stem, *matrices)]
                return kept | joined | matrices, done
    return variables, []


def _joined_matrices(
    variables: dict[str, Any], whole: dict[str, tuple[str, str]], sizes: tuple[int, int]
) -> dict[str, Any]:
    joined = {}
    for stem, names in whole.items():
        first, second = (variables[name] for name in names)
        if not (isinstance(first, np.ndarray) and isinstance(second, np.ndarray)):
            continue
        if not (is_matrix(first) and is_matrix(second)):
            continue
        for axis in (0, 1):
            on_axis = (first.shape[axis], second.shape[axis]) == sizes
            if on_axis and first.shape[1 - axis] == second.shape[1 - axis]:
                joined[stem] = np.concatenate([first, second], axis=axis)
                break
    return joined
