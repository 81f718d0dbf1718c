"""Opens results to be read, wherever they lie: also in a folder that nobody may write to, and of an older mvarena."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.errors import StoreError
from mvarena.store.connections import parse_address
from mvarena.store.database import Database, open_database
from mvarena.system.temporary import temporary_folder


def open_to_read(path_or_url: str | os.PathLike[str]) -> Database:
    """The results database, for reading alone; use it in a `with`, or close it.

    Of an older mvarena's, the file is upgraded, which is all that is ever written. Where that may not be, or where
    SQLite would need lock files that cannot be made, a copy in a temporary folder is read; it goes with `close`.
    Raises StoreError if it cannot be opened.
    """
    try:
        return open_database(path_or_url, create=False, readonly=True)
    except StoreError as refusal:
        try:
            open_database(path_or_url, create=False).close()  # which upgrades it
        except StoreError:
            address = parse_address(path_or_url)
            if not isinstance(address, Path) or _may_be_written(address):
                raise refusal from None
            return _copied(address, refusal)
    return open_database(path_or_url, create=False, readonly=True)


def _may_be_written(path: Path) -> bool:
    return not path.is_file() or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


class _Copy(Database):
    """A database of which a copy is read; `where` is the original."""

    def __init__(self, opened: Database, original: Path, folder: TemporaryDirectory[str]) -> None:
        super().__init__(opened.engine, opened.address, readonly=True, patience=0.0)
        self.where = str(original)
        self._folder = folder

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


def _copied(path: Path, refusal: StoreError) -> Database:
    folder = temporary_folder()
    copy = Path(folder.name) / path.name
    try:
        for ending in ("", "-wal"):  # what was written last may be in the log alone
            if (source := Path(f"{path}{ending}")).is_file():
                shutil.copyfile(source, f"{copy}{ending}")
        open_database(copy, create=False).close()
        return _Copy(open_database(copy, create=False, readonly=True), path, folder)
    except (StoreError, OSError):
        folder.cleanup()
        raise refusal from None
