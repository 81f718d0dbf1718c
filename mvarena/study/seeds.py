"""Scoped seeds: what is random in a trial depends on its own scope and on nothing else.

The corruption's scope is data set, corruption, rate and repeat, so every method sees the same masks; the
algorithm's and the assignment's scopes add the algorithm and its parameters.
"""

from __future__ import annotations

import hashlib
import json


def seed_for(root: int, *scope: str | int | float) -> int:
    """A 32-bit seed from the study's seed and a path of names and numbers."""
    digest = hashlib.sha256(json.dumps([root, *scope]).encode()).digest()
    return int.from_bytes(digest[:4], "little")
