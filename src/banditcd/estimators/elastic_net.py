"""Elastic net.

The solvers of data that live elsewhere are imported on first use: a fit in memory does without.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import MultiOutputMixin

from banditcd._typing import FLOAT32, Floats
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.prepared import prepare
from banditcd.estimators.backends.rounding import rounded_solutions
from banditcd.estimators.backends.targets import solve_targets
from banditcd.estimators.backends.tasks import begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.docs import documented
from banditcd.estimators.checks.gram import check_gram
from banditcd.estimators.checks.inputs import check_training, trusted_training
from banditcd.estimators.checks.numbers import check_start
from banditcd.estimators.checks.parameters import FLAG, NOT_NEGATIVE, SHARE, checked
from banditcd.estimators.checks.settings import check_settings
from banditcd.estimators.checks.types import (
    PerColumn,
    Precompute,
    RandomState,
    Selection,
    SelectorLike,
    SolverWord,
)
from banditcd.estimators.paths import enet_path
from banditcd.places.kinds import on_host
from banditcd.solvers import POOL_BYTES

RULES = {"alpha": NOT_NEGATIVE, "l1_ratio": SHARE, "record_history": FLAG, "warm_start": FLAG}
COMMON = {"precompute": "False", "targets": " or (n_targets, n_features)", "several": ", or a list"}


@documented(**COMMON)
class ElasticNet(MultiOutputMixin, PenalizedLinearModel):  # type: ignore[misc]
    r"""Linear regression with an L1 and an L2 penalty, certified.

    .. math::

        \min_{w, b}\ \frac{1}{2n} \sum_i s_i (y_i - b - x_i^\top w)^2
        + \alpha \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr)

    with sample weights :math:`s` normalized to sum to n, ``penalty_weights`` p and
    :math:`\rho` = ``l1_ratio``. A drop-in replacement of scikit-learn's class: same words, same
    scaling, same predictions to the tolerance.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty strength, at least 0.
    l1_ratio : float, default=0.5
        Share of the L1 penalty, from 0 (ridge) to 1 (Lasso).
    {common_parameters}
    warm_start : bool, default=False
        Start at the coefficients of the last fit.
    record_history : bool, default=False
        Keep ``history_``: one row per bin or epoch.
    verbose : int, default=0
        1 writes gap and iterations to standard error, and for data that live elsewhere
        (``docs/places.md``) a line after every round.

    Attributes
    ----------
    {common_attributes}
    history_ : Trace, or a list
        With ``record_history=True``: objective, gap, work and seconds after each bin or epoch.

    Examples
    --------
    >>> from banditcd import ElasticNet
    >>> model = ElasticNet(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.certificate_.converged
    True
    """

    path = staticmethod(enet_path)

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: Precompute = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Selection = "cyclic",
        solver: SolverWord = "auto",
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        standardize: bool = False,
        record_history: bool = False,
        n_threads: int | None = None,
        pool_bytes: int = POOL_BYTES,
        verbose: bool | int = 0,
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.standardize = standardize
        self.record_history = record_history
        self.n_threads = n_threads
        self.pool_bytes = pool_bytes
        self.verbose = verbose

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples. Fortran order and CSC avoid a copy.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Responses; several are fitted one by one, with the squares, means and, where it pays,
            the Gram matrix of X computed once for all.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, normalized to sum to n_samples; a single number has no effect.
        check_input : bool, default=True
            False skips the checks of X and y (finite floats of matching shapes).

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        alpha, l1_ratio, keep_history, warm_start = checked(self, RULES)
        settings = check_settings(self, l1_ratio, keep_history)
        if check_input:
            values = not settings.finds_overflow
            data = check_training(self, X, y, sample_weight, multi_output=True, values=values)
        else:
            data = trusted_training(self, X, y, sample_weight)
        gram = None
        if not isinstance(self.precompute, (bool, str)):
            gram = check_gram(self.precompute, data, settings.fit_intercept)
        columns = check_columns(self, self.n_features_in_)
        starts = self._starts(data.y) if warm_start else None
        targets = 1 if data.y.ndim == 1 else data.y.shape[1]
        tasks = begin_tasks(self, data, max_subtasks=(max(settings.max_iter, 1) + 1) * targets)
        prepared = prepare(data, columns, settings, gram)
        solutions = solve_targets(prepared, data.y, alpha, starts, tasks)
        if data.X.dtype == FLOAT32:
            objective = prepared.objective(data.y, np.full(targets, alpha))
            solutions = rounded_solutions(solutions, columns, objective)
        self._keep_solutions(solutions, squeeze=True, array=data.y.ndim == 2)
        warn_unless_converged([s.certificate for s in solutions], settings)
        tasks.end()
        return self

    def _fit_elsewhere(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True
    ) -> Any:
        from banditcd.estimators.backends.elsewhere import note_columns, refuse, solve_elastic_net

        alpha, l1_ratio, keep_history, _ = checked(self, RULES)
        settings = check_settings(self, l1_ratio, keep_history)
        refuse(self, "selector", "standardize", "warm_start", "record_history")
        note_columns(self, X)
        columns = check_columns(self, self.n_features_in_)
        data = (X, y, sample_weight)
        solution = solve_elastic_net(data, columns, settings, alpha, self.verbose)
        self._keep_solutions([solution], squeeze=True, array=False)
        warn_unless_converged([solution.certificate], settings)
        return self

    def _check_values(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True
    ) -> None:
        check_training(self, X, y, sample_weight, multi_output=True)

    def _starts(self, y: Floats) -> Floats | None:
        """Return the coefficients of the last fit to start at, one row per target."""
        coef = getattr(self, "coef_", None)
        if coef is None:
            return None
        start, n_targets = np.atleast_2d(on_host(coef)), 1 if y.ndim == 1 else y.shape[1]
        if start.shape != (n_targets, self.n_features_in_):
            raise ValueError(
                f"warm_start=True, but the last fit had {start.shape[0]} target(s) and "
                f"{start.shape[1]} feature(s) and these data have {n_targets} and "
                f"{self.n_features_in_}; set warm_start=False or use a new estimator."
            )
        return check_start(start)
