"""A fresh database for each test: an SQLite file, and a schema of a PostgreSQL server where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import empty_schema

from mvarena.store.database import Database, open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to open an empty database of one's own."""
    return str(tmp_path / "results.db") if request.param == "sqlite" else empty_schema()


@pytest.fixture
def db(address: str) -> Iterator[Database]:
    """An empty database."""
    with open_database(address) as database:
        yield database
