"""Linear support vector machine."""

from __future__ import annotations

from typing import Any, Literal

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.checks.binary_settings import BinarySettings, Intercept
from banditcd.estimators.checks.docs import documented_classifier
from banditcd.estimators.checks.labels import Labels, liblinear_factors
from banditcd.estimators.checks.parameters import (
    COUNT,
    COUNT_OR_ZERO,
    FLAG,
    JOBS,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    POSITIVE,
    SCALING,
    check_dual,
    checked,
)
from banditcd.estimators.checks.settings import choose_selector, split_solver
from banditcd.estimators.checks.types import ClassWeight, RandomState, SelectorLike, SvmWord
from banditcd.solvers import POOL_BYTES

LOSSES = ("hinge", "squared_hinge")
PENALTIES = {"l1": 1.0, "l2": 0.0}
#: Strategies, by the words of the certificate.
REGIMES = ("descent", "newton", "proximal_newton", "gram")
RULES = {
    "tol": NOT_NEGATIVE,
    "C": POSITIVE,
    "max_iter": COUNT_OR_ZERO,
    "fit_intercept": FLAG,
    "penalize_intercept": FLAG,
    "intercept_scaling": SCALING,
    "record_history": FLAG,
    "n_threads": OPTIONAL_COUNT,
    "n_jobs": JOBS,
    "pool_bytes": COUNT,
}
SVC = {
    "scaling": "The constant feature of a penalized intercept; the larger, the weaker its penalty.",
    "several": (
        "With more than two classes,\n    the class of a problem is weighted and the rest is not, "
        "as LIBLINEAR does."
    ),
    "max_iter": "1000",
    "names": "",
    "n_iter": "int",
    "without": ", or 0.0",
    "precision": ", in float64 as in scikit-learn",
}


@documented_classifier(**SVC)
class LinearSVC(LinearClassifier):
    r"""Linear support vector classification, certified.

    .. math::

        \min_{w, b}\ \frac12 \|w\|^2 + \frac12 \Bigl(\frac{b}{\gamma}\Bigr)^2
        + C \sum_i s_i\,\phi(y_i (x_i^\top w + b)), \qquad
        \phi(m) = \max(0, 1 - m)\ \text{or}\ \max(0, 1 - m)^2

    with :math:`y_i = \pm 1`, sample weights :math:`s` (times class weights) taken as they are and
    :math:`\gamma` = ``intercept_scaling``: as in LIBLINEAR and scikit-learn's class, of which this
    is a drop-in replacement, the intercept is the coefficient of a constant feature and penalized.
    ``penalize_intercept=False`` leaves its term out. More than two classes are fitted one against
    the rest. The solver reads X by rows: arrays in C order and CSR matrices are used as they are,
    other layouts are copied once.

    Parameters
    ----------
    penalty : {"l2", "l1"}, default="l2"
        "l1" makes coefficients sparse: the sum of :math:`|w_j|` and, for a penalized intercept,
        :math:`|b/\gamma|` replaces the squares above, without the halves. It needs the squared
        hinge, and reads X by columns (Fortran order, CSC).
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        The loss.
    dual : bool or "auto", default="auto"
        Accepted for compatibility, without effect: the solver decides, and primal and dual have
        the same optimum.
    C : float, default=1.0
        Inverse strength of the penalty, > 0.
    multi_class : {"ovr"}, default="ovr"
        "crammer_singer" is refused: it is seldom more accurate, and has no certificate here.
    {common_parameters}
    penalize_intercept : bool, default=True
        Whether the intercept is penalized. Without a penalty a ``selector`` cannot be used: the
        constraint of the dual leaves no move of a single variable.
    n_jobs : int or None, default=None
        Classes fitted at the same time, in threads; in processes if joblib is told so.
    n_threads : int or None, default=None
        Upper limit on threads for passes over X and products of its rows that take longer than
        about two milliseconds (None: the environment variables, or all cores). The same number
        gives the same bits; another one differs by rounding. Coordinate descent goes from row to
        row on one thread; Newton's method gains most.
    pool_bytes : int, default=2**30
        Memory that a copy of a dense X in single precision (half of X), or of the places of sparse
        entries that are all equal, may take, and the products of few samples with each other;
        beyond it the solver reads X itself. With an L1 penalty, memory for a matrix of the features
        in use, a copy of their entries or a sample of the rows.

    Attributes
    ----------
    {common_attributes}

    Examples
    --------
    >>> from banditcd import LinearSVC
    >>> model = LinearSVC().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    _in_precision_of_samples = False

    def __init__(
        self,
        penalty: Literal["l1", "l2"] = "l2",
        loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
        *,
        dual: bool | Literal["auto"] = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: Literal["ovr"] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: ClassWeight = None,
        verbose: bool | int = 0,
        random_state: RandomState = None,
        max_iter: int = 1000,
        penalize_intercept: bool = True,
        solver: SvmWord = "auto",
        selector: SelectorLike = "auto",
        n_jobs: int | None = None,
        record_history: bool = False,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.penalty: Any = penalty
        self.loss: Any = loss
        self.dual: Any = dual
        self.tol = tol
        self.C = C
        self.multi_class: Any = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.penalize_intercept = penalize_intercept
        self.solver = solver
        self.selector = selector
        self.n_jobs = n_jobs
        self.record_history = record_history
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads

    def _hyperparameters(self) -> tuple[float, BinarySettings]:
        self._check_words()
        tol, C, max_iter, fit_intercept, penalized, scaling, *others = checked(self, RULES)
        intercept: Intercept = "penalized" if penalized else "free"
        solver, regime = split_solver(self.solver, REGIMES)
        selector = choose_selector(solver, self.selector, regimes=REGIMES)
        if self.penalty == "l1" and (selector is not None or regime is not None):
            raise ValueError(
                "penalty='l1' has one solver and no selector: the squared hinge with an L1 penalty "
                "is none of the costs of banditcd.problems. Use solver='auto', selector='auto'."
            )
        settings = BinarySettings(
            loss=self.loss,
            l1_ratio=PENALTIES[self.penalty],
            intercept=intercept if fit_intercept else "none",
            intercept_scaling=scaling,
            tol=tol,
            max_iter=max_iter,
            selector=selector,
            dual=True,
            random_state=self.random_state,
            keep_history=others[0],
            n_threads=others[1],
            polish=True,
            regime=regime,
            word="liblinear",
            pool_bytes=others[3],
        )
        return C, settings

    def _check_words(self) -> None:
        if not (isinstance(self.loss, str) and self.loss in LOSSES):
            raise ValueError(f"loss is {self.loss!r}; it must be one of {', '.join(LOSSES)}.")
        if not (isinstance(self.penalty, str) and self.penalty in PENALTIES):
            raise ValueError(f"penalty is {self.penalty!r}; it must be 'l1' or 'l2'.")
        if self.penalty == "l1" and (self.loss == "hinge" or self.dual is True):
            raise ValueError(
                "Unsupported set of arguments: the L1 penalty needs the squared hinge, and has no "
                f"dual form; penalty='l1', loss={self.loss!r}, dual={self.dual!r}. Use "
                "loss='squared_hinge' with dual='auto'."
            )
        word = self.multi_class if isinstance(self.multi_class, str) else ""
        if word == "crammer_singer":
            raise ValueError(
                "multi_class is 'crammer_singer', which LinearSVC does not fit: it is one problem "
                "of all classes that is seldom more accurate than 'ovr', and its solver has no "
                "certificate here. Use 'ovr', or LogisticRegression, whose classes are fitted "
                "together."
            )
        if word != "ovr":
            raise ValueError(f"multi_class is {self.multi_class!r}; it must be 'ovr'.")
        check_dual(self.dual)

    def _by_rows(self, settings: BinarySettings) -> bool:
        return settings.l1_ratio == 0.0

    def _factors(
        self, labels: Labels, positive: int, given: Floats | str, weight: Floats | None
    ) -> Floats:
        return liblinear_factors(labels, positive, given, weight)

    def _keep(self, solutions: list[Solution]) -> None:
        self._keep_solutions(solutions, squeeze=False, array=True)
        if not self.fit_intercept:
            self.intercept_ = 0.0  # as in scikit-learn, however many classes there are
        self.n_iter_ = max(self.n_iter_)
