"""A channel between two processes of this machine: whole messages, and open files along with them."""

from __future__ import annotations

import array
import os
import socket
from collections.abc import Iterable, Sequence

from mvarena.system.framing import Frames, framed

_MOST_MESSAGE = 1 << 40
_MOST_FILES = 253  # that the system takes along with one message
_PIECE = 1 << 20


class Channel:
    """One end of a channel; `Channel.pair` makes both. Not inherited by programs."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._frames = Frames(_MOST_MESSAGE)

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """Both ends of a new channel."""
        one, other = socket.socketpair()
        return cls(one), cls(other)

    def fileno(self) -> int:
        """The descriptor of this end."""
        return self._end.fileno()

    def send(self, message: bytes, files: Sequence[int] = ()) -> None:
        """Send a message whole. Raises OSError where nobody reads it."""
        rest = memoryview(framed(message))
        if files:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
            rest = rest[self._end.sendmsg([rest], rights) :]
        self._end.sendall(rest)

    def receive(self) -> tuple[bytes, list[int]]:
        """The next message, and its files, which are then this process's to close. Raises EOFError at the end."""
        files: list[int] = []
        while True:
            piece, more, _, _ = socket.recv_fds(self._end, _PIECE, _MOST_FILES)
            files += more
            if not piece:
                close_all(files)
                raise EOFError
            if messages := self._frames.add(piece):
                return messages[0], files

    def close(self) -> None:
        """Close this end."""
        self._end.close()


def close_all(descriptors: Iterable[int]) -> None:
    """Close these files."""
    for descriptor in descriptors:
        os.close(descriptor)
