"""The PostgreSQL server that tests may use; `.ci/with_postgres COMMAND` starts one of its own for a command."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import create_engine

VARIABLE = "MVARENA_TEST_POSTGRES"


def empty_schema() -> str:
    """The address of an empty schema of this test process; the test is skipped where there is no server."""
    name = f"mvarena_test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    server = os.environ.get(VARIABLE)
    if not server:
        pytest.skip(f"{VARIABLE} names no PostgreSQL server; .ci/with_postgres runs a command beside one")
    engine = create_engine(server.replace("postgresql:", "postgresql+psycopg:", 1), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{server}?options=-csearch_path%3D{name}"
