"""No password of a database address is shown, whether the address is right or wrong."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from command_line import called
from hypothesis import given
from hypothesis import strategies as st

from mvarena.cli import preview
from mvarena.cli.main import main
from mvarena.errors import StoreError
from mvarena.store.connections import describe, parse_address
from mvarena.store.runs import typed_command
from mvarena.text import without_passwords

SECRET = "s3cr3tPW"
ADDRESSES = [
    f"postgresql://boss:{SECRET}@127.0.0.1:1/arena",
    f"postgresql://boss:a@{SECRET}@127.0.0.1:1/arena",
    f"postgresql://boss:a/{SECRET}@127.0.0.1:1/arena",
    f"postgresql://boss:a@{SECRET}/b@127.0.0.1:1/arena",
    f"postgresql://boss:a '{SECRET}' b@127.0.0.1:port/arena",
    f"postgresql://127.0.0.1:1/arena?sslpassword={SECRET}&user=boss&password={SECRET}",
    f"postgresql://boss:{SECRET}@127.0.0.1:1/arena?bogus=1",
    f"mysql://boss:{SECRET}@127.0.0.1:1/arena",
    f"boss:{SECRET}@127.0.0.1:1/arena",
    f"host=127.0.0.1 port=1 password='{SECRET} and more' dbname=arena",
]


def test_no_message_of_a_command_holds_the_password(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = called(capsys, "report", "--db", ADDRESSES[4])
    assert (code, err.startswith("Error: "), SECRET in out + err) == (2, True, False)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_description_and_no_error_holds_it(address: str) -> None:
    said, cause = described(address)
    assert SECRET not in said
    assert cause is None
    assert SECRET not in without_passwords(address)


def described(address: str) -> tuple[str, BaseException | None]:
    try:
        return describe(parse_address(address)), None
    except StoreError as error:
        return str(error), error.__cause__


PLAIN = "postgresql://boss@host:5432/arena?sslmode=require"


@given(st.text(min_size=1, max_size=20), st.booleans())
def test_an_address_without_its_password_is_otherwise_the_same(secret: str, encoded: bool) -> None:
    typed = quote(secret, safe="") if encoded else secret
    address = PLAIN.replace("boss", f"boss:{typed}")
    assert without_passwords(address) == PLAIN
    if encoded:
        assert without_passwords(f"see {address}, please") == f"see {PLAIN}, please"
        assert without_passwords(f"{PLAIN}&password={typed}") == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "results.db",
        "a/b:c.db",
        "postgresql://host/arena",
        "postgresql://boss@host:5432/arena",
        "see http://a.b/c?d=e@f",
        "http://host:8080/x cannot be read; ask me@there, please",
        "the password is in ~/.pgpass",
    ],
)
def test_what_holds_no_password_stays(text: str) -> None:
    assert without_passwords(text) == text


def test_the_study_file_and_the_command_of_a_run_hold_no_password(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    address = f"postgresql://boss:{SECRET}@127.0.0.1:1/arena"
    monkeypatch.setattr(preview, "_opened", lambda _: None)  # there is no such server
    data = ["--algo", "toy-quick", "--data", "toy-blobs"]
    command = ["run", *data, "--db", address, "--save", "study.toml", "--dry-run"]
    main(command)
    for text in ((tmp_path / "study.toml").read_text(), typed_command(command)):
        assert SECRET not in text
        assert "postgresql://boss@127.0.0.1:1/arena" in text
