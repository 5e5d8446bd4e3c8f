"""What a run says about questions that are drafts and that nobody has read."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.data.question import CorpusQuestion, read_describing_fields
from assay.data.question_set import IdsBy
from assay.text.search_term import words


def unread_drafts(
    path: Path,
    questions: Sequence[CorpusQuestion],
    columns: Mapping[str, str] | None = None,
    *,
    ids_by: IdsBy,
) -> dict[str, Any]:
    """The number of unread drafts among the questions, for the header; empty if there are none.

    A draft was read if somebody accepted it on the page: then its line says who. The other field is the
    mean share of the words of a draft that its evidence has too; it is missing if no draft has a text
    as evidence.
    """
    fields = read_describing_fields(path, columns, ids_by=ids_by)
    drafts = [each for each in questions if _is_unread(fields.get(each.id, {}).get("draft"))]
    shares = [share for each in drafts if (share := _shared_words(each)) is not None]
    if not drafts:
        return {}
    overlap = {"draft_word_overlap": round(sum(shares) / len(shares), 3)} if shares else {}
    return {"unread_drafts": len(drafts), **overlap}


def _is_unread(draft: Any) -> bool:
    return isinstance(draft, dict) and "reviewed_by" not in draft


def _shared_words(question: CorpusQuestion) -> float | None:
    """The share of the words of a question that its evidence has too."""
    evidence = {word for span in question.spans for word in words(span.text)}
    asked = set(words(question.text))
    return len(asked & evidence) / len(asked) if evidence and asked else None
