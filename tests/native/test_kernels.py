"""Every instruction set against NumPy, at every length and alignment."""

import numpy as np
import pytest
from scipy import sparse

from banditcd import _core, minimize, problems

LENGTHS = [*range(71), 1000]


def available(name):
    try:
        _core.select_kernels(name)
    except ValueError:
        return False
    finally:
        _core.select_kernels("auto")
    return True


KERNELS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(not available(name), reason=f"this CPU has no {name}"),
    )
    for name in ("portable", "avx2", "avx512")
]
each_kernel = pytest.mark.parametrize("name", KERNELS)
each_type = pytest.mark.parametrize("dtype", [np.float64, np.float32])


def vectors(n, offset, dtype):
    """Two vectors that start ``offset`` entries into their buffers."""
    rng = np.random.default_rng(n)
    a = rng.normal(size=n + 8).astype(dtype)[offset : offset + n]
    b = rng.normal(size=n + 8)[8 - offset : 8 - offset + n]
    return a, b


@each_kernel
@each_type
def test_dot_axpy_and_their_fours(name, dtype, kernels):
    _core.select_kernels(name)
    assert _core.kernel_name() == name
    for n in LENGTHS:
        for offset in (0, 1, 3):
            a, b = vectors(n, offset, dtype)
            exact = a.astype(np.float64)
            scale = 1e-14 * (1.0 + np.abs(exact * b).sum())
            assert abs(_core.parts.dot(a, b) - exact @ b) <= scale
            y = b.copy()
            _core.parts.axpy(0.75, a, y)
            np.testing.assert_allclose(y, b + 0.75 * exact, rtol=1e-14, atol=1e-15)
            rows = np.stack([a, 2 * a, -a, a + 1]).astype(dtype)
            expected = rows.astype(np.float64) @ b
            np.testing.assert_allclose(_core.parts.dot4(rows, b), expected, atol=10 * scale)
            wide = rows.astype(np.float64)
            moments = np.concatenate([expected, (wide * wide).sum(axis=1), wide.sum(axis=1)])
            tolerance = 1e-13 * (1.0 + np.abs(wide).sum() + (wide * wide).sum())
            np.testing.assert_allclose(_core.parts.moments4(rows, b), moments, atol=tolerance)
            y, t = b.copy(), np.array([0.5, -2.0, 0.0, 3.0])
            _core.parts.axpy4(t, rows, y)
            np.testing.assert_allclose(y, b + t @ rows.astype(np.float64), rtol=1e-13, atol=1e-13)


@each_kernel
@each_type
def test_curvatures_and_steps_along_them(name, dtype, kernels):
    _core.select_kernels(name)
    for n in LENGTHS:
        for offset in (0, 1, 3):
            a, b = vectors(n, offset, dtype)
            exact, h = a.astype(np.float64), np.abs(b)
            expected = (h * exact * exact).sum()
            assert abs(_core.parts.curvature(a, h) - expected) <= 1e-14 * (1.0 + expected)
            buffers = np.zeros(n + 16), np.zeros(n + 16)  # nothing beside the vectors is written
            y, r = (buffer[8 : 8 + n] for buffer in buffers)
            y[:], r[:] = b, -b
            _core.parts.curved_axpy(0.75, a, h, y, r)
            np.testing.assert_allclose(y, b + 0.75 * exact, rtol=1e-13, atol=1e-14)
            np.testing.assert_allclose(r, -b - 0.75 * h * exact, rtol=1e-13, atol=1e-14)
            assert not any(buffer[:8].any() or buffer[8 + n :].any() for buffer in buffers)


@each_type
def test_axpy_writes_nothing_but_its_vector(dtype, kernels):
    for name in ("portable", "avx2", "avx512"):
        if not available(name):
            continue
        _core.select_kernels(name)
        for n in range(40):
            buffer = np.zeros(n + 32)
            _core.parts.axpy(1.0, np.ones(n, dtype=dtype), buffer[16 : 16 + n])
            assert buffer.sum() == n
            _core.parts.axpy4(np.ones(4), np.ones((4, n), dtype=dtype), buffer[16 : 16 + n])
            assert buffer.sum() == 5 * n
            assert not buffer[:16].any()
            assert not buffer[16 + n :].any()


@each_type
def test_lengths_are_checked(dtype):
    a, b = np.ones(3, dtype=dtype), np.ones(4)
    with pytest.raises(ValueError, match="lengths differ"):
        _core.parts.dot(a, b)
    with pytest.raises(ValueError, match="lengths differ"):
        _core.parts.axpy(1.0, a, b)
    with pytest.raises(ValueError, match="lengths differ"):
        _core.parts.dot4(np.ones((3, 4), dtype=dtype), b)
    with pytest.raises(TypeError):
        _core.parts.dot(np.ones(3, dtype=np.int32), np.ones(3))


def test_an_unknown_kernel_is_refused_and_changes_nothing(kernels):
    before = _core.kernel_name()
    with pytest.raises(ValueError, match="kernels 'sse9' are unknown or not available"):
        _core.select_kernels("sse9")
    assert _core.kernel_name() == before


@each_kernel
@each_type
def test_runs_agree_on_every_kernel(name, dtype, kernels):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(37, 9)).astype(dtype), rng.normal(size=37)
    for A in (X, sparse.csc_array(X)):
        problem = problems.Lasso(A, y, alpha=0.05)
        _core.select_kernels("portable")
        plain = minimize(problem, "shuffled", max_epochs=5, tol=1e-14, random_state=0)
        _core.select_kernels(name)
        wide = minimize(problem, "shuffled", max_epochs=5, tol=1e-14, random_state=0)
        np.testing.assert_allclose(wide.x, plain.x, atol=1e-12)


def test_native_arrays_are_checked_before_memory_is_touched():
    arrays = _core.ProblemArrays()
    rows, starts = np.array([0, 5], dtype=np.int32), np.array([0, 2], dtype=np.int64)
    with pytest.raises(ValueError, match="an index of the sparse matrix is outside X"):
        _core.Columns(np.ones(2), rows, starts, 3)
    with pytest.raises(ValueError, match="shorter than indptr says"):
        _core.Columns(np.ones(1), rows, starts, 9)
    with pytest.raises(ValueError, match="must not decrease"):
        _core.Columns(np.ones(2), rows, np.array([0, 2, 1], dtype=np.int64), 9)
    with pytest.raises(ValueError, match="set the matrix, loss, penalty and curvature first"):
        _core.Descent(_core.ProblemArrays(), "proximal", False, False, np.zeros(0))
    arrays.set_columns(_core.Columns(np.ones((3, 2), order="F")))
    with pytest.raises(ValueError, match="weight must have length m"):
        arrays.set_loss("quadratic", np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="penalty arrays must have length d"):
        arrays.set_penalty("l1_l2", np.ones(3), np.ones(3), np.ones(3), np.ones(3))


def descent(d=3, skip=False):
    from banditcd.engine.compiled import compiled_descent
    from banditcd.updates import Exact

    problem = problems.Lasso(np.eye(4)[:, :d], np.ones(4), alpha=0.1)
    return compiled_descent(problem, Exact(skip=skip), np.zeros(d))


def test_a_descent_checks_indices_and_a_selector_its_size():
    run = descent()
    for i in (-1, 3):
        for call in (run.step, run.correlation, lambda k: run.line(k, 0.1)):
            with pytest.raises(IndexError, match="out of range"):
                call(i)
    with pytest.raises(IndexError, match="out of range"):
        run.sweep(np.array([0, 3], dtype=np.int32))
    assert run.moves == 0  # nothing was done before the check
    with pytest.raises(ValueError, match="more entries than the column has"):
        run.partial_correlation(0, 0, 9)
    with pytest.raises(ValueError, match="wrong length"):
        run.set_state(np.zeros(2))
    selector = _core.Selector(run, "uniform", {}, 0)
    with pytest.raises(ValueError, match="run of another size"):
        selector.run(descent(2), 1, 1.0)
    with pytest.raises(ValueError, match="no native selector is called 'nobody'"):
        _core.Selector(run, "nobody", {}, 0)


def test_a_skipping_descent_can_be_moved_from_outside():
    run = descent(skip=True)
    run.move(1, 0.5, 0.25)
    assert run.x.tolist() == [0.0, 0.5, 0.0]


def test_the_view_of_x_is_read_only_and_keeps_the_run_alive():
    run = descent()
    x = run.x
    assert not x.flags.writeable
    run.step(0)
    assert x[0] != 0.0  # live
    expected = x.copy()
    del run
    np.testing.assert_array_equal(x, expected)


@each_kernel
@each_type
def test_the_other_order_of_a_matrix(name, dtype, kernels):
    _core.select_kernels(name)
    for shape in [(0, 3), (3, 0), (1, 1), (7, 9), (8, 8), (64, 16), (65, 17), (3, 200), (131, 5)]:
        X = np.asfortranarray(np.arange(np.prod(shape), dtype=dtype).reshape(shape))
        out = np.full(shape, np.nan, dtype)
        _core.turn(X.T, out)
        np.testing.assert_array_equal(out, X)
    with pytest.raises(ValueError, match="lengths differ"):
        _core.turn(np.zeros((2, 3), dtype), np.zeros((2, 3), dtype))
