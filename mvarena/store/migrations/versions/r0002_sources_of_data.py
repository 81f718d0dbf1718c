"""The source of a trial's data, as a value; until here it was read from the name, time and again.

Names were `digits[fou,fac]`, `my/data.mat[a,b]` or `a.csv,b.csv?orientation=rows&labels=y.csv`. They stay what tables
show; paths stay as they were typed, from the folder that they were typed in.
"""

from __future__ import annotations

import json
import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NAME = re.compile(r"(?P<base>[^\[\]?]+)(?:\[(?P<views>[^\[\]]*)\])?(?:\?(?P<options>[^\[\]?]*))?")
_FILE_ENDINGS = (".npz", ".mat", ".csv", ".tsv", ".txt")


def upgrade() -> None:
    with op.batch_alter_table("names", recreate="auto") as table:
        table.add_column(sa.Column("source", sa.Text))
    names = sa.table("names", sa.column("dataset", sa.Text), sa.column("source", sa.Text))
    connection = op.get_bind()
    for (name,) in connection.execute(sa.select(names.c.dataset).distinct()).fetchall():
        connection.execute(names.update().where(names.c.dataset == name).values(source=_source(name)))


def _source(name: str) -> str | None:
    """The JSON of the source that the name stood for; None for a name that stood for none."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    base = match["base"].strip()
    source: dict[str, Any] = {"name": name}
    if match["views"]:
        source["views"] = match["views"].split(",")
    if base.lower().endswith(_FILE_ENDINGS):
        source["paths"] = [part.strip() for part in base.split(",")]
        source |= dict(part.split("=", 1) for part in (match["options"] or "").split("&") if "=" in part)
    else:
        source["dataset"] = base
    return json.dumps(source, sort_keys=True, separators=(",", ":"))
