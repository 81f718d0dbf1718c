"""Tables in HTML, for a notebook."""

from __future__ import annotations

from html import escape

from mvarena.report.tables.model import Cell, Table
from mvarena.text import visible


def html_table(table: Table) -> str:
    """`table` as HTML without style: best in <b>, second in <u>; names are text, never markup."""
    spans = "".join(f'<th colspan="{span}" scope="colgroup">{_text(head)}</th>' for head, span in table.spans)
    heads = "".join(f'<th scope="col">{_text(column.head)}</th>' for column in table.columns)
    lines = [
        f'<tr><th scope="row">{_text(row.head)}</th>{"".join(f"<td>{_cell(cell)}</td>" for cell in row.cells)}</tr>'
        for row in table.rows
    ]
    notes = "".join(f"<li>{_text(note)}</li>" for note in (*table.warnings, *table.notes))
    text = (f"<p>{_text(table.caption)}</p>" if table.caption else "") + (f"<ul>{notes}</ul>" if notes else "")
    return "\n".join(
        [
            f"<div><table>\n<caption>{_text(table.title)}</caption>\n<thead>",
            *([f"<tr><td></td>{spans}</tr>"] if any(head for head, _ in table.spans) else []),
            f'<tr><th scope="col">{_text(table.head)}</th>{heads}</tr>\n</thead>\n<tbody>',
            *lines,
            f"</tbody>\n</table></div>\n{text}",
        ]
    )


def _text(text: str) -> str:
    return escape(" ".join(visible(text).split()))


def _cell(cell: Cell) -> str:
    mean = _text(cell.text)
    emphasised = {1: f"<b>{mean}</b>", 2: f"<u>{mean}</u>"}.get(cell.rank, mean)
    return cell.shown(emphasised)
