"""What stands where, which is best, and what is said below."""

from __future__ import annotations

import math

import pytest

from mvarena.report.figures.standings import standings_of
from mvarena.report.tables.scores import tabulate_summary


def column(table, index: int = 0) -> dict[str, tuple[str, int]]:
    return {row.name: (row.cells[index].text, row.cells[index].rank) for row in table.rows}


def one_table(tables_of, builder, **options):
    (table,) = tables_of(builder, **options)
    return table


def test_one_rate_puts_metrics_across(tables_of, long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.70, 0.74], "nmi": [0.5, 0.5]}).trial("concat", {"acc": [0.6], "nmi": [0.7]})
    table = one_table(tables_of, long_frame)
    assert [c.head for c in table.columns] == ["ACC", "NMI"]
    cell = table.rows[0].cells[0]
    assert (cell.text, cell.deviation) == ("72.00", "2.83")  # .02 * sqrt(2)
    assert cell.shown(cell.text) == "72.00 ± 2.83"
    assert column(table, 1) == {"apmc": ("50.00", 2), "concat": ("70.00", 1)}
    assert table.rows[1].cells[0].deviation == ""


def test_several_rates_make_a_table_per_metric(tables_of, study) -> None:
    tables = tables_of(study)
    assert [(table.metric, [c.head for c in table.columns]) for table in tables] == [
        ("acc", ["0.1", "0.3", "0.5"]),
        ("nmi", ["0.1", "0.3", "0.5"]),
    ]
    assert tables[0].title == "ACC on digits by missing rate (missing-even)"
    assert tables[0].heading == "missing rate (missing-even)"


def test_equal_prints_are_equally_best(tables_of, long_frame) -> None:
    for name, value in (("a", 0.90001), ("b", 0.90004), ("c", 0.8), ("d", 0.80001), ("e", 0.7)):
        long_frame.trial(name, {"acc": [value]})
    ranks = {name: rank for name, (_, rank) in column(one_table(tables_of, long_frame)).items()}
    assert ranks == {"a": 1, "b": 1, "c": 2, "d": 2, "e": 0}


def test_lower_is_better_where_the_metric_says_so(tables_of, long_frame) -> None:
    for name, value in (("a", 0.3), ("b", 0.1), ("c", 0.2)):
        long_frame.trial(name, {"error": [value]})
    assert column(one_table(tables_of, long_frame)) == {"a": ("30.00", 0), "b": ("10.00", 1), "c": ("20.00", 2)}


def test_a_lone_contestant_is_not_the_best(tables_of, long_frame) -> None:
    assert column(one_table(tables_of, long_frame.trial("a", {"acc": [0.5]}))) == {"a": ("50.00", 0)}


def oracle(builder):
    for view, value in (("fou", 0.9), ("fac", 0.8)):
        builder.trial("bsv-kmeans", {"acc": [value]}, params={"view": view}, picks_by_labels="view")
    return builder.trial("apmc", {"acc": [0.7]}).trial("concat", {"acc": [0.6]})


def test_what_labels_picked_is_marked_and_not_ranked(tables_of, long_frame) -> None:
    table = one_table(tables_of, oracle(long_frame))
    assert column(table) == {"apmc": ("70.00", 1), "bsv-kmeans": ("90.00", 0), "concat": ("60.00", 2)}
    assert [row.head for row in table.rows] == ["apmc", "bsv-kmeans *", "concat"]
    assert any("bsv-kmeans (view=fou)" in note for note in table.notes)


def test_a_metric_that_picks_by_labels_is_marked_in_its_head_and_not_ranked(results_of, long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.7]}).trial("mic", {"acc": [0.6], "acc-best-epoch": [0.9]})
    long_frame.trial("concat", {"acc": [0.5], "acc-best-epoch": [0.8]})
    results = results_of(long_frame, metrics=["acc", "acc-best-epoch"])
    (table,) = tabulate_summary(results.summary, results.context)
    assert column(table) == {"apmc": ("70.00", 1), "concat": ("50.00", 0), "mic": ("60.00", 2)}
    assert column(table, 1) == {"apmc": ("not scored", 0), "concat": ("80.00", 0), "mic": ("90.00", 0)}
    assert [row.head for row in table.rows] == ["apmc", "concat", "mic"]
    assert "* uses labels" in table.brief
    assert not any("mvarena score" in note for note in table.notes)
    assert results.values.set_index("metric")["label_picked"].to_dict() == {"acc": False, "acc-best-epoch": True}
    assert "acc-best-epoch" not in standings_of(results.summary, results.context)


def test_it_can_be_ranked_on_request(tables_of, long_frame) -> None:
    table = one_table(tables_of, oracle(long_frame), rank_label_picked=True)
    assert column(table) == {"apmc": ("70.00", 2), "bsv-kmeans": ("90.00", 1), "concat": ("60.00", 0)}


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("TIMEOUT", "timeout"),
        ("SKIPPED", "skipped"),
        ("OUT_OF_MEMORY", "out of memory"),
        ("CRASHED", "crashed"),
        ("FAILED", "failed"),
        ("INTERRUPTED", "interrupted"),
    ],
)
def test_a_failure_is_a_word_and_a_note(tables_of, long_frame, status: str, word: str) -> None:
    long_frame.trial("a", {"acc": [0.5]}).trial("b", status=status, reason="because of this.")
    table = one_table(tables_of, long_frame)
    assert column(table) == {"a": ("50.00", 1), "b": (word, 0)}
    assert f"b: 1 x {status}: because of this." in table.warnings


def test_a_point_never_run_is_a_dash(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, rate=0.1).trial("a", {"acc": [0.4]}, rate=0.3).trial(
        "b", {"acc": [0.1]}, rate=0.1
    )
    cell = one_table(tables_of, long_frame).rows[1].cells[1]
    assert (cell.text, cell.status) == ("–", "NOT_RUN")


def test_a_mean_of_some_repeats_says_so(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5, 0.7]}, repeat=0).trial("a", status="TIMEOUT", reason="600 s", repeat=1)
    table = one_table(tables_of, long_frame)
    cell = table.rows[0].cells[0]
    assert cell.shown(cell.text) == "60.00 ± 14.14 (1/2)"
    assert (*table.notes, *table.warnings) == (
        "(a/b): mean over a of b repeats; the others gave no value.",
        "a: 1 x TIMEOUT: 600 s.",
    )


def test_nan_is_noted(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5, math.nan]}).trial("b", {"acc": [math.nan]})
    table = one_table(tables_of, long_frame)
    assert column(table) == {"a": ("50.00", 1), "b": ("NaN", 0)}
    assert (*table.notes, *table.warnings) == (
        "a: 1 value is NaN, left out of mean and standard deviation.",
        "b: 1 value is NaN, left out of mean and standard deviation.",
    )


def test_a_metric_that_ends_at_one_is_in_percent_whatever_its_values(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5], "spread": [1234.56, 1234.56], "unheard-of": [0.25]})
    long_frame.trial("b", {"acc": [-0.05], "spread": [0.1], "unheard-of": [0.5]})
    table = one_table(tables_of, long_frame, metrics=["acc", "spread", "unheard-of"])
    assert column(table, 0) == {"a": ("50.00", 1), "b": ("-5.00", 2)}
    assert column(table, 1) == {"a": ("1235", 1), "b": ("0.1", 2)}
    assert column(table, 2) == {"a": ("0.25", 2), "b": ("0.5", 1)}
    assert table.measured == "ACC in percent; Spread and unheard-of"
    assert [entry.head for entry in table.columns] == ["ACC", "Spread", "unheard-of"]


def test_rows_are_called_and_ordered_by_their_labels(tables_of, long_frame) -> None:
    for name, m in (("concat", 1), ("labelled", 10), ("labelled", 7)):
        long_frame.trial(name, {"acc": [0.5]}, params={"m": m})
    table = one_table(tables_of, long_frame)
    assert [row.head for row in table.rows] == ["A Labelled One (m=7)", "A Labelled One (m=10)", "concat"]
    assert [row.name for row in table.rows] == ["labelled (m=7)", "labelled (m=10)", "concat"]


def test_titles_use_labels(tables_of, long_frame) -> None:
    for rate in (1.0, 10.0):
        long_frame.trial("a", {"acc": [0.5]}, dataset="toy[a,b]", corruption="gaussian", rate=rate)
    table = one_table(tables_of, long_frame)
    assert table.title == "ACC on Toy Data[a,b] by signal-to-noise ratio (Gaussian)"
    assert (table.dataset, table.corruption, table.metric) == ("toy[a,b]", "gaussian", "acc")


def test_data_sets_and_corruptions_have_tables_of_their_own(tables_of, long_frame) -> None:
    for dataset, corruption in (("b", "none"), ("a", "missing-even"), ("a", "none")):
        long_frame.trial("x", {"acc": [0.5]}, dataset=dataset, corruption=corruption)
    places = [(table.dataset, table.corruption, table.title) for table in tables_of(long_frame)]
    assert places == [
        ("a", "missing-even", "a, missing-even at rate 0.3"),
        ("a", "none", "a"),
        ("b", "none", "b"),
    ]
