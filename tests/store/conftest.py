"""A fresh database for each test: an SQLite file, or a schema of the PostgreSQL server at MVARENA_TEST_POSTGRES."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from mvarena.store import Database, open_database


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where to open an empty database of one's own."""
    server = os.environ.get("MVARENA_TEST_POSTGRES")
    if not server:
        yield str(tmp_path / "results.db")
        return
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS mvarena_test CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA mvarena_test")
    engine.dispose()
    yield f"{server}?options=-csearch_path%3Dmvarena_test"


@pytest.fixture
def db(address: str) -> Iterator[Database]:
    """An empty database."""
    with open_database(address) as database:
        yield database
