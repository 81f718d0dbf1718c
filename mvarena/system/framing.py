"""Messages on a stream: the length, then the bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_LENGTH = struct.Struct(">Q")


def framed(payload: bytes) -> bytes:
    """`payload` as it goes over the stream."""
    return _LENGTH.pack(len(payload)) + payload


class Frames:
    """Puts messages together from what comes in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def pending(self) -> int:
        """Bytes of a message that is not whole yet."""
        return len(self._buffer)

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
