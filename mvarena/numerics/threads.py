"""How many threads linear algebra takes: tasks side by side within its number, and short steps on one."""

from __future__ import annotations

from mvarena.numerics.thread_pools import Map, linear_algebra_threads, one_linear_algebra_thread, side_by_side_tasks

__all__ = ["Map", "linear_algebra_threads", "one_linear_algebra_thread", "side_by_side_tasks"]
