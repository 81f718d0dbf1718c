"""The SQL view `results`: what is stored as one table, for sqlite3, Datasette and other programs that know SQL.

One row per trial, restart and metric, of each trial's current attempt; a trial without scores is one row without
restart and metric. A trial that studies know by two names is there under both. It is made anew by every upgrade, so it
never stands in the way of a change to the tables below it.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

# column -> what it holds, and where it comes from
COLUMNS = {
    "key": ("what identifies the trial, 64 hex digits", "trials.key"),
    "dataset": ("what the study calls the data", "names.dataset"),
    "algorithm": ("its name", "trials.algorithm"),
    "algorithm_version": ("its declared version", "trials.algorithm_version"),
    "params": ("its parameters, JSON", "trials.params"),
    "corruption": ("what spoilt the data, or none", "trials.corruption"),
    "rate": ("the rate of the (first) corruption", "trials.rate"),
    "prepare": ("the steps of preparation, with commas between", "trials.prepare"),
    "scaling": ("how the features are scaled: auto, none, or transforms", "trials.scaling"),
    "filling": ("what fills missing samples: knn, mean, ...; empty where nothing does", "trials.filling"),
    "protocol": ("the protocol's name", "names.protocol"),
    "pick": ("which restarts count: mean, lowest-inertia or best-by-labels", "trials.pick"),
    "seed": ("the study's seed", "trials.seed"),
    "repeat": ("0, 1, ...: which mask or draw", "trials.repeat"),
    "status": ("DONE, FAILED, TIMEOUT, OUT_OF_MEMORY, CRASHED, SKIPPED or INTERRUPTED", "attempts.status"),
    "reason": ("one sentence for anything but DONE", "attempts.reason"),
    "restart": ("which k-means start", "scores.restart"),
    "metric": ("its name", "scores.metric"),
    "value": ("the score; NULL where it is not a number", "scores.value"),
    "inertia": ("that the restart reached", "labellings.inertia"),
    "n_labels": ("how many clusters of the restart are not empty", "labellings.n_labels"),
    "labels": ("the restart's clusters, one per sample, packed", "labellings.labels"),
    "truth": ("the classes of the data, packed likewise; -1 where unlabelled", "truths.labels"),
    "wall_s": ("seconds of the whole trial", "attempts.wall_s"),
    "fit_s": ("seconds of the algorithm alone", "attempts.fit_s"),
    "peak_rss_mb": ("the largest memory, MiB", "attempts.peak_rss_mb"),
    "n_iter": ("iterations of the solver", "attempts.n_iter"),
    "converged": ("whether it met its stopping rule", "attempts.converged"),
    "started_at": ("when the attempt began, UTC", "attempts.started_at"),
    "attempt": ("1, 2, ...: how often the trial was tried", "attempts.number"),
    "source_hash": ("the fingerprint of the algorithm's code", "attempts.source_hash"),
    "content": ("the fingerprint of the data", "trials.content"),
    "corpus": ("where the data come from, as their card says; else empty", "coalesce(contents.corpus, '')"),
}

DECODING = """\
import sqlite3, zlib, numpy
connection = sqlite3.connect("results.db")
blob = connection.execute("SELECT labels FROM results WHERE restart = 0").fetchone()[0]
connection.close()
dtype = f"<i{blob[:1].decode()}"  # the first byte says how many bytes a label has: 1, 2, 4 or 8
labels = numpy.frombuffer(zlib.decompress(blob[1:]), dtype)
"""
"""Five lines of Python that read labels out of the view."""

DEFINITION = (
    "CREATE VIEW results AS SELECT "
    + ", ".join(f'{source} AS "{name}"' for name, (_, source) in COLUMNS.items())
    + " FROM attempts JOIN trials ON trials.key = attempts.key JOIN names ON names.key = attempts.key"
    " LEFT JOIN contents ON contents.content = trials.content"
    " LEFT JOIN truths ON truths.id = attempts.truth_id"
    " LEFT JOIN scores ON scores.attempt_id = attempts.id"
    " LEFT JOIN labellings ON labellings.attempt_id = scores.attempt_id AND labellings.restart = scores.restart"
    " WHERE attempts.number = (SELECT max(later.number) FROM attempts AS later WHERE later.key = attempts.key)"
)
_REMOVAL = "DROP VIEW IF EXISTS results"


def remove_view(connection: Connection) -> None:
    """Take the view away, so that the tables below it can be changed."""
    connection.execute(text(_REMOVAL))


def make_view(connection: Connection) -> None:
    """Make the view, of the tables as they are in the last revision."""
    connection.execute(text(DEFINITION))
