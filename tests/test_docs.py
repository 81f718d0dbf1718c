"""The documentation: pages made of the components lack none, and pages that are written link to what exists."""

from __future__ import annotations

import csv
import importlib
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner
from documents import DOCS, ROOT, WRITTEN, commands_of

import mvarena
from mvarena.cli.main import cli
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import is_control
from mvarena.store.results_view import COLUMNS
from mvarena.study.keys import STUDY_KEYS

sys.path.insert(0, str(DOCS))
import docstrings
import generate
from generation import reference
from generation.components import own
from generation.contestants import contestants_table
from generation.datasets import DATA_PICTURES
from generation.formulas import formula, is_formula
from generation.markdown import parameter_meanings, prose

IMAGE = re.compile(r"^```\{image\} (\S+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    generate.write_pages(folder)
    return folder


def page(made: Path, name: str) -> str:
    return (made / name).read_text(encoding="utf-8")


def test_every_method_and_data_set_has_a_page_that_the_list_links_to(made: Path) -> None:
    for kind, folder in (("algorithm", "methods"), ("dataset", "data")):
        listed = page(made, f"{folder}/index.md")
        for spec in own(installed_catalog(), kind):
            assert f"[{spec.name}]({spec.name}.md)" in listed
            assert page(made, f"{folder}/{spec.name}.md").startswith(f"# {spec.name}\n")
    assert contestants_table(installed_catalog()).strip() in page(made, "methods/index.md")


def test_every_data_set_at_hand_has_a_picture_and_every_picture_a_data_set(made: Path) -> None:
    names = {spec.name for spec in own(installed_catalog(), "dataset")}
    drawn = {path.stem for path in DATA_PICTURES.glob("*.png")}
    at_hand = {name for name, state in mvarena.list_datasets()["state"].items() if state == "ready"}
    assert drawn <= names
    assert at_hand & names <= drawn
    for name in drawn:
        assert f"](../gallery/data/{name}.png)" in page(made, f"data/{name}.md")


def test_every_corruption_and_metric_has_a_picture_and_every_picture_one_of_these(made: Path) -> None:
    for component in ("corruption", "metric"):
        text = page(made, f"reference/{component}s.md")
        names = {f"{component}-{spec.name}" for spec in own(installed_catalog(), component)}
        assert names == {path.stem for path in (DOCS / "gallery" / "components").glob(f"{component}-*.png")}
        assert all(f"](../gallery/components/{name}.png)" in text for name in names)


def test_every_page_of_results_is_in_the_documentation_with_links_that_lead_somewhere(made: Path) -> None:
    listed = page(made, "results/index.md")
    for path in (ROOT / "reports").glob("*/*.md"):
        name = path.parent.name
        assert f"]({name}.md)" in listed
        links = LINK.findall(page(made, f"results/{name}.md"))
        assert [
            link for link in links if not any((home / "results" / link).resolve().exists() for home in (DOCS, made))
        ] == []


def test_a_page_of_a_method_has_its_parameters_with_their_meaning_and_its_rank(made: Path) -> None:
    text = page(made, "methods/apmc.md")
    assert "| `n_neighbors` | 10 | int >= 1 | nearest anchors per sample" in text
    assert re.search(r"place \d+ of \d+ in \[arena\S+\]\S+ rating \d+ \(\d+ to \d+\), mean rank \d+\.\d by NMI", text)
    assert "```bibtex\n" in text
    assert "Parameters\n---" not in text
    assert re.search(r"\| Measured \| .* s at 500, .* s at 2,000 samples of digits; \d+ MiB beyond the data", text)
    assert text.startswith("# apmc\n\n**Idea.** Spectral clustering of a similarity graph built through anchors")
    two_on_a_line = page(made, "methods/rnnmf.md")
    assert "| `tol` | 1e-06 | float >= 0 | the relative change of the objective at the end. |" in two_on_a_line


def test_a_page_of_a_method_has_its_objective_and_an_example(made: Path) -> None:
    for spec in own(installed_catalog(), "algorithm"):
        text = page(made, f"methods/{spec.name}.md")
        assert "\n## Example\n\n```pycon\n>>> " in text
        assert is_control(spec) or "\n## Objective\n" in text, spec.name
        assert ("```bibtex\n" in text) != is_control(spec), spec.name
        assert is_control(spec) or '<math display="block">' in text.partition("## Example")[0], spec.name


def test_the_command_on_each_page_of_a_method_can_be_planned_and_skips_nothing_of_it(made: Path, monkeypatch) -> None:
    monkeypatch.delenv("MVARENA_DATA", raising=False)  # what comes with mvarena is enough
    methods: dict[tuple[str, ...], list[str]] = {}  # by what else their commands say, to be planned together
    for spec in own(installed_catalog(), "algorithm"):
        ((_, run, option, name, *others),) = commands_of(page(made, f"methods/{spec.name}.md"))
        assert (run, option, name) == ("run", "--algo", spec.name)
        methods.setdefault(tuple(others), []).append(name)
    for others, names in methods.items():
        found = CliRunner().invoke(cli, ["run", "--dry-run", "--algo", *names, *others, "--json"])
        assert found.exit_code == 0, found.output
        assert not json.loads(found.stdout)["to_be_skipped"]


def test_every_metric_has_a_formula_and_those_of_classes_a_score_on_the_example(made: Path) -> None:
    text = page(made, "reference/metrics.md")
    for name in installed_catalog().names("metric"):
        spec = installed_catalog().metric(name)
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        formula = spec.formula.replace("|", "\\|")
        assert spec.formula
        assert f"| Formula | `{formula}` |" in section
        assert ("| On the example | " in section) == (spec.needs == "truth")
    acc = text.partition("\n## acc\n")[2].partition("\n## ")[0]
    assert "| On the example | 0.833 |" in acc  # 4 + 4 + 2 of 12


def test_no_component_is_missing_from_the_reference(made: Path) -> None:
    for kind in ("corruption", "transform", "metric", "picker"):
        text = page(made, f"reference/{kind}s.md")
        for spec in own(installed_catalog(), kind):
            assert f"\n## {spec.name}\n" in text


def test_no_hook_key_column_or_option_is_missing_from_the_reference(made: Path) -> None:
    hooks = page(made, "reference/hooks.md")
    for name, _ in reference.hooks():
        assert f"## {name}\n" in hooks
    keys = page(made, "reference/study-file.md")
    assert all(f"| `{key.name}` |" in keys for key in STUDY_KEYS)
    columns = page(made, "reference/database.md")
    assert all(f"| `{name}` |" in columns for name in COLUMNS)
    commands = page(made, "reference/command-line.md")
    found = list(reference.commands(cli, ("mvarena",)))
    assert len(found) > 30
    for words, command in found:
        heading = f"\n{'#' * len(words)} {' '.join(words)}\n"
        assert heading in commands
        section = commands.partition(heading)[2].partition("\n```\n")[0]
        for option in command.params:
            rare = (
                getattr(option, "hidden", False) or getattr(option, "brief", "") is None
            )  # `--help-all` alone shows it
            assert not isinstance(option, click.Option) or rare or option.opts[-1] in section, words


def test_every_public_name_is_in_the_reference_of_python() -> None:
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    for name in mvarena.__all__:
        documented = re.search(rf"^\.\. auto(function|class):: {name}$|`mvarena\.{name}`", text, re.MULTILINE)
        assert name == "__version__" or documented, f"{name} is missing"


IMPORTED = re.compile(r"^ *from (mvarena\.(?:contracts\.\w+|testing(?:\.\w+)?|errors)) import (.+)$", re.MULTILINE)


def test_the_reference_has_what_plugins_import() -> None:
    text = "".join(
        (DOCS / "reference" / f"{name}.md").read_text("utf-8") for name in ("contracts", "testing", "errors")
    )
    modules = set(re.findall(r"^\.\. automodule:: (\S+)$", text, re.MULTILINE))
    code = [*(ROOT / "plugins").glob("*/mvarena_*/**/*.py"), *(ROOT / "mvarena" / "testing" / "templates").rglob("*")]
    found = {(module, name) for path in [*code, *WRITTEN] if path.is_file()
             for module, names in IMPORTED.findall(path.read_text("utf-8")) for name in names.split(", ")}  # fmt: skip
    assert len(found) >= 15
    for module, name in found:
        thing = getattr(importlib.import_module(module), name)
        listed = re.search(rf"^\.\. auto(function|class):: \S+\.{name}$|`{name}`", text, re.MULTILINE)
        assert listed or getattr(thing, "__module__", module) in modules, f"{module}.{name} is missing"


def test_docstrings_become_lists_of_definitions() -> None:
    lines = "Title.\n\na, b : two. c : after `fit`, labels_.\n    More; d : four.\nRaises E.\n\n    x = 1".splitlines()
    docstrings.restructure(lines)
    assert [line for line in lines if line] == [
        "Title.", "``a``, ``b``", "    two.", "``c``", "    after `fit`, ``labels_``. More;", "``d``", "    four.",
        "Raises E.", ".. code-block:: python", "    x = 1",
    ]  # fmt: skip


def test_formulas_become_mathematics() -> None:
    text = "    min  sum_v a_v^2 |X_v - Z A^T|_F^2 + lambda sum_(v<w) tr(U*^T U_w),   Z >= 0     pairwise"
    assert is_formula(text)
    made = ElementTree.fromstring(formula(text))
    assert made.tag == "math"
    assert "".join(made.itertext()) == "min∑vav2‖Xv−ZAT‖F2+λ∑v<wtr(U∗TUw),Z≥0pairwise"
    assert len(list(made.iter("msubsup"))) == 2  # a_v^2, and the norm with F and 2
    assert not is_formula("    scores = mvarena.run(['apmc'], data)")
    assert not is_formula("- a list = of words")


def test_docstrings_become_paragraphs_and_code() -> None:
    doc = "Title with a_b and x < y.\n\nParameters\n----------\na, b : two\n    lines.\n\nThen:\n\n    x = 1"
    doc += "\n\nCost: O(n)."
    assert prose(doc) == "Title with a\\_b and x \\< y.\n\nThen:\n\n```text\nx = 1\n```"
    assert parameter_meanings(doc) == {"a": "two\n    lines.", "b": "two\n    lines."}


def test_links_and_pictures_lead_to_what_the_repository_holds(made: Path) -> None:
    """Not to pages that only the build of the documentation makes."""
    for document in (*WRITTEN, *ROOT.glob("*.md")):
        text = document.read_text(encoding="utf-8")
        for target in [*LINK.findall(text), *IMAGE.findall(text)]:
            path = (document.parent / target).resolve()
            is_made = path.is_relative_to(DOCS) and (made / path.relative_to(DOCS)).exists()
            assert path.exists(), f"{document.relative_to(ROOT)} links to {target}"
            assert not is_made or path.is_dir(), f"{document.relative_to(ROOT)} links to {target}, which is built"


def test_the_sentence_under_the_picture_of_the_board_is_what_the_board_holds() -> None:
    with (ROOT / "reports" / "arena" / "board.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first = rows[0]
    sentence = (
        f"{first['contestant']} is first with a rating of {float(first['rating']):.0f} (95 % interval "
        f"{float(first['low']):.0f} to {float(first['high']):.0f})."
    )
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f": {len(rows)} methods, " in text
    assert f", {first['conditions']} combinations of data set and condition. {sentence}*" in text
    drawn = (ROOT / "reports" / "arena" / "board.svg").read_text(encoding="utf-8")
    assert f">{first['contestant']}</text>" in drawn
