"""Results under one version of `auto` taken over as results under the next: `reports/audit/take_over.py`."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Step, Trial
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.frames import scores_frame
from mvarena.store.write_outcomes import record

SCRIPT = Path(__file__).parents[2] / "reports" / "audit" / "take_over.py"


def take_over() -> ModuleType:
    spec = importlib.util.spec_from_file_location("take_over", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def stored(db: Database, repeat: int, version: str, decided: str, **other: object) -> Trial:
    trial = example_trial(repeat, prepare=(Step("scale-auto", version), Step("fill-mean", "1")), **other)
    record(db, trial, example_outcome(achieved={"decided": {"scale-auto": {"fou": decided}}}))
    return trial


def test_what_both_versions_decide_alike_is_taken_over_and_nothing_else(tmp_path: Path) -> None:
    script = take_over()
    with open_database(tmp_path / "whole.db") as whole, open_database(tmp_path / "probe.db") as probe:
        alike, otherwise, unknown = (stored(whole, repeat, "2", "counts -> tfidf") for repeat in range(3))
        late = example_trial(3, prepare=alike.prepare)
        record(whole, late, example_outcome(Status.TIMEOUT))
        new = stored(probe, 0, "3", "counts -> tfidf", algorithm="concat", params={})
        stored(probe, 1, "3", "amounts -> unit-view", algorithm="concat", params={})
        assert script.take_over(whole, probe) == (1, 3)
        moved = replace(alike, prepare=new.prepare)
        assert set(scores_frame(whole)["key"]) == {moved.key, otherwise.key, unknown.key, late.key}
        assert list(problems(whole)) == []
        assert script.take_over(whole, probe) == (0, 2)
