"""What a trial leaves in its process: what would come to light in the next one is found, or ends before it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sklearn.cluster import KMeans
from sklearn.utils import extmath

import mvarena.numerics.assignment
from mvarena.engine.patched_functions import PatchGuard

AFTER = """
import faulthandler, os, time
from mvarena.engine.process_state import ProcessState

surroundings = ProcessState(1)
{deed}
worn = surroundings.restore()
print("restored", worn, flush=True)
time.sleep({rest})
import gc
gc.collect()
print("lives")
"""


def said_after(deed: str, rest: float) -> list[str]:
    program = AFTER.format(deed=deed, rest=rest)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    return [line.strip() for line in done.stdout.splitlines()]


def test_a_process_that_nothing_happened_to_is_as_good_as_new():
    assert said_after("", 0.0) == ["restored", "lives"]


def test_an_alarm_of_the_fault_handler_is_put_off():
    assert said_after("faulthandler.dump_traceback_later(1.0, exit=True)", 1.5) == ["restored", "lives"]


def test_what_was_left_in_a_cycle_ends_before_the_next_trial():
    deed = """
class Mine:
    def __del__(self):
        print("mine ends", flush=True)
mine = Mine()
mine.itself = mine
del mine
"""
    assert said_after(deed, 0.0) == ["mine ends", "restored", "lives"]


@pytest.mark.parametrize(
    ("owner", "name"),
    [(KMeans, "fit"), (extmath, "row_norms"), (mvarena.numerics.assignment, "assign_embedding")],
    ids=["method", "function", "own"],
)
def test_what_methods_share_may_not_be_replaced(monkeypatch, owner, name):
    untouched = PatchGuard()
    assert untouched.changed() == ""
    monkeypatch.setattr(owner, name, lambda *_, **__: None)
    assert untouched.changed().startswith(f"the trial replaced {name} of ")


def test_what_claims_to_equal_what_it_replaces_is_found_in_our_own_modules(monkeypatch):
    class Same:
        def __eq__(self, _: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    untouched = PatchGuard()
    monkeypatch.setattr(mvarena.numerics.assignment, "assign_embedding", Same())
    assert "assign_embedding" in untouched.changed()


def test_what_a_library_only_adds_or_keeps_is_no_change(monkeypatch):
    monkeypatch.setattr(extmath, "_a_cache", {}, raising=False)
    untouched = PatchGuard()
    monkeypatch.setattr(extmath, "_something_more", len, raising=False)
    monkeypatch.setattr(extmath, "_a_cache", {"x": 1})
    assert untouched.changed() == ""
    assert untouched.changed() == ""
