"""Figures: what is drawn, that nothing is cut off, and that the same numbers give the same bytes."""

from __future__ import annotations

import io
import struct
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from mvarena.errors import MvarenaError
from mvarena.report.drawing.canvas import image_bytes
from mvarena.report.drawing.rate import by_rate
from mvarena.report.style import COLOURS, MUTED

TWELVE = ["apmc", "mic", "concat", "bsv-kmeans", *(f"method-{i}" for i in range(6)), "labelled", "apmc (n_neighbors=7)"]


def figure_of(results):
    return by_rate(results.curves, results.looks)


@pytest.fixture(scope="module")
def study_results(results_of, study):
    return results_of(study)


@pytest.fixture(scope="module")
def study_points(study_results):
    return study_results.curves


@pytest.fixture(scope="module")
def study_figure(study_results):
    return figure_of(study_results)


def method_lines(axis) -> dict[tuple[str, str], np.ndarray]:
    """Colour and marker -> the means drawn."""
    return {(to_hex(line.get_color()).upper(), line.get_marker()): line.get_ydata() for line in axis.lines}


def drawn_as(name: str, looks) -> tuple[str, str]:
    look = looks[name]
    return COLOURS[look.colour].upper(), look.marker


def texts_within(figure) -> list[str]:
    """Texts that are not wholly inside the figure, and pairs of panels whose texts overlap."""
    canvas = figure.bbox
    renderer = FigureCanvasAgg(figure).get_renderer()
    cut = []
    boxes = [axis.get_tightbbox(renderer) for axis in figure.axes if axis.axison]
    for box in [*boxes, *(legend.get_window_extent(renderer) for legend in figure.legends)]:
        if box.x0 < -1 or box.y0 < -1 or box.x1 > canvas.width + 1 or box.y1 > canvas.height + 1:
            cut.append(f"cut off: {box}")
    everything = [*boxes, *(legend.get_window_extent(renderer) for legend in figure.legends)]
    for i, box in enumerate(everything):
        cut += [f"overlap: {box} {other}" for other in everything[:i] if box.overlaps(other)]
    return cut


def many(builder, names=TWELVE, rates=(0.1, 0.3, 0.5), datasets=("digits[fou,fac]",), metrics=("acc", "nmi")):
    for dataset in datasets:
        for place, name in enumerate(names):
            for rate in rates:
                scores = {metric: [0.9 - rate / 2 - 0.03 * place, 0.88 - rate / 2 - 0.03 * place] for metric in metrics}
                builder.trial(name, scores, rate=rate, dataset=dataset)
    return builder


def test_lines_have_the_means_and_a_gap_where_a_trial_failed(study_points, study_figure, study_results) -> None:
    points = study_points
    assert [axis.get_ylabel() for axis in study_figure.axes] == ["ACC (%)", "NMI (%)"]
    lines = method_lines(study_figure.axes[0])
    drawn = lines[drawn_as("concat", study_results.looks)]
    expected = points[(points["contestant"] == "concat") & (points["metric"] == "acc")]["mean"]
    np.testing.assert_allclose(drawn, expected)
    assert np.isnan(drawn[2])


def test_a_figure_of_twelve_has_twelve_markers_and_as_many_colours_as_there_are(results_of, new_long_frame) -> None:
    drawn = list(method_lines(figure_of(results_of(many(new_long_frame()))).axes[0]))
    assert len({marker for _, marker in drawn}) == len(TWELVE)
    assert len({colour for colour, _ in drawn}) == 9


def test_of_very_many_the_best_are_in_colour_and_the_others_in_grey(results_of, new_long_frame) -> None:
    names = [f"m{i:02d}" for i in range(35)]
    results = results_of(many(new_long_frame(), names=names), metrics=["acc"])
    figure = figure_of(results)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [*names[:8], "27 others"]
    (back,) = [line for line in figure.axes[0].lines if to_hex(line.get_color()).upper() == MUTED]
    assert np.isnan(back.get_ydata()).sum() == 27  # a gap after each: no method is joined to the next
    assert np.isfinite(back.get_ydata()).sum() == 27 * results.curves["rate"].nunique()
    assert texts_within(figure) == []


def test_what_is_asked_for_stands_out(results_of, new_long_frame) -> None:
    results = results_of(many(new_long_frame(), names=TWELVE), highlight=["mic", "apmc"])
    labels = [text.get_text() for text in figure_of(results).legends[0].get_texts()]
    assert labels == ["apmc", "mic", "10 others"]
    with pytest.raises(MvarenaError, match=r"no method in these results called 'mik'\. Did you mean mic"):
        _ = results_of(many(new_long_frame()), highlight=["mik"]).looks


def test_the_legend_names_every_method_once_and_marks_the_label_picked(study_figure) -> None:
    (legend,) = study_figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["apmc", "bsv-kmeans *", "concat", "pvc"]
    assert legend.get_title().get_text() == "mean; band: ± 1 standard deviation; * chosen by ground truth"


@pytest.mark.parametrize(
    "shape",
    [
        {"names": ["apmc"], "metrics": ("acc",)},
        {"rates": tuple(np.arange(1, 10) / 10)},
        {"datasets": ("digits[fou,fac]", "3sources[bbc,guardian]", "synthetic-emvc", "x" * 30), "metrics": ("acc",)},
        {"names": [f"apmc (n_neighbors={m}, sigma=1.0, prepare=minmax,unit-rows)" for m in range(4)]},
    ],
    ids=["one method", "twelve at nine rates", "four data sets", "long names"],
)
def test_nothing_is_cut_off_and_nothing_overlaps(results_of, long_frame, shape) -> None:
    figure = figure_of(results_of(many(long_frame, **shape)))
    assert texts_within(figure) == []


def test_a_long_condition_takes_two_lines_below_its_panel(results_of, long_frame) -> None:
    results = results_of(many(long_frame, datasets=("a", "b", "c"), metrics=("acc",)))
    label = "missing rate (missing-unbalanced[shares=[1.0, 2.0, 4.0]])"
    figure = by_rate(results.curves.assign(rate_axis=label), results.looks)
    assert texts_within(figure) == []
    assert figure.axes[0].get_xlabel().replace("\n", " ") == label


def test_names_are_text_not_mathematics(results_of, long_frame) -> None:
    figure = figure_of(results_of(many(long_frame, names=["a$b$_{c}"], datasets=("$x^2", "%_&"))))
    image_bytes(figure, "svg")
    assert figure.axes[0].get_title() == "$x^2"


def test_all_failed_is_a_figure_that_says_so(results_of, long_frame) -> None:
    for rate in (0.1, 0.3):
        long_frame.trial("apmc", status="CRASHED", rate=rate)
    axis = figure_of(results_of(long_frame)).axes[0]
    assert [text.get_text() for text in axis.texts] == ["no trial gave a value"]


def test_ratios_over_decades_get_a_logarithmic_axis(results_of, long_frame) -> None:
    axis = figure_of(results_of(many(long_frame, rates=(0.01, 1.0, 100.0)))).axes[0]
    assert axis.get_xscale() == "log"
    assert [label.get_text() for label in axis.get_xticklabels()] == ["0.01", "1", "100"]


def limits(results_of, builder, metric: str, values: list[float]) -> tuple[float, float]:
    for rate in (0.1, 0.3):
        builder.trial("apmc", {metric: values}, rate=rate)
    return figure_of(results_of(builder)).axes[0].get_ylim()


def test_an_axis_ends_where_its_metric_does(results_of, new_long_frame) -> None:
    assert limits(results_of, new_long_frame(), "acc", [0.0, 1.0]) == (-3.0, 103.0)
    low, high = limits(results_of, new_long_frame(), "spread", [0.0, 30.0])
    assert -1.5 < low < 0 < 36 < high  # the band reaches from -6 to 36; nothing is above what has no highest value
    assert limits(results_of, new_long_frame(), "unheard-of", [0.0, 30.0])[0] < -6


def test_an_axis_shows_what_is_drawn_and_not_the_whole_range(results_of, long_frame) -> None:
    low, high = limits(results_of, long_frame, "acc", [0.5, 0.52])
    assert 49 < low < 50 < 52 < high < 53


def test_a_mean_past_what_its_metric_announces_stays_in_sight(results_of, long_frame) -> None:
    low, high = limits(results_of, long_frame, "acc", [1.5, -1.0, 4.0])
    assert low < 150 < high


def test_the_legend_shows_labels_in_their_order(results_of, long_frame) -> None:
    for name in ("concat", "labelled"):
        long_frame.trial(name, {"acc": [0.5]}, rate=0.1).trial(name, {"acc": [0.5]}, rate=0.3)
    (legend,) = figure_of(results_of(long_frame)).legends
    assert [text.get_text() for text in legend.get_texts()] == ["A Labelled One", "concat"]


def test_files_are_the_same_bytes_every_time(study_results, study_figure) -> None:
    again = figure_of(study_results)
    for kind in ("svg", "png"):
        first = image_bytes(study_figure, kind)
        assert first == image_bytes(study_figure, kind) == image_bytes(again, kind)


def test_files_say_nothing_of_when_they_were_made(study_figure) -> None:
    svg = image_bytes(study_figure, "svg")
    assert ElementTree.parse(io.BytesIO(svg)).getroot().tag.endswith("svg")
    assert b"dc:date" not in svg
    assert matplotlib.__version__.encode() not in svg
    png = image_bytes(study_figure, "png")
    width, height = struct.unpack(">II", png[16:24])
    assert (width, height) == tuple((study_figure.get_size_inches() * 200).round())
    assert b"Matplotlib" not in png


def test_drawing_changes_no_global_setting(study_results) -> None:
    before = dict(matplotlib.rcParams)
    image_bytes(figure_of(study_results), "svg")
    assert dict(matplotlib.rcParams) == before


def test_bands_reach_one_deviation_to_either_side(study_points, study_figure, study_results) -> None:
    line = study_points[(study_points["contestant"] == "apmc") & (study_points["metric"] == "acc")]
    colour = drawn_as("apmc", study_results.looks)[0]
    filled = [c for c in study_figure.axes[0].collections if len(c.get_facecolor())]
    bands = [c for c in filled if to_hex(c.get_facecolor()[0]).upper() == colour]
    (vertices,) = [path.vertices for path in bands[0].get_paths()]
    for row in line.itertuples():
        heights = vertices[np.isclose(vertices[:, 0], row.rate), 1]
        np.testing.assert_allclose([heights.min(), heights.max()], [row.mean - row.std, row.mean + row.std])
