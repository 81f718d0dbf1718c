"""Baselines that any multi-view method should be compared with."""
