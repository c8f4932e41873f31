"""Smooth parts f(v) of a cost. A loss sees v = Ax, never A, so no storage has a twin."""

from banditcd.problems.losses.base import Loss
from banditcd.problems.losses.logistic import LogisticLoss
from banditcd.problems.losses.quadratic import QuadraticLoss
from banditcd.problems.losses.thresholded import ThresholdedLoss

__all__ = ["LogisticLoss", "Loss", "QuadraticLoss", "ThresholdedLoss"]
