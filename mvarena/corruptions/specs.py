"""Specs of the corruptions."""

from __future__ import annotations

from mvarena.contracts.specs import CorruptionSpec

_ONE_COMPLETE = "0 to (n - 1) / n: at least one sample stays complete"
_EMVC = "Najafi, He and Yu, IEEE BigData 2017 (EMVC), section IV-B"

# after what a rate is of complete data
_OF_COMPLETE = " (where samples miss views already: of those that are complete, and the others stay as they are)"

SPECS: tuple[CorruptionSpec, ...] = (
    CorruptionSpec(
        name="missing-even",
        target="mvarena.corruptions.missing:MissingEven",
        summary="a share of the samples become incomplete, deletions spread evenly over the views",
        source="Guo and Ye, AAAI 2019, section 5.3 (partial data ratio, PDR)",
        rate_means=(
            "the fraction of the samples that miss at least one view; with two views each of them misses exactly one, "
            "with V views between 1 and V - 1, drawn uniformly"
        )
        + _OF_COMPLETE,
        formula="rate = #{i : sample i misses a view} / n, rounded half up; per-view counts differ by at most 1",
        rate_range=_ONE_COMPLETE,
        makes_missing=True,
    ),
    CorruptionSpec(
        name="missing-per-view",
        target="mvarena.corruptions.missing_per_view:MissingPerView",
        summary="the same share of the samples is deleted from every view, each sample kept in one view at least",
        source="Shao, He and Yu, ECML PKDD 2015, section 4.4",
        rate_means="the fraction of the samples that each view misses, the same in every view" + _OF_COMPLETE,
        formula="rate = #{i : view v misses sample i} / n for every v, rounded half up",
        rate_range="0 to floor(n (V - 1) / V) / n: each sample keeps at least one view",
        makes_missing=True,
    ),
    CorruptionSpec(
        name="missing-unbalanced",
        target="mvarena.corruptions.missing_per_view:MissingUnbalanced",
        summary="a rate for each view: some views miss many samples, others few",
        source="the setting of Fang, Hu, Zhou and Wu, arXiv:2011.10254 (unbalanced incompleteness); shares by mvarena",
        rate_means=(
            "the mean of the views' missing rates, which is the fraction of the rows of all views that are missing; "
            "they stand to each other as the shares do, 1 to 2 to .. to V in random order unless shares are given"
        )
        + _OF_COMPLETE,
        formula=(
            "rate = #{(i, v) : view v misses sample i} / (n V), rounded half up; "
            "#{i : view v misses sample i} = rate n V s_v / sum_u s_u, rounded up or down"
        ),
        rate_range=(
            "0 to min(n (V - 1), floor((n - 1) sum_u s_u / max_u s_u)) / (n V): each sample keeps at least one view, "
            "and each view keeps one sample"
        ),
        makes_missing=True,
    ),
    CorruptionSpec(
        name="missing-by-value",
        target="mvarena.corruptions.missing_per_view:MissingByValue",
        summary="each view misses a share of the samples, more often those of large norm, or of some classes",
        source="missing not at random (Rubin, Biometrika 1976; by class: Chen et al., AAAI 2025); weights by mvarena",
        rate_means=(
            "the fraction of the samples that each view misses, the same in every view; rows of large norm, or of some "
            "classes, are drawn more often"
        )
        + _OF_COMPLETE,
        formula=(
            "rate = #{i : view v misses sample i} / n for every v, rounded half up; drawn one by one with chance "
            "odds^q_iv / sum_j odds^q_jv, q_iv in [0, 1] the rank of the norm of row i in view v, or of its class"
        ),
        rate_range="0 to floor(n (V - 1) / V) / n: each sample keeps at least one view",
        makes_missing=True,
    ),
    CorruptionSpec(
        name="missing-random",
        target="mvarena.corruptions.missing:MissingRandom",
        summary="drawn samples keep the views p with v_p >= v0, all of them uniform random numbers",
        source="Liu et al., AAAI 2017 and AAAI 2019, section 4 (missing ratio epsilon)",
        rate_means=(
            "the fraction of the samples that are drawn to become incomplete; a drawn sample keeps view p where "
            "v_p >= v0 and may so keep all of them, so at most this fraction misses a view"
        )
        + _OF_COMPLETE,
        formula="rate = #{drawn samples} / n, rounded half up; v0, v_1 .. v_V ~ U[0, 1] for each, v again if all < v0",
        rate_range="0 to (n - 1) / n: one sample is never drawn",
        makes_missing=True,
    ),
    CorruptionSpec(
        name="missing-blocks",
        target="mvarena.corruptions.missing:MissingBlocks",
        summary="a share of the samples, in four random groups, each of which loses the same views as a whole",
        source="the block-wise pattern of Yuan et al., KDD 2012, and Xiang et al., KDD 2013",
        rate_means="the fraction of the samples that miss at least one view, group by group; per-view counts vary"
        + _OF_COMPLETE,
        formula="rate = #{i : sample i misses a view} / n, rounded half up; one set of 1 .. V - 1 views per group",
        rate_range=_ONE_COMPLETE,
        makes_missing=True,
    ),
    CorruptionSpec(
        name="paired-ratio",
        target="mvarena.corruptions.missing:PairedRatio",
        summary="PVC's split: a share of the samples is seen in one view only, equally many in each view",
        source="Li, Jiang and Zhou, AAAI 2014 (partial example ratio)",
        rate_means="the fraction of the samples that are unpaired, seen in a single view; 1 - rate is the paired ratio"
        + _OF_COMPLETE,
        formula="rate = 1 - #{i : every view sees sample i} / n, rounded half up; the rest divided equally over views",
        rate_range="0 to (n - 1) / n: at least one sample stays paired",
        makes_missing=True,
    ),
    CorruptionSpec(
        name="gaussian",
        target="mvarena.corruptions.noise:Gaussian",
        summary="white Gaussian noise in every view at a signal-to-noise ratio",
        source=f"{_EMVC}: ratios .01, .1, 1, 10, 100",
        rate_means=(
            "the signal-to-noise ratio, linear: the mean square of a view's observed entries over the noise's "
            "variance; the smaller the noisier (10 dB is 10, 20 dB is 100)"
        ),
        formula="rate = mean(x^2) / sigma^2 per view; x + sigma N(0, 1)",
        rate_kind="snr",
        rate_range="above 0; infinity means no noise",
    ),
    CorruptionSpec(
        name="outliers",
        target="mvarena.corruptions.noise:Outliers",
        summary="a share of the samples gets random values in all of its views",
        source=f"{_EMVC}: 2, 6 and 10 % of the samples",
        rate_means="the fraction of the samples whose values are random in all of their views",
        formula="rate = #{outliers} / n, rounded half up; value of feature j ~ U[min_j, max_j] over observed samples",
        rate_range="0 to 1",
    ),
    CorruptionSpec(
        name="swapped-pairs",
        target="mvarena.corruptions.across_views:SwappedPairs",
        summary="a share of the samples is misaligned: they swap rows in pairs in every view but the first",
        source="defined by mvarena",
        rate_means="the fraction of the samples that carry another sample's row in every view but the first",
        formula="rate = 2 #{swapped pairs} / n per view, pairs rounded half up",
        needs_complete=True,
        rate_range="0 to 2 floor(n / 2) / n",
    ),
)
