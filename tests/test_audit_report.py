"""The audit of public programs: the page is made of the evidence, the search finds what it says, and no more."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from mvarena.registry.catalog import installed_catalog

AUDIT = Path(__file__).parent.parent / "reports" / "audit"

BEST = """
top_acc = 0
for epoch in range(100):
    nmi = 0.5
    if nmi > best_loss_limit:
        pass
    if current_acc > top_acc:
        top_acc = current_acc
    if loss < best_loss:
        best_loss = loss
peak = max(acc_list)
wide = max(prediction.max(), 3)
"""
PER_DATA = """
if args.dataset == "first":
    args.seed = 1
    args.epochs = 100
elif args.dataset == "second":
    args.seed = 2
    args.epochs = 100
if args.fast == "first":
    args.seed = 3
"""
CONFIG = """
def configure(data_name):
    if data_name in ["first"]:
        return dict(training=dict(seed=4, epoch=50))
    elif data_name in ["second"]:
        return dict(training=dict(seed=5, epoch=50))

CONFIGS = {"first": {"epochs": 10}, "second": {"epochs": 20}}
"""
OVERWRITTEN = """
if dataset == "first":
    seed = 1
else:
    seed = 2
seed = 7
"""
LABELS = """
model.fit(x, y_list)
model.fit(x, y_pred)
total = pair_loss(codes, real_labels)
total = pair_loss(codes, pseudo_labels)
same = labels[i] == labels[j]
close = codes[i] == codes[j]
"""


def module(name: str) -> ModuleType:
    """The module reports/audit/NAME.py."""
    spec = importlib.util.spec_from_file_location(f"audit_{name}", AUDIT / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded  # where dataclasses look their annotations up
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(AUDIT)
    return module("audit")


def test_the_page_is_made_of_the_evidence(audit: ModuleType) -> None:
    assert audit.page() == (AUDIT / "README.md").read_text(encoding="utf-8")


def test_the_figure_shows_the_numbers_of_the_table(audit: ModuleType, tmp_path: Path) -> None:
    audit.write_figure(tmp_path)
    numbers = (AUDIT / "findings.csv").read_text(encoding="utf-8")
    assert (tmp_path / "findings.csv").read_text(encoding="utf-8") == numbers
    page = (AUDIT / "README.md").read_text(encoding="utf-8")
    for row in pd.read_csv(AUDIT / "findings.csv").itertuples():
        assert f"| {row.what} | {row.programs} |" in page
    assert "](findings.png)" in page
    assert (AUDIT / "findings.png").stat().st_size < 80_000


def test_the_evidence_names_only_files_that_were_read(audit: ModuleType) -> None:
    programs = audit.evidence()
    assert len({program["repo"] for program in programs}) == len(programs)
    for program in programs:
        commits, paths = zip(*(text.split(":") for text in program["read"]), strict=True)
        assert all(len(commit) == 40 and set(commit) <= set("0123456789abcdef") for commit in commits)
        for finding in program.get("finding", []):
            assert finding["kind"] in audit.KINDS
            assert finding["file"] in paths
            assert finding["lines"] == sorted(set(finding["lines"]))
            if "values" in finding:
                assert len(finding["values"]) == len(finding["lines"])
                assert len(finding["values"]) == 1 or len(set(finding["values"])) > 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (BEST, {(7, "best"), (11, "best")}),
        (PER_DATA, {(3, "seed"), (6, "seed")}),
        (CONFIG, {(4, "seed"), (6, "seed"), (8, "epochs")}),
        (OVERWRITTEN, {(3, "seed"), (5, "seed")}),
        (LABELS, {(2, "passed"), (4, "loss"), (6, "pairs")}),
    ],
)
def test_the_search_finds_these_lines_and_no_others(
    audit: ModuleType, tmp_path: Path, source: str, expected: set[tuple[int, str]]
) -> None:
    path = tmp_path / "program.py"
    path.write_text(source, encoding="utf-8")
    lines = audit.audit(path)
    assert {(found.line, found.kind) for found in lines} == expected
    assert all(("set again on line 6" in found.text) == (source == OVERWRITTEN) for found in lines)


def test_lines_of_the_evidence_are_looked_up(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = {"kind": "seed", "file": "run.py", "name": "args.seed", "lines": [3, 6], "values": [1, 2]}
    best = {"kind": "best", "file": "run.py", "lines": [2], "pattern": r"acc\s*>\s*best"}
    monkeypatch.setattr(audit, "evidence", lambda: [{"repo": "one/two", "finding": [seeds]}, {"repo": "not/there"}])
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / "run.py").write_text(PER_DATA, encoding="utf-8")
    assert audit.verify(tmp_path)
    assert "2 lines hold, 0 do not; 1 programs are not among the sources" in capsys.readouterr().out
    monkeypatch.setattr(audit, "evidence", lambda: [{"repo": "one/two", "finding": [seeds | {"lines": [3, 60]}, best]}])
    assert not audit.verify(tmp_path)
    out = capsys.readouterr().out
    assert "run.py:60" in out
    assert "1 lines hold, 2 do not" in out
    assert not audit.verify(tmp_path / "one"), "no line was looked up"


def test_the_command_says_what_it_cannot_read(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old.py").write_text("print 'Python 2'\n", encoding="utf-8")
    (tmp_path / "new.py").write_text(PER_DATA, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["audit.py", str(tmp_path)])
    assert audit.main() == 0
    out = capsys.readouterr().out
    assert "old.py: not read" in out
    assert "new.py:3: seed: args.seed = 1 for one data set" in out
    assert "cannot tell" in out
    monkeypatch.setattr(sys, "argv", ["audit.py", "--verify", str(tmp_path / "absent")])
    with pytest.raises(SystemExit):
        audit.main()


# methods below a trivial baseline


def scores_of(*rows: tuple) -> pd.DataFrame:
    """Trials by default: (algorithm, kind, corpus, nmi), and what is said besides."""
    usual = {"metric": "nmi", "corruption": "none", "params": "{}", "scaling": "auto", "algorithm_version": "2"}
    return pd.DataFrame([
        usual | dict(zip(("algorithm", "kind", "corpus", "value"), row[:4], strict=True)) | (row[4] if row[4:] else {})
        for row in rows
    ])  # fmt: skip


def test_a_mean_below_the_baseline_is_named_for_its_kind_alone():
    scores = scores_of(
        *(("concat", kind, corpus, 0.5) for kind in ("texts", "links") for corpus in "abc"),
        *(("low", "texts", corpus, value) for corpus, value in zip("abc", (0.2, 0.6, 0.5), strict=True)),
        *(("low", "links", corpus, 0.46) for corpus in "abc"),
        ("low", "texts", "a", 0.0, {"corruption": "missing-even"}),
        ("low", "texts", "a", 0.0, {"params": '{"k": 3}'}),
        ("low", "texts", "a", 0.0, {"scaling": "minmax"}),
        ("low", "texts", "a", 0.0, {"algorithm_version": "1"}),
        ("low", "texts", "a", 0.9, {"metric": "acc"}),
    )
    rows = module("baselines").below_baseline(scores, {"low": "2"})
    assert [(row.algorithm, row.kind, row.sources) for row in rows.itertuples()] == [("low", "texts", 3)]
    assert rows["nmi"].tolist() == pytest.approx([1.3 / 3])
    assert rows["baseline"].tolist() == pytest.approx([0.5])


def test_the_baseline_counts_on_the_sources_of_the_method_and_of_one_source_from_a_larger_loss_on():
    scores = scores_of(
        ("concat", "texts", "a", 0.2), ("concat", "texts", "b", 0.2), ("concat", "texts", "c", 0.9),
        ("some", "texts", "a", 0.2), ("some", "texts", "b", 0.2),
        ("one", "texts", "c", 0.75),
        ("much", "texts", "c", 0.6),
    )  # fmt: skip
    assert module("baselines").below_baseline(scores, {})["algorithm"].tolist() == ["much"]


@pytest.mark.parametrize(
    ("caveats", "unnamed"),
    [
        ("", ["texts", "images and texts", "other"]),
        ("views of few features: texts, other data", ["texts", "images and texts", "other"]),
        ("links, texts: a cause; images: another", ["images and texts", "other"]),
        ("images beside texts, other data: a cause: its cause; texts: another", []),
        ("links: a cause; most data: another", []),
    ],
)  # fmt: skip
def test_a_kind_is_named_before_the_colon_of_a_part(caveats: str, unnamed: list[str]):
    assert module("baselines").unnamed(["texts", "images and texts", "other"], caveats) == unnamed


# numbers of causes


def test_the_numbers_of_causes_stand_on_the_pages_of_their_methods() -> None:
    for case in module("causes").CASES:
        words = set(re.findall(r"[\w-]+", installed_catalog().algorithm(case.method).caveats))
        assert {str(case.default), str(case.changed), case.data} <= words, case


@pytest.mark.slow
def test_causes_come_out_as_stated(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert module("causes").main() == 0, capsys.readouterr().out


# scalings by data set


def scaled(dataset: str, values: dict[str, float], algorithm: str = "concat", **other: object) -> list[dict]:
    """A trial of a method under each scaling; what is said besides goes for all of them."""
    usual = {"metric": "nmi", "corruption": "none", "params": "{}", "algorithm_version": "2", "corpus": dataset[0]}
    row = usual | {"dataset": dataset, "algorithm": algorithm}
    return [
        row | {"scaling": name, "value": value, "steps": "scale-auto 3" if name == "auto" else ""} | other
        for name, value in values.items()
    ]


def test_scalings_are_compared_where_a_method_finished_under_all_of_them():
    of = ("auto", "none", "unit-rows", "minmax", "unit-view")
    scalings = module("scalings")
    rows = [
        *scaled("a1", dict(zip(of, (0.5, 0.1, 0.1, 0.6, 0.1), strict=True))),
        *scaled("a2", dict(zip(of, (0.7, 0.1, 0.1, 0.2, 0.1), strict=True))),
        *scaled("b", dict(zip(of, (0.8, 0.3, 0.82, 0.2, 0.1), strict=True))),
        *scaled("b", dict(zip(of[:4], (0.0, 0.9, 0.9, 0.9), strict=True)), "apmc"),  # not under unit-view
        *scaled("b", dict.fromkeys(of, 0.0), "daimc", algorithm_version="1"),
        *scaled("b", {"auto": 0.0}, steps="scale-auto 2"),
        *scaled("b", dict.fromkeys(of, 0.0), corruption="missing-even"),
    ]
    table = scalings.by_data_set(pd.DataFrame(rows), {"concat": "2", "apmc": "2", "daimc": "2"}, "scale-auto 3")
    assert table["methods"].to_dict() == {"a1": 1, "a2": 1, "b": 1}
    assert table.loc["b", "auto"] == pytest.approx(0.8)
    assert scalings.over_corpora(table)["auto"] == pytest.approx((0.6 + 0.8) / 2)
    assert scalings.below_single(table) == ["a1"], "b loses .02, which is within the margin"
