"""The sentence under a table says how its numbers came about."""

from __future__ import annotations


def setting(tables_of, builder, **options) -> str:
    return tables_of(builder, **options)[0].setting


def test_the_whole_sentence(tables_of, study) -> None:
    assert tables_of(study)[0].caption == (
        "ACC in percent. Data: digits (2,000 samples, views fou and fac). Corruption: missing-even; the rate is the "
        "fraction of samples that lose a view. Preparation of every method: minmax. Protocol fair: 2 trials of 3 "
        "restarts each; the mean and ± (one standard deviation, n − 1) are over all runs."
    )


def test_preparation_is_said_per_method(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, prepare="minmax,unit-rows")
    long_frame.trial("b", {"acc": [0.5]}, prepare="").trial("c", {"acc": [0.5]}, prepare="")
    assert "Preparation: minmax, unit-rows for a; none for b and c." in setting(tables_of, long_frame)


def test_each_protocol_is_said(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, protocol="mkkm", pick="lowest-inertia")
    long_frame.trial("b", {"acc": [0.5, 0.5]}, protocol="oracle", pick="best-by-labels")
    text = setting(tables_of, long_frame)
    assert "Protocol mkkm: 1 trial of 1 restart each; of each trial the restart of lowest inertia" in text
    assert "Protocol oracle: 1 trial of 2 restarts each; of each trial the restart that is best by ground truth" in text


def test_differing_numbers_of_trials_are_a_span(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, trial=0).trial("a", {"acc": [0.5]}, trial=1).trial("b", {"acc": [0.5]})
    assert "1 to 2 trials of 1 restart each" in setting(tables_of, long_frame)


def test_data_as_they_are(tables_of, long_frame) -> None:
    text = setting(tables_of, long_frame.trial("a", {"acc": [0.5]}, corruption="none", rate=0.0))
    assert "The data as they are, nothing removed." in text
    assert "rate" not in text


def test_one_rate_is_named_and_combined_corruptions_use_the_firsts_meaning(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, corruption="missing-even+gaussian:10")
    assert "missing-even+gaussian:10 at rate 0.3; the rate is the fraction of" in setting(tables_of, long_frame)


def test_unknown_words_are_left_out(tables_of, long_frame) -> None:
    text = setting(tables_of, long_frame.trial("a", {"acc": [0.5]}), rate_meanings={}, dataset_notes={})
    assert text.startswith("Data: digits. Corruption: missing-even at rate 0.3. Preparation")


def test_notes_name_the_rates_they_are_about(tables_of, study) -> None:
    assert tables_of(study)[0].notes == (
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
        "b: finished trials without ACC.",
    )
