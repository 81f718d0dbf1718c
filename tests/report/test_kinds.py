"""Each kind of table and figure: what it shows of invented results, drawn whole at both widths of a page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from mvarena.analysis.picking import PICKED_COLUMNS
from mvarena.data import MultiViewData, View
from mvarena.engine.replay import Space
from mvarena.errors import MvarenaError, UnknownName
from mvarena.report.data import ReportData
from mvarena.report.drawing.canvas import SMALL, WIDTHS, image_bytes
from mvarena.report.kinds import FIGURES, TABLES, draw, figure_kind, figures_of, tables_of
from mvarena.report.trial_data import DrawnTrial, Followed, patterns
from mvarena.report.write import write_report
from mvarena.store.frames import FIT_COLUMNS

METHODS = ("apmc", "concat", "daimc", "eeimvc", "mic", "pic", "rmsc", "snf", "ueaf", "simvc-sa")


def fits(frame: pd.DataFrame, **columns: Any) -> pd.DataFrame:
    """What is known of how each trial was fitted; columns : one value for each trial in order."""
    keys = frame["key"].unique()
    told = {"n_samples": 100, "n_iter": 1, "converged": True, "stopped_because": "", "objective": ()}
    told |= {"started_mb": math.nan}
    rows = {"key": keys} | {name: [value] * len(keys) for name, value in told.items()} | columns
    return pd.DataFrame(rows)[list(FIT_COLUMNS)].astype({"n_samples": "Int64"})


def under_another_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """The trials, and the same under the scaling auto."""
    other = frame.assign(key=frame["key"] + "-auto", prepare="scale-auto", scaling="auto")
    return pd.concat([frame, other], ignore_index=True)


def picks(*regrets: tuple[str, str, float]) -> pd.DataFrame:
    """Picker, data set and regret in ACC; a NaN regret is no answer."""
    rows = [
        dict.fromkeys(PICKED_COLUMNS, "")
        | {"labelled": True}
        | {"algorithm": "mic", "dataset": dataset, "rate": 0.1, "picker": picker, "metric": "acc", "best": 0.9}
        | {"n_left_out": 0, "n_candidates": 3, "by_labels": picker == "oracle", "score": 0.9 - regret, "regret": regret}
        for picker, dataset, regret in regrets
    ]
    return pd.DataFrame(rows, columns=list(PICKED_COLUMNS))


def followed(seed: int, n: int = 60) -> Followed:
    """Three clusters of which the second lives longest and the first shortest, some samples last seen alive."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    time = rng.exponential(np.array([1.0, 30.0, 5.0])[labels])
    return Followed("c0ffee00", labels, time, rng.random(n) < 0.8, 0.03, 0.05, "days")


def holes(dataset: str, rate: float) -> pd.DataFrame:
    """Of 10 samples 6 have both views, 3 the first, 1 the second."""
    mask = np.array([[True, True]] * 6 + [[True, False]] * 3 + [[False, True]])
    views = [View(name, np.ones((10, 2)), "features") for name in ("one", "two")]
    found = patterns(MultiViewData(dataset, tuple(views), mask))
    return found.assign(dataset=dataset, corruption="missing-even", rate=rate)


def drawn_trial(n: int = 60, affinity: bool = False) -> DrawnTrial:
    """Three classes, far apart, one sample of the second in the third's cluster, clusters numbered otherwise."""
    classes = np.repeat([0, 1, 2], n // 3)
    clusters = np.array([2, 0, 1])[classes]
    clusters[n // 3] = 1
    points = 9.0 * np.eye(3)[classes] + np.random.default_rng(0).normal(size=(n, 3))
    similar = (classes[:, None] == classes).astype(float) if affinity else None
    return DrawnTrial("c0ffee00", "apmc", "toy", "missing-even", 0.3, Space(points, similar, clusters, classes))


def outside(figure) -> list[tuple[float, ...]]:
    """The distances from the edges, in pixels, of all that is not wholly inside the figure."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    parts = [axis.get_tightbbox(renderer) for axis in figure.axes if axis.axison]
    parts += [legend.get_window_extent(renderer) for legend in figure.legends]
    edge = figure.bbox
    return [
        (box.x0, box.y0, edge.width - box.x1, edge.height - box.y1)
        for box in parts
        if min(box.x0, box.y0, edge.width - box.x1, edge.height - box.y1) < -2.5
    ]


@pytest.fixture(scope="module")
def everything(new_long_frame, results_of) -> ReportData:
    """Ten methods on eight data sets at two rates, mic with three values of beta; snf times out on two of them, pvc is
    skipped; one source at two sizes."""
    builder = new_long_frame()
    rng = np.random.default_rng(0)
    sizes = {f"set-{number}": 100 * 2**number for number in range(8)}
    for dataset, n in sizes.items():
        corpus = "set-6" if dataset == "set-7" else dataset
        for rate in (0.1, 0.3):
            at = {"dataset": dataset, "content": dataset, "corpus": corpus, "rate": rate, "wall_s": (n / 100) ** 1.5}
            at |= {"kind": "texts" if n < 800 else "images"}
            for place, name in enumerate(METHODS):
                if name == "snf" and n > 3000:
                    builder.trial(name, None, status="TIMEOUT", reason="exceeded 60 s", **at)
                    continue
                value = 0.9 - rate - 0.05 * place + 0.02 * rng.random()
                builder.trial(name, {"acc": [value], "nmi": [value - 0.1]}, **at)
            builder.trial("pvc", None, status="SKIPPED", reason="pvc takes two views.", **at)
            builder.trial("one-cluster", {"acc": [0.1], "nmi": [0.0]}, **at)
            if dataset == "set-0":
                for beta in (0.1, 1.0, 10.0):
                    builder.trial("mic", {"acc": [0.5 + beta / 50]}, params={"beta": beta}, **at)
    builder.trial("apmc", {"acc": [0.7], "nmi": [0.5]}, dataset="alone", content="alone", corruption="none", rate=0.0)
    frame = builder.frame()
    picked = picks(("oracle", "set-0", 0.0), ("random", "set-0", 0.2), ("random", "set-1", 0.1))
    done = frame[frame["status"] == "DONE"].drop_duplicates("key")
    of_data = done["dataset"].map(sizes | {"alone": 50}).tolist()
    more = {
        "fits": fits(done, n_samples=of_data, objective=[(1.0, 0.5, 0.25, 0.125, 0.0625)] * len(done), n_iter=4),
        "picks": picked,
        "patterns": holes("toy", 0.3),
        "drawn": [drawn_trial()],
    }
    more["followed"] = {key: followed(seed) for seed, key in enumerate(frame["key"].unique()[:4])}
    return results_of(builder, stored=under_another_scaling(frame).assign(shown=True), **more)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_is_drawn_whole_in_letters_that_can_be_read(everything, name: str, width: float) -> None:
    kind, stem, points = next(figures_of(everything, [name]))
    drawing = draw(kind, points, everything.looks, width)
    assert stem.startswith(f"figure-{name}")
    assert drawing.figure.get_figwidth() == pytest.approx(width)
    assert outside(drawing.figure) == []
    texts = [text for text in drawing.figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= SMALL
    assert drawing.caption.endswith(".")
    assert all(". " not in text.get_text() for text in texts)  # sentences stand beside a figure
    assert image_bytes(drawing.figure, "png")[:4] == b"\x89PNG"


@pytest.mark.parametrize("name", TABLES)
def test_each_table_has_rows_and_says_what_it_measures(everything, name: str) -> None:
    found = tables_of(everything, [name])
    assert found
    for table in found:
        assert table.rows
        assert table.measured
        assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_what_has_nothing_to_show_says_what_it_needs(results_of, long_frame) -> None:
    with pytest.raises(UnknownName, match="Did you mean standings"):
        figure_kind("standing")
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}))
    with pytest.raises(MvarenaError, match=r"nothing to show in the table 'ranks'; it needs two methods or more"):
        tables_of(results, ["ranks"])
    with pytest.raises(MvarenaError, match=r"nothing to show in the figure 'rate'"):
        list(figures_of(results, ["rate"]))


def test_no_number_stands_for_what_did_not_finish(everything) -> None:
    done = everything.scores[everything.scores["value"].notna()]
    finished = set(zip(done["algorithm"], done["dataset"], done["metric"], strict=True))
    for table in tables_of(everything, ["results", "paper"]):
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                if column.dataset and (row.name.partition(" ")[0], column.dataset, column.metric) not in finished:
                    assert math.isnan(cell.mean)
                    assert not cell.text.replace(".", "").isdigit()
    board = everything.board("acc")
    assert board is not None
    row = board.table.set_index("contestant").loc["snf"]
    assert (row["finished"], row["conditions"]) == (10, 16)
    assert math.isnan(board.standings.means["snf"])


def test_a_filter_changes_what_is_shown_and_no_claim(everything, results_of) -> None:
    whole = {metric: everything.claim(everything.board(metric)) for metric in ("acc", "nmi")}
    frame = everything.scores
    filters = {
        "methods": frame["algorithm"].isin(["apmc", "snf"]),
        "data and rate": frame["dataset"].isin(["set-0", "set-1", "set-2"]) & (frame["rate"] == 0.1),
        "finished": frame["status"] == "DONE",
    }
    ((_, _, in_time), *_) = figures_of(everything, ["pareto"])
    for name, shown in filters.items():
        part = ReportData(scores=frame.assign(shown=shown), context=everything.context, metrics=["acc", "nmi"])
        assert {metric: part.claim(part.board(metric)) for metric in whole} == whole, name
        assert part.board("acc").table.equals(everything.board("acc").table), name
        assert set(part.summary["contestant"]) == set(part.reported.kept["contestant"])
        ((_, _, points), *_) = figures_of(part, ["pareto"])
        assert points.equals(in_time[in_time["contestant"].isin(points["contestant"])].reset_index(drop=True)), name
    only = ReportData(scores=frame.assign(shown=filters["methods"]), context=everything.context, metrics=["acc"])
    (table, *_) = tables_of(only, ["ranks"])
    assert [row.name for row in table.rows] == ["apmc", "snf"]  # in their places among all
    assert "Places are among all 11 stored methods." in table.setting


def test_each_figure_lies_beside_its_caption_and_points(everything, tmp_path) -> None:
    written = write_report(everything, tmp_path, tables=[], figures=["standings"], formats=["png"])
    stems = {path.stem for path in written}
    assert {"figure-standings-acc", "figure-standings-nmi-missing-even-0-3"} <= stems
    for stem in stems:
        assert {path.suffix for path in written if path.stem == stem} == {".png", ".md", ".tex", ".csv"}
    text = (tmp_path / "figure-standings-acc.tex").read_text()
    assert r"\includegraphics[width=7in]{figure-standings-acc}" in text
    assert "ACC, all conditions, over 7 corpora" in text


def test_more_than_eight_methods_are_drawn_by_their_mean_first(everything) -> None:
    _, stem, points = next(figures_of(everything, ["rate"]))
    assert stem == "figure-rate-acc-mean"
    assert points["title"].unique().tolist() == ["mean over 8 data sets"]
    assert not {"snf", "pvc"} & set(points["contestant"])  # which lack a number somewhere
    assert "5 methods without a result" in points["left_out"].iloc[0]


def test_scaling_is_of_one_source_at_several_sizes(everything) -> None:
    _, stem, points = next(figures_of(everything, ["scaling"]))
    assert stem == "figure-scaling-set-6-missing-even"
    assert sorted(points["n_samples"].unique()) == [6400, 12800]


def test_the_lowest_error_comes_first_and_a_failure_last(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for dataset in ("set-1", "set-2"):
        at = {"dataset": dataset, "content": dataset}
        for place, name in enumerate((*METHODS, "concat-best")):
            builder.trial(name, {"error": [0.9 - 0.05 * place]}, **at)
        builder.trial("pvc", None, status="TIMEOUT", **at)
    results = results_of(builder)
    for name in ("bars", "heatmap"):
        _, _, points = next(figures_of(results, [name]))
        axis = draw(name, points, results.looks).figure.axes[0]
        words = [label.get_text() for label in axis.get_yticklabels()]
        assert words == ["concat-best", *reversed(METHODS), "pvc"]


def rates_of_sets(new_long_frame, rates: dict[str, tuple[float, ...]], names=METHODS):
    """Methods that score their data set's number less the rate; pvc times out."""
    builder = new_long_frame()
    for place, (dataset, own) in enumerate(rates.items()):
        for rate in own:
            at = {"dataset": dataset, "content": dataset, "rate": rate}
            for name in names:
                builder.trial(name, {"acc": [0.9 - 0.2 * place - rate]}, **at)
            builder.trial("pvc", None, status="TIMEOUT", **at)
    return builder


def test_a_mean_is_over_the_same_data_sets_at_all_rates(new_long_frame, results_of) -> None:
    results = results_of(rates_of_sets(new_long_frame, {"a": (0.1, 0.3, 0.5), "b": (0.1, 0.3, 0.5), "c": (0.1, 0.3)}))
    _, _, points = next(figures_of(results, ["rate"]))
    assert points["title"].unique().tolist() == ["mean over 2 data sets"]
    assert points.loc[points["contestant"] == "apmc", "mean"].tolist() == pytest.approx([70.0, 50.0, 30.0])
    drawing = draw("rate", points, results.looks)
    assert "1 data set without all of these rates not counted." in drawing.caption
    _, _, cells = next(figures_of(results, ["heatmap"]))
    drawing = draw("heatmap", cells, results.looks)
    assert "missing-even, mean over the rates of each data set. " in drawing.caption


def test_who_has_no_value_anywhere_is_said_and_has_no_entry(new_long_frame, results_of) -> None:
    results = results_of(rates_of_sets(new_long_frame, {"a": (0.1, 0.3)}, ("apmc", "mic")))
    _, _, points = next(figures_of(results, ["rate"]))
    drawing = draw("rate", points, results.looks)
    assert [text.get_text() for text in drawing.figure.legends[0].get_texts()] == ["apmc", "mic"]
    assert "No value anywhere: pvc." in drawing.caption


def test_a_sensitivity_to_two_parameters_has_a_line_for_each_value_of_the_second(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for beta in (0.1, 1.0, 10.0, 100.0):
        for gamma in (1, 2, 3):
            builder.trial("mic", {"spread": [0.01234 * beta * gamma]}, params={"beta": beta, "gamma": gamma})
    results = results_of(builder)
    ((_, _, points),) = figures_of(results, ["sensitivity"])
    drawing = draw("sensitivity", points, results.looks)
    assert [text.get_text() for text in drawing.figure.legends[0].get_texts()] == [f"gamma = {n}" for n in (1, 2, 3)]
    (of_one, *_), axis = drawing.figure.axes[0].get_lines(), drawing.figure.axes[0]
    assert list(of_one.get_ydata()) == pytest.approx([0.001234, 0.01234, 0.1234, 1.234])
    assert [text.get_text() for text in axis.get_xticklabels()] == ["0.1", "1", "10", "100"]
    assert "deviation" not in drawing.caption


def test_long_conditions_stay_within_narrow_bars_and_equal_scores_have_whole_ticks(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for name in (*METHODS, "pvc"):
        builder.trial(name, {"acc": [0.73]}, dataset="a-data-set-of-a-long-name", corruption="missing-even+gaussian")
    results = results_of(builder)
    _, _, points = next(figures_of(results, ["bars"]))
    assert outside(draw("bars", points, results.looks, WIDTHS[0]).figure) == []
    _, _, points = next(figures_of(results, ["pareto"]))
    axis = draw("pareto", points, results.looks).figure.axes[0]
    assert axis.yaxis.get_major_formatter().get_useOffset() is False
