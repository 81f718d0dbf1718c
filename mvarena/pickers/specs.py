"""Specs of the pickers."""

from __future__ import annotations

from mvarena.contracts.specs import PickerSpec

SPECS: tuple[PickerSpec, ...] = (
    PickerSpec(
        name="oracle",
        target="mvarena.pickers.pickers:highest",
        summary="the candidate of the best score by ground truth: what no user without labels could pick",
        needs="truth",
    ),
    PickerSpec(
        name="default",
        target="mvarena.pickers.pickers:default",
        summary="the candidate with the algorithm's default parameters",
        looks_at_nothing=True,
    ),
    PickerSpec(
        name="random",
        target="mvarena.pickers.pickers:random",
        summary="the mean over all candidates: what a blind draw gets on average",
        looks_at_nothing=True,
    ),
    PickerSpec(
        name="centrality",
        target="mvarena.pickers.pickers:centrality",
        summary="the candidate whose labelling agrees most, by ARI, with those of the others",
    ),
    PickerSpec(
        name="silhouette-views",
        target="mvarena.pickers.pickers:highest",
        summary="the candidate of the highest mean silhouette in the views",
        needs="metric",
        metric="silhouette-views",
    ),
    PickerSpec(
        name="stability",
        target="mvarena.pickers.pickers:highest",
        summary="the candidate whose restarts agree most with each other, by ARI",
        needs="metric",
        metric="stability",
    ),
    PickerSpec(
        name="consensus",
        target="mvarena.pickers.pickers:consensus",
        summary="no candidate: a labelling of its own from the co-association of all candidates' labellings",
        source="Fred and Jain, IEEE TPAMI 2005",
        makes_labels=True,
    ),
)
