"""Code of plugins, while it is imported: what it prints goes to standard error, never among a command's output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def imported_quietly() -> Iterator[None]:
    """Standard output is standard error meanwhile; not for threads that print at the same time."""
    with redirect_stdout(sys.stderr):
        yield
