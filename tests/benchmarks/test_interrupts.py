"""The command that measures how late Ctrl-C is."""

from __future__ import annotations

import time

from benchmarks import interrupts
from tests.deadlines import HUNG
from tests.interrupting import sends_signals


@sends_signals
def test_a_lag_is_counted_from_the_signal() -> None:
    def deaf() -> None:
        try:
            while True:
                time.sleep(0.01)
        except KeyboardInterrupt:
            time.sleep(0.05)
            raise

    began = time.perf_counter()
    late = interrupts.lag(deaf, 0.1)
    assert late is not None
    assert 0.05 <= late <= time.perf_counter() - began - 0.1
    assert interrupts.lag(lambda: None, HUNG) is None


def test_the_page_says_which_fits_kept_the_promise() -> None:
    prompt, slow, short = (interrupts.Setup(name, print, (3, 2)) for name in "abc")
    page = interrupts.table([(prompt, [0.1, 0.2, 0.05]), (slow, [0.1, 0.4]), (short, [])])
    assert "| `a` | 3 x 2 | 3 | 0.100 | 0.200 | yes |" in page
    assert "| `b` | 3 x 2 | 2 | 0.250 | 0.400 | **no** |" in page
    assert "ended before any signal" in page
    assert all(len(line) <= 120 for line in page.splitlines() if not line.startswith("Intel"))


def test_names_of_setups_are_unique() -> None:
    names = [setup.name for setup in interrupts.SETUPS]
    assert len(set(names)) == len(names)
