"""Critical-difference diagrams, comparison matrices, ratings: what they hold, and that any number of methods fits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.figure import Figure
from test_figure_kinds import outside

from mvarena.analysis.rankings import cliques, critical_difference
from mvarena.analysis.significance import signed_rank_p
from mvarena.report.drawing.critical_difference import _levels as levels
from mvarena.report.drawing.heatmap import fill_cells, luminance
from mvarena.report.figures.kinds import draw, figure_kinds
from mvarena.report.tables.kinds import table_kinds
from mvarena.report.write import write_report


def results_on(results_of, builder, n_methods: int, n_sets: int):
    rng = np.random.default_rng(0)
    for dataset in range(n_sets):
        for method in range(n_methods):
            value = 0.5 + 0.3 * (n_methods - method) / n_methods + rng.normal(0, 0.02)
            at = {"dataset": f"set{dataset}", "content": f"c{dataset}"}
            builder.trial(f"m{method:02d}", {"acc": [float(value)]}, **at)
    return results_of(builder)


@pytest.mark.parametrize("n_methods", [2, 7, 36])
@pytest.mark.parametrize("name", ["critical-difference", "comparison"])
def test_any_number_of_methods_fits(results_of, new_long_frame, name: str, n_methods: int) -> None:
    results = results_on(results_of, new_long_frame(), n_methods, 8)
    (kind,) = figure_kinds([name])
    ((stem, points),) = kind.figures(results)
    assert stem == f"figure-{name}-acc"
    assert outside(draw(name, points, results.looks)) == []


def test_of_many_methods_the_win_rates_of_the_first_are_drawn_and_it_says_so(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 117, 3)
    ((_, points),) = figure_kinds(["win-rates"])[0].figures(results)
    figure = draw("win-rates", points, results.looks)
    assert len(figure.axes[0].get_yticks()) == 110
    assert not figure.axes[0].texts  # colours and a scale in place of numbers
    assert figure.axes[1].get_xlim() == (0, 100)
    assert "the 7 methods of worse mean rank are not shown" in figure.get_supxlabel()
    assert points["first"].nunique() == 117
    assert outside(figure) == []


@pytest.mark.parametrize("name", ["comparison", "win-rates", "heatmap"])
def test_names_of_any_length_leave_cells_their_room(results_of, new_long_frame, name: str) -> None:
    def width_of_cells(method: str) -> float:
        builder = new_long_frame()
        for number, dataset in product(range(3), ("x", "y")):
            at = {"dataset": f"{dataset} of {method}", "content": dataset}
            builder.trial(f"{method}{number}", {"acc": [0.5 + 0.1 * number]}, **at)
        results = results_of(builder)
        figure = draw(name, next(iter(figure_kinds([name])[0].figures(results)))[1], results.looks)
        assert outside(figure) == []
        return figure.axes[0].get_position().width * figure.get_figwidth()

    assert width_of_cells("methods-of-" * 6) >= 0.8 * width_of_cells("m")


def test_the_pairs_are_those_of_the_values(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 4, 9)
    (kind,) = figure_kinds(["comparison"])
    points = next(iter(kind.figures(results)))[1]
    wide = results.summary.pivot(index="dataset", columns="contestant", values="mean")
    assert len(points) == 6
    for row in points.itertuples():
        gains = wide[row.first] - wide[row.second]
        assert row.gain == pytest.approx(100 * gains.mean())
        assert row.p == pytest.approx(signed_rank_p(gains))
        assert (row.wins, row.losses) == ((gains > 0).sum(), (gains < 0).sum())


def test_a_caption_says_what_may_be_claimed_and_on_how_many_data_sets(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 3, 4)
    (kind,) = table_kinds(["ratings"])
    (table,) = kind.tables(results)
    assert "over 4 data sets" in table.title
    assert "Over 4 data sets nothing can be claimed with fewer than 6 corpora." in table.caption
    figure = draw(
        "critical-difference", next(iter(figure_kinds(["critical-difference"])[0].figures(results)))[1], results.looks
    )
    assert "4 data sets" in figure.axes[0].get_title()
    assert "nothing can be claimed" in figure.get_supxlabel().replace("\n", " ")


def test_what_ground_truth_picked_takes_no_part(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset in "xyz":
        for method, value in (("a", 0.5), ("b", 0.4)):
            builder.trial(method, {"acc": [value]}, dataset=dataset, content=dataset)
        for view, value in (("one", 0.9), ("two", 0.8)):
            at = {"dataset": dataset, "content": dataset, "picks_by_labels": "view"}
            builder.trial("bsv", {"acc": [value]}, params={"view": view}, **at)
    assert results_of(builder).standings["acc"].contestants == ("a", "b")


def test_one_data_set_has_no_standings_and_says_why_when_asked(results_of, new_long_frame, tmp_path) -> None:
    results = results_on(results_of, new_long_frame(), 3, 1)
    assert results.standings == {}
    with pytest.raises(Exception, match="the same two data sets or more"):
        write_report(results, tmp_path, figures=("critical-difference",), tables=())


def test_points_are_written_beside_the_figure(results_of, new_long_frame, tmp_path) -> None:
    write_report(results_on(results_of, new_long_frame(), 3, 7), tmp_path, figures=("critical-difference",), tables=())
    written = pd.read_csv(tmp_path / "figure-critical-difference-acc.csv")
    assert written["mean_rank"].is_monotonic_increasing
    assert {"rating", "low", "high", "claim"} <= set(written.columns)


def test_the_table_of_ranks_and_the_diagram_say_the_same(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    results_on(results_of, builder, 4, 6)
    builder.trial("m00", None, dataset="set0", content="c0", status="TIMEOUT", repeat=1)
    results = results_of(builder)
    (table,) = table_kinds(["ranks"])[0].tables(results)
    figures = figure_kinds(["critical-difference"])[0].figures(results)
    for column, (_, points) in enumerate(figures):
        shown = dict(zip(points["contestant"], points["mean_rank"], strict=True))
        assert {row.name: row.cells[column].mean for row in table.rows} == pytest.approx(shown)
    assert [column.head for column in table.columns] == ["ACC", "ACC, finished only (6 data sets)"]
    assert table.rows[0].cells[0].mean > table.rows[0].cells[1].mean  # once last, though it is the best


@pytest.mark.slow
def test_two_hundred_methods_are_reported(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 200, 3)
    for kind in table_kinds(["ranks", "ratings", "wins", "against-first", "datasets"]):
        (table, *_) = kind.tables(results)
        assert len(table.rows) >= 199
    for name in ("critical-difference", "comparison"):
        ((_, points),) = figure_kinds([name])[0].figures(results)
        assert outside(draw(name, points, results.looks)) == []


def test_the_table_against_the_first_has_the_tests_of_all_pairs(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 4, 9)
    (table,) = table_kinds(["against-first"])[0].tables(results)
    ((_, points),) = figure_kinds(["comparison"])[0].figures(results)
    first = points[points["first"] == points["first"].iloc[0]].set_index("second")
    heads = [column.metric for column in table.columns]
    for row in table.rows:
        values = dict(zip(heads, (cell.mean for cell in row.cells), strict=True))
        assert values["p"] == pytest.approx(first.loc[row.name, "p"])
        assert 100 * values["gain"] == pytest.approx(first.loc[row.name, "gain"])
        assert values["better"] + values["equivalent"] + values["worse"] == pytest.approx(1)
    assert "P(within 1 point)" in [column.head for column in table.columns]


def test_the_bars_of_both_tests_are_those_of_the_cliques(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 5, 12)
    ((_, points),) = figure_kinds(["critical-difference"])[0].figures(results)
    table = results.standings["acc"]
    for method, column in (("wilcoxon-holm", "cliques"), ("nemenyi", "nemenyi")):
        found = cliques(table, method)
        for row in points.itertuples():
            assert {int(one) for one in getattr(row, column).split()} == {
                number for number, group in enumerate(found) if row.contestant in group
            }
    assert points["critical_difference"].unique() == pytest.approx([critical_difference(5, 12)])


def test_numbers_of_a_matrix_have_equally_many_decimals(results_of, new_long_frame) -> None:
    results = results_on(results_of, new_long_frame(), 7, 8)
    ((_, points),) = figure_kinds(["comparison"])[0].figures(results)
    points = points.assign(gain=points["gain"].round(1), first_value=points["first_value"].round(1))
    axis = draw("comparison", points, results.looks).axes[0]
    heads = [label.get_text().split("\n")[1] for label in axis.get_yticklabels()]
    gains = [text.get_text().split("\n")[0] for text in axis.texts]
    assert {len(number.partition(".")[2]) for number in (*heads, *gains)} == {2}


@given(arrays(float, (3, 4, 3), elements=st.floats(0, 1)))
def test_words_stand_out_on_every_colour(cells) -> None:
    axis = Figure().subplots()
    for row, words in zip(cells, fill_cells(axis, cells), strict=True):
        for colour, word in zip(row, words, strict=True):
            own, other = (
                contrast(luminance(colour), written) for written in ((0.0, 1.0) if word == "k" else (1.0, 0.0))
            )
            assert own >= 4.5
            assert own >= other - 0.05


def contrast(one: float, other: float) -> float:
    """Of two luminances, as the Web Content Accessibility Guidelines define it."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_luminance_is_that_of_the_standard() -> None:
    # black, white, and the three primaries, whose luminances are the weights of the standard
    colours = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    assert luminance(colours) == pytest.approx([0.0, 1.0, 0.2126, 0.7152, 0.0722])
    assert luminance(np.full(3, 0x77 / 255)) == pytest.approx((1.05 / 4.48) - 0.05, abs=1e-3)  # #777: 4.48 to white


def test_of_one_corpus_no_interval_and_no_deviation_is_shown(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset in ("x", "y"):
        for name, value in (("apmc", 0.9), ("concat", 0.5)):
            builder.trial(name, {"acc": [value]}, dataset=dataset, content=dataset, corpus="one")
    results = results_of(builder)
    (rated,), (ranked,) = (table_kinds([kind])[0].tables(results) for kind in ("ratings", "ranks"))
    assert [[cell.text for cell in row.cells[1:3]] for row in rated.rows] == [["–", "–"]] * 2
    assert any(note.startswith("No interval is shown where") for note in rated.notes)
    assert "95 %" not in rated.caption
    assert all(cell.deviation == "" for row in ranked.rows for cell in row.cells)
    assert "±" not in ranked.caption


def test_bars_that_another_one_holds_are_left_out_and_the_others_share_levels() -> None:
    ranks = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    points = pd.DataFrame({"mean_rank": ranks, "cliques": ["0", "0 1", "1 2", "2", "3", "3"]})
    assert levels(points, 6, 6.0, "cliques") == [[(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)], [(2.0, 3.0)]]
    # four on the scale: of the groups that go on below it, the one that begins first
    points = points.assign(cliques=["0", "0 1", "0 1 2", "0 1 2", "1 2", "2"])
    assert levels(points, 6, 6.0, "cliques") == [[(1.0, 4.0)], [(2.0, 5.0)], [(3.0, 6.0)]]
    assert levels(points, 4, 4.5, "cliques") == [[(1.0, 4.0)]]
    points = points.assign(cliques=["", "0", "0", "0", "0", "0"])
    assert levels(points, 4, 4.5, "cliques") == [[(2.0, 4.5)]]
    assert levels(points, 1, 1.5, "cliques") == []
    assert levels(points.assign(cliques=""), 6, 6.0, "cliques") == []


def test_names_are_not_broken_at_their_hyphens(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset, method in product(range(6), range(40)):
        at = {"dataset": f"set{dataset}", "content": f"c{dataset}"}
        builder.trial(f"a-method-with-hyphens-{method:02d}", {"acc": [0.9 - method / 50]}, **at)
    results = results_of(builder)
    ((_, points),) = figure_kinds(["critical-difference"])[0].figures(results)
    figure = draw("critical-difference", points, results.looks)
    assert all(f"a-method-with-hyphens-{number}" in figure.get_supxlabel() for number in range(20, 40))
