"""Does every solver solve the problem it is given? Each one, each kind, on two small problems.

Run ``python -m benchmarks.lasso_check`` before a long run: a solver with another scaling of the
penalty, or one that does not run here, shows at once. Prints the independent gap at a tight
tolerance.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.lasso_cells import SOLVERS, tasks
from benchmarks.peers.client import FitError, Peer, TimeLimitError, write_problem
from benchmarks.peers.environments import DoesNotBuildError
from benchmarks.peers.tasks import Problem, small_problem

TOLERANCE = 1e-9
LIMIT = 120.0
KINDS = ("lasso", "lasso_path", "lasso_cv")


def check(peer: Peer, problem: Problem) -> list[str]:
    """Return one line for each kind that the solver offers."""
    lines = []
    for task in [t for t in tasks(problem, KINDS) if t.setting != "1/1000"]:
        if task.kind not in peer.about["kinds"] or task.setting == "1/100":
            continue
        if reason := peer.about["refused"][task.kind]:
            lines.append(f"{task.kind}: {reason}")
            continue
        try:
            fit = peer.fit(task.kind, task.arguments, TOLERANCE, LIMIT)
            lines.append(f"{task.kind}: gap {task.judge(fit):.0e}, {1e3 * fit.cpu:.2g} ms")
        except (FitError, TimeLimitError) as error:
            lines.append(f"{task.kind}: {error}")
    return lines


def main(names: list[str]) -> int:
    """Check all solvers, or those named."""
    for environment, variant in SOLVERS:
        if names and variant not in names:
            continue
        for storage in ("dense", "sparse"):
            problem = Problem(storage, "small", *small_problem(storage == "sparse"))
            peer = Peer(environment, variant)
            try:
                with tempfile.TemporaryDirectory(prefix="banditcd-bench-") as folder:
                    write_problem(Path(folder), problem.X, problem.y)
                    peer.load(Path(folder))
                    lines = check(peer, problem)
            except (DoesNotBuildError, FitError, TimeLimitError) as error:
                lines = [f"{type(error).__name__}: {error}"]
            finally:
                peer.close()
            print(f"{variant:<18} {storage:<7} {'; '.join(lines)}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
