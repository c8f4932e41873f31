"""NumPy doubles of CuPy: of the calls that a place on a GPU makes, and of its arrays."""

import types

import numpy as np

from banditcd.places.card_calls import check_room
from banditcd.places.rowwise import RowMaths


class Array(np.ndarray):
    """An array that says it is one of CuPy."""

    @property
    def device(self):
        return "card 0"


def cupy_double():
    """Return a module named cupy whose arrays are NumPy's in disguise."""
    module = types.ModuleType("cupy")
    Array.__module__ = "cupy"
    module.ndarray = Array
    module.asarray = lambda a, dtype=None: np.array(a, dtype=dtype).view(Array)
    module.asnumpy = lambda a: np.array(a).view(np.ndarray)
    return module


class CheckedMaths(RowMaths):
    """Refuses what the kernels would read wrongly."""

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name.startswith("_"):
            return found

        def checked(rows, *arguments):
            assert rows.y.flags.c_contiguous
            assert rows.y.dtype == np.float64
            assert rows.weight is None or rows.weight.flags.c_contiguous
            return found(rows, *arguments)

        return checked


class NumpyCalls:
    xp = np
    maths = CheckedMaths()
    free = np.inf  # bytes

    def lines(self, X):
        """Refuse what the kernels would read wrongly."""
        assert X.dtype in (np.float32, np.float64)
        if hasattr(X, "indptr"):
            assert X.copy().has_canonical_format
        else:
            assert X.flags.c_contiguous or X.flags.f_contiguous
        return X

    def passed(self, X, v, weight, moments):
        A = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        s = np.ones(len(A)) if weight is None else weight
        rows = [A.T @ v]
        if moments:
            rows += [A.T @ s, (A * A).T @ s]
        return np.stack(rows)

    def times(self, X, w):
        return np.asarray(X @ w, dtype=np.float64)

    def gather(self, X, columns, shift, out):
        part = X[:, columns]
        out[:] = (part.toarray() if hasattr(part, "toarray") else part) - shift

    def placed(self, values):
        return np.array(values)

    def host(self, values):
        return [np.asarray(value) if isinstance(value, np.ndarray) else value for value in values]

    def require(self, size, what):
        check_room(size, self.free, what)
