"""The pickers that look at no labelling: what they lose is what choosing with care can win."""

from __future__ import annotations

import numpy as np

from mvarena.contracts.picker import Candidates, Weights, shared_among


def default(candidates: Candidates) -> Weights | None:
    """The candidate whose parameters are all the algorithm's defaults; None where it is not among them.

    Of several algorithms, each one's default with an equal share.
    """
    return shared_among(np.array([one.is_default for one in candidates]))


def random(candidates: Candidates) -> Weights | None:
    """Each candidate with an equal share: what a blind draw gets on average."""
    return shared_among(np.ones(len(candidates), dtype=np.bool_))
