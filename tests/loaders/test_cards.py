"""Cards are well formed, agree with the announced data sets, and say clearly what is wrong when they are not."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from toy_cards import BY_LOADER, card_text

from mvarena.errors import InvalidData, UnknownName
from mvarena.loaders.cards import load_card, read_card
from mvarena.loaders.files import required_files
from mvarena.loaders.specs import CARDED, card_names, cards_root, dataset_of_card

GOOD = card_text({"a.csv": b"1,2,0\n3,4,1\n"}, f"class_counts = 2\n{BY_LOADER}")


def write(folder: Path, text: str) -> Path:
    path = folder / "toy" / "card.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_every_card_is_well_formed_and_announced_as_it_says() -> None:
    assert {spec.name for spec in CARDED} == set(card_names())
    for spec in CARDED:
        card = load_card(spec.card)
        assert load_card(spec.name).name == spec.name
        assert required_files(card) or card.package, spec.name
        assert (spec.source, spec.generated, spec.version) == (card.source, card.generated, card.version), spec.name
        assert spec.summary.startswith(card.summary.rstrip(".")), spec.name
        module, _, function = card.loader.partition(":")
        assert (inspect.getdoc(getattr(import_module(module), function)) or "").strip(), spec.name


def test_only_bundled_files_lie_beside_the_cards() -> None:
    for folder in (path for path in cards_root().iterdir() if path.is_dir()):
        beside = {path.name for path in folder.iterdir() if path.is_file()} - {"card.toml"}
        if beside:
            assert load_card(folder.name).redistributable
            assert beside <= {file.name for file in load_card(folder.name).files}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("samples = 4", "samples = 5", "class_counts give 2 classes and 4 samples"),
        ('title = "T"', "", "title: Field required"),
        ("bytes = 12", "bytes = 'many'", "files.0.bytes"),
        ("bytes = 12", "", "needs bytes and sha256"),
        ("summary", "sumary", "sumary: Extra inputs"),
        ('name = "a.csv"', 'name = "../a.csv"', "files.0.name"),
        ('citation = "@misc{x}"', 'citation = "Somebody"', "citation"),
        ("[[files]]", "[[files", "cannot be read"),
        ('loader = "toys:read"\n', "", "give [layout], or the loader"),
        ("[[views]]", "[layout]\n[[views]]", "and not both"),
        ("samples = 4", "samples = 4\nunlabelled = 1", "class_counts give 2 classes and 5 samples"),
    ],
)
def test_a_bad_card_names_file_and_fault(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(InvalidData, match=re.escape(message)) as raised:
        read_card(path)
    assert str(path) in str(raised.value)


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 3sources"):
        load_card("3source")


def test_a_bracket_inside_a_value_of_a_card_is_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cited = "citation = '''@misc{x,\n[a bracket]}'''\ngenerated = true"
    path = write(tmp_path, GOOD.replace('citation = "@misc{x}"', cited))
    monkeypatch.setattr("mvarena.loaders.specs.card_path", lambda _: path)
    spec = dataset_of_card("toy")
    assert (spec.name, spec.generated, spec.summary) == ("toy", True, "S")
    write(tmp_path, GOOD.replace('summary = "S"\n', ""))
    with pytest.raises(InvalidData, match="lacks 'summary'"):
        dataset_of_card("toy")
    write(tmp_path, "summary = ")
    with pytest.raises(InvalidData, match="cannot be read"):
        dataset_of_card("toy")
