"""Messages on a stream: a mark, the length, the bytes. Nothing that comes is trusted to be one."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_HEAD = struct.Struct(">4sQ")
_MARK = b"mva1"


class Junk(Exception):
    """Error: the bytes received are no message, or too long a one."""


def framed(payload: bytes) -> bytes:
    """`payload` as it goes over the stream."""
    return _HEAD.pack(_MARK, len(payload)) + payload


class Frames:
    """Puts messages together from what comes in pieces.

    most : bytes that one message may have; a longer one is junk before it is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()

    @property
    def pending(self) -> int:
        """Bytes of a message that is not whole yet."""
        return len(self._buffer)

    def add(self, piece: bytes) -> Iterator[bytes]:
        """Yield the messages that are whole with this piece. Raises Junk, after those that came before it."""
        self._buffer += piece
        while len(self._buffer) >= _HEAD.size:
            mark, length = _HEAD.unpack_from(self._buffer)
            if mark != _MARK:
                raise Junk("what the worker sent is not a message")
            if length > self._most:
                raise Junk(f"the worker announced a message of {length} bytes, and at most {self._most} are taken")
            end = _HEAD.size + length
            if len(self._buffer) < end:
                break
            message = bytes(self._buffer[_HEAD.size : end])
            del self._buffer[:end]
            yield message
