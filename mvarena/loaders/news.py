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
from mvarena.loaders.carded import Files
from mvarena.loaders.matfile import read_mat
from mvarena.loaders.news_images import cnn_image_features

VIEWS = ("text", "image")
_LEAST_SHARE = 0.01


def read_fox(files: Files) -> MultiViewData:
    """1523 articles of Fox News in four sections: 2711 words, 996 image features (of both signs)."""
    image = read_mat(files["FOX_ImageFeatureNormalizedMat.mat"])["imageFeatureNormalizedMat"].T
    return _news("fox", "FOX", files, image)


def read_cnn(files: Files) -> MultiViewData:
    """2107 articles of CNN in seven sections: 3695 words, 996 image features (of both signs).

    The image features are computed from the publisher's text files; see `news_images`.
    """
    return _news("cnn", "CNN", files, cnn_image_features(files))


def _news(name: str, stem: str, files: Files, image: NDArray[np.float64]) -> MultiViewData:
    """Unit-length tf-idf rows, restricted to the words of at least 1 % of the articles as the authors do."""
    text = sparse.csr_array(read_mat(files[f"{stem}_TFIDF_Normalized.mat"])["TFIDF_Normalized"].T)
    in_articles = np.bincount(text.indices, minlength=text.shape[1])
    frequent = np.flatnonzero(in_articles >= _LEAST_SHARE * text.shape[0])
    sections = _section_names(files["LabelIDMap.txt"])
    membership = sparse.csr_array(read_mat(files[f"{stem}_LabelMat.mat"])["labelMat"])
    if (np.diff(membership.indptr) != 1).any() or membership.shape[1] != len(sections):
        raise InvalidData(f"{files[f'{stem}_LabelMat.mat']} does not put each article into one section.")
    labels = np.array(sections)[membership.indices]
    return MultiViewData.from_arrays(
        [sparse.csr_array(text[:, frequent]), np.asarray(image)], labels=labels, name=name, view_names=VIEWS
    )


def _section_names(path: Path) -> list[str]:
    """Section names by number, from lines such as `health 1`."""
    numbered = [line.rsplit(maxsplit=1) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [section for section, _ in sorted(numbered, key=lambda pair: int(pair[1]))]
