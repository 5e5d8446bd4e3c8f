"""Labels: what people say about answers. Where they are kept, and how far people agree."""

from assay.labels.agreement import Agreement, PairAgreement, agreement, disagreements
from assay.labels.exchange import import_labels, labels_as_csv, labels_as_jsonl
from assay.labels.label import (
    VERDICTS,
    WORTH,
    Choice,
    Label,
    Preference,
    Verdict,
    current,
    text_hash,
)
from assay.labels.store import (
    FOLDER,
    append,
    labels_path,
    masked_label,
    merge,
    pairs_path,
    read_labels,
    read_preferences,
)

__all__ = [
    "FOLDER",
    "VERDICTS",
    "WORTH",
    "Agreement",
    "Choice",
    "Label",
    "PairAgreement",
    "Preference",
    "Verdict",
    "agreement",
    "append",
    "current",
    "disagreements",
    "import_labels",
    "labels_as_csv",
    "labels_as_jsonl",
    "labels_path",
    "masked_label",
    "merge",
    "pairs_path",
    "read_labels",
    "read_preferences",
    "text_hash",
]
