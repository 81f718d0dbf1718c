"""Migration environment of alembic: runs on the given connection, in the caller's transaction."""

from __future__ import annotations

from alembic import context

from mvarena.store.results_view import make_view, remove_view
from mvarena.store.schema import VERSION_TABLE, metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite cannot change a column in place
)
remove_view(connection)
context.run_migrations()
make_view(connection)
