"""The command: measure what is missing, then make the pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from banditcd.experiments.rows import write_text
from benchmarks.adaptive import __doc__ as what
from benchmarks.adaptive.cells import COSTS, Cell, cells, dataset, sets_at_hand, shapes_from
from benchmarks.adaptive.measure import Budget, measure, read_rows
from benchmarks.adaptive.page import page, with_advice
from benchmarks.peers.machine import commit, describe

ROOT = Path(__file__).parents[2]
ROWS = ROOT / "benchmarks" / "results" / "adaptive" / "rows.jsonl"
PAGE, CHOOSING = ROOT / "docs" / "adaptive.md", ROOT / "docs" / "choosing.md"


def main(arguments: list[str]) -> int:
    """Run the study, or what is left of it."""
    options = _parser().parse_args(arguments)
    if options.fresh:
        options.rows.unlink(missing_ok=True)
    if not options.draw:
        _measure(options)
    if options.rows == ROWS or options.draw:
        rows = read_rows(options.rows)
        write_text(page(rows), PAGE)
        write_text(with_advice(CHOOSING.read_text("utf-8"), rows), CHOOSING)
    return 0


def _measure(options: argparse.Namespace) -> None:
    budget = Budget(options.seeds, options.seconds, describe(), options.commit or commit())
    if not budget.commit:
        raise SystemExit("This tree has no git history; give the hash by --commit.")
    costs = options.costs or list(COSTS)
    todo = list(cells(options.data or sets_at_hand(), costs))
    if options.unseen:
        seed = budget.commit.rstrip("+")
        print(f"shapes generated from {seed}:", *shapes_from(seed), sep="\n  ", flush=True)
        todo += cells(shapes_from(seed), costs, shape_seed=seed)
    done = {row.key for row in read_rows(options.rows)}
    todo = sorted((cell for cell in todo if cell.key not in done), key=_size, reverse=True)
    print(f"{len(todo)} cells to measure, {len(done)} done", flush=True)
    for k, rows in enumerate(measure(todo, budget, options.jobs, options.rows)):
        print(f"{k + 1}/{len(todo)} {' '.join(rows[0].key[:3])}", flush=True)


def _size(cell: Cell) -> tuple[int, str]:
    """Large cells first, so that no core is left with one at the end; sets stay together."""
    return dataset(cell.data).nonzeros, cell.data


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=what)
    parser.add_argument("--data", nargs="+", help="sets (default: all whose files are at hand)")
    parser.add_argument("--costs", nargs="+", choices=COSTS, help="costs (default: all)")
    parser.add_argument("--unseen", action="store_true", help="and sets made from the commit")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a run")
    parser.add_argument("--commit", default="", help="hash of the sources, if git is not here")
    parser.add_argument("--rows", type=Path, default=ROWS, help="file of the rows")
    parser.add_argument("--fresh", action="store_true", help="forget the rows")
    parser.add_argument("--draw", action="store_true", help="only make the pages from the rows")
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
