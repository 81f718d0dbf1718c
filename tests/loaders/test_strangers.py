"""What a stranger's plugin brings: a data set with a card in its own package, a data source, a reader of files."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from file_server import Server
from toy_cards import card_text

from mvarena.contracts.source import Source
from mvarena.errors import DataUnavailable, InvalidSetting, PluginError
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.plugins import load_plugins
from mvarena.study.file_source import write_data
from mvarena.study.sources import data_source, load_source, source_from_text, understand_source

NUMBERS = b"1,2,0\n3,4,0\n5,6,1\n7,8,1\n"
PACKAGE = "mvarena_stranger"

PLUGIN = """
from mvarena import hookimpl
from mvarena.contracts.data_source import DataSource, SourceCard
from mvarena.contracts.specs import DatasetSpec, ReaderSpec
from mvarena.loaders.specs import dataset_of_card

@hookimpl
def mvarena_datasets():
    return [
        dataset_of_card("mvarena_stranger:cards/flowers/card.toml"),
        DatasetSpec(name="countdown", target="mvarena_stranger:COUNTDOWN", summary="from a source of its own"),
        DatasetSpec(name="wrong", target="mvarena_stranger:NUMBER", summary="no source at all"),
    ]

@hookimpl
def mvarena_readers():
    return [
        ReaderSpec(
            name="lines",
            target="mvarena_stranger.reading:read_lines",
            writer="mvarena_stranger.reading:write",
            endings=(".lines", ".npz.lines"),
            summary="one number in each line",
        )
    ]

NUMBER = 7

class Countdown(DataSource):
    def load(self, seed):
        import numpy as np
        from mvarena import MultiViewData
        return MultiViewData.from_arrays([np.arange(6.0)[::-1, None]], name="countdown", n_clusters=2)

    def describe(self):
        return SourceCard(name="countdown", samples=6)

COUNTDOWN = Countdown()
"""

READING = """
import numpy as np
from mvarena import MultiViewData
from mvarena.contracts.reader import Understanding

def read_flowers(files):
    table = np.loadtxt(files["flowers.csv"], delimiter=",")
    labels = table[:, 2].astype(int)
    return MultiViewData.from_arrays([table[:, :2]], labels=labels, name="flowers", view_names=["petal"])

def read_lines(paths, options):
    numbers = [np.loadtxt(path)[:, None] for path in paths]
    if options.orientation == "columns":
        numbers = [one.T for one in numbers]
    return Understanding(MultiViewData.from_arrays(numbers, name="lines"), (f"{len(paths)} files of lines",))

def write(data, path):
    np.savetxt(path, data.views[0].matrix[:, 0])
"""


@pytest.fixture
def package(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stranger's package, ready to be imported, and its file on a server."""
    server.pages["/flowers.csv"] = NUMBERS
    folder = tmp_path / "site" / PACKAGE
    (folder / "cards" / "flowers").mkdir(parents=True)
    (folder / "__init__.py").write_text(PLUGIN)
    (folder / "reading.py").write_text(READING)
    address = f'url = "{server.address("/flowers.csv")}"'
    above = 'label = "FLOWERS"\nloader = "mvarena_stranger.reading:read_flowers"'
    card = card_text({"flowers.csv": NUMBERS}, above, views={"petal": ""}, of_file=address)
    (folder / "cards" / "flowers" / "card.toml").write_text(card)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    monkeypatch.syspath_prepend(str(folder.parent))
    for module in (PACKAGE, f"{PACKAGE}.reading"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return folder


def installed() -> Catalog:
    """The stranger's components, and mvarena's own data sets and readers."""
    points = [EntryPoint("stranger", PACKAGE, "mvarena"), EntryPoint("datasets", "mvarena.loaders", "mvarena")]
    plugins = load_plugins(points)
    assert not plugins.failed, plugins.failed[0].traceback
    return Catalog(plugins.loaded)


@pytest.fixture
def catalog(package: Path) -> Catalog:
    return installed()


def test_a_card_of_a_package_is_described_fetched_checked_and_loaded(catalog: Catalog, tmp_path: Path) -> None:
    spec, source = catalog.dataset("flowers"), data_source(source_from_text("flowers"), catalog)
    assert (spec.summary, spec.label, spec.source) == ("S", "FLOWERS", "https://example.org/toy")
    card = source.describe()
    assert (card.samples, card.clusters, card.terms, card.state) == (4, 2, "free", "downloadable")
    assert (card.files, card.missing) == (("flowers.csv",), ("flowers.csv",))
    assert [view.name for view in card.views] == ["petal"]
    with pytest.raises(DataUnavailable, match="have not been downloaded"):
        source.files()
    seen: list[int] = []
    (path,) = source.fetch(lambda *now: seen.append(now[1]))
    assert path == tmp_path / "cache" / "datasets" / "flowers" / "flowers.csv"
    assert seen[-1] == len(NUMBERS)
    assert source.describe().state == "ready"
    assert [check.problem for check in source.verify()] == [None]
    data = load_source("flowers", catalog)
    assert (data.views[0].matrix.tolist(), data.labels.tolist()) == ([[1, 2], [3, 4], [5, 6], [7, 8]], [0, 0, 1, 1])
    path.write_bytes(NUMBERS.replace(b"8", b"9"))
    assert "sha256" in source.verify()[0].problem


def test_found_files_need_no_download(catalog: Catalog, package: Path, tmp_path: Path) -> None:
    source = data_source(source_from_text("flowers"), catalog)
    beside = package / "cards" / "flowers" / "flowers.csv"
    beside.write_bytes(NUMBERS)
    assert (source.describe().state, source.files()) == ("ready", (beside,))
    assert source.files() != source.put_in_place(beside) == source.files()


def test_other_code_of_the_stranger_reads_the_files_anew(catalog: Catalog, package: Path) -> None:
    from mvarena.cache.folder import cache_root, files_digest

    source = data_source(source_from_text("flowers"), catalog)
    source.fetch()
    first = source.load(0)
    loader = package / "reading.py"
    loader.write_text(loader.read_text() + "_read = read_flowers\ndef read_flowers(files): return _read(files)\n")
    files_digest.cache_clear()
    entries = set((cache_root() / "prepared" / "flowers").iterdir())
    assert source.load(0).fingerprint == first.fingerprint
    assert not entries & set((cache_root() / "prepared" / "flowers").iterdir())


def test_a_loader_that_is_not_there_is_named(catalog: Catalog, package: Path) -> None:
    source = data_source(source_from_text("flowers"), catalog)
    source.fetch()
    (package / "reading.py").write_text("")
    with pytest.raises(PluginError, match=r"'flowers'.*mvarena_stranger\.reading:read_flowers"):
        source.load(0)


def test_a_data_source_of_its_own_kind(catalog: Catalog) -> None:
    assert load_source("countdown", catalog).views[0].matrix.ravel().tolist() == [5, 4, 3, 2, 1, 0]
    assert data_source(source_from_text("countdown"), catalog).describe().samples == 6
    with pytest.raises(PluginError, match=r"'wrong'.*is a int.*load\(seed\)"):
        data_source(source_from_text("wrong"), catalog)


def test_a_reader_of_its_own(catalog: Catalog, tmp_path: Path) -> None:
    for name in ("a.lines", "b.LINES"):
        (tmp_path / name).write_text("1\n2\n4\n")
    source = Source.of_files([tmp_path / "a.lines", tmp_path / "b.LINES"])
    found = understand_source(source, catalog)
    assert found.understood == ("2 files of lines",)
    assert load_source(source, catalog).views[1].matrix.ravel().tolist() == [1, 2, 4]
    write_data(found.data, tmp_path / "out.lines", catalog)
    assert np.loadtxt(tmp_path / "out.lines").tolist() == [1, 2, 4]
    with pytest.raises(InvalidSetting, match=r"data files end in .*\.npz"):
        load_source(source, installed_catalog())
    with pytest.raises(InvalidSetting, match=r"must end in \.lines or \.npz or \.npz\.lines"):
        write_data(found.data, tmp_path / "out.mat", catalog)


def test_an_ending_that_two_readers_claim_names_both(package: Path) -> None:
    init = package / "__init__.py"
    init.write_text(init.read_text().replace('(".lines", ".npz.lines")', '(".mat",)'))
    with pytest.raises(PluginError, match=r"'\.mat' files can be read by"):
        source_from_text("x.mat", installed())
