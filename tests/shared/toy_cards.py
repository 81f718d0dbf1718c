"""Cards of invented data sets."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

BY_LOADER = 'loader = "toys:read"\n'


def card_text(
    files: Mapping[str, bytes],
    above: str = BY_LOADER,
    *,
    samples: int = 4,
    views: Mapping[str, str] | None = None,
    of_file: str = "",
) -> str:
    """Card of a data set of two clusters, and of these files, name -> content.

    above : lines above its views. views : name -> what is said of the view besides. of_file : said of each file.
    """
    text = f"""
title = "T"
summary = "S"
samples = {samples}
clusters = 2
source = "https://example.org/toy"
terms = "free"
redistributable = true
citation = "@misc{{x}}"
{above}
"""
    for name, said in (views or {"a": ""}).items():
        text += f'[[views]]\nname = "{name}"\nmeaning = "m"\ndimension = 2\n{said}\n'
    for name, content in files.items():
        digest = hashlib.sha256(content).hexdigest()
        text += f'[[files]]\nname = "{name}"\nbytes = {len(content)}\nsha256 = "{digest}"\n{of_file}\n'
    return text
