"""The native solvers behind the classifiers."""

from __future__ import annotations

import dataclasses

from banditcd.estimators.binary import BinaryBackend, BinaryData, BinaryModel
from banditcd.estimators.engine_binary import engine_backend


def session_backend(data: BinaryData, model: BinaryModel, solves: int) -> BinaryBackend:
    """Return the native solver of the loss and penalty."""
    dual = model.loss != "logistic"
    return engine_backend(
        data, dataclasses.replace(model, selector="shuffled", dual=dual, max_iter=10**5)
    )
