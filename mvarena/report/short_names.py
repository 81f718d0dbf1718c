"""Names of methods and data sets in few letters, where there is no room."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from mvarena.text import shortened

_NEXT = re.compile(r", (?=[\w -]+=)")


def short_names(names: Iterable[str], most: int, shown: Callable[[str], str] = str) -> dict[str, str]:
    """Name -> what is shown of it: at most `most` letters, and no two alike.

    shown : how a name is written, before it is shortened; a name that has room then stays whole. Of several variants of
    a method the settings that differ are kept, then with the first letters of the parameters. All else is its beginning
    and end, and those that would read alike are numbered.
    """
    texts = {name: shown(name) for name in dict.fromkeys(names)}
    parts = {text: _parts(text) for text in texts.values()}
    variants = Counter(method for method, _, _ in parts.values())
    uses = Counter((method, one) for method, settings, _ in parts.values() for one in set(settings))
    found: dict[str, str] = {}
    for name, text in sorted(texts.items(), key=lambda item: len(item[1]) > most):  # whole names keep theirs
        method, settings, mark = parts[text]
        if len(text) > most and variants[method] > 1:
            telling = [one for one in settings if uses[method, one] < variants[method]] or settings
            text = f"{method} ({', '.join(telling)}){mark}"
            text = text if len(text) <= most else re.sub(r"\b(\w)\w*=", r"\1=", text)
        number, own = 1, shortened(text, most)
        while own in found.values():
            number += 1
            own = f"{shortened(text, max(1, most - len(str(number)) - 2))} #{number}"
        found[name] = own
    return {name: found[name] for name in texts}


def _parts(text: str) -> tuple[str, list[str], str]:
    """'mic (alpha=1, beta=2) *' as 'mic', its settings and ' *'."""
    method, _, rest = text.partition(" (")
    settings, _, mark = rest.rpartition(")")
    return method, _NEXT.split(settings), mark
