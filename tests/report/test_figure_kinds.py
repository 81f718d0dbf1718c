"""Each kind of figure: what its points are, that it is drawn whole, and what is said where there is nothing to show."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg

from mvarena.analysis.picking import PICKED_COLUMNS
from mvarena.data import MultiViewData, View
from mvarena.engine.replay import Space
from mvarena.errors import MvarenaError, UnknownName
from mvarena.report.drawing.canvas import image_bytes
from mvarena.report.drawing.heatmap import families_of
from mvarena.report.figures.convergence import MOST_POINTS
from mvarena.report.figures.kinds import KINDS, draw, figure_kinds
from mvarena.report.style import Looks
from mvarena.report.trial_data import DrawnTrial, Followed, patterns
from mvarena.report.write import write_report
from mvarena.store.frames import FIT_COLUMNS

BY_NAME = {kind.name: kind for kind in KINDS}


def fits_of(frame: pd.DataFrame, sizes: dict[str, int], n_values: int = 5) -> pd.DataFrame:
    """Every finished trial fell from 1 by halves; data sets have these sizes."""
    done = frame[frame["status"] == "DONE"].drop_duplicates("key")
    course = tuple(0.5**i for i in range(n_values))
    rows = [
        (key, sizes[dataset], n_values - 1, True, "", course, {}, math.nan)
        for key, dataset in zip(done["key"], done["dataset"], strict=True)
    ]
    return pd.DataFrame(rows, columns=list(FIT_COLUMNS)).astype({"n_samples": "Int64"})


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


@pytest.fixture(scope="module")
def everything(new_long_frame, results_of):
    """Two data sets of 100 and 400 samples at two rates, one more at a single one; mic with three values of beta."""
    builder = new_long_frame()
    draw_of = np.random.default_rng(0)
    for dataset, n, rates in (("digits", 100, (0.1, 0.3)), ("toy", 400, (0.1, 0.3)), ("alone", 50, (0.3,))):
        for rate in rates:
            for repeat in (0, 1):
                at = {"dataset": dataset, "content": dataset, "rate": rate, "repeat": repeat, "wall_s": (n / 100) ** 2}
                scores = {metric: list(0.6 - rate + 0.1 * draw_of.random(2)) for metric in ("acc", "nmi")}
                builder.trial("apmc", scores, **at)
                builder.trial("concat", scores, **at | {"wall_s": 0.01 * n / 100})
                for beta in (0.1, 1.0, 10.0):
                    builder.trial("mic", scores, params={"beta": beta}, **at)
                if dataset == "toy":
                    builder.trial("pvc", status="SKIPPED", reason="pvc takes two views.", **at)
    fits = fits_of(builder.frame(), {"digits": 100, "toy": 400, "alone": 50})
    picked = picks(
        ("oracle", "digits", 0.0), ("random", "digits", 0.2), ("random", "toy", 0.1), ("default", "toy", np.nan)
    )
    more = {"fits": fits, "picks": picked, "patterns": holes("toy", 0.3), "drawn": [drawn_trial()]}
    more["followed"] = {key: followed(seed) for seed, key in enumerate(builder.frame()["key"].unique())}
    return results_of(builder, stored=under_another_scaling(builder.frame()), **more)


def followed(seed: int, n: int = 60) -> Followed:
    """Three clusters of which the second lives longest and the first shortest, some samples last seen alive."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    time = rng.exponential(np.array([1.0, 30.0, 5.0])[labels])
    return Followed("c0ffee00", labels, time, rng.random(n) < 0.8, 0.03, "days")


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
        if min(box.x0, box.y0, edge.width - box.x1, edge.height - box.y1) < -1.5
    ]


@pytest.mark.parametrize("name", sorted(set(BY_NAME) - {"subsets"}))  # test_subset_figures.py draws these
def test_each_kind_is_drawn_whole_and_the_same_every_time(everything, name: str) -> None:
    stem, points = next(BY_NAME[name].figures(everything))
    figure = draw(name, points, everything.looks)
    assert stem.startswith("figure-")
    assert outside(figure) == []
    assert image_bytes(figure, "png") == image_bytes(draw(name, points, everything.looks), "png")


def test_a_kind_of_figure_is_known_by_its_name() -> None:
    with pytest.raises(UnknownName, match=r"no kind of figure called 'paretto'\. Did you mean pareto"):
        figure_kinds(["rate", "paretto"])


def test_embedded_fonts_in_pdf(everything) -> None:
    _, points = next(BY_NAME["heatmap"].figures(everything))
    pdf = image_bytes(draw("heatmap", points, everything.looks), "pdf")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


@pytest.mark.parametrize("name", sorted(set(BY_NAME) - {"bars"}))
def test_one_trial_has_a_bar_and_nothing_else(results_of, long_frame, name: str, tmp_path) -> None:
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}, corruption="none", rate=0.0), metrics=["acc"])
    assert list(BY_NAME[name].figures(results)) == []
    with pytest.raises(MvarenaError, match=f"nothing to show in the figure '{name}'; it needs .{{10}}"):
        write_report(results, tmp_path, figures=[name], tables=[])
    assert list(tmp_path.iterdir()) == []
    assert [stem for stem, _ in BY_NAME["bars"].figures(results)] == ["figure-bars"]


def test_a_single_condition_is_a_bar_with_its_data_set_and_no_lone_dot(results_of, long_frame) -> None:
    for name, score in (("apmc", 0.5), ("concat", 0.25)):
        long_frame.trial(name, {"acc": [score]}, corruption="none", rate=0.0)
    results = results_of(long_frame, metrics=["acc"])
    ((_, points),) = BY_NAME["bars"].figures(results)
    (axis,) = draw("bars", points, results.looks).axes
    assert [label.get_text() for label in axis.get_xticklabels()] == ["digits"]
    assert sorted(bar.get_height() for bar in axis.patches) == [25.0, 50.0]
    assert axis.get_ylim()[0] == 0.0
    assert axis.get_title() == ""
    assert len({(bar.get_hatch(), bar.get_facecolor()) for bar in axis.patches}) == 2


def test_many_methods_lie_down_with_their_names(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for i in range(35):
        builder.trial(f"m{i:02d}", {"acc": [0.9 - i / 100]}, rate=0.3)
    results = results_of(builder, metrics=["acc"])
    ((_, points),) = BY_NAME["bars"].figures(results)
    figure = draw("bars", points, results.looks)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == [*(f"m{i:02d}" for i in range(20)), "15 others"]
    (strokes,) = figure.axes[0].lines[-1:]
    assert sorted(strokes.get_xdata()) == pytest.approx([90.0 - i for i in range(34, 19, -1)])
    assert "the 15 methods of lower mean rank: one tick each" in " ".join(figure.get_supxlabel().split())
    assert outside(figure) == []


def test_memory_is_that_of_the_process_from_zero_and_has_no_power(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for dataset, peak in (("small", 200.0), ("large", 260.0)):
        builder.trial("apmc", {"acc": [0.5]}, dataset=dataset, content=dataset, peak_rss_mb=peak)
    results = results_of(builder, fits=fits_of(builder.frame(), {"small": 100, "large": 400}))
    ((_, points),) = BY_NAME["scaling"].figures(results)
    memory = points[points["quantity"] == "peak_rss_mb"]
    assert memory["value"].tolist() == [200.0, 260.0]
    assert memory["slope"].isna().all()
    _, axis = draw("scaling", points, results.looks).axes
    assert (axis.get_ylabel(), axis.get_ylim()[0]) == ("peak memory of the process (MiB)", 0.0)
    higher = points.assign(value=points["value"].where(points["n_samples"] < 400, points["value"] * 100))
    assert draw("scaling", higher, results.looks).axes[1].get_yscale() == "log"


def test_memory_is_above_that_of_the_started_process_where_it_is_stored(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for dataset, peak in (("small", 150.0), ("large", 260.0)):
        builder.trial("apmc", {"acc": [0.5]}, dataset=dataset, content=dataset, peak_rss_mb=peak)
    fits = fits_of(builder.frame(), {"small": 100, "large": 400})
    for started, axis, memory in (
        ([150.0, 140.0], "memory above start (MiB)", [0.1, 120.0]),
        ([150.0, math.nan], "peak memory of the process (MiB)", [150.0, 260.0]),
    ):
        results = results_of(builder, fits=fits.assign(started_mb=started))
        ((_, points),) = BY_NAME["scaling"].figures(results)
        assert points.loc[points["quantity"] == "peak_rss_mb", "value"].tolist() == pytest.approx(memory)
        assert draw("scaling", points, results.looks).axes[1].get_ylabel() == axis


def test_points_of_rates_and_bars_are_apart(everything) -> None:
    assert set(BY_NAME["rate"].points(everything)["dataset"]) == {"digits", "toy"}
    assert set(BY_NAME["bars"].points(everything)["dataset"]) == {"alone"}


def test_the_slope_is_the_power_of_n(everything) -> None:
    points = BY_NAME["scaling"].points(everything)
    slopes = points[points["quantity"] == "wall_s"].groupby("contestant")["slope"].first()
    assert slopes["apmc"] == pytest.approx(2.0)
    assert slopes["concat"] == pytest.approx(1.0)


def test_nobody_on_the_front_is_dominated_and_all_others_are(everything) -> None:
    points = BY_NAME["pareto"].points(everything)
    for _, part in points.groupby(["dataset", "metric"]):
        for row in part.itertuples():
            rivals = part[(part["wall_s"] <= row.wall_s) & (part["mean"] >= row.mean)]
            better = rivals[(rivals["wall_s"] < row.wall_s) | (rivals["mean"] > row.mean)]
            assert row.on_front == better.empty


def test_what_ground_truth_picked_is_on_no_front_and_beats_nobody(results_of, long_frame) -> None:
    for view, score in (("x", 0.9), ("y", 0.8)):
        long_frame.trial("bsv", {"acc": [score]}, params={"view": view}, picks_by_labels="view", wall_s=0.1)
    long_frame.trial("apmc", {"acc": [0.5]}, wall_s=1.0)
    points = BY_NAME["pareto"].points(results_of(long_frame)).set_index("contestant")
    assert points["on_front"].to_dict() == {"apmc": True, "bsv": False}


def test_heat_maps_hold_means_over_rates_or_words(everything) -> None:
    points = BY_NAME["heatmap"].points(everything)
    cell = points[(points["contestant"] == "apmc") & (points["dataset"] == "toy") & (points["metric"] == "acc")]
    rates = everything.summary.query("contestant == 'apmc' and dataset == 'toy' and metric == 'acc'")
    values = everything.values.query("contestant == 'apmc' and dataset == 'toy' and metric == 'acc'")
    assert len(rates) == 2
    assert cell["mean"].iloc[0] == pytest.approx(100 * values["value"].mean())
    assert set(points.loc[points["contestant"] == "pvc", "shown"]) == {"skipped"}


def test_convergence_has_the_whole_course_from_iteration_zero(everything) -> None:
    points = BY_NAME["convergence"].points(everything)
    course = points.query("contestant == 'apmc' and dataset == 'toy' and rate == 0.1")
    assert course["iteration"].tolist() == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(course["objective"], 0.5 ** np.arange(5))


def test_a_long_course_is_thinned_and_keeps_its_ends(results_of, long_frame) -> None:
    frame = long_frame.trial("apmc", {"acc": [0.5]}).frame()
    fits = fits_of(frame, {"digits": 10}, n_values=5000).assign(n_iter=5000)
    points = BY_NAME["convergence"].points(results_of(long_frame, fits=fits))
    assert len(points) == MOST_POINTS
    assert (points["iteration"].iloc[0], points["iteration"].iloc[-1]) == (1, 5000)


def test_one_parameter_is_a_line_per_rate(everything) -> None:
    points = BY_NAME["sensitivity"].points(everything)
    assert set(points["algorithm"]) == {"mic"}
    assert set(points["form"]) == {"lines"}
    digits = points.query("dataset == 'digits' and metric == 'acc'")
    assert set(digits["line"]) == {"rate 0.1", "rate 0.3"}
    row = digits[(digits["value"] == "0.1") & (digits["line"] == "rate 0.3")].iloc[0]
    known = everything.summary.query("contestant == 'mic (beta=0.1)' and dataset == 'digits' and metric == 'acc'")
    assert row["mean"] == pytest.approx(100 * known[known["rate"] == 0.3]["mean"].iloc[0])


def grid(new_long_frame, results_of, **values):
    builder = new_long_frame()
    names = list(values)
    for first in values[names[0]]:
        for second in values[names[1]]:
            score = 0.5 if not isinstance(first, float) else 0.3 + 0.01 * first
            builder.trial("mic", {"acc": [score]}, params={names[0]: first, names[1]: second})
    return results_of(builder, metrics=["acc"])


def test_two_numbers_of_three_values_are_a_heat_map(new_long_frame, results_of) -> None:
    results = grid(new_long_frame, results_of, alpha=(0.1, 1.0, 10.0), beta=(0, 1, 2))
    ((stem, points),) = BY_NAME["sensitivity"].figures(results)
    assert (stem, set(points["form"])) == ("figure-sensitivity-mic-alpha-beta", {"grid"})
    (axis,) = draw("sensitivity", points, results.looks).axes
    shown = {text.get_text() for text in axis.texts}
    assert shown == {"30.1", "31.0", "40.0"}
    colours = np.asarray(axis.images[0].get_array()).reshape(-1, 4) / 255
    for end in (0.0, 1.0):
        assert np.abs(colours - colormaps["cividis"](end)).max(axis=1).min() < 0.01


def test_a_word_makes_a_line_each(new_long_frame, results_of) -> None:
    results = grid(new_long_frame, results_of, beta=(0.1, 1.0, 10.0), scale=("one", "two"))
    ((_, points),) = BY_NAME["sensitivity"].figures(results)
    assert set(points["parameter"]) == {"beta"}
    assert set(points["line"]) == {"scale = one", "scale = two"}


def test_values_that_are_no_numbers_are_drawn(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for value in (None, True, "auto", 3):
        builder.trial("mic", {"acc": [0.5]}, params={"mode": value})
    results = results_of(builder, metrics=["acc"])
    ((_, points),) = BY_NAME["sensitivity"].figures(results)
    assert {json.dumps(one) for one in (None, True, "auto", 3)} == set(points["value"])
    (axis,) = draw("sensitivity", points, results.looks).axes
    assert sorted(label.get_text() for label in axis.get_xticklabels()) == ["3", "True", "auto", "none"]


def test_regret_has_a_mean_and_each_data_set(everything) -> None:
    points = BY_NAME["regret"].points(everything)
    mean = points[points["dataset"] == ""].set_index("picker")["regret"]
    assert mean["random"] == pytest.approx(15.0)
    assert math.isnan(mean["default"])
    assert list(dict.fromkeys(points["picker"])) == ["oracle", "random", "default"]


def test_infinite_and_missing_objectives_do_not_stop_a_figure(results_of, long_frame) -> None:
    frame = long_frame.trial("apmc", {"acc": [0.5]}).frame()
    for course in ((math.nan, math.inf), (1e-80, 1.0, -math.inf), (5.0, 5.0)):
        fits = fits_of(frame, {"digits": 10}).assign(objective=[course])
        results = results_of(long_frame, fits=fits)
        image_bytes(draw("convergence", BY_NAME["convergence"].points(results), results.looks), "svg")


def test_unasked_a_report_draws_a_dozen_of_a_kind_and_says_so(results_of, new_long_frame, tmp_path) -> None:
    names, frame = [f"set-{number}" for number in range(1, 21)], new_long_frame()
    for name in names:
        for rate in (0.1, 0.3):
            frame.trial("apmc", {"acc": [0.5], "nmi": [0.4]}, rate=rate, dataset=name)
    several = results_of(frame)
    first, count = BY_NAME["rate"].first_figures(several)
    every = list(BY_NAME["rate"].figures(several))
    assert [stem for stem, _ in first] == ["figure-acc-by-rate", "figure-nmi-by-rate"]  # 40 panels are too many
    assert [stem for stem, _ in every] == [*(stem for stem, _ in first), "figure-by-rate"]
    assert count == 3
    assert list(dict.fromkeys(first[0][1]["dataset"])) == names  # set-2 before set-10
    said: list[tuple[str, int, int]] = []
    followed: list[tuple[int, int]] = []
    write_report(several, tmp_path, tables=[], on_left_out=lambda *one: said.append(one), formats=["svg"],
                 on_figure=lambda *one: followed.append(one))  # fmt: skip
    assert said == [("rate", 2, 3)]
    assert followed == [(done, followed[-1][1]) for done in range(followed[-1][1] + 1)]
    assert len(list(tmp_path.glob("*.svg"))) == followed[-1][1]


def test_families_of_many_methods_are_shown_where_there_are_several() -> None:
    families = dict(zip("abcdefghij", ["nmf", "graph"] * 5, strict=True))
    own = Looks(looks={}, muted=frozenset(), families=families)
    assert families_of(list("abcdefghij"), own) == families
    assert families_of(list("ab"), own) == {}
    assert families_of(list("abcdefghij"), Looks(looks={}, families=dict.fromkeys("abcdefghij", "nmf"))) == {}


def test_rows_of_a_heat_map_stand_by_their_mean_and_who_failed_last(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset in ("one", "two"):
        for number, name in enumerate("abcd"):
            if name == "d" and dataset == "two":
                builder.trial(name, None, status="FAILED", reason="it fell.", dataset=dataset, content=dataset)
            elif name != "c" or dataset == "one":  # c is not run on the other
                builder.trial(name, {"acc": [0.1 + 0.2 * number]}, dataset=dataset, content=dataset)
    results = results_of(builder, metrics=["acc"])
    ((_, points),) = BY_NAME["heatmap"].figures(results)
    (axis,) = draw("heatmap", points, results.looks).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["b", "c", "d", "a"]
    assert {text.get_text() for text in axis.texts} == {"10.00", "30.00", "50.00", "70.00", "failed", "–"}


def test_a_heat_map_of_very_many_cells_holds_marks_and_no_numbers(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset in range(10):
        at = {"dataset": f"d{dataset}", "content": f"d{dataset}"}
        for number in range(60):
            builder.trial(f"m{number}", {"acc": [0.2 + number / 100]}, **at)
        builder.trial("lost", None, status="TIMEOUT", reason="too slow.", **at)
    results = results_of(builder, metrics=["acc"])
    ((_, points),) = BY_NAME["heatmap"].figures(results)
    figure = draw("heatmap", points, results.looks)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert (names[0], names[-1], len(names)) == ("m59", "lost", 61)
    assert [text.get_text() for text in figure.axes[0].texts] == ["×"] * 10
    assert "× no value" in figure.get_supxlabel()
    assert outside(figure) == []
