"""A class of a notebook or of the running script as a text, so that it can cross into another process."""

from __future__ import annotations

import base64
import dataclasses
import json
import pickle
import sys
from functools import cache
from typing import get_type_hints

from mvarena.registry.code_version import file_of


def to_value(kind: type) -> str:
    """The class as letters and digits, for a process that may run elsewhere but has the same packages."""
    import cloudpickle

    for owner in kind.__mro__:
        _resolve_annotations(owner)
    pickled = base64.b64encode(cloudpickle.dumps(kind)).decode()
    packed = json.dumps({"folders": [folder for folder in sys.path if folder], "class": pickled})
    return base64.b64encode(packed.encode()).decode()


@cache
def from_value(text: str) -> type:
    """The class that `to_value` made into a text. It is unpickled: only a text made by this very run may come here."""
    packed = json.loads(base64.b64decode(text))
    # where the class was made, modules may have been found that this process does not find yet
    sys.path += [folder for folder in packed["folders"] if folder not in sys.path]
    kind: type = pickle.loads(base64.b64decode(packed["class"]))
    return kind


def _resolve_annotations(owner: type) -> None:
    """Turn annotations that are texts into types: in another process, the names in them lead nowhere."""
    if owner.__module__ == "builtins" or file_of(owner) is not None:
        return
    written = vars(owner).get("__init__")
    made = dataclasses.is_dataclass(owner) and written is not None and written.__code__.co_filename == "<string>"
    for annotated in (owner, None if made else written):
        texts = {} if annotated is None else getattr(annotated, "__annotations__", {})
        if any(isinstance(value, str) for value in texts.values()):
            hints = get_type_hints(annotated, include_extras=True)
            texts.update({name: hints[name] for name in texts})
