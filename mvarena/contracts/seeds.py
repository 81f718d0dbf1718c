"""Scoped seeds: each random part of a trial depends on its own scope alone.

The scopes are a trial's (`contracts.trial`), each under the study's seed:

- data drawn at random: data set and repeat;
- a corruption: data set, its place among the corruptions, name, parameters, rate and repeat, so that every method
  sees the same masks whatever its preparation;
- an algorithm: data set, all corruptions, the algorithm's name and repeat; not its parameters, so that the points of
  a grid start alike;
- a restart of k-means: data set, all corruptions, repeat and the restart's number; not the algorithm, so that all are
  assigned from the same draws.
"""

from __future__ import annotations

import hashlib
import json


def seed_for(root: int, *scope: str | int | float) -> int:
    """A 32-bit seed from the study's seed and a path of names and numbers."""
    digest = hashlib.sha256(json.dumps([root, *scope]).encode()).digest()
    return int.from_bytes(digest[:4], "little")
