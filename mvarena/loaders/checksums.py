"""Check a file against its card."""

from __future__ import annotations

from pathlib import Path

from mvarena.cache.sums import file_sha256
from mvarena.errors import InvalidData
from mvarena.loaders.cards import CardFile


def check_file(path: Path, file: CardFile, source: str) -> None:
    """Raise InvalidData unless `path` has the size and sha256 of `file`. Files without checksum pass."""
    size = path.stat().st_size
    if file.bytes is not None and size != file.bytes:
        raise InvalidData(f"{path} has {size} bytes; the card says {file.bytes}. {_remedy(source)}")
    if file.sha256 is not None and (found := file_sha256(path)) not in (file.sha256, *file.also_sha256):
        raise InvalidData(
            f"{path} has the sha256 {found[:12]}...; the card says {file.sha256[:12]}... {_remedy(source)}"
        )


def _remedy(source: str) -> str:
    return f"It is damaged or another version: replace or remove it (the original is at {source})."
