"""Files that a release needs say the same: version, licence, supported versions of Python."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml
from documents import ROOT

import mvarena


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version_and_has_what_the_format_asks_for() -> None:
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == mvarena.__version__
    assert citation["license"] == project()["license"]


def test_every_supported_python_is_tested_and_named() -> None:
    tested = read(".github/workflows/tests.yml")["jobs"]["tests"]["strategy"]["matrix"]["python"]
    named = [one.rpartition(" ")[2] for one in project()["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert tested == named
    assert project()["requires-python"] == f">={tested[0]}"


def test_a_tag_is_published_without_a_password() -> None:
    publish = read(".github/workflows/publish.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert not any("password" in str(step) or "secrets." in str(step) for step in publish["steps"])
