"""The problems of the fast solvers behind one face: sessions, solves and an independent judge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from banditcd import solvers
from tests.solvers.conftest import Instance as ElasticNetCase
from tests.solvers.group_cases import GroupOracle
from tests.solvers.l2_logistic_cases import Oracle as L2LogisticCase
from tests.solvers.logistic_cases import LogisticCase, SquaredHingeCase
from tests.solvers.multinomial_cases import MultinomialCase
from tests.solvers.ridge_cases import Oracle as RidgeCase
from tests.solvers.svm_cases import svm_null, svm_values, svr_null, svr_values


@dataclass(frozen=True)
class Problem:
    """Data, penalties and options of one solver; ``forced`` is a regime it is told to use."""

    X: Any
    y: np.ndarray
    penalties: tuple[float, ...]
    options: dict[str, Any] = field(default_factory=dict)
    forced: str | None = None

    session_class: ClassVar[str]
    mean_loss: ClassVar[bool] = True  # the loss is divided by the rows, whatever they weigh
    resumes: ClassVar[bool] = True  # a solve starts from the point of the last one

    def session(self) -> Any:
        """Return a new session."""
        session = getattr(solvers, self.session_class)(self.X, self.y, **self.options)
        if self.forced is not None:
            session.force_regime(self.forced)
        return session

    def solve(self, tol: float, session: Any = None, **limits: Any) -> solvers.Result:
        """Return the result of a session, by default of a new one."""
        session = self.session() if session is None else session
        found = session.solve(*self.penalties, tol=tol, **limits)
        return found[0] if isinstance(found, list) else found

    def start(self, session: Any, result: solvers.Result) -> None:
        """Let the next solve of a session start at a result."""
        raise NotImplementedError

    def weighted(self, times: np.ndarray) -> Self:
        """Return the problem with row weights."""
        return replace(self, options=self.options | {"sample_weight": times.astype(float)})

    def repeated(self, X: Any, times: np.ndarray) -> Self:
        """Return the problem with repeated rows, already stored in X, without weights."""
        options = {key: self.options[key] for key in self.options if key != "sample_weight"}
        share = len(times) / times.sum() if self.mean_loss else 1.0
        penalties = tuple(share * penalty for penalty in self.penalties)
        y = np.repeat(self.y, times, axis=0)
        return replace(self, X=X, y=y, penalties=penalties, options=options)

    def null(self) -> float:
        """Return the objective of the null model."""
        raise NotImplementedError

    def primal(self, result: solvers.Result) -> float:
        """Return the objective at a result's point, which must keep to its bounds."""
        raise NotImplementedError

    def dual(self, result: solvers.Result) -> float:
        """Return a dual value for a result's point: no objective is below it."""
        raise NotImplementedError


class _OnColumns(Problem):
    """A penalty on columns; the judge has an objective and a gap of its own."""

    judge: ClassVar[Any]

    def case(self) -> Any:
        names = ("fit_intercept", "sample_weight", "penalty_weights", "lower", "upper")
        known = {name: self.options[name] for name in names if name in self.options}
        return self.judge(self.X, self.y, *self.penalties, **known)

    def null(self) -> float:
        return float(self.case().null_objective())

    def primal(self, result: solvers.Result) -> float:
        return float(self.case().primal(result.coef, result.intercept))

    def dual(self, result: solvers.Result) -> float:
        return self.primal(result) - float(self.case().gap(result.coef, result.intercept))


class ElasticNet(_OnColumns):
    """Squared loss; row weights are normalized."""

    session_class = "ElasticNetSession"
    mean_loss = False
    judge = ElasticNetCase

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.coef)


class Logistic(_OnColumns):
    """Logistic loss with an L1 penalty."""

    session_class = "LogisticSession"
    judge = LogisticCase

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.coef, result.intercept)


class L1Svm(Logistic):
    """Squared hinge with an L1 penalty."""

    session_class = "L1SvmSession"
    judge = SquaredHingeCase


class _Smooth(Problem):
    """An L2 penalty; the judge has an objective and a dual value of its own."""

    judge: ClassVar[Any]

    def case(self) -> Any:
        names = ("fit_intercept", "sample_weight", "penalty_weights")
        known = {name: self.options[name] for name in names if name in self.options}
        return self.judge(self.X, self.y, *self.penalties, **known)

    def null(self) -> float:
        return float(self.case().null())

    def primal(self, result: solvers.Result) -> float:
        return float(self.case().primal(result.coef, result.intercept))

    def dual(self, result: solvers.Result) -> float:
        return float(self.case().dual(result.coef, result.intercept))


class L2Logistic(_Smooth):
    """Logistic loss with an L2 penalty."""

    session_class = "L2LogisticSession"
    judge = L2LogisticCase

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.coef, result.intercept)


class Multinomial(Problem):
    """Three classes with an L1 part."""

    session_class = "MultinomialSession"

    def case(self) -> MultinomialCase:
        return MultinomialCase(self.X, self.y, *self.penalties, **self.options)

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.coef, result.intercept)

    def null(self) -> float:
        return self.case().null()

    def primal(self, result: solvers.Result) -> float:
        return self.case().ruling(result.coef, result.intercept)[0]

    def dual(self, result: solvers.Result) -> float:
        return self.case().ruling(result.coef, result.intercept)[1]


class L2Multinomial(Multinomial):
    """Three classes with an L2 penalty."""

    session_class = "L2MultinomialSession"

    def case(self) -> MultinomialCase:
        return MultinomialCase(self.X, self.y, 0.0, *self.penalties, **self.options)


class Ridge(_Smooth):
    """Squared loss with an L2 penalty; what a session keeps is the factored matrix."""

    session_class = "RidgeSession"
    resumes = False
    judge = RidgeCase


class _OnRows(Problem):
    """A support vector machine: the dual variables come with the result."""

    mean_loss = False
    values: ClassVar[Any]
    null_value: ClassVar[Any]

    def _problem(self) -> dict[str, Any]:
        known = dict(self.options)
        if "intercept_scaling" in known:
            known["scaling"] = known.pop("intercept_scaling")
        return known

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.dual_coef)

    def null(self) -> float:
        return float(type(self).null_value(self.y, *self.penalties, **self._problem()))

    def primal(self, result: solvers.Result) -> float:
        return float(self._values(result)[0])

    def dual(self, result: solvers.Result) -> float:
        _, dual, balance = self._values(result)
        assert balance <= 1e-12
        return float(dual)

    def _values(self, result: solvers.Result) -> tuple[float, float, float]:
        values: tuple[float, float, float] = type(self).values(
            self.X, self.y, result, *self.penalties, **self._problem()
        )
        return values


class Svm(_OnRows):
    """Hinge or squared hinge."""

    session_class = "SvmSession"
    values = staticmethod(svm_values)
    null_value = staticmethod(svm_null)


class Svr(_OnRows):
    """Epsilon-insensitive loss or its square."""

    session_class = "SvrSession"
    values = staticmethod(svr_values)
    null_value = staticmethod(svr_null)


class Blocks(Problem):
    """Squared or logistic loss with a penalty on groups, or on several responses at once."""

    session_class = "GroupSession"

    @property
    def mean_loss(self) -> bool:  # type: ignore[override]
        """Row weights of the squared loss are normalized."""
        return bool(self.options.get("logistic", False))

    def start(self, session: Any, result: solvers.Result) -> None:
        session.start_at(result.coef, result.intercepts)

    def case(self) -> GroupOracle:
        known = {name: value for name, value in self.options.items() if name != "pool_bytes"}
        return GroupOracle(self.X, self.y, *self.penalties, **known)

    def null(self) -> float:
        return self.case().null()

    def primal(self, result: solvers.Result) -> float:
        return self.case().primal(result.coef, result.intercepts)

    def dual(self, result: solvers.Result) -> float:
        return self.case().dual(result.coef, result.intercepts)


def certified(problem: Problem, tol: float, **limits: Any) -> solvers.Result:
    """Solve, compare the certificate with the judge's values at the same point, and return it."""
    result = problem.solve(tol, **limits)
    null, primal = problem.null(), problem.primal(result)
    rounding = 1e-10 * max(null, primal)
    assert result.status == "converged", result
    assert result.target == pytest.approx(tol * null, rel=1e-5, abs=1e-16 * max(null, primal))
    assert 0.0 <= result.gap <= result.target
    assert result.primal == pytest.approx(primal, rel=1e-9, abs=rounding)
    assert -rounding <= primal - problem.dual(result) <= result.gap + rounding
    return result
