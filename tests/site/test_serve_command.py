"""`mvarena serve` as it is typed: its address, its end, and what is refused in one sentence."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
from site_examples import study

from mvarena.cli.main import main
from mvarena.store.database import open_database


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return study(tmp_path / "results.db")


def _interruptible() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["serve", *words])
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_it_says_its_address_serves_and_ends_by_an_interrupt(results: Path) -> None:
    command = [sys.executable, "-u", "-m", "mvarena", "serve", str(results), "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # where tests run in the background, an interrupt is ignored, and what they start inherits that
    with subprocess.Popen(command, **pipes, preexec_fn=_interruptible) as process:
        try:
            line = process.stdout.readline()
            address = line.split()[-4]
            assert address.startswith("http://127.0.0.1:")
            with urlopen(f"{address}data/labels.js", timeout=20) as answer:
                assert b"data-a" in answer.read()
        finally:
            process.send_signal(signal.SIGINT)
            try:
                out, err = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    assert process.returncode == 0
    assert out == "Ended.\n"
    assert err == ""


def test_a_port_that_is_taken(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = refused(capsys, "--port", str(taken.getsockname()[1]))
    assert "is not available" in said
    assert "--port" in said


def test_a_database_that_is_not_there_and_a_filter_that_matches_nothing(results: Path, capsys) -> None:
    assert "there is no results database" in refused(capsys, "other.db")
    assert "no-such-*" in refused(capsys, "--data", "no-such-*")
    assert "There is no metric called 'accc'" in refused(capsys, "--metric", "accc")


def test_without_datasette_one_sentence_says_what_to_install(results: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "datasette", None)
    assert "pip install datasette" in refused(capsys, "--datasette")


def test_datasette_is_handed_a_file_of_results_and_no_filters(results: Path, capsys, monkeypatch, tmp_path) -> None:
    commands: list[list[str]] = []
    monkeypatch.setitem(sys.modules, "datasette", types.ModuleType("datasette"))
    ended = SimpleNamespace(returncode=0)
    monkeypatch.setattr("subprocess.run", lambda command, **_: commands.append(command) or ended)
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to be looked at")
    assert "is not an SQLite database" in refused(capsys, str(tmp_path / "notes.txt"), "--datasette")
    assert "filters" in refused(capsys, "--datasette", "--algo", "concat")
    assert "metrics" in refused(capsys, "--datasette", "--metric", "acc")
    assert commands == []
    with pytest.raises(SystemExit, match="0"):
        main(["serve", str(results), "--datasette", "--port", "0", "--open"])
    ((*_, host, _, port, file, browse),) = commands
    assert (host, port, Path(file), browse) == ("127.0.0.1", "0", results, "--open")


def test_it_writes_nothing(results: Path) -> None:
    from mvarena.registry.catalog import installed_catalog
    from mvarena.site.server import Pages

    before = results.read_bytes()
    with open_database(results, readonly=True) as db:
        assert Pages(db, installed_catalog(), "x").read("data/trials.js")
    assert results.read_bytes() == before
