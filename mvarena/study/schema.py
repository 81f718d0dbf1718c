"""The JSON schema of study files, so that editors complete keys and underline what is none. Made of the keys alone."""

from __future__ import annotations

import json
from typing import Any

from mvarena.study.keys import AUTO_JOBS, RUNS, STUDY_KEYS, TITLES, StudyKey

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_TEXTS: dict[str, Any] = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]}
_SCALAR: dict[str, Any] = {"type": ["number", "string", "boolean"]}
_RATE: dict[str, Any] = {"type": ["number", "string"]}
_VALUES: dict[str, Any] = {
    "anyOf": [_SCALAR, {"type": "array", "items": {"anyOf": [_SCALAR, {"type": "array"}]}, "minItems": 1}]
}
_KINDS: dict[str, dict[str, Any]] = {
    "text": _TEXT,
    "texts": _TEXTS,
    "whole": {"type": "integer"},
    "rates": {"anyOf": [_RATE, {"type": "array", "items": _RATE, "minItems": 1}]},
    "duration": {"anyOf": [_TEXT, {"type": "number", "exclusiveMinimum": 0}]},
    "size": {"anyOf": [_TEXT, {"type": "integer", "exclusiveMinimum": 0}]},
    "jobs": {"anyOf": [{"type": "integer", "minimum": 1}, {"const": AUTO_JOBS}]},
    "params": {
        "anyOf": [
            {
                "type": "object",
                "additionalProperties": {"anyOf": [_VALUES, {"type": "object", "additionalProperties": _VALUES}]},
            },
            _TEXTS,
        ]
    },
    "prepare": {"anyOf": [_TEXTS, {"type": "object", "additionalProperties": _TEXTS}]},
}


def study_schema() -> dict[str, Any]:
    """The schema as JSON types (draft 2020-12)."""
    per_run = {key.name: _property(key) for key in STUDY_KEYS if key.per_run}
    titles: dict[str, Any] = {name: {"type": "string", "description": "For people."} for name in TITLES}
    run = {"type": "object", "properties": titles | per_run, "additionalProperties": False}
    above = {key.name: _property(key) for key in STUDY_KEYS if not key.per_run}
    runs = {
        "description": "Studies that share what stands above them.",
        "anyOf": [run, {"type": "array", "items": run}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A study of mvarena",
        "type": "object",
        "properties": titles | per_run | above | {RUNS: runs},
        "additionalProperties": False,
    }


def schema_text() -> str:
    """The same as the text of a file."""
    return json.dumps(study_schema(), indent=2) + "\n"


def _property(key: StudyKey) -> dict[str, Any]:
    found = {"description": key.meaning, **_KINDS[key.kind]}
    return found if key.default is None else found | {"default": key.default}
