"""What every database must do. A further backend inherits the class and says where an empty database of its own is:

class TestOther(BackendSuite):
    @pytest.fixture
    def address(self) -> str:
        return "other://..."
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from suite_recording import RecordingSuite
from suite_runs import RunsSuite
from suite_sharing import SharingSuite
from suite_trials import TrialsSuite

from mvarena.store.database import Database, open_database


class BackendSuite(TrialsSuite, RecordingSuite, RunsSuite, SharingSuite):
    """All tests of a backend, on the empty database that the fixture `address` names."""

    @pytest.fixture
    def address(self) -> str:
        """Where to open an empty database of one's own."""
        raise NotImplementedError(f"{type(self).__name__} must say where its database is: override `address`.")

    @pytest.fixture
    def db(self, address: str) -> Iterator[Database]:
        """An empty database."""
        with open_database(address) as database:
            yield database
