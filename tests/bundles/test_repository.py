"""The check of a repository of results: each bundle by itself, and what a change does to the older state."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bundle_tools import doctored

from mvarena.bundles.checks import check_repository
from mvarena.bundles.files import Bundle, Entry
from mvarena.cli.main import main
from mvarena.errors import MvarenaError
from mvarena.store.encoding import canonical_json, fingerprint


@pytest.fixture
def old(true_bundle: Path, tmp_path: Path) -> Path:
    shutil.copytree(true_bundle, tmp_path / "old" / "toy-method" / "toy")
    return tmp_path / "old"


def _changed(bundle: Bundle, change: Callable[[Entry], Entry]) -> Bundle:
    return replace(bundle, entries=tuple(map(change, bundle.entries)))


def test_a_true_repository_is_whole_and_unchanged(copied: Path, old: Path) -> None:
    result = check_repository(copied.parents[1], old)
    assert (result.problems, result.changes, result.bundles, result.trials) == ([], [], 1, 12)


def test_trials_that_are_dropped_are_problems(copied: Path, old: Path) -> None:
    doctored(copied, lambda bundle: replace(bundle, entries=bundle.entries[2:]))
    problems = check_repository(copied.parents[1], old).problems
    assert len(problems) == 2
    assert "(synthetic-apmc, missing-even 0.1, repeat 0) is gone" in problems[0]
    shutil.rmtree(copied)
    shutil.copytree(old / "toy-method" / "toy", copied.parents[1] / "toy-method" / "renamed")
    assert len(check_repository(copied.parents[1], old).problems) == 12


def test_a_new_version_is_compared_with_its_last(copied: Path, old: Path) -> None:
    """Its trials have other keys and are the same trials; scores by more than 0.001 are named, smaller ones are not."""

    def newer(entry: Entry) -> Entry:
        identity = dict(entry.identity) | {"algorithm": ["toy-method", "code-2"]}
        moves = {"acc": 0.0009, "nmi": 0.0011}
        scores = {
            name: {place: value + moves.get(name, 0.0) for place, value in values.items() if value is not None}
            for name, values in entry.scores.items()
        }
        return replace(entry, identity=identity, key=fingerprint(canonical_json(identity)), scores=scores)

    doctored(copied, lambda bundle: replace(_changed(bundle, newer), version="code-2"))
    result = check_repository(copied.parents[1], old)
    assert result.problems == []
    assert len(result.changes) == 6
    assert all(": nmi was " in sentence for sentence in result.changes)


def test_a_status_that_changes_is_named(copied: Path, old: Path) -> None:
    def failed(entry: Entry) -> Entry:
        return replace(entry, status="TIMEOUT") if entry.status == "FAILED" else entry

    doctored(copied, lambda bundle: _changed(bundle, failed))
    changes = check_repository(copied.parents[1], old).changes
    assert len(changes) == 6
    assert all("it was FAILED and is TIMEOUT" in sentence for sentence in changes)


def test_a_trial_in_two_bundles_is_a_problem(copied: Path) -> None:
    shutil.copytree(copied, copied.parent / "again")
    problems = check_repository(copied.parents[1]).problems
    assert len(problems) == 12
    assert "stands in toy-method/again, too" in problems[0]


def test_keys_and_folders_are_checked(copied: Path) -> None:
    doctored(copied, lambda bundle: _changed(bundle, lambda one: replace(one, key=one.key[::-1])))
    assert all("its key is not" in sentence for sentence in check_repository(copied.parents[1]).problems)
    shutil.copytree(copied, copied.parents[2] / "other" / "someone" / "toy")
    assert "must lie in a folder of that name" in check_repository(copied.parents[2] / "other").problems[0]


def test_an_empty_folder_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(MvarenaError, match=r"no bundle\.toml below it"):
        check_repository(tmp_path)


def test_the_command_ends_with_what_is_wrong(copied: Path, old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["results", "check-repository", str(copied.parents[1]), "--against", str(old)]
    main(arguments)
    assert "1 bundle, 12 trials, 0 changes" in capsys.readouterr().out
    (copied / "labels.jsonl").unlink()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 1
    assert "Refused: toy-method/toy: labels.jsonl is missing" in capsys.readouterr().out
