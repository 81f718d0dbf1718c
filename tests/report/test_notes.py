"""The notes below a table name what is wrong, and where."""

from __future__ import annotations


def test_notes_name_the_rates_they_are_about(tables_of, study) -> None:
    table = tables_of(study)[0]
    assert (*table.notes, *table.warnings) == (
        "* picked by ground truth, which no user without labels could do; shown for reference and not ranked among "
        "the others: bsv-kmeans (view=fou).",
        "concat at 0.5: 2 x TIMEOUT: exceeded 600 s.",
        "pvc: 2 x SKIPPED: pvc takes two views.",
    )


def test_a_choice_that_changes_with_the_rate_is_said_for_each(tables_of, long_frame) -> None:
    for rate, scores in ((0.1, (0.9, 0.8)), (0.3, (0.9, 0.8)), (0.5, (0.1, 0.2))):
        for view, score in zip(("fou", "fac"), scores, strict=True):
            long_frame.trial("bsv", {"acc": [score]}, params={"view": view}, picks_by_labels="view", rate=rate)
    (note,) = tables_of(long_frame)[0].notes
    assert note.endswith("bsv (view=fou at 0.1 and 0.3, view=fac at 0.5).")


def test_best_restarts_are_said(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5, 0.6]}, protocol="oracle", pick="best-by-labels")
    assert tables_of(long_frame)[0].notes[0].endswith("a (the best restart).")


def test_trials_left_out_and_unscored_are_said(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5, 0.5]}).trial("a", {"acc": [0.5]}).trial("b", None, status="DONE")
    assert tables_of(long_frame)[0].notes == (
        "a: 1 stored trial left out, because the same repeat is stored again, finished or with more restarts.",
        "b: finished trials without ACC; 'mvarena score' adds what is missing.",
    )


def test_a_parameter_of_any_kind_can_be_picked(tables_of, long_frame) -> None:
    for sigma, score in ((None, 0.4), (0.5, 0.6), (10, 0.5)):
        long_frame.trial("bsv", {"acc": [score]}, params={"sigma": sigma, "m": 1}, picks_by_labels="sigma")
    (table,) = tables_of(long_frame)
    assert [row.head for row in table.rows] == ["bsv *"]
    assert table.notes[0].endswith("bsv (sigma=0.5).")


def test_notes_call_contestants_as_their_rows_do(tables_of, long_frame) -> None:
    for m in (7, 10):
        long_frame.trial("labelled", None, params={"m": m}, status="TIMEOUT", reason="600 s")
    (table,) = tables_of(long_frame)
    assert [row.head for row in table.rows] == ["A Labelled One (m=7)", "A Labelled One (m=10)"]
    assert table.warnings == tuple(f"{row.head}: 1 x TIMEOUT: 600 s." for row in table.rows)


def test_contestants_that_saw_other_masks_are_named(tables_of, long_frame) -> None:
    for repeat in range(3):
        long_frame.trial("a", {"acc": [0.5]}, repeat=repeat).trial("b", {"acc": [0.5]}, repeat=repeat)
    long_frame.trial("c", {"acc": [0.5]}, repeat=0)
    (table,) = tables_of(long_frame)
    assert table.notes == (
        "Not paired, as masks, draws and starts differ between repeats: a and b 0-2 of seed 0; c 0 of seed 0.",
    )


def test_other_masks_at_some_rates_are_said_for_these(tables_of, long_frame) -> None:
    for rate, repeats in ((0.1, 2), (0.3, 1)):
        for repeat in range(2):
            long_frame.trial("a", {"acc": [0.5]}, repeat=repeat, rate=rate)
        for repeat in range(repeats):
            long_frame.trial("b", {"acc": [0.5]}, repeat=repeat, rate=rate)
    assert tables_of(long_frame)[0].notes == (
        "Not paired, as masks, draws and starts differ between repeats: a 0-1 of seed 0 at 0.3; b 0 of seed 0 at 0.3.",
    )


def test_a_contestant_without_numbers_is_compared_with_nobody(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, repeat=0).trial("b", None, status="SKIPPED", reason="two views", repeat=1)
    assert not any("Not paired" in note for note in tables_of(long_frame)[0].notes)
