"""Linear support vector regression."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import BinaryData
from banditcd.estimators.backends.choose import svr_backend
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.tasks import begin_tasks, solve_watched
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.binary_settings import Intercept, SvrSettings
from banditcd.estimators.checks.column_options import PLAIN
from banditcd.estimators.checks.inputs import check_training
from banditcd.estimators.checks.parameters import (
    COUNT,
    COUNT_OR_ZERO,
    FLAG,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    POSITIVE,
    SCALING,
    check_dual,
    checked,
)
from banditcd.estimators.checks.settings import choose_selector
from banditcd.estimators.checks.types import RandomState, SelectorLike, SolverWord
from banditcd.solvers import POOL_BYTES

LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")
RULES = {
    "tol": NOT_NEGATIVE,
    "C": POSITIVE,
    "max_iter": COUNT_OR_ZERO,
    "fit_intercept": FLAG,
    "penalize_intercept": FLAG,
    "intercept_scaling": SCALING,
    "record_history": FLAG,
    "n_threads": OPTIONAL_COUNT,
    "epsilon": NOT_NEGATIVE,
    "pool_bytes": COUNT,
}


class LinearSVR(PenalizedLinearModel):
    r"""Linear support vector regression, certified.

    .. math::

        \min_{w, b}\ \frac12 \|w\|^2 + \frac12 \Bigl(\frac{b}{\gamma}\Bigr)^2
        + C \sum_i s_i\,\phi(y_i - x_i^\top w - b), \qquad
        \phi(r) = \max(0, |r| - \epsilon)\ \text{or}\ \max(0, |r| - \epsilon)^2

    with sample weights :math:`s` taken as they are and :math:`\gamma` = ``intercept_scaling``: as
    in LIBLINEAR and scikit-learn's class, of which this is a drop-in replacement, the intercept is
    the coefficient of a constant feature and penalized. ``penalize_intercept=False`` leaves its
    term out. The solver reads X by rows: arrays in C order and CSR matrices are used as they are,
    other layouts are copied once. Columns need not be scaled for the solver's sake.

    Parameters
    ----------
    epsilon : float, default=0.0
        Residuals up to here cost nothing; at least 0, in the units of y.
    tol : float, default=1e-4
        Stop when the duality gap is at most ``tol`` times the objective of the null model: the best
        constant, with its penalty if it has one, or zero without an intercept.
    C : float, default=1.0
        Inverse strength of the penalty, > 0.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        The loss.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    intercept_scaling : float, default=1.0
        The constant feature of a penalized intercept; the larger, the weaker its penalty.
    dual : bool or "auto", default="auto"
        Accepted for compatibility, without effect: the solver decides, and primal and dual have
        the same optimum.
    verbose : bool or int, default=0
        Write gap and iterations to standard error.
    random_state : int, RandomState, Generator or None, default=None
        Seed of a randomized ``selector``; the native solver draws nothing that matters.
    max_iter : int, default=1000
        Limit on passes over the data of the native solver, or on epochs of a selector.
    penalize_intercept : bool, default=True
        Whether the intercept is penalized. Without a penalty a ``selector`` cannot be used: the
        constraint of the dual leaves no move of a single variable.
    solver : {"auto", "fast", "engine"}, default="auto"
        "fast" is the native solver, "engine" is :func:`banditcd.minimize` with ``selector``.
        "auto" is the native solver unless a selector is given.
    selector : str or object, default="auto"
        Any selector of :mod:`banditcd.selectors`, by name or as an object, or your own. It
        minimizes the same objective to the same certificate.
    record_history : bool, default=False
        Keep ``history_``: one row per iteration or epoch.
    pool_bytes : int, default=2**30
        Memory that a copy of a dense X in single precision (half of X), or of the places of sparse
        entries that are all equal, may take, and the products of few samples with each other;
        beyond it the solver reads X itself.
    n_threads : int or None, default=None
        Upper limit on threads for passes over X and products of its rows that take longer than
        about two milliseconds (None: the environment variables, or all cores). The same number
        gives the same bits; another one differs by rounding. Coordinate descent goes from row to
        row on one thread; Newton's method gains most.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients, in float64 as in scikit-learn: the certificate is that of these numbers.
    intercept_ : ndarray of shape (1,), or 0.0
        The intercept; 0.0 without one.
    n_iter_ : int
        Passes over X or epochs used, at most ``max_iter``.
    dual_gap_ : float
        Duality gap in the units of the objective above.
    certificate_ : FitCertificate
        Primal and dual value, gap, target, status, regime, passes over X and seconds.
    history_ : Trace
        With ``record_history=True``: objective, gap, work and seconds after each iteration or
        epoch.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are all strings.

    Examples
    --------
    >>> from banditcd import LinearSVR
    >>> model = LinearSVR(epsilon=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    _in_precision_of_samples = False

    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 1e-4,
        C: float = 1.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        dual: bool | Literal["auto"] = "auto",
        verbose: bool | int = 0,
        random_state: RandomState = None,
        max_iter: int = 1000,
        penalize_intercept: bool = True,
        solver: SolverWord = "auto",
        selector: SelectorLike = "auto",
        record_history: bool = False,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss: Any = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.penalize_intercept = penalize_intercept
        self.solver = solver
        self.selector = selector
        self.record_history = record_history
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Responses.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses, as they are.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        C, settings = self._hyperparameters()
        data = check_training(
            self, X, y, sample_weight, multi_output=False, rows=True, normalized=False
        )
        tasks = begin_tasks(self, data, max_subtasks=max(settings.max_iter, 1) + 1)
        backend = svr_backend(BinaryData(data.X, data.y, data.sample_weight, PLAIN), settings)
        solution = solve_watched(backend, C, tasks, self._fitted)
        self._keep_solutions([solution], squeeze=True, array=True)
        warn_unless_converged([solution.certificate], settings)
        tasks.end()
        return self

    def _hyperparameters(self) -> tuple[float, SvrSettings]:
        if not (isinstance(self.loss, str) and self.loss in LOSSES):
            raise ValueError(f"loss is {self.loss!r}; it must be one of {', '.join(LOSSES)}.")
        check_dual(self.dual)
        tol, C, max_iter, fit_intercept, penalized, scaling, *others = checked(self, RULES)
        intercept: Intercept = "penalized" if penalized else "free"
        settings = SvrSettings(
            loss=self.loss,
            l1_ratio=0.0,
            intercept=intercept if fit_intercept else "none",
            intercept_scaling=scaling,
            tol=tol,
            max_iter=max_iter,
            selector=choose_selector(self.solver, self.selector),
            dual=True,
            random_state=self.random_state,
            keep_history=others[0],
            n_threads=others[1],
            polish=True,
            epsilon=others[2],
            word="liblinear",
            pool_bytes=others[3],
        )
        return C, settings

    def _fitted(self, coef: Floats, intercept: float) -> dict[str, Any]:
        """Return the attributes at this point, in scikit-learn's shapes."""
        return {
            "coef_": coef,
            "intercept_": np.array([intercept]) if self.fit_intercept else 0.0,
        }
