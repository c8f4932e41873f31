"""The values of C and l1_ratio that a search of logistic regression compares, checked."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer

from banditcd._typing import Floats
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.logistic import (
    INSTALLED,
    OLDER_WORDS,
    PENALTIES,
    check_grid,
    logistic_settings,
    warn_of_older_words,
)
from banditcd.estimators.checks.parameters import check_flag, check_real
from banditcd.estimators.search.selection import check_rule

#: The scikit-learn whose attributes of a search have the simpler shapes by default.
SIMPLER = (1, 10)
#: The scikit-learn whose searches score by the log-loss by default.
LOG_LOSS = (1, 11)


def check_search(estimator: Any) -> tuple[Floats, list[BinarySettings]]:
    """Check the parameters that need no data; return the grid and the settings of each l1_ratio."""
    check_flag(estimator.refit, "refit")
    check_flag(estimator.store_path, "store_path")
    rule = check_rule(estimator.select_C, "select_C", ("best", "1se"))
    if not estimator.refit and (estimator.store_path or rule == "1se"):
        raise ValueError("refit=False averages the folds: it has no path and no 1se rule.")
    _warn_of_defaults(estimator)
    ratios = _ratios(estimator.penalty, estimator.l1_ratios)
    wanted = check_grid(estimator.Cs)
    Cs = np.logspace(-4.0, 4.0, wanted) if isinstance(wanted, int) else wanted
    return Cs, [logistic_settings(estimator, ratio, single=False) for ratio in ratios]


def shapes_wanted(estimator: Any) -> bool:
    """Return whether results have their older shapes; "warn": what the installed one does."""
    value = estimator.use_legacy_attributes
    if not (isinstance(value, str) and value == "warn"):
        return check_flag(value, "use_legacy_attributes")
    if (1, 8) <= INSTALLED < SIMPLER:
        warnings.warn(
            f"The fitted attributes of {type(estimator).__name__} will be simplified in "
            "scikit-learn 1.10 to remove redundancy. Set `use_legacy_attributes=False` to enable "
            "the new behavior now, or True to keep the older one without this warning. The default "
            "value of use_legacy_attributes will change from True to False in scikit-learn 1.10.",
            FutureWarning,
            stacklevel=4,
        )
    return INSTALLED < SIMPLER


def scoring_word(scoring: Any) -> Any:
    """Return a scorer or its name; "warn" is what the installed scikit-learn does by default."""
    if isinstance(scoring, str) and scoring == "warn":
        return "accuracy" if INSTALLED < LOG_LOSS else "neg_log_loss"
    return "accuracy" if scoring is None else scoring


def scorer_named(scoring: Any) -> Any:
    """Return the scorer that ``scoring`` stands for."""
    return get_scorer(scoring_word(scoring))


def _warn_of_defaults(estimator: Any) -> None:
    """Say which defaults the installed scikit-learn is about to change, as it does itself."""
    given = estimator.l1_ratios
    if given is None or (isinstance(estimator.penalty, str) and estimator.penalty in OLDER_WORDS):
        warn_of_older_words(estimator.penalty, stacklevel=5, plural="s")
    if (1, 8) <= INSTALLED < SIMPLER and isinstance(given, str) and given == "warn":
        _warn(
            "The default value for l1_ratios will change from None to (0.0,) in scikit-learn 1.10: "
            "the same model, and arrays with an axis for l1_ratios. Set l1_ratios=(0,)."
        )
    scoring = estimator.scoring
    if (1, 9) <= INSTALLED < LOG_LOSS and isinstance(scoring, str) and scoring == "warn":
        _warn(
            "The default value of the parameter 'scoring' will change from None, i.e. accuracy, to "
            "'neg_log_loss' in scikit-learn 1.11. Set scoring='neg_log_loss' for the new or "
            "scoring='accuracy' for the old default."
        )


def _warn(message: str) -> None:
    warnings.warn(message, FutureWarning, stacklevel=6)


def has_ratios(given: Any) -> bool:
    """Whether l1_ratios were given: the older shapes have an axis for them only then."""
    return given is not None and not (isinstance(given, str) and given == "warn")


def _ratios(penalty: Any, given: Any) -> list[float]:
    if isinstance(penalty, str) and penalty in PENALTIES:
        return [PENALTIES[penalty]]
    if not (isinstance(penalty, str) and penalty in ("deprecated", "elasticnet")):
        raise ValueError(f"penalty is {penalty!r}; it must be 'l2', 'l1' or 'elasticnet'.")
    if not has_ratios(given):
        if penalty == "elasticnet":
            raise ValueError(
                "penalty='elasticnet' needs l1_ratios, the shares of the L1 penalty to choose "
                "from, between 0 and 1."
            )
        return [0.0]
    values = np.ravel(np.asarray(given, dtype=object))
    if not values.size:
        raise ValueError("l1_ratios is empty; give at least one value.")
    return [check_real(ratio, f"l1_ratios[{k}]", maximum=1.0) for k, ratio in enumerate(values)]
