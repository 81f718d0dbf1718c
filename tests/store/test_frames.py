from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pandas as pd
from sqlalchemy import event
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step
from mvarena.registry.catalog import installed_catalog
from mvarena.store.cards import describe_components
from mvarena.store.database import Database
from mvarena.store.frames import COLUMNS, EXPORTED, FIT_COLUMNS, achieved_frame, fits_frame, scores_frame
from mvarena.store.write_outcomes import record
from mvarena.study.protocols import PROTOCOLS

# as issue and reports spell them; not taken from the code
EXPORT = [
    *("key", "algorithm", "algorithm_version", "params", "dataset", "corpus", "kind", "corruption", "rate", "scaling"),
    *("filling", "prepare", "protocol", "repeat", "metric", "value", "spread", "n_labels", "status", "wall_s"),
    *("cpu_s", "peak_rss_mb"),
]
EXTRA = ["seed", "pick", "restarts", "label_picked", "choice", "attempt", "fit_s", "reason", "source_hash", "content",
         "steps", "started_at", "speed"]  # fmt: skip


def test_columns_and_types_do_not_depend_on_what_is_stored(db: Database) -> None:
    empty = scores_frame(db)
    assert (len(empty), list(empty.columns)) == (0, EXPORT + EXTRA)
    assert list(EXPORTED) == EXPORT
    record(db, example_trial(0), example_outcome(Status.FAILED))
    failed = scores_frame(db)
    record(db, example_trial(1), example_outcome())
    both = scores_frame(db)
    assert empty.dtypes.to_dict() == failed.dtypes.to_dict() == both.dtypes.to_dict()
    assert str(both["n_labels"].dtype) == "Int64"
    assert (len(failed), len(both)) == (1, 3)


def test_every_field_is_where_it_belongs(db: Database) -> None:
    trial = example_trial(
        4,
        corruptions=(Step("missing-even", "1", 0.3), Step("gaussian", "1", 10.0)),
        protocol=PROTOCOLS["mkkm"],
    )
    times = {"wall_s": 1.0, "cpu_s": 2.0, "fit_s": 3.0, "peak_rss_mb": 4.0}
    record(db, trial, example_outcome(scores=(Score("acc", "1", 0.75),), environment={"speed": 0.53}, **times))
    describe_components(db, [trial], installed_catalog())
    (row,) = scores_frame(db).to_dict("records")
    assert json.loads(row.pop("params")) == {"anchors": 10, "alpha": 0.5}  # apmc has no such parameters
    assert math.isnan(row.pop("spread"))
    assert row == times | {
        "key": trial.key,
        "algorithm": "apmc",
        "algorithm_version": "1",
        "dataset": "digits[fou,fac]",
        "corruption": "missing-even+gaussian:10",
        "rate": 0.3,
        "corpus": "digits",
        "scaling": "unit-rows",
        "filling": "mean",
        "prepare": "fill-mean,unit-rows",
        "protocol": "mkkm",
        "repeat": 4,
        "metric": "acc",
        "value": 0.75,
        "n_labels": 3,
        "status": "DONE",
        "seed": 7,
        "kind": "images",
        "pick": "lowest-inertia",
        "restarts": 50,
        "label_picked": False,
        "choice": "",
        "attempt": 1,
        "reason": "",
        "source_hash": "5eed",
        "content": "c0ffee",
        "steps": "missing-even 1,gaussian 1,fill-mean 1,unit-rows 2",
        "started_at": example_outcome().started_at.isoformat(timespec="microseconds"),
        "speed": 0.53,
    }


def test_a_failure_and_a_trial_without_scores_are_rows(db: Database) -> None:
    failures = [status for status in Status if status is not Status.DONE]
    for repeat, status in enumerate(failures):
        record(db, example_trial(repeat), example_outcome(status))
    record(db, example_trial(len(failures)), example_outcome(scores=(Score("ari", "1", math.inf),)))
    for metrics in (["nmi"], ["acc"]):
        frame = scores_frame(db, metrics=metrics).sort_values("repeat")
        assert frame["status"].tolist() == [*failures, "DONE"]
        assert frame["reason"].tolist() == [*(f"it ended as {status}" for status in failures), ""]
        assert frame[["metric", "value", "spread"]].isna().all(axis=None)
    assert scores_frame(db).dropna(subset="metric")["value"].tolist() == [math.inf]


def test_only_the_current_attempt_counts(db: Database) -> None:
    for replaces, status in enumerate((Status.TIMEOUT, Status.FAILED, Status.DONE)):
        record(db, example_trial(), example_outcome(status), replaces)
        frame = scores_frame(db)
        assert (set(frame["status"]), set(frame["attempt"])) == ({status}, {replaces + 1})


def test_a_value_has_its_spread_and_its_mark(db: Database) -> None:
    for protocol in ("average", "oracle"):
        record(db, example_trial(protocol=PROTOCOLS[protocol]), example_outcome())
        (row,) = scores_frame(db, metrics=["acc"], protocols=[protocol]).to_dict("records")
        assert (row["value"], row["spread"]) == (0.5, 0.01)
        assert row["label_picked"] == (protocol == "oracle")


def test_views_among_which_the_literature_picks_are_one_trial_with_the_best_value_of_each_metric(db: Database) -> None:
    scores = {"fou": {"acc": 0.4, "nmi": 0.7}, "fac": {"acc": 0.6, "nmi": 0.5}}
    for view, values in scores.items():
        of_view = tuple(Score(metric, "1", value) for metric, value in values.items())
        trial = example_trial(algorithm="bsv-kmeans", params={"view": view}, picks_by_labels="view")
        record(db, trial, example_outcome(scores=of_view))
    frame = scores_frame(db)
    assert frame[["metric", "value", "choice", "params", "label_picked"]].values.tolist() == [
        ["acc", 0.6, "view=fac", "{}", True],
        ["nmi", 0.7, "view=fou", "{}", True],
    ]
    assert frame["key"].nunique() == 1
    apart = scores_frame(db, metrics=["acc"], every_choice=True)
    assert apart[["params", "value", "choice"]].values.tolist() == [
        ['{"view":"fac"}', 0.6, ""],
        ['{"view":"fou"}', 0.4, ""],
    ]


def test_params_are_those_that_differ_from_the_defaults(db: Database) -> None:
    trial = example_trial(algorithm="concat", params={"n_clusters": None}, protocol=PROTOCOLS["fair"])
    record(db, trial, example_outcome())
    record(db, replace(trial, params={"n_clusters": 3}), example_outcome())
    assert sorted(scores_frame(db)["params"].unique()) == ['{"n_clusters":3}', '{"n_clusters":null}']  # not known
    describe_components(db, [trial], installed_catalog())
    record(db, replace(trial, params={"n_clusters": 5}), example_outcome())
    assert sorted(scores_frame(db)["params"].unique()) == ['{"n_clusters":3}', '{"n_clusters":5}', "{}"]


def test_filters(db: Database) -> None:
    first, second = example_trial(0), example_trial(1, algorithm="concat", source=Source(dataset="3sources"))
    for trial in (first, second):
        record(db, trial, example_outcome())
    assert set(scores_frame(db, datasets=[first.dataset])["key"]) == {first.key}
    assert set(scores_frame(db, keys=[second.key])["key"]) == {second.key}
    assert set(scores_frame(db, metrics=["nmi"])["metric"]) == {"nmi"}
    assert len(scores_frame(db, protocols=["average"])) == 4
    for nothing in ({"datasets": []}, {"keys": []}, {"keys": ["unknown"]}, {"protocols": ["mic"]}):
        frame = scores_frame(db, **nothing)
        assert frame.empty
        assert list(frame.columns) == list(COLUMNS)


def test_the_order_of_rows_is_not_that_of_the_runs(db: Database) -> None:
    trials = [
        example_trial(repeat, algorithm=algorithm, corruptions=(Step("missing-even", "1", rate),))
        for repeat in (0, 1)
        for algorithm in ("concat", "apmc")
        for rate in (0.5, 0.1)
    ]
    random.Random(0).shuffle(trials)
    for trial in trials:
        record(db, trial, example_outcome())
    frame = scores_frame(db)
    order = list(zip(frame.algorithm, frame.rate, frame.repeat, frame.metric, strict=True))
    assert order == sorted(order)
    pd.testing.assert_frame_equal(frame, scores_frame(db, keys=[trial.key for trial in trials]))


def test_the_number_of_statements_does_not_grow_with_the_trials(db: Database) -> None:
    statements: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    counted = []
    for repeat in range(10):
        record(db, example_trial(repeat), example_outcome())
        if repeat in (0, 9):
            statements.clear()
            assert len(scores_frame(db)) == 2 * (repeat + 1)
            counted.append(len([statement for statement in statements if statement.startswith("SELECT")]))
    assert counted == [15, 15]


def test_achieved_rates_are_of_the_asked_trials_and_of_finished_ones_alone(db: Database) -> None:
    def achieved(missing: float) -> dict[str, object]:
        return {"views": {"fou": {"missing": missing, "changed_rows": 0.0, "snr": None}}, "incomplete": missing}

    first, second, third = (
        example_trial(0, corruptions=(Step("missing-even", "1", rate),)) for rate in (0.1, 0.3, 0.5)
    )
    record(db, first, example_outcome(achieved=achieved(0.1)))
    record(db, second, example_outcome(achieved=achieved(0.3)))
    record(db, third, example_outcome(Status.FAILED, achieved=achieved(0.9)))
    assert achieved_frame(db)["rate"].tolist() == [0.1, 0.3]
    assert achieved_frame(db, keys=[second.key])["missing"].tolist() == [0.3]
    assert achieved_frame(db, keys=[third.key]).empty


def test_the_course_and_the_size_of_each_finished_trial(db: Database) -> None:
    done = {"samples_by_missing_views": [5, 2], "memory_at_start_mb": 90.5}
    record(db, example_trial(0), example_outcome(achieved=done, objective=(3.0, math.nan, -math.inf), n_iter=2))
    record(db, example_trial(1), example_outcome())  # of an older mvarena, which kept less
    record(db, example_trial(2), example_outcome(Status.TIMEOUT))
    frame = fits_frame(db, [example_trial(repeat).key for repeat in range(4)]).set_index("key")
    first, second = frame.loc[example_trial(0).key], frame.loc[example_trial(1).key]
    assert (len(frame), first["n_samples"], first["n_iter"], first["started_mb"]) == (2, 7, 2, 90.5)
    np.testing.assert_array_equal(first["objective"], (3.0, math.nan, -math.inf))
    assert second["objective"] == (3.0, 2.0, 1.5)
    assert (second["n_samples"] is pd.NA, math.isnan(second["started_mb"])) == (True, True)
    assert tuple(fits_frame(db, []).columns) == FIT_COLUMNS
