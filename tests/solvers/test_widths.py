"""Sizes around the padding of native rows: a multiple of it leaves no room for one entry more.

Native matrices have rows of a multiple of 8 entries. An intercept, a border or a column too many
fits by chance behind 9 columns, but not behind 8: these solves are there for `make sanitize`, which
sees each step outside, and say besides that the answer is right.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.solvers.instances import CASES, STORAGES, Case, Instance

PAD = 8  # entries: 64 bytes of float64
LARGEST = 500  # columns or rows of these cases
TOL = 1e-7
ROUNDING = 1e-12
_STORAGES = [name for name in STORAGES if name.endswith("64")]


def resized(case: Case, less: int) -> Case:
    """Return the case with both sizes at a multiple of the padding, or ``less`` below it."""
    n, d = (-(-size // PAD) * PAD - less for size in case.shape)
    return replace(case, shape=(n, d))


CHOSEN = [
    (resized(case, less), _STORAGES[at % len(_STORAGES)])
    for at, case in enumerate(CASES)
    for less in (0, 1)
    if max(case.shape) <= LARGEST
]


@pytest.mark.parametrize(
    ("case", "storage"), CHOSEN, ids=[f"{case.name}-{storage}" for case, storage in CHOSEN]
)
def test_sizes_at_the_padding_are_solved(case: Case, storage: str) -> None:
    instance: Instance = case.build(storage)
    problem = instance.problem
    result = problem.solve(TOL)
    assert result.status == "converged", result
    best = replace(problem, forced=None)
    lowest = best.dual(best.solve(1e-11))
    null = problem.null()
    assert problem.primal(result) - lowest <= TOL * null * 1.001 + ROUNDING * null
