"""What crosses the wall: outcomes come out as they went in, and nothing else comes out at all."""

from __future__ import annotations

import json
import math
import pickle
import struct
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.outcome import UNSCORED, Outcome, Score, Status
from mvarena.engine import messages
from mvarena.engine.messages import Answer, decoded, encoded_outcome, encoded_ready
from mvarena.engine.worker_process import Tail
from mvarena.numerics.kmeans import Labelling
from mvarena.system.framing import Frames, Junk, framed

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=20)
REALS = st.floats()


@st.composite
def outcomes(draw: Any) -> Outcome:
    n, restarts = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    high = draw(st.sampled_from([3, 2**10, 2**20, 2**40]))
    labels = st.lists(st.integers(0, high), min_size=n, max_size=n)
    made = [Labelling(np.array(draw(labels), dtype=np.int64), draw(REALS)) for _ in range(restarts)]
    return Outcome(
        status=Status.DONE,
        started_at=datetime(2025, 3, 1, 12, tzinfo=UTC),
        wall_s=draw(REALS),
        reason=draw(TEXTS),
        labellings=tuple(made),
        scores=tuple(Score(restart, "acc", "1", draw(REALS)) for restart in range(restarts)),
        truth=np.array(draw(st.lists(st.integers(-1, 5), min_size=n, max_size=n)), dtype=np.int64),
        objective=tuple(draw(st.lists(REALS, max_size=5))),
        n_iter=draw(st.integers(0, 2**63 - 1)),
        stopped_because=draw(TEXTS),
        achieved={"views": {draw(TEXTS): draw(REALS)}},
    )


def plain(outcome: Outcome) -> str:
    """All of an outcome as a text, NaN equal to NaN."""
    arrays = [[one.labels.tolist(), one.inertia] for one in outcome.labellings]
    scores = [[one.restart, one.metric, one.metric_version, one.value] for one in outcome.scores]
    kept = {name: value for name, value in vars(outcome).items() if name not in ("labellings", "scores", "truth")}
    truth = None if outcome.truth is None else outcome.truth.tolist()
    return json.dumps([arrays, scores, truth, kept], default=str, sort_keys=True)


@given(outcomes(), st.booleans())
def test_an_outcome_comes_out_as_it_went_in(outcome, is_last):
    answer = decoded(encoded_outcome(7, outcome, is_last=is_last))
    assert isinstance(answer, Answer)
    assert (answer.number, answer.is_last) == (7, is_last)
    assert plain(answer.outcome) == plain(outcome)
    assert all(one.labels.dtype == np.int64 for one in answer.outcome.labellings)


def test_a_worker_says_that_it_has_started():
    assert decoded(encoded_ready()) is None


@given(outcomes(), st.data())
def test_a_message_that_is_changed_anywhere_is_an_outcome_or_junk(outcome, data):
    message = bytearray(encoded_outcome(1, outcome))
    for _ in range(data.draw(st.integers(1, 4))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(message)))
    for one in (bytes(message), bytes(message[:cut])):
        try:
            answer = decoded(one)
        except Junk:
            continue
        assert answer is None or isinstance(answer.outcome.status, Status)


@given(st.binary(max_size=200))
def test_noise_is_junk(noise):
    with pytest.raises(Junk):
        decoded(noise)


class Command:
    """Unpickled, it would end this process."""

    def __reduce__(self) -> Any:
        return exit, (3,)


GOOD = Outcome(
    status=Status.DONE,
    started_at=datetime(2025, 3, 1, tzinfo=UTC),
    wall_s=1.0,
    labellings=(Labelling(np.array([0, 1, 1]), 2.0),),
    scores=(Score(0, "acc", "1", math.nan),),
)
WRONG: dict[str, Any] = {
    "kind": "else", "number": -1, "signal": -1, "embedding": 3, "last": 1, "status": "TIMEOUT",
    "reason": 5, "wall_s": "long", "n_iter": 2**70,
    "converged": 1, "achieved": [], "environment": None, "scores": [[5, "acc", "1", 0.5]], "inertia": [],
    "labels": [{"dtype": "|O", "size": 3}], "truth": {"dtype": "<i8", "size": 1}, "started_at": "2025-03-01",
    "objective": {"dtype": "<f8", "size": 2**62},
}  # fmt: skip


@pytest.mark.parametrize("field", WRONG)
def test_an_outcome_with_one_wrong_field_is_junk(field):
    message = encoded_outcome(1, GOOD)
    (length,) = struct.unpack_from(">I", message)
    header, rest = json.loads(message[4 : 4 + length]), message[4 + length :]
    for changed in (header | {field: WRONG[field]}, {name: header[name] for name in header if name != field}):
        text = json.dumps(changed).encode()
        with pytest.raises(Junk):
            decoded(struct.pack(">I", len(text)) + text + rest)


@pytest.mark.parametrize("unscored", [[], {"acc": 5}, None])
def test_metrics_without_scores_have_reasons(unscored):
    with pytest.raises(Junk):
        decoded(encoded_outcome(1, replace(GOOD, achieved={UNSCORED: unscored})))


@pytest.mark.parametrize("payload", [pickle.dumps(Command()), b"[" * 10**6, b"1" * 10**5, b"{}", b"null", b"\xff"])
def test_what_is_no_header_is_junk(payload):
    with pytest.raises(Junk):
        decoded(struct.pack(">I", len(payload)) + payload)
    with pytest.raises(Junk):
        decoded(payload)


def test_an_outcome_that_is_too_long_fails_and_says_so(monkeypatch):
    monkeypatch.setattr(messages, "MOST_MESSAGE", 2000)
    long = replace(GOOD, labellings=tuple(Labelling(np.arange(3000), 0.0) for _ in range(4)))
    answer = decoded(encoded_outcome(3, long))
    assert answer is not None
    assert (answer.number, answer.outcome.status) == (3, Status.FAILED)
    assert "use fewer restarts" in answer.outcome.reason


@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(1, 50))
def test_messages_come_out_whole_however_they_are_cut(messages, step):
    stream = b"".join(map(framed, messages))
    frames = Frames(40)
    found = [one for start in range(0, len(stream), step) for one in frames.add(stream[start : start + step])]
    assert found == messages
    assert frames.pending == 0


@pytest.mark.parametrize("stream", [b"x" * 20, framed(bytes(41)), b"mva1" + b"\xff" * 8])
def test_what_is_no_frame_or_too_long_a_one_is_junk(stream):
    with pytest.raises(Junk):
        Frames(40).add(stream)


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_a_tail_is_the_end_of_the_stream(pieces):
    tail = Tail(16)
    for piece in pieces:
        tail.add(piece)
    whole = b"".join(pieces)
    note = f"[{len(whole) - 16} bytes before this are left out]\n" if len(whole) > 16 else ""
    assert tail.text() == note + whole[-16:].decode("utf-8", "backslashreplace")
    tail.clear()
    assert tail.text() == ""
