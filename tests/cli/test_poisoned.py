"""Databases that somebody has spoilt on purpose: each command ends with a sentence, soon, and writes nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from test_reading import of_an_older_mvarena

from mvarena.cli.main import main
from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.numerics.kmeans import Labelling
from mvarena.store import open_database, record
from mvarena.store.clock import datetime_now if False else None
