"""Does adaptive selection pay? Every rule against shuffled passes, on every cost, in work.

Run: python -m benchmarks.adaptive [--jobs 16] [--unseen]. The rows go to
benchmarks/results/adaptive/rows.jsonl as the cells end, so a run that was interrupted goes on
where it stopped; docs/adaptive.md and the advice in docs/choosing.md are made from them.
"""
