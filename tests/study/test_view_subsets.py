"""Studies over all subsets of views: which sources they have, under which conditions, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mvarena
from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.study.building import blocks_of
from mvarena.study.plan import plan_blocks
from mvarena.study.settings import Layer, checked, laid_over
from mvarena.study.sources import MOST_VIEWS, source_of_data, subset_notes, view_subsets

CATALOG = installed_catalog()


def names(*sources: Source) -> list[str]:
    return [source.name for source in view_subsets(sources, CATALOG)]


def test_every_subset_is_there_once_small_ones_first() -> None:
    found = names(Source(dataset="digits", views=("fou", "kar", "mor")))
    assert found == [
        "digits[fou]", "digits[kar]", "digits[mor]", "digits[fou,kar]", "digits[fou,mor]", "digits[kar,mor]",
        "digits[fou,kar,mor]",
    ]  # fmt: skip
    assert len(names(Source(dataset="digits"))) == 2**6 - 1


def test_a_name_of_ones_own_stays(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("1,2\n3,4\n")
    source = Source.of_files([tmp_path / "a.csv", tmp_path / "b.csv"], name="faces")
    assert names(source) == ["faces[a]", "faces[b]", "faces[a,b]"]


def test_too_many_views_are_refused() -> None:
    data = MultiViewData.from_arrays([np.eye(3)] * (MOST_VIEWS + 1), name="many", labels=[0, 1, 1])
    with pytest.raises(
        InvalidSetting, match=r"many has 9 views, which have 511 subsets; select at most 8, as in 'many"
    ):
        names(source_of_data(data))


def settings(**values: object) -> Layer:
    return Layer(checked({"algo": "concat", "data": "digits[fou,mor]", "views": "all-subsets", **values}, ""))


def test_data_stay_as_they_are_unless_conditions_are_named() -> None:
    (block,) = blocks_of([laid_over([settings()])], CATALOG)
    assert block.study.corruptions == ("none",)
    (asked,) = blocks_of([laid_over([settings(rates=0.2)])], CATALOG)
    assert (asked.study.corruptions, asked.study.rates) == (None, (0.2,))
    plan = plan_blocks([block], CATALOG)
    assert {trial.dataset for trial in plan.trials} == {"digits[fou]", "digits[mor]", "digits[fou,mor]"}
    assert {trial.corruption for trial in plan.trials} == {"none"}


def test_another_word_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="views is 'all-subsets', not 'fou'"):
        blocks_of([laid_over([settings(views="fou")])], CATALOG)


def test_subsets_of_incomplete_data_are_of_other_samples() -> None:
    one, two = np.arange(8.0).reshape(4, 2), np.arange(4.0).reshape(4, 1)
    one[0], two[2:] = np.nan, np.nan
    sources = view_subsets([source_of_data(MultiViewData.from_arrays([one, two], name="holes"))], CATALOG)
    (note,) = subset_notes(sources, CATALOG)
    assert note.startswith("holes: a subset of views has only the samples that its views observe, from 2 of 4:")
    assert subset_notes([Source(dataset="digits")], CATALOG) == ()


def test_python_runs_all_subsets() -> None:
    scores = mvarena.run(
        "concat", "digits[fou,mor]", views="all-subsets", repeats=1, restarts=1, jobs=1, n_clusters=10
    ).scores
    assert set(scores["dataset"]) == {"digits[fou]", "digits[mor]", "digits[fou,mor]"}
    assert set(scores["corruption"]) == {"none"}
