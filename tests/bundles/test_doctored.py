"""Doctored bundles of eleven kinds, whose digests are made to fit: each is refused, with a sentence that says why."""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from bundle_tools import doctored

from mvarena.bundles import verify as verify_module
from mvarena.bundles.checks import labels_of, trial_of
from mvarena.bundles.expected import Points
from mvarena.bundles.files import BUNDLE, LABELS, TRIALS, Bundle, Entry, InvalidBundle, read_bundle
from mvarena.bundles.verify import verify
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.store.encoding import canonical_json, fingerprint, pack_labels

Change = Callable[[Bundle], Bundle]


def _done(bundle: Bundle) -> list[Entry]:
    return [entry for entry in bundle.entries if entry.status == "DONE"]


def _failed(bundle: Bundle) -> list[Entry]:
    return [entry for entry in bundle.entries if entry.status == "FAILED"]


def _with(bundle: Bundle, old: Entry, **values: Any) -> Bundle:
    new = replace(old, **values)
    return replace(bundle, entries=tuple(new if entry is old else entry for entry in bundle.entries))


def _other(old: Entry, keyed: bool = True, **parts: Any) -> dict[str, Any]:
    """Another identity, and its key unless the old one is kept."""
    identity = dict(old.identity) | parts
    return {"identity": identity} | ({"key": fingerprint(canonical_json(identity))} if keyed else {})


def _first(**values: Any) -> Change:
    return lambda bundle: _with(bundle, _done(bundle)[0], **values)


def _of_first(change: Callable[[Entry], dict[str, Any]]) -> Change:
    return lambda bundle: _with(bundle, _done(bundle)[0], **change(_done(bundle)[0]))


def _of_failed(**values: Any) -> Change:
    return lambda bundle: _with(bundle, _failed(bundle)[0], **values)


def _without(gone: Callable[[Bundle], list[Entry]]) -> Change:
    def change(bundle: Bundle) -> Bundle:
        keys = {entry.key for entry in gone(bundle)}
        return replace(bundle, entries=tuple(entry for entry in bundle.entries if entry.key not in keys))

    return change


def _packed(labels: Mapping[int, Any]) -> dict[str, tuple[str, float | None]]:
    return {str(i): (base64.b64encode(pack_labels(one)).decode(), 1.0) for i, one in labels.items()}


def _relabelled(entry: Entry, change: Callable[[dict[int, Any], Any], Mapping[int, Any]]) -> dict[str, Any]:
    """Other labels, with the scores that they have."""
    points, trial = Points(installed_catalog()), trial_of(entry)
    assert trial is not None
    point = points.at(trial)
    labels = change(labels_of(entry, point.n_samples), point.truth)
    scores = points.scores(labels, point.truth)
    plain = {name: {str(i): value for i, value in values.items()} for name, values in scores.items()}
    return {"labels": _packed(labels), "scores": plain, "status": "DONE", "reason": ""}


def _scored(entry: Entry, metric: str, place: str, value: float) -> dict[str, Any]:
    return {"scores": dict(entry.scores) | {metric: dict(entry.scores[metric]) | {place: value}}}


def _noted(entry: Entry, **parts: Any) -> dict[str, Any]:
    return {"achieved": dict(entry.achieved) | parts}


def _step(entry: Entry, name: str, version: str) -> dict[str, Any]:
    """The identity with another version of a step."""
    steps = [[item[0], version, *item[2:]] for item in entry.identity[name]]
    return _other(entry, **{name: steps})


def _swapped(bundle: Bundle) -> Bundle:
    one, two = _done(bundle)[:2]
    return _with(_with(bundle, one, scores=two.scores), two, scores=one.scores)


def _to_truth(labels: Any, truth: Any) -> dict[int, Any]:
    return dict.fromkeys(labels, truth)


def _invented(_: Any, truth: Any) -> dict[int, Any]:
    return dict.fromkeys(range(3), truth)


def _not_lowest(labels: Any, _: Any) -> dict[int, Any]:
    """Of three restarts that reach one inertia, of which the first counts."""
    return {2: labels[2]}


def _renumbered(labels: Any, _: Any) -> dict[int, Any]:
    return {place: 1 - one for place, one in labels.items()}


def _one_moved(labels: Any, truth: Any) -> dict[int, Any]:
    first = labels[0].copy()
    first[0] = 1 - first[0]
    return {**labels, 0: first}


# what is said of the whole content of a bundle; name -> (change, a word of the sentence)
SAID: dict[str, tuple[Change, str]] = {
    "key of nothing": (_first(key="0" * 64), "key is not that of its identity"),
    "key of a failed trial": (_of_failed(key="f" * 64), "key is not that of its identity"),
    "key kept for another seed": (_of_first(lambda one: _other(one, False, seed=[1, 0])), "key is not"),
    "key kept for another repeat": (_of_first(lambda one: _other(one, False, seed=[0, 7])), "key is not"),
    "key kept for other parameters": (_of_first(lambda one: _other(one, False, params={"columns": 9})), "key is not"),
    "mask of nobody": (_first(mask="0" * 64), "another mask"),
    "mask of another repeat": (
        lambda bundle: _with(bundle, _done(bundle)[0], mask=_done(bundle)[1].mask), "another mask"),
    "mask of a failed trial": (_of_failed(mask="1" * 64), "another mask"),
    "fewer incomplete samples": (_of_first(lambda one: _noted(one, incomplete=0.05)), "shares of missing"),
    "other counts of samples": (
        _of_first(lambda one: _noted(one, samples_by_missing_views=[190, 10])), "shares of missing"),
    "without a failure": (_without(lambda bundle: _failed(bundle)[:1]), "failures too"),
    "without failures": (_without(_failed), "failures too"),
    "without a bad result": (_without(lambda bundle: _done(bundle)[:1]), "It lacks toy-method on synthetic"),
    "without a data set": (
        _without(lambda bundle: [one for one in bundle.entries if "emvc" in one.dataset]), "on synthetic-emvc"),
    "without a repeat": (
        _without(lambda bundle: [one for one in bundle.entries if one.identity["seed"][1] == 2]), "repeat 2"),
    "better accuracy": (_of_first(lambda one: _scored(one, "acc", "0", 0.999)), "its acc of restart 0 is 0.9990"),
    "a little better": (_of_first(lambda one: _scored(one, "nmi", "1", one.scores["nmi"]["1"] + 0.002)), "its nmi"),
    "no number": (_of_first(lambda one: _scored(one, "ari", "2", None)), "its ari"),  # type: ignore[arg-type]
    "scores of another trial": (_swapped, "its labels have"),
    "without a metric": (
        _of_first(lambda one: {"scores": {name: item for name, item in one.scores.items() if name != "acc"}}), "(acc)"),
    "other data": (_of_first(lambda one: _other(one, content="generated:digits:1")), "fingerprint generated:di"),
    "other version of data": (
        _of_first(lambda one: _other(one, content=one.identity["content"][:-1] + "2")), "which no data set"),
    "another name of the data": (_first(dataset="digits"), "are called digits"),
    "another protocol's name": (_first(protocol="paper"), "are called"),
    "fewer restarts": (
        _of_first(lambda one: _other(one, protocol=dict(one.identity["protocol"]) | {"restarts": 1})), "no such"),
    "another version of the method": (
        _of_first(lambda one: _other(one, algorithm=["toy-method", "code-000000000000"])), "code-000000000000"),
    "another method": (_of_first(lambda one: _other(one, algorithm=["mic", "1"])), "it is of mic 1"),
    "another corruption's version": (_of_first(lambda one: _step(one, "corruptions", "0")), "is of version 0"),
    "another metric's version": (
        lambda bundle: replace(bundle, metrics=dict(bundle.metrics) | {"acc": "0"}), "metric acc is of version 0"),
    "run by other code": (_first(code="3:" + "0" * 64), "other code"),
    "a failure without a reason": (_of_failed(reason=""), "without a reason"),
    "done without labels": (_first(labels={}), "labels of 0 restarts"),
    "failed with labels": (_first(status="FAILED", reason="no"), "has labels or scores"),
    "one label too few": (
        _first(labels=_packed({i: np.zeros(50, int) for i in range(3)})), "no cluster index"),
    "negative labels": (
        _first(labels=_packed({i: np.full(200, -1) for i in range(3)})), "no cluster index"),
    "an identity of nothing": (_first(identity={"algorithm": ["toy-method"]}), "describes no trial"),
    "an identity with more in it": (_of_first(lambda one: _other(one, more=1)), "describes no trial"),
    "other parameters": (
        _of_first(lambda one: _other(one, params={"columns": 1, "n_clusters": None})), "no such trial"),
    "another preparation": (_of_first(lambda one: _step(one, "prepare", "1")), "no such trial"),
    "another study": (
        lambda bundle: replace(bundle, study_text=bundle.study_text.replace("repeats = 3", "repeats = 1")),
        "is not the study"),
    "other files as data": (
        lambda bundle: replace(bundle, study_text='data = "mine.csv"\n'), "is not the study"),
    "a changed method": (
        lambda bundle: replace(bundle, source_text=str(bundle.source_text).replace("0.8", "0.4")), "is other code"),
    "a method that cannot be imported": (
        lambda bundle: replace(bundle, source_text="raise SystemExit"), "toy-method"),
}  # fmt: skip

# labels that no run gives, with the scores that they have: only running them again tells
RUN_AGAIN: dict[str, tuple[Change, str]] = {
    "the classes as labels": (_of_first(lambda one: _relabelled(one, _to_truth)), "labels of 3 of 3 restarts"),
    "one sample moved": (_of_first(lambda one: _relabelled(one, _one_moved)), "labels of 1 of 3 restarts"),
    "clusters renumbered": (
        _of_first(lambda one: _relabelled(one, _renumbered)), "labels of 3 of 3 restarts"),
    "the best restart alone": (
        _of_first(lambda one: _relabelled(one, lambda _, truth: {0: truth})), "labels of 1 of 1 restarts"),
    "another restart than the one that counts": (_of_first(lambda one: _relabelled(one, _not_lowest)), "not the one"),
    "an inertia that makes another restart count": (
        _of_first(lambda one: {"labels": dict(one.labels) | {"2": (one.labels["2"][0], 0.1)}}), "its inertia of"),
    "a failure made a success": (
        lambda bundle: _with(bundle, _failed(bundle)[0], **_relabelled(_failed(bundle)[0], _invented)),
        "it is DONE in the bundle and FAILED"),
    "a result made a failure": (
        _first(status="FAILED", reason="it failed", labels={}, scores={}), "it is FAILED in the bundle and DONE"),
}  # fmt: skip


def _written(name: str, change: Callable[[bytes], bytes], digests: bool = True) -> Callable[[Path], None]:
    """The change of one file, with the digests of `bundle.toml` made to fit unless they are left."""

    def deed(folder: Path) -> None:
        content = change((folder / name).read_bytes())
        (folder / name).write_bytes(content)
        if digests:
            head = tomllib.loads((folder / BUNDLE).read_text())
            head["files"][name] = hashlib.sha256(content).hexdigest()
            del head["digest"]
            text = tomli_w.dumps({"digest": hashlib.sha256(canonical_json(head).encode()).hexdigest()} | head)
            (folder / BUNDLE).write_text(text)

    return deed


def _row(**values: Any) -> Callable[[bytes], bytes]:
    """The first line with other values."""

    def change(content: bytes) -> bytes:
        first, _, rest = content.partition(b"\n")
        return json.dumps(json.loads(first) | values).encode() + b"\n" + rest

    return change


def _bomb(content: bytes) -> bytes:
    row = json.loads(content.partition(b"\n")[0])
    packed = base64.b64encode(pack_labels(np.zeros(2**24, int))).decode()
    return _row(labels={place: [packed, 1.0] for place in row["labels"]})(content)


def _linked(folder: Path) -> None:
    (folder / TRIALS).rename(folder.parent / TRIALS)
    (folder / TRIALS).symlink_to(folder.parent / TRIALS)


# files that are not those of a bundle; name -> (change of the folder, a word of the sentence)
FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a trial twice": (_written(TRIALS, lambda text: text + text.partition(b"\n")[0] + b"\n"), "stands there twice"),
    "labels twice": (_written(LABELS, lambda text: text + text.partition(b"\n")[0] + b"\n"), "stands there twice"),
    "labels of no trial": (_written(LABELS, _row(key="a" * 64)), "holds labels of trial"),
    "a file that is cut": (_written(TRIALS, lambda text: text[:-40]), "cannot be read"),
    "a file with another digest": (_written(TRIALS, _row(wall_s=0.0), digests=False), "another sha256"),
    "a head with another digest": (
        _written(BUNDLE, lambda text: text.replace(b'"toy-', b'"my-'), digests=False), "not that of what"),
    "a file of a stranger": (lambda folder: (folder / "sitecustomize.py").write_text("") and None, "does not belong"),
    "a missing file": (lambda folder: (folder / LABELS).unlink(), "missing"),
    "a link": (_linked, "no plain file"),
    "a pickle": (_written(LABELS, lambda _: pickle.dumps({"a": 1})), "no UTF-8"),
    "NaN": (_written(TRIALS, lambda text: text.replace(b'"reason": ""', b'"reason": NaN', 1)), "no number of JSON"),
    "deep nesting": (_written(TRIALS, lambda text: b"[" * 100_000 + b"\n" + text), "cannot be read"),
    "labels that unpack to more": (_written(LABELS, _bomb), "labels cannot be read"),
    "labels that are no text": (_written(LABELS, _row(labels={"0": [["x"], 1.0]})), "a text and an inertia"),
    "a field more": (_written(TRIALS, _row(note="see my page")), "fields of a bundle (note)"),
    "a status of its own": (_written(TRIALS, _row(status="GREAT")), "no status"),
    "a time of no zone": (_written(TRIALS, _row(started_at="2026-01-01")), "no time"),
    "a number beyond 64 bits": (_written(TRIALS, _row(n_iter=10**30)), "n_iter"),
    "a format to come": (
        _written(BUNDLE, lambda text: text.replace(b"format = 1", b"format = 2"), digests=False), "format is 2"),
}  # fmt: skip


@pytest.fixture
def rerun_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the sample in this process: one test of a true bundle starts workers (`test_bundles`)."""

    def rerun(trials: list[Trial], *_: Any) -> dict[str, Any]:
        return {trial.key: execute(trial) for trial in trials}

    monkeypatch.setattr(verify_module, "rerun", rerun)


def _refusal(folder: Path, newcomer: Path) -> str:
    with pytest.raises(MvarenaError) as refused:
        verify(folder, installed_catalog(), sample=100, seed=1, study=str(newcomer / "toy.toml"))
    return str(refused.value)


def test_there_are_fifty_of_them_and_more() -> None:
    assert len(SAID) + len(RUN_AGAIN) + len(FILES) >= 50


def test_the_true_one_holds(true_bundle: Path, newcomer: Path, rerun_here: None) -> None:
    found = verify(true_bundle, installed_catalog(), sample=100, seed=1, study=str(newcomer / "toy.toml"))
    assert (found.rerun, len(found.bundle.entries)) == (12, 12)


@pytest.mark.parametrize("name", [*SAID, *RUN_AGAIN])
def test_what_is_said_otherwise_is_refused(name: str, copied: Path, newcomer: Path, rerun_here: None) -> None:
    change, word = (SAID | RUN_AGAIN)[name]
    doctored(copied, change)
    read_bundle(copied)  # its form holds
    assert word in _refusal(copied, newcomer)


@pytest.mark.parametrize("name", RUN_AGAIN)
def test_what_only_a_run_tells_passes_without_one(name: str, copied: Path, newcomer: Path) -> None:
    doctored(copied, RUN_AGAIN[name][0])
    found = verify(copied, installed_catalog(), sample=0, seed=1, study=str(newcomer / "toy.toml"))
    assert any("Nothing of it was run" in remark for remark in found.remarks)


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_none_of_a_bundle_are_refused(name: str, copied: Path, newcomer: Path) -> None:
    change, word = FILES[name]
    change(copied)
    assert word in _refusal(copied, newcomer)


def test_sentences_name_the_trial(copied: Path, newcomer: Path) -> None:
    doctored(copied, SAID["better accuracy"][0])
    with pytest.raises(InvalidBundle) as refused:
        verify(copied, installed_catalog(), sample=0, seed=1, study=str(newcomer / "toy.toml"))
    (sentence,) = refused.value.problems
    assert sentence.startswith("trial ")
    assert "(synthetic-apmc, missing-even 0.1, repeat 0): its acc of restart 0" in sentence
