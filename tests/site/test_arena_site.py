"""The site of the arena's releases: no number without a finished trial, and claims that no filter moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mvarena.analysis.boards import Question
from mvarena.registry.catalog import Catalog
from mvarena.report.data import with_shown
from mvarena.report.formatting import NOT_RUN, STATUS_WORDS
from mvarena.site import build
from mvarena.site.data import Material, material_of
from mvarena.site.labels import labels_of
from mvarena.site.points import point_tables
from mvarena.site.trials import value_tables
from mvarena.store.database import open_database
from mvarena.store.filters import Filter

UNFINISHED = {NOT_RUN, *STATUS_WORDS.values()}
REPORTS = Path(__file__).parents[2] / "reports"


@pytest.fixture(scope="module")
def lite() -> Iterator[Material]:
    with open_database(REPORTS / "arena-lite" / "results.db", readonly=True) as db:
        yield material_of(db)


def test_no_number_stands_for_a_pair_without_a_finished_trial(lite: Material) -> None:
    done = lite.trials[lite.trials["counts"] & (lite.trials["status"] == "DONE")]
    finished = set(zip(done["dataset"], done["corruption"], done["rate"], done["contestant"], strict=True))
    shared, tables = point_tables(lite)
    rows = [
        (lite.datasets[d], *lite.conditions[c], lite.contestants[m])
        for d, c, m in zip(shared["dataset"], shared["condition"], shared["contestant"], strict=True)
    ]
    without = [i for i, row in enumerate(rows) if row not in finished]
    assert without  # some pairs have none
    for table in tables:
        assert all(table[name][i] is None for name in ("mean", "std", "paired") for i in without)
    unfinished = [i for i in range(shared["n"]) if shared["failed"][i] + shared["skipped"][i] == shared["n_stored"][i]]
    assert unfinished
    assert all(table["paired"][i] is None for table in tables for i in unfinished)
    statuses = lite.trials["status"]
    for table in value_tables(lite):
        values = pd.Series(table["value"], dtype=float)
        assert values[statuses != "DONE"].isna().all()
        assert values[statuses == "DONE"].notna().any()


def test_claims_under_a_filter_are_those_of_everything(lite: Material) -> None:
    only = Filter(families=("graph",), datasets=("bbcsport", "msrcv1"), stored_rates=("0.3",), statuses=("done",))
    filtered = material_of(lite.db, only)
    assert len(filtered.trials) < len(lite.trials)
    # the boards of a site are the answers from these alone
    pd.testing.assert_frame_equal(filtered.results.claimed, lite.results.claimed)
    assert filtered.results.questions == lite.results.questions
    assert filtered.results.context.directions == lite.results.context.directions
    whole = Question(metric="nmi")
    board, same = lite.boards[whole], filtered.boards[whole]
    assert filtered.results.claim(same) == lite.results.claim(board)


@pytest.mark.slow
def test_data_that_are_incomplete_as_they_come_are_called_unchanged() -> None:
    with open_database(REPORTS / "arena" / "results.db", readonly=True) as db:
        arena = material_of(db, metrics=("nmi",))
    context = arena.results.context
    words = {"": "unchanged data", "texts": "unchanged data, texts", "images": "complete data, images"}
    for kind, about in words.items():
        question = Question(metric="nmi", corruption="none", rate=0.0, kind=kind)
        assert context.question(question) == f"NMI, {about}"
        assert arena.results.claim(arena.boards[question]).startswith(f"NMI, {about}, over ")
    incomplete = {one["name"]: one["incomplete"] for one in labels_of(arena, "")["datasets"]}
    assert "nmi" in incomplete["3sources"]
    assert incomplete["digits"] == []
    shown = replace(arena.results, scores=with_shown(arena.results.scores, _trials_on(arena, "digits", "segment")))
    titles = [table.title for table in shown.result_tables if table.corruption == "none" and table.metric == "nmi"]
    assert titles == ["NMI, complete data, by data set"]


def _trials_on(material: Material, *datasets: str) -> set[tuple[str, str, str]]:
    trials = material.trials[material.trials["dataset"].isin(datasets)]
    return set(zip(trials["key"], trials["dataset"], trials["protocol"], strict=True))


def test_a_site_needs_no_plugin(material: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written where the catalog knows no method, no data set and no plugin, the pages are the same to the byte."""
    monkeypatch.setattr(build, "labels_of", _undated(build.labels_of))
    before = dict(build.data_scripts(material_of(material.db), "results.db"))
    real = Catalog.specs
    empty = {"algorithm", "dataset"}
    monkeypatch.setattr(Catalog, "specs", lambda self, kind: () if kind in empty else real(self, kind))
    after = dict(build.data_scripts(material_of(material.db), "results.db"))
    assert sorted(after) == sorted(before)
    assert [name for name in before if after[name] != before[name]] == []


def _undated(labels_of):
    return lambda material, title: labels_of(material, title) | {"written": ""}
