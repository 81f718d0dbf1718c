"""Temporary folders."""

from __future__ import annotations

from tempfile import TemporaryDirectory


def temporary_folder() -> TemporaryDirectory[str]:
    """A folder that goes when its `with` ends; what cannot be removed is left to whoever owns it."""
    return TemporaryDirectory(prefix="mvarena-", ignore_cleanup_errors=True)
