"""What a person decides about a drafted question."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from assay.labels.label import LABEL_VERSION, Person

DraftVerdict = Literal["accepted", "rejected", "open"]


class DraftDecision(Struct, frozen=True, kw_only=True):
    """One person's decision about one version of a draft; the newest one counts, whoever made it.

    - ``drafts``: the name of the file of drafts, without ``.jsonl``;
    - ``row_hash``: the hash of the draft's line; a decision about another version does not count;
    - ``verdict``: ``open`` takes an earlier decision back;
    - ``question``, ``answer``: the text that replaces the drafted one; ``None`` if it stays.
    """

    drafts: str
    question_id: str
    row_hash: str
    reviewer: Person
    time: str
    verdict: DraftVerdict
    question: Annotated[str, Meta(min_length=1, max_length=10_000)] | None = None
    answer: Annotated[str, Meta(max_length=10_000)] | None = None
    schema_version: int = LABEL_VERSION

    @property
    def identity(self) -> tuple[str, ...]:
        """Of two decisions with the same one, only the newer one counts."""
        return (self.drafts, self.question_id, self.row_hash)
