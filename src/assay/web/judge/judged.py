"""What one judge said about the answers of a run."""

from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.jobs.judge import JudgeVerdicts

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]


class Judged(Struct, frozen=True, eq=False):
    """What one judge said: its scores, and where it stands against others, by variant and item."""

    judge: JudgeVerdicts
    score: Floats
    unparsed: Bools
    against_people: Bools
    against_judges: Bools
