"""Why a run ended."""

from enum import StrEnum


class Status(StrEnum):
    """The reason a run ended; the value is the word, :attr:`sentence` what to tell a person."""

    CONVERGED = "converged"
    MAX_EPOCHS = "max_epochs"
    MAX_SECONDS = "max_seconds"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    STALLED = "stalled"

    @property
    def sentence(self) -> str:
        """One sentence for a person."""
        return _SENTENCES[self]


_SENTENCES = {
    Status.CONVERGED: "The duality gap fell to the tolerance.",
    Status.MAX_EPOCHS: "max_epochs was reached first; raise it or loosen tol.",
    Status.MAX_SECONDS: "max_seconds was reached first; raise it or loosen tol.",
    Status.STOPPED: "The callback asked to stop.",
    Status.INTERRUPTED: "The run was interrupted from the keyboard; the state is intact.",
    Status.STALLED: (
        "No coordinate moves any more although the gap is above the tolerance: "
        "this is as exact as floating point (or this problem's certificate) gets."
    ),
}
