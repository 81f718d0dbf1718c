"""Curves of survival: which trials are drawn, in which order the clusters stand, and what the drawing holds."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_kinds import followed, outside
from toy_trials import planned

from mvarena.contracts.source import OutcomeFile
from mvarena.engine.execute import execute
from mvarena.engine.rescore import rescore
from mvarena.numerics.survival import kaplan_meier
from mvarena.registry.catalog import installed_catalog
from mvarena.report.figures.survival import points as survival_points
from mvarena.report.kinds import draw
from mvarena.report.trial_data import followed_trials
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import labellings
from mvarena.store.trials import done_trials, note_sources, stored_scores
from mvarena.store.write_outcomes import record


def test_clusters_stand_by_mean_survival_and_count_from_one(results_of, long_frame) -> None:
    for repeat in (1, 0):
        long_frame.trial("apmc", {"acc": [0.5]}, repeat=repeat)
    results = results_of(long_frame, metrics=["acc"])
    assert survival_points(results).empty  # of data without survival
    keys = results.scores["key"].tolist()
    points = survival_points(replace(results, followed={key: followed(seed) for seed, key in enumerate(keys)}))
    assert points["cluster"].drop_duplicates().tolist() == [2, 3, 1]
    first = followed(keys.index(results.scores.loc[results.scores["repeat"] == 0, "key"].iloc[0]))
    member = first.labels == 1
    curve = kaplan_meier(first.time[member], first.event[member])
    drawn = points[points["cluster"] == 2]
    assert drawn["survival"].tolist() == curve.survival.tolist()
    assert drawn["time"].tolist() == curve.time.tolist()
    assert drawn[["n", "events"]].drop_duplicates().values.tolist() == [[20, int(first.event[member].sum())]]


def test_each_method_has_a_panel_with_its_p_value_and_clusters(results_of, long_frame) -> None:
    for name in ("apmc", "concat", "mic"):
        long_frame.trial(name, {"acc": [0.5]})
    results = results_of(long_frame, metrics=["acc"])
    known = {key: followed(seed) for seed, key in enumerate(results.scores["key"].unique())}
    figure, _ = draw("survival", survival_points(replace(results, followed=known)), results.looks)
    panels = [axis for axis in figure.axes if axis.axison]
    assert [axis.get_title() for axis in panels] == ["apmc, p = 0.03", "concat, p = 0.03", "mic, p = 0.03"]
    legend = panels[0].get_legend()
    assert legend is not None
    assert [text.get_text().partition(":")[0] for text in legend.get_texts()] == ["cluster 2", "cluster 3", "cluster 1"]
    assert panels[0].get_xlabel() == "time (days)"
    assert outside(figure) == []


FEWER = {"labels": np.where(np.arange(60) == 3, 3, followed(0).labels)}


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        (FEWER, "apmc, p = 0.03 (5+: 0.05)"),
        ({"labels": np.arange(60) % 12, "p": math.nan}, "apmc"),
        ({"labels": np.zeros(60, dtype=int), "p": math.nan}, "apmc"),
    ],
    ids=["a cluster of fewer than five", "many clusters", "one cluster"],
)
def test_p_values_are_those_of_all_and_of_larger_clusters(results_of, long_frame, changes: dict, title: str) -> None:
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}), metrics=["acc"])
    known = {results.scores["key"].iloc[0]: replace(followed(0), **changes)}
    figure, text = draw("survival", survival_points(replace(results, followed=known)), results.looks)
    assert figure.axes[0].get_title() == title
    assert ("5+: p of the clusters of 5 samples and more." in text) == (changes is FEWER)
    assert outside(figure) == []


def test_stored_trials_are_followed_by_their_best_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    catalog = installed_catalog()
    ran = [(trial, execute(trial, catalog)) for trial in planned(repeats=2, restarts=3, prepare=("minmax",))]
    keys = [trial.key for trial, _ in ran]
    n_samples = len(ran[0][1].labellings[0].labels)
    lines = [f"{1 + i % 7},{i % 2}" for i in range(n_samples)]
    (tmp_path / "clinic.csv").write_text("\n".join(["days,death", *lines]))
    with open_database(tmp_path / "r.db") as db:
        for trial, outcome in ran:
            record(db, trial, outcome)
        assert followed_trials(db, keys, catalog) == ({}, [])
        outcomes = OutcomeFile(str(tmp_path / "clinic.csv"), "days", "death")
        trials = [replace(item, source=replace(item.source, outcomes=outcomes)) for item in done_trials(db)]
        note_sources(db, trials)
        found, lacking = followed_trials(db, keys, catalog)
        assert list(lacking) == [
            "The outcomes of toy-blobs (clinic.csv) were not found, and results do not store folders; run this in "
            "the folder that holds the file, or name that folder in MVARENA_DATA."
        ]
        assert found == {}
        monkeypatch.chdir(tmp_path)
        found, lacking = followed_trials(db, keys, catalog)
        assert lacking == []
        (key,) = [trial.key for trial, _ in ran if trial.repeat == 0]
        assert list(found) == [key]
        best = min(labellings(db, key), key=lambda item: item.inertia)
        assert found[key].labels.tolist() == best.labels.tolist()
        assert found[key].time[:3].tolist() == [1.0, 2.0, 3.0]
        assert np.isnan(found[key].p)  # which is read where it is stored, and not computed
        assert rescore(db, catalog.metric("log-rank-p"), trials, catalog).scored == 2
        found, _ = followed_trials(db, keys, catalog)
        ((_, p),) = [item for item in stored_scores(db, "log-rank-p").items() if item[0][0] == key]
        assert found[key].p == p
        assert np.isnan(found[key].p_of_larger)
