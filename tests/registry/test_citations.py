"""BibTeX: every built-in method has a proper entry, what a plugin says is kept, and nothing is made up."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from mvarena.cli.main import cli
from mvarena.errors import UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.citations import TOOLS, cite, escaped, link_of, references

CATALOG = installed_catalog()
OWN = [spec.name for spec in CATALOG.specs("algorithm") if CATALOG.plugin_of(spec).distribution == "mvarena"]
CONTROLS = {"one-cluster", "random", "shuffled-truth", "truth"}


def entries(text: str) -> dict[str, str]:
    """Key -> entry; fails where braces do not match."""
    found = {}
    for part in re.split(r"^% .*\n", text, flags=re.MULTILINE)[1:]:
        assert part.count("{") == part.count("}"), part
        found[re.match(r"@\w+\{([^,\s]+),", part)[1]] = part
    return found


def test_every_published_method_has_an_entry_of_its_paper() -> None:
    for name in OWN:
        found = entries(cite([name], {}, CATALOG).bibtex())
        assert bool(found) == (name not in CONTROLS), name
        for entry in found.values():
            assert not entry.startswith("@misc"), name
            assert all(f"  {field} = " in entry for field in ("author", "title", "year"))


# papers of methods without a link: no page was found that names both the title and the DOI
WITHOUT_LINK = {
    "cheng2013flexible",
    "guo2013convex",
    "liu2017multiple",
    "liu2022fast",
    "najafi2017error",
    "trivedi2010multiview",
    "wang2022highly",
    "zhao2017multi",
    "zhu2018localized",
}


def test_papers_of_methods_have_a_link_but_for_those_that_are_named_here() -> None:
    cited = {key: entry for name in OWN for key, entry in entries(cite([name], {}, CATALOG).bibtex()).items()}
    assert {key for key, entry in cited.items() if not link_of(entry)} == WITHOUT_LINK
    for entry in cited.values():
        assert re.fullmatch(r"(https://(?!doi\.org)\S+|https://doi\.org/10\.\d{4,5}/[^\s{}]+)?", link_of(entry)), entry


def test_a_link_is_the_doi_or_else_the_address() -> None:
    url = "  url = {https://example.org/paper},\n"
    assert link_of(f"@misc{{x,\n{url}  doi = {{10.1000/x}},\n}}") == "https://doi.org/10.1000/x"
    assert link_of(f"@misc{{x,\n{url}}}") == "https://example.org/paper"
    assert link_of("@misc{x,\n  url = {javascript:alert(1)},\n}") == ""
    assert CliRunner().invoke(cli, ["show", "rmsc"]).stdout.splitlines()[1].endswith("doi.org/10.1609/aaai.v28i1.8950")


def test_what_mvarena_defines_is_cited_by_mvarena_alone() -> None:
    found = CliRunner().invoke(cli, ["cite", "one-cluster", "swapped-pairs", "apmc"])
    assert list(entries(found.stdout)) == ["guo2019anchors"]
    assert found.stderr.splitlines() == [
        f"{name} is defined by mvarena: cite mvarena for it." for name in ("one-cluster", "swapped-pairs")
    ]


def test_every_name_of_the_references_is_one_of_a_component_or_tool() -> None:
    known = {name for kind in ("algorithm", "corruption", "metric") for name in CATALOG.names(kind)}
    assert set(references()) <= known | set(TOOLS)


def test_data_are_cited_by_their_cards_and_each_entry_stands_once() -> None:
    text = cite(
        ["digits[fou,fac]", "digits", "apmc", "sc-concat", "3sources", "3sources-complete"], {}, CATALOG
    ).bibtex()
    assert text.count("@misc{duin1998multiple") == 1
    assert "% digits\n" in text
    assert "% apmc, sc-concat\n" in text
    assert len(entries(text)) == text.count("\n@") + text.startswith("@")  # no two have one key
    assert "usedby" not in text


def test_tools_carry_the_versions_that_were_used() -> None:
    text = cite(TOOLS, {"numpy": "2.1, 2.4"}, CATALOG).bibtex()
    assert "Version 2.1, 2.4" in entries(text)["harris2020array"]
    assert len(entries(text)) == len(TOOLS)


def test_what_a_plugin_says_is_kept_and_cannot_break_the_file() -> None:
    assert "title = {{toy-quick}}" in entries(cite(["toy-quick"], {}, CATALOG).bibtex())["toy-quick"]
    assert escaped("50 % of {x}_1 & y\n# z") == r"50 \% of \{x\}\_1 \& y \# z"
    with pytest.raises(UnknownName, match="Did you mean apmc"):
        cite(["apmcc"], {}, CATALOG)
