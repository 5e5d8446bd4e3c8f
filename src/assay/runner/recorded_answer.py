"""An answer that an earlier run recorded and did not judge."""

import msgspec
from msgspec import UNSET

from assay.journal import RowHead
from assay.mask import restored_record
from assay.records import Answered
from assay.runner.rejudge import MASKED


def recorded_answered(head: RowHead) -> Answered:
    """The recorded answer; if it was redacted, with the key, as it was."""
    assert head.recorded is not UNSET
    if not head.redacted:
        return msgspec.json.decode(head.recorded, type=Answered)
    restored = restored_record(msgspec.json.decode(head.recorded))
    if restored is None:
        raise msgspec.DecodeError(MASKED)
    return msgspec.convert(restored, Answered)
