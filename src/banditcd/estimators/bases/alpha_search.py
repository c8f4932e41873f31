"""Searches for alpha and l1_ratio by the squared errors of folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.parallel import Job, run_jobs
from banditcd.estimators.backends.tasks import Tasks
from banditcd.estimators.bases.linear_model import LinearModel
from banditcd.estimators.checks.parameters import check_real
from banditcd.estimators.search.fold_errors import FoldErrors
from banditcd.estimators.search.routing import search_router
from banditcd.estimators.search.selection import best_of_folds


class AlphaSearch(LinearModel):
    """Measures every fold for every l1_ratio and every alpha."""

    eps: Any
    alphas: Any
    cv: Any
    verbose: Any
    n_jobs: Any

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: sample_weight here, the rest to the splitter."""
        return search_router(self)

    def _ratios(self) -> list[float]:
        """Return the checked values of l1_ratio to choose from."""
        if not hasattr(self, "l1_ratio"):
            return [1.0]
        given = np.ravel(np.asarray(self.l1_ratio, dtype=object))
        if not given.size:
            raise ValueError("l1_ratio is empty; give at least one value.")
        return [check_real(ratio, "l1_ratio", maximum=1.0) for ratio in given]

    def _keep_grids(self, grids: list[Floats], wanted: int | Floats) -> None:
        automatic = isinstance(wanted, int) and len(grids) > 1
        self.alphas_ = np.array(grids) if automatic else grids[0]

    def _measured(
        self, jobs: list[Job], candidates: int, one_standard_error: bool, tasks: Tasks
    ) -> tuple[list[FoldErrors], int, int]:
        """Run the folds of one candidate after another; return results and choice.

        The choice is the place of the candidate and the position on its path.
        """
        results: list[FoldErrors] = run_jobs(
            jobs, self.n_jobs, "Folds", self.verbose, lambda: tasks.close(tasks.subtask("fold"))
        )
        shape = (candidates, len(jobs) // candidates, -1)
        errors = np.reshape([result.errors for result in results], shape)
        supports = np.reshape([result.supports for result in results], shape)
        self.mse_path_ = np.squeeze(np.moveaxis(errors, 2, 1))
        self.support_path_ = np.squeeze(np.moveaxis(supports, 2, 1))
        choices = [best_of_folds(each, one_standard_error) for each in errors]
        best = int(np.argmin([error for _, error in choices]))
        return results, best, choices[best][0]
