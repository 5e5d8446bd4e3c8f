"""Why cases of a run failed: their errors, the most frequent first."""

from collections import Counter
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.redact import masked_error
from assay.stats import FAILED
from assay.web.api import Failure
from assay.web.query import Columns
from assay.web.run_index import RunIndex

MOST_READ: Final = 500
"""How many failed cases are read; the errors of a run repeat themselves."""
MOST_SHOWN: Final = 5
LONGEST: Final = 600


class _Failed(Struct, frozen=True, gc=False):
    error: str | None = None


def failures(index: RunIndex, columns: Columns) -> tuple[Failure, ...]:
    """The most frequent errors of the failed cases."""
    variants, items = np.nonzero(columns.status == FAILED)
    cases = [(int(item), int(variant)) for variant, item in zip(variants, items, strict=True)]
    counted: Counter[str] = Counter()
    for line in index.lines(cases[:MOST_READ]).values():
        try:
            error = msgspec.json.decode(line, type=_Failed).error
        except UNREADABLE:
            continue
        counted[masked_error(error or "").strip()[:LONGEST]] += 1
    return tuple(
        Failure(error=error, count=count) for error, count in counted.most_common(MOST_SHOWN)
    )
