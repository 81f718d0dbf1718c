"""Names of parametrised cases that are the same in every process, as pytest-xdist needs them."""

from __future__ import annotations

from typing import Any


def stable_id(value: Any) -> str:
    """Text of a value; the elements of a set stand in order, whatever the hash seed."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)
