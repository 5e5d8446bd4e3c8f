"""The scores of one answer in an ablation.

A row contains the scores in two forms:

* The flat fields (``cite_ok``, ``gold_metrics`` and so on) follow the row format and are defined
  for every question. For example, the coverage of a question without gold is 0.0. They are
  ``None`` if the reply does not say what was retrieved.
* ``scores`` contains the values that the tables average. A value that is undefined for the
  question is ``None`` there: gold scores of a question without gold,
  ``abstained_when_unanswerable`` of a question that has an answer, and
  ``answered_when_answerable`` of a question that has none, or whose expected answer says that
  there is none. Both are ``None`` if it is not known whether there is an answer.
"""

from collections.abc import Collection, Sequence
from typing import Any

from assay.checks import assess_abstention, is_exact
from assay.records import Answer, GoldSpan
from assay.scorers.citation import citation_numbers, citation_range_ok, cite_ok, cited_chunk_ids
from assay.scorers.correctness import expects_abstention
from assay.scorers.retrieval import gold_metrics
from assay.scorers.span import SPAN_SHARE
from assay.text import CitationStyle, scored_text


def score_answer(
    question_gold: Collection[str],
    answerable: bool | None,
    answer: Answer,
    *,
    citation_style: CitationStyle = "index",
    order_is_rank: bool = True,
    top_k: int | None = None,
    question: str | None = None,
    spans: Sequence[GoldSpan] = (),
    span_share: float = SPAN_SHARE,
    accepted: Sequence[str] = (),
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    Args:
        question_gold: ids of the chunks that support the correct answer; empty if unknown.
        answerable: whether the documents contain an answer. If not, the system should abstain.
            ``None`` if it is not known; then abstention is not scored.
        answer: the answer of the system, with the passages it retrieved.
        citation_style: ``"page"`` if the system may cite pages instead of passage numbers.
        order_is_rank: whether the order of passages without ranks is their rank.
        top_k: how many passages were asked for; the metrics at k are about the best of them.
        question: the text of the question, which decides what would answer it.
        spans: stretches of documents that are gold too.
        span_share: the share of a span that the passages must cover.
        accepted: the expected answers; an answer that is one of them never abstains.

    >>> row = score_answer(["a"], True, Answer(text="Thirty days.", passages=()))
    >>> row["cite_ok"], row["scores"]["gold_coverage"], row["scores"]["answered_when_answerable"]
    (False, 0.0, True)
    >>> score_answer(["a"], True, Answer(text="Thirty days."))["scores"]["gold_coverage"] is None
    True
    >>> row = score_answer([], True, Answer(text="It does not say."), accepted=["Not stated"])
    >>> row["abstained"], row["scores"]["answered_when_answerable"] is None
    (True, True)
    """
    text, passages = scored_text(answer.text), answer.passages or ()
    pages = None
    if citation_style == "page":
        pages = {passage.page for passage in passages if passage.page is not None}
    is_known = answer.passages is not None
    in_range: bool | None = citation_range_ok(text, len(passages), pages=pages)
    if not is_known and not in_range:  # it cites passages, and it is not known how many there are
        in_range = None
    citations_ok = cite_ok(text, len(passages), pages=pages) if is_known else None
    gold_scores: dict[str, Any] = dict(
        gold_metrics(
            question_gold,
            answer.passages,
            order_is_rank=order_is_rank,
            top_k=top_k,
            spans=spans,
            span_share=span_share,
        )
    )
    is_answer = bool(text.strip())  # an empty reply is neither an answer nor an abstention
    found = assess_abstention(text, question)
    abstained, unsure = found.leans_abstaining, found.outcome == "unsure"
    expects_answer = answerable and not expects_abstention(accepted)
    if abstained and expects_answer and any(is_exact(each, text) for each in accepted):
        abstained = unsure = False
    names = []
    if unsure and is_answer:
        names = ["abstained"]
        names += ["abstained_when_unanswerable"] if answerable is False else []
        names += ["answered_when_answerable"] if expects_answer else []
    return {
        "citation_numbers": citation_numbers(text),
        "citation_range_ok": in_range,
        "cite_ok": citations_ok,
        "cited_chunk_ids": cited_chunk_ids(text, passages, pages=pages is not None),
        "retrieved_chunk_ids": [passage.id for passage in passages] if is_known else None,
        "gold_chunk_ids": list(question_gold),
        "gold_metrics": gold_scores,
        "abstained": abstained,
        **(_bounds(names) if names else {}),
        "scores": {
            "cite_ok": citations_ok,
            **(gold_scores if question_gold or spans else dict.fromkeys(gold_scores)),
            "abstained_when_unanswerable": abstained if answerable is False else None,
            "answered_when_answerable": is_answer and not abstained if expects_answer else None,
        },
    }


def _bounds(names: Sequence[str]) -> dict[str, Any]:
    """What these scores could be instead, since it is unsure whether the answer abstains."""
    return {"at_least": dict.fromkeys(names, 0.0), "at_most": dict.fromkeys(names, 1.0)}
