"""Names in any script can be drawn, with a note where no font has them."""

from __future__ import annotations

import matplotlib as mpl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import NOTE, RC, drawable, drawable_words, image_bytes
from mvarena.report.figures.rate import points
from mvarena.report.kinds import draw


def test_what_no_font_has_is_escaped_and_european_names_stay() -> None:
    assert drawable("Müller–Łódź αβ ± é") == "Müller–Łódź αβ ± é"
    assert drawable("a\ue000b") == "a\\ue000b"  # a private character, which no font of wide coverage has
    assert drawable("line\nbreak\x07") == "line break\\u0007"


@given(st.text(max_size=12))
def test_nothing_that_is_drawable_makes_matplotlib_warn(text: str) -> None:
    with mpl.rc_context(RC):  # warnings are errors here
        figure = Figure(figsize=(3, 1))
        figure.text(0, 0.5, drawable(text))
        figure.draw_without_rendering()


@pytest.mark.parametrize("name", ["人脸数据", "مجموعة", "🙂"])
def test_a_figure_of_such_names_says_when_it_escapes_them(results_of, new_long_frame, name: str) -> None:
    builder = new_long_frame()
    for rate in (0.1, 0.3):
        builder.trial(name, {"acc": [0.5]}, rate=rate, dataset=name)
    results = results_of(builder)
    shown = points(results)
    figure, caption = draw("rate", shown, results.looks)
    image_bytes(figure, "pdf")
    escaped = drawable(name) != name
    assert (NOTE in caption) == escaped
    assert figure.axes[0].get_title() == drawable(name)
    assert shown["title"].iloc[0] == name  # what is written beside the figure has the name itself


def test_a_long_label_keeps_its_ends_and_the_caption_says_where_it_is_whole():
    settings = "alpha=0.0001, beta=10.0, max_iter=200, rescale=true, tol=0.0001"
    labels = [f"one ({settings})", "two (alpha=1)"]
    drawn, of_names = drawable_words(pd.DataFrame({"label": labels}), ("label",), 7.0)
    assert list(drawn["label"]) == ["one (alpha=0.0001, beta=10.0…, rescale=true, tol=0.0001)", "two (alpha=1)"]
    assert of_names == "Shortened names are whole in the figure's .csv."
