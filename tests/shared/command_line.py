"""The command line in the process of the tests, and in one of its own, as a user meets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mvarena.cli.main import main


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, output and complaints of `mvarena WORDS`."""
    code = code_of(*words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def code_of(*words: str) -> int:
    """Exit code of `mvarena WORDS`."""
    try:
        main(list(words))
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def in_new_process(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The end of `mvarena WORDS` in a process of its own. environment : variables that it has besides."""
    command = [sys.executable, "-m", "mvarena", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ | environment, timeout=120)
