"""Ridge regression.

The solver of data that live elsewhere is imported on first use: a fit in memory does without.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import MultiOutputMixin

from banditcd._typing import Floats
from banditcd.estimators.backends.messages import warn_unless_exact
from banditcd.estimators.backends.ridge import AUTOMATIC, RidgeMethod, RidgeSolver
from banditcd.estimators.backends.tasks import begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.libraries import to_numpy
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.inputs import check_training
from banditcd.estimators.checks.parameters import (
    FLAG,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    check_real,
    checked,
)
from banditcd.estimators.checks.settings import (
    MAX_ITER,
    SOLVERS,
    LinearSettings,
    choose_selector,
)
from banditcd.estimators.checks.types import (
    PerColumn,
    RandomState,
    RidgeWord,
    SelectorLike,
    Strengths,
)
from banditcd.solvers.ridge.regimes import REGIMES

#: What a word of ``solver`` asks for.
METHODS = {
    "auto": AUTOMATIC,
    "fast": AUTOMATIC,
    "engine": AUTOMATIC,
    "primal": RidgeMethod(cost="primal"),
    "dual": RidgeMethod(cost="dual"),
    **{word: RidgeMethod(exact=True) for word in ("cholesky", "svd")},
    **{word: RidgeMethod(exact=False) for word in ("lsqr", "sparse_cg", "sag", "saga", "lbfgs")},
    **{word: RidgeMethod(exact=word != "cg", regime=word) for word in REGIMES},
}
RULES = {
    "fit_intercept": FLAG,
    "tol": NOT_NEGATIVE,
    "max_iter": OPTIONAL_COUNT,
    "record_history": FLAG,
    "n_threads": OPTIONAL_COUNT,
    "copy_X": FLAG,
}


class Ridge(MultiOutputMixin, PenalizedLinearModel):  # type: ignore[misc]
    r"""Linear regression with an L2 penalty, certified.

    .. math::

        \min_{w, b}\ \sum_i s_i (y_i - b - x_i^\top w)^2 + \alpha \sum_j p_j w_j^2

    with sample weights :math:`s` taken as they are, ``penalty_weights`` p and an unpenalized
    intercept. A drop-in replacement of scikit-learn's class.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1.0
        Penalty strength, at least 0; one for all responses or one for each.
    fit_intercept : bool, default=True
        Whether to fit an unpenalized intercept.
    copy_X : bool, default=True
        Accepted for compatibility, without effect: X is never overwritten.
    max_iter : int or None, default=None
        Limit on products with X, or on epochs of a selector; 1000 by default.
    tol : float, default=1e-4
        The certificate's target: a duality gap of ``tol`` times the objective of the null model
        (the best constant with an intercept, zero without). Conjugate gradients stop there, as
        soon as the residual of their linear system is at most ``tol`` of its first, too; direct
        solvers are exact whatever it is.
    solver : str, default="auto"
        "auto" factors a matrix of the features or of the samples, whichever is cheaper, and
        refines to rounding; sparse X by conjugate gradients where these are cheaper. "fast" is
        the same, with bounds or penalty weights the fast solver. "cholesky" and "svd" are exact
        for sparse X, too; "lsqr", "sparse_cg", "sag", "saga" and "lbfgs", which are iterative in
        scikit-learn, take the cheapest way to ``tol``. "normal_equations", "dual_gram",
        "singular_values", "least_squares" and "cg" force that regime. "primal" and "dual" are
        coordinate descent with ``selector`` on the primal (coordinates are features) or dual cost
        (samples), "engine" the one of them with fewer coordinates.
    positive : bool, default=False
        Keep the coefficients non-negative; the same as ``lower=0``.
    random_state : int, RandomState, Generator or None, default=None
        Seed of a randomized ``selector``.
    selector : str or object, default="auto"
        Any selector of :mod:`banditcd.selectors`, by name or as an object, or your own.
    penalty_weights : array-like of shape (n_features,), default=None
        Multiply the penalty of a feature; 0 leaves it unpenalized, inf excludes it.
    lower, upper : float or array-like of shape (n_features,), default=None
        Bounds of the coefficients, ``lower <= 0 <= upper``.
    record_history : bool, default=False
        Keep ``history_``: one row per iteration or epoch.
    verbose : int, default=0
        1 writes gap and iterations to standard error, and for data that live elsewhere
        (``docs/places.md``) a line after every round.
    n_threads : int or None, default=None
        Upper limit on threads for passes over X that take longer than about two milliseconds, and
        for Gram matrices and factorizations (None: the environment variables, or at most four
        cores, where they pay). The same number gives the same bits; another one differs by
        rounding. Selectors use one.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        Coefficients, in the precision of X.
    intercept_ : float or ndarray of shape (n_targets,)
        Intercepts; 0.0 without one.
    n_iter_ : ndarray of shape (n_targets,)
        Iterations or epochs used, at least 1; a direct solve counts its refinements.
    dual_gap_ : float, or an ndarray
        Duality gap in the units of the objective above.
    certificate_ : FitCertificate, or a list
        Primal and dual value, gap, target, status, regime, passes over X and seconds.
    history_ : Trace, or a list
        With ``record_history=True``: objective, gap, work and seconds.
    solver_ : str
        How it was solved: the regime of the (first) certificate.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from banditcd import Ridge
    >>> model = Ridge(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.certificate_.converged
    True
    """

    _counts_by_target = True

    def __init__(
        self,
        alpha: Strengths = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: RidgeWord = "auto",
        positive: bool = False,
        random_state: RandomState = None,
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        record_history: bool = False,
        verbose: bool | int = 0,
        n_threads: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.record_history = record_history
        self.verbose = verbose
        self.n_threads = n_threads

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Responses.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses, as they are.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        settings, method = check_ridge(self)
        by_rows = settings.selector is None
        data = check_training(
            self, X, y, sample_weight, multi_output=True, rows=by_rows, normalized=False
        )
        columns = check_columns(self, self.n_features_in_)
        alphas = check_target_alphas(self.alpha, data.y)
        tasks = begin_tasks(self, data, max_subtasks=(max(settings.max_iter, 1) + 1) * len(alphas))
        solutions = RidgeSolver(data, columns, settings, method).solve(alphas, tasks)
        self._keep_solutions(solutions, squeeze=True, array=data.y.ndim == 2)
        keep_type(self, data.X.dtype)
        self.solver_ = solutions[0].certificate.regime
        warn_unless_exact([s.certificate for s in solutions], settings)
        tasks.end()
        return self

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        from banditcd.estimators.backends.elsewhere import note_columns, refuse, solve_ridge

        settings, _ = check_ridge(self)
        others = ("selector", "positive", "penalty_weights", "lower", "upper", "record_history")
        refuse(self, *others)
        note_columns(self, X)
        alpha = check_real(self.alpha, "alpha", positive=True)
        solution = solve_ridge((X, y, sample_weight), settings, alpha, self.verbose)
        self._keep_solutions([solution], squeeze=True, array=False)
        self.solver_ = solution.certificate.regime
        warn_unless_exact([solution.certificate], settings)
        return self


def keep_type(estimator: Any, kind: Any) -> None:
    """Give coefficients and intercepts the precision of X, which the solver rounded them to."""
    if kind == np.float32:
        estimator.coef_ = estimator.coef_.astype(np.float32)
    if estimator.fit_intercept:
        estimator.intercept_ = np.asarray(estimator.intercept_, dtype=kind)[()]


def check_ridge(estimator: Any) -> tuple[LinearSettings, RidgeMethod]:
    """Return the checked hyperparameters, and how they are to be reached."""
    fit_intercept, tol, max_iter, keep_history, n_threads, _ = checked(estimator, RULES)
    solver = estimator.solver
    method = METHODS.get(solver) if isinstance(solver, str) else None
    if method is None:
        raise ValueError(f"solver is {solver!r}; it must be one of {', '.join(METHODS)}.")
    if method.cost != "auto":
        solver = "engine"
    elif solver not in SOLVERS:
        solver = "auto" if method.regime is None else "fast"
    settings = LinearSettings(
        l1_ratio=0.0,
        fit_intercept=fit_intercept,
        tol=tol,
        max_iter=MAX_ITER if max_iter is None else max_iter,
        selector=choose_selector(solver, estimator.selector),
        random_state=estimator.random_state,
        keep_history=keep_history,
        n_threads=n_threads,
    )
    return settings, method


def check_target_alphas(alpha: Any, y: Floats) -> Floats:
    """Return one alpha for each response."""
    n_targets = 1 if y.ndim == 1 else y.shape[1]
    if type(alpha) in (float, int) or np.ndim(alpha := to_numpy(alpha)) == 0:
        return np.array([check_real(alpha, "alpha")] * n_targets)
    values = [check_real(value, f"alpha[{k}]") for k, value in enumerate(np.ravel(alpha).tolist())]
    if len(values) == 1:
        return np.full(n_targets, values[0])
    if len(values) != n_targets:
        raise ValueError(
            "Number of targets and number of penalties do not correspond: "
            f"{len(values)} != {n_targets}; give one alpha, or one for each response."
        )
    return np.array(values)
