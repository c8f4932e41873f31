"""Multi-task Lasso, group Lasso and group logistic regression against their peers.

    python -m benchmarks.groups [--only NAME] [--folder ANSWERS] [--limit SECONDS]
                                [--out benchmarks/results/groups.md]

Every library runs in its own environment (``benchmarks.peers.environments``) on one core. A cell is
the shortest time at which the library's coefficients reach the target, a share of the null model's
objective, by one judge for all: the duality gap of ``banditcd.verification.blocks``, which shares
no code with a solver. Without intercepts. A library that is over the limit keeps the answers it
gave; with ``--folder`` they are kept for another call, which goes on from there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy import sparse

from banditcd.verification.blocks import BlockProblem
from benchmarks.groups_worker import MODELS
from benchmarks.peers.environments import ENVIRONMENTS, DoesNotBuildError, ensure
from benchmarks.peers.machine import describe

TARGETS = (1e-4, 1e-6)
LIMIT = 600
LIBRARIES = ("banditcd", "scikit_learn", "celer", "skglm", "adelie")


@dataclass(frozen=True)
class Cell:
    """A generated problem: rows, columns, responses, group width, alpha as max / divisor."""

    model: str
    rows: int
    columns: int
    responses: int
    width: int
    divisor: float
    rho: float = 0.0
    density: float = 1.0

    @property
    def name(self) -> str:
        """Model, shape and penalty in words."""
        inside = f"K={self.responses}" if self.model == "multi_task" else f"groups of {self.width}"
        extra = f", rho {self.rho:g}" if self.rho else ""
        extra += f", {100 * self.density:g} % filled" if self.density < 1.0 else ""
        shape = f"{self.rows} x {self.columns}"
        return f"{self.model} {shape}, {inside}{extra}, max/{self.divisor:g}"

    def build(self) -> dict[str, Any]:
        """Return the arrays of the problem."""
        rng = np.random.default_rng(self.rows + self.columns)
        X = rng.standard_normal((self.rows, self.columns))
        for j in range(1, self.columns if self.rho else 0):
            X[:, j] = self.rho * X[:, j - 1] + np.sqrt(1.0 - self.rho**2) * X[:, j]
        X *= rng.random(X.shape) < self.density
        W = np.zeros((self.columns, self.responses))
        used = rng.choice(self.columns // self.width, 12, replace=False)
        for g in used:
            W[g * self.width : (g + 1) * self.width] = rng.standard_normal(
                (self.width, self.responses)
            )
        signal = X @ W
        Y = signal + 0.5 * signal.std() * rng.standard_normal(signal.shape)
        if self.model == "group_logistic":
            Y = np.where(Y > 0.0, 1.0, -1.0)
        slope = X.T @ (0.5 * Y if self.model == "group_logistic" else Y) / self.rows
        norms = np.linalg.norm(slope.reshape(-1, self.width * self.responses), axis=1)
        alpha = norms.max() / np.sqrt(self.width) / self.divisor
        Y = Y if self.model == "multi_task" else Y[:, 0]
        common = {"Y": Y, "width": self.width, "alpha": alpha, "model": self.model}
        if self.density == 1.0:
            return common | {"X": X}
        stored = sparse.csc_matrix(X)
        parts = {"data": stored.data, "indices": stored.indices, "indptr": stored.indptr}
        return common | parts | {"shape": np.array(X.shape)}


CELLS = (
    Cell("multi_task", 300, 4000, 20, 1, 10),
    Cell("multi_task", 300, 4000, 20, 1, 40),
    Cell("multi_task", 5000, 300, 5, 1, 10),
    Cell("multi_task", 5000, 300, 5, 1, 100),
    Cell("multi_task", 300, 4000, 50, 1, 5, rho=0.9),
    Cell("multi_task", 3000, 8000, 5, 1, 10, density=0.01),
    Cell("group_lasso", 500, 5000, 1, 5, 10),
    Cell("group_lasso", 500, 5000, 1, 5, 50),
    Cell("group_lasso", 8000, 400, 1, 10, 10),
    Cell("group_lasso", 8000, 400, 1, 10, 100),
    Cell("group_lasso", 500, 4000, 1, 10, 20, rho=0.9),
    Cell("group_logistic", 600, 3000, 1, 5, 10),
    Cell("group_logistic", 6000, 300, 1, 5, 10),
)


def judge(problem: dict[str, Any], coef: Any) -> float:
    """Return the duality gap of coefficients, as a share of the null model's objective."""
    X = problem.get("X")
    if X is None:
        parts = (problem["data"], problem["indices"], problem["indptr"])
        X = sparse.csc_matrix(parts, shape=tuple(problem["shape"])).tocsr()
    n, columns = X.shape
    Y = problem["Y"].reshape(n, -1)
    width = int(problem["width"])
    groups = list(np.arange(columns).reshape(-1, width))
    l1 = np.full(len(groups), problem["alpha"] * np.sqrt(width))
    loss = "logistic" if problem["model"] == "group_logistic" else "squared"
    W = np.reshape(coef, (-1, columns)).T
    point = BlockProblem(
        X, Y, np.full(n, 1.0 / n), loss, groups, l1, np.zeros(len(groups)), W, None
    )
    null = np.log(2.0) if loss == "logistic" else 0.5 * float(np.sum(Y**2)) / n
    return (point.objective() - point.bound()) / null


def answer(library: str, folder: Path, limit: float) -> str:
    """Let a library answer the problems of a folder; return what kept it from any answer."""
    try:
        python = ensure(ENVIRONMENTS[library])
    except DoesNotBuildError as error:
        return f"does not build here: {error}"
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    worker = Path(__file__).with_name("groups_worker.py")
    try:
        subprocess.run(
            [str(python), str(worker), library, str(folder)],
            env=os.environ | one, check=True, timeout=limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "over the limit"
    except subprocess.CalledProcessError as error:
        return f"ended with status {error.returncode}"
    return "no answer"


def times_of(
    library: str, k: int, problem: dict[str, Any], folder: Path
) -> dict[float, float] | str:
    """Return the seconds to every target that was reached, or a reason."""
    target, reason = folder / f"{library}_{k:02}.npz", folder / f"{library}_{k:02}.txt"
    if reason.exists():
        return reason.read_text("utf-8")
    if not target.exists():
        return ""
    times: dict[float, float] = {}
    with np.load(target) as answers:
        for place in range(len(answers.files) // 2):
            gap = judge(problem, answers[f"coef_{place}"])
            for goal in TARGETS:
                if gap <= goal and goal not in times:
                    times[goal] = float(answers[f"seconds_{place}"])
    return times


def row(cell: Cell, goal: float, found: dict[str, dict[float, float] | str]) -> tuple[str, float]:
    """Return a line of the table, and how many times faster than the best peer we are."""
    words, peers = [], []
    for library in LIBRARIES:
        times = found[library]
        seconds = times.get(goal) if isinstance(times, dict) else None
        if seconds is not None and library != "banditcd":
            peers.append(seconds)
        reason = "not reached" if isinstance(times, dict) else times
        words.append(reason if seconds is None else f"{1e3 * seconds:.3g}")
    ours = found["banditcd"]
    mine = ours.get(goal) if isinstance(ours, dict) else None
    ratio = min(peers) / mine if peers and mine else float("nan")
    return f"| {cell.name} | {goal:g} | {' | '.join(words)} | {ratio:.1f} |", ratio


def summed_up(ratios: list[float]) -> str:
    """Return a sentence on the ratios that are known."""
    known = [ratio for ratio in ratios if np.isfinite(ratio)]
    if not known:
        return "No peer reached a gap that we reach, too."
    return f"Median ratio to the best peer: {median(known):.1f}; least {min(known):.1f}."


def main() -> int:
    """Run the cells, print the table, keep it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="cells whose name contains this")
    parser.add_argument("--folder", type=Path, help="where problems and answers are kept")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each library")
    parser.add_argument("--out", type=Path, help="where the table is kept")
    options = parser.parse_args()
    lines = [
        "| problem | gap | banditcd | scikit-learn | celer | skglm | adelie | ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    ratios = []
    if not (cells := [cell for cell in CELLS if options.only in cell.name]):
        parser.error(f"no name contains {options.only!r}: {', '.join(c.name for c in CELLS)}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) if options.folder is None else options.folder
        problems = [cell.build() for cell in cells]
        for k, problem in enumerate(problems):
            np.savez(folder / f"problem_{k:02}.npz", **problem)
        missing = {library: answer(library, folder, options.limit) for library in LIBRARIES}
        for k, cell in enumerate(cells):
            found = {}
            for library in LIBRARIES:
                times = times_of(library, k, problems[k], folder)
                offered = cell.model in MODELS[library]
                found[library] = times if times != "" else missing[library] if offered else "-"
            for goal in TARGETS:
                line, ratio = row(cell, goal, found)
                print(line, flush=True)
                lines.append(line)
                ratios.append(ratio)
    summary = summed_up(ratios)
    print(summary)
    if options.out is not None:
        head = "# Groups and several responses\n\nWritten by `python -m benchmarks.groups --out"
        head += " benchmarks/results/groups.md`: CPU\nmilliseconds to a gap, as a share of the null"
        head += " model's objective, of the best of three fits on one\ncore; the ratio is that of"
        head += f" the best peer to ours.\n\n{describe()}\n\n"
        options.out.write_text(head + "\n".join([*lines, "", summary, ""]), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
