"""What is understood of files, by the readers that are installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mvarena.contracts.reader import Understanding
from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import load_source, understand_source


def understand(paths: Path | Sequence[Path], **how: Any) -> Understanding:
    """how : the options of reading, such as labels and orientation."""
    return understand_source(Source.of_files(paths, **how), installed_catalog())


def load_user_data(paths: Path | Sequence[Path]) -> MultiViewData:
    return load_source(Source.of_files(paths), installed_catalog())
