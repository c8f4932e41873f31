from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from banditcd.data import Dataset, write_libsvm
from banditcd.experiments import Choices, make_contest
from banditcd.experiments.contest import STANDARD_RACES, bundled_for, usual_steps
from banditcd.experiments.inputs import load_data
from banditcd.problems import REGISTRY


@pytest.mark.parametrize("cost", sorted(REGISTRY))
def test_every_cost_has_a_contest_without_download(cost: str) -> None:
    contest = make_contest(bundled_for(cost), Choices(cost=cost))
    assert contest.problem.name == cost
    assert contest.alpha > 0.0


def test_the_standard_races_are_scaled() -> None:
    for data, cost in STANDARD_RACES:
        problem = make_contest(data, Choices(cost=cost)).problem
        squares = problem.A.column_squares()
        np.testing.assert_allclose(squares[squares > 0.0], squares.max())


def test_the_cost_follows_the_labels(table_file: Path) -> None:
    assert make_contest(str(table_file), Choices()).problem.name == "Lasso"
    assert make_contest("breast_cancer", Choices()).problem.name == "LogisticL1"
    assert make_contest("digits", Choices()).problem.name == "RidgeDual"


def test_steps_depend_on_cost_and_labels(dataset: Callable[[str], Dataset]) -> None:
    assert usual_steps(dataset("multiclass"), "LogisticL1") == ("standardize", "halved_classes")
    assert usual_steps(dataset("binary"), "HingeDual") == ("unit_rows",)
    assert usual_steps(dataset("multiclass"), "RidgeDual") == ("unit_rows", "numeric_labels")
    assert usual_steps(dataset("regression"), "Lasso") == ("standardize", "center_labels")


def test_penalties(table_file: Path) -> None:
    file = str(table_file)
    usual = make_contest(file, Choices(cost="Lasso"))
    tenth = make_contest(file, Choices(cost="Lasso", alpha_ratio=0.1))
    assert tenth.alpha == pytest.approx(2.0 * usual.alpha)
    assert usual.alpha_note == "alpha_max / 20"
    at_max = make_contest(file, Choices(cost="Lasso", alpha_ratio=1.0)).problem
    assert np.abs(at_max.correlations(np.zeros(at_max.d))).max() == pytest.approx(
        at_max.penalty.lam[0]
    )  # type: ignore[attr-defined]
    assert make_contest(file, Choices(cost="Lasso", alpha=0.3)).alpha == 0.3
    assert make_contest(file, Choices(cost="Ridge")).alpha == pytest.approx(1 / 60)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (Choices(cost="Laso"), "Did you mean 'Lasso'"),
        (Choices(cost="LassoDual"), "ElasticNetDual"),
        (Choices(cost="Ridge", alpha_ratio=0.1), "no alpha_max"),
        (Choices(alpha=1.0, alpha_ratio=0.1), "not both"),
        (Choices(cost="Lasso", alpha=-1.0), "alpha is -1"),
        (Choices(cost="Lasso", alpha_ratio=0.0), "alpha_ratio is 0"),
        (Choices(cost="LogisticL1"), "exactly two"),
        (Choices(steps=("unit_column",)), "Did you mean 'unit_columns'"),
    ],
)
def test_mistakes_are_explained(table_file: Path, choices: Choices, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_contest(str(table_file), choices)


def test_files_of_every_kind_hold_the_same_data(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(1, 9, (6, 3)).astype(float), rng.integers(0, 9, 6) + 0.5
    np.savez(tmp_path / "dense.npz", X=X, y=y)
    csc = sparse.csc_matrix(X)
    np.savez(
        tmp_path / "sparse.npz", data=csc.data, indices=csc.indices, indptr=csc.indptr,
        shape=csc.shape, format=b"csc", y=y,
    )  # fmt: skip
    table = np.column_stack([X, y])
    np.savetxt(tmp_path / "plain.csv", table, delimiter=",")
    np.savetxt(tmp_path / "header.csv", table, delimiter=",", header="a,b,c,y", comments="")
    write_libsvm(tmp_path / "text.svm", X, y)
    for name in ("dense.npz", "sparse.npz", "plain.csv", "header.csv", "text.svm"):
        data = load_data(str(tmp_path / name))
        found = data.X.toarray() if data.is_sparse else data.X
        np.testing.assert_array_equal(found, X, err_msg=name)
        np.testing.assert_array_equal(data.y, y, err_msg=name)


def test_bad_files_are_explained(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("a,b\n1,2\nx,y\n")
    (tmp_path / "thin.csv").write_text("1\n2\n")
    (tmp_path / "text.npz").write_text("no numbers")
    np.savez(tmp_path / "other.npz", Z=np.ones(3))
    for name, message in (
        ("words.csv", "not a table of numbers"),
        ("thin.csv", "last column of targets"),
        ("text.npz", "not a file of plain NumPy arrays"),
        ("other.npz", "has the arrays Z"),
    ):
        with pytest.raises(ValueError, match=message):
            load_data(str(tmp_path / name))
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load_data(str(tmp_path / "absent.csv"))
