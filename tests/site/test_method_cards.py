"""The card of a method on the site: its objective, with equations, beside what its class says."""

from __future__ import annotations

from mvarena.registry.catalog import installed_catalog
from mvarena.site.methods import method_card, objective_of


def test_a_card_has_the_objective_of_the_method() -> None:
    card = method_card("apmc", installed_catalog())
    assert "S_ij = mean over pairs p" in card["objective"]
    assert "n_neighbors :" in card["description"]
    assert "10.1609/aaai" in card["citation"]


def test_a_class_without_a_module_has_no_objective() -> None:
    assert objective_of(type("Own", (), {"__module__": "of_nobody"})) == ""


def test_an_unknown_method_has_a_card_that_says_so() -> None:
    assert method_card("of-nobody", installed_catalog()) == {
        "name": "of-nobody", "label": "of-nobody", "installed": False,
    }  # fmt: skip
