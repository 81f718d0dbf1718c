"""The board, its groups, and what is said of them, on drawn scores."""

from __future__ import annotations

import math
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from mvarena.analysis.boards import SIZES, size_of
from mvarena.analysis.picking import ALL_METHODS
from mvarena.analysis.standings import Standings
from mvarena.arena import parts
from mvarena.arena.board import SuiteBoard, alternatives, choices, first_elsewhere
from mvarena.arena.changes import changes
from mvarena.arena.newcomer import newer_steps, told
from mvarena.arena.suites import FILLING, NOISE, PARTS, PLAIN, SCALING, STABILITY, SUITES, part_of
from mvarena.arena.tuning import tuning, tuning_sentences, tuning_table
from mvarena.errors import NothingToReport
from mvarena.registry.catalog import installed_catalog
from mvarena.store.cards import Cards
from mvarena.study.cards import MethodCard
from mvarena.study.file import study_at

KINDS = {
    "texts": ("bbcsport", "bbc-4view", "3sources", "newsgroups", "reuters1200"),
    "links": ("webkb-texas", "cora", "citeseer"),
    "images": ("msrcv1", "orl-4view", "usps-mnist", "digits", "leaves100", "scene15"),
}
SETS = [name for names in KINDS.values() for name in names]
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}
STEPS = {"auto": "scale-auto", "none": ""}


def trial(frame, algorithm, dataset, value, *, corruption="none", rate=0.0, prepare="scale-auto", **more):
    values = None if value is None else {"nmi": [value], "acc": [value], "ari": [value]}
    frame.trial(
        algorithm, values, dataset=dataset, corruption=corruption, rate=rate, prepare=prepare, pick="lowest-inertia",
        content=f"c-{dataset}", kind=KIND_OF[dataset], **more,
    )  # fmt: skip


@pytest.fixture
def frame(long_frame):
    """Three methods on fourteen corpora, in one order throughout."""
    rng = np.random.default_rng(0)
    for dataset in SETS:
        level = rng.uniform(0.2, 0.6)
        for algorithm, gain, seconds in (("concat", 0.0, 1.0), ("apmc", 0.1, 2.0), ("amgl", 0.2, 3.0)):
            score = level + gain + rng.uniform(0, 0.01)
            trial(long_frame, algorithm, dataset, score, cpu_s=seconds, speed=0.5)
    return long_frame


def test_places_ratings_scores_and_the_front(frame):
    board = SuiteBoard(frame.frame())
    table = board.table.set_index("contestant")
    assert list(board.front["contestant"]) == ["concat", "apmc", "amgl"]
    assert list(table.index) == ["amgl", "apmc", "concat"]
    assert list(table["place"]) == [1, 2, 3]
    assert table["rating"].mean() == pytest.approx(1000)
    values = frame.frame().query("metric == 'nmi' and algorithm == 'apmc'")["value"]
    assert table.loc["apmc", "nmi"] == pytest.approx(100 * values.mean())
    assert table.loc["apmc", "seconds"] == pytest.approx(0.5 * 2.0)  # of the reference machine


def test_seconds_are_the_geometric_mean_over_data_sets_of_medians_of_finished_trials(long_frame):
    for dataset, times in ((SETS[0], (1.0, 1.0, 10.0)), (SETS[1], (4.0, 4.0, 5.0))):
        for repeat, seconds in enumerate(times):
            trial(long_frame, "concat", dataset, 0.5, repeat=repeat, cpu_s=seconds, speed=0.5)
            trial(long_frame, "apmc", dataset, None, repeat=repeat, cpu_s=99.0, status="TIMEOUT", reason="too long")
    of_reference = 0.5 * 2.0
    assert SuiteBoard(long_frame.frame()).seconds.to_dict() == pytest.approx({"concat": of_reference})


def test_a_data_set_on_which_each_method_is_somewhere_below_the_control_has_nobody_above(long_frame):
    for dataset, halved in ((SETS[0], 0.1), (SETS[1], 0.5)):
        for corruption, value in (("none", 0.6), ("missing-even", halved)):
            for algorithm, score in (("random", 0.3), ("apmc", value), ("concat", 0.1)):
                for repeat in (0, 1):
                    trial(long_frame, algorithm, dataset, score, corruption=corruption, rate=0.5, repeat=repeat)
    assert SuiteBoard(long_frame.frame()).nobody_above() == [SETS[0]]


def test_who_did_not_finish_is_ranked_last_and_counted(frame):
    for dataset in SETS:
        for algorithm, value in (("concat", 0.2), ("apmc", 0.3), ("amgl", None)):
            status = {} if value else {"status": "TIMEOUT", "reason": "amgl took longer than the 8 s allowed."}
            trial(frame, algorithm, dataset, value, corruption="missing-even", rate=0.5, **status)
    table = SuiteBoard(frame.frame()).table.set_index("contestant")
    assert table["finished"].to_dict() == {"amgl": len(SETS), "apmc": 2 * len(SETS), "concat": 2 * len(SETS)}
    assert table.loc["amgl", "gap"] == pytest.approx(-10.0, abs=1.0), "on what both finished"
    assert table.loc["amgl", "conditions"] == 2 * len(SETS)
    assert table["place"].to_dict() == {"apmc": 1, "amgl": 2, "concat": 3}
    assert table["place_there"].to_dict() == {"apmc": 1, "amgl": 1, "concat": 3}, "under what each finished"
    assert "amgl" not in set(SuiteBoard(frame.frame()).front["contestant"])


def test_points_that_were_not_run_by_all_do_not_count(frame):
    trial(frame, "concat", SETS[0], 0.9, corruption="missing-even", rate=0.7)
    whole = SuiteBoard(frame.frame(), incomplete=[(SETS[0], "missing-even", 0.7)])
    assert whole.table["conditions"].tolist() == [len(SETS)] * 3
    everything = [(name, "none", 0.0) for name in SETS]
    with pytest.raises(NothingToReport):
        _ = SuiteBoard(frame.frame(), incomplete=everything).table


def with_newcomer(frame, own, name, value, datasets=SETS):
    """The board with a newcomer of this score on these data sets, whose trials are built in `own`."""
    for number, dataset in enumerate(datasets, 1000):
        trial(own, name, dataset, value, key=f"{number:064d}")
    return SuiteBoard(frame.frame(), against=name).with_newcomer(own.frame())


def test_a_newcomer_is_compared_with_each_other(frame, new_long_frame):
    board = with_newcomer(frame, new_long_frame(), "my-method", 0.99)
    first, claimed = told(board, "arena-lite", ())
    assert first.startswith("By NMI my-method is at place 1 of 4, rating ")
    assert "my-method can be claimed to be better than all 3 others" in claimed
    assert "Holm over 3 tests" in claimed


def test_the_rows_of_a_stored_method_give_way_to_those_of_the_newcomer(frame, new_long_frame):
    table = with_newcomer(frame, new_long_frame(), "amgl", 0.01).table.set_index("contestant")
    assert list(table.index) == ["apmc", "concat", "amgl"]
    assert table.loc["amgl", "nmi"] == pytest.approx(1.0)


def test_a_newcomer_is_placed_on_the_data_that_it_ran(frame, new_long_frame):
    board = with_newcomer(frame, new_long_frame(), "my-method", 0.99, SETS[:3])
    assert set(board.table["conditions"]) == {3}
    assert set(board.table["finished"]) == {3}
    sentences = told(board, "arena-lite", SETS[3:], ["wdbc"])
    assert any(f"Placed on 3 of {len(SETS)} data sets of the suite" in sentence for sentence in sentences)
    assert any("'mvarena data fetch arena-lite' downloads" in sentence for sentence in sentences)
    assert sentences[-1] == "Not run, since the release has no results of them: wdbc."


@pytest.mark.parametrize(
    ("older", "now", "sentence"),
    [
        (["minmax 1,scale-auto 2"], "scale-auto 3", "The release was made with scale-auto 2 (now 3): its methods got "
         "differently prepared data."),
        (["scale-auto 3"], "minmax 1,scale-auto 3", ""),
        (["scale-auto 10,own 2025.1", "scale-auto 9"], "scale-auto 10,own 2025.1", ""),  # 10 is later than 9
    ],
)  # fmt: skip
def test_other_versions_of_steps_than_the_releases_are_named(older, now, sentence):
    assert newer_steps(SuiteBoard(pd.DataFrame({"steps": older})), pd.DataFrame({"steps": [now]})) == sentence


def test_groups_of_data_conditions_and_sizes(frame):
    for dataset in SETS[:2]:
        trial(frame, "concat", dataset, 0.5, corruption="gaussian", rate=10.0)
        trial(frame, "apmc", dataset, 0.6, corruption="gaussian", rate=10.0)
    samples = {f"c-{name}": 100 * (place + 1) for place, name in enumerate(SETS)}
    groups = {(by, name): rows for by, name, rows in SuiteBoard(frame.frame(), samples).groups()}
    assert set(groups["condition", PLAIN]["corruption"]) == {"none"}
    assert set(groups["condition", NOISE]["dataset"]) == set(SETS[:2])
    assert set(groups["kind", "texts"]["dataset"]) <= set(KINDS["texts"])
    both = groups["kind and condition", f"texts, {PLAIN}"]
    assert set(both["dataset"]) <= set(KINDS["texts"])
    assert set(both["corruption"]) == {"none"}
    assert set(groups["size", "up to 700 samples"]["dataset"]) == set(SETS[:7])
    assert [size_of(n) for n in (700, 701, 10_000)] == [words for _, words in SIZES]


@pytest.mark.parametrize(
    ("place", "part"),
    [
        (("images", "none", "auto", ""), PLAIN),
        (("images", "missing-even", "auto", "knn"), "missing-even"),
        (("images", "missing-unbalanced", "auto", "knn"), "missing-unbalanced"),
        (("images", "gaussian", "auto", ""), NOISE),
        (("images", "missing-even", "none", "knn"), SCALING),
        (("images", "missing-even", "auto", "zero"), FILLING),
        (("kernels", "missing-even", "none", "knn"), "missing-even"),
    ],
)
def test_parts_of_a_suite(place, part):
    assert part_of(*place) == part


def test_scalings_are_compared_where_all_finished(long_frame):
    for scaling, of_concat, of_apmc in (("auto", 0.6, 0.5), ("none", 0.2, 0.6)):
        for algorithm, value in (("concat", of_concat), ("apmc", of_apmc)):
            trial(long_frame, algorithm, "msrcv1", value, prepare=STEPS[scaling], corruption="missing-even", rate=0.5)
    trial(long_frame, "amgl", "msrcv1", 0.9, corruption="missing-even", rate=0.5)  # under one scaling alone
    table = alternatives(long_frame.frame(), SCALING).set_index("alternative")
    assert table["mean"].to_dict() == pytest.approx({"auto": 55.0, "none": 40.0})
    assert table["best_for"].to_dict() == {"auto": 1, "none": 1}
    assert set(table["methods"]) == {2}
    assert alternatives(long_frame.frame(), FILLING).empty


def test_changes_of_scores_of_places_and_of_who_takes_part(frame, new_long_frame):
    later = new_long_frame()
    for row in frame.frame().query("metric == 'nmi' and algorithm != 'concat'").itertuples():
        worse = 0.3 if row.algorithm == "amgl" else 0.0
        trial(later, row.algorithm, row.dataset, row.value - worse)
    for dataset in SETS:
        trial(later, "daimc", dataset, 0.01)
    table = changes(SuiteBoard(frame.frame()), SuiteBoard(later.frame())).set_index("contestant")
    assert table.loc["amgl", "gain"] == pytest.approx(-30.0)
    assert (table.loc["amgl", "place_before"], table.loc["amgl", "place_after"]) == (1, 2)
    assert pd.isna(table.loc["daimc", "place_before"])
    assert pd.isna(table.loc["concat", "place_after"])
    assert math.isnan(table.loc["daimc", "gain"])
    assert table.loc["apmc", "gain"] == 0.0


def test_changes_are_in_points_with_their_interval_and_count_conditions(new_long_frame):
    boards = []
    for leads in ((0.0, 0.0, 0.0, 0.0), (0.1, 0.1, 0.1, -0.1)):
        stored = new_long_frame()
        for dataset, lead in zip(SETS, leads, strict=False):
            for repeat, level in enumerate((0.5, 0.6)):
                trial(stored, "amgl", dataset, level + lead, repeat=repeat)
                trial(stored, "apmc", dataset, 0.3, repeat=repeat)
        boards.append(SuiteBoard(stored.frame()))
    row = changes(*boards).set_index("contestant").loc["amgl"]
    half = 3.182446 * 10.0 / 2  # Student's t of 3 degrees of freedom, a deviation of 10, four corpora
    assert row[["gain", "low", "high"]].tolist() == pytest.approx([5.0, 5.0 - half, 5.0 + half])
    assert row[["better", "worse", "points"]].tolist() == [3, 1, 4]


def test_a_large_move_has_its_causes(frame, new_long_frame):
    crowd = [name for name in installed_catalog().names("algorithm") if name not in ("concat", "apmc", "amgl")][:8]
    boards = []
    for version, level, params in (("1", 0.9, {"n_neighbors": 5}), ("2", 0.01, {})):
        stored = new_long_frame()
        for dataset in SETS:
            for step, name in enumerate(crowd):
                trial(stored, name, dataset, 0.3 + 0.02 * step)
            trial(stored, "amgl", dataset, level, algorithm_version=version, params=params)
        boards.append(SuiteBoard(stored.frame()))
    table = changes(*boards).set_index("contestant")
    assert (table.loc["amgl", "place_before"], table.loc["amgl", "place_after"]) == (1, 9)
    assert table.loc["amgl", "cause"] == (
        "n_neighbors=5 is no longer the default; version 2 instead of 1; NMI -89.0 on the same repeats"
    )
    assert table.drop("amgl")["cause"].eq("").all()
    few, later = new_long_frame(), new_long_frame()
    for stored, datasets in ((few, SETS[:3]), (later, SETS)):
        for dataset in datasets:
            for step, name in enumerate([*crowd, "amgl"]):
                own = 0.9 if dataset in SETS[:3] else 0.01
                trial(stored, name, dataset, own if name == "amgl" else 0.3 + 0.02 * step)
    moved = changes(SuiteBoard(few.frame()), SuiteBoard(later.frame())).set_index("contestant")
    assert moved.loc["amgl", "cause"] == "other data and methods: place 1 to 1 on what both releases have"


@pytest.mark.parametrize(
    ("study", "corpora"),
    [
        ("arena", 38),
        ("arena-lite", 15),
        ("arena-tuned", 23),
        ("arena-lite-tuned", 8),
        ("arena-deep", 20),
        ("arena-survival", 5),
    ],
)
def test_every_data_set_of_a_suite_has_a_kind_and_enough_are_of_corpora_of_their_own(study, corpora):
    catalog = installed_catalog()
    names = {name for said in study_at(study).said() for name in said.settings["data"]}
    assert all(catalog.dataset(name).kind for name in names)
    assert len({catalog.dataset(name).corpus or name for name in names}) >= corpora


def test_the_part_on_deep_methods_shows_all_methods_that_it_alone_has(frame, long_frame):
    for dataset in SETS:
        for step, name in enumerate(("gmc", "pic", "snf", "daimc", "other-snf", "deepest")):
            trial(long_frame, name, dataset, 0.15 - 0.01 * step)
    board = SuiteBoard(frame.frame())
    names = ["amgl", "apmc", "concat", "gmc", "pic", "snf", "daimc", "other-snf", "deepest"]
    assert list(board.table["contestant"]) == names
    rows = parts.deep_table(board)
    assert list(parts.deep_part(rows, set(names), "deep.csv")) == []
    table = list(parts.deep_part(rows, set(names[:-2]), "deep.csv"))[-2]
    shown = [line.split("|")[2].strip() for line in table.splitlines()[2:]]
    assert shown == [name for name in names if name != "daimc"]  # neither among the first five nor of a twin's name


def test_the_parts_of_the_suite_have_titles_of_their_own():
    """By its title a run is known to be of a suite or part."""
    titles = {study_at(study).title for study in ("arena", *PARTS["arena"].values())}
    assert len(titles) == 1 + len(PARTS["arena"])


@pytest.mark.parametrize("suite", SUITES)
def test_the_part_on_tuning_has_the_limits_of_the_suite_and_data_that_it_runs_complete_and_half_incomplete(suite):
    whole, tuned = (study_at(study).document for study in (suite, PARTS[suite]["tuned"]))
    limits = ("protocol", "cpu-time", "memory")
    assert [tuned[key] for key in limits] == [whole[key] for key in limits]
    both = [block for block in whole["run"] if block["corrupt"][0] == "none" and len(block["corrupt"]) == 2]
    assert set(tuned["data"]) <= {name for block in both for name in block["data"]}


def test_the_first_on_other_corpora_does_not_know_the_corpus_itself() -> None:
    """b is first over all corpora, and a without y or z."""
    ranks = pd.DataFrame({"a": [1.0, 2.0, 2.0], "b": [3.0, 1.0, 1.0], "c": [2.0, 3.0, 3.0]}, index=["x", "y", "z"])
    places = pd.MultiIndex.from_tuples([(name, "none", 0.0) for name in "xyz"], names=["dataset", "corruption", "rate"])
    table = Standings(
        metric="nmi",
        higher_is_better=True,
        cells=-ranks.set_axis(places),
        ranks=ranks,
        corpus_of={name: name for name in "xyz"},
        n_separating=3,
    )
    assert first_elsewhere(table) == {"x": "b", "y": "a", "z": "a"}


def test_ties_are_nobodys_best_and_alternatives_are_compared_in_common_repeats(long_frame) -> None:
    for repeat in (0, 1):
        trial(long_frame, "concat", SETS[0], 0.5, repeat=repeat)
        trial(long_frame, "apmc", SETS[0], (0.4, 0.9)[repeat], repeat=repeat)
    for name, value in (("concat", 0.5), ("apmc", 0.6)):  # under none, repeat 0 alone
        trial(long_frame, name, SETS[0], value, prepare="")
    found = alternatives(long_frame.frame(), SCALING).set_index("alternative")
    assert found.loc["auto", "mean"] == pytest.approx(45.0)  # .5 and .4: repeat 1 has no partner
    assert found.loc["none", "mean"] == pytest.approx(55.0)
    assert found["best_for"].to_dict() == {"auto": 0, "none": 1}  # concat ties


def test_cards_say_which_methods_are_controls_and_what_they_are_called(frame):
    for dataset in SETS:
        trial(frame, "theirs", dataset, 0.95)
        trial(frame, "their-control", dataset, 0.9)
    described = (MethodCard(name="theirs", label="Theirs"), MethodCard(name="their-control", family="control"))
    board = SuiteBoard(frame.frame(), cards=Cards({card.name: card for card in described}, {}))
    assert board.lines()[0][1] == "Theirs"
    assert "their-control" not in set(board.table["contestant"])
    assert "their-control" in set(SuiteBoard(frame.frame()).table["contestant"])


def test_survival_is_ranked_by_all_clusters_and_shown_without_small_ones(long_frame, monkeypatch) -> None:
    for dataset in SETS[:4]:
        for algorithm, p, p_5 in (("apmc", 0.01, 0.2), ("concat", 0.04, 0.04), ("amgl", 0.3, 0.3)):
            values = {"log-rank-p": [p], "log-rank-p-5": [p_5]}
            long_frame.trial(algorithm, values, dataset=dataset, content=dataset)
    monkeypatch.setattr(parts, "scores_of_suite", lambda *_: long_frame.frame())
    _, table, _ = parts.survival_part(None, "arena-survival", Cards({}, {}))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert rows == [
        ["1", "apmc", "1.0", "4 of 4", "0 of 4"],
        ["2", "concat", "2.0", "4 of 4", "4 of 4"],
        ["3", "amgl", "3.0", "0 of 4", "0 of 4"],
    ]


def picks(rows: list[tuple[str, str, float, dict[str, float]]]) -> pd.DataFrame:
    """Algorithm, data set, rate, and picker -> score, of points whose best candidate has .9; at rate .9 some candidate
    has no stability."""
    return pd.DataFrame([
        {"algorithm": algorithm, "dataset": dataset, "corruption": "missing-even", "rate": rate, "seed": 0, "repeat": 0,
         "picker": picker, "metric": "nmi", "score": score, "best": 0.9, "unscored": (picker, rate) == (STABILITY, 0.9)}
        for algorithm, dataset, rate, scores in rows
        for picker, score in scores.items()
    ])  # fmt: skip


def test_losses_of_choices_are_means_over_data_sets_of_points_that_all_ways_answer(frame, monkeypatch) -> None:
    """Of x at two rates and y at one; a third rate of y, where one way has no answer, counts for none."""
    rows = [
        (ALL_METHODS, "x", 0.1, {"consensus": 0.8, "centrality": 0.9, "random": 0.5}),
        (ALL_METHODS, "x", 0.3, {"consensus": 0.6, "centrality": 0.9, "random": 0.5}),
        (ALL_METHODS, "y", 0.1, {"consensus": 0.3, "centrality": 0.1, "random": 0.1}),
        (ALL_METHODS, "y", 0.3, {"consensus": 0.0, "random": 0.0}),
    ]
    board = SuiteBoard(frame.frame().query(f"dataset == '{SETS[0]}' or dataset == '{SETS[1]}'").assign(corpus="one"))
    monkeypatch.setattr("mvarena.arena.board.done_trials", Mock(return_value=[]))
    monkeypatch.setattr("mvarena.arena.board.picks_among", Mock(return_value=picks(rows)))
    table = choices(None, board).set_index("choice")
    assert table["score"].to_dict() == pytest.approx({"consensus": 50.0, "centrality": 50.0, "random": 30.0})
    assert table["loss"].to_dict() == pytest.approx({"consensus": 40.0, "centrality": 40.0, "random": 60.0})
    assert set(table["points"]) == {3}


def test_tuning_is_compared_over_corpora_on_the_points_that_all_criteria_answer(long_frame, monkeypatch) -> None:
    def scores(default, chosen, consensus, best):
        given = {"default": default, STABILITY: chosen, "consensus": consensus, "oracle": best}
        return {name: value for name, value in given.items() if value is not None}

    rows = [
        ("mic", "x1", 0.1, scores(0.5, 0.7, 0.4, 0.8)),
        ("mic", "x1", 0.3, scores(0.3, 0.5, 0.4, 0.8)),
        ("mic", "x2", 0.1, scores(0.6, 0.4, 0.4, 0.8)),
        ("mic", "y", 0.1, scores(0.1, 0.2, 0.1, 0.3)),
        ("mic", "y", 0.3, scores(None, 0.9, 0.9, 0.9)),
        ("mic", "y", 0.9, scores(0.8, 0.9, 0.9, 0.9)),
        ("apmc", "y", 0.1, scores(0.4, 0.6, 0.4, 0.7)),
    ]
    for dataset in ("x1", "x2", "y"):
        long_frame.trial(dataset=dataset, corpus=dataset[0])
    monkeypatch.setattr("mvarena.arena.tuning.done_trials", Mock(return_value=[]))
    monkeypatch.setattr("mvarena.arena.tuning.picks_among", Mock(return_value=picks(rows)))
    monkeypatch.setattr("mvarena.arena.tuning.scores_frame", Mock(return_value=long_frame.frame()))
    rows = tuning(None, [])
    assert list(zip(rows["method"], rows["corpus"], rows["points"], strict=True)) == [
        ("apmc", "y", 1),
        ("mic", "x", 3),
        ("mic", "y", 1),
    ]
    assert rows.loc[1, ["default", "chosen", "consensus", "best"]].tolist() == pytest.approx([50.0, 50.0, 40.0, 80.0])
    table = tuning_table(rows)
    assert table["method"].tolist() == ["apmc", "mic"]  # 60 and 35 by what is chosen
    row = table.iloc[1]
    assert row[["default", "chosen", "consensus", "best"]].tolist() == pytest.approx([30.0, 35.0, 25.0, 55.0])
    assert row["gain"] == pytest.approx(5.0)  # of corpus x (20 - 20) / 2, of y 10
    assert row[["points", "corpora"]].tolist() == [4, 2]


def test_sentences_on_tuning_name_the_first_and_who_moves() -> None:
    table = pd.DataFrame({"method": list("abcde"), "default": [50.0, 40.0, 30.0, 20.0, 10.0]})
    table = table.assign(chosen=[31.0, 42.0, 33.0, 24.0, 55.0], consensus=table["default"] - 1.0)
    table = table.assign(best=table["default"] + 10.0, gain=table["chosen"] - table["default"], gain_high=60.0)
    whole, clear, moved = tuning_sentences(table.assign(gain_low=[-30.0, 1.0, -1.0, -1.0, -1.0]))
    assert "by +7.0 points against the defaults, the consensus of all settings by -1.0" in whole
    assert whole.endswith("the best setting by classes* by +10.0.")
    assert clear.endswith("is clear (95 % interval over corpora) for b (+2.0).")
    assert moved == "a is first by its defaults and e by chosen parameters; 1 method of 5 moves by more than 3 places."
