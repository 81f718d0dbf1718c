"""The command line in the process of the tests, as a user meets it."""

from __future__ import annotations

import pytest

from mvarena.cli.main import main


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, output and complaints of `mvarena WORDS`."""
    code = 0
    try:
        main(list(words))
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err
