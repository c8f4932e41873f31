"""Compiled kernels of banditcd."""

from collections.abc import Mapping
import enum
from types import ModuleType
from typing import overload

import numpy
from numpy.typing import NDArray

Float64s = NDArray[numpy.float64]

parts: ModuleType


class ProblemArrays:
    """Views of one problem's arrays; they stay alive."""

    def __init__(self) -> None: ...

    def set_columns(self, columns: Columns) -> None:
        """The matrix A."""

    def set_signs(self, signs: Float64s) -> None:
        """Multiply the columns by signs."""

    def set_loss(self, name: str, weight: Float64s, target: Float64s) -> None:
        """The smooth part and its per-row arrays."""

    def set_penalty(self, name: str, p0: Float64s, p1: Float64s, p2: Float64s, p3: Float64s) -> None:
        """The separable part and its arrays."""

    def set_curvature(self, h: Float64s) -> None:
        """Curvature bound of every coordinate."""

def time_columns(problem: ProblemArrays, order: NDArray[numpy.int32]) -> float:
    """Seconds of one dot and one axpy with every column of `order`."""

def time_blas(problem: ProblemArrays, order: NDArray[numpy.int32], ddot: int, daxpy: int) -> float:
    """The same through the given BLAS functions (addresses)."""

class Descent:
    """State of a run and what one step does to it."""

    def __init__(self, problem: ProblemArrays, rule: str, minimizes: bool, skip: bool, x0: Float64s) -> None: ...

    def set_state(self, x: Float64s) -> None:
        """Go to x; v and w from scratch."""

    @property
    def x(self) -> Float64s:
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

    def sweep(self, batch: NDArray[numpy.int32]) -> tuple[Float64s, Float64s]:
        """
        Update a batch in its order; returns (decreases, marginal decreases left).
        """

    def correlation(self, i: int) -> float:
        """u_i, one dot."""

    def correlations(self) -> Float64s:
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

    def __init__(self, problem: ProblemArrays, name: str, parameters: Mapping[str, float], x0: Float64s, seed: int) -> None: ...

    def run(self, steps: int, seconds: float) -> int:
        """Take up to `steps` steps; returns how many were taken."""

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""

    def point(self) -> Float64s:
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

    def take(self) -> tuple[Float64s, NDArray[numpy.int64], NDArray[numpy.int32], Float64s]:
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

def dot(a: Float64s, b: Float64s) -> float:
    """Inner product with the kernels in use."""

@overload
def turn(matrix: Float64s, out: Float64s) -> None: ...

@overload
def turn(matrix: NDArray[numpy.float32], out: NDArray[numpy.float32]) -> None:
    """Write the transposed of a matrix."""

@overload
def two_classes(y: Float64s) -> tuple[float, float, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.int64]) -> tuple[int, int, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.bool_]) -> tuple[bool, bool, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.float32]) -> tuple[float, float, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.int32]) -> tuple[int, int, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.int8]) -> tuple[int, int, NDArray[numpy.int64]] | None: ...

@overload
def two_classes(y: NDArray[numpy.uint8]) -> tuple[int, int, NDArray[numpy.int64]] | None:
    """
    The two whole numbers in y and which samples have the second; None if not two.
    """

def signs(codes: NDArray[numpy.int64], positive: int) -> Float64s:
    """+1 where a code is the positive one, else -1."""

class Columns:
    """A matrix by columns: Fortran order or CSC, borrowed."""

    @overload
    def __init__(self, X: Float64s) -> None: ...

    @overload
    def __init__(self, data: Float64s, indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], rows: int) -> None: ...

    @overload
    def __init__(self, X: NDArray[numpy.float32]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float32], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], rows: int) -> None: ...

    @property
    def shape(self) -> tuple[int, int]: ...

    def set_threads(self, threads: int) -> None: ...

class Rows:
    """A matrix by rows: C order or canonical CSR, borrowed."""

    @overload
    def __init__(self, X: Float64s) -> None: ...

    @overload
    def __init__(self, data: Float64s, indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], cols: int) -> None: ...

    @overload
    def __init__(self, X: NDArray[numpy.float32]) -> None: ...

    @overload
    def __init__(self, data: NDArray[numpy.float32], indices: NDArray[numpy.int32], indptr: NDArray[numpy.int64], cols: int) -> None: ...

    def set_threads(self, threads: int) -> None: ...

    @property
    def shape(self) -> tuple[int, int]: ...

    def times(self, w: Float64s, out: Float64s) -> None: ...

    def transposed_times(self, v: Float64s, out: Float64s) -> None: ...

    def squares(self, weight: Float64s, out: Float64s) -> None: ...

    def row_squares(self, out: Float64s) -> None: ...

    def normal_matrix(self, weight: Float64s | None, shift: Float64s | None, out: Float64s, max_seconds: float, rough: bool) -> None: ...

    def outer_matrix(self, weight: Float64s | None, shift: Float64s | None, out: Float64s, max_seconds: float) -> None: ...

    def rough_pays(self, centered: bool) -> bool: ...

    @property
    def costs(self) -> tuple[float, float, float]: ...

    @property
    def rough_costs(self) -> tuple[float, float]: ...

@overload
def check_compressed(indptr: NDArray[numpy.int64], indices: NDArray[numpy.int32], values: int, width: int) -> bool: ...

@overload
def check_compressed(indptr: NDArray[numpy.int64], indices: NDArray[numpy.int64], values: int, width: int) -> bool:
    """
    Require that the arrays of a CSR or CSC matrix fit each other, in one pass; return whether its indices ascend without a duplicate.
    """

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

    def __init__(self, y: Float64s | None, sample_weight: Float64s | None, penalty_weights: Float64s | None, lower: Float64s | None, upper: Float64s | None, intercept: bool) -> None: ...

class Reports:
    """The reports of a path."""

    def __len__(self) -> int: ...

    def __getitem__(self, k: int) -> Report: ...

    @property
    def all_converged(self) -> bool: ...

    def column(self, name: str) -> Float64s:
        """One number of every report."""

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
    def work(self) -> float: ...

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

    def solve(self, gram: Float64s, q: Float64s, penalty: Float64s, square: float, target: float, x: Float64s) -> tuple[float, float]:
        """
        Minimize on the pool from x, in place; return the primal value and the gap.
        """

    @property
    def epochs(self) -> int: ...

    @property
    def newtons(self) -> int: ...

def certify(w: Float64s, u: Float64s, penalty: Float64s, residual2: float) -> tuple[float, float, float]:
    """
    Primal value, duality gap and dual scale of a point, from its correlations.
    """

class ElasticNet:
    """A matrix, its pool and the last point of a solve."""

    def __init__(self, X: Columns, data: FitData, pool_bytes: int, solves: int, gram: Float64s | None = None) -> None: ...

    def solve(self, l1: float, l2: float, tol: float, max_iter: float, max_seconds: float, coef: Float64s) -> Report:
        """Solve for one penalty and fill coef."""

    def path(self, l1: Float64s, l2: Float64s, limits: tuple[float, float, float], coef: Float64s) -> Reports:
        """Solve for one penalty after another; coef has one column for each."""

    def start_at(self, coef: Float64s) -> None: ...

    def largest_penalty(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

    def facts(self) -> tuple[list[float], list[float], list[float]]: ...

    def gram(self, columns: NDArray[numpy.int32], out: Float64s) -> None: ...

class ElasticNetFolds:
    """Folds of a cross-validation that share a Gram matrix."""

    def __init__(self, X: Columns, data: FitData, fold_of_row: NDArray[numpy.int32], pool_bytes: int) -> None: ...

    def path(self, fold: int, l1: Float64s, l2: Float64s, limits: tuple[float, float, float], coef: Float64s) -> Reports: ...

    def errors(self, fold: int, coef: Float64s, intercept: Float64s, out: Float64s) -> int: ...

    def largest_penalty(self) -> float: ...

    @staticmethod
    def pays(X: Columns, folds: int, penalties: int, pool_bytes: int) -> bool: ...

class ElasticNetTargets:
    """Many responses to one matrix."""

    def __init__(self, X: Columns, data: FitData, targets: int, pool_bytes: int) -> None: ...

    def path(self, y: Float64s, start: Float64s | None, l1: Float64s, l2: Float64s, limits: tuple[float, float, float], coef: Float64s) -> Reports: ...

    @property
    def shares_gram(self) -> bool: ...

class Logistic:
    """A matrix, its labels and the last point of a solve."""

    def __init__(self, X: Columns, data: FitData, pool_bytes: int, squared_hinge: bool = False) -> None: ...

    def solve(self, l1: float, l2: float, tol: float, max_iter: float, max_seconds: float, coef: Float64s) -> Report:
        """Solve for one penalty and fill coef."""

    def start_at(self, coef: Float64s, intercept: float) -> None: ...

    def with_labels(self, y: Float64s, sample_weight: Float64s | None) -> Logistic: ...

    def largest_penalty(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

class L2Logistic:
    """Rows, labels and the last point of a solve."""

    def __init__(self, X: Rows, data: FitData) -> None: ...

    def solve(self, l2: float, tol: float, max_iter: float, max_seconds: float, coef: Float64s) -> Report:
        """Solve for one penalty and fill coef."""

    def start_at(self, coef: Float64s, intercept: float) -> None: ...

    @property
    def was_carried(self) -> bool: ...

    def carried(self, out: Float64s) -> None: ...

    def force_regime(self, name: str) -> None: ...

class L2Multinomial:
    """Rows, classes and the last point of a solve."""

    def __init__(self, X: Rows, data: FitData, classes: int) -> None: ...

    def solve(self, l2: float, tol: float, max_iter: float, max_seconds: float, coef: Float64s, intercept: Float64s) -> Report:
        """Solve for one penalty and fill coef and intercept."""

    def start_at(self, coef: Float64s, intercept: Float64s) -> None: ...

    def force_regime(self, name: str) -> None: ...

class Multinomial:
    """Columns, classes and the last point of a solve."""

    def __init__(self, X: Columns, data: FitData, classes: int, pool_bytes: int) -> None: ...

    def solve(self, l1: float, l2: float, tol: float, max_iter: float, max_seconds: float, coef: Float64s, intercept: Float64s) -> Report:
        """Solve for one penalty and fill coef and intercept."""

    def start_at(self, coef: Float64s, intercept: Float64s) -> None: ...

    def largest_penalty(self) -> float: ...

    def force_regime(self, name: str) -> None: ...

class ArmKind(enum.Enum):
    known = 0

    steady = 1

    quickening = 2

class Arms:
    """Which of several methods goes on, by the gap per priced work."""

    def __init__(self, target: float) -> None: ...

    def add(self, expected: float, kind: ArmKind) -> int: ...

    def begin(self) -> None: ...

    @property
    def current(self) -> int: ...

    def note(self, work: float, gap: float) -> None: ...

    @property
    def overtaken(self) -> bool: ...

    @property
    def allowance(self) -> float: ...

    def hand_over(self) -> bool: ...

    def retire(self) -> None: ...

class RidgeData:
    """Rows with weights and column means."""

    def __init__(self, X: Rows, weight: Float64s | None, mean: Float64s | None) -> None: ...

    def residual(self, y: Float64s, model: tuple[Float64s, float], dual: Float64s | None, residual: Float64s, correlation: Float64s) -> tuple[float, float]: ...

    def small(self, y: Float64s, penalty: float, enough: float, w: Float64s) -> tuple[float, float, float, float, int] | None: ...

    def conjugate_gradients(self, stop: tuple[float, float, float, int, bool], heavy: RidgeData | None, gradient: Float64s, w: Float64s, max_seconds: float, arms: Arms | None) -> int: ...

    def race(self, stop: tuple[float, float, float, int, Arms, bool], gradient_and_w: tuple[Float64s, Float64s], rho: Float64s, dual: Float64s, max_seconds: float) -> int: ...

class Factor:
    """A Cholesky factor of H + ridge I."""

    def __init__(self, H: Float64s, ridge: float, pivot: float) -> None: ...

    def solve(self, b: Float64s) -> None: ...

    @property
    def good(self) -> bool: ...

class SvmLoss(enum.Enum):
    hinge = 0

    squared_hinge = 1

class Svm:
    """Rows, labels or responses, and the last point of a solve."""

    def __init__(self, X: Rows, data: FitData, loss: SvmLoss, intercept: tuple[float, bool], epsilon: float, pool_bytes: int) -> None: ...

    def solve(self, C: float, limits: tuple[float, float, float, float], weights: Float64s) -> Report:
        """Solve for one C and fill the weights."""

    def force_regime(self, name: str) -> None: ...

    def null_objective(self, C: float) -> float: ...

    def null_model(self, C: float) -> tuple[float, float]:
        """The best constant and its objective."""

    def start_at(self, dual: Float64s) -> None: ...

    def duals(self, out: Float64s) -> None: ...

class GroupLayout:
    """A partition of columns, with penalty weights."""

    def __init__(self, columns: NDArray[numpy.int32], starts: NDArray[numpy.int64], weights: Float64s) -> None: ...

class Groups:
    """A matrix, its responses and groups, and the last point."""

    def __init__(self, X: Columns, data: FitData, y: Float64s, layout: GroupLayout, logistic: bool, pool_bytes: int) -> None: ...

    def solve(self, l1: float, l2: float, limits: tuple[float, float], max_seconds: float, coef: Float64s, intercept: Float64s) -> Report:
        """Solve for one penalty and fill coef and intercept."""

    def start_at(self, coef: Float64s, intercept: Float64s) -> None: ...

    def largest_penalty(self) -> float: ...
