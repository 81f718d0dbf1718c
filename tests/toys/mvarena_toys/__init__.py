"""A plugin for the tests: a tiny data set, and algorithms that are quick, slow, wrong or deadly."""

from __future__ import annotations

from mvarena import hookimpl
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, DatasetSpec

ALGORITHMS = [
    AlgorithmSpec(name="toy-quick", target="mvarena_toys.methods:Quick", summary="the first view as it is"),
    AlgorithmSpec(name="toy-slow", target="mvarena_toys.methods:Slow", summary="sleeps, then does as toy-quick"),
    AlgorithmSpec(name="toy-raises", target="mvarena_toys.methods:Raises", summary="raises ZeroDivisionError"),
    AlgorithmSpec(name="toy-dies", target="mvarena_toys.methods:Dies", summary="ends its process"),
    AlgorithmSpec(name="toy-draws", target="mvarena_toys.methods:Draws", summary="draws from its module's generator"),
    AlgorithmSpec(name="toy-burns", target="mvarena_toys.methods:Burns", summary="burns CPU time in children"),
    AlgorithmSpec(name="toy-hungry", target="mvarena_toys.methods:Hungry", summary="says it needs a pebibyte"),
    AlgorithmSpec(
        name="toy-picky",
        target="mvarena_toys.methods:Picky",
        summary="takes one view only",
        capabilities=Capabilities(max_views=1),
    ),
    AlgorithmSpec(
        name="toy-hostile", target="mvarena_toys.hostile:Hostile", summary="does what its parameter `deed` names"
    ),
    AlgorithmSpec(
        name="toy-witness", target="mvarena_toys.witness:Witness", summary="its objective is what it finds around it"
    ),
]
DATASETS = [
    DatasetSpec(
        name="toy-blobs", target="mvarena_toys.data:load_blobs", summary="30 points, 3 blobs", views=("a", "b")
    ),
    DatasetSpec(
        name="toy-drawn",
        target="mvarena_toys.data:draw_blobs",
        summary="blobs drawn anew",
        views=("a", "b"),
        generated=True,
    ),
    DatasetSpec(
        name="toy-plain",
        target="mvarena_toys.data:load_plain",
        summary="30 points without classes",
        views=("a", "b"),
    ),
    DatasetSpec(
        name="toy-words", target="mvarena_toys.data:load_words", summary="30 documents, sparse", views=("a", "b")
    ),
]


@hookimpl
def mvarena_algorithms():
    return ALGORITHMS


@hookimpl
def mvarena_datasets():
    return DATASETS
