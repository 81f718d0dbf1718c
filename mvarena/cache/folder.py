"""Where the user's cache is."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_root() -> Path:
    """The environment variable MVARENA_CACHE, or the platform's usual folder."""
    chosen = os.environ.get("MVARENA_CACHE")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("mvarena"))
