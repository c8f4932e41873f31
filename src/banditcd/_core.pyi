"""Compiled kernels of banditcd."""

from collections.abc import Mapping
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class ProblemArrays:
    """Views of one problem's arrays; they stay alive."""

    def __init__(self) -> None: ...

    def set_dense(self, columns: Annotated[NDArray, dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Dense A as a C-contiguous (d, m) array, row i = column i."""

    def set_csc(self, values: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int) -> None:
        """Sparse A by compressed columns."""

    def set_signs(self, signs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Multiply the columns by signs."""

    def set_loss(self, name: str, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The smooth part and its per-row arrays."""

    def set_penalty(self, name: str, p0: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], p1: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], p2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], p3: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The separable part and its arrays."""

    def set_curvature(self, h: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Curvature bound of every coordinate."""

def time_columns(problem: ProblemArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """Seconds of one dot and one axpy with every column of `order`."""

def time_blas(problem: ProblemArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ddot: int, daxpy: int) -> float:
    """The same through the given BLAS functions (addresses)."""

class Descent:
    """State of a run and what one step does to it."""

    def __init__(self, problem: ProblemArrays, rule: str, minimizes: bool, skip: bool, x0: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def set_state(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Go to x; v and w from scratch."""

    @property
    def x(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
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

    def sweep(self, batch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Update a batch in its order; returns (decreases, marginal decreases left).
        """

    def correlation(self, i: int) -> float:
        """u_i, one dot."""

    def correlations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
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

    def __init__(self, problem: ProblemArrays, name: str, parameters: Mapping[str, float], x0: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int) -> None: ...

    def run(self, steps: int, seconds: float) -> int:
        """Take up to `steps` steps; returns how many were taken."""

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""

    def point(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
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

    def shuffle(self, values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Permute an int32 array in place."""

def kernel_name() -> str:
    """Name of the vector kernels in use: portable, avx2 or avx512."""

def select_kernels(name: str) -> None:
    """Choose the vector kernels for the whole process ('auto': the widest)."""

@overload
def dot(a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float: ...

@overload
def dot(a: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """Inner product with the kernels in use."""

@overload
def axpy(t: float, a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def axpy(t: float, a: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """y += t a, in place."""

@overload
def axpy4(t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def axpy4(t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """y += rows^T t, in place."""

@overload
def dot4(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

@overload
def dot4(rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Four rows against one vector."""

@overload
def moments4(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

@overload
def moments4(rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Four rows against one vector, then their squares and sums."""

class LibsvmParser:
    """Incremental, strict parser of LIBSVM text: feed, finish, take."""

    def __init__(self, n_features: int = 0) -> None: ...

    def feed(self, text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
        """Parse one more piece of text; False once a line is malformed."""

    def finish(self) -> bool:
        """Parse a last line without newline."""

    def take(self) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
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

class ArgmaxTree:
    """The largest of many numbers >= 0."""

    def __init__(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def assign(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """All values at once."""

    def set(self, i: int, value: float) -> None:
        """Change one value."""

    def largest(self) -> float: ...

    def argmax(self) -> int: ...

class SamplingTree:
    """Draws in proportion to weights >= 0."""

    def __init__(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def assign(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """All values at once."""

    def set(self, i: int, value: float) -> None:
        """Change one value."""

    def scale(self, factor: float) -> None: ...

    def total(self) -> float: ...

    def draw(self, u: float) -> int:
        """The index whose interval of the cumulative sum holds u * total()."""

class BucketQueue:
    """Some value within sqrt(2) of the largest."""

    def __init__(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def assign(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """All values at once."""

    def set(self, i: int, value: float) -> None:
        """Change one value."""

    def empty(self) -> bool: ...

    def argmax(self) -> int: ...

class RecordStatus(enum.Enum):
    converged = 0

    max_bins = 1

    max_seconds = 2

    interrupted = 3

    stalled = 4

class RecordRegime(enum.Enum):
    null = 0

    pool = 1

    whole_gram = 2

    residual = 3

class RecordReport:
    @property
    def status(self) -> RecordStatus: ...

    @property
    def regime(self) -> RecordRegime: ...

    @property
    def primal(self) -> float: ...

    @property
    def gap(self) -> float: ...

    @property
    def target(self) -> float: ...

    @property
    def seconds(self) -> float: ...

    @property
    def passes(self) -> float: ...

    @property
    def bins(self) -> int: ...

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

    def values(self) -> tuple[str, str, float, float, float, float, int, float, int, int]:
        """Status, regime, primal, gap, target, passes, bins, seconds, sizes."""

    @property
    def phases(self) -> tuple[float, float, float, float]: ...

class RecordSession:
    """A matrix, its pool and the last point of a solve."""

    def solve(self, l1: float, l2: float, tol: float, max_bins: int, max_seconds: float) -> RecordReport: ...

    def solve_into(self, l1: float, l2: float, tol: float, max_bins: int, max_seconds: float, coef: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple[float, tuple[str, str, float, float, float, float, int, float, int, int]]:
        """Solve, fill coef; return the intercept and the values."""

    def path(self, l1: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], l2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tol: float, max_bins: int, coef: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu')], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

    def solve_path(self, l1: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], l2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tol: float, max_bins: int, max_seconds: float, coef: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], intercept: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> list[RecordReport]: ...

    def set_threads(self, threads: int) -> None: ...

    def start_at(self, coef: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def gram(self, columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def facts(self) -> tuple[list[float], list[float], list[float]]: ...

    def coefficients(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def largest_penalty(self) -> float: ...

    @property
    def intercept(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

@overload
def record_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, solves: int) -> RecordSession: ...

@overload
def record_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, solves: int) -> RecordSession: ...

@overload
def record_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, solves: int) -> RecordSession: ...

@overload
def record_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, solves: int) -> RecordSession: ...

def thread_squares(threads: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

def record_products(a: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def record_rough_products(a: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], mean: float, scale: float, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def record_residuals(columns: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], coef: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], shift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def record_line(gram: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], penalty: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], l1: float, fall: float) -> float: ...

def record_cholesky(H: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], tolerance: float) -> bool: ...

def record_support_factor(H: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], wanted: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> bool: ...

def record_sweep(gram: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], penalty: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple[int, bool]: ...

def record_newton(gram: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], penalty: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> str: ...

def record_certificate(w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], penalty: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], residual2: float) -> tuple[float, float, float]: ...

def record_relate(old_residual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], residual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, float]: ...

class LogisticSession:
    """A matrix, its labels and the last point of a solve."""

    def solve(self, l1: float, l2: float, tol: float, max_bins: int, max_seconds: float) -> RecordReport: ...

    def start_at(self, coef: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], intercept: float) -> None: ...

    def with_labels(self, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> LogisticSession: ...

    def coefficients(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def largest_penalty(self) -> float: ...

    @property
    def intercept(self) -> float: ...

    @property
    def null_objective(self) -> float: ...

def record_weighted_gram(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], thinned: bool, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

@overload
def logistic_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int) -> LogisticSession: ...

@overload
def logistic_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int) -> LogisticSession: ...

@overload
def logistic_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int) -> LogisticSession: ...

@overload
def logistic_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int) -> LogisticSession: ...

class SmoothRows:
    """A matrix by rows, as the smooth solvers read it."""

    def times(self, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def transposed_times(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def squares(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def normal_matrix(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, shift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], max_seconds: float, rough: bool) -> None: ...

    def outer_matrix(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, shift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], max_seconds: float) -> None: ...

    def ridge_residual(self, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, model: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], float], residual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], correlation: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple[float, float]: ...

    def ridge_cg(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, mean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, stop: tuple[float, float, float, int], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], max_seconds: float) -> int: ...

    def ridge_race(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, mean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, stop: tuple[float, float, int, int], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rho: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], max_seconds: float) -> int: ...

    def rough_pays(self, centered: bool) -> bool: ...

    @property
    def costs(self) -> tuple[float, float, float]: ...

class SmoothFactor:
    """A Cholesky factor of H + ridge I."""

    def __init__(self, H: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], ridge: float, pivot: float) -> None: ...

    def solve(self, b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @property
    def good(self) -> bool: ...

def padded_size(size: int) -> int:
    """The row length that a symmetric matrix of this size needs."""

@overload
def smooth_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> SmoothRows: ...

@overload
def smooth_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> SmoothRows: ...

@overload
def smooth_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int) -> SmoothRows: ...

@overload
def smooth_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int) -> SmoothRows: ...

class L2LogisticStatus(enum.Enum):
    converged = 0

    max_iter = 1

    max_seconds = 2

    interrupted = 3

    stalled = 4

class L2LogisticRegime(enum.Enum):
    newton = 0

    newton_cg = 1

    rowspace = 2

    dual_descent = 3

class L2LogisticReport:
    @property
    def status(self) -> L2LogisticStatus: ...

    @property
    def regime(self) -> L2LogisticRegime: ...

    @property
    def primal(self) -> float: ...

    @property
    def gap(self) -> float: ...

    @property
    def target(self) -> float: ...

    @property
    def seconds(self) -> float: ...

    @property
    def passes(self) -> float: ...

    @property
    def iterations(self) -> int: ...

    @property
    def carried(self) -> bool: ...

class L2Logistic:
    """L2-regularized logistic regression on smooth rows."""

    def __init__(self, rows: SmoothRows, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool) -> None: ...

    def solve(self, penalty: float, tol: float, max_iter: int, max_seconds: float) -> L2LogisticReport: ...

    def start_at(self, coef: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], intercept: float) -> None: ...

    def coefficients(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> float: ...

    def carried(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def force_regime(self, regime: L2LogisticRegime) -> None: ...

def logistic_loss(margin: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], loss: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    1 / (1 + exp(m)) and log(1 + exp(-m)) of every margin, by the kernels in use.
    """

class SvmLoss(enum.Enum):
    hinge = 0

    squared_hinge = 1

class SvmStatus(enum.Enum):
    converged = 0

    max_iter = 1

    max_seconds = 2

    interrupted = 3

    stalled = 4

class SvmRegime(enum.Enum):
    null = 0

    descent = 1

    newton = 2

    proximal_newton = 3

    descent_then_newton = 4

    gram = 5

class SvmReport:
    @property
    def status(self) -> SvmStatus: ...

    @property
    def regime(self) -> SvmRegime: ...

    @property
    def primal(self) -> float: ...

    @property
    def gap(self) -> float: ...

    @property
    def target(self) -> float: ...

    @property
    def seconds(self) -> float: ...

    @property
    def passes(self) -> float: ...

    @property
    def bins(self) -> int: ...

    @property
    def support(self) -> int: ...

class SvmSession:
    """Rows, labels and the last point of a solve."""

    def solve(self, C: float, tol: float, max_iter: float, max_seconds: float) -> SvmReport: ...

    def null_objective(self, C: float) -> float: ...

    def start_at(self, dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def weights(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def duals(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def svm_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, loss: SvmLoss, constant: float, free_bias: bool, epsilon: float = -1.0) -> SvmSession: ...

@overload
def svm_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, loss: SvmLoss, constant: float, free_bias: bool, epsilon: float = -1.0) -> SvmSession: ...

@overload
def svm_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, loss: SvmLoss, constant: float, free_bias: bool, epsilon: float = -1.0) -> SvmSession: ...

@overload
def svm_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, loss: SvmLoss, constant: float, free_bias: bool, epsilon: float = -1.0) -> SvmSession: ...

class RecordFolds:
    """Folds of a cross-validation that share a Gram matrix."""

    def path(self, fold: int, l1: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], l2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tol: float, max_bins: int, coef: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu')], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

    def errors(self, fold: int, coef: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu')], intercept: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def largest_penalty(self) -> float: ...

def record_folds_pay(rows: int, cols: int, entries: int, sparse: bool, folds: int, penalties: int, pool_bytes: int) -> bool: ...

@overload
def record_folds_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, fold_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RecordFolds: ...

@overload
def record_folds_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='F', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, fold_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RecordFolds: ...

@overload
def record_folds_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, fold_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RecordFolds: ...

@overload
def record_folds_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, fold_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RecordFolds: ...

class RecordTargets:
    """Many responses to one matrix."""

    def path(self, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, l1: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], l2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tol: float, max_bins: int, coef: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu')], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

    @property
    def shares_gram(self) -> bool: ...

@overload
def record_targets_dense(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, targets: int) -> RecordTargets: ...

@overload
def record_targets_dense(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='F', device='cpu', writable=False)], sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, targets: int) -> RecordTargets: ...

@overload
def record_targets_sparse(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, targets: int) -> RecordTargets: ...

@overload
def record_targets_sparse(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, sample_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, intercept: bool, pool_bytes: int, targets: int) -> RecordTargets: ...
