"""Stale results: stored trials that other code of their method has run than what is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvarena.errors import MvarenaError
from mvarena.registry.code_digest import SCHEME, code_digest

if TYPE_CHECKING:
    import pandas as pd


def is_other_code(stored: str, now: str) -> bool:
    """Return True where a stored digest is of other code than `now`; nothing is known of digests of older schemes."""
    return stored != now and now.startswith(SCHEME) and stored.startswith(SCHEME)


def stale_trials(trials: pd.DataFrame) -> dict[str, int]:
    """Method -> how many of its trials other code has run, of those that have any.

    trials : with the columns key, algorithm and source_hash. Of methods that are not installed, or cannot be imported,
    nothing is known. Cost: each method's module is read once.
    """
    unique = trials.drop_duplicates("key")
    counts = {}
    for algorithm, part in unique.groupby("algorithm"):
        now = _installed_code(str(algorithm))
        counts[str(algorithm)] = sum(is_other_code(stored, now) for stored in part["source_hash"])
    return {name: count for name, count in counts.items() if count}


def _installed_code(algorithm: str) -> str:
    """The digest of the installed code; empty where there is none."""
    from mvarena.registry.catalog import installed_catalog  # which `mvarena run --help` does without

    catalog = installed_catalog()
    try:
        return code_digest(catalog.load(catalog.algorithm(algorithm)))
    except MvarenaError:
        return ""
