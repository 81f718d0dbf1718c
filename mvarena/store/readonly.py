"""Opens results to be read, also those of an older mvarena."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.errors import StoreError
from mvarena.files import temporary_folder
from mvarena.store.connections import parse_address
from mvarena.store.database import Database, OlderSchema, open_database


def open_to_read(path_or_url: str | os.PathLike[str]) -> Database:
    """The results database, for reading alone; use it in a `with`, or close it.

    Nothing is ever written to it. Of an older mvarena's file a copy in a temporary folder is upgraded and read; it goes
    with `close`. Raises StoreError if it cannot be opened, also for an older mvarena's on a server.
    """
    try:
        return open_database(path_or_url, create=False, readonly=True)
    except OlderSchema:
        address = parse_address(path_or_url)
        if not isinstance(address, Path):
            raise
        return _copied(address)


class _Copy(Database):
    """A database of which a copy is read; `where` is the original."""

    def __init__(self, opened: Database, original: Path, folder: TemporaryDirectory[str]) -> None:
        super().__init__(opened.engine, opened.address, readonly=True)
        self.where = str(original)
        self._folder = folder

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


def _copied(path: Path) -> Database:
    folder = temporary_folder()
    copy = Path(folder.name) / path.name
    try:
        for ending in ("", "-wal"):  # what was written last may be in the log alone
            if (source := Path(f"{path}{ending}")).is_file():
                shutil.copyfile(source, f"{copy}{ending}")
        open_database(copy, create=False, keep_copy=False).close()
        return _Copy(open_database(copy, create=False, readonly=True), path, folder)
    except BaseException as error:
        folder.cleanup()
        if isinstance(error, StoreError):
            raise StoreError(str(error).replace(str(copy), str(path))) from error
        raise
