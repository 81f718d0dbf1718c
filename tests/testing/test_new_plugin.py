"""A plugin begun with `mvarena plugin new` is found, checked and tested as it is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from plugin_folders import announced_in

from mvarena.errors import InvalidSetting
from mvarena.registry.plugins import load_plugins
from mvarena.testing import checks_of, run_check
from mvarena.testing.new_plugin import write_plugin


@pytest.mark.parametrize("kind", ["algorithm", "dataset", "corruption", "transform", "metric"])
def test_a_new_plugin_loads_and_passes_every_check(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "mine"
    write_plugin(f"my-{kind}", kind, folder)
    monkeypatch.syspath_prepend(str(folder))
    plugins = load_plugins(announced_in(folder, f"mvarena_my_{kind}"))
    assert not plugins.failed, plugins.failed[0].traceback
    (spec,) = plugins.loaded[0].specs
    assert (spec.component, spec.name) == (kind, f"my-{kind}")
    results = [run_check(check) for check in checks_of(spec)]
    assert {result.state for result in results} == {"passed"}, results


@pytest.mark.slow
def test_a_new_plugin_has_tests_that_pass(tmp_path: Path):
    write_plugin("my-metric", "metric", tmp_path / "mine")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "mine")],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "mine")},
        cwd=tmp_path / "mine",
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout
    assert "skipped" not in tested.stdout


@pytest.mark.parametrize("name", ["Mine", "1st", "my method", "class", ""])
def test_a_name_that_cannot_be_one_is_refused(name: str, tmp_path: Path):
    with pytest.raises(InvalidSetting, match="cannot be a component's name"):
        write_plugin(name, "metric", tmp_path / "new")
    assert not (tmp_path / "new").exists()
