"""An independent judge of fitted linear models.

Plain NumPy and SciPy in float64, from the textbook definition of every model: it shares no code
with the solvers or the estimators, so an error in one of them is not repeated here.
"""

from banditcd.verification.judge import verify
from banditcd.verification.verdict import Verification

__all__ = ["Verification", "verify"]
