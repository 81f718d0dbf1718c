"""Files that a release needs say the same: version, licence, supported versions of Python."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import yaml
from documents import ROOT

import mvarena
from mvarena.contracts.hooks import HOOKS_VERSION
from mvarena.store.schema import REVISIONS
from mvarena.testing.new_plugin import write_plugin


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version_and_has_what_the_format_asks_for() -> None:
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == mvarena.__version__
    assert citation["license"] == project()["license"]


def test_authors_and_addresses_are_named_in_one_place() -> None:
    citation = runpy.run_path(str(ROOT / ".ci" / "write_citation"))["citation"]()
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8") == citation
    named = [
        path.name for path in ROOT.glob("*") if path.is_file() and "OWNER/mvarena" in path.read_text("utf-8", "ignore")
    ]
    assert sorted(named) == ["CITATION.cff", "pyproject.toml"]


def test_each_change_is_a_sentence_in_a_file_of_a_kind_that_the_changelog_has() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    kinds = {kind["directory"] for kind in tool["type"]}
    assert tool["start_string"] in (ROOT / tool["filename"]).read_text(encoding="utf-8")
    assert (ROOT / tool["directory"] / "README.md").is_file()  # keeps the folder when a release has moved the others
    for path in {*(ROOT / tool["directory"]).iterdir()} - {ROOT / tool["directory"] / "README.md"}:
        assert re.fullmatch(r"[a-z0-9-]+\.[a-z]+\.md", path.name), path.name
        assert path.name.split(".")[1] in kinds, path.name
        assert path.read_text(encoding="utf-8").strip().endswith((".", ")")), path.name


def test_every_supported_python_is_tested_and_named() -> None:
    tested = read(".github/workflows/tests.yml")["jobs"]["tests"]["strategy"]["matrix"]["python"]
    named = [one.rpartition(" ")[2] for one in project()["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert tested == named
    assert project()["requires-python"] == f">={tested[0]}"


def test_a_tag_is_published_without_a_password() -> None:
    publish = read(".github/workflows/publish.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert not any("password" in str(step) or "secrets." in str(step) for step in publish["steps"])


def test_every_plugin_here_and_every_new_one_says_for_which_mvarena_and_hooks_it_is_written(tmp_path: Path) -> None:
    write_plugin("new-metric", "metric", tmp_path / "new")
    major, minor, _ = (int(part) for part in mvarena.__version__.split("."))
    for path in (tmp_path / "new" / "pyproject.toml", *(ROOT / "plugins").glob("*/pyproject.toml")):
        needed = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["dependencies"]
        assert f"mvarena>={major}.{minor},<{major}.{minor + 1}" in needed, path.parent.name
    modules = [*(ROOT / "plugins").glob("*/mvarena_*/__init__.py"), tmp_path / "new/mvarena_new_metric/__init__.py"]
    assert len(modules) >= 5
    for path in modules:
        text = path.read_text(encoding="utf-8")
        assert f"\nmvarena_hooks_version = {HOOKS_VERSION} " in text, path
    policy = (ROOT / "docs" / "reference" / "policy.md").read_text(encoding="utf-8")
    assert f"hooks of version {HOOKS_VERSION}" in policy
    assert f"schema {REVISIONS[-1]}" in policy


def test_what_is_published_was_tested_as_a_wheel_on_the_oldest_and_newest_python() -> None:
    jobs = read(".github/workflows/publish.yml")["jobs"]
    tested = read(".github/workflows/tests.yml")["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert jobs["check"]["strategy"]["matrix"]["python"] == [tested[0], tested[-1]]
    assert any(".ci/release_check" in step.get("run", "") for step in jobs["check"]["steps"])
    assert jobs["publish"]["needs"] == "check"
    uses = [step.get("uses", "").partition("@")[0] for step in jobs["publish"]["steps"]]
    assert uses == ["actions/download-artifact", "pypa/gh-action-pypi-publish"]  # nothing is built again
