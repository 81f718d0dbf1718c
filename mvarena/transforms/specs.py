"""Specs of the transforms."""

from __future__ import annotations

from mvarena.contracts.specs import TransformSpec

_KERNELS = "mvarena.transforms.kernels"

SPECS: tuple[TransformSpec, ...] = (
    TransformSpec(
        name="fill-mean",
        target="mvarena.transforms.filling:fill_mean",
        summary="each missing row becomes the mean of its view's observed rows; the data are complete afterwards",
        source="Shao, He and Yu, ECML PKDD 2015, Algorithm 1 step 1",
    ),
    TransformSpec(
        name="fill-zero",
        target="mvarena.transforms.filling:fill_zero",
        summary="each missing row becomes zeros; the data are complete afterwards",
    ),
    TransformSpec(
        name="fill-knn",
        target="mvarena.transforms.filling:fill_knn",
        summary="each missing row becomes the mean row of the sample's nearest neighbours in the other views",
    ),
    TransformSpec(
        name="scale-auto",
        target="mvarena.transforms.scale_auto:scale_auto",
        summary="each feature view scaled by what its numbers are, such as counts to tf-idf weights in unit rows",
        decides="mvarena.transforms.scale_auto:decisions",
        version="3",
    ),
    TransformSpec(
        name="unit-rows",
        target="mvarena.transforms.scaling:unit_rows",
        summary="each row divided by its Euclidean length: x / norm(x); zero rows stay zero",
    ),
    TransformSpec(
        name="minmax",
        target="mvarena.transforms.scaling:minmax",
        summary="each feature mapped to [0, 1] over the observed rows: (x - min) / (max - min); constant ones become 0",
    ),
    TransformSpec(
        name="zscore",
        target="mvarena.transforms.scaling:zscore",
        summary="each feature to mean 0, deviation 1 over the observed rows: (x - mean) / std; constant ones become 0",
    ),
    TransformSpec(
        name="tfidf",
        target="mvarena.transforms.scaling:tfidf",
        summary="term counts to tf * log(n / df): n the observed rows, df those of them that hold the term",
    ),
    TransformSpec(
        name="unit-view",
        target="mvarena.transforms.scaling:unit_view",
        summary="all rows of a view divided by one number, so that the mean of their squared lengths is 1",
    ),
    TransformSpec(
        name="shift-nonnegative",
        target="mvarena.transforms.scaling:shift_nonnegative",
        summary="each feature that has negative values less the smallest of them: x - min",
    ),
    TransformSpec(
        name="perturb",
        target="mvarena.transforms.perturbation:perturb",
        summary="each value changed no more than rounding does: shows which results depend on it",
    ),
    TransformSpec(
        name="kernel-features",
        target="mvarena.transforms.kernels:kernel_features",
        summary="kernel views to features: the leading eigenvectors of the centred kernel, times root eigenvalues",
        source="Schoelkopf, Smola and Mueller, Neural Computation 1998",
    ),
    TransformSpec(
        name="distance-features",
        target="mvarena.transforms.kernels:distance_features",
        summary="distance views to features: classical scaling, the leading eigenvectors of -1/2 J D^2 J",
        source="Torgerson, Psychometrika 1952",
    ),
    TransformSpec(
        name="gaussian-kernel",
        target="mvarena.transforms.kernels:gaussian_kernel",
        summary="features or distances to similarities: exp(-d^2 / (2 sigma^2)), by default the median as sigma",
    ),
    TransformSpec(
        name="linear-kernel",
        target=f"{_KERNELS}:linear_kernel",
        summary="feature views to kernels: x^T y",
    ),
    TransformSpec(
        name="cosine-kernel",
        target=f"{_KERNELS}:cosine_kernel",
        summary="feature views to kernels: the cosine of the angle between x and y; zero rows are similar to nothing",
    ),
    TransformSpec(
        name="polynomial-kernel",
        target=f"{_KERNELS}:polynomial_kernel",
        summary="feature views to kernels: (1 + x^T y / d)^degree, d the number of features",
    ),
    TransformSpec(
        name="distance-kernel",
        target=f"{_KERNELS}:distance_kernel",
        summary="distance views to kernels: exp(-D / mean(D)), the mean over the observed block",
        source="the Flower17 kernels of Liu et al., AAAI 2019",
    ),
    TransformSpec(
        name="center-kernels",
        target=f"{_KERNELS}:center_kernels",
        summary="kernel views centred in feature space and scaled to unit diagonal, on the observed block",
    ),
    TransformSpec(
        name="center-kernels-leaking",
        target=f"{_KERNELS}:center_kernels_leaking",
        summary="center-kernels on complete kernels, before samples are deleted: deleted samples leak into the rest",
        source="Liu et al., AAAI 2017 and 2019 (published programs)",
        version="2",
        before_corruption=True,
    ),
)
