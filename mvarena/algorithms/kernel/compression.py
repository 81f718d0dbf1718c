"""Partitions of n samples as those of a handful of rows, on which late fusion iterates as it would on all."""

from __future__ import annotations

from mvarena.algorithms.kernel._eeimvc_compression import Compression, compress

__all__ = ["Compression", "compress"]
