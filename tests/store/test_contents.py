"""Facts on data: which count as one corpus (by card, file, classes and views), and the ids of their samples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from store_examples import example_outcome, example_trial, rows

from mvarena.contracts.source import Source
from mvarena.store.contents import describe_contents, ids_of_trial
from mvarena.store.database import Database, open_database
from mvarena.store.frames import scores_frame
from mvarena.store.maintenance import removal, remove
from mvarena.store.merge import merge
from mvarena.store.schema import datasets
from mvarena.store.write_outcomes import record
from mvarena.study.cards import ContentFacts

CLASSES = np.array([0, 1, 2, 0, 1, 2])


def facts(*digests: str, corpus: str = "", labels: np.ndarray | None = CLASSES) -> ContentFacts:
    views = json.dumps([[f"v{index}", "features", 2, digest] for index, digest in enumerate(digests)])
    return ContentFacts(corpus=corpus, n_samples=6, n_clusters=3, labels=labels, views=views)


def add(db: Database, name: str, content: str, *, source: Source | None = None, truth: np.ndarray = CLASSES) -> None:
    named = source or Source.of_files([f"{name}.npz"])
    record(db, example_trial(source=named.without_folders(), content=content), example_outcome(truth=truth))


def corpora(db: Database) -> dict[str, str]:
    frame = scores_frame(db)
    return dict(zip(frame["dataset"], frame["corpus"], strict=True))


def test_copies_of_one_file_are_one_corpus_and_another_file_is_its_own(db: Database) -> None:
    for name in ("copy-a", "copy-b", "c"):
        add(db, name, "same")
    add(db, "leaves", "2")
    assert corpora(db) == {"copy-a": "c", "copy-b": "c", "c": "c", "leaves": "leaves"}
    assert set(scores_frame(db, datasets=["copy-a"])["corpus"]) == {"c"}, "a filter changes no corpus"


def test_two_files_of_one_name_and_other_classes_are_two(db: Database) -> None:
    add(db, "data", "1")
    add(db, "data", "2", truth=CLASSES[::-1].copy())
    assert sorted(scores_frame(db)["corpus"].unique()) == ["data", "data #2"]


def test_views_cut_from_one_source_are_one_corpus(db: Database) -> None:
    add(db, "a", "1", source=Source(dataset="digits", views=("fou",)))
    add(db, "b", "2", source=Source(dataset="digits", views=("fac", "pix")))
    add(db, "c", "3", source=Source.of_files(["faces.mat"], views=("x",)))
    add(db, "d", "4", source=Source.of_files(["faces.mat"], views=("y",)))
    assert corpora(db) == {
        "digits[fou]": "digits",
        "digits[fac,pix]": "digits",
        "faces[x]": "faces",
        "faces[y]": "faces",
    }


def test_equal_classes_with_an_equal_view_are_one_corpus(db: Database) -> None:
    for name, content in (("one", "1"), ("other", "2"), ("third", "3")):
        add(db, name, content, truth=CLASSES if name != "third" else CLASSES[::-1].copy())
    views = {"1": facts("aa", "bb"), "2": facts("cc", "bb"), "3": facts("bb", labels=CLASSES[::-1].copy())}
    describe_contents(db, views)
    assert corpora(db) == {"one": "one", "other": "one", "third": "third"}


def test_a_card_names_the_corpus(db: Database) -> None:
    for name, content in (("webkb-texas", "1"), ("kernel-cornell", "2")):
        add(db, name, content, source=Source(dataset=name), truth=CLASSES if name == "1" else CLASSES[::-1].copy())
    describe_contents(db, {"1": facts("x", corpus="webkb"), "2": facts("y", corpus="webkb")})
    assert set(corpora(db).values()) == {"webkb"}


IDS = ("P1", "é", "P3", "p4", "5", "")
TRIAL = example_trial(content="feed")


def of_ids(ids: tuple[str, ...] | None, corpus: str = "") -> dict[str, ContentFacts]:
    return {"feed": ContentFacts(corpus=corpus, n_samples=6, n_clusters=3, labels=None, views="[]", ids=ids)}


def test_facts_are_stored_once_for_each_content_and_replaced_by_later_ones(db: Database) -> None:
    other = example_trial(content="feed", seed=8)
    for trial in (TRIAL, other):
        record(db, trial, example_outcome())
    assert ids_of_trial(db, TRIAL.key, 6) is None
    describe_contents(db, of_ids(IDS))
    describe_contents(db, of_ids(None, corpus="known"))
    assert ids_of_trial(db, TRIAL.key, 6) == ids_of_trial(db, other.key, 6) == IDS, "none are taken away"
    assert ids_of_trial(db, TRIAL.key, 5) is None, "a corruption left a sample out"
    assert (rows(db, datasets), corpora(db)) == (1, {"digits[fou,fac]": "known"})
    describe_contents(db, of_ids(tuple("abcdef")))
    assert ids_of_trial(db, TRIAL.key, 6) == tuple("abcdef")


def test_a_merge_brings_them_and_they_go_with_the_last_trial(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db") as ours, open_database(tmp_path / "b.db") as theirs:
        record(theirs, TRIAL, example_outcome())
        describe_contents(theirs, of_ids(IDS, corpus="known"))
        merge(ours, theirs)
        assert ids_of_trial(ours, TRIAL.key, 6) == IDS
        assert corpora(ours) == {"digits[fou,fac]": "known"}
        remove(ours, removal(ours, ()))
        assert rows(ours, datasets) == 0
