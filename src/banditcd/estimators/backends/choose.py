"""The choice of a solver by the hyperparameters.

The engine is imported on first use: a fit by a fast solver does not load it.
"""

from __future__ import annotations

from banditcd.estimators.backends.binary import BinaryBackend, BinaryData, OneSided
from banditcd.estimators.backends.native_binary import (
    L1SvmBackend,
    L2LogisticBackend,
    LogisticBackend,
    SvmBackend,
    SvrBackend,
)
from banditcd.estimators.backends.solution import Solver
from banditcd.estimators.checks.binary_settings import BinarySettings, SvrSettings
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.logistic import BINARY_REGIMES, check_regime


def binary_backend(
    data: BinaryData, settings: BinarySettings, like: BinaryBackend | None = None
) -> BinaryBackend:
    """Return the solver of a binary problem.

    ``like`` is the solver of other labels on the same samples: what it knows of X is shared.
    """
    if settings.intercept == "free" and data.is_one_sided:
        return OneSided(data, settings)
    if isinstance(data.columns, Blocks):
        from banditcd.estimators.backends.blocks import GroupLogisticBackend

        return GroupLogisticBackend(data, data.columns, settings)
    if settings.selector is not None:
        from banditcd.estimators.backends.engine_binary import DualBinary, PrimalBinary

        return DualBinary(data, settings) if settings.dual else PrimalBinary(data, settings)
    if settings.loss != "logistic":
        if settings.l1_ratio > 0.0:
            return L1SvmBackend(data, settings, like)
        return SvmBackend(data, settings)
    columns = data.columns
    smooth = settings.l1_ratio == 0.0 and columns.lower is None and columns.upper is None
    if settings.regime is not None:
        known, penalty = (
            (BINARY_REGIMES, "an L2 penalty") if smooth else ((), "an L1 part or bounds")
        )
        check_regime(settings.regime, known, f"two classes with {penalty}")
    if smooth:
        return L2LogisticBackend(data, settings)
    return LogisticBackend(data, settings, like)


def svr_backend(data: BinaryData, settings: SvrSettings) -> Solver:
    """Return the solver of a support vector regression."""
    if settings.selector is None:
        return SvrBackend(data, settings)
    from banditcd.estimators.backends.engine_binary import SvrDual

    return SvrDual(data, settings)


def largest_penalty(data: BinaryData, settings: BinarySettings) -> float:
    """Return the smallest L1 weight beside the mean logistic loss that keeps every model at 0."""
    if settings.intercept == "free" and data.is_one_sided:
        return 0.0
    if isinstance(data.columns, Blocks):
        from banditcd.estimators.backends.blocks import GroupLogisticBackend

        return GroupLogisticBackend(data, data.columns, settings).largest_penalty()
    return LogisticBackend(data, settings).largest_penalty()
