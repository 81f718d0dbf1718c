"""Figures of 250 methods on 40 data sets: every kind is drawn without a warning, within the bounds of an image."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from test_figure_kinds import BY_NAME, drawn_trial, fits_of, followed, holes, picks, under_another_scaling

from mvarena.report.drawing.canvas import DPI, MOST_PIXELS
from mvarena.report.figures.kinds import KINDS, draw
from mvarena.report.style import Looks

N_METHODS, N_DATASETS = 250, 40
_OF_ONE = ("missing", "embedding", "affinity")  # show one trial or data set, however many there are


@pytest.fixture(scope="module")
def crowd(new_long_frame, results_of):
    """Every method on every data set: half of these as they are, the others at two rates; a tenth failed."""
    builder, rng = new_long_frame(), np.random.default_rng(0)
    quality = rng.normal(0.6, 0.1, N_METHODS)
    for dataset in range(N_DATASETS):
        name = f"a-data-set-{dataset}"
        conditions = [("none", 0.0)] if dataset % 2 else [("missing-even", 0.1), ("missing-even", 0.3)]
        for corruption, rate in conditions:
            scores = np.clip(quality + rng.normal(0, 0.05, N_METHODS), 0, 1)
            for method in range(N_METHODS):
                at = {"dataset": name, "content": name, "corruption": corruption, "rate": rate}
                if rng.random() < 0.1:
                    builder.trial(f"a-method-{method}", None, status="TIMEOUT", reason="too slow.", **at)
                else:
                    seconds = float(np.exp(rng.normal(0, 1)))
                    builder.trial(f"a-method-{method}", {"acc": [float(scores[method])]}, wall_s=seconds, **at)
    for alpha in (0.1, 1.0, 10.0):
        for dataset in range(N_DATASETS):
            name = f"a-data-set-{dataset}"
            builder.trial("mic", {"acc": [0.5]}, params={"alpha": alpha}, dataset=name, content=name, rate=0.3)
    sizes = {f"a-data-set-{number}": 100 + 10 * number for number in range(N_DATASETS)}
    for views in ("one", "two", "three", "one,two", "one,three", "two,three", "one,two,three"):
        sizes[f"parts[{views}]"] = 100
        for method in range(N_METHODS):
            at = {"dataset": f"parts[{views}]", "content": views, "corruption": "none", "rate": 0.0}
            builder.trial(f"a-method-{method}", {"acc": [float(rng.random())]}, **at)
    frame = builder.frame()
    done = frame[frame["dataset"] == "a-data-set-1"]["key"].unique()
    regrets = [(f"picker-{number}", f"a-data-set-{number % N_DATASETS}", 0.01 * number) for number in range(60)]
    return results_of(
        builder,
        metrics=["acc"],
        stored=under_another_scaling(frame),
        fits=fits_of(frame, sizes),
        picks=picks(*regrets),
        patterns=holes("a-data-set-0", 0.3),
        drawn=[drawn_trial()],
        followed={key: followed(seed) for seed, key in enumerate(done)},
    )


@pytest.mark.slow
def test_no_side_is_longer_than_an_image_may_be(crowd) -> None:
    for name in (kind.name for kind in KINDS if kind.name not in _OF_ONE):
        figures, _ = BY_NAME[name].first_figures(crowd)
        assert figures, name
        for _, points in figures[:2]:
            figure = draw(name, points, crowd.looks)
            FigureCanvasAgg(figure).draw()
            assert max(figure.get_size_inches()) * DPI <= MOST_PIXELS, name


@pytest.mark.slow
def test_courses_of_methods_that_all_stand_back_have_as_many_panels_as_fit(crowd) -> None:
    _, points = next(BY_NAME["convergence"].figures(crowd))
    back = Looks(looks=crowd.looks.looks, muted=frozenset(points["contestant"]))
    figure = draw("convergence", points, back)
    assert max(figure.get_size_inches()) * DPI <= MOST_PIXELS
    assert "more panels do not fit: choose with --algo" in " ".join(figure.legends[0].get_title().get_text().split())
