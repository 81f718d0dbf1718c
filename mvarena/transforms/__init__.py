"""Preparation steps, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import TransformSpec
from mvarena.transforms import specs_kernel

_SPECS = (
    TransformSpec(
        name="fill-mean",
        target="mvarena.transforms.fill_mean:fill_mean",
        summary="each missing row becomes the mean of its view's observed rows; the data are complete afterwards",
        source="Shao, He and Yu, ECML PKDD 2015, Algorithm 1 step 1",
    ),
    TransformSpec(
        name="unit-rows",
        target="mvarena.transforms.unit_rows:unit_rows",
        summary="each row divided by its Euclidean length: x / norm(x); zero rows stay zero",
    ),
    TransformSpec(
        name="minmax",
        target="mvarena.transforms.columns:minmax",
        summary="each feature mapped to [0, 1] over the observed rows: (x - min) / (max - min); constant ones become 0",
    ),
    TransformSpec(
        name="zscore",
        target="mvarena.transforms.columns:zscore",
        summary="each feature to mean 0, deviation 1 over the observed rows: (x - mean) / std; constant ones become 0",
    ),
    TransformSpec(
        name="tfidf",
        target="mvarena.transforms.tfidf:tfidf",
        summary="term counts to tf * log(n / df): n the observed rows, df those of them that hold the term",
    ),
    TransformSpec(
        name="gaussian-kernel",
        target="mvarena.transforms.gaussian_kernel:gaussian_kernel",
        summary="features or distances to similarities: exp(-d^2 / (2 sigma^2)), sigma the median observed distance",
    ),
)


@hookimpl
def mvarena_transforms() -> tuple[TransformSpec, ...]:
    return (*_SPECS, *specs_kernel.SPECS)
