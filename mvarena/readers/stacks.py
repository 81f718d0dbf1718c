"""Arrays of three and more dimensions: stacked views, or one image per sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.readers.kinds import is_symmetric

_MOST_VIEWS = 10  # that a stack has where neither its shape nor the habit of its format says which axis they are
_EVEN_FEW = 8  # so many views may have a feature or two each
_NEVER = 4  # times as many views as features
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def unstacked(
    name: str, array: NDArray[Any], n: int | None, *, views_last: bool
) -> tuple[tuple[NDArray[Any], ...], str, bool]:
    """Matrices of an array of at least three dimensions, their description, and whether samples are rows now.

    n : the number of samples if labels tell it. views_last : stacks are sliced along the last axis, as MATLAB's are;
    else along the first, as numpy's.
    """
    if array.ndim > 3:
        array = array.squeeze()
        if array.ndim == 2:
            return (array,), f"the matrix {name}", False
    order = tuple(range(array.ndim))[:: -1 if views_last else 1]
    samples, views = _axes(array, n, order)
    if views is None:
        flat = flattened(array, array.shape[samples or 0], axis=samples)
        each = " x ".join(str(size) for axis, size in enumerate(array.shape) if axis != samples)
        return (flat,), f"one array of {each} for each sample, flattened, in {name}", True
    which = "last" if views == array.ndim - 1 else _ORDINALS[min(views, len(_ORDINALS) - 1)]
    kept_as = f"the slices of the {_count(array.ndim)}-dimensional array {name} along its {which} axis"
    slices = tuple(np.moveaxis(array, views, 0))
    if samples is None:
        return slices, kept_as, False
    axis = samples - (views < samples)
    return tuple(flattened(part, part.shape[axis], axis=axis) for part in slices), kept_as, True


def flattened(array: NDArray[Any], n: int, axis: int | None = None) -> NDArray[Any]:
    """The array as n x d, with the samples on `axis`, or on the first or else the last that has n entries."""
    if axis is None:
        fitting = [at for at, size in enumerate(array.shape) if size == n]
        axis = fitting[0] if fitting[0] == 0 else fitting[-1]
    return np.moveaxis(array, axis, 0).reshape(n, -1)


def _axes(array: NDArray[Any], n: int | None, order: Sequence[int]) -> tuple[int | None, int | None]:
    """Axis of the samples, None if it cannot be told, and of the views, None if each sample is one array."""
    shape, usual, other_end = array.shape, order[0], order[-1]
    samples: int | None
    if array.ndim > 3:
        samples = next((axis for axis in (usual, order[1], other_end, *order) if shape[axis] == n), usual)
        return samples, usual if samples == order[1] and shape[usual] <= _MOST_VIEWS else None
    for views in (usual, other_end):
        sides = {shape[axis] for axis in order if axis != views}
        if len(sides) == 1 and (n is None or sides == {n}) and all(map(is_symmetric, np.moveaxis(array, views, 0))):
            return None, views
    if n is None:  # images are square and fewer numbers wide than there are of them
        images = (end for end in (usual, other_end) if {*shape} - {shape[end]} == {shape[order[1]]} != {max(shape)})
        samples = next(images, None)
        return (None, usual) if samples is None else (samples, None)
    samples = next((axis for axis in order if shape[axis] == n), None)
    if samples is None or samples == order[1]:
        return samples, other_end if samples is not None and _too_many(shape[usual], shape[other_end]) else usual
    few, many = sorted((axis for axis in order if axis != samples), key=lambda axis: shape[axis])
    for views, features in ((few, many), (many, few)):
        usually = views == usual and not _too_many(shape[views], shape[features])
        likely = usually or shape[features] >= _NEVER * shape[views]
        if likely and 2 <= shape[views] <= _MOST_VIEWS and shape[few] != shape[many]:
            return samples, views
    return samples, None


def _too_many(views: int, features: int) -> bool:
    return views > _EVEN_FEW and views > _NEVER * features


def _count(dimensions: int) -> str:
    return {3: "three", 4: "four"}.get(dimensions, str(dimensions))
