"""The reason a run ended: one word and one sentence, for the engine and every fast solver."""

from enum import StrEnum


class Status(StrEnum):
    """The reason a run ended; the value is the word, :attr:`sentence` what to tell a person."""

    CONVERGED = "converged"
    MAX_EPOCHS = "max_epochs"
    MAX_ITER = "max_iter"
    MAX_SECONDS = "max_seconds"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    STALLED = "stalled"
    UNCERTIFIED = "uncertified"

    @property
    def sentence(self) -> str:
        """One sentence for a person."""
        return _SENTENCES[self]


_SENTENCES = {
    Status.CONVERGED: "The duality gap fell to the tolerance.",
    Status.MAX_EPOCHS: "max_epochs was reached first; raise it or loosen tol.",
    Status.MAX_ITER: "max_iter was reached first; raise it or loosen tol.",
    Status.MAX_SECONDS: "max_seconds was reached first; raise it or loosen tol.",
    Status.STOPPED: "The callback asked to stop.",
    Status.INTERRUPTED: "The run was interrupted from the keyboard; the state is intact.",
    Status.STALLED: (
        "No coordinate moves any more although the gap is above the tolerance: "
        "this is as exact as floating point (or this problem's certificate) gets."
    ),
    Status.UNCERTIFIED: (
        "No finite certificate was found: columns without penalty are not exactly orthogonal to "
        "the residual; penalize them or rescale the columns."
    ),
}
