"""FOX and CNN: web news with the words of each article and features of its picture.

Source: M. Qian and C. Zhai, "Unsupervised Feature Selection for Multi-View Clustering on Text-Image Web News
Data", CIKM 2014; files from https://sites.google.com/site/qianmingjie/home/datasets/cnn-and-fox-news.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files
from mvarena.readers.mat import read_mat

_LEAST_SHARE = 0.01


def read_fox(files: Files) -> MultiViewData:
    """1523 articles of Fox News in four sections: 2711 words, 996 image features (of both signs)."""
    image = read_mat(files["FOX_ImageFeatureNormalizedMat.mat"])["imageFeatureNormalizedMat"].T
    return _news("fox", files, image)


def read_cnn(files: Files) -> MultiViewData:
    """2107 articles of CNN in seven sections: 3695 words, 996 image features (of both signs).

    The image features are computed from the publisher's text files; see `news_images`.
    """
    return _news("cnn", files, cnn_image_features(files))


def _news(name: str, files: Files, image: NDArray[np.float64]) -> MultiViewData:
    """Unit-length tf-idf rows, restricted to the words of at least 1 % of the articles as the authors do."""
    stem = name.upper()
    text = sparse.csr_array(read_mat(files[f"{stem}_TFIDF_Normalized.mat"])["TFIDF_Normalized"].T)
    frequent = np.flatnonzero(np.bincount(text.indices, minlength=text.shape[1]) >= _LEAST_SHARE * text.shape[0])
    numbered = [line.rsplit(maxsplit=1) for line in files["LabelIDMap.txt"].read_text("utf-8").splitlines() if line]
    sections = np.array([section for section, _ in sorted(numbered, key=lambda pair: int(pair[1]))])
    membership = sparse.csr_array(read_mat(files[f"{stem}_LabelMat.mat"])["labelMat"])
    if (np.diff(membership.indptr) != 1).any() or membership.shape[1] != len(sections):
        raise InvalidData(f"{files[f'{stem}_LabelMat.mat']} does not put each article into one section.")
    views = [sparse.csr_array(text[:, frequent]), np.asarray(image)]
    labels = sections[membership.indices]
    return MultiViewData.from_arrays(views, labels=labels, name=name, view_names=("text", "image"))


# The 996 image features of CNN news, put together from the authors' text files.
#
# The authors publish raw features (one text file each) and one normalised matrix. That matrix was not at hand for
# CNN; the FOX one shows how it is made: histogram-like blocks are taken to 0.5 + share / 2, all others to
# 0.5 + (x - mean) / (6 std), column by column. 740 columns follow from the text files to the last digit.
#
# The 256 columns of the HSV histogram have no text file. The authors' histogram sees each colour channel as 0 or 1,
# so only the eight corners of the colour cube occur, in seven bins (black and white fall into one). Their shares are
# sums over octants of the RGB histogram, smoothed as in FOX: (1000 share + 1) / 1256. On FOX, where the authors'
# matrix is at hand, the seven columns rebuilt in this way differ from theirs by 0.0003 on average, 0.020 at most.

_HSV_BINS = 256
_RGB_LEVELS = 8  # per channel: 512 bins, red slowest
_SMOOTHING = 1000.0
# HSV bin -> corners (red, green, blue) of the colour cube that fall into it
_CORNERS = {
    9: ((0, 0, 0), (1, 1, 1)),
    63: ((0, 0, 1),),
    65: ((0, 1, 1),),
    68: ((0, 1, 0),),
    71: ((1, 1, 0),),
    73: ((1, 0, 0),),
    76: ((1, 0, 1),),
}


def cnn_image_features(files: Files) -> NDArray[np.float64]:
    """(n, 996) in the authors' order of blocks, from the text files of `cnn`."""
    rgb = _table(files["RGBHistogram.txt"])
    shares = rgb / rgb.sum(axis=1, keepdims=True)
    blocks = [
        _to_half(_table(files["RGBDominantColor.txt"]), np.array([256.0, 256.0, 256.0])),
        _to_half(_table(files["HSVDominantColor.txt"]), np.array([1.0, 1.0, 360.0])),
        _standardised(_table(files["RGBColorMoment.txt"])),
        _standardised(_table(files["HSVColorMoment.txt"])),
        _to_half(shares),
        _to_half(hsv_histogram(shares)),
        _to_half(_table(files["ColorCoherenceVector.txt"])),
        *(
            _standardised(_table(files[f"{name}.txt"]))
            for name in ("CoarsenessVector", "Contrast", "Directionality", "LineLikeness", "GaborFeature")
        ),
    ]
    return np.hstack(blocks)


def hsv_histogram(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 256) smoothed shares of the HSV bins from (n, 512) shares of the RGB bins."""
    levels = np.indices((_RGB_LEVELS,) * 3).reshape(3, -1)
    upper = (levels >= _RGB_LEVELS // 2).T
    histogram = np.zeros((len(shares), _HSV_BINS))
    for hsv_bin, corners in _CORNERS.items():
        for corner in corners:
            histogram[:, hsv_bin] += shares[:, (upper == np.array(corner, dtype=bool)).all(axis=1)].sum(axis=1)
    return (_SMOOTHING * histogram + 1) / (_SMOOTHING + _HSV_BINS)


def _to_half(block: NDArray[np.float64], largest: NDArray[np.float64] | float = 1.0) -> NDArray[np.float64]:
    """Values from 0 to `largest` taken to 0.5 .. 1."""
    return 0.5 + 0.5 * block / largest


def _standardised(block: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(0.5 + (block - block.mean(axis=0)) / (6 * block.std(axis=0)))


def _table(path: Path) -> NDArray[np.float64]:
    return np.loadtxt(path, delimiter=",", ndmin=2)
