"""Text files of rows and cells: their encoding, delimiter, comment lines, and rows of different lengths; tables."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress, islice
from pathlib import Path

from mvarena.errors import InvalidData
from mvarena.naming import is_id_name
from mvarena.readers.limits import fits_memory

DELIMITERS = "\t;|, "  # in order of preference; the last one stands for any blanks
_LINES = 50  # by which the delimiter is decided
_CELL_NUMBERS = 10  # a cell as text takes the memory of so many numbers
_CHUNK = 1 << 24
_SEP_LINE = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
_BETWEEN_BLANKS = re.compile(r'"(?:[^"]|"")*"|\S+')
_LIKE_A_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of a file as text, stripped; all rows are of one length.

    row_names : whether the first row had one cell fewer than all others, as R writes names of rows.
    quoted : whether the cells of the first row are quoted, and the last cell of the second is not.
    comments : lines that were left out. double_spaced : whether every second line was blank, and left out.
    turned : whether the file was transposed, as its samples are columns. dropped : names of columns that were left out
    of it then.
    """

    path: Path
    rows: list[list[str]]
    delimiter: str = ","
    row_names: bool = False
    quoted: bool = False
    comments: int = 0
    double_spaced: bool = False
    turned: bool = False
    dropped: tuple[str, ...] = ()

    def transposed(self, dropped: Collection[str] = ()) -> Cells:
        """Samples as rows, without columns of these names; of several with ids of the features, the first one stays."""
        columns = [list(column) for column in zip(*filter(any, self.rows), strict=True)]
        columns = [column for j, column in enumerate(columns) if j == 0 or not column[0] or not is_id_name(column[0])]
        columns = [column for column in columns if column[0] not in dropped]
        return replace(self, rows=columns, row_names=False, quoted=False, turned=True, dropped=tuple(dropped))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A view as text: the names of its columns, and its cells (n, d).

    named : whether a header gives the names; else they are numbers from 1.
    ids : of the samples, under the header `id_name`; None: none are known.
    classes : the column with the class of each sample, and its name; None without one.
    said : what was understood, in words. turned : whether samples are the file's columns.
    """

    path: Path
    names: tuple[str, ...]
    rows: list[list[str]]
    named: bool
    ids: tuple[str, ...] | None = None
    id_name: str = ""
    classes: tuple[str, tuple[str, ...]] | None = None
    said: tuple[str, ...] = ()
    turned: bool = False

    @property
    def view(self) -> str:
        return stem(self.path)

    def place(self, row: int, name: str) -> str:
        """The cell of a sample (from 0) and feature, as the file has it: "row 'cg01', column 'P-7'" of a turned one."""
        feature = f"'{name}'" if self.named else name
        if not self.turned:
            return f"sample {row + 1}, column {feature}"
        sample = f"column '{self.ids[row]}'" if self.ids else f"sample {row + 1}"
        return f"row {feature}, {sample}"

    def column(self, j: int) -> list[str]:
        return [row[j] for row in self.rows]

    def called(self, j: int) -> str:
        """Name of a column that a person can type: the number of a first one with a blank header."""
        return self.names[j] or str(j + 1)

    def without(self, columns: Collection[int]) -> Table:
        kept = [j not in columns for j in range(len(self.names))]
        rows = [list(compress(row, kept)) for row in self.rows]
        return replace(self, names=tuple(compress(self.names, kept)), rows=rows)


def stem(path: Path) -> str:
    """Name of a file without its endings: 'a' for a.csv.gz."""
    name = path.name.removesuffix(".gz")
    return Path(name).stem or name


def read_cells(path: Path, delimiters: str = DELIMITERS) -> Cells:
    """Split a file into cells at commas, semicolons, tabs, bars or blanks. Raises InvalidData."""
    text = _text(path)
    if "\0" in text:
        raise InvalidData(f"{path} is not a CSV file: it contains null bytes.")
    said = _SEP_LINE.match(text)
    text = text[said.end() :] if said else text
    line, comments = "", 0
    while text.startswith("#"):
        line, _, text = text.partition("\n")
        comments += 1
    sample = list(islice((line for line in text.splitlines() if line.strip()), _LINES))
    delimiter = said[1] if said else _delimiter(sample, delimiters)
    if not fits_memory((text.count(delimiter) + text.count("\n"), _CELL_NUMBERS)):
        raise InvalidData(f"{path} has more cells than fit into memory; save it as .npz.")
    try:
        if comments and _is_header(line, text, delimiter):
            text, comments = f"{line.lstrip('# ')}\n{text}", comments - 1
        rows, double_spaced = _without_blanks(_split(text, delimiter))
    except csv.Error as error:
        raise InvalidData(f"{path} is not a CSV file: {error}.") from error
    if not rows:
        raise InvalidData(f"{path} is empty.")
    quotes = [[cell.strip().startswith('"') for cell in line.split(delimiter)] for line in sample[:2]]
    quoted = len(quotes) == 2 and all(quotes[0]) and not quotes[1][-1]
    return _of_one_length(Cells(path, rows, delimiter, False, quoted, comments, double_spaced))


def _text(path: Path) -> str:
    try:
        parts = []
        with path.open("rb") as raw:
            file = gzip.GzipFile(fileobj=raw) if raw.peek(2).startswith(b"\x1f\x8b") else raw
            while part := file.read(_CHUNK):
                parts.append(part)
                if not fits_memory((sum(map(len, parts)),)):
                    raise InvalidData(
                        f"{path} is too large to be read as text in the available memory; save it as .npz."
                    )
        content = b"".join(parts)
        marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        unmarked = "utf-16-le" if content[1:4:2] == b"\0\0" else "utf-8-sig"
        return content.decode("utf-16" if marked else unmarked)
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path} is not UTF-8 text, nor UTF-16; save it as CSV in UTF-8.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidData(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def _delimiter(lines: list[str], delimiters: str) -> str:
    """The delimiter by which most lines have as many cells, and most cells are numbers."""
    best, highest = ",", (0.0, 0.0)
    for delimiter in delimiters:
        with suppress(csv.Error):
            rows = _split("\n".join(lines), delimiter)
            width, times = max(Counter(map(len, rows)).items(), key=lambda item: item[::-1], default=(1, 1))
            cells = [cell for row in rows for cell in row]
            numbers = sum(map(bool, map(_LIKE_A_NUMBER.fullmatch, cells)))
            if width > 1 and (score := (times / len(rows), numbers / len(cells))) > highest:
                best, highest = delimiter, score
    return best


def _split(text: str, delimiter: str) -> list[list[str]]:
    """Rows of stripped cells; [] for a blank line. A line of empty cells is a sample without values."""
    if delimiter == " ":
        found = [_BETWEEN_BLANKS.findall(line) for line in text.splitlines()]
        return [[cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell for cell in row] for row in found]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    if '"' not in text and not re.search(rf"[^\S\r\n{re.escape(delimiter)}]", text):  # no blanks
        return list(rows)
    return [list(map(str.strip, row)) if len(row) != 1 or row[0].strip() or not row[0] else [] for row in rows]


def _is_header(comment: str, text: str, delimiter: str) -> bool:
    """True if the last line with # above the data names their columns: as many cells, without numbers, above some."""
    rows = _split("\n".join([comment.lstrip("# "), text.lstrip("\r\n").partition("\n")[0]]), delimiter)
    numbers = [any(map(_LIKE_A_NUMBER.fullmatch, row)) for row in rows]
    return numbers == [False, True] and len(rows[0]) == len(rows[1]) > 1


def _without_blanks(rows: list[list[str]]) -> tuple[list[list[str]], bool]:
    """The rows, without blank lines around them; one between them is a row of empty cells.

    In a file of several columns that is double-spaced, which is told, blank lines are left out.
    """
    filled = [i for i, row in enumerate(rows) if row]
    rows = rows[filled[0] : filled[-1] + 1] if filled else []
    width, times = Counter(map(len, filter(None, rows))).most_common(1)[0] if rows else (1, 0)
    if width > 1 and times > 1 and not any(rows[1::2]):
        return rows[::2], True
    return [row or [""] * width for row in rows], False


def _of_one_length(cells: Cells) -> Cells:
    """Cells without commented rows and without the columns of trailing delimiters. Raises InvalidData."""
    widths = Counter(map(len, cells.rows))
    usual = max(widths, key=lambda width: (widths[width], width == len(cells.rows[0])))
    marked = [row[0].startswith("#") for row in cells.rows]
    few = 2 * sum(marked) < len(marked)  # else ids begin so
    kept = [i == 0 or not mark or (not few and len(cells.rows[i]) == usual) for i, mark in enumerate(marked)]
    head, *body = compress(cells.rows, kept)
    comments = cells.comments + len(cells.rows) - len(body) - 1
    lengths = {len(row) for row in body}
    while (
        len(lengths) == 1 and max(lengths) > 1 and not any(row[-1] for row in body) and not "".join(head[usual - 1 :])
    ):
        body, usual = [row[:-1] for row in body], usual - 1
        head, lengths = head[:usual], {usual}
    if lengths == {len(head) - 1} and not head[-1]:
        head = head[:-1]
    row_names = lengths == {len(head) + 1} and not _has_decimal_commas(cells.delimiter, head, body)
    head = ["", *head] if row_names else head
    for number, row in enumerate(body, start=2):
        if len(row) != len(head):
            commas = " Numbers with decimal commas stand between semicolons or tabs." if cells.delimiter == "," else ""
            raise InvalidData(
                f"{cells.path}: row {number} has {len(row)} cells and row 1 has {len(head)}; give each as many.{commas}"
            )
    return replace(cells, rows=[head, *body], row_names=row_names, comments=comments)


def _has_decimal_commas(delimiter: str, head: list[str], body: list[list[str]]) -> bool:
    """True if commas seem to split numbers: a column below the header's first, that of ids, repeats whole parts."""
    parts = [row[1] for row in body]
    return (
        delimiter == "," and is_id_name(head[0]) and len(set(parts)) < len(parts) and all(map(_WHOLE.fullmatch, parts))
    )
