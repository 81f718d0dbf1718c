"""What the built-in data sets are called and where their loaders are; nothing is loaded to read this."""

from __future__ import annotations

from mvarena.contracts.specs import DatasetSpec

_UNIVERSITY_VIEWS = ("content", "cites", "inbound", "outbound")
_LINQS = "LINQS, as packed by Grimal, http://lig-membres.imag.fr/grimal/data.html"
_UCI_DIGITS = "Duin, Multiple Features, UCI 1998, https://doi.org/10.24432/C5HC70"
_THREE_SOURCES = "Greene and Cunningham 2009, http://mlg.ucd.ie/datasets/3sources.html"
_FLOWERS = "Nilsback and Zisserman, https://www.robots.ox.ac.uk/~vgg/data/flowers/"
_NEWS = "Qian and Zhai, CIKM 2014"


def _files(name: str, target: str, views: tuple[str, ...], summary: str, source: str) -> DatasetSpec:
    """A data set that is read from the files of the card of its own name."""
    return DatasetSpec(
        name=name, target=f"mvarena.loaders.{target}", views=views, summary=summary, source=source, card=name
    )


def _numbered(stem: str, count: int) -> tuple[str, ...]:
    return tuple(f"{stem}{i}" for i in range(1, count + 1))


_DIGIT_FEATURES = ("fou", "fac", "kar", "pix", "zer", "mor")

TEXTS = (
    _files(
        "3sources",
        "threesources:load_3sources",
        ("bbc", "guardian", "reuters"),
        "416 news stories as word counts of three sources, most of which miss some stories.",
        _THREE_SOURCES,
    ),
    _files(
        "3sources-complete",
        "threesources:load_3sources_complete",
        ("bbc", "guardian", "reuters"),
        "The 169 news stories that all three sources reported.",
        _THREE_SOURCES,
    ),
    _files(
        "bbcsport",
        "matsets:load_bbcsport",
        _numbered("seg", 4),
        "116 sports articles, each cut into four segments, as word counts.",
        "Greene and Cunningham, http://mlg.ucd.ie/datasets/segment.html",
    ),
    _files(
        "reuters1200",
        "matsets:load_reuters1200",
        ("en", "fr", "de", "es", "it"),
        "1200 news documents in five languages, weighted words.",
        "Amini, Usunier and Goutte, NIPS 2009",
    ),
    *(
        _files(
            f"webkb-{university}",
            f"webkb:load_{university}",
            _UNIVERSITY_VIEWS,
            f"{pages} web pages of the university of {university.title()}: words and links.",
            _LINQS,
        )
        for university, pages in (("cornell", 195), ("texas", 187), ("washington", 230), ("wisconsin", 265))
    ),
    _files(
        "webkb-course",
        "matsets:load_webkb_course",
        ("anchor", "page"),
        "1051 web pages, course pages or not: words of the links to them and of the pages.",
        "Blum and Mitchell, COLT 1998",
    ),
    _files(
        "citeseer",
        "matsets:load_citeseer",
        ("content", "cites"),
        "3312 papers: words and citations.",
        "Sen et al. 2008, https://linqs.org/datasets/",
    ),
    _files(
        "cora",
        "matsets:load_cora",
        ("cites", "content", "inbound", "outbound"),
        "2708 papers: words and citations.",
        "Sen et al. 2008, https://linqs.org/datasets/",
    ),
)

NEWS = (
    _files("fox", "news:load_fox", ("text", "image"), "1523 articles of Fox News: words and picture.", _NEWS),
    _files("cnn", "news:load_cnn", ("text", "image"), "2107 articles of CNN: words and picture.", _NEWS),
)

IMAGES = (
    _files(
        "digits",
        "digits:load_digits",
        _DIGIT_FEATURES,
        "2000 handwritten digits in six views (UCI Multiple Features), bundled with mvarena.",
        _UCI_DIGITS,
    ),
    _files(
        "digits-uci",
        "digits:load_digits_uci",
        _DIGIT_FEATURES,
        "The same digits from the publisher's own files, unrounded.",
        _UCI_DIGITS,
    ),
    _files("usps", "digit_images:load_usps", ("pixels",), "9298 images of handwritten digits, 16 x 16.", "Hull 1994"),
    _files(
        "mnist", "digit_images:load_mnist", ("pixels",), "10000 images of handwritten digits, 28 x 28.", "LeCun 1998"
    ),
    DatasetSpec(
        name="usps-mnist",
        target="mvarena.loaders.digit_images:load_usps_mnist",
        summary="500 digits: an image of USPS and one of MNIST of the same class, 50 pairs per digit, drawn anew.",
        source="APMC (AAAI 2019), section 5.1",
        views=("usps", "mnist"),
        generated=True,
        card="usps-mnist",
    ),
    _files(
        "hdigit",
        "matsets:load_hdigit",
        ("mnist", "usps"),
        "10000 digits: an image of MNIST and one of USPS of the same class.",
        "LeCun 1998 and Hull 1994, paired by others",
    ),
    _files("orl", "matsets:load_orl", ("intensity",), "400 faces of 40 people, 64 x 64 pixels.", "AT&T; D. Cai"),
    _files(
        "orl-4view",
        "matsets:load_orl_4view",
        ("gist", "lbp", "hog", "centrist"),
        "400 faces of 40 people in four sets of features.",
        "AT&T",
    ),
    _files(
        "orl-mtv",
        "matsets:load_orl_mtv",
        ("intensity", "lbp", "gabor"),
        "400 faces of 40 people: pixels, LBP and Gabor features (not verified on the original).",
        "AT&T; Zhang et al., ICCV 2015",
    ),
    _files(
        "msrcv1",
        "matsets:load_msrcv1",
        ("cm", "hog", "gist", "lbp", "centrist"),
        "210 images of seven objects in five sets of features.",
        "Winn, Criminisi and Minka, ICCV 2005",
    ),
    _files(
        "scene15",
        "matsets:load_scene15",
        ("gist", "phog", "lbp"),
        "4485 images of fifteen kinds of scene in three sets of features.",
        "Lazebnik, Schmid and Ponce, CVPR 2006",
    ),
    _files(
        "leaves100",
        "matsets:load_leaves100",
        ("shape", "margin", "texture"),
        "1600 leaves of a hundred plants: shape, margin, texture.",
        "Mallah, Cope and Orwell 2013, UCI",
    ),
)

BIOLOGY = (
    _files(
        "bdgp",
        "matsets:load_bdgp",
        ("visual", "text"),
        "2500 images of fruit-fly embryos: visual features and words.",
        "Cai et al., Bioinformatics 2012",
    ),
    _files(
        "prokaryotic",
        "matsets:load_prokaryotic",
        ("gene_repert", "proteome_comp", "text"),
        "551 prokaryotes: genes, proteome composition and texts, reduced by PCA.",
        "Brbic et al., NAR 2016, https://github.com/mbrbic/Multi-view-LRSSC",
    ),
)

KERNELS = (
    _files(
        "kernel-cornell", "kernels:load_kernel_cornell", _numbered("kernel", 2), "Two kernels of 195 web pages.", _LINQS
    ),
    _files(
        "kernel-yale",
        "kernels:load_kernel_yale",
        _numbered("kernel", 5),
        "Five kernels of 165 faces of 15 people.",
        "Belhumeur, Hespanha and Kriegman 1997",
    ),
    _files(
        "flower17",
        "kernels:load_flower17",
        ("colourgc", "hog", "hsv", "shapegc", "siftbdy", "siftint", "texturegc"),
        "Seven distance matrices of 1360 flowers of 17 kinds (not verified on the original).",
        _FLOWERS,
    ),
    _files(
        "flower102",
        "kernels:load_flower102",
        ("hog", "hsv", "siftbdy", "siftint"),
        "Four distance matrices of 8189 flowers of 102 kinds (not verified on the original).",
        _FLOWERS,
    ),
    _files(
        "caltech102",
        "kernels:load_caltech102",
        _numbered("kernel", 48),
        "48 kernels of 3060 images of 102 classes (not verified on the original).",
        "Gehler and Nowozin, ICCV 2009",
    ),
    _files(
        "ccv",
        "kernels:load_ccv",
        _numbered("kernel", 6),
        "Six kernels of 6773 consumer videos (not verified on the original).",
        "Jiang et al., ICMR 2011, http://www.ee.columbia.edu/ln/dvmm/CCV/",
    ),
    _files(
        "ccv-20d",
        "matsets:load_ccv_20d",
        ("v0", "v1", "v2"),
        "6773 consumer videos as three embeddings of 20 dimensions.",
        "Jiang et al., ICMR 2011, http://www.ee.columbia.edu/ln/dvmm/CCV/",
    ),
)

GENERATED = (
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

SPECS = (*TEXTS, *NEWS, *IMAGES, *BIOLOGY, *KERNELS, *GENERATED)
