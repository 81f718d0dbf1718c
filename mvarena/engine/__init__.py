"""Runs trials: one at a time as a pure function (execute), in worker processes that can be killed (local)."""
