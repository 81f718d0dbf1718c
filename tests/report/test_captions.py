"""The sentence under a table says how its numbers came about."""

from __future__ import annotations

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.report.context import Context


def setting(tables_of, builder, **options) -> str:
    return tables_of(builder, **options)[0].setting


def test_the_whole_sentence(tables_of, study) -> None:
    assert tables_of(study)[0].caption == (
        "ACC in percent. Data: digits (2,000 samples, views fou and fac). Corruption: missing-even; the rate is the "
        "fraction of samples that lose a view. Preparation for every method: minmax. Protocol fair: 2 repeats of 3 "
        "restarts each; mean and ± (one standard deviation, n − 1) over all runs."
    )


def test_preparation_is_said_per_method(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, prepare="minmax,unit-rows")
    long_frame.trial("b", {"acc": [0.5]}, prepare="").trial("c", {"acc": [0.5]}, prepare="")
    assert "Preparation: minmax, unit-rows for a; none for b and c." in setting(tables_of, long_frame)


def test_each_protocol_is_said(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, protocol="mkkm", pick="lowest-inertia")
    long_frame.trial("b", {"acc": [0.5, 0.5]}, protocol="oracle", pick="best-by-labels")
    text = setting(tables_of, long_frame)
    assert "Protocol mkkm: 1 repeat of 1 restart each; the restart of lowest inertia of each repeat" in text
    assert (
        "Protocol oracle: 1 repeat of 2 restarts each; the restart of each repeat that is best by ground truth" in text
    )


def test_differing_numbers_of_repeats_are_a_span(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, repeat=0).trial("a", {"acc": [0.5]}, repeat=1).trial("b", {"acc": [0.5]})
    assert "1 to 2 repeats of 1 restart each" in setting(tables_of, long_frame)


def test_data_as_they_are(tables_of, long_frame) -> None:
    text = setting(tables_of, long_frame.trial("a", {"acc": [0.5]}, corruption="none", rate=0.0))
    assert "The data as they are, with nothing removed." in text
    assert "rate" not in text


def test_one_rate_is_named_and_combined_corruptions_use_the_firsts_meaning(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.5]}, corruption="missing-even+gaussian:10")
    assert "missing-even+Gaussian:10 at rate 0.3; the rate is the fraction of" in setting(tables_of, long_frame)


def test_unknown_words_are_left_out(tables_of, long_frame) -> None:
    text = setting(tables_of, long_frame.trial("a", {"acc": [0.5]}), context=Context())
    assert text.startswith("Data: digits. Corruption: missing-even at rate 0.3. Preparation")


def test_labels_stand_for_names(tables_of, long_frame) -> None:
    long_frame.trial("labelled", {"acc": [0.5]}, dataset="toy[a]", corruption="missing-even+gaussian:10")
    long_frame.trial("concat", {"acc": [0.5]}, dataset="toy[a]", corruption="missing-even+gaussian:10", prepare="")
    text = setting(tables_of, long_frame)
    assert text.startswith("Data: Toy Data[a]. Corruption: missing-even+Gaussian:10 at rate 0.3;")
    assert "Preparation: minmax for A Labelled One; none for concat." in text


def test_scaling_of_everybody_and_adaptation_are_apart(tables_of, long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.5]}, prepare="scale-auto")
    long_frame.trial("concat", {"acc": [0.5]}, prepare="scale-auto,fill-mean")
    text = setting(tables_of, long_frame)
    assert "Scaling of the data for all methods: auto. Adaptation: fill-mean for concat." in text
    assert "Preparation" not in text


def test_a_scaling_that_was_asked_for_is_named(tables_of, long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.5]}, prepare="minmax,unit-rows")
    long_frame.trial("concat", {"acc": [0.5]}, prepare="minmax,unit-rows,fill-mean")
    text = setting(tables_of, long_frame)
    assert "Scaling of the data for all methods: minmax, unit-rows. Adaptation: fill-mean for concat." in text


def test_one_method_that_was_adapted(tables_of, long_frame) -> None:
    text = setting(tables_of, long_frame.trial("mic", {"acc": [0.5]}, prepare="scale-auto,shift-nonnegative"))
    assert "Scaling of the data for all methods: auto. Adaptation: shift-nonnegative for mic." in text


def test_published_preparations_are_called_so(tables_of, long_frame) -> None:
    specs = {
        name: AlgorithmSpec(name=name, target="somewhere:something", summary="", prepare=steps)
        for name, steps in (("apmc", ("minmax",)), ("mic", ()))
    }
    for prepare, expected in (("minmax", "Preparation, as published for each: minmax for apmc; none for mic."),
                              ("zscore", "Preparation: zscore for apmc; none for mic.")):  # fmt: skip
        builder = type(long_frame)()
        builder.trial("apmc", {"acc": [0.5]}, prepare=prepare).trial("mic", {"acc": [0.5]}, prepare="")
        assert expected in setting(tables_of, builder, context=Context(algorithms=specs))
