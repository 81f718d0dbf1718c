"""Scores by outcomes: of what is stored, by the outcomes that hold now, with reasons where there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_trials import one_trial, scores_of

from mvarena.contracts.metric import Outcomes
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.source import OutcomeFile
from mvarena.engine.execute import execute
from mvarena.engine.rescore import outcome_seed, rescore
from mvarena.engine.scoring import Material, inputs_of
from mvarena.metrics import outcomes as metrics
from mvarena.readers.outcomes import read_outcomes
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.read_outcomes import labellings, outcome_of
from mvarena.store.trials import DoneTrial, done_trials, note_sources, stored_sources
from mvarena.store.write_outcomes import record
from mvarena.study.sources import load_source

CATALOG = installed_catalog()


@pytest.fixture
def done(db: Database) -> DoneTrial:
    trial = one_trial(restarts=3, prepare=("minmax",))
    assert record(db, trial, execute(trial, CATALOG))
    return done_trials(db)[0]


def with_file(done: DoneTrial, path: Path, columns: bool = True) -> DoneTrial:
    """The trial with a file of outcomes of its samples."""
    n_samples = load_source("toy-blobs", CATALOG).n_samples
    rng = np.random.default_rng(0)
    days, events, ages = rng.integers(1, 9, n_samples), rng.integers(0, 2, n_samples), rng.integers(40, 80, n_samples)
    rows = [",".join(map(str, row if columns else row[:2])) for row in zip(days, events, ages, strict=True)]
    path.write_text("\n".join(["days,death" + (",age" if columns else ""), *rows]))
    return replace(done, source=replace(done.source, outcomes=OutcomeFile(str(path), "days", "death")))


def score(db: Database, key: str, metric: str) -> float | None:
    return scores_of(outcome_of(db, key)).get(metric)


@pytest.mark.parametrize("name", ["log-rank", "log-rank-p", "enriched", "enrichment-p"])
def test_stored_labels_are_scored_by_the_file(db: Database, done: DoneTrial, tmp_path: Path, name: str) -> None:
    trial = with_file(done, tmp_path / "clinic.csv")
    first, again = (rescore(db, CATALOG.metric(name), [trial], CATALOG) for _ in range(2))
    assert (first.scored, first.before, first.without) == (1, 0, 0)
    assert (again.scored, again.before, again.without) == (0, 1, 0)
    table = read_outcomes(tmp_path / "clinic.csv", "days", "death")
    function = CATALOG.load(CATALOG.metric(name))
    (kept,) = labellings(db, done.key)
    expected = function(Outcomes(kept.labels, table, outcome_seed(trial)))
    assert score(db, done.key, name) == pytest.approx(expected, rel=1e-9)


def test_what_is_not_defined_has_a_reason_and_scores_by_outcomes_that_are_gone_go_too(
    db: Database, done: DoneTrial, tmp_path: Path
) -> None:
    spec = CATALOG.metric("enriched")
    assert list(rescore(db, spec, [done], CATALOG).reasons) == ["toy-blobs has no outcomes."]
    bare = with_file(done, tmp_path / "clinic.csv", columns=False)
    assert "survival times, or columns" in next(iter(rescore(db, spec, [bare], CATALOG).reasons))
    assert score(db, done.key, "enriched") is None
    rescore(db, spec, [with_file(done, tmp_path / "clinic.csv")], CATALOG)
    assert not np.isnan(score(db, done.key, "enriched"))
    rescore(db, spec, [with_file(done, tmp_path / "clinic.csv", columns=False)], CATALOG)
    assert np.isnan(score(db, done.key, "enriched"))


def test_a_file_that_does_not_fit_leaves_other_data_alone(db: Database, done: DoneTrial, tmp_path: Path) -> None:
    trial = with_file(done, tmp_path / "clinic.csv")
    (tmp_path / "clinic.csv").write_text("days,death\n1,1\n")
    (reason,) = rescore(db, CATALOG.metric("log-rank"), [trial], CATALOG).reasons
    assert "its outcomes have 1 rows" in reason


def test_a_source_is_noted_with_its_outcomes(db: Database, done: DoneTrial, tmp_path: Path) -> None:
    note_sources(db, [with_file(done, tmp_path / "clinic.csv")])
    ((source, content),) = stored_sources(db)
    assert source.outcomes == OutcomeFile("clinic.csv", "days", "death")
    assert content == done.identity["content"]


def test_equal_partitions_are_computed_once() -> None:
    table = OutcomeTable(n_samples=4, time=np.arange(1.0, 5.0), event=np.ones(4, dtype=bool))
    labels = [np.array(item) for item in ([0, 0, 1, 1], [5, 5, 2, 2], [0, 1, 0, 1])]
    material = Material(labels=labels, truth=lambda: None, views=lambda: None, outcomes=lambda: table)  # type: ignore[arg-type,return-value]
    first, same, other = inputs_of("outcomes", material)
    assert first is same
    assert first is not other
    assert metrics.log_rank_statistic(first) != metrics.log_rank_statistic(other)
