"""Separable parts g_i(x_i) of a cost, written once for every storage and every loss."""

from banditcd.problems.penalties.base import Penalty
from banditcd.problems.penalties.box_quadratic import BoxQuadratic
from banditcd.problems.penalties.entropy import Entropy
from banditcd.problems.penalties.l1_l2 import L1L2
from banditcd.problems.penalties.tilted import TiltedL1L2

__all__ = ["L1L2", "BoxQuadratic", "Entropy", "Penalty", "TiltedL1L2"]
