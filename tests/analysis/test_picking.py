"""From stored trials to picks: which results compete, what is lost against the best, and what a picker gets to see."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from mvarena.analysis.choosing import with_choices
from mvarena.analysis.picking import has_defaults, newest, picked, picking_summary, picks_among, points_of
from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.protocol import Protocol
from mvarena.contracts.source import Source
from mvarena.contracts.specs import PickerSpec
from mvarena.contracts.trial import Step, Trial
from mvarena.metrics.external import acc
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.report.tables.regret import left_out_notes
from mvarena.store.cards import describe_components
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record

CATALOG = installed_catalog()
TRUTH = np.repeat(np.arange(3), 40)
SHARES = {0.01: 0.6, 0.1: 0.05, 1.0: 0.5, 10.0: 0.6}  # of the samples that beta puts anywhere
METRICS = [CATALOG.metric("acc"), CATALOG.metric("log-rank-p")]
PICKERS = [spec for spec in CATALOG.specs("picker") if isinstance(spec, PickerSpec)]


def trial(beta=0.1, **changes):
    settings = {
        "algorithm": "mic", "algorithm_version": "2", "params": {"beta": beta}, "source": Source(dataset="digits"),
        "content": "c0ffee", "corruptions": (Step("missing-even", "1", 0.3),), "prepare": (),
        "protocol": Protocol(name="fair", summary="", restarts=2), "seed": 7, "repeat": 0,
    }  # fmt: skip
    return Trial(**settings | changes)


def outcome(share, seed, **changes):
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random(120) < share, rng.integers(0, 3, 120), TRUTH)
    score = acc(Contingency.from_labels(TRUTH, labels))
    values = {"acc": score, "stability": 1 - share, "log-rank-p": share}
    settings = {
        "status": Status.DONE, "started_at": datetime(2025, 3, 1, tzinfo=UTC), "truth": TRUTH, "wall_s": 1.0,
        "labellings": (Labelling(labels, 1.0), Labelling(labels, 2.0)), "environment": {},
        "scores": tuple(Score(name, "1", value) for name, value in values.items()),
    }  # fmt: skip
    return Outcome(**settings | changes)


@pytest.fixture
def db(tmp_path):
    with open_database(str(tmp_path / "results.db")) as database:
        for repeat in range(3):
            for i, (beta, share) in enumerate(SHARES.items()):
                record(database, trial(beta, repeat=repeat), outcome(share, [repeat, i]))
        describe_components(database, [trial()], CATALOG)
        yield database


@pytest.fixture
def rows(db):
    return picked(db, points_of(done_trials(db)), PICKERS, METRICS)


def of(rows, picker, metric="acc"):
    return rows[(rows["picker"] == picker) & (rows["metric"] == metric)]


def test_regret_is_against_the_best_in_the_direction_of_the_metric(rows):
    assert len(rows) == 3 * len(PICKERS) * 2
    chosen = rows[rows["picker"] != "consensus"]["regret"].dropna()
    assert (chosen >= -1e-12).all()
    for metric in ("acc", "log-rank-p"):
        np.testing.assert_array_equal(of(rows, "oracle", metric)["regret"], 0)
    np.testing.assert_allclose(of(rows, "oracle", "log-rank-p")["score"], 0.05)
    blind = of(rows, "random", "log-rank-p")
    np.testing.assert_allclose(blind["score"], np.mean(list(SHARES.values())))
    np.testing.assert_allclose(blind["score"] - blind["regret"], 0.05)


def test_centrality_and_stability_find_the_planted_one_by_its_key(db, rows):
    assert set(of(rows, "centrality")["choice"]) == {"beta=0.1"}
    assert set(of(rows, "stability")["choice"]) == {"beta=0.1"}
    beta = {trial.key: trial.identity["params"]["beta"] for trial in done_trials(db)}
    for keys in of(rows, "centrality")["keys"]:
        assert [beta[key] for key in keys] == [0.1]
    assert all(len(keys) == len(SHARES) for keys in of(rows, "random")["keys"])
    assert not any(map(len, of(rows, "silhouette-views")["keys"]))


def test_settings_are_chosen_among_those_of_the_newest_version(db):
    for place, (beta, share) in enumerate({0.1: 0.0, 1.0: 0.5}.items()):
        record(db, trial(beta, algorithm_version="1"), outcome(share, [0, place]))
    shown, notes = with_choices(db, scores_frame(db), done_trials(db), "stability")
    assert set(shown["algorithm_version"]) == {"2"}
    assert notes == ("Chosen by stability for mic, of 3 times: beta=0.1 (3).",)


def test_only_the_newest_version_competes_of_which_declared_ones_are_newer_than_code(db):
    assert {one.identity["algorithm"][1] for one in newest(done_trials(db))} == {"2"}
    for version, day in (("9", 1), ("10", 1), ("code-ff", 3)):
        record(db, trial(algorithm_version=version), outcome(0.1, 0, started_at=datetime(2026, 1, day, tzinfo=UTC)))
    assert {one.identity["algorithm"][1] for one in newest(done_trials(db))} == {"10"}


def test_settings_are_chosen_among_those_of_the_code_that_ran_last(db):
    """Versions made from code are hashes: their order says nothing."""
    for version, day, shares in (("code-ff", 1, (0.0, 0.5)), ("code-0a", 2, (0.5, 0.0))):
        for beta, share in zip((0.1, 1.0), shares, strict=True):
            began = datetime(2025, 3, day, tzinfo=UTC)
            own = trial(beta, algorithm="mine", algorithm_version=version)
            record(db, own, outcome(share, [0, day], started_at=began))
    assert {one.identity["algorithm"][1] for one in newest(done_trials(db))} == {"2", "code-0a"}
    shown, notes = with_choices(db, scores_frame(db), done_trials(db), "stability")
    assert set(shown.loc[shown["algorithm"] == "mine", "algorithm_version"]) == {"code-0a"}
    assert "Chosen by stability for mine, of 1 times: beta=1.0 (1)." in notes
    assert set(picks_among(db, ["acc"], done_trials(db), pickers=["oracle"])["choice"]) == {"beta=0.1", "beta=1.0"}


def test_where_every_value_failed_the_chosen_method_has_failed(db):
    broken = {"labellings": (), "scores": (), "reason": "it broke"}
    for beta in (0.1, 1.0):  # nowhere done: two that failed, beside one that was not asked for
        record(db, trial(beta, repeat=3), outcome(0.1, 0, status=Status.FAILED, **broken))
    record(db, trial(0.01, repeat=3), outcome(0.1, 0, status=Status.SKIPPED, **broken))
    record(db, trial(5.0, repeat=0), outcome(0.1, 0, status=Status.TIMEOUT, **broken))  # where others finished
    record(db, trial(0.1, algorithm_version="1", repeat=4), outcome(0.1, 0, status=Status.FAILED, **broken))
    shown, _ = with_choices(db, scores_frame(db), done_trials(db), "stability")
    places = shown.drop_duplicates("key").set_index("repeat")
    assert places["status"].to_dict() == {0: "DONE", 1: "DONE", 2: "DONE", 3: "FAILED"}
    assert set(places["params"]) == {'{"chosen by": "stability"}'}


def test_who_has_no_answer_and_a_metric_of_more_than_labels_have_no_score(rows):
    silent = of(rows, "silhouette-views")  # nobody stored that metric
    assert silent["score"].isna().all()
    assert silent["regret"].isna().all()
    assert of(rows, "consensus")["score"].between(0.3, 1).all()  # a labelling of its own
    assert of(rows, "consensus", "log-rank-p")["score"].isna().all()
    summary = picking_summary(rows).set_index(["picker", "metric"])
    assert summary.loc[("silhouette-views", "acc"), ["n_points", "n_answered"]].tolist() == [3, 0]
    assert summary.loc[("oracle", "acc"), ["n_points", "n_answered"]].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("needs", "metric", "seen"),
    [("labellings", "", False), ("metric", "stability", True), ("truth", "", True)],
)
def test_a_picker_sees_scores_only_if_its_spec_says_so(db, monkeypatch, needs, metric, seen):
    shown = []

    def spy(candidates):
        shown.append([one.value for one in candidates])

    spec = PickerSpec(name="spy", target="mvarena.nowhere:spy", summary="", needs=needs, metric=metric)
    monkeypatch.setattr(CATALOG, "load", lambda one: spy if one is spec else Catalog.load(CATALOG, one))
    points = points_of(done_trials(db))[:1]
    picked(db, points, [spec], METRICS[:1])
    assert len(shown) == 1
    assert [math.isnan(value) for value in shown[0]] == [not seen] * 4
    if needs == "truth":
        scores = picked(db, points, [CATALOG.picker("oracle")], METRICS[:1])["score"]
        assert max(shown[0]) == scores.iloc[0]
    if needs == "metric":
        np.testing.assert_allclose(shown[0], [1 - share for share in SHARES.values()])


def test_candidates_differ_in_parameters_and_nothing_else(db):
    for changes in ({"seed": 8}, {"content": "beef"}, {"prepare": (Step("minmax", "1"),)}, {"corruptions": ()}):
        record(db, trial(**changes), outcome(0.1, 0))
    record(db, trial(5.0), outcome(0.1, 0, status=Status.FAILED, labellings=(), scores=(), reason="it broke"))
    points = points_of(done_trials(db))
    assert [len(point.candidates) for point in points] == [4] * 3
    assert points[0].choices == ["beta=0.01", "beta=0.1", "beta=1.0", "beta=10.0"]


def test_all_methods_compete_where_that_is_asked(db):
    record(db, trial(algorithm="concat", params={}, prepare=(Step("minmax", "1"),)), outcome(0.1, 0))
    (point,) = [one for one in points_of(done_trials(db), across=True) if one.repeat == 0]
    assert point.algorithm == "all methods"
    assert len(point.candidates) == 5
    assert point.choices[0] == "concat"
    assert point.choices[1] == "mic, beta=0.01"


def test_the_default_is_known_by_the_declared_parameters(db):
    declared = CATALOG.load(CATALOG.algorithm("mic"))().get_params()
    record(db, trial(declared["beta"], repeat=9), outcome(0.1, 0))
    record(db, replace(trial(repeat=9), params={"beta": declared["beta"], "n_clusters": 5}), outcome(0.1, 0))
    record(db, trial(algorithm="unheard-of", repeat=9), outcome(0.1, 0))
    describe_components(db, [trial()], CATALOG)
    found = {
        (one.identity["algorithm"][0], one.identity["params"]["beta"]): has_defaults(one) for one in done_trials(db)
    }
    assert found == {("mic", b): b == declared["beta"] for b in (*SHARES, declared["beta"])} | {
        ("unheard-of", 0.1): False
    }


def test_data_without_classes_have_no_points_that_count(tmp_path):
    with open_database(str(tmp_path / "unlabelled.db")) as db:
        for beta in (0.1, 1.0):
            record(db, trial(beta), outcome(0.1, 0, truth=None, scores=()))
        rows = picked(db, points_of(done_trials(db)), PICKERS, METRICS)
    assert rows["score"].isna().all()
    assert picking_summary(rows).empty


def test_no_data_set_counts_more_for_being_run_more_often(db):
    other = {"content": "beef", "source": Source(dataset="3sources")}
    for beta, share in ((0.1, 0.9), (1.0, 0.9)):
        record(db, trial(beta, **other), outcome(share, 5))
    rows = picked(db, points_of(done_trials(db)), [CATALOG.picker("random")], METRICS[1:])
    assert len(rows) == 4
    (mean,) = picking_summary(rows)["score"]
    assert mean == pytest.approx((np.mean(list(SHARES.values())) + 0.9) / 2)
    by_dataset = picking_summary(rows, ["dataset"]).set_index("dataset")["score"]
    assert by_dataset["3sources"] == pytest.approx(0.9)


def test_two_data_sets_of_one_name_never_share_a_row(db):
    for beta in (0.1, 1.0):
        record(db, trial(beta, content="beefbeefbeef"), outcome(0.1, 0))
    assert {point.dataset for point in points_of(done_trials(db))} == {"digits (c0ffee)", "digits (beefbeef)"}


def test_where_the_protocol_picks_restarts_by_ground_truth_every_pick_is_marked(db):
    by_labels = Protocol(name="oracle", summary="", restarts=2, pick="best-by-labels")
    for beta in (0.1, 1.0):
        record(db, trial(beta, protocol=by_labels), outcome(0.1, 0))
    rows = picked(db, points_of(done_trials(db)), [CATALOG.picker("random")], METRICS[:1])
    assert rows["by_labels"].sum() == 1
    assert picking_summary(rows)["by_labels"].tolist() == [True]


def test_labellings_of_too_few_clusters_are_left_out_unless_all_are_so(db):
    """One cluster for all is the most stable of labellings; no picker that looks at labellings sees it."""
    one = np.zeros(120, dtype=int)
    for repeat in range(3):
        stable = (Score("stability", "1", 1.0),)
        flat = {"labellings": (Labelling(one, 1.0), Labelling(one, 1.0)), "scores": stable}
        record(db, trial(99.0, repeat=repeat), outcome(0.0, 0, **flat))
    rows = picked(db, points_of(done_trials(db)), PICKERS, METRICS)
    assert set(of(rows, "stability")["choice"]) == {"beta=0.1"}
    assert set(of(rows, "centrality")["choice"]) == {"beta=0.1"}
    assert "beta=99.0" in of(rows, "random")["choice"].iloc[0]
    left_out = rows.groupby("picker")["n_left_out"].max().to_dict()
    assert {name for name, count in left_out.items() if count == 0} == {"default", "oracle", "random"}
    assert set(left_out.values()) == {0, 1}
    assert of(rows, "consensus")["score"].between(0.3, 1).all()
    for beta in (98.0, 97.0):
        flat = {"labellings": (Labelling(one, 1.0), Labelling(one, 1.0)), "scores": ()}
        record(db, trial(beta, seed=8), outcome(0.0, 0, **flat))
    points = [point for point in points_of(done_trials(db)) if point.seed == 8]
    rows = picked(db, points, PICKERS, METRICS[:1])
    assert of(rows, "centrality")["choice"].tolist() == ["beta=97.0 or beta=98.0"]
    assert set(rows["n_left_out"]) == {0}


def test_how_many_were_left_out_is_counted_once_for_each_point():
    point = {"algorithm": "mic", "dataset": "digits", "corruption": "none", "rate": 0.0, "seed": 0, "n_candidates": 4}
    rows = [
        point | {"repeat": repeat, "metric": metric, "picker": picker, "n_left_out": count}
        for repeat, count_of in enumerate(({"stability": 2, "default": 0}, {"stability": 0, "default": 0}))
        for picker, count in count_of.items()
        for metric in ("acc", "nmi")
    ]
    assert left_out_notes(pd.DataFrame(rows)) == [
        "2 of 8 candidates with fewer than half of the clusters asked for were not passed to stability."
    ]
    assert left_out_notes(pd.DataFrame(rows[-4:])) == []


def test_controls_are_no_candidates(db):
    for name in ("truth", "one-cluster"):
        record(db, trial(algorithm=name, algorithm_version="1", params={}), outcome(0.0, 0))
    rows = picks_among(db, ["acc"], done_trials(db), across=True)
    assert set(rows["n_candidates"]) == {4}
    assert not rows["choice"].str.contains("truth").any()
