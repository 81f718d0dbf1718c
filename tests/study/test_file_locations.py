"""Finding users' files again from results that keep no folders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.source import Source
from mvarena.errors import DataUnavailable
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import data_source, load_source, located, source_from_text

CATALOG = installed_catalog()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def write(path: Path, shift: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, X1=np.arange(12.0).reshape(6, 2) + shift, X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    return path


def stored(source: Source) -> Source:
    """As a database gives it back."""
    return Source.from_json(source.without_folders().to_json())


def test_what_is_stored_holds_no_folder_and_leads_back_to_the_file(tmp_path: Path) -> None:
    source = source_from_text(str(write(tmp_path / "secret" / "faces.npz")))
    content = data_source(source, CATALOG).content(load_source(source, CATALOG))
    kept = stored(source)
    assert "secret" not in kept.to_json()
    assert (kept.paths, kept.name) == (("faces.npz",), "faces")
    assert located(kept, content, CATALOG).paths == source.paths


def test_of_two_files_of_one_name_the_one_of_that_content_is_taken(tmp_path: Path) -> None:
    sources = [
        source_from_text(str(write(tmp_path / folder / "faces.npz", shift))) for folder, shift in (("a", 0), ("b", 1))
    ]
    contents = [data_source(one, CATALOG).content(load_source(one, CATALOG)) for one in sources]
    for source, content in zip(sources, contents, strict=True):
        assert located(stored(source), content, CATALOG).paths == source.paths


def test_a_file_that_was_never_read_here_is_found_where_one_stands(tmp_path: Path) -> None:
    kept = Source(paths=("faces.npz",))
    with pytest.raises(DataUnavailable, match=r"faces \(faces.npz\) were not found"):
        located(kept, "any", CATALOG)
    path = write(Path("faces.npz"))
    assert located(kept, "any", CATALOG).paths == (str(path.absolute()),)
