"""All errors that assay raises deliberately, as one class tree.

::

    AssayError                    one line that tells a user what to do; a traceback is a bug
    ├── UseError                  exit 2: the request cannot be carried out as written
    │   ├── ConfigError           a configuration file is wrong; names file:line
    │   ├── DatasetError          a data file is wrong; names file:line
    │   ├── SystemLoadError       the system under test cannot be loaded
    │   ├── UnnamedSystem         the user has a system, and nobody says which one is meant
    │   └── JournalError          a results file cannot be used
    │       ├── JournalCorrupt    a line of it is not a row
    │       ├── JournalTooNew     a newer version of assay wrote it
    │       ├── JournalLocked     another process is writing to it
    │       ├── JournalStale      it was written by a different experiment
    │       └── JournalReadOnly   the file or its folder is not writable
    ├── RunStopped                the run ended early; starting it again resumes it
    │   ├── AccessRefused         exit 2: API key refused or quota exhausted
    │   ├── NoSuchModel           exit 2: 404, the model or the address does not exist
    │   ├── ProviderUnavailable   exit 2: the provider does not answer
    │   ├── Unworkable            exit 2: a UseError that appeared only during the run
    │   ├── CeilingReached        exit 1: the cost or time limit is reached
    │   ├── JournalWriteFailed    exit 1: the disk is full or no longer available
    │   └── Interrupted           exit 130 (Ctrl+C) or 143 (SIGTERM)
    └── CaseError                 one case failed; its row gets an ``error`` field
        ├── CaseTimeout           the case did not finish before its deadline
        ├── TransientError        a retry may succeed: 5xx, connection reset, call timeout
        │   └── RateLimited       429: send fewer requests at the same time
        ├── Filtered              the provider's filter withheld the answer; it is asked once
        └── SystemFailed          the system raised an error, or its reply cannot be read

``CaseSkipped`` is not part of the tree because it is not an error. A system or a job raises it,
with the reason, when a case cannot be run at all (for example, when the evidence is longer than
the context).
"""


class AssayError(Exception):
    """Base class of all errors shown to the user: ``str(error)`` is the complete message.

    Each argument is one line. A newline inside an argument comes from data.
    """

    exit_code = 1

    def __str__(self) -> str:
        return "\n".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message."""
        return tuple(map(str, self.args))


class UseError(AssayError):
    """The request cannot be carried out as it is written."""

    exit_code = 2


class ConfigError(UseError):
    """A configuration file is wrong; the message gives the file, the line and a remedy."""


class DatasetError(UseError):
    """A data file is wrong; the message gives the file, the line and a remedy."""


class SystemLoadError(UseError):
    """The system under test cannot be loaded or does not implement the protocol."""


class UnnamedSystem(UseError):
    """No system is named, and the user has one: ``choices`` are the systems that may be meant."""

    def __init__(self, what: str, *, choices: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.choices = choices


class JournalError(UseError):
    """A results file cannot be used in its present state."""


class JournalCorrupt(JournalError):
    """A line in the middle of a journal is not a valid row. The file has not been changed."""


class JournalTooNew(JournalError):
    """The journal or its summary was written by a newer version of assay."""


class JournalLocked(JournalError):
    """Another process is writing to this journal."""


class JournalStale(JournalError):
    """The journal contains rows of an experiment that was edited after they were written."""


class JournalReadOnly(JournalError):
    """The journal file or its folder is not writable."""


class RunStopped(AssayError):
    """The run ended before its last case. Finished cases are recorded, and it can be resumed."""


class AccessRefused(RunStopped):
    """Status 401 or 403, or an exhausted quota: no further call can succeed."""

    exit_code = 2


class NoSuchModel(RunStopped):
    """The provider does not have this model or this address: no case can succeed."""

    exit_code = 2


class ProviderUnavailable(RunStopped):
    """All calls fail, so the provider is down and the failures say nothing about answers."""

    exit_code = 2


class Unworkable(RunStopped, UseError):
    """A ``UseError`` that was discovered only after the run had started."""

    exit_code = 2


class CeilingReached(RunStopped):
    """The limit set by ``--max-cost`` or ``--max-minutes`` is reached.

    ``raised`` is a cost limit with which the run can go on.
    """

    def __init__(self, message: str, *, raised: float | None = None) -> None:
        super().__init__(message)
        self.raised = raised


class JournalWriteFailed(RunStopped):
    """A row could not be written: disk full, file too large, or disk no longer available."""


class Interrupted(RunStopped):
    """The run was interrupted by the user (Ctrl+C) or by the operating system (SIGTERM)."""

    exit_code = 130

    def __init__(self, message: str, *, exit_code: int = 130) -> None:
        super().__init__(message)
        self.exit_code = exit_code


INTERRUPTED = (130, 143)
"""The exit codes of a program that was interrupted: by Ctrl+C, and by SIGTERM."""


class CaseError(AssayError):
    """One case failed. ``kind`` is the short word that names the failure in the row."""

    kind = "error"


class CaseTimeout(CaseError):
    """The case did not finish before its deadline."""

    kind = "timeout"


class TransientError(CaseError):
    """A temporary failure: the same call may succeed later.

    ``retry_after_s`` is the waiting time that the provider asked for, or ``None`` if it did not
    say. ``retried`` is true if the code that raised the error has already made all reasonable
    retries, so callers must not retry again.
    """

    kind = "unavailable"

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, retried: bool = False
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.retried = retried


class RateLimited(TransientError):
    """The provider asks for fewer requests, not only for a later retry."""

    kind = "rate_limited"


class Filtered(CaseError):
    """The provider's filter withheld the answer. The question is not sent again in the same run.

    ``--count-filtered`` counts such a case as a lost answer instead.
    """

    kind = "filtered"


class SystemFailed(CaseError):
    """The system under test raised an error, or its reply cannot be read."""

    kind = "system"


class CaseSkipped(Exception):
    """Raised to skip a case; the message is the reason that is recorded in its row."""
