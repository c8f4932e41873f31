"""Jobs of one fit, several at a time: threads by preference, processes if joblib is told so.

Threads share X and the native sessions. They are told to stop by a flag that native work looks at,
raised when the main thread leaves the section early (Ctrl-C, or a job that failed): it then waits
for them, so that nothing is left running. Jobs of processes travel by pickle: a job is a function
of a module and plain data.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from banditcd import _core
from banditcd.estimators.backends.progress import tracked

Job = tuple[Callable[..., Any], tuple[Any, ...]]


def workers(n_jobs: int | None) -> int:
    """Return how many jobs run at a time, by ``n_jobs`` or the active configuration of joblib."""
    backend, configured = get_active_backend(prefer="threads")
    return int(backend.effective_n_jobs(configured if n_jobs is None else n_jobs))


def in_processes(n_jobs: int | None) -> bool:
    """Whether jobs run in other processes: joblib was told so, and there is more than one."""
    backend, _ = get_active_backend(prefer="threads")
    return not getattr(backend, "supports_sharedmem", False) and workers(n_jobs) > 1


def run_jobs(
    jobs: list[Job],
    n_jobs: int | None,
    label: str,
    verbose: Any,
    after: Callable[[], object] | None = None,
) -> list[Any]:
    """Run the jobs; return their results in order.

    ``after`` is called after each one, ``label`` and ``verbose`` are those of a progress bar.
    """
    bar = (len(jobs), label, verbose)
    if workers(n_jobs) == 1:
        return _gathered(tracked((work(*given) for work, given in jobs), *bar), after)
    backend, _ = get_active_backend(prefer="threads")
    as_they_come = getattr(backend, "supports_return_generator", False)
    options = {"return_as": "generator"} if as_they_come else {}
    pool = Parallel(n_jobs=n_jobs, prefer="threads", **options)
    if in_processes(n_jobs):
        return _gathered(tracked(pool(delayed(work)(*given) for work, given in jobs), *bar), after)
    section = Section()
    try:
        found = pool(delayed(section.run)(work, *given) for work, given in jobs)
        return _gathered(tracked(found, *bar), after)
    except BaseException:
        section.stop()
        raise


def _gathered(results: Iterable[Any], after: Callable[[], object] | None) -> list[Any]:
    out = []
    for result in results:
        out.append(result)
        if after is not None:
            after()
    return out


class Section:
    """A parallel section: the threads that work for it, and the flag that stops them."""

    def __init__(self) -> None:
        self._flag = _core.StopFlag()
        self._running = 0
        self._change = threading.Condition()

    def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do a job of the section in this thread; None if the section was stopped."""
        with self._change:
            if self._flag.is_set:
                return None
            self._running += 1
        _core.watch_flag(self._flag)
        try:
            return work(*arguments)
        except KeyboardInterrupt:
            if not self._flag.is_set:
                raise
            return None  # told to stop; the main thread raises what it was interrupted by
        finally:
            _core.watch_flag(None)
            with self._change:
                self._running -= 1
                self._change.notify_all()

    def stop(self) -> None:
        """Stop all threads of the section and wait for them."""
        self._flag.set()
        with self._change:
            self._change.wait_for(lambda: self._running == 0)
