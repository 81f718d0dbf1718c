"""Short names for users' files, without the folders of somebody's machine.

Tables called such data by the path as it was typed, `my/faces.mat[a,b]?orientation=columns`, and their sources held
absolute paths. A name that somebody chose stays. Files that are still there are remembered in the user's cache.
"""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

from mvarena.contracts.source import Source, file_name, short_name
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.file_locations import remember

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_TYPED = re.compile(r"(?P<base>.*?)(?:\[[^\[\]]*\])?(?:\?[^?]*)?", re.DOTALL)
_names = sa.table("names", *map(sa.column, ("key", "dataset", "protocol", "source")))


def upgrade() -> None:
    connection = op.get_bind()
    pairs = connection.execute(sa.select(_names.c.dataset, _names.c.source).distinct()).fetchall()
    announced = set(installed_catalog().names("dataset"))
    for name, text in pairs:
        renamed = _renamed(name, text, announced)
        if renamed is not None:
            _rename(connection, name, text, renamed)


def _renamed(name: str, text: str | None, announced: set[str]) -> Source | None:
    """The source as it is kept; None where it is no user's file, or cannot be read."""
    try:
        source = Source.from_json(text) if text else None
    except MvarenaError:
        return None
    if source is None or not source.paths:
        return None
    if all(path.is_absolute() and path.is_file() for path in source.files):
        remember(source)
    files = list(map(file_name, source.paths))
    match = _TYPED.fullmatch(name)
    base = match["base"] if match else name
    if [file_name(part.strip()) for part in base.split(",")] != files:
        return source.without_folders()  # a name that somebody chose
    short = short_name(source.paths)
    return source.without_folders().called("+".join(files) if short in announced else short)


def _rename(connection: sa.Connection, name: str, text: str | None, source: Source) -> None:
    old = sa.and_(_names.c.dataset == name, _names.c.source == text)
    values = {"dataset": source.name, "source": source.to_json()}
    for key, protocol in connection.execute(sa.select(_names.c.key, _names.c.protocol).where(old)).fetchall():
        result = sa.and_(old, _names.c.key == key, _names.c.protocol == protocol)
        there = sa.and_(_names.c.key == key, _names.c.protocol == protocol, _names.c.dataset == source.name)
        taken = source.name != name and connection.scalar(sa.select(sa.func.count()).select_from(_names).where(there))
        connection.execute(
            sa.delete(_names).where(result) if taken else sa.update(_names).where(result).values(**values)
        )
