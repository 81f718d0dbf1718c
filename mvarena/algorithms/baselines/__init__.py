"""Specs of this family."""

from __future__ import annotations

from mvarena.contracts.specs import AlgorithmSpec

SPECS: tuple[AlgorithmSpec, ...] = ()
