"""The end of what a program prints, in bounded memory."""

from __future__ import annotations

TAIL_BYTES = 16_000  # a segmentation fault lists every extension module after its traceback


class Tail:
    """Keeps the last bytes of a stream, and how many there were."""

    def __init__(self, size: int = TAIL_BYTES) -> None:
        self._size = size
        self._kept, self._seen = b"", 0

    def add(self, piece: bytes) -> None:
        """The stream goes on with `piece`."""
        self._seen += len(piece)
        self._kept = (self._kept + piece)[-self._size :] if len(piece) < self._size else piece[-self._size :]

    def clear(self) -> None:
        """Forget all of it."""
        self._kept, self._seen = b"", 0

    def text(self) -> str:
        """The end of the stream; where it is not all, a first line says how much is left out."""
        left_out = self._seen - len(self._kept)
        text = self._kept.decode("utf-8", "backslashreplace")
        return f"[{left_out} bytes before this are left out]\n{text}" if left_out else text
