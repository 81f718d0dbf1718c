"""What tests of bundles share: the newcomer's method, and bundles written again with another content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mvarena.bundles.files import Bundle, read_bundle, write_bundle


def method_in(folder: Path) -> str:
    return f"{folder / 'toy_method.py'}:ToyMethod"


def doctored(folder: Path, change: Callable[[Bundle], Bundle]) -> Path:
    """Change what a bundle says and write it again with the digests of that, as a submitter could."""
    write_bundle(folder, change(read_bundle(folder)))
    return folder
