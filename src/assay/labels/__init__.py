"""Labels: what people say about answers. Where they are kept, and how far people agree."""

from assay.labels.label import (
    VERDICTS,
    WORTH,
    Choice,
    Label,
    Preference,
    Verdict,
    current,
)
from assay.labels.store import (
    FOLDER,
    append,
    labels_path,
    merge,
    pairs_path,
    read_labels,
    read_preferences,
)

__all__ = [
    "FOLDER",
    "VERDICTS",
    "WORTH",
    "Choice",
    "Label",
    "Preference",
    "Verdict",
    "append",
    "current",
    "labels_path",
    "merge",
    "pairs_path",
    "read_labels",
    "read_preferences",
]
