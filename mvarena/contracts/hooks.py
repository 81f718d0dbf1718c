"""The marker with which a plugin says that a function answers a hook: `from mvarena import hookimpl`."""

from __future__ import annotations

import pluggy

PROJECT = "mvarena"
hookimpl = pluggy.HookimplMarker(PROJECT)
