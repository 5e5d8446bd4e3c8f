"""Labels: what people say about answers and drafted questions, and how far they agree."""

from assay.labels.agreement import Agreement, PairAgreement, agreement, disagreements
from assay.labels.current import current
from assay.labels.draft import DraftDecision, DraftVerdict
from assay.labels.exchange import (
    import_labels,
    labels_as_csv,
    labels_as_jsonl,
    read_label_file,
    sheet_as_csv,
)
from assay.labels.label import (
    VERDICTS,
    WORTH,
    Choice,
    Label,
    Preference,
    Probability,
    Verdict,
    text_hash,
)
from assay.labels.store import (
    FOLDER,
    append,
    decisions_path,
    labels_path,
    masked_label,
    merge,
    pairs_path,
    read_decisions,
    read_labels,
    read_preferences,
)

__all__ = [
    "FOLDER",
    "VERDICTS",
    "WORTH",
    "Agreement",
    "Choice",
    "DraftDecision",
    "DraftVerdict",
    "Label",
    "PairAgreement",
    "Preference",
    "Probability",
    "Verdict",
    "agreement",
    "append",
    "current",
    "decisions_path",
    "disagreements",
    "import_labels",
    "labels_as_csv",
    "labels_as_jsonl",
    "labels_path",
    "masked_label",
    "merge",
    "pairs_path",
    "read_decisions",
    "read_label_file",
    "read_labels",
    "read_preferences",
    "sheet_as_csv",
    "text_hash",
]
