"""The store: every outcome of every trial, failures too, in one SQL database that several runs may share.

`open_database` gives a `Database`; the functions below take it first. `mvarena.store.frames` (not imported here,
for it needs pandas) turns what is stored into tables.
"""

from __future__ import annotations

from mvarena.store.database import Database, open_database
from mvarena.store.read_outcomes import labellings, outcome_of, truth
from mvarena.store.trials import counts, finished, register
from mvarena.store.write_outcomes import add_scores, record

__all__ = [
    "Database",
    "add_scores",
    "counts",
    "finished",
    "labellings",
    "open_database",
    "outcome_of",
    "record",
    "register",
    "truth",
]
