"""What a PostgreSQL server or its driver refuses is one sentence; a mistake of our own stays what it is."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError, InternalError, OperationalError, ProgrammingError

from mvarena.errors import StoreError
from mvarena.store.troubles import translated

WHERE = "postgresql://boss@host/arena"


class Refusal(Exception):
    """As psycopg's errors are: a text of several lines, and a state where the server said something."""

    def __init__(self, text: str, sqlstate: str | None) -> None:
        super().__init__(text)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("kind", "state", "says"),
    [
        (ProgrammingError, "42501", "that the user may use them"),
        (ProgrammingError, "42P01", "nobody has changed its tables"),
        (InternalError, "25006", "accepts writes"),
        (OperationalError, "53100", "see that the server runs"),
        (OperationalError, "08006", "see that the server runs"),
        (OperationalError, None, "see that the server runs"),
        (ProgrammingError, None, "see that the server runs"),
    ],
)
def test_what_a_user_can_mend_is_one_sentence(kind: type, state: str | None, says: str) -> None:
    refusal = Refusal("no, with password=s3cr3t\nLINE 1: SELECT", state)
    with pytest.raises(StoreError, match=says) as raised, translated(WHERE):
        raise kind("SELECT 1", {}, refusal)
    said = str(raised.value)
    assert said.startswith(f"{WHERE} cannot be used: no, with ; ")
    assert "LINE" not in said


@pytest.mark.parametrize(("kind", "state"), [(IntegrityError, "23505"), (ProgrammingError, "42601")])
def test_a_mistake_of_our_own_is_not_dressed_up(kind: type, state: str) -> None:
    with pytest.raises(kind), translated(WHERE):
        raise kind("SELECT 1", {}, Refusal("a violated constraint", state))
