"""A bundle on its way: submitted, verified by workers, taken in with its mark, and shown."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bundle_tools import doctored, method_in

from mvarena.bundles import verify as verify_module
from mvarena.bundles.expected import blocks_for
from mvarena.bundles.files import BUNDLE, Bundle, InvalidBundle, read_bundle, write_bundle
from mvarena.bundles.pull import NAMESPACE, pull, signer_of
from mvarena.bundles.submit import submit
from mvarena.bundles.verify import drawn, rerun, verify
from mvarena.cli.main import main
from mvarena.contracts.outcome import Outcome
from mvarena.errors import InvalidSetting, StoreError
from mvarena.registry.catalog import installed_catalog
from mvarena.report.data import ReportData
from mvarena.site.build import write_site
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.filters import Filter, chosen
from mvarena.store.maintenance import removal, remove, thin
from mvarena.store.marks import marks_of
from mvarena.store.merge import merge
from mvarena.store.read_outcomes import outcome_of
from mvarena.study.file import study_at
from mvarena.study.request import Asked

_ASKED = Asked("mvarena results pull toy")


def _pulled(bundle: Path, newcomer: Path, path: Path, signer: str = "") -> Database:
    db = open_database(path)
    found = verify(bundle, installed_catalog(), sample=0, seed=0, study=str(newcomer / "toy.toml"))
    pull(db, found, signer, _ASKED, installed_catalog())
    return db


# submitting -----------------------------------------------------------------------------------------------


def test_a_bundle_is_text_and_written_alike_twice(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    with open_database(newcomer / "results.db") as db:
        again, _ = submit(db, str(newcomer / "toy.toml"), method_in(newcomer), tmp_path, installed_catalog())
    files = sorted(path.relative_to(true_bundle) for path in true_bundle.rglob("*") if path.is_file())
    assert [str(path) for path in files] == [
        "bundle.toml", "code/toy_method.py", "environments.json", "labels.jsonl", "study.toml", "trials.jsonl",
    ]  # fmt: skip
    for path in files:
        assert (again / path).read_text() == (true_bundle / path).read_text()


def test_a_bundle_read_and_written_is_the_same(true_bundle: Path, tmp_path: Path) -> None:
    bundle = read_bundle(true_bundle)
    assert write_bundle(tmp_path / "again", bundle) == bundle.digest
    assert read_bundle(tmp_path / "again") == bundle


def test_trials_that_are_missing_are_said_and_nothing_is_written(newcomer: Path, tmp_path: Path) -> None:
    shutil.copy(newcomer / "results.db", tmp_path)
    with open_database(tmp_path / "results.db") as db:
        remove(db, removal(db, chosen(db, Filter(statuses=("failed",)))))
        with pytest.raises(InvalidSetting, match=r"6 trials of 12 are not in .* failures too"):
            submit(db, str(newcomer / "toy.toml"), method_in(newcomer), tmp_path / "out", installed_catalog())
    assert not (tmp_path / "out").exists()


def test_runs_that_compare_preparations_are_no_part_of_a_bundle(newcomer: Path, tmp_path: Path) -> None:
    more = '[[run]]\n\n[[run]]\nscale = ["none", "minmax"]\n'
    (tmp_path / "more.toml").write_text((newcomer / "toy.toml").read_text() + more)
    with open_database(newcomer / "results.db") as db:
        study = str(tmp_path / "more.toml")
        folder, bundle = submit(db, study, method_in(newcomer), tmp_path, installed_catalog())
    assert len(bundle.entries) == 12
    verify(folder, installed_catalog(), sample=0, seed=0, study=study)
    (tmp_path / "alone.toml").write_text((newcomer / "toy.toml").read_text() + 'scale = ["none", "minmax"]\n')
    blocks = blocks_for(study_at(tmp_path / "alone.toml"), "concat", installed_catalog())
    assert [block.study.scale for block in blocks] == [("none", "minmax")]


def test_a_database_that_is_not_whole_is_refused(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    shutil.copy(newcomer / "results.db", tmp_path)
    with open_database(tmp_path / "results.db") as db:
        with db.write() as connection:
            connection.exec_driver_sql("UPDATE trials SET identity = identity || ' '")
        with pytest.raises(StoreError, match="not whole"):
            submit(db, str(newcomer / "toy.toml"), method_in(newcomer), tmp_path, installed_catalog())
        with pytest.raises(StoreError, match="not whole"):
            verify(true_bundle, installed_catalog(), sample=0, seed=0, study=str(newcomer / "toy.toml"), release=db)


def test_a_method_of_several_files_is_refused(newcomer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper.py").write_text("WIDTH = 3\n")
    text = (newcomer / "toy_method.py").read_text().replace("columns: int = 3", "columns: int = helper.WIDTH")
    (tmp_path / "toy_method.py").write_text(f"import helper\n{text}")
    (tmp_path / "one.toml").write_text('data = "synthetic-apmc"\nrepeats = 1\nrestarts = 2\nrates = 0.1\n')
    monkeypatch.chdir(tmp_path)
    main(["run", "one.toml", "--algo", "toy_method.py:ToyMethod", "--no-controls", "--quiet"])
    with open_database(tmp_path / "results.db") as db, pytest.raises(InvalidSetting, match="other files of its folder"):
        submit(db, str(tmp_path / "one.toml"), method_in(tmp_path), tmp_path, installed_catalog())


def test_a_rate_without_end_is_refused(newcomer: Path, tmp_path: Path) -> None:
    (tmp_path / "endless.toml").write_text(
        'data = "synthetic-emvc"\ncorrupt = "gaussian:inf"\nrepeats = 1\nrestarts = 2\n'
    )
    with open_database(newcomer / "results.db") as db, pytest.raises(InvalidSetting, match="no finite number"):
        submit(db, str(tmp_path / "endless.toml"), method_in(newcomer), tmp_path, installed_catalog())


def test_a_thinned_database_gives_the_counted_restart_alone(newcomer: Path, tmp_path: Path) -> None:
    shutil.copy(newcomer / "results.db", tmp_path)
    with open_database(tmp_path / "results.db") as db:
        thin(db, ["acc", "nmi"])
        study = str(newcomer / "toy.toml")
        folder, bundle = submit(db, study, method_in(newcomer), tmp_path, installed_catalog())
    assert {len(entry.labels) for entry in bundle.entries if entry.status == "DONE"} == {1}
    verify(folder, installed_catalog(), sample=0, seed=0, study=study)  # with all scores, which labels give


# verifying ------------------------------------------------------------------------------------------------


def test_a_true_bundle_is_verified_by_workers(
    true_bundle: Path, newcomer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["results", "verify", str(true_bundle), "--sample", "12", "--study", str(newcomer / "toy.toml"),
          "--db", str(newcomer / "results.db"), "--jobs", "1"])  # fmt: skip
    said = capsys.readouterr().out
    assert "drawn by seed" in said
    assert "12 trials of toy-method, 12 run again" in said


def test_the_command_says_what_does_not_hold(copied: Path, newcomer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doctored(copied, lambda bundle: replace(bundle, entries=bundle.entries[1:]))
    with pytest.raises(SystemExit) as ended:
        main(["results", "verify", str(copied), "--study", str(newcomer / "toy.toml")])
    assert ended.value.code == 1
    assert "Refused: It lacks toy-method on synthetic-apmc, missing-even 0.1, repeat 0" in capsys.readouterr().out


def test_the_draw_differs_by_its_seed_and_takes_what_ends_alike_everywhere(true_bundle: Path) -> None:
    entries = read_bundle(true_bundle).entries
    late = [replace(entries[0], status="TIMEOUT"), *entries[1:]]
    draws = [[entry.key for entry in drawn(late, 5, seed)] for seed in range(4)]
    assert len(set(map(tuple, draws))) == 4
    assert draws[0] == [entry.key for entry in drawn(late[::-1], 5, 0)]
    assert len(drawn(late, 100, 0)) == 11


def _made_with(bundle: Bundle, routines: str) -> Bundle:
    """The bundle, made on a processor whose OpenBLAS uses these routines; '': it does not say which."""
    known = {
        name: {key: value for key, value in one.items() if key != "openblas"}
        | ({"openblas": routines} if routines else {})
        for name, one in bundle.environments.items()
    }
    return replace(bundle, environments=known)


def _verified(bundle: Path, newcomer: Path) -> tuple[str, ...]:
    """What a verification by one re-run remarks."""
    found = verify(bundle, installed_catalog(), sample=1, seed=0, study=str(newcomer / "toy.toml"), jobs=1)
    return found.remarks


def test_a_sample_runs_with_the_routines_that_made_it(
    copied: Path, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def looking(*given: Any) -> dict[str, Outcome]:
        seen.append(os.environ.get("OPENBLAS_CORETYPE"))
        return rerun(*given)

    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    monkeypatch.setattr(verify_module, "rerun", looking)
    monkeypatch.setattr(verify_module, "can_use", lambda routines: routines == "Haswell")
    doctored(copied, lambda bundle: _made_with(bundle, "Haswell"))
    assert not [remark for remark in _verified(copied, newcomer) if "OpenBLAS" in remark]
    doctored(copied, lambda bundle: _made_with(bundle, "SkylakeX"))
    assert "its routines for SkylakeX there, which this processor lacks" in _verified(copied, newcomer)[-1]
    assert seen == ["Haswell", None]


@pytest.mark.parametrize(("routines", "said"), [("SkylakeX", "verify it on such a processor"), ("", "do not say")])
def test_labels_that_differ_by_the_processor_are_refused_and_it_is_said(
    copied: Path, newcomer: Path, monkeypatch: pytest.MonkeyPatch, routines: str, said: str
) -> None:
    monkeypatch.setattr(verify_module, "can_use", lambda _: False)
    monkeypatch.setattr(verify_module, "differences", lambda *_: ["its labels are others here."])
    doctored(copied, lambda bundle: _made_with(bundle, routines))
    with pytest.raises(InvalidBundle, match=said) as refused:
        _verified(copied, newcomer)
    assert "labels are others" in refused.value.problems[1]


def test_conditions_that_a_release_has_not_are_refused(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    shutil.copy(newcomer / "results.db", tmp_path)
    with open_database(tmp_path / "results.db") as db:
        remove(db, removal(db, chosen(db, Filter(datasets=("synthetic-emvc",)))))
        with pytest.raises(InvalidBundle, match=r"\(synthetic-emvc, .*holds no trial on such data"):
            verify(true_bundle, installed_catalog(), sample=0, seed=0, study=str(newcomer / "toy.toml"), release=db)


def test_a_study_that_comes_with_mvarena_is_the_one_of_that_name(copied: Path) -> None:
    doctored(copied, lambda bundle: replace(bundle, study="quick"))
    with pytest.raises(InvalidBundle, match=r"study\.toml is not the study quick"):
        verify(copied, installed_catalog(), sample=0, seed=0)


def test_a_study_of_its_own_is_said_and_names_no_files(copied: Path) -> None:
    found = verify(copied, installed_catalog(), sample=0, seed=0)
    assert any("taken as it is" in remark for remark in found.remarks)
    doctored(copied, lambda bundle: replace(bundle, study_text='data = "/etc/mine.csv"\n'))
    with pytest.raises(InvalidBundle, match=r"Its study names files \(mine\)"):
        verify(copied, installed_catalog(), sample=0, seed=0)


def test_the_code_of_a_bundle_is_not_imported_here(
    true_bundle: Path, newcomer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither without a sample nor, with one, in the process that compares."""
    monkeypatch.setenv("TOY_TRACE", str(tmp_path / "trace"))
    verify(true_bundle, installed_catalog(), sample=0, seed=0, study=str(newcomer / "toy.toml"))
    assert not (tmp_path / "trace").exists()
    verify(true_bundle, installed_catalog(), sample=2, seed=0, study=str(newcomer / "toy.toml"), jobs=1)
    processes = (tmp_path / "trace").read_text().split()
    assert processes
    assert str(os.getpid()) not in processes


# taking in ------------------------------------------------------------------------------------------------


def test_what_is_pulled_is_marked_and_whole(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    with _pulled(true_bundle, newcomer, tmp_path / "results.db") as db, open_database(newcomer / "results.db") as own:
        assert list(problems(db)) == []
        assert marks_of(db) == {"toy-method": "unverified"}
        for entry in read_bundle(true_bundle).entries:
            here, there = outcome_of(db, entry.key), outcome_of(own, entry.key)
            assert here is not None
            assert there is not None
            assert (here.status, here.reason, here.wall_s) == (there.status, there.reason, there.wall_s)
            assert [one.labels.tolist() for one in here.labellings] == [one.labels.tolist() for one in there.labellings]
            assert {(one.restart, one.metric, one.value) for one in here.scores} <= {
                (one.restart, one.metric, one.value) for one in there.scores
            }
            assert here.environment["submission"]["bundle"] == read_bundle(true_bundle).digest


def test_a_mark_of_the_submitter_counts_for_nothing(copied: Path, newcomer: Path, tmp_path: Path) -> None:
    def claims(bundle):
        marked = {name: dict(one) | {"submission": {"mark": "signed"}} for name, one in bundle.environments.items()}
        return replace(bundle, environments=marked)

    with _pulled(doctored(copied, claims), newcomer, tmp_path / "results.db") as db:
        assert marks_of(db) == {"toy-method": "unverified"}


def test_pulling_again_changes_the_mark_alone(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    with _pulled(true_bundle, newcomer, tmp_path / "results.db") as db:
        found = verify(true_bundle, installed_catalog(), sample=0, seed=0, study=str(newcomer / "toy.toml"))
        done = pull(db, replace(found, rerun=5), "", _ASKED, installed_catalog())
        assert (done.added, done.here, done.other, done.remarked) == (0, 12, 0, 12)
        assert marks_of(db) == {"toy-method": "re-run"}
        assert list(problems(db)) == []
        with open_database(tmp_path / "other.db") as other:
            merge(other, db)
            assert marks_of(other) == {"toy-method": "re-run"}


def test_own_results_stay_and_carry_no_mark(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    shutil.copy(newcomer / "results.db", tmp_path)
    with _pulled(true_bundle, newcomer, tmp_path / "results.db") as db:
        assert marks_of(db) == {}


def test_tables_and_the_site_show_the_mark(true_bundle: Path, newcomer: Path, tmp_path: Path) -> None:
    with _pulled(true_bundle, newcomer, tmp_path / "results.db") as db:
        context = ReportData.from_database(db).context
        assert context.contestants(["toy-method (columns=2)", "mic"])["toy-method (columns=2)"] == (
            "toy-method (columns=2) [unverified]"
        )
        assert "[" not in context.contestant("mic")
        assert context.marked == ["[unverified]: submitted by others and checked without running them again."]
        write_site(db, tmp_path / "site", installed_catalog())
    labels = (tmp_path / "site" / "data" / "labels.js").read_text()
    assert "toy-method [unverified]" in labels
    assert "submitted by others" in (tmp_path / "site" / "data" / "cards.js").read_text()


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_signature_is_checked_and_shown(copied: Path, newcomer: Path, tmp_path: Path) -> None:
    key, allowed = tmp_path / "key", tmp_path / "allowed"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    allowed.write_text(f"ann@example.org {key.with_suffix('.pub').read_text()}")
    with pytest.raises(InvalidSetting, match="has no bundle"):
        signer_of(copied, allowed)
    sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(copied / BUNDLE)]
    subprocess.run(sign, check=True, capture_output=True)
    assert signer_of(copied, allowed) == "ann@example.org"
    with _pulled(copied, newcomer, tmp_path / "results.db", signer_of(copied, allowed)) as db:
        assert marks_of(db) == {"toy-method": "signed"}
    doctored(copied, lambda bundle: replace(bundle, mvarena="9"))
    with pytest.raises(InvalidBundle, match="not of this"):
        signer_of(copied, allowed)
    allowed.write_text("")
    with pytest.raises(InvalidBundle, match="of nobody"):
        signer_of(copied, allowed)
