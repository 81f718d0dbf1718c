"""Words for the family of a method."""

from __future__ import annotations

from mvarena.study.cards import MethodCard


def test_a_method_of_a_plugin_without_families_names_the_plugin() -> None:
    assert MethodCard(name="snf", family="mvarena_omics", provided_by="mvarena-omics 0.1").family_words == (
        "plugin mvarena-omics"
    )
    assert MethodCard(name="apmc", family="graph", provided_by="mvarena 0.1.0").family_words == "graph"
    assert MethodCard(name="unknown").family_words == ""
    assert MethodCard(name="of-a-file", family="my_methods").family_words == "my_methods"
