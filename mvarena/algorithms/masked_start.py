"""Starts that missing rows do not pull towards zero: a low-rank embedding of incomplete views, and clusters in it."""

from __future__ import annotations

from mvarena.algorithms.nmf._daimc_start import masked_clusters, masked_embedding

__all__ = ["masked_clusters", "masked_embedding"]
