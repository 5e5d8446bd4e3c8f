"""Every error assay raises on purpose, in one tree.

::

    AssayError                    one line a user can act on; a traceback is a bug
    ├── UseError                  exit 2: cannot be done as written
    │   ├── ConfigError           a configuration file, with file:line
    │   ├── DatasetError          a data file, with file:line
    │   ├── SystemLoadError       the system under test cannot be loaded
    │   └── JournalError          a results file
    │       ├── JournalCorrupt    a line that is not a row
    │       ├── JournalLocked     another process is writing it
    │       ├── JournalStale      it was made by another experiment
    │       └── JournalReadOnly   it cannot be written where it is
    ├── RunStopped                the run ended early; running again resumes it
    │   ├── AccessRefused         exit 2: key refused or quota exhausted
    │   ├── NoSuchModel           exit 2: 404, the model or the address does not exist
    │   ├── ProviderUnavailable   exit 2: nothing answers
    │   ├── Unworkable            exit 2: cannot be done as written, found out half-way
    │   ├── CeilingReached        exit 1: cost or time is used up
    │   ├── JournalWriteFailed    exit 1: disk full or gone
    │   └── Interrupted           exit 130 (Ctrl+C) or 143 (SIGTERM)
    └── CaseError                 one case failed; becomes a row with ``error``
        ├── CaseTimeout           the case's deadline passed
        ├── TransientError        may pass by itself: 5xx, reset, a time-out of one call
        │   └── RateLimited       429: less at once, please
        └── SystemFailed          the system raised, or its reply cannot be read

``CaseSkipped`` stands apart: it is no error but a system's or a job's way of saying that a
case cannot be put at all (evidence longer than the context), with the reason.
"""


class AssayError(Exception):
    """Base of all errors meant for a user: ``str(error)`` is the whole message."""

    exit_code = 1


class UseError(AssayError):
    """What was asked for cannot be done as written."""

    exit_code = 2


class ConfigError(UseError):
    """A configuration file is wrong; the message names file, line and a remedy."""


class DatasetError(UseError):
    """A data file is wrong; the message names file, line and a remedy."""


class SystemLoadError(UseError):
    """The system under test cannot be loaded or does not fit the protocol."""


class JournalError(UseError):
    """A results file cannot be used as it is."""


class JournalCorrupt(JournalError):
    """A line in the middle of a journal is not a row. Nothing has been changed."""


class JournalLocked(JournalError):
    """Another process is writing this journal."""


class JournalStale(JournalError):
    """The journal holds rows of an experiment that has since been edited."""


class JournalReadOnly(JournalError):
    """The journal's folder or file cannot be written."""


class RunStopped(AssayError):
    """The run ended before its last case; what is done is recorded, and it can be resumed."""


class AccessRefused(RunStopped):
    """401, 403 or an exhausted quota: no further call can succeed."""

    exit_code = 2


class NoSuchModel(RunStopped):
    """The provider knows no such model, or nothing is at that address: no case can succeed."""

    exit_code = 2


class ProviderUnavailable(RunStopped):
    """Everything fails: the provider is down, not the answers wrong."""

    exit_code = 2


class Unworkable(RunStopped, UseError):
    """What a ``UseError`` says, found out only when the run was under way."""

    exit_code = 2


class CeilingReached(RunStopped):
    """``--max-cost`` or ``--max-minutes`` is used up."""


class JournalWriteFailed(RunStopped):
    """A row could not be written (disk full, file-size limit, disk gone)."""


class Interrupted(RunStopped):
    """The user (Ctrl+C) or the machine (SIGTERM) asked the run to end."""

    exit_code = 130

    def __init__(self, message: str, *, exit_code: int = 130) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class CaseError(AssayError):
    """One case failed. ``kind`` is the short word that stands in the row."""

    kind = "error"


class CaseTimeout(CaseError):
    """The case's deadline passed."""

    kind = "timeout"


class TransientError(CaseError):
    """A failure that may pass by itself.

    ``retry_after_s`` is the patience the provider asked for, where it said so. ``retried``
    says that whoever raised it has already tried as often as is sensible, so that nobody
    above tries again.
    """

    kind = "unavailable"

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, retried: bool = False
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.retried = retried


class RateLimited(TransientError):
    """The provider asks for less, not only for patience."""

    kind = "rate_limited"


class SystemFailed(CaseError):
    """The system raised an error of its own, or its reply cannot be read."""

    kind = "system"


class CaseSkipped(Exception):
    """Raised to leave a case out, with the reason that its row will carry."""
