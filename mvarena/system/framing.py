"""Messages on a stream: the length, then the bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from os import write  # as it is now: what a contestant puts in its place is not used here

_LENGTH = struct.Struct(">Q")


def framed(payload: bytes) -> bytes:
    """`payload` as it goes over the stream."""
    return _LENGTH.pack(len(payload)) + payload


def send(descriptor: int, payload: bytes) -> None:
    """Write one message whole."""
    rest = memoryview(framed(payload))
    while rest:
        rest = rest[write(descriptor, rest) :]


class Frames:
    """Puts messages together from what comes in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, piece: bytes) -> Iterator[bytes]:
        """Yield the messages that are whole with this piece."""
        self._buffer += piece
        while len(self._buffer) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._buffer)[0]
            if len(self._buffer) < end:
                break
            message = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield message
