"""Searches of LassoCV and ElasticNetCV: grid, folds or a criterion, choice, refit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.validation import column_or_1d

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.certificates import missed
from banditcd.estimators.backends.fold import FoldBackend
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.parallel import Job, in_processes
from banditcd.estimators.backends.path_solver import Path, alpha_grid, in_precision_of, solve_path
from banditcd.estimators.backends.prepared import Prepared, prepare
from banditcd.estimators.backends.rounding import is_single, rounded_solutions
from banditcd.estimators.backends.solution import Backend
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.alpha_search import AlphaSearch
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.gram import check_gram
from banditcd.estimators.checks.grid import CV_WORDS, check_alphas, check_eps, number_or_values
from banditcd.estimators.checks.inputs import Training, check_training
from banditcd.estimators.checks.parameters import FLAG, JOBS, checked
from banditcd.estimators.checks.settings import LinearSettings, check_settings
from banditcd.estimators.search.fold_errors import fold_errors, shared_errors
from banditcd.estimators.search.placed_elastic_net import search_elsewhere
from banditcd.estimators.search.routing import routed
from banditcd.estimators.search.selection import check_rule, information_criterion
from banditcd.estimators.search.shared_folds import share_folds
from banditcd.estimators.search.splits import Fold, make_folds
from banditcd.solvers import ElasticNetFolds

RULES = ("min", "1se", "aic", "bic")


@dataclasses.dataclass(slots=True)
class Candidate:
    """One l1_ratio: its data ready to be solved, its alphas, and its path once it is known."""

    prepared: Prepared
    backend: Backend
    alphas: Floats
    path: Path | None = None

    def whole_path(self) -> Path:
        """Return the path of all samples."""
        if self.path is None:
            self.path = solve_path(self.prepared, self.backend, self.alphas, len(self.alphas))
        return self.path


@dataclasses.dataclass(slots=True)
class Choice:
    """The chosen candidate and the position on its path, and how the solves went."""

    candidate: int
    position: int
    missed: list[FitCertificate]
    solves: int


class CrossValidatedModel(AlphaSearch, PenalizedLinearModel):
    """Chooses alpha (and l1_ratio) by cross-validation or an information criterion."""

    n_alphas: Any
    select_alpha: Any
    store_path: Any

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        """Choose the penalty and fit the model on all samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples. Fortran order and CSC avoid a copy.
        y : array-like of shape (n_samples,)
            Response.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of fitting and of the test errors; a single number has no effect.
        **params
            ``groups`` for a splitter that needs them, or whatever metadata routing passes on.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        rule = check_rule(self.select_alpha, "select_alpha", RULES)
        checked(self, {"store_path": FLAG, "n_jobs": JOBS})
        settings = check_settings(self, (ratios := self._ratios())[0])
        wanted = check_alphas(number_or_values(self.alphas, self.n_alphas, CV_WORDS))
        data = self._training(X, y, sample_weight)
        for name in ("mse_path_", "support_path_", "criterion_"):  # by the rule
            self.__dict__.pop(name, None)
        if rule in ("aic", "bic"):
            candidates = self._candidates(data, (settings, ratios, wanted), None)
            tasks = begin_tasks(self, data, max_subtasks=1)
            choice = self._by_criterion(data, candidates, rule)
        else:
            folds = self._folds(data, sample_weight, params)
            shared = self._shared(data, folds, settings, _count(wanted) * len(ratios))
            candidates = self._candidates(data, (settings, ratios, wanted), shared)
            tasks = begin_tasks(self, data, max_subtasks=len(candidates) * len(folds) + 1)
            choice = self._by_folds(data, candidates, (folds, shared), tasks)
        final = self._refit(data, candidates[choice.candidate], choice.position, tasks)
        missed_ones = [*choice.missed, final]
        warn_unless_converged(missed_ones, settings, total=choice.solves + 1)
        tasks.end()
        return self

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        check_rule(self.select_alpha, "select_alpha", RULES)
        settings = [check_settings(self, ratio) for ratio in self._ratios()]
        certificates = search_elsewhere(self, (X, y, sample_weight), settings, params)
        warn_unless_converged(certificates, settings[0])
        return self

    def predict_path(self, X: Any) -> Floats:
        """Predict with the model of every alpha (needs ``store_path=True``).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_alphas)
            One column per alpha of ``alpha_path_``.
        """
        X = self._check_samples(X)
        if not hasattr(self, "coef_path_"):
            raise ValueError("predict_path needs the whole path: fit with store_path=True.")
        coefs, intercepts = self.coef_path_, self.intercept_path_
        return np.asarray(self._affine(X, coefs, intercepts))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        elif getattr(y, "ndim", 1) == 2:
            raise ValueError(
                f"y has {y.shape[1]} columns; {type(self).__name__} fits one response. For several "
                f"that use the same features, use MultiTask{type(self).__name__}; for separate "
                "ones, one estimator each (sklearn.multioutput.MultiOutputRegressor)."
            )
        return check_training(self, X, y, sample_weight, multi_output=False)

    def _shared(
        self, data: Training, folds: list[Fold], settings: LinearSettings, solves: int
    ) -> ElasticNetFolds | None:
        """Return the folds with one Gram matrix for all, if they can share one and it pays."""
        if in_processes(self.n_jobs):
            return None
        columns = check_columns(self, data.X.shape[1])
        return share_folds(data, folds, columns, settings, solves)

    def _candidates(
        self,
        data: Training,
        grid: tuple[LinearSettings, list[float], int | Floats],
        shared: ElasticNetFolds | None,
    ) -> list[Candidate]:
        settings, ratios, wanted = grid
        eps = check_eps(self.eps, wanted)
        whole_path = self.store_path or self.select_alpha in ("aic", "bic")
        columns = check_columns(self, data.X.shape[1])
        gram = check_gram(self.precompute, data, settings.fit_intercept)
        out = []
        for ratio in ratios:
            if ratio != settings.l1_ratio:
                settings = dataclasses.replace(settings, l1_ratio=ratio)
            prepared = prepare(data, columns, settings, gram)
            backend: Backend
            if shared is None:
                backend = prepared.backend(data.y, solves=_count(wanted) if whole_path else 1)
            else:
                backend = FoldBackend(shared, shared.count, prepared.settings)
            alphas = alpha_grid(backend, ratio, eps, wanted)
            out.append(Candidate(prepared, backend, alphas))
        self._keep_grids([candidate.alphas for candidate in out], wanted)
        return out

    def _folds(self, data: Training, sample_weight: Any, params: dict[str, Any]) -> list[Fold]:
        arguments, _ = routed(self, sample_weight, params)
        return make_folds(check_cv(self.cv), data, **arguments)

    def _by_folds(
        self,
        data: Training,
        candidates: list[Candidate],
        splits: tuple[list[Fold], ElasticNetFolds | None],
        tasks: Tasks,
    ) -> Choice:
        """Measure every fold and choose."""
        folds, shared = splits
        columns = check_columns(self, data.X.shape[1])
        jobs: list[Job] = [
            (fold_errors, (data, fold, columns, c.prepared.settings, c.alphas))
            if shared is None
            else (shared_errors, (data, fold, (shared, k), c.prepared.settings, c.alphas))
            for c in candidates
            for k, fold in enumerate(folds)
        ]
        simplest = self.select_alpha == "1se"
        results, chosen, position = self._measured(jobs, len(candidates), simplest, tasks)
        short = [certificate for result in results for certificate in result.missed]
        return Choice(chosen, position, short, sum(result.solves for result in results))

    def _by_criterion(self, data: Training, candidates: list[Candidate], rule: str) -> Choice:
        """Compare AIC or BIC along the paths of all samples."""
        values, certificates = [], []
        for c in candidates:
            path = c.whole_path()
            settings = c.prepared.settings
            l2 = settings.penalties(c.alphas)[1]
            values.append(information_criterion(data, path, l2, rule, settings.fit_intercept))
            certificates.append(path.certificates)
        self.criterion_ = np.squeeze(values)
        chosen = int(np.argmin([value.min() for value in values]))
        short = [certificate for each in certificates for certificate in missed(each)]
        solves = sum(map(len, certificates))
        return Choice(chosen, int(np.argmin(values[chosen])), short, solves)

    def _refit(
        self, data: Training, best: Candidate, position: int, tasks: Tasks
    ) -> FitCertificate:
        """Fit all samples at the chosen penalty."""
        leaf = tasks.subtask("refit")
        prepared = best.prepared
        self.alpha_ = best.alphas[position]
        if hasattr(self, "l1_ratio"):
            self.l1_ratio_ = np.float64(prepared.settings.l1_ratio)
        for name in ("coef_path_", "intercept_path_", "alpha_path_"):
            self.__dict__.pop(name, None)
        if self.store_path:
            path = best.whole_path()
            best.backend.start_at(prepared.scaled(path.coefs[:, position]))
            path = in_precision_of(data.X, prepared, data.y, best.alphas, path)
            self.alpha_path_, self.coef_path_ = best.alphas, path.coefs
            self.intercept_path_ = path.intercepts
        solution = best.backend.solve(float(self.alpha_))
        solution = dataclasses.replace(solution, coef=prepared.unscaled(solution.coef))
        if is_single(data.X):
            objective = prepared.objective(data.y, np.array([self.alpha_]))
            columns = check_columns(self, data.X.shape[1])
            solution = rounded_solutions([solution], columns, objective)[0]
        self._keep_solutions([solution], squeeze=True, array=False)
        tasks.close(leaf, {})
        return solution.certificate


def _count(wanted: int | Floats) -> int:
    """Return how many alphas are wanted."""
    return wanted if isinstance(wanted, int) else len(wanted)
