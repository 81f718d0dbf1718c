"""The backends that there are pass what every backend must."""

from __future__ import annotations

from pathlib import Path

import pytest
from backend_suite import BackendSuite
from servers import empty_schema


class TestSQLite(BackendSuite):
    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return str(tmp_path / "results.db")


class TestPostgreSQL(BackendSuite):
    @pytest.fixture
    def address(self) -> str:
        return empty_schema()
