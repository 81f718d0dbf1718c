"""Specs of the transforms that make kernels. (gaussian-kernel stands with the others.)"""

from __future__ import annotations

from mvarena.contracts.specs import TransformSpec

_MODULE = "mvarena.transforms.kernel_views"

SPECS: tuple[TransformSpec, ...] = (
    TransformSpec(
        name="linear-kernel",
        target=f"{_MODULE}:linear_kernel",
        summary="feature views to kernels: x^T y",
    ),
    TransformSpec(
        name="cosine-kernel",
        target=f"{_MODULE}:cosine_kernel",
        summary="feature views to kernels: the cosine of the angle between x and y; zero rows are similar to nothing",
    ),
    TransformSpec(
        name="polynomial-kernel",
        target=f"{_MODULE}:polynomial_kernel",
        summary="feature views to kernels: (1 + x^T y / d)^3 with d the number of features",
    ),
    TransformSpec(
        name="distance-kernel",
        target=f"{_MODULE}:distance_kernel",
        summary="distance views to kernels: exp(-D / mean(D)), the mean over the observed block",
        source="the Flower17 kernels of Liu et al., AAAI 2019",
    ),
    TransformSpec(
        name="center-kernels",
        target=f"{_MODULE}:center_kernels",
        summary="kernel views centred in feature space and scaled to unit diagonal, on the observed block",
    ),
    TransformSpec(
        name="center-kernels-leaking",
        target=f"{_MODULE}:center_kernels_leaking",
        summary="center-kernels on complete kernels, before samples are deleted: deleted samples leak into the rest",
        source="Liu et al., AAAI 2017 and 2019 (published programs)",
        version="2",
        before_corruption=True,
    ),
)
