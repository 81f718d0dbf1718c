"""Validation of a contestant's result: numbers, texts and arrays that can be stored, or a refusal in one sentence."""

from __future__ import annotations

import json
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.errors import InvalidData, MvarenaError
from mvarena.numerics.kmeans import Labelling

MOST_TEXT = 4_000  # characters of a sentence
MOST_TRACEBACK = 64_000
MOST_FACTS = 1_000_000  # characters of JSON
_MOST_LABEL = 2**31 - 1


def plain_representation(name: str, found: Any, n_samples: int) -> Representation:
    """Validated result of algorithm `name`, with labels, where it has some, as (n_samples,) int64.

    Raises InvalidData for what is no representation, or labels that are not a cluster index for each sample.
    """
    if not isinstance(found, Representation):
        raise InvalidData(
            f"{name} returned a {type(found).__name__}; `solve` must return a Representation: of an embedding (n, p), "
            "an affinity (n, n) or labels (n,), as in Representation(embedding=array)."
        )
    if found.labels is None:
        return found
    return replace(found, labels=plain_labels(name, found.labels, n_samples))


def plain_labels(name: str, labels: Any, n_samples: int) -> NDArray[np.int64]:
    """`labels` as (n_samples,) int64. Raises InvalidData unless each is a whole number from 0."""
    try:
        array = np.asarray(labels)
    except Exception as error:
        raise InvalidData(f"{name} returned labels that are not an array: {said(error)}.") from error
    refusal = f"{name} returned labels that are not one integer for each of {n_samples} samples"
    if np.ma.is_masked(labels):
        raise InvalidData(f"{refusal}: some of them are masked.")
    if array.shape != (n_samples,):
        raise InvalidData(f"{refusal}: their shape is {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise InvalidData(f"{refusal}: they are of type {array.dtype}.")
    if array.dtype.kind == "f":
        odd = ~(np.isfinite(array) & (np.floor(array) == array))
        if odd.any():
            raise InvalidData(f"{refusal}: {_first(array, odd)} is among them.")
    wrong = (array < 0) | (array > _MOST_LABEL)
    if wrong.any():
        raise InvalidData(f"{refusal} from 0 to {_MOST_LABEL}: {_first(array, wrong)} is among them.")
    return array.astype(np.int64)


def plain_labellings(name: str, found: Any, n_samples: int, restarts: int) -> tuple[Labelling, ...]:
    """One labelling for each restart. Raises InvalidData for anything else."""
    given = found if isinstance(found, Sequence) else ()
    if len(given) != restarts or any(not isinstance(item, Labelling) for item in given):
        raise InvalidData(f"{name} gave no {restarts} labellings; leave `assign` of its Representation as it is.")
    return tuple(Labelling(plain_labels(name, item.labels, n_samples), float(item.inertia)) for item in given)


def plain_account(found: Representation) -> dict[str, Any]:
    """Account of the solver: objective, n_iter, converged and stopped_because, as an `Outcome` has them."""
    return {
        "objective": tuple(np.ravel(np.asarray(found.objective, dtype=np.float64)).tolist()),
        "n_iter": int(found.n_iter),
        "converged": bool(found.converged),
        "stopped_because": shortened(str(found.stopped_because)),
    }


def plain_facts(value: Any) -> Any:
    """Mappings, lists, texts and numbers alone, as JSON gives them back. Raises InvalidData if they are too many."""
    text = json.dumps(value, default=_plain_fact)
    if len(text) > MOST_FACTS:
        raise InvalidData(f"a record of {len(text)} characters is too long to be stored; at most {MOST_FACTS} are.")
    return json.loads(text)


def said(error: BaseException) -> str:
    """Message of an error, bounded in length; a contestant's own error may have any text, or fail to give one."""
    try:
        text = str(error)
    except BaseException:  # code of the contestant's, which may even raise SystemExit: what is told is that it failed
        text = "an error that cannot say what it is"
    return shortened(text if isinstance(error, MvarenaError) else f"{type(error).__name__}: {text}")


def traced() -> str:
    """The traceback of the error that is being handled, in bounds: its beginning and its end."""
    try:
        text = traceback.format_exc()
    except BaseException as error:
        return f"The traceback cannot be written ({type(error).__name__})."
    return shortened(text, MOST_TRACEBACK)


def shortened(text: str, most: int = MOST_TEXT) -> str:
    """`text`, or of a long one the beginning and the end."""
    if len(text) <= most:
        return text
    left_out = f"\n[{len(text) - most} characters are left out]\n"
    return text[: most // 4] + left_out + text[len(text) - (most - most // 4) :]


def _first(array: NDArray[Any], where: NDArray[np.bool_]) -> Any:
    return array[np.flatnonzero(where)[0]].item()


def _plain_fact(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else str(value)
