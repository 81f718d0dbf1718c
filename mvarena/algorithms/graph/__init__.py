"""Specs of this family."""

from __future__ import annotations

from mvarena.algorithms.graph import specs_spectral
from mvarena.contracts.specs import AlgorithmSpec

SPECS: tuple[AlgorithmSpec, ...] = (*specs_spectral.SPECS,)
