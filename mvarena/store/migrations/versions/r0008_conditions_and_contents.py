"""Scaling and filling of a trial, the number of clusters of a labelling, and facts on data by their content.

Of data that were stored before, the digests of the views are unknown; the corpus is the one of an installed card.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import sqlalchemy as sa
from alembic import op

from mvarena.contracts.source import Source
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.store.encoding import MOST_LABELS, unpack_labels
from mvarena.study.adaptation import filling_in, scaling_in

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_trials = sa.table("trials", *map(sa.column, ("key", "content", "prepare", "scaling", "filling")))
_names = sa.table("names", *map(sa.column, ("key", "dataset", "source")))
_attempts = sa.table("attempts", *map(sa.column, ("id", "key", "truth_id")))
_labellings = sa.table("labellings", *map(sa.column, ("attempt_id", "restart", "labels", "n_labels")))
_truths = sa.table("truths", *map(sa.column, ("id", "n_samples")))


def upgrade() -> None:
    op.add_column("trials", sa.Column("scaling", sa.Text, nullable=False, server_default=""))
    op.add_column("trials", sa.Column("filling", sa.Text, nullable=False, server_default=""))
    op.add_column("labellings", sa.Column("n_labels", sa.BigInteger))
    contents = op.create_table(
        "contents",
        sa.Column("content", sa.String(200), primary_key=True),
        sa.Column("corpus", sa.Text, nullable=False),
        sa.Column("n_samples", sa.BigInteger),
        sa.Column("n_clusters", sa.BigInteger),
        sa.Column("truth_id", sa.String(64)),
        sa.Column("views", sa.Text, nullable=False),
    )
    connection = op.get_bind()
    for (prepare,) in connection.execute(sa.select(_trials.c.prepare).distinct()).fetchall():
        values = {"scaling": scaling_in(prepare), "filling": filling_in(prepare)}
        connection.execute(sa.update(_trials).where(_trials.c.prepare == prepare).values(**values))
    _count_labels(connection)
    rows = _contents(connection, installed_catalog())
    if rows:
        connection.execute(contents.insert(), rows)


def _count_labels(connection: sa.Connection) -> None:
    """Set `n_labels` of every labelling. Cost: one pass over all labels."""
    table = _labellings
    for (attempt_id,) in connection.execute(sa.select(table.c.attempt_id).distinct()).fetchall():
        of_attempt = table.c.attempt_id == attempt_id
        rows = connection.execute(sa.select(table.c.restart, table.c.labels).where(of_attempt)).fetchall()
        classes = sa.select(_truths.c.n_samples).join(_attempts, _attempts.c.truth_id == _truths.c.id)
        most = connection.scalar(classes.where(_attempts.c.id == attempt_id))
        for restart, labels in rows:
            change = sa.update(table).where(of_attempt, table.c.restart == restart)
            found = unpack_labels(labels, MOST_LABELS if most is None else most)
            connection.execute(change.values(n_labels=len(np.unique(found))))


def _contents(connection: sa.Connection, catalog: Catalog) -> list[dict[str, Any]]:
    """One row for each content of stored data."""
    joined = _trials.join(_names, _names.c.key == _trials.c.key)
    query = sa.select(_trials.c.content, _names.c.source).select_from(joined).distinct()
    corpora: dict[str, str] = {}
    for content, source in connection.execute(query).fetchall():
        corpora[content] = corpora.get(content) or _corpus(source, catalog)
    tried = _attempts.join(_trials, _trials.c.key == _attempts.c.key)
    tried = tried.join(_truths, _truths.c.id == _attempts.c.truth_id)
    query = sa.select(_trials.c.content, sa.func.min(_truths.c.id), sa.func.min(_truths.c.n_samples))
    drawn_once = sa.func.count(_truths.c.id.distinct()) == 1  # else the data are drawn anew in each repeat
    known: dict[str, tuple[str | None, int | None]] = {
        row[0]: (row[1], row[2])
        for row in connection.execute(query.select_from(tried).group_by(_trials.c.content).having(drawn_once))
    }
    rows = []
    for content, corpus in corpora.items():
        truth_id, n_samples = known.get(content, (None, None))
        rows.append({"content": content, "corpus": corpus, "truth_id": truth_id, "n_samples": n_samples})
    return [row | {"n_clusters": None, "views": json.dumps([])} for row in rows]


def _corpus(source: str | None, catalog: Catalog) -> str:
    """Corpus that the installed card of a data set names; '' for users' files and for what is not installed."""
    try:
        spec = catalog.dataset(Source.from_json(source).dataset) if source else None
        return spec.corpus or spec.name if spec is not None else ""
    except MvarenaError:
        return ""
