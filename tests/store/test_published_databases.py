"""Published databases of older schemas are carried over: each value to the last digit, each key anew and equal.

RELEASES names their folder.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from mvarena.registry.catalog import installed_catalog
from mvarena.store.checks import problems
from mvarena.store.database import open_database
from mvarena.store.schema import REVISIONS

NAMES = ("arena-2027.1.db", "arena-lite-2027.1.db", "conditions.db", "deep.db")


def revision(path: Path) -> str:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return str(connection.execute("SELECT version_num FROM mvarena_schema").fetchone()[0])


def values_before(path: Path) -> pd.Series:
    """(key, attempt, metric) -> the value that counts, by pandas and the rules of the protocols alone."""
    query = (
        "SELECT a.key, a.number, s.metric, s.value, l.inertia, s.restart, t.pick FROM scores s JOIN attempts a"
        " ON a.id = s.attempt_id JOIN trials t ON t.key = a.key"
        " LEFT JOIN labellings l ON l.attempt_id = s.attempt_id AND l.restart = s.restart"
    )
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        frame = pd.read_sql(query, connection)
    frame = frame.astype({"value": float, "inertia": float})
    one = ["key", "number", "metric"]
    higher = {name: installed_catalog().metric(name).higher_is_better for name in installed_catalog().names("metric")}
    mean = frame[frame["pick"] == "mean"].groupby(one)["value"].mean()
    lowest = frame[frame["pick"] == "lowest-inertia"].sort_values([*one, "inertia", "restart"], na_position="last")
    best = frame[frame["pick"] == "best-by-labels"]
    sign = best["metric"].map(lambda name: 1.0 if higher.get(name, True) else -1.0).astype(float)
    best = (
        best.assign(good=best["value"] * sign)
        .sort_values("good", na_position="first")
        .drop_duplicates(one, keep="last")
    )
    firsts = [part.drop_duplicates(one).set_index(one)["value"] for part in (lowest, best)]
    return pd.concat([mean, *firsts]).sort_index()


SAME = {  # what stays of a trial's attempt, before and after
    "before": "SELECT a.key, n.dataset, n.protocol, n.source, t.algorithm, t.algorithm_version, t.params, t.content,"
    " t.corruption, t.rate, t.prepare, t.pick, t.seed, t.repeat, t.scaling, t.filling, a.number, a.status, a.reason,"
    " a.traceback, a.stderr_tail, a.signal, a.wall_s, a.cpu_s, a.fit_s, a.peak_rss_mb, a.n_iter, a.converged,"
    " a.stopped_because, a.source_hash, e.json FROM attempts a JOIN trials t ON t.key = a.key"
    " JOIN names n ON n.key = t.key JOIN environments e ON e.id = a.environment_id ORDER BY 1, 2, 3, 17",
    "after": "SELECT lower(hex(t.key)), s.name, p.name, s.json, m.name, m.version, m.params, d.content, c.corruption,"
    " c.rate, c.preparation, p.pick, t.seed, t.repeat, c.scaling, c.filling, a.number, a.status,"
    " coalesce(r.text, ''), coalesce(b.text, ''), coalesce(f.text, ''), a.signal, a.wall_s, a.cpu_s, a.fit_s,"
    " a.peak_rss_mb, a.n_iter, a.converged, coalesce(w.text, ''), coalesce(h.text, ''), e.json"
    " FROM attempts a JOIN trials t ON t.id = a.trial JOIN names n ON n.trial = t.id JOIN sources s ON s.id = n.source"
    " JOIN protocols p ON p.id = n.protocol JOIN methods m ON m.id = t.method JOIN datasets d ON d.id = t.dataset"
    " JOIN conditions c ON c.id = t.condition JOIN environments e ON e.id = a.environment"
    " LEFT JOIN texts r ON r.id = a.reason LEFT JOIN texts b ON b.id = a.traceback"
    " LEFT JOIN texts f ON f.id = a.stderr_tail LEFT JOIN texts w ON w.id = a.stopped_because"
    " LEFT JOIN texts h ON h.id = a.code ORDER BY 1, 2, 3, 17",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_published_database_is_carried_over_to_the_last_digit(name: str, tmp_path: Path) -> None:
    path = Path(os.environ.get("RELEASES", "")) / name
    if not path.is_file():
        pytest.skip("RELEASES names no folder of published databases")
    assert revision(path) != REVISIONS[-1]
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    shutil.copyfile(path, old)
    shutil.copyfile(path, new)
    expected = values_before(old)
    with open_database(new, keep_copy=False) as db:
        assert list(problems(db)) == []  # the key of each trial among them
    with closing(sqlite3.connect(old)) as before, closing(sqlite3.connect(new)) as after:
        rows = [
            connection.execute(SAME[name]).fetchall() for name, connection in (("before", before), ("after", after))
        ]
        assert rows[0] == rows[1]
        query = (
            "SELECT lower(hex(t.key)) AS key, a.number, m.name AS metric, s.value FROM scores s"
            " JOIN attempts a ON a.id = s.attempt JOIN trials t ON t.id = a.trial JOIN metrics m ON m.id = s.metric"
        )
        found = pd.read_sql(query, after).set_index(["key", "number", "metric"])["value"].astype(float).sort_index()
        assert (after.execute("PRAGMA foreign_key_check").fetchall(), len(found)) == ([], len(expected))
    pd.testing.assert_series_equal(found, expected, check_exact=True, check_names=False)
