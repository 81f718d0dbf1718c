"""Planted errors: a check of the tests. `python tests/planted.py` plants each error, one at a time, in a copy of the
tree, and runs the tests that ought to fail. It exits with 1 if any error is not caught.

    python tests/planted.py --list              # names and sentences
    python tests/planted.py --only holm stale   # some of them
    python tests/planted.py --tree ../other     # errors planted in another checkout, with the tests of that one

An error is a piece of code that stands once in `mvarena/`, wherever that is, and its replacement, so files may be
moved and merged. `tests` are file patterns below `tests/`; patterns that fit no file are passed over.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_COPIED = ("mvarena", "tests", "datasets", "plugins", "benchmarks", "docs", "reports", "README.md", "pyproject.toml",
           "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile", "constraints.txt")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """One error: `old` code replaced by `new`, in a sentence; `tests` are file patterns, most likely first."""

    name: str
    says: str
    old: str
    new: str
    tests: tuple[str, ...]


PLANTED = (
    # numerics
    Planted(
        "simplex-step",
        "The quadratic programme on the simplex frees a weight that must stay zero.",
        "free[int(np.argmin(gain))] = True",
        "free[int(np.argmax(np.where(free, -np.inf, slopes)))] = True",
        ("numerics/test_simplex*",),
    ),
    Planted(
        "soft-threshold",
        "The proximal step of the l1 norm keeps what it ought to remove.",
        "return matrix - np.clip(matrix, -tau, tau)",
        "return np.clip(matrix, -tau, tau)",
        ("numerics/test_prox*",),
    ),
    Planted(
        "row-shrinkage",
        "Rows shorter than the threshold are not set to zero.",
        "np.maximum(1.0 - np.divide(tau, norms, out=np.ones_like(norms), where=norms > tau), 0.0)",
        "np.maximum(1.0 - 0.5 * np.divide(tau, norms, out=np.ones_like(norms), where=norms > tau), 0.0)",
        ("numerics/test_prox*",),
    ),
    Planted(
        "singular-threshold",
        "Singular values are not reduced by the threshold.",
        "np.maximum(values - tau, 0.0)[::-1]",
        "np.maximum(values, 0.0)[::-1]",
        ("numerics/test_prox*", "numerics/test_singular*", "numerics/test_low*"),
    ),
    Planted(
        "stopping-direction",
        "Iterations end while the objective still changes.",
        "small = abs(new - old) <= self.rule.tol * abs(reference)",
        "small = abs(new - old) >= self.rule.tol * abs(reference)",
        ("numerics/test_iteration*",),
    ),
    Planted(
        "stopping-sign",
        "A rise of the objective counts as convergence.",
        "small = abs(new - old) <= self.rule.tol * abs(reference)",
        "small = old - new <= self.rule.tol * abs(reference)",
        ("numerics/test_iteration*", "algorithms/test_stopping*"),
    ),
    Planted(
        "kernel-of-distances",
        "The chi-square kernel grows with the distance.",
        "np.exp(-distances / mean)",
        "np.exp(distances / mean)",
        ("numerics/test_kernel*", "loaders/test_kernel*"),
    ),
    # algorithms
    Planted(
        "amgl-weights",
        "AMGL's weights of views lack the root (Eq. 4).",
        "weights = 0.5 / np.sqrt(traces)",
        "weights = 0.5 / traces",
        ("algorithms/test_amgl*",),
    ),
    Planted(
        "apmc-mask",
        "APMC fuses views that a sample does not have.",
        "shares = mask / np.maximum(mask.sum(axis=1, keepdims=True), 1)",
        "shares = np.ones_like(mask, dtype=float) / mask.shape[1]",
        ("algorithms/test_apmc*",),
    ),
    Planted(
        "awp-width",
        "AWP's similarities have half of their width.",
        "width = 2.0 * (total / count) ** 2",
        "width = (total / count) ** 2",
        ("algorithms/test_awp*",),
    ),
    Planted(
        "rmsc-lambda",
        "RMSC's default lambda does not depend on the samples.",
        "return max(0.5 / float(np.sqrt(n * n_views)), k / (n * n_views))",
        "return 0.005",
        ("algorithms/test_rmsc*",),
    ),
    Planted(
        "eeimvc-beta",
        "EE-IMVC's weights are not of unit length (Eq. 8).",
        "beta = nu / norm if norm > 0 else",
        "beta = nu if norm > 0 else",
        ("algorithms/test_eeimvc*",),
    ),
    Planted(
        "img-degrees",
        "IMG's Laplacian has half of its degrees.",
        "+= 2.0 * beta * degrees + mu",
        "+= beta * degrees + mu",
        ("algorithms/test_img*",),
    ),
    Planted(
        "mic-objective",
        "MIC's objective forgets the agreement of the views.",
        "return data + alpha * float(apart.sum()) + beta",
        "return data + beta",
        ("algorithms/test_mic*",),
    ),
    Planted(
        "daimc-smoothing",
        "DAIMC's l2,1 norm lacks its root.",
        "return np.sqrt(np.square(B).sum(axis=1) + _SMOOTHING)",
        "return np.square(B).sum(axis=1) + _SMOOTHING",
        ("algorithms/test_daimc*",),
    ),
    Planted(
        "dsnmf-gamma",
        "DSNMF's view weights have the wrong exponent.",
        "powers = relative ** (1.0 / (1.0 - gamma))",
        "powers = relative ** (1.0 / (1.0 + gamma))",
        ("algorithms/test_dsnmf*",),
    ),
    Planted(
        "lmvsc-quadratic",
        "LMVSC's quadratic programme lacks the factor 2 of its linear term.",
        "2.0 * (H @ H.T + ridge * np.eye(len(H))), 2.0 * np.asarray(X @ H.T)",
        "2.0 * (H @ H.T + ridge * np.eye(len(H))), np.asarray(X @ H.T)",
        ("algorithms/test_lmvsc*",),
    ),
    Planted(
        "psimvc-weights",
        "PSIMVC-PG weights views by residuals, not by their roots.",
        'weights = inverse_weights(residuals if weighting == "squared" else np.sqrt(residuals))',
        "weights = inverse_weights(np.sqrt(np.sqrt(residuals)))",
        ("algorithms/test_psimvc*",),
    ),
    Planted(
        "fastmice-width",
        "FastMICE's similarities have the wrong width.",
        "weights = np.exp(-squared / (2.0 * scale**2)) if scale > 0",
        "weights = np.exp(-squared / scale**2) if scale > 0",
        ("algorithms/test_fastmice*",),
    ),
    Planted(
        "cgc-power",
        "CGC's multiplicative update has the power of ordinary NMF.",
        "H[v] = H[v] * (above / np.maximum(below, _TINY)) ** 0.25",
        "H[v] = H[v] * (above / np.maximum(below, _TINY)) ** 2",
        ("algorithms/test_cgc*",),
    ),
    # metrics
    Planted(
        "acc-assignment",
        "ACC matches clusters so that as few samples as possible agree.",
        "linear_sum_assignment(table.counts, maximize=True)",
        "linear_sum_assignment(table.counts, maximize=False)",
        ("metrics/*",),
    ),
    Planted(
        "ari-expected",
        "ARI is not adjusted for chance.",
        "expected = pairs.same_class * pairs.same_cluster / pairs.total",
        "expected = 0.0",
        ("metrics/*",),
    ),
    Planted(
        "ami-expected",
        "AMI's normaliser forgets what is expected.",
        "return float(above / ((table.class_entropy + table.cluster_entropy) / 2 - expected))",
        "return float(above / ((table.class_entropy + table.cluster_entropy) / 2))",
        ("metrics/*",),
    ),
    # corruptions
    Planted(
        "missing-count",
        "One sample fewer than said becomes incomplete.",
        "count = count_at(rate, part.n_samples)",
        "count = max(0, count_at(rate, part.n_samples) - 1)",
        ("corruptions/*",),
    ),
    Planted(
        "swap-count",
        "Twice as many pairs as said are swapped.",
        "pairs = count_at(rate / 2, data.n_samples)",
        "pairs = count_at(rate, data.n_samples) // 2 * 2 // 2",
        ("corruptions/*",),
    ),
    Planted(
        "missing-drawn",
        "The samples that become incomplete are not drawn.",
        "return rng.permutation(data.n_samples)[:count]",
        "return np.arange(data.n_samples)[:count]",
        ("corruptions/*",),
    ),
    # transforms
    Planted(
        "auto-counts",
        "`auto` takes negative numbers for counts.",
        "if not values.size or self.fill > _COUNTS_FILL or not self.nonnegative:",
        "if not values.size or self.fill > _COUNTS_FILL:",
        ("transforms/*",),
    ),
    Planted(
        "auto-sparse",
        "`auto` takes dense views for sparse ones.",
        "view.nonnegative and view.fill <= _SPARSE_FILL",
        "view.nonnegative and view.fill >= _SPARSE_FILL",
        ("transforms/*",),
    ),
    Planted(
        "fill-mean-mask",
        "The mean that fills counts missing rows, too.",
        "mean = np.asarray(view.matrix.sum(axis=0)).ravel() / (~missing).sum()",
        "mean = np.asarray(view.matrix.sum(axis=0)).ravel() / len(missing)",
        ("transforms/*",),
    ),
    Planted(
        "fill-knn-default",
        "fill-knn takes another default number of neighbours.",
        "def fill_knn(data: MultiViewData, *, n_neighbors: Count = 7)",
        "def fill_knn(data: MultiViewData, *, n_neighbors: Count = 1)",
        ("transforms/*", "registry/*"),
    ),
    # contracts
    Planted(
        "seed-scope",
        "Every scope has the same seed.",
        "digest = hashlib.sha256(json.dumps([root, *scope]).encode()).digest()",
        "digest = hashlib.sha256(json.dumps([root]).encode()).digest()",
        ("study/test_trial*",),
    ),
    Planted(
        "key-without-repeat",
        "The key of a trial forgets its repeat.",
        '"seed": [self.seed, self.repeat],',
        '"seed": [self.seed, 0],',
        ("study/*", "store/*"),
    ),
    Planted(
        "key-without-corruption",
        "The key of a trial forgets its corruptions.",
        '"corruptions": [step.identity() for step in self.corruptions],',
        '"corruptions": [],',
        ("study/*", "store/*"),
    ),
    Planted(
        "labels-to-algorithm",
        "Transforms and algorithms see the labels.",
        "return self._derive(labels=None, classes=None)",
        "return self._derive()",
        ("test_data*", "engine/test_stages*", "engine/test_execute*", "contracts/*"),
    ),
    # pickers, selection
    Planted(
        "picker-mean",
        "Centrality picks the candidate that agrees least with the others.",
        "best_of(total / (len(candidates) - 1))",
        "best_of(-total / (len(candidates) - 1))",
        ("pickers/*",),
    ),
    Planted(
        "regret-sign", "Regret is negative.", '"regret": best - score,', '"regret": score - best,', ("analysis/*",)
    ),
    # readers, loaders, cache
    Planted(
        "card-checksum",
        "Files with another checksum than the card's pass.",
        "not in (file.sha256, *file.also_sha256):",
        "in ():",
        ("loaders/*",),
    ),
    Planted(
        "symmetry",
        "Every square matrix is taken for a kernel.",
        "or not is_symmetric(matrix):",
        "or not is_symmetric(matrix + matrix.T):",
        ("loaders/*", "readers/*"),
    ),
    Planted(
        "csv-missing",
        "Samples that a .csv view lacks become zeros without a mask.",
        "np.full((len(order), numbers.shape[1]), np.nan)",
        "np.full((len(order), numbers.shape[1]), 0.0)",
        ("loaders/*", "readers/*"),
    ),
    Planted("minutes", "A minute has a hundred seconds.", '"m": 60.0,', '"m": 100.0,', ("study/*",)),
    # analysis
    Planted(
        "holm",
        "Holm's correction multiplies by one.",
        "given[order] * np.arange(len(given), 0, -1)",
        "given[order] * np.ones(len(given))",
        ("analysis/*",),
    ),
    Planted(
        "holm-monotone",
        "Holm's corrected p-values are not monotone.",
        "stepped = np.maximum.accumulate(given[order]",
        "stepped = (given[order]",
        ("analysis/*",),
    ),
    Planted(
        "friedman-f",
        "Iman and Davenport's F has a denominator without (n - 1).",
        "ratio = float((n - 1) * chi_square / rest)",
        "ratio = float(n * chi_square / rest)",
        ("analysis/*",),
    ),
    Planted(
        "friedman-degrees",
        "Friedman's chi-square has k degrees of freedom.",
        "stats.chi2.sf(chi_square, k - 1)",
        "stats.chi2.sf(chi_square, k)",
        ("analysis/*",),
    ),
    Planted(
        "nemenyi",
        "Nemenyi's critical difference lacks the root of two.",
        "(1 - alpha, n_contestants, np.inf) / np.sqrt(2)",
        "(1 - alpha, n_contestants, np.inf)",
        ("analysis/*",),
    ),
    Planted(
        "claim-direction",
        "A claim ignores who is better.",
        'rows.loc[name, "p_holm"] <= alpha and rows.loc[name, "gain"] > 0',
        'rows.loc[name, "p_holm"] <= alpha',
        ("analysis/*",),
    ),
    Planted(
        "wilcoxon-two-sided",
        "Wilcoxon's normal approximation is one-sided.",
        "return float(min(1.0, 2 * stats.norm.sf(",
        "return float(min(1.0, stats.norm.sf(",
        ("analysis/*",),
    ),
    Planted(
        "interval-level",
        "Intervals are one-sided.",
        "stats.t.ppf((1 + level) / 2, n - 1)",
        "stats.t.ppf(level, n - 1)",
        ("analysis/*", "cli/test_compare*"),
    ),
    Planted(
        "ratings-direction",
        "The worse rank wins.",
        "won = (ranks[:, :, None] < ranks[:, None, :])",
        "won = (ranks[:, :, None] > ranks[:, None, :])",
        ("analysis/*",),
    ),
    # store
    Planted(
        "lease-clock",
        "A lease by another clock lasts.",
        "return or_(claims.c.expires_at <= now(dialect), claims.c.clock != bindparam(",
        "return and_(claims.c.expires_at <= now(dialect), claims.c.clock != bindparam(",
        ("store/*",),
    ),
    Planted(
        "lease-forever",
        "Leases end a thousand times later than said.",
        'return now(dialect) + bindparam("lease_s", type_=claims.c.expires_at.type)',
        'return now(dialect) + 1000 * bindparam("lease_s", type_=claims.c.expires_at.type)',
        ("store/*",),
    ),
    Planted(
        "settled",
        "Skipped trials run again.",
        "SETTLED = (Status.DONE, Status.SKIPPED)",
        "SETTLED = (Status.DONE,)",
        ("store/*", "engine/test_pending*"),
    ),
    Planted(
        "done-trials",
        "Metrics are scored for unfinished trials, too.",
        "IS_CURRENT, attempts.c.status == Status.DONE, *where",
        "IS_CURRENT, *where",
        ("store/*",),
    ),
    Planted(
        "filter-status",
        "The filter by status selects the others.",
        "attempts.c.status.in_(_statuses(only.statuses))",
        "attempts.c.status.not_in(_statuses(only.statuses))",
        ("store/*",),
    ),
    # engine
    Planted(
        "time-limit",
        "Time limits are ten times longer.",
        "now - worker.since >= timeout_s:",
        "now - worker.since >= 10 * timeout_s + 20:",
        ("engine/test_limits*", "engine/test_conductor*"),
    ),
    Planted(
        "labels-integers",
        "Labels that are no whole numbers pass.",
        "(np.isfinite(array) & (np.floor(array) == array)).all()",
        "np.isfinite(array).all()",
        ("engine/test_plain*", "engine/test_valid*", "engine/test_execute*"),
    ),
    Planted(
        "workers",
        "More workers than cores run side by side.",
        "of_cores = usable_cores() // limits.threads",
        "of_cores = 4 * usable_cores() // limits.threads",
        ("engine/test_side*", "engine/test_limits*"),
    ),
    # report, site, papers, cli, testing
    Planted(
        "percent",
        "Tables show shares as percent without multiplying.",
        'return f"{100 * value:.2f}" if percent else',
        'return f"{value:.2f}" if percent else',
        ("report/*",),
    ),
    Planted(
        "html-escape",
        "Names reach HTML as they are.",
        'return escape(" ".join(visible(text).split()))',
        'return " ".join(visible(text).split())',
        ("report/*",),
    ),
    Planted(
        "latex-escape",
        "Titles reach LaTeX as they are.",
        r'rf"\caption{{{latex_escape(table.title)}.}}"',
        r'rf"\caption{{{table.title}.}}"',
        ("report/*",),
    ),
    Planted(
        "site-host",
        "The site answers any host name.",
        "return host.lower() in _LOCAL and port == 80",
        "return port == 80",
        ("site/test_server*",),
    ),
    Planted(
        "paper-tolerance",
        "Numbers of a paper are reproduced at ten times the distance.",
        "abs(self.difference) <= self.allowed + 1e-9",
        "abs(self.difference) <= 10 * self.allowed",
        ("papers/*",),
    ),
)


@cache
def _sources(tree: Path) -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted((tree / "mvarena").rglob("*.py"))}


def occurrences(tree: Path, code: str) -> list[tuple[Path, re.Match[str]]]:
    """Places below `tree`/mvarena where `code` stands, line breaks and indentation aside."""
    pattern = re.compile(r"\s+".join(map(re.escape, code.split())))
    return [(path, match) for path, text in _sources(tree).items() for match in pattern.finditer(text)]


def test_files(tree: Path, error: Planted) -> list[str]:
    """Test files that fit the patterns, relative to `tree`, in the order of the patterns."""
    paths = [path for pattern in error.tests for path in sorted((tree / "tests").glob(pattern))]
    kept = [path for path in paths if path.name.startswith("test_")]
    return list(dict.fromkeys(str(path.relative_to(tree)) for path in kept))


def _copy(tree: Path, into: Path) -> None:
    for name in _COPIED:
        source = tree / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=shutil.ignore_patterns("__pycache__", ".venv"))
        elif source.exists():
            shutil.copy(source, into / name)


def _run(tree: Path, files: list[str]) -> bool:
    """True if the tests pass."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False).returncode == 0


def _caught(copy: Path, error: Planted) -> str:
    """'caught', 'MISSED', or the reason why the error could not be planted."""
    places = occurrences(copy, error.old)
    if len(places) != 1:
        return f"NOT PLANTED: its code stands {len(places)} times"
    files = test_files(copy, error)
    if not files:
        return "NOT PLANTED: none of its tests exist"
    path, match = places[0]
    text = path.read_text("utf-8")
    path.write_text(text[: match.start()] + error.new + text[match.end() :], "utf-8")
    try:
        return "MISSED" if _run(copy, files) else "caught"
    finally:
        path.write_text(text, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Plant errors and see whether the tests catch them.")
    parser.add_argument("--list", action="store_true", help="print the errors and end")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="plant these alone")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout (default: this one)")
    options = parser.parse_args()
    errors = [error for error in PLANTED if not options.only or error.name in options.only]
    if options.list:
        print("\n".join(f"{error.name:24} {error.says}" for error in errors))
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        _copy(options.tree.resolve(), Path(folder))
        for error in errors:
            began = time.monotonic()
            verdict = _caught(Path(folder), error)
            bad += verdict != "caught"
            print(f"{error.name:24} {verdict:10} {time.monotonic() - began:5.0f} s  {error.says}", flush=True)
    print(f"{len(errors) - bad} of {len(errors)} planted errors are caught.")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
