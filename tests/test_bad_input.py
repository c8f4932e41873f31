"""Bad input gets a clear sentence, before any work."""

import numpy as np
import pytest
from scipy import sparse

from banditcd import minimize, problems, selectors, updates
from banditcd.problems import REGISTRY

X = np.arange(12.0).reshape(4, 3)
Y = np.array([1.0, -1.0, 1.0, -1.0])
PRIMAL = ["Lasso", "ElasticNet", "LogisticL1", "LogisticElasticNet", "Ridge"]
REGRESSION = ["Lasso", "ElasticNet", "Ridge", "RidgeDual", "ElasticNetDual", "InsensitiveDual"]
CLASSIFICATION = [
    "LogisticL1",
    "LogisticElasticNet",
    "HingeDual",
    "SquaredHingeDual",
    "LogisticDual",
]
every_cost = pytest.mark.parametrize("cost", REGISTRY)
LASSO = problems.Lasso(X, Y, alpha=0.1)


def refuse(sentence, call, *args, error=ValueError, **options):
    with pytest.raises(error, match=sentence):
        call(*args, **options)


def with_value(array, value):
    array = np.array(array, dtype=float)
    array.flat[1] = value
    return array


@every_cost
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(cost, value):
    make = REGISTRY[cost]
    sentence = r"has 1 NaN or infinite value\(s\); remove or impute them first"
    refuse(f"X {sentence}", make, with_value(X, value), Y, 0.1)
    refuse(f"X {sentence}", make, with_value(X, value).astype(np.float32), Y, 0.1)
    for storage in (sparse.csc_array, sparse.csr_array):
        refuse(f"X {sentence}", make, storage(with_value(X, value)), Y, 0.1)
    refuse(f"y {sentence}", make, X, with_value(Y, value), 0.1)
    if cost in PRIMAL:
        weights = with_value(np.ones(4), value)
        refuse(f"sample_weight {sentence}", make, X, Y, 0.1, sample_weight=weights)
    both = np.array([[np.inf, -np.inf], [1.0, 1.0]])  # their sum is NaN, not infinite
    refuse(r"X has 2 NaN or infinite", make, both, [1, -1], 0.1)


@every_cost
def test_masked_values_and_infinite_penalties(cost):
    make = REGISTRY[cost]
    mask = np.zeros(X.shape, dtype=bool)
    plain = make(np.ma.masked_array(X, mask), np.ma.masked_array(Y, mask[:, 0]), 0.1)
    assert plain.null_objective() == make(X, Y, 0.1).null_objective()
    mask[1] = True
    refuse(r"X has 3 masked value\(s\); fill them", make, np.ma.masked_array(X, mask), Y, 0.1)
    refuse(r"y has 1 masked value\(s\)", make, X, np.ma.masked_array(Y, mask[:, 0]), 0.1)
    refuse("alpha is inf; it must be .* 0 and finite", make, X, Y, np.inf)


@pytest.mark.parametrize("cost", CLASSIFICATION)
def test_labels_of_mixed_types(cost):
    mixed = np.array([1, "a", 1, "a"], dtype=object)
    refuse(
        r"y has labels that cannot be put in order \(of type int, str\)",
        REGISTRY[cost],
        X,
        mixed,
        0.1,
    )


def test_large_but_finite_values_are_fine():
    assert problems.Lasso(np.full((2, 2), 1e308), [1.0, 2.0], 0.1).d == 2


@every_cost
def test_shapes_that_disagree(cost):
    make = REGISTRY[cost]
    refuse("y has 3 values but X has 4 samples", make, X, Y[:3], 0.1)
    refuse(r"y has shape \(4, 1\); it needs one dimension", make, X, Y[:, None], 0.1)
    refuse(r"X has 1 dimension\(s\); it needs 2", make, X[0], Y, 0.1)
    refuse(r"X has 3 dimension\(s\); it needs 2", make, X[None], Y, 0.1)
    refuse("X is not a rectangular table of numbers", make, [[1.0, 2.0], [3.0]], [1, -1], 0.1)


@pytest.mark.parametrize("cost", PRIMAL)
def test_options_of_the_wrong_shape_or_sign(cost):
    make = REGISTRY[cost]
    refuse("sample_weight has 3 values but X has 4", make, X, Y, 0.1, sample_weight=np.ones(3))
    refuse("must not be negative and must not be all zero", make, X, Y, 0.1, sample_weight=-Y)
    refuse("must not be all zero", make, X, Y, 0.1, sample_weight=np.zeros(4))
    refuse("penalty_weights has 2 values", make, X, Y, 0.1, penalty_weights=[1, 1])
    refuse("penalty_weights must not be negative", make, X, Y, 0.1, penalty_weights=[1, 1, -1])
    refuse("penalty_weights has 1 NaN", make, X, Y, 0.1, penalty_weights=[1, 1, np.nan])
    refuse("lower <= 0 <= upper for every feature", make, X, Y, 0.1, lower=0.1)
    refuse("lower <= 0 <= upper for every feature", make, X, Y, 0.1, upper=[1, 1, -0.1])
    refuse(r"lower has shape \(2,\); it needs one value, or one per feature", make, X, Y, 0.1,
           lower=[0, 0])  # fmt: skip
    refuse("upper has NaN values", make, X, Y, 0.1, upper=np.nan)


@every_cost
def test_empty_data(cost):
    make = REGISTRY[cost]
    refuse(r"X has no rows \(shape \(0, 3\)\)", make, np.zeros((0, 3)), [], 0.1)
    refuse(r"X has no columns \(shape \(4, 0\)\)", make, np.zeros((4, 0)), Y, 0.1)
    refuse("X has no columns", make, sparse.csc_array((4, 0)), Y, 0.1)
    refuse("X has no rows", make, sparse.csr_array((0, 3)), [], 0.1)


@every_cost
def test_things_that_are_not_numbers(cost):
    make = REGISTRY[cost]
    refuse("X is complex; only real numbers", make, X + 1j, Y, 0.1)
    refuse("X holds <U1 values; it must hold numbers", make, np.full((4, 3), "a"), Y, 0.1)
    refuse("X must hold numbers", make, np.array([["a", 1]] * 4, dtype=object), Y, 0.1)
    refuse("alpha must be a number, not 'big'", make, X, Y, "big")
    refuse("alpha must be a number, not None", make, X, Y, None)
    if cost in REGRESSION:
        refuse("y holds <U1 values; it must hold numbers", make, X, list("abab"), 0.1)


@every_cost
def test_penalty_strengths(cost):
    make = REGISTRY[cost]
    for alpha in (-0.1, np.nan, np.inf):
        refuse(r"alpha is .*; it must be (at least|greater than) 0", make, X, Y, alpha)
    if cost in PRIMAL:
        assert make(X, Y, 0.0).alpha == 0.0
    else:
        refuse("alpha is 0.0; it must be greater than 0", make, X, Y, 0.0)


@pytest.mark.parametrize("cost", ["ElasticNet", "ElasticNetDual"])
def test_l1_ratio(cost):
    for ratio in (-0.1, 1.1, np.nan):
        refuse("l1_ratio is .* at least 0 and at most 1", REGISTRY[cost], X, Y, 0.1, ratio)


@pytest.mark.parametrize("cost", CLASSIFICATION)
def test_labels_that_are_not_two_classes(cost):
    make = REGISTRY[cost]
    refuse(r"y has 1 class\(es\); this cost needs exactly two", make, X, np.ones(4), 0.1)
    refuse(r"y has 3 class\(es\); this cost needs exactly two", make, X, [0, 1, 2, 0], 0.1)
    refuse(r"y has 4 class\(es\)", make, X, ["a", "b", "c", "d"], 0.1)


@pytest.mark.parametrize("cost", ["Ridge", "RidgeDual"])
def test_an_unknown_scaling(cost):
    refuse("Unknown scaling 'papers'. Did you mean 'paper'. Known: half, paper", REGISTRY[cost],
           X, Y, 0.1, scaling="papers")  # fmt: skip


def test_the_pure_lasso_dual_names_the_elastic_net_dual():
    sentence = "dual of the pure Lasso.*ElasticNetDual"
    refuse(sentence, problems.LassoDual, X, Y, 0.1)
    refuse(sentence, problems.make, "LassoDual", X, Y, 0.1)
    refuse(sentence, problems.ElasticNetDual, X, Y, 0.1, l1_ratio=1.0)


def test_unknown_names_list_the_known_ones_and_the_nearest():
    refuse("Unknown cost 'Laso'. Did you mean 'Lasso'. Known: ElasticNet, ElasticNetDual, Hinge",
           problems.make, "Laso", X, Y, 0.1)  # fmt: skip
    refuse("Unknown selector 'bmaxr'. Did you mean 'b_max_r'. Known: acf, ada_gap, .*, uniform",
           minimize, LASSO, "bmaxr")  # fmt: skip
    refuse("Unknown selector 'aprox'. Did you mean 'approx'", minimize, LASSO, "aprox")
    refuse("Unknown update 'exakt'. Did you mean 'exact'. Known: auto, exact, newton, proximal",
           minimize, LASSO, "cyclic", "exakt")  # fmt: skip
    refuse("Unknown engine 'compile'. Did you mean 'compiled'", minimize, LASSO, engine="compile")
    refuse("Unknown selector 'zzz'. Known:", minimize, LASSO, "zzz")
    refuse("Unknown Gauss-Southwell rule 'x'", selectors.GaussSouthwell, "x")
    refuse("Unknown argmax 'heap'", selectors.BMaxR, argmax="heap")
    refuse("Unknown selector", selectors.make, "nobody")
    refuse("Unknown update", updates.make, "nobody")


def test_rules_and_selectors_that_do_not_fit():
    refuse(r"Sdca \('sdca'\) does not fit Lasso: it is a closed form for HingeDual, LogisticDual",
           minimize, LASSO, "cyclic", "sdca")  # fmt: skip
    refuse(r"Newton \('newton'\) does not fit Lasso: it is for LogisticDual only",
           minimize, LASSO, "cyclic", "newton")  # fmt: skip
    ridge = problems.RidgeDual(X, Y, 0.1)
    refuse("does not fit RidgeDual: it is for LogisticDual only", minimize, ridge, update="newton")
    refuse(r"Nuacdm \('nuacdm'\) does not fit Lasso: it needs a smooth, strongly convex cost",
           minimize, LASSO, "nuacdm")  # fmt: skip
    refuse("skip=True needs a quadratic loss with an L1 term: Lasso or ElasticNet",
           minimize, ridge, "cyclic", updates.Exact(skip=True))  # fmt: skip
    refuse("ascd needs u_i after every step", minimize, LASSO, "ascd", updates.Exact(skip=True))


@pytest.mark.parametrize("selector", [selectors.BMaxR, selectors.SqrtR, selectors.BanditVariance])
@pytest.mark.parametrize("epsilon", [-0.1, 1.1, np.nan, "half"])
def test_epsilon_outside_its_range(selector, epsilon):
    refuse("epsilon (is|must be)", selector, epsilon=epsilon)


def test_selector_parameters():
    for selector in (selectors.BMaxR, selectors.SqrtR, selectors.GapPerEpoch):
        refuse("refresh is 0 steps; a bin needs at least 1", selector, refresh=0)
        refuse("refresh is -3 steps", selector, refresh=-3)
        refuse("the fraction must be positive", selector, refresh=0.0)
        refuse("the fraction must be positive", selector, refresh=np.nan)
        refuse(r"use steps \(int\) or a fraction of d \(float\)", selector, refresh="d/2")
        refuse(r"use steps \(int\) or a fraction of d \(float\)", selector, refresh=True)
    refuse("epsilon is 0.0; it must be greater than 0", selectors.BanditVariance, epsilon=0.0)
    refuse("budget is 0", selectors.BanditGS, budget=0)
    refuse("rate is -1", selectors.Acf, rate=-1)
    refuse("longest is 0.5", selectors.Calendar, longest=0.5)
    refuse("restart is -1", selectors.Approx, restart=-1)


def test_limits_and_tolerances():
    for tol in (0, -1e-3, np.nan, np.inf):
        refuse("tol is .*; it must be greater than 0", minimize, LASSO, tol=tol)
    refuse("max_epochs is -1; it must be at least 0", minimize, LASSO, max_epochs=-1)
    refuse("max_seconds is -1; it must be at least 0", minimize, LASSO, max_seconds=-1)
    refuse("random_state is -1; it must not be negative", minimize, LASSO, random_state=-1)
    refuse("problem must come from banditcd.problems", minimize, X, error=TypeError)


def test_starting_points():
    refuse("x0 has 2 values but X has 3 coordinates", minimize, LASSO, x0=[0, 0])
    refuse("x0 has 1 NaN", minimize, LASSO, x0=[0, 0, np.nan])
    hinge = problems.HingeDual(X, Y, 0.1)
    refuse("x0 lies outside the domain", minimize, hinge, x0=np.full(4, 1.5))
    bounded = problems.Lasso(X, Y, 0.1, lower=0.0)
    refuse("x0 lies outside the domain", minimize, bounded, x0=[-1.0, 0.0, 0.0])


def broken(kind, how):
    A = kind(np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 4.0], [5.0, 6.0, 0.0], [7.0, 0.0, 8.0]]))
    if how == "unsorted":
        A.indices[:2] = A.indices[:2][::-1].copy()
    if how == "duplicate":
        A.indices[1] = A.indices[0]
    if how == "too large":
        A.indices[-1] = 17
    if how == "negative":
        A.indices[0] = -1
    if how == "indptr":
        A.indptr[1] = A.indptr[-1] + 1
    if how == "short":
        A.indptr = A.indptr[:3]
    if how == "few values":
        A.data = A.data[:2]
    A.has_sorted_indices = A.has_canonical_format = True  # what a careless producer claims
    return A


@every_cost
@pytest.mark.parametrize(
    "kind", [sparse.csc_matrix, sparse.csr_matrix, sparse.csc_array, sparse.csr_array]
)
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("too large", "an index of the sparse matrix is outside X"),
        ("negative", "an index of the sparse matrix is outside X"),
        ("indptr", "indptr must not decrease"),
        ("short", "indptr has 3 entries and must have"),
        ("few values", "data and indices are shorter than indptr says"),
    ],
)
def test_broken_sparse_matrices(cost, kind, how, sentence):
    refuse(f"X is a CS[RC] matrix .*{sentence}", REGISTRY[cost], broken(kind, how), Y, 0.1)


def test_empty_columns_and_rows_are_allowed():
    A = X.copy()
    A[:, 1] = 0.0
    A[2] = 0.0
    for cost in REGISTRY:
        assert minimize(problems.make(cost, A, Y, 0.1), tol=1e-2, random_state=0).converged


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda X, y: problems.Lasso(X, y * 1e155, alpha=1e154), "overflow float64; scale"),
        (lambda X, y: problems.RidgeDual(X, y * 1e155, alpha=0.1), "overflow float64; scale"),
        (lambda X, y: problems.HingeDual(X * 1e155, y > 0, 0.1), "overflow float64; scale"),
        (lambda X, y: problems.LogisticL1(X * 1e155, y > 0, 1.0), "overflow float64; scale"),
        (lambda X, y: problems.Lasso(X, y * 1e-170, alpha=1e-175), "underflow to 0 in float64"),
    ],
)
def test_scales_without_a_meaningful_certificate_are_refused(make, sentence):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 4)), rng.standard_normal(20)
    with pytest.raises(ValueError, match=sentence):
        minimize(make(X, y), "shuffled")
