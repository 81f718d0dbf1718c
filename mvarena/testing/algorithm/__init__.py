"""Checks of an algorithm, by subject: estimator, inputs, results."""

from mvarena.testing.algorithm import estimator as estimator
from mvarena.testing.algorithm import inputs as inputs
from mvarena.testing.algorithm import results as results
from mvarena.testing.algorithm.subject import SUITE as SUITE
from mvarena.testing.algorithm.subject import Contestant as Contestant
