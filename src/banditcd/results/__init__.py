"""Results of a run: a record with a reason, never a bare tuple."""

from banditcd.results.certificate import Certificate
from banditcd.results.picks import Frames, Picks
from banditcd.results.result import Result
from banditcd.results.status import Status
from banditcd.results.trace import Trace, TraceRow

__all__ = ["Certificate", "Frames", "Picks", "Result", "Status", "Trace", "TraceRow"]
