"""`mvarena plugin`: what passes is said to, what fails is named and ends in exit code 1, nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from mvarena.cli.main import main

SOUND = '''
import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities

class Mine(MultiViewClusterer):
    """The sums of each view's rows."""
    capabilities = Capabilities(deterministic=True)

    def solve(self, data, n_clusters):
        sums = [np.asarray(view.matrix.sum(axis=1)).reshape(-1, 1) for view in data.views]
        return Representation(embedding=np.hstack(sums))
'''


def test_a_component_that_passes(capsys: pytest.CaptureFixture[str]):
    main(["plugin", "check", "purity"])
    said = capsys.readouterr().out
    assert "metric purity: 6 of 6 checks passed" in said
    assert "perfect-match-is-best" in said


def test_a_contestant_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "mine.py"
    path.write_text(SOUND)
    main(["plugin", "check", f"{path}:Mine"])
    assert "algorithm mine: 23 of 23 checks passed" in capsys.readouterr().out
    path.write_text(SOUND.replace("hstack(sums)", "hstack(sums) + np.arange(data.n_samples)[:, None]"))
    with pytest.raises(SystemExit) as ended:
        main(["plugin", "check", f"{path}:Mine"])
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert "mine depends on the order of the samples" in said.out
    assert "1 check failed." in said.err


def test_a_new_plugin_says_what_it_wrote_and_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "mine"
    main(["plugin", "new", "my-score", "--kind", "metric", "--out", str(out)])
    assert str(out / "mvarena_my_score" / "specs.py") in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["plugin", "new", "my-score", "--kind", "metric", "--out", str(out)])
    assert ended.value.code == 2
    assert "exists already" in capsys.readouterr().err


def test_a_name_that_is_taken_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new"
    with pytest.raises(SystemExit):
        main(["plugin", "new", "apmc", "--kind", "algorithm", "--out", str(out)])
    assert "is installed already: 'apmc'" in capsys.readouterr().err
    assert not out.exists()
    main(["plugin", "new", "apmc", "--kind", "metric", "--out", str(out)])
    assert out.exists()
