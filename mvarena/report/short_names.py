"""Names of methods and data sets in few letters, where there is no room."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mvarena.text import shortened


def short_names(names: Iterable[str], most: int, shown: Callable[[str], str] = str) -> dict[str, str]:
    """Name -> what is shown of it: at most `most` letters, its beginning and its end, and no two alike.

    shown : how a name is written, before it is shortened; a name that has room then stays whole. Those that would read
    alike are numbered.
    """
    texts = {name: shown(name) for name in dict.fromkeys(names)}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name, text in sorted(texts.items(), key=lambda item: len(item[1]) > most):  # whole names keep theirs
        number, own = 1, shortened(text, most)
        while own in taken:
            number += 1
            mark = f" #{number}"
            own = f"{shortened(text, max(1, most - len(mark)))}{mark}"
        taken.add(own)
        found[name] = own
    return {name: found[name] for name in texts}
