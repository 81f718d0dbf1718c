"""A metric that fails is a missing score with its reason: labels and other scores are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mvarena.contracts.metric import Contingency
from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.specs import MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Conductor
from mvarena.engine.execute import execute
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.engine.rescore import rescore
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


def good(table: Contingency) -> float:
    return 0.25


def raises(table: Contingency) -> float:
    raise ZeroDivisionError("no cluster")


def leaves(table: Contingency) -> float:
    raise SystemExit(3)


def text(table: Contingency) -> float:
    return "high"  # type: ignore[return-value]


def writes(table: Contingency) -> float:
    table.counts[0, 0] = 7
    return 0.0


REASONS = {
    "leaves": "The metric 'a-leaves' tried to exit the program (SystemExit: 3).",
    "raises": "The metric 'a-raises' failed: ZeroDivisionError: no cluster.",
    "text": "The metric 'a-text' failed: ValueError: could not convert string to float: 'high'.",
    "writes": "The metric 'a-writes' failed: ValueError: assignment destination is read-only.",
}


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """The installed catalog, which has the metrics of this module, too."""
    found = installed_catalog()
    more = [
        MetricSpec(name=f"a-{name}", target=f"{__name__}:{name}", summary="of a test") for name in ("good", *REASONS)
    ]
    before = found.specs

    def specs(component: str) -> list[object]:
        return [*before(component), *(more if component == "metric" else ())]  # type: ignore[arg-type]

    monkeypatch.setattr(type(found), "specs", lambda _, component: specs(component))
    return found


def trial_of(dataset: str = "toy-blobs") -> Trial:
    study = Study(algorithms=("toy-quick",), datasets=(dataset,), repeats=1, restarts=2, corruptions=("none",))
    return plan_study(study, installed_catalog()).trials[0]


def scores_in(outcome: Outcome) -> dict[tuple[str, int], float]:
    return {(score.metric, score.restart): score.value for score in outcome.scores}


def test_a_metric_that_fails_is_a_missing_score_with_its_reason(catalog: Catalog) -> None:
    found = execute(trial_of(), catalog)
    assert found.status is Status.DONE
    assert found.achieved[UNSCORED] == {f"a-{name}": reason for name, reason in REASONS.items()}
    others = {name: value for name, value in scores_in(found).items() if not name[0].startswith("a-")}
    assert scores_in(found) == others | {("a-good", 0): 0.25, ("a-good", 1): 0.25}
    assert {"acc", "ari", "nmi", "stability"} <= {metric for metric, _ in others}
    assert len(found.labellings) == 2


def test_a_metric_that_fails_for_stored_labels_says_why(catalog: Catalog, tmp_path) -> None:
    trial = trial_of()
    with open_database(tmp_path / "results.db") as db:
        record(db, trial, replace(execute(trial), scores=()))
        for name, reason in REASONS.items():
            spec = next(spec for spec in catalog.specs("metric") if spec.name == f"a-{name}")
            assert rescore(db, spec, done_trials(db), catalog).reasons == {reason: 1}


def test_a_run_warns_once_of_a_metric_that_fails(tmp_path, monkeypatch) -> None:
    trials = [trial_of(), trial_of("toy-words")]
    reason = REASONS["raises"]
    outcomes = {trial.key: replace(execute(trial), achieved={UNSCORED: {"a-raises": reason}}) for trial in trials}
    monkeypatch.setattr(
        LocalEngine, "finished", lambda self, _: [(trial, outcomes[trial.key]) for trial in forget(self)]
    )
    sentence = r"toy-quick on toy-blobs has no score by a-raises\. The metric .* failed: .*: no cluster\. The labels"
    with open_database(tmp_path / "results.db") as db, LocalEngine() as engine:
        with pytest.warns(UserWarning, match=sentence) as warned:
            assert Conductor(db, engine).run(pending(db, trials)).ran == {Status.DONE: 2}
        assert len(warned) == 1
        stored = outcome_of(db, trials[0].key)
    assert stored.achieved[UNSCORED] == {"a-raises": reason}
    assert stored.labellings


def forget(engine: LocalEngine) -> list[Trial]:
    """The trials under way, of which the engine then knows no more."""
    running = engine.running
    engine.close()
    return running


def test_what_metrics_are_given_is_read_only() -> None:
    table = Contingency.from_labels(np.array([0, 0, 1]), np.array([0, 1, 1]))
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 7
