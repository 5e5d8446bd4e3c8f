"""A drafted question with its evidence, and the line that it becomes in a file of questions."""

import hashlib
from typing import Any, Final

from msgspec import Struct

from assay.jobs.draft.kind import Kind
from assay.text import Language

BY_TEMPLATE: Final = "template"
_ID_BYTES: Final = 6


class Evidence(Struct, frozen=True, kw_only=True):
    """A stretch of a document. The offsets are None if the corpus does not say where it lies."""

    source: str
    text: str
    start: int | None = None
    end: int | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a gold span."""
        offsets = {} if self.start is None else {"start": self.start, "end": self.end}
        return {"source": self.source, "text": self.text, **offsets}


class Draft(Struct, frozen=True, kw_only=True):
    """A drafted question.

    The evidence of an unanswerable question is the passage that nearly answers it. A cloze has a
    gap; a general question names nothing. Both are chosen if there are too few others.
    """

    kind: Kind
    question: str
    answers: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    language: Language
    by: str = BY_TEMPLATE
    is_cloze: bool = False
    is_general: bool = False

    @property
    def id(self) -> str:
        """A hash of what is asked and where."""
        places = [f"{item.source}\0{item.start}\0{item.text}" for item in self.evidence]
        content = "\0".join([self.kind, self.question, *places]).encode("utf-8", "surrogatepass")
        return f"d{hashlib.blake2b(content, digest_size=_ID_BYTES).hexdigest()}"

    @property
    def row(self) -> dict[str, Any]:
        """The line of a file of questions."""
        first = self.evidence[0]
        sources = {item.source for item in self.evidence}
        row: dict[str, Any] = {"id": self.id, "question": self.question}
        if len(sources) == 1:
            row["source"] = first.source
        if self.kind == "unanswerable":
            row["answerable"] = False
        else:
            row["answer"] = list(self.answers)
            row["gold"] = [item.fields for item in self.evidence]
        place = {} if first.start is None else {"start": first.start, "end": first.end}
        row["draft"] = {"by": self.by, "kind": self.kind, "document": first.source, **place}
        return row
