"""Labels: what people say about answers and drafted questions, and how far they agree.

Files of labels from elsewhere may be workbooks in any encoding; what reads them is imported when it is
used.
"""

from typing import TYPE_CHECKING

from assay.labels.agreement import Agreement, PairAgreement, agreement, disagreements
from assay.labels.current import current
from assay.labels.draft import DraftDecision, DraftVerdict
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
from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.labels.exchange import (
        PlacedLabel,
        import_labels,
        labels_as_csv,
        labels_as_jsonl,
        read_label_file,
        sheet_as_csv,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "PlacedLabel": "exchange",
            "import_labels": "exchange",
            "labels_as_csv": "exchange",
            "labels_as_jsonl": "exchange",
            "read_label_file": "exchange",
            "sheet_as_csv": "exchange",
        },
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
    "PlacedLabel",
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
