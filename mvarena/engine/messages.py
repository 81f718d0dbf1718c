"""Messages between worker and conductor: bytes, validated field by field.

A message is a length (4 bytes), so many bytes of JSON, and the bytes of the arrays that it speaks of. Reading one runs
no code of the sender's; what is not exactly an outcome is `Junk`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy import asarray
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.outcome import UNSCORED, Outcome, Score, Status
from mvarena.engine.limits import MOST_MESSAGE, told_bytes
from mvarena.numerics.kmeans import Labelling
from mvarena.system.framing import Junk

Checkpoints: TypeAlias = list[list[NDArray[np.int64]]]
_Made = TypeVar("_Made")
_HEAD = struct.Struct(">I")
_TEXTS = ("reason", "traceback", "stopped_because", "source_hash")
_REALS = ("wall_s", "cpu_s", "fit_s", "peak_rss_mb")
_WHOLE = {np.dtype(f"<i{size}").str: np.iinfo(f"i{size}") for size in (1, 2, 4, 8)}
_REAL = "<f8"
_MAY_END_SO = (Status.DONE, Status.SKIPPED, Status.FAILED, Status.OUT_OF_MEMORY, Status.CRASHED)
_MOST_COUNT = 2**63 - 1


@dataclass(frozen=True, eq=False, slots=True)
class Facts:
    """Facts of a trial before its algorithm runs: `truth`, `achieved` and `source_hash` as an `Outcome` has them."""

    n_samples: int
    truth: NDArray[np.int64] | None
    achieved: dict[str, Any]
    source_hash: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the job of that number: its outcome.

    is_last : False of an outcome that counts if none comes after it; scores are missing. embedding : (n, p) of the
    algorithm, of float64, where the process that ran it was asked for it. checkpoints : the labels (n,) of the restarts
    that count for each checkpoint, or why there are none; None of an algorithm that keeps none.
    """

    number: int
    outcome: Outcome
    is_last: bool
    embedding: Any = None
    checkpoints: Checkpoints | str | None = None


# in the worker --------------------------------------------------------------------------------------------


def encoded_ready() -> bytes:
    """Says that the worker has started."""
    return _packed({"kind": "ready"}, [])


def encoded_outcome(
    number: int,
    outcome: Outcome,
    *,
    is_last: bool = True,
    embedding: Any = None,
    checkpoints: Checkpoints | str | None = None,
) -> bytes:
    """An outcome that `engine.execute` made; one that is too long becomes a FAILED one that says so."""
    payload = _encoded(number, outcome, is_last, embedding, checkpoints)
    # it is the message without embedding and checkpoints that is stored
    if embedding is not None or checkpoints is not None or len(payload) <= MOST_MESSAGE:
        return payload
    reason = (
        f"The outcome has {told_bytes(len(payload))} and at most {told_bytes(MOST_MESSAGE)} can be stored; let the "
        "algorithm return less, or use fewer restarts."
    )
    kept = ("started_at", *_REALS, "environment", "source_hash")
    short = Outcome(status=Status.FAILED, reason=reason, **{name: getattr(outcome, name) for name in kept})
    return _encoded(number, short, is_last)


def _encoded(
    number: int,
    outcome: Outcome,
    is_last: bool,
    embedding: Any = None,
    checkpoints: Checkpoints | str | None = None,
) -> bytes:
    arrays: list[NDArray[Any]] = []

    def kept(array: NDArray[Any]) -> dict[str, Any]:
        arrays.append(array)
        return {"dtype": array.dtype.str, "size": int(array.size)}

    header: dict[str, Any] = {"kind": "outcome", "number": number, "status": outcome.status.value}
    header |= {"last": is_last, "signal": outcome.signal}
    header |= {name: str(getattr(outcome, name)) for name in _TEXTS}
    header |= {name: float(getattr(outcome, name)) for name in _REALS}
    header |= {
        "started_at": outcome.started_at.isoformat(),
        "n_iter": int(outcome.n_iter),
        "converged": bool(outcome.converged),
        "achieved": dict(outcome.achieved),
        "environment": dict(outcome.environment),
        "scores": [
            [int(score.restart), score.metric, score.metric_version, float(score.value)] for score in outcome.scores
        ],
        "labels": [kept(_narrow(labelling.labels)) for labelling in outcome.labellings],
        "inertia": [float(labelling.inertia) for labelling in outcome.labellings],
        "truth": None if outcome.truth is None else kept(_narrow(outcome.truth)),
        "objective": kept(asarray(outcome.objective, dtype=_REAL)),
        "embedding": None,
    }
    if embedding is not None:
        header["embedding"] = {"shape": list(embedding.shape), "parts": [kept(item) for item in _parts(embedding)]}
    header["checkpoints"] = (
        [[kept(_narrow(labels)) for labels in restarts] for restarts in checkpoints]
        if isinstance(checkpoints, list)
        else checkpoints
    )
    return _packed(header, arrays)


def _narrow(labels: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in as few bytes as they need."""
    low, high = (int(labels.min()), int(labels.max())) if labels.size else (0, 0)
    dtype = next(item for item, room in _WHOLE.items() if room.min <= low and high <= room.max)
    return labels.astype(dtype)


def _parts(matrix: Any) -> list[NDArray[Any]]:
    """The array behind a dense matrix; entries, columns and row starts of a sparse one."""
    if not sparse.issparse(matrix):
        return [asarray(matrix, dtype=_REAL)]
    rows = matrix.tocsr()
    return [asarray(rows.data, dtype=_REAL), _narrow(rows.indices), _narrow(rows.indptr)]


def _packed(header: Mapping[str, Any], arrays: list[NDArray[Any]]) -> bytes:
    text = dumps(header).encode("ascii")
    return b"".join([_HEAD.pack(len(text)), text, *(array.tobytes() for array in arrays)])


def encoded_facts(facts: Facts) -> bytes:
    """Says what the data of a trial are, before its algorithm runs."""
    truth = [] if facts.truth is None else [_narrow(facts.truth)]
    arrays = [{"dtype": array.dtype.str, "size": int(array.size)} for array in truth]
    header = {"samples": facts.n_samples, "truth": arrays, "achieved": facts.achieved, "source_hash": facts.source_hash}
    return _packed(header, truth)


# in the conductor -----------------------------------------------------------------------------------------


def decoded(message: bytes) -> Answer | None:
    """The answer in `message`; None where it says that the worker has started. Raises Junk for anything else."""
    return _read(message, lambda header, arrays: None if header == {"kind": "ready"} else _answer(header, arrays))


def decoded_facts(message: bytes) -> Facts:
    """The facts in `message`. Raises Junk for anything else."""

    def facts(header: Any, arrays: _Arrays) -> Facts:
        truth = [arrays.whole(item) for item in _exact(header["truth"], list)]
        arrays.finish()
        n_samples = _whole(header["samples"])
        if [item.size for item in truth] not in ([], [n_samples]):
            raise Junk("there is not one class for each sample")
        achieved, digest = _achieved(header["achieved"]), _exact(header["source_hash"], str)
        return Facts(n_samples, truth[0] if truth else None, achieved, digest)

    return _read(message, facts)


def _read(message: bytes, made: Callable[[Any, _Arrays], _Made]) -> _Made:
    """Return `made` of header and arrays. Raises Junk."""
    try:
        (length,) = _HEAD.unpack_from(message)
        if length > len(message) - _HEAD.size:
            raise Junk("a message ends before its header does")
        header = json.loads(message[_HEAD.size : _HEAD.size + length].decode("ascii"))
        return made(header, _Arrays(memoryview(message)[_HEAD.size + length :]))
    except Junk:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, struct.error) as error:
        raise Junk(f"a message is not an outcome ({type(error).__name__})") from error


class _Arrays:
    """The bytes behind the header, taken array by array."""

    def __init__(self, rest: memoryview) -> None:
        self._rest = rest

    def take(self, said: Any, allowed: Callable[[str], bool]) -> NDArray[Any]:
        """The next array, of a type that is allowed."""
        name, size = _exact(said["dtype"], str), _whole(said["size"])
        if not allowed(name):
            raise Junk(f"an array is of type {name[:20]}")
        dtype = np.dtype(name)
        end = size * dtype.itemsize
        if end > len(self._rest):
            raise Junk("a message ends before its arrays do")
        result = np.frombuffer(self._rest[:end], dtype=dtype)
        self._rest = self._rest[end:]
        return result

    def whole(self, said: Any) -> NDArray[np.int64]:
        """The next array, of whole numbers."""
        return self.take(said, _WHOLE.__contains__).astype(np.int64)

    def finish(self) -> None:
        """Nothing may be left."""
        if self._rest:
            raise Junk("a message goes on after its arrays")


def _answer(header: Any, arrays: _Arrays) -> Answer:
    if header["kind"] != "outcome":
        raise Junk("a message is of no known kind")
    status = Status(header["status"])
    if status not in _MAY_END_SO:
        raise Junk(f"a worker does not say {status} of itself")
    labels = [arrays.whole(item) for item in header["labels"]]
    truth = None if header["truth"] is None else arrays.whole(header["truth"])
    objective = arrays.take(header["objective"], _REAL.__eq__)
    embedding = None if header["embedding"] is None else _matrix(header["embedding"], arrays)
    checkpoints = _checkpoints(header["checkpoints"], arrays)
    arrays.finish()
    if isinstance(checkpoints, list) and {item.size for one in checkpoints for item in one} - {x.size for x in labels}:
        raise Junk("a checkpoint has no label for each sample")
    if embedding is not None and (not labels or embedding.shape[0] != labels[0].size):
        raise Junk("an embedding has no row for each sample")
    if len({label.size for label in labels}) > 1 or (truth is not None and labels and truth.size != labels[0].size):
        raise Junk("labellings of one trial have different lengths")
    if (status is Status.DONE) != bool(labels):
        raise Junk("an outcome has labels if it is DONE, and only then")
    inertia = [_real(item) for item in header["inertia"]]
    texts: dict[str, Any] = {name: _exact(header[name], str) for name in _TEXTS}
    reals: dict[str, Any] = {name: _real(header[name]) for name in _REALS}
    outcome = Outcome(
        status=status,
        started_at=_moment(header["started_at"]),
        **texts,
        **reals,
        n_iter=_whole(header["n_iter"]),
        converged=_exact(header["converged"], bool),
        achieved=_achieved(header["achieved"]),
        environment=_exact(header["environment"], dict),
        labellings=tuple(Labelling(item, reached) for item, reached in zip(labels, inertia, strict=True)),
        scores=_scores(header["scores"], len(labels)),
        truth=truth,
        objective=tuple(objective.tolist()),
        signal=None if header["signal"] is None else _whole(header["signal"]),
    )
    return Answer(_whole(header["number"]), outcome, _exact(header["last"], bool), embedding, checkpoints)


def _checkpoints(said: Any, arrays: _Arrays) -> Checkpoints | str | None:
    if said is None or type(said) is str:
        return said
    return [[arrays.whole(item) for item in _exact(one, list)] for one in _exact(said, list)]


def _matrix(said: Any, arrays: _Arrays) -> Any:
    rows, columns = (_whole(item) for item in said["shape"])
    entries, *where = (
        arrays.whole(item) if number else arrays.take(item, _REAL.__eq__) for number, item in enumerate(said["parts"])
    )
    return sparse.csr_array((entries, *where), shape=(rows, columns)) if where else entries.reshape(rows, columns)


def _scores(listed: Any, restarts: int) -> tuple[Score, ...]:
    result = tuple(
        Score(_whole(restart), _exact(metric, str), _exact(version, str), _real(value))
        for restart, metric, version, value in _exact(listed, list)
    )
    if len({(item.restart, item.metric) for item in result}) < len(result) or any(
        item.restart >= restarts for item in result
    ):
        raise Junk("a score is of no labelling, or given twice")
    return result


def _achieved(value: Any) -> dict[str, Any]:
    result: dict[str, Any] = _exact(value, dict)
    for reason in _exact(result.get(UNSCORED, {}), dict).values():
        _exact(reason, str)
    return result


def _moment(text: Any) -> datetime:
    result = datetime.fromisoformat(_exact(text, str))
    if result.tzinfo is None:
        raise Junk("a time has no time zone")
    return result


def _exact(value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise Junk(f"a {kind.__name__} was expected, not a {type(value).__name__}")
    return value


def _whole(value: Any) -> int:
    if not 0 <= _exact(value, int) <= _MOST_COUNT:
        raise Junk("a count is out of range")
    return int(value)


def _real(value: Any) -> float:
    return float(value if type(value) is int else _exact(value, float))
