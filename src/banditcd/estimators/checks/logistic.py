"""The hyperparameters of logistic regression, in whichever words they are given."""

from __future__ import annotations

import math
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn import __version__ as sklearn_version

from banditcd._typing import Floats
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.parameters import (
    COUNT,
    COUNT_OR_ZERO,
    FLAG,
    JOBS,
    LARGEST_GRID,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    SCALING,
    SHARE,
    check_count,
    check_real,
    checked,
    shown,
)
from banditcd.estimators.checks.settings import choose_selector, split_solver

#: The installed scikit-learn, whose words and defaults are followed.
INSTALLED = tuple(map(int, sklearn_version.split(".")[:2]))
#: Of l1_ratio. None has penalty="elasticnet" refused that says nothing about the shares.
L1_RATIO = None if INSTALLED < (1, 8) else 0.0
SAME_OPTIMUM = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
MULTI_CLASS = ("auto", "multinomial", "ovr", "deprecated")
#: Strategies by the words of a certificate: two classes with an L2 penalty, several with it, and
#: several with an L1 part or bounds.
BINARY_REGIMES = ("newton", "newton_cg", "row_space", "dual_descent")
CLASS_REGIMES = (
    "newton_diagonal", "newton_shared", "newton_blocks", "newton_coupled", "quasi_newton",
)  # fmt: skip
POOL_REGIMES = ("pool", "residual")
REGIMES = (*BINARY_REGIMES, *CLASS_REGIMES, *POOL_REGIMES)
PENALTIES = {"l2": 0.0, "l1": 1.0}
OLDER_WORDS = (*PENALTIES, "elasticnet")
RULES = {
    "tol": NOT_NEGATIVE,
    "max_iter": COUNT_OR_ZERO,
    "fit_intercept": FLAG,
    "dual": FLAG,
    "standardize": FLAG,
    "intercept_scaling": SCALING,
    "n_jobs": JOBS,
    "n_threads": OPTIONAL_COUNT,
    "pool_bytes": COUNT,
}
ALL_RULES = RULES | {"warm_start": FLAG, "record_history": FLAG}


def penalty_words(penalty: Any, l1_ratio: Any, C: Any) -> tuple[float, float]:
    """Return l1_ratio and C, whichever words they were given in."""
    if not (type(C) is float and 0.0 < C <= math.inf):
        C = check_inverse_strength(C, "C")
    older = penalty is None or (isinstance(penalty, str) and penalty in OLDER_WORDS)
    if l1_ratio is None or older:
        warn_of_older_words(penalty, stacklevel=5)
    if penalty is None:
        if C != 1.0:
            warnings.warn(
                "Setting penalty=None will ignore the C and l1_ratio parameters", stacklevel=5
            )
        return 0.0, math.inf
    if isinstance(penalty, str) and penalty in PENALTIES:
        if l1_ratio is not None and l1_ratio not in (0.0, PENALTIES[penalty]):
            warnings.warn(
                f"Inconsistent values: penalty={penalty} with l1_ratio={l1_ratio}. The l1_ratio "
                f"parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})",
                stacklevel=5,
            )
        return PENALTIES[penalty], C
    if not (isinstance(penalty, str) and penalty in ("deprecated", "elasticnet")):
        raise ValueError(
            f"penalty is {penalty!r}; it must be 'l2', 'l1', 'elasticnet' or None. The newer words "
            "are l1_ratio and C."
        )
    if l1_ratio is None and penalty == "deprecated":  # an older word for the L2 penalty
        return 0.0, C
    if type(l1_ratio) in (float, int) and 0.0 <= l1_ratio <= 1.0:
        return float(l1_ratio), C
    return SHARE.check(l1_ratio, "l1_ratio"), C


def warn_of_older_words(penalty: Any, stacklevel: int, plural: str = "") -> None:
    """Warn about ``penalty``, or l1_ratio=None without one; ``plural``: the words of a search."""
    old = f"'l1_ratio{plural}=None'" if penalty == "deprecated" else "'penalty'"
    if INSTALLED >= (1, 8):
        warnings.warn(
            f"{old} was deprecated in scikit-learn 1.8 and will be removed there in 1.10. Use "
            f"l1_ratio{plural} instead: 0 for penalty='l2', 1 for 'l1', between them for "
            f"'elasticnet'; C{plural} = inf for penalty=None.",
            FutureWarning,
            stacklevel=stacklevel + 1,
        )


def check_multi_class(value: Any) -> str:
    """Check ``multi_class``; "deprecated" is the default of scikit-learn 1.6."""
    if isinstance(value, str) and value in MULTI_CLASS:
        return value
    raise ValueError(
        f"multi_class is {value!r}; it must be 'auto' or 'multinomial' (one model of all classes) "
        "or 'ovr' (one against the rest)."
    )


def is_one_vs_rest(estimator: Any) -> bool:
    """Whether several classes are one model each, by the words given.

    Before scikit-learn 1.8 the word liblinear alone means it, there and here.
    """
    if INSTALLED < (1, 8) and estimator.solver == "liblinear":
        return bool(estimator.multi_class != "multinomial")
    return bool(estimator.multi_class == "ovr")


def is_halved(estimator: Any, classes: Any) -> bool:
    """Whether two classes are the model of scikit-learn before 1.8 for the word multinomial.

    It has half of the coefficients of a logistic regression, each penalized twice.
    """
    return INSTALLED < (1, 8) and len(classes) == 2 and bool(estimator.multi_class == "multinomial")


def model_word(estimator: Any) -> str:
    """Return which model of its classes a fitted estimator is: usual, separate or halved."""
    if is_one_vs_rest(estimator):
        return "separate"
    return "halved" if is_halved(estimator, estimator.classes_) else "usual"


def refuse_halved_elsewhere(estimator: Any, classes: Any) -> None:
    """Refuse that model for data that live elsewhere, as soon as their classes are known."""
    if is_halved(estimator, classes):
        raise ValueError(
            "multi_class='multinomial' with two classes is another model in scikit-learn before "
            "1.8, which is not fitted to data that live elsewhere. Leave multi_class='auto'."
        )


def check_inverse_strength(C: Any, name: str) -> float:
    """Check ``0 < C <= inf``."""
    if isinstance(C, Real) and math.inf == C:
        return math.inf
    try:
        return check_real(C, name, positive=True)
    except ValueError as error:
        raise ValueError(
            f"{name} is {shown(C)}; it must be a number greater than 0 (inf for no penalty)."
        ) from error


def check_grid(Cs: Any, name: str = "Cs") -> int | Floats:
    """Check a number of values of C, or the values, in the order given."""
    if isinstance(Cs, Integral) and not isinstance(Cs, bool):
        return check_count(Cs, name, LARGEST_GRID)
    if Cs is None or isinstance(Cs, (str, bytes, float)) or not np.iterable(Cs):
        raise ValueError(f"{name} is {Cs!r}; it must be an integer or an array of values.")
    values = [check_inverse_strength(C, f"{name}[{k}]") for k, C in enumerate(Cs)]
    if not values:
        raise ValueError(f"{name} is empty; give at least one value.")
    return np.array(values)


def check_regime(regime: str, known: tuple[str, ...], model: str) -> str:
    """Return a strategy that the model has."""
    if regime not in known:
        words = f"one of {', '.join(known)}, or 'auto'" if known else "'auto'"
        raise ValueError(f"solver={regime!r} is no strategy of {model}; use {words}.")
    return regime


def logistic_settings(estimator: Any, l1_ratio: float, *, single: bool) -> BinarySettings:
    """Return the checked hyperparameters of a logistic regression.

    A ``single`` fit, not one of a path or a search, may keep its history.
    """
    tol, max_iter, fit_intercept, dual, *others = checked(estimator, ALL_RULES if single else RULES)
    solver, regime = split_solver(estimator.solver, REGIMES)
    if regime is not None and regime not in POOL_REGIMES and l1_ratio > 0.0:
        raise ValueError(f"solver={regime!r} is for the L2 penalty (l1_ratio=0).")
    selector = choose_selector(solver, estimator.selector, SAME_OPTIMUM, REGIMES)
    check_multi_class(estimator.multi_class)
    if dual and selector is not None and l1_ratio > 0.0:
        raise ValueError(
            "dual=True with a selector needs an L2 penalty (l1_ratio=0): an L1 penalty has no "
            "dual whose coordinates move one by one. Use dual=False."
        )
    return BinarySettings(
        loss="logistic",
        l1_ratio=l1_ratio,
        intercept="free" if fit_intercept else "none",
        tol=tol,
        max_iter=max_iter,
        selector=selector,
        dual=dual,
        random_state=estimator.random_state,
        keep_history=single and others[-1],
        continues=single and others[-2],
        n_threads=others[3],
        pool_bytes=others[4],
        polish=True,
        regime=regime,
        multinomial=not is_one_vs_rest(estimator),
        word=solver,
    )
