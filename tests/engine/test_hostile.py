"""Hostile algorithms, each between two healthy ones: they end as they must, and the healthy ones as in peace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hostile_run import Ordeal, run_deeds_at_once, same_result, survivors
from mvarena_toys.deeds import DEEDS, Deed
from mvarena_toys.hostile import Hostile

from mvarena.engine.worker_process import TAIL_BYTES

assert Hostile  # its module names every deed
NOISE = "\x1b]0;title\x07\x1b[2J\x00\\ud800\nthe end of it\n"
SHORT, LONG = ([one for one in DEEDS.values() if one.long is long] for long in (False, True))


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notes") / "notes"


@pytest.fixture(scope="module")
def ordeals(notes: Path) -> dict[str, Ordeal]:
    return done(SHORT, notes)


def done(deeds: Sequence[Deed], notes: Path) -> dict[str, Ordeal]:
    """What became of deeds, which write into `notes` what they start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "toys"))
        patch.setenv("MVARENA_TOYS_NOTES", str(notes))
        return run_deeds_at_once(deeds, notes.parent)


@pytest.mark.parametrize("deed", SHORT, ids=lambda one: one.name)
def test_a_deed_ends_as_it_must_and_harms_nobody(ordeals, deed: Deed):
    ordeal = ordeals[deed.name]
    assert str(ordeal.deed.status) == deed.status, ordeal.deed.reason
    assert deed.says in ordeal.deed.reason
    assert same_result(ordeal.witness, ordeal.in_peace)


@pytest.mark.slow
def test_long_deeds_end_as_they_must_and_harm_nobody(tmp_path):
    ordeals = done(LONG, tmp_path / "notes")
    ends = {one.name: (str(ordeals[one.name].deed.status), one.says in ordeals[one.name].deed.reason) for one in LONG}
    assert ends == {one.name: (one.status, True) for one in LONG}
    assert [one.name for one in LONG if not same_result(ordeals[one.name].witness, ordeals[one.name].in_peace)] == []
    assert survivors(tmp_path / "notes") == []


def test_nothing_outlives_its_worker(ordeals, notes):
    assert len(notes.read_text().split()) >= 3, "deeds have written down what they started"
    assert survivors(notes) == []


def test_temporary_files_go_with_their_worker(ordeals, notes):
    folder = Path(Path(f"{notes}.folder").read_text())
    assert not folder.exists()
    assert not folder.parent.exists(), "it was the worker's own"


def test_nothing_that_a_worker_sent_was_run(ordeals, notes):
    assert not Path(f"{notes}.pwned").exists()


def test_what_is_printed_is_kept_as_a_tail(ordeals):
    kept = ordeals["prints-20-megabytes"].deed.stdout_tail
    assert kept.endswith("xxx\nthe end of it\n")
    assert kept.startswith(f"[{20_000_000 + len(NOISE) - TAIL_BYTES} bytes before this are left out]")
    assert len(kept) < TAIL_BYTES + 100
    assert ordeals["prints-20-megabytes"].witness.stdout_tail == ""


def test_what_a_trial_said_before_it_crashed_is_kept_and_where_it_was(ordeals):
    assert "reads_address_0" in ordeals["reads-address-0"].deed.stderr_tail
    assert ordeals["kills-itself"].deed.stderr_tail == "the last words\n"


def test_a_worker_whose_memory_is_gone_tells_the_peak(ordeals):
    outcome = ordeals["has-children-that-allocate"].deed
    assert outcome.peak_rss_mb > 768
    assert (
        f"{outcome.peak_rss_mb / 1024:.1f} GiB" in outcome.reason or f"{outcome.peak_rss_mb:.0f} MiB" in outcome.reason
    )
    assert ordeals["allocates-bit-by-bit"].deed.peak_rss_mb > 300
