"""The notes below a table name what is wrong, and where."""

from __future__ import annotations

from itertools import product

import numpy as np

from mvarena.report.context import context_of
from mvarena.store.cards import Cards
from mvarena.study.cards import announced_methods


def test_reasons_of_unfinished_trials_are_counted_the_most_frequent_first(tables_of, study) -> None:
    table = tables_of(study)[0]
    assert (*table.notes, *table.warnings) == (
        "* chosen by ground truth, which needs labels; shown for reference and not ranked: bsv-kmeans (view=fou).",
        "pvc: pvc takes two views; 6 trials on digits.",
        "concat: exceeded 600 s; 2 trials on digits.",
    )


def test_a_choice_that_changes_with_the_rate_is_said_for_each(tables_of, long_frame, new_long_frame) -> None:
    for rate, scores in ((0.1, (0.9, 0.8)), (0.3, (0.9, 0.8)), (0.5, (0.1, 0.2))):
        for view, score in zip(("fou", "fac"), scores, strict=True):
            long_frame.trial("bsv", {"acc": [score]}, params={"view": view}, picks_by_labels="view", rate=rate)
    (note,) = tables_of(long_frame)[0].notes
    assert note.endswith("bsv (view=fou at 0.1 and 0.3, view=fac at 0.5).")
    of_numbers = new_long_frame()
    for sigma, score in ((None, 0.4), (0.5, 0.6), (10, 0.5)):
        of_numbers.trial("bsv", {"acc": [score]}, params={"sigma": sigma, "m": 1}, picks_by_labels="sigma")
    assert tables_of(of_numbers)[0].notes[0].endswith("bsv (m=1) (sigma=0.5).")


def test_of_many_names_the_first_are_listed_and_the_others_counted(tables_of, long_frame) -> None:
    for dataset, view in product(range(9), range(9)):
        score, named = 0.9 if view == dataset else 0.5, f"set-{dataset}"
        long_frame.trial("bsv", {"acc": [score]}, params={"view": view}, picks_by_labels="view", dataset=named)
    assert tables_of(long_frame)[0].notes[0].endswith("view=5 on set-5, 3 more).")


CLASSES = np.repeat(np.arange(10), 3)


def collapsing(long_frame, name: str, n_labels: int, **more: object) -> None:
    for repeat in range(2):
        long_frame.trial(name, {"acc": [0.1]}, repeat=repeat, n_labels=n_labels, **more)


def test_a_collapse_is_said_with_its_numbers_and_of_its_own_table_alone(results_of, long_frame) -> None:
    collapsing(long_frame, "flat", 1)
    collapsing(long_frame, "half", 5)
    collapsing(long_frame, "few", 4, rate=0.5)
    collapsing(long_frame, "few", 10, rate=0.7)
    collapsing(long_frame, "flat", 10, dataset="elsewhere")
    results = results_of(long_frame, classes={"c0ffee": CLASSES})
    sentences = {(table.dataset, sentence) for table in results.result_tables for sentence in table.warnings}
    assert sentences == {
        ("", "Fewer than half of the clusters asked for: flat in 2 of 4 trials."),
        ("digits", "Fewer than half of the clusters asked for: few in 2 of 4 trials."),
    }


def test_of_many_collapses_the_first_six_are_named(results_of, long_frame) -> None:
    for number in range(8):
        collapsing(long_frame, f"m{number}", 1)
    named = results_of(long_frame, classes={"c0ffee": CLASSES}).result_tables[0].warnings
    assert len(named) == 1
    assert named[0].count("in 2 of 2 trials") == 6
    assert named[0].endswith("; 2 more methods (see --table quality).")


def test_controls_and_data_of_unknown_classes_have_no_note_on_collapse(results_of, long_frame) -> None:
    collapsing(long_frame, "one-cluster", 1)
    collapsing(long_frame, "good", 10)
    assert results_of(long_frame, classes={"c0ffee": CLASSES}).result_tables[0].warnings == ()
    collapsing(long_frame, "flat", 1)
    assert results_of(long_frame).result_tables[0].warnings == ()


def test_of_many_messages_of_a_method_the_most_frequent_is_said(results_of, long_frame) -> None:
    for number, reason in enumerate(("a.", "b.", "b.", "c.")):
        where = {"dataset": f"set{number}", "content": f"set{number}"}
        long_frame.trial("pvc", status="SKIPPED", reason=reason, **where)
        long_frame.trial("apmc", {"acc": [0.5]}, **where)
    (sentence,) = results_of(long_frame).result_tables[0].warnings
    assert sentence == "pvc: b (2 other messages); 4 trials on set0, set1, set2 and set3."


def test_of_many_messages_the_first_thirty_are_said(results_of, long_frame) -> None:
    for number in range(32):
        long_frame.trial(f"m{number}", status="SKIPPED", reason="it cannot take them.")
    long_frame.trial("apmc", {"acc": [0.5]})
    found = results_of(long_frame).result_tables[0].warnings
    assert len(found) == 31
    assert found[-1] == "2 more reasons; 'mvarena results list --status failed' shows all."


def test_best_restarts_and_trials_left_out_and_unscored_are_said(tables_of, long_frame, new_long_frame) -> None:
    picked = new_long_frame().trial("a", {"acc": [0.5, 0.6]}, protocol="oracle", pick="best-by-labels")
    assert tables_of(picked)[0].notes[0].endswith("a (the best restart).")
    long_frame.trial("a", {"acc": [0.5, 0.5]}).trial("a", {"acc": [0.5]}).trial("b", None, status="DONE")
    assert tables_of(long_frame)[0].notes == (
        "a: 1 stored trial left out, because a later trial of the same repeat finished, or has more restarts.",
        "b: finished trials without ACC; 'mvarena score' adds what is missing.",
    )


def test_notes_call_contestants_as_their_rows_do(tables_of, long_frame) -> None:
    for m in (7, 10):
        long_frame.trial("labelled", None, params={"m": m}, status="TIMEOUT", reason="600 s")
    (table,) = tables_of(long_frame)
    assert [row.head for row in table.rows] == ["A Labelled One (m=7)", "A Labelled One (m=10)"]
    assert table.warnings == tuple(f"{row.head}: 600 s; 1 trial on digits." for row in table.rows)


def test_contestants_that_saw_other_masks_are_named(tables_of, new_long_frame) -> None:
    """At some rates: said for these. Who has no number is compared with nobody."""
    often, sometimes = new_long_frame(), new_long_frame()
    for repeat in range(3):
        often.trial("a", {"acc": [0.5]}, repeat=repeat).trial("b", {"acc": [0.5]}, repeat=repeat)
    often.trial("c", {"acc": [0.5]}, repeat=0).trial("d", None, status="SKIPPED", reason="two views", repeat=1)
    for rate, repeats in ((0.1, 2), (0.3, 1)):
        for repeat in range(2):
            sometimes.trial("a", {"acc": [0.5]}, repeat=repeat, rate=rate)
        for repeat in range(repeats):
            sometimes.trial("b", {"acc": [0.5]}, repeat=repeat, rate=rate)
    why = "Not paired, because masks, random draws and starts differ between repeats"
    assert tables_of(often)[0].notes == (f"{why}: a and b 0-2 of seed 0; c 0 of seed 0.",)
    assert tables_of(sometimes)[0].notes == (f"{why}: a 0-1 of seed 0 at 0.3; b 0 of seed 0 at 0.3.",)


def test_the_caption_names_scaling_and_filling_or_says_as_published(tables_of, new_long_frame) -> None:
    mixed = new_long_frame()
    for name, steps in (("apmc", "scale-auto"), ("concat", "scale-auto,fill-knn")):
        mixed.trial(name, {"acc": [0.5]}, prepare=steps)
    assert " Scaling auto, filling knn. " in tables_of(mixed)[0].setting
    methods = announced_methods(["emvc"])
    assert methods["emvc"].prepare
    alone = new_long_frame().trial("emvc", {"acc": [0.5]}, prepare=methods["emvc"].prepare)
    (table,) = tables_of(alone, context=context_of(Cards(methods, {})))
    assert " Preparation: as published for each. " in table.setting
