"""The files of a bundle: small texts in one order, which a git repository keeps and shows line by line.

    submissions/my-method/arena-lite/
        bundle.toml          method, study, card, versions of the metrics, sha256 of each other file, digest over all
        study.toml           the study
        trials.jsonl         a line for each trial: identity, key, status, reason, times, digest of the mask, scores
        labels.jsonl         a line for each finished trial: restart -> its labels, packed as base64, and the inertia
        environments.json    versions and machines
        code/my_method.py    the method, where it is one file

Reading runs nothing and unpickles nothing. Every file has a largest size, every value a type.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import tomli_w

from mvarena.contracts.outcome import Status
from mvarena.errors import MvarenaError
from mvarena.files import write_atomically
from mvarena.store.encoding import canonical_json

FORMAT = 1
BUNDLE, STUDY, TRIALS, LABELS = "bundle.toml", "study.toml", "trials.jsonl", "labels.jsonl"
ENVIRONMENTS, CODE, SIGNATURE = "environments.json", "code", "bundle.toml.sig"
_MOST_BYTES = {BUNDLE: 2**20, STUDY: 2**20, ENVIRONMENTS: 2**22, TRIALS: 2**28, LABELS: 2**28, SIGNATURE: 2**16}
_MOST_CODE = 2**20
_MOST_TEXT = 10_000  # letters of a reason and of other texts
_ONE_FILE = re.compile(rf"{CODE}/([A-Za-z_]\w*\.py):([A-Za-z_]\w*)")
_HEX = re.compile(r"[0-9a-f]{64}")
_RESTART = re.compile(r"0|[1-9][0-9]{0,5}")
_NUMBER = (int, float)


class InvalidBundle(MvarenaError):
    """A bundle that does not hold. problems : a sentence for each thing that is wrong."""

    def __init__(self, where: object, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{where} is refused. {' '.join(self.problems)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One trial of a bundle.

    identity : what its key is the hash of (`mvarena.contracts.trial`). code : the fingerprint of the method's code.
    environment : the name of one of the bundle's. mask : the digest of the mask that its method saw.
    scores : metric -> restart -> value. labels : restart -> (labels packed as base64, inertia or None).
    """

    key: str
    dataset: str
    protocol: str
    identity: Mapping[str, Any]
    status: str
    reason: str
    started_at: str
    wall_s: float
    cpu_s: float
    fit_s: float
    peak_rss_mb: float
    n_iter: int
    converged: bool
    stopped_because: str
    code: str
    environment: str
    mask: str
    achieved: Mapping[str, Any]
    scores: Mapping[str, Mapping[str, float | None]]
    labels: Mapping[str, tuple[str, float | None]] = field(default_factory=dict)

    @property
    def named(self) -> str:
        """The trial as sentences name it: 'trial 0123456789ab (digits, missing-even 0.3, repeat 2)'."""
        return f"trial {self.key[:12]} ({self.dataset}, {condition_of(self.identity)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The content of a bundle.

    method, version : of the algorithm. study : the name of a shipped study, '' for another; study_text : its TOML.
    source : 'code/my_method.py:MyMethod' for a method of one file, else what provides it ('mvarena 0.1.0').
    metrics : metric -> its version. card : what the method says of itself. source_text : the file of a one-file method.
    """

    method: str
    version: str
    study: str
    study_text: str
    source: str
    code: str
    mvarena: str
    metrics: Mapping[str, str]
    card: Mapping[str, Any]
    environments: Mapping[str, Mapping[str, Any]]
    entries: tuple[Entry, ...]
    source_text: str | None = None
    digest: str = ""

    @property
    def one_file(self) -> tuple[str, str] | None:
        """File and class of a one-file method."""
        found = _ONE_FILE.fullmatch(self.source)
        return (found[1], found[2]) if found else None


def condition_of(identity: Mapping[str, Any]) -> str:
    """'missing-even 0.3, repeat 2'; also of an identity that is none."""
    try:
        steps = [f"{name} {rate:g}" if rate is not None else name for name, _, rate, *_ in identity["corruptions"]]
        return f"{' + '.join(steps) or 'as it is'}, repeat {identity['seed'][1]}"
    except (KeyError, TypeError, ValueError, IndexError):
        return "with an identity that cannot be read"


# writing --------------------------------------------------------------------------------------------------


def write_bundle(folder: Path, bundle: Bundle) -> str:
    """Write the files of a bundle and return its digest. Raises OSError where they cannot be written."""
    files = {
        STUDY: bundle.study_text,
        ENVIRONMENTS: json.dumps(bundle.environments, indent=1, sort_keys=True) + "\n",
        TRIALS: _lines(_row(entry) for entry in _ordered(bundle.entries)),
        LABELS: _lines(_labels(entry) for entry in _ordered(bundle.entries) if entry.labels),
    }
    if bundle.one_file and bundle.source_text is not None:
        files[f"{CODE}/{bundle.one_file[0]}"] = bundle.source_text
    head = {"format": FORMAT} | {name: getattr(bundle, name) for name in _HEAD}
    head |= {"trials": len(bundle.entries), "files": {name: _sha(text.encode()) for name, text in files.items()}}
    digest = _sha(canonical_json(head).encode())
    tables = {"metrics": dict(bundle.metrics), "card": dict(bundle.card), "files": head.pop("files")}
    plain = {name: value for name, value in head.items() if name not in tables}
    for name, text in files.items():
        write_atomically(folder / name, text)
    write_atomically(folder / BUNDLE, tomli_w.dumps(plain | {"digest": digest} | tables))
    return digest


def _ordered(entries: Iterable[Entry]) -> list[Entry]:
    """By data, condition, parameters and preparation, and then by repeat: neighbours are alike in a comparison."""

    def place(entry: Entry) -> tuple[str, ...]:
        parts = ("corruptions", "params", "prepare", "protocol", "seed")
        return (entry.dataset, *(canonical_json(entry.identity.get(part)) for part in parts), entry.key)

    return sorted(entries, key=place)


def _row(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if name != "labels"}


def _labels(entry: Entry) -> dict[str, Any]:
    return {"key": entry.key, "labels": entry.labels}


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, separators=(', ', ': '), allow_nan=False)}\n" for row in rows)


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# reading --------------------------------------------------------------------------------------------------

_HEAD = ("method", "version", "study", "source", "code", "mvarena", "metrics", "card")
_KINDS: Mapping[str, Any] = {
    "key": str, "dataset": str, "protocol": str, "identity": dict, "status": str, "reason": str, "started_at": str,
    "wall_s": _NUMBER, "cpu_s": _NUMBER, "fit_s": _NUMBER, "peak_rss_mb": _NUMBER, "n_iter": int, "converged": bool,
    "stopped_because": str, "code": str, "environment": str, "mask": str, "achieved": dict, "scores": dict,
}  # fmt: skip
_HEAD_KINDS: Mapping[str, Any] = dict.fromkeys(_HEAD, str) | {
    "format": int, "metrics": dict, "card": dict, "trials": int, "files": dict, "digest": str,
}  # fmt: skip


def read_bundle(folder: Path) -> Bundle:
    """The bundle in a folder. Cost: O(bytes), with a largest number of these.

    Raises InvalidBundle, with a sentence for each thing that is wrong: files that are missing, too large, links or not
    of a bundle; texts that cannot be read; values of another type; digests that are not those of the files; trials that
    stand there twice.
    """
    if not (folder / BUNDLE).is_file():
        raise InvalidBundle(folder, [f"It holds no {BUNDLE}; name the folder that 'mvarena results submit' wrote."])
    head = _head(folder)
    texts = _texts(folder, head)
    problems: list[str] = []
    rows = _rows(texts[TRIALS], TRIALS, _check_row, problems)
    labels = {row["key"]: row["labels"] for row in _rows(texts[LABELS], LABELS, _check_labels, problems)}
    entries = tuple(Entry(**row, labels=labels.pop(row["key"], {})) for row in rows)
    problems += [f"{LABELS} holds labels of trial {key[:12]}, which {TRIALS} does not hold." for key in labels]
    environments = _environments(texts[ENVIRONMENTS], problems)
    lost = sorted({entry.environment for entry in entries} - environments.keys())
    problems += [f"The environment {name[:12]} is not in {ENVIRONMENTS}." for name in lost]
    if len(entries) != head["trials"]:
        problems.append(f"{TRIALS} holds {len(entries)} trials, and {BUNDLE} counts {head['trials']}.")
    if problems:
        raise InvalidBundle(folder, problems)
    return Bundle(
        **{name: head[name] for name in _HEAD},
        digest=head["digest"],
        study_text=texts[STUDY],
        environments=environments,
        entries=entries,
        source_text=next((text for name, text in texts.items() if name.startswith(f"{CODE}/")), None),
    )


def _head(folder: Path) -> dict[str, Any]:
    try:
        head = tomllib.loads(_content(folder, BUNDLE).decode())
    except (ValueError, RecursionError) as error:
        raise InvalidBundle(folder, [f"{BUNDLE} cannot be read as TOML: {error}."]) from error
    if head.get("format") != FORMAT:
        raise InvalidBundle(folder, [f"Its format is {head.get('format')!r:.40}, and this mvarena reads {FORMAT}."])
    problems = _of_kinds(head, _HEAD_KINDS, BUNDLE)
    if not problems and not all(isinstance(text, str) for text in (*head["files"].values(), *head["metrics"].values())):
        problems.append(f"{BUNDLE}: digests of files and versions of metrics are texts.")
    if problems:
        raise InvalidBundle(folder, problems)
    digest = head.pop("digest")
    if _sha(canonical_json(head).encode()) != digest:
        raise InvalidBundle(folder, [f"The digest in {BUNDLE} is not that of what it says."])
    return head | {"digest": digest}


def _texts(folder: Path, head: Mapping[str, Any]) -> dict[str, str]:
    """The files that the head lists, which are all that there are, each with its digest."""
    found = _ONE_FILE.fullmatch(head["source"])
    wanted = {STUDY, ENVIRONMENTS, TRIALS, LABELS} | ({f"{CODE}/{found[1]}"} if found else set())
    problems = [f"{BUNDLE} does not list {name}." for name in sorted(wanted - head["files"].keys())]
    problems += [f"{BUNDLE} lists {name}, which is no file of a bundle." for name in head["files"].keys() - wanted]
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()}
    problems += [f"{name} does not belong to the bundle." for name in sorted(there - wanted - {BUNDLE, SIGNATURE})]
    texts = {}
    for name in sorted(wanted) if not problems else ():
        content = _content(folder, name)
        if _sha(content) != head["files"][name]:
            problems.append(f"{name} has another sha256 than {BUNDLE} says.")
        try:
            texts[name] = content.decode()
        except UnicodeDecodeError:
            problems.append(f"{name} is no UTF-8 text.")
    if problems:
        raise InvalidBundle(folder, problems)
    return texts


def _content(folder: Path, name: str) -> bytes:
    """The bytes of a file of the bundle: none of a link, none of one that is too large."""
    path, most = folder / name, _MOST_BYTES.get(name, _MOST_CODE)
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        raise InvalidBundle(folder, [f"{name} is missing, or no plain file."])
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise InvalidBundle(folder, [f"{name} is larger than the {most} bytes that such a file may have."])
    return content


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _rows(text: str, name: str, check: Callable[[Any], list[str]], problems: list[str]) -> list[dict[str, Any]]:
    """The lines of a file, those that are wrong left out with a sentence."""
    rows: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.split("\n")[:-1] if text.endswith("\n") else text.split("\n"), 1):
        where = f"{name}, line {number}"
        try:
            row = _json(line)
        except ValueError as error:
            problems.append(f"{where} cannot be read: {error}.")
            continue
        if wrong := check(row):
            problems += [f"{where}: {sentence}" for sentence in wrong]
        elif row["key"] in rows:
            problems.append(f"{where}: trial {row['key'][:12]} stands there twice.")
        else:
            rows[row["key"]] = row
    return list(rows.values())


def _of_kinds(row: Any, kinds: Mapping[str, Any], what: str) -> list[str]:
    if not isinstance(row, dict) or row.keys() != kinds.keys():
        names = row.keys() ^ kinds.keys() if isinstance(row, dict) else kinds
        return [f"{what} has not the fields of a bundle ({', '.join(sorted(map(str, names)))})."]
    wrong = [
        name
        for name, kind in kinds.items()
        if not isinstance(row[name], kind)
        or (isinstance(row[name], bool) and kind is not bool)
        or (isinstance(row[name], str) and len(row[name]) > _MOST_TEXT)
        or (isinstance(row[name], int) and abs(row[name]) >= 2**63)
    ]
    return [f"{what}: {', '.join(wrong)} cannot have such a value."] if wrong else []


def _check_row(row: Any) -> list[str]:
    wrong = _of_kinds(row, _KINDS, "the trial")
    if wrong:
        return wrong
    if not (_is_shallow(row["identity"]) and _is_shallow(row["achieved"])):
        wrong.append("its identity or what it notes of its data is nested too deeply.")
    if not _HEX.fullmatch(row["key"]):
        wrong.append("its key is no key.")
    if row["status"] not in [status.value for status in Status if status is not Status.INTERRUPTED]:
        wrong.append(f"'{row['status']:.20}' is no status that a trial ends with.")
    try:
        if datetime.fromisoformat(row["started_at"]).tzinfo is None:
            raise ValueError
    except ValueError:
        wrong.append("its beginning is no time with a zone.")
    if min(row[name] for name in ("wall_s", "cpu_s", "fit_s", "peak_rss_mb", "n_iter")) < 0:
        wrong.append("a time, its memory or its iterations are below 0.")
    for values in row["scores"].values():
        if (
            not isinstance(values, dict)
            or not all(map(_RESTART.fullmatch, values))
            or not all(map(_is_real, values.values()))
        ):
            wrong.append("its scores are no numbers by restart.")
            break
    return wrong


def _check_labels(row: Any) -> list[str]:
    wrong = _of_kinds(row, {"key": str, "labels": dict}, "the labels")
    if not wrong:
        for name, pair in row["labels"].items():
            plain = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and _is_real(pair[1])
            if not _RESTART.fullmatch(name) or not plain:
                return ["the labels of a restart are a text and an inertia."]
        row["labels"] = {name: (packed, inertia) for name, (packed, inertia) in row["labels"].items()}
    return wrong


def _is_shallow(value: Any, levels: int = 20) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in items)


def _is_real(value: Any) -> bool:
    return value is None or (isinstance(value, _NUMBER) and not isinstance(value, bool))


def _environments(text: str, problems: list[str]) -> dict[str, dict[str, Any]]:
    try:
        found = _json(text)
    except ValueError as error:
        problems.append(f"{ENVIRONMENTS} cannot be read: {error}.")
        return {}
    if not isinstance(found, dict) or not all(isinstance(one, dict) and _is_shallow(one) for one in found.values()):
        problems.append(f"{ENVIRONMENTS} holds no environments by name.")
        return {}
    return found
