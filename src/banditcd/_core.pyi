"""Compiled kernels of banditcd."""

from collections.abc import Mapping
import enum
from types import ModuleType
from typing import overload

import numpy
from numpy.typing import NDArray

parts: ModuleType


class ProblemArrays:
    """Views of one problem's arrays; they stay alive."""

    def __init__(self) -> None: ...

    def set_dense(self, columns: NDArray) -> None:
        """Dense A as a C-contiguous (d, m) array, row i = column i."""

    def set_csc(self, values: NDArray, rows: NDArray[numpy.int32], starts: NDArray[numpy.int64], n_rows: int) -> None:
        """Sparse A by compressed columns."""

    def set_signs(self, signs: NDArray[numpy.float64]) -> None:
        """Multiply the columns by signs."""

    def set_loss(self, name: str, weight: NDArray[numpy.float64], target: NDArray[numpy.float64]) -> None:
        """The smooth part and its per-row arrays."""

    def set_penalty(self, name: str, p0: NDArray[numpy.float64], p1: NDArray[numpy.float64], p2: NDArray[numpy.float64], p3: NDArray[numpy.float64]) -> None:
        """The separable part and its arrays."""

    def set_curvature(self, h: NDArray[numpy.float64]) -> None:
        """Curvature bound of every coordinate."""

def time_columns(problem: ProblemArrays, order: NDArray[numpy.int32]) -> float:
    """Seconds of one dot and one axpy with every column of `order`."""

def time_blas(problem: ProblemArrays, order: NDArray[numpy.int32], ddot: int, daxpy: int) -> float:
    """The same through the given BLAS functions (addresses)."""

class Descent:
    """State of a run and what one step does to it."""

    def __init__(self, problem: ProblemArrays, rule: str, minimizes: bool, skip: bool, x0: NDArray[numpy.float64]) -> None: ...

    def set_state(self, x: NDArray[numpy.float64]) -> None:
        """Go to x; v and w from scratch."""

    @property
    def x(self) -> NDArray[numpy.float64]:
        """The current point, a live read-only view."""

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""

    @property
    def moves(self) -> int:
        """Steps that changed their coordinate."""

    @property
    def last_move(self) -> float:
        """Change of the coordinate updated last."""

    @property
    def last_correlation(self) -> float:
        """u_i of the coordinate updated last, after its update."""

    def step(self, i: int) -> tuple[float, float]:
        """Update one coordinate; returns (decrease, marginal decrease left)."""

    def sweep(self, batch: NDArray[numpy.int32]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        Update a batch in its order; returns (decreases, marginal decreases left).
        """

    def correlation(self, i: int) -> float:
        """u_i, one dot."""

    def correlations(self) -> NDArray[numpy.float64]:
        """All u_i, one pass."""

    def partial_correlation(self, i: int, first: int, count: int) -> float:
        """Part of u_i from some stored entries."""

    def line(self, i: int, t: float) -> tuple[float, float]:
        """First and second derivative of f(v + t a_i) in t."""

    def move(self, i: int, target: float, u: float) -> None:
        """Set x_i to target, where u is u_i before the move."""

    def marginal_decrease(self, i: int, u: float) -> float:
        """r_i at the current x_i and the given u_i."""

class Selector:
    """A native selector for one run."""

    def __init__(self, descent: Descent, name: str, parameters: Mapping[str, float], seed: int) -> None: ...

    def run(self, descent: Descent, steps: int, seconds: float) -> int:
        """
        Take up to `steps` steps; returns how many were taken when the time was up.
        """

    def next(self, descent: Descent) -> int:
        """Choose only, for tests."""

    def observe(self, descent: Descent, i: int, decrease: float, r_after: float) -> None:
        """Learn only, for tests."""

class Accelerated:
    """An accelerated method in progress."""

    def __init__(self, problem: ProblemArrays, name: str, parameters: Mapping[str, float], x0: NDArray[numpy.float64], seed: int) -> None: ...

    def run(self, steps: int, seconds: float) -> int:
        """Take up to `steps` steps; returns how many were taken."""

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""

    def point(self) -> NDArray[numpy.float64]:
        """The current point."""

class Rng:
    """The same stream as banditcd.selectors.Rng."""

    def __init__(self, seed: int) -> None: ...

    def bits(self) -> int:
        """64 random bits."""

    def uniform(self) -> float:
        """From [0, 1)."""

    def integer(self, n: int) -> int:
        """From 0 .. n-1."""

    def shuffle(self, values: NDArray[numpy.int32]) -> None:
        """Permute an int32 array in place."""

class LibsvmParser:
    """Incremental, strict parser of LIBSVM text: feed, finish, take."""

    def __init__(self, n_features: int = 0) -> None: ...

    def feed(self, text: NDArray[numpy.uint8]) -> bool:
        """Parse one more piece of text; False once a line is malformed."""

    def finish(self) -> bool:
        """Parse a last line without newline."""

    def take(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]:
        """Hand over (labels, indptr, indices, values) without a copy."""

    @property
    def largest_index(self) -> int:
        """Largest index seen, from 1."""

    @property
    def error_line(self) -> int:
        """Number of the malformed line, or 0."""

    @property
    def error_reason(self) -> str:
        """Why that line is malformed."""

def parse_decimal(text: str) -> float:
    """One decimal number as the data readers round it: correctly."""

def kernel_name() -> str:
    """Name of the vector kernels in use: portable, avx2 or avx512."""

def select_kernels(name: str) -> None:
    """Choose the vector kernels for the whole process ('auto': the widest)."""

def dot(a: NDArray[numpy.float64], b: NDArray[numpy.float64]) -> float:
    """Inner product with the kernels in use."""

class Columns:
    """A matrix by columns: Fortran order or CSC, borrowed."""

    @overload
    def __init__(self, X: NDArray[numpy.float64]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float64], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], rows: int) -> None: ...

    @overload
    def __init__(self, X: NDArray[numpy.float32]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float32], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], rows: int) -> None: ...

    @property
    def shape(self) -> tuple[int, int]: ...

class Rows:
    """A matrix by rows: C order or canonical CSR, borrowed."""

    @overload
    def __init__(self, X: NDArray[numpy.float64]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float64], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], cols: int) -> None: ...

    @overload
    def __init__(self, X: NDArray[numpy.float32]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float32], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], cols: int) -> None: ...

    @property
    def shape(self) -> tuple[int, int]: ...

    def times(self, w: NDArray[numpy.float64], out: NDArray[numpy.float64]) -> None: ...

    def transposed_times(self, v: NDArray[numpy.float64], out: NDArray[numpy.float64]) -> None: ...

    def squares(self, weight: NDArray[numpy.float64], out: NDArray[numpy.float64]) -> None: ...

    def normal_matrix(self, weight: NDArray[numpy.float64] | None, shift: NDArray[numpy.float64] | None, out: NDArray[numpy.float64], max_seconds: float, rough: bool) -> None: ...

    def outer_matrix(self, weight: NDArray[numpy.float64] | None, shift: NDArray[numpy.float64] | None, out: NDArray[numpy.float64], max_seconds: float) -> None: ...

    def rough_pays(self, centered: bool) -> bool: ...

    @property
    def costs(self) -> tuple[float, float, float]: ...

def padded_size(size: int) -> int:
    """The row length that a symmetric matrix of this size needs."""

class StopFlag:
    """Stops the native work of all threads that look at it."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    @property
    def is_set(self) -> bool: ...

def watch_flag(flag: StopFlag | None) -> None:
    """Let native work of this thread stop when the flag is raised."""

class FitData:
    """The arrays of a fit beside X, borrowed."""

    def __init__(self, y: NDArray[numpy.float64] | None, sample_weight: NDArray[numpy.float64] | None, penalty_weights: NDArray[numpy.float64] | None, lower: NDArray[numpy.float64] | None, upper: NDArray[numpy.float64] | None, intercept: bool) -> None: ...

class Report:
    """Why a solve stopped, what is proved, and what it cost; sums."""

    @property
    def status(self) -> str: ...

    @property
    def regime(self) -> str: ...

    @property
    def primal(self) -> float: ...

    @property
    def gap(self) -> float: ...

    @property
    def target(self) -> float: ...

    @property
    def intercept(self) -> float: ...

    @property
    def seconds(self) -> float: ...

    @property
    def passes(self) -> float: ...

    @property
    def iterations(self) -> int: ...

    @property
    def pool_size(self) -> int: ...

    @property
    def support(self) -> int: ...

    @property
    def epochs(self) -> int: ...

    @property
    def newtons(self) -> int: ...

    @property
    def rough(self) -> bool: ...

    @property
    def phases(self) -> tuple[float, float, float, float]: ...

class PoolSolver:
    """Solves a pool in Gram space; keeps its work space."""

    def __init__(self) -> None: ...

    def solve(self, gram: NDArray[numpy.float64], q: NDArray[numpy.float64], penalty: NDArray[numpy.float64], square: float, target: float, x: NDArray[numpy.float64]) -> tuple[float, float]:
        """
        Minimize on the pool from x, in place; return the primal value and the gap.
        """

    @property
    def epochs(self) -> int: ...

    @property
    def newtons(self) -> int: ...

class ElasticNet:
    """A matrix, its pool and the last point of a solve."""

    def __init__(self, X: Columns, data: FitData, pool_bytes: int, solves: int) -> None: ...

    def solve(self, l1: float, l2: float, tol: float, max_iter: float, max_seconds: float, coef: NDArray[numpy.float64]) -> Report:
        """Solve for one penalty and fill coef."""

    def path(self, l1: NDArray[numpy.float64], l2: NDArray[numpy.float64], tol: float, max_iter: float, coef: NDArray[numpy.float64]) -> list[Report]:
        """Solve for one penalty after another; coef has one column for each."""

    def set_threads(self, threads: int) -> None: ...

    def start_at(self, coef: NDArray[numpy.float64]) -> None: ...

    def largest_penalty(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

    def facts(self) -> tuple[list[float], list[float], list[float]]: ...

    def gram(self, columns: NDArray[numpy.int32], out: NDArray[numpy.float64]) -> None: ...

class ElasticNetFolds:
    """Folds of a cross-validation that share a Gram matrix."""

    def __init__(self, X: Columns, data: FitData, fold_of_row: NDArray[numpy.int32], pool_bytes: int) -> None: ...

    def path(self, fold: int, l1: NDArray[numpy.float64], l2: NDArray[numpy.float64], tol: float, max_iter: float, coef: NDArray[numpy.float64]) -> list[Report]: ...

    def errors(self, fold: int, coef: NDArray[numpy.float64], intercept: NDArray[numpy.float64], out: NDArray[numpy.float64]) -> None: ...

    def largest_penalty(self) -> float: ...

    @staticmethod
    def pays(X: Columns, folds: int, penalties: int, pool_bytes: int) -> bool: ...

class ElasticNetTargets:
    """Many responses to one matrix."""

    def __init__(self, X: Columns, data: FitData, targets: int, pool_bytes: int) -> None: ...

    def path(self, y: NDArray[numpy.float64], start: NDArray[numpy.float64] | None, l1: NDArray[numpy.float64], l2: NDArray[numpy.float64], limits: tuple[float, float], coef: NDArray[numpy.float64]) -> list[Report]: ...

    @property
    def shares_gram(self) -> bool: ...

class Logistic:
    """A matrix, its labels and the last point of a solve."""

    def __init__(self, X: Columns, data: FitData, pool_bytes: int) -> None: ...

    def solve(self, l1: float, l2: float, tol: float, max_iter: float, max_seconds: float, coef: NDArray[numpy.float64]) -> Report:
        """Solve for one penalty and fill coef."""

    def start_at(self, coef: NDArray[numpy.float64], intercept: float) -> None: ...

    def with_labels(self, y: NDArray[numpy.float64], sample_weight: NDArray[numpy.float64] | None) -> Logistic: ...

    def largest_penalty(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

class L2Logistic:
    """Rows, labels and the last point of a solve."""

    def __init__(self, X: Rows, data: FitData) -> None: ...

    def solve(self, l2: float, tol: float, max_iter: float, max_seconds: float, coef: NDArray[numpy.float64]) -> Report:
        """Solve for one penalty and fill coef."""

    def start_at(self, coef: NDArray[numpy.float64], intercept: float) -> None: ...

    @property
    def was_carried(self) -> bool: ...

    def carried(self, out: NDArray[numpy.float64]) -> None: ...

    def force_regime(self, name: str) -> None: ...

class RidgeData:
    """Rows with weights and column means."""

    def __init__(self, X: Rows, weight: NDArray[numpy.float64] | None, mean: NDArray[numpy.float64] | None) -> None: ...

    def residual(self, y: NDArray[numpy.float64], model: tuple[NDArray[numpy.float64], float], dual: NDArray[numpy.float64] | None, residual: NDArray[numpy.float64], correlation: NDArray[numpy.float64]) -> tuple[float, float]: ...

    def conjugate_gradients(self, stop: tuple[float, float, float, int], gradient: NDArray[numpy.float64], w: NDArray[numpy.float64], max_seconds: float) -> int: ...

    def race(self, stop: tuple[float, float, int, int], gradient_and_w: tuple[NDArray[numpy.float64], NDArray[numpy.float64]], rho: NDArray[numpy.float64], dual: NDArray[numpy.float64], max_seconds: float) -> int: ...

class Factor:
    """A Cholesky factor of H + ridge I."""

    def __init__(self, H: NDArray[numpy.float64], ridge: float, pivot: float) -> None: ...

    def solve(self, b: NDArray[numpy.float64]) -> None: ...

    @property
    def good(self) -> bool: ...

class SvmLoss(enum.Enum):
    hinge = 0

    squared_hinge = 1

class Svm:
    """Rows, labels or responses, and the last point of a solve."""

    def __init__(self, X: Rows, data: FitData, loss: SvmLoss, constant: float, free_bias: bool, epsilon: float = -1.0) -> None: ...

    def solve(self, C: float, tol: float, max_iter: float, max_seconds: float, weights: NDArray[numpy.float64]) -> Report:
        """Solve for one C and fill the weights."""

    def null_objective(self, C: float) -> float: ...

    def start_at(self, dual: NDArray[numpy.float64]) -> None: ...

    def duals(self, out: NDArray[numpy.float64]) -> None: ...
