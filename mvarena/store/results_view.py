"""The SQL view `results`: what is stored as one table, for sqlite3, Datasette and other programs that know SQL.

One row per trial and metric, of each trial's current attempt; a trial without scores is one row without metric. A trial
that studies know by two names is there under both. It is made anew by every upgrade, so it never stands in the way of a
change to the tables below it.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

# column -> what it holds, and where it comes from
COLUMNS = {
    "key": ("what identifies the trial, 64 hex digits", "{key}"),
    "dataset": ("what the study calls the data", "sources.name"),
    "corpus": ("where the data come from, as their card says; else empty", "datasets.corpus"),
    "content": ("the fingerprint of the data", "datasets.content"),
    "algorithm": ("its name", "methods.name"),
    "algorithm_version": ("its declared version", "methods.version"),
    "params": ("all its parameters, JSON", "methods.params"),
    "variant": ("of these the ones that are not the defaults; NULL where these are unknown", "methods.variant"),
    "corruption": ("what spoilt the data, or none", "conditions.corruption"),
    "rate": ("the rate of the (first) corruption", "conditions.rate"),
    "prepare": ("the steps of preparation, with commas between", "conditions.preparation"),
    "scaling": ("how the features are scaled: auto, none, or transforms", "conditions.scaling"),
    "filling": ("what fills missing samples: knn, mean, ...; empty where nothing does", "conditions.filling"),
    "protocol": ("the protocol's name", "protocols.name"),
    "pick": ("which restarts count: mean, lowest-inertia or best-by-labels", "protocols.pick"),
    "restarts": ("how many k-means starts a trial has", "protocols.restarts"),
    "seed": ("the study's seed", "trials.seed"),
    "repeat": ("0, 1, ...: which mask or draw", "trials.repeat"),
    "status": ("DONE, FAILED, TIMEOUT, OUT_OF_MEMORY, CRASHED, SKIPPED or INTERRUPTED", "attempts.status"),
    "reason": ("one sentence for anything but DONE", "coalesce(reasons.text, '')"),
    "metric": ("its name; NULL for a trial without scores", "metrics.name"),
    "value": ("the score that the protocol counts; NULL where it is not a number", "scores.value"),
    "spread": ("its standard deviation over the restarts, where their mean counts", "scores.spread"),
    "restart": ("whose labels count", "attempts.restart"),
    "n_labels": ("how many clusters of that restart are not empty", "attempts.n_labels"),
    "inertia": ("that the restart reached, where its labels are kept", "labellings.inertia"),
    "labels": ("the restart's clusters, one per sample, packed, where they are kept", "labellings.labels"),
    "truth": ("the classes of the data, packed likewise; -1 where unlabelled", "truths.labels"),
    "wall_s": ("seconds of the whole trial", "attempts.wall_s"),
    "cpu_s": ("CPU seconds of the whole trial", "attempts.cpu_s"),
    "fit_s": ("seconds of the algorithm alone", "attempts.fit_s"),
    "peak_rss_mb": ("the largest memory, MiB", "attempts.peak_rss_mb"),
    "n_iter": ("iterations of the solver", "attempts.n_iter"),
    "converged": ("whether it met its stopping rule", "attempts.converged"),
    "started_at": ("when the attempt began, UTC", "{started_at}"),
    "attempt": ("1, 2, ...: how often the trial was tried", "attempts.number"),
    "source_hash": ("the fingerprint of the algorithm's code", "coalesce(codes.text, '')"),
}

DECODING = """\
import sqlite3, zlib, numpy
connection = sqlite3.connect("results.db")
blob = connection.execute("SELECT labels FROM results WHERE labels IS NOT NULL").fetchone()[0]
connection.close()
dtype = f"<i{blob[:1].decode()}"  # the first byte says how many bytes a label has: 1, 2, 4 or 8
labels = numpy.frombuffer(zlib.decompress(blob[1:]), dtype)
"""
"""Five lines of Python that read labels out of the view."""

_FROM = (
    " FROM attempts JOIN trials ON trials.id = attempts.trial JOIN names ON names.trial = trials.id"
    " JOIN methods ON methods.id = trials.method JOIN datasets ON datasets.id = trials.dataset"
    " JOIN conditions ON conditions.id = trials.condition JOIN sources ON sources.id = names.source"
    " JOIN protocols ON protocols.id = names.protocol"
    " LEFT JOIN texts AS reasons ON reasons.id = attempts.reason LEFT JOIN texts AS codes ON codes.id = attempts.code"
    " LEFT JOIN truths ON truths.id = attempts.truth LEFT JOIN scores ON scores.attempt = attempts.id"
    " LEFT JOIN metrics ON metrics.id = scores.metric"
    " LEFT JOIN labellings ON labellings.attempt = attempts.id AND labellings.restart = attempts.restart"
    " WHERE attempts.number = (SELECT max(later.number) FROM attempts AS later WHERE later.trial = attempts.trial)"
)
# how a database says the hex digits of a key, and the microseconds of a moment as a date
_SHOWN = {
    "sqlite": {
        "key": "lower(hex(trials.key))",
        "started_at": "strftime('%Y-%m-%d %H:%M:%f', attempts.started_at / 1e6, 'unixepoch')",
    },
    "postgresql": {
        "key": "encode(trials.key, 'hex')",
        "started_at": "to_timestamp(attempts.started_at / 1e6) AT TIME ZONE 'UTC'",
    },
}


def definition(dialect: str) -> str:
    """The statement that makes the view."""
    shown = _SHOWN[dialect]
    columns = (f'{source.format(**shown)} AS "{name}"' for name, (_, source) in COLUMNS.items())
    return f"CREATE VIEW results AS SELECT {', '.join(columns)}{_FROM}"


def remove_view(connection: Connection) -> None:
    """Take the view away, so that the tables below it can be changed."""
    connection.execute(text("DROP VIEW IF EXISTS results"))


def make_view(connection: Connection) -> None:
    """Make the view, of the tables as they are in the last revision."""
    dialect = connection.dialect.name
    statement = definition(dialect)
    connection.exec_driver_sql(statement.replace("%", "%%") if dialect == "postgresql" else statement)
