"""Marker of a plugin's functions that answer a hook: `from mvarena import hookimpl`."""

from __future__ import annotations

import pluggy

PROJECT = "mvarena"
HOOKS_VERSION = 1
"""Version of the hooks and specs. It rises when a plugin of the version before has to be changed.

A plugin says in its module for which it was written: `mvarena_hooks_version = 1`.
"""
hookimpl = pluggy.HookimplMarker(PROJECT)
