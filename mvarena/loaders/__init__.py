"""Data sets: announced here, described by their cards (`datasets/<name>/card.toml`), loaded when used."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import DatasetSpec

_DIGIT_VIEWS = ("fou", "fac", "kar", "pix", "zer", "mor")
_NEWS_VIEWS = ("bbc", "guardian", "reuters")

SPECS = (
    DatasetSpec(
        name="digits",
        target="mvarena.loaders.digits:load_digits",
        summary="2000 handwritten digits in six views (UCI Multiple Features), bundled with mvarena.",
        source="Duin, Multiple Features, UCI 1998, https://doi.org/10.24432/C5HC70",
        views=_DIGIT_VIEWS,
        card="digits",
    ),
    DatasetSpec(
        name="digits-uci",
        target="mvarena.loaders.digits:load_digits_uci",
        summary="The same digits from the publisher's own files, unrounded.",
        source="Duin, Multiple Features, UCI 1998, https://doi.org/10.24432/C5HC70",
        views=_DIGIT_VIEWS,
        card="digits-uci",
    ),
    DatasetSpec(
        name="3sources",
        target="mvarena.loaders.threesources:load_3sources",
        summary="416 news stories as word counts of three sources, most of which miss some stories.",
        source="Greene and Cunningham 2009, http://mlg.ucd.ie/datasets/3sources.html",
        views=_NEWS_VIEWS,
        card="3sources",
    ),
    DatasetSpec(
        name="3sources-complete",
        target="mvarena.loaders.threesources:load_3sources_complete",
        summary="The 169 news stories that all three sources reported.",
        source="Greene and Cunningham 2009, http://mlg.ucd.ie/datasets/3sources.html",
        views=_NEWS_VIEWS,
        card="3sources-complete",
    ),
    DatasetSpec(
        name="synthetic-apmc",
        target="mvarena.loaders.synthetic:load_synthetic_apmc",
        summary="200 points of two Gaussians in two views.",
        source="APMC (AAAI 2019), section 5.1",
        views=("view1", "view2"),
        generated=True,
    ),
    DatasetSpec(
        name="synthetic-emvc",
        target="mvarena.loaders.synthetic:load_synthetic_emvc",
        summary="1000 points of two overlapping Gaussians in two views.",
        source="EMVC, section IV-B, eq. (33)",
        views=("view1", "view2"),
        generated=True,
    ),
)


@hookimpl
def mvarena_datasets() -> tuple[DatasetSpec, ...]:
    return SPECS
