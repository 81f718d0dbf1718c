"""The stages of a trial: in order, from seeds of their own, blind to labels where they are to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from toy_trials import one_trial

from mvarena.api import prepare
from mvarena.contracts.trial import Step
from mvarena.engine.stages import corrupted, loaded, of_all_samples, staged
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing import blobs


def test_each_corruption_of_a_chain_draws_from_a_seed_of_its_own():
    catalog = installed_catalog()
    noise = catalog.load(catalog.corruption("gaussian"))()
    trial = one_trial(corruptions=("gaussian:10+gaussian:10",))
    expected = whole = loaded(trial, catalog)
    for index in range(2):
        expected = noise.apply(expected, 10.0, np.random.default_rng(trial.corruption_seed(index)))
    after = corrupted(trial, whole, catalog)
    once = corrupted(replace(trial, corruptions=trial.corruptions[:1]), whole, catalog)
    for old, one, new, right in zip(whole.views, once.views, after.views, expected.views, strict=True):
        np.testing.assert_array_equal(new.matrix, right.matrix)
        first, second = one.matrix - old.matrix, new.matrix - one.matrix
        assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.6


def test_a_corruption_gets_its_parameters():
    catalog = installed_catalog()
    for n_groups in (1, 15):
        trial = one_trial(corruptions=("missing-blocks:0.5",))
        trial = replace(trial, corruptions=(replace(trial.corruptions[0], params={"n_groups": n_groups}),))
        blocks = catalog.load(catalog.corruption("missing-blocks"))(n_groups=n_groups)
        expected = blocks.apply(loaded(trial, catalog), 0.5, np.random.default_rng(trial.corruption_seed(0)))
        np.testing.assert_array_equal(staged(trial, catalog).seen.mask, expected.mask)
        incomplete = expected.mask[~expected.complete_samples]
        assert len(np.unique(incomplete, axis=0)) == min(n_groups, 2), "one group loses one view"


def test_a_transform_gets_its_parameters():
    catalog = installed_catalog()
    trial = one_trial(corruptions=("none",))
    seen = {
        degree: staged(
            replace(trial, prepare=(Step("polynomial-kernel", "1", params={"degree": degree}),)), catalog
        ).seen
        for degree in (1, 2)
    }
    for one, two in zip(seen[1].views, seen[2].views, strict=True):
        assert one.kind == "kernel"
        assert np.abs(one.matrix - two.matrix).max() > 0.1


STEPS = ("gaussian-kernel", "center-kernels-leaking", "center-kernels")


def test_a_step_returns_data_of_all_samples():
    data = blobs(60)
    with pytest.raises(ValueError, match="it returned 5 of 60 samples"):
        of_all_samples(data, data.take(np.arange(5)))
    with pytest.raises(TypeError, match="it returned a NoneType"):
        of_all_samples(data, None)


def test_steps_that_precede_the_corruption_see_the_complete_data():
    trial = one_trial("mkkm-zf", corruptions=("missing-even:0.4",), prepare=STEPS)
    catalog = installed_catalog()
    complete = loaded(trial, catalog)
    seen = staged(trial, catalog).seen
    honest = staged(replace(trial, prepare=(trial.prepare[0], trial.prepare[2])), catalog).seen
    np.testing.assert_array_equal(seen.mask, honest.mask)
    assert not seen.is_complete
    assert seen.labels is None
    assert staged(trial, catalog).whole.is_complete
    leaking = prepare(complete.without_labels(), *STEPS[:2]).with_mask(seen.mask)
    for view, expected, other in zip(seen.views, prepare(leaking, STEPS[2]).views, honest.views, strict=True):
        np.testing.assert_array_equal(view.matrix, expected.matrix)
        assert np.abs(view.matrix - other.matrix).max() > 1e-6


def test_masks_depend_on_the_values_before_any_preparation_as_they_were_spoilt_before_in_the_chain():
    catalog = installed_catalog()
    chain = "swapped-pairs:0.5+missing-by-value:0.3"
    plain = staged(one_trial(corruptions=(chain,)), catalog)
    trial = one_trial("mkkm-zf", corruptions=(chain,), prepare=STEPS)
    early = staged(trial, catalog)
    np.testing.assert_array_equal(early.seen.mask, plain.seen.mask)
    np.testing.assert_array_equal(early.seen.mask, early.corrupted.mask)
    assert (corrupted(trial, early.whole, catalog).mask != plain.seen.mask).any(), "so it is on the prepared data"
    spoilt = staged(one_trial("mkkm-zf", corruptions=("swapped-pairs:0.5",), prepare=STEPS), catalog)
    for view, whole, observed in zip(
        early.corrupted.views, spoilt.corrupted.views, early.corrupted.mask.T, strict=True
    ):
        np.testing.assert_array_equal(view.matrix[observed][:, observed], whole.matrix[observed][:, observed])


@pytest.mark.parametrize("steps", [(), STEPS[:2]], ids=["alone", "after a step that precedes it"])
def test_a_corruption_sees_the_classes(monkeypatch, steps):
    catalog = installed_catalog()
    kind = catalog.load(catalog.corruption("missing-by-value"))
    given = []
    original = kind.apply
    monkeypatch.setattr(kind, "apply", lambda *args: given.append(args[1].labels) or original(*args))
    after = staged(one_trial("mkkm-zf", corruptions=("missing-by-value:0.4",), prepare=steps), catalog)
    assert given[-1] is not None
    assert after.corrupted.labels is not None
    assert after.seen.labels is None


def test_repeats_draw_other_data_and_methods_see_the_same():
    catalog = installed_catalog()
    study = Study(algorithms=("toy-quick", "concat"), datasets=("toy-drawn",), repeats=2, corruptions=("none",))
    drawn = {(trial.algorithm, trial.repeat): loaded(trial, catalog) for trial in plan_study(study, catalog).trials}
    matrices = {point: data.views[0].matrix for point, data in drawn.items()}
    np.testing.assert_array_equal(matrices["toy-quick", 1], matrices["concat", 1])
    assert np.abs(matrices["toy-quick", 0] - matrices["toy-quick", 1]).max() > 0.1
