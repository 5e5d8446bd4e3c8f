"""The score of one answer: required phrases, forbidden phrases, and a page citation.

::

    include_rate   = include_hits / include_total          1.0 if nothing is required
    safe_ok        = 1.0 if the answer contains no forbidden phrase, else 0.0
    base_score     = 0.7 · include_rate + 0.3 · safe_ok
    question_score = max(0.0, base_score − citation_penalty)
    weighted_score = Σ question_score · weight / Σ weight

``include_total`` counts every phrase of ``must_include`` and every group of
``must_include_any``. ``citation_penalty`` is 0.2 if a citation is required and the answer names
no page, else 0.0. Whether the cited page exists and supports the answer does not change the
score; it is reported separately (``assay.scorers.quality.citation``).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from assay.checks import abstains
from assay.scorers.quality.citation import cited_pages, pages_exist, unsupported_facts
from assay.scorers.quality.expectation import Expectation
from assay.scorers.quality.phrase import phrase_span, required_span
from assay.scorers.quality.weighted import DIGITS
from assay.text import Span, StatedAnswer, extract_page_numbers, scored_answer

INCLUDE_SHARE: Final = 0.7
SAFE_SHARE: Final = 0.3
CITATION_PENALTY: Final = 0.2

Rule = Literal["must_include", "must_include_any", "must_not_include"]


class Match(Struct, frozen=True, kw_only=True):
    """One phrase or group of alternatives, and where the answer contains it.

    Attributes:
        rule: the list of the expectation that the phrase or group comes from.
        wanted: the phrase, or all alternatives of the group.
        phrase: the alternative that the answer contains; ``None`` if it contains none.
        text: the phrase as the answer writes it.
        start: offset of ``text`` in the answer.
        end: offset after ``text`` in the answer.
    """

    rule: Rule
    wanted: list[str]
    phrase: str | None = None
    text: str | None = None
    start: int | None = None
    end: int | None = None


def score_answer(
    expected: Expectation, question: str, answer: str, pages: Sequence[str] | None
) -> dict[str, Any]:
    """The fields that scoring adds to a row: metrics, matches, cited pages, unsupported facts.

    ``pages`` are the texts of the document's pages in order, ``None`` if they are not known.

    Some metrics can be undefined (``None``):

    * ``citation_ok`` if no citation is required;
    * ``citation_page_exists`` if no page is cited or ``pages`` is ``None``;
    * ``citation_supported`` in the same cases, and also if the answer abstains or states no
      fact that can be looked up.

    >>> expected = Expectation(must_include=("2023", "7,6%"), require_citation=True)
    >>> pages = ["", "В 2023 году рост 7,6%."]
    >>> row = score_answer(expected, "Рост?", "В 2023 году (стр. 2).", pages)
    >>> metrics = row["metrics"]
    >>> metrics["include_rate"], metrics["safe_ok"], metrics["citation_penalty"]
    (0.5, 1.0, 0.0)
    >>> metrics["score"], metrics["citation_supported"]
    (0.65, True)
    """
    reply, stated = answer, scored_answer(answer)
    answer = stated.text
    find = phrase_span if expected.exact is True else required_span
    required = [
        *[_match("must_include", (phrase,), answer, find) for phrase in expected.must_include],
        *[_match("must_include_any", group, answer, find) for group in expected.must_include_any],
    ]
    forbidden = [
        _match("must_not_include", (phrase,), answer, phrase_span)
        for phrase in expected.must_not_include
    ]
    hits = [match for match in required if match.phrase is not None]
    cites = bool(extract_page_numbers(answer))
    rate = include_rate(len(hits), len(required))
    safe = 0.0 if any(match.phrase is not None for match in forbidden) else 1.0
    penalty = CITATION_PENALTY if expected.require_citation and not cites else 0.0
    score = question_score(rate, safe, penalty)
    cited = cited_pages(answer)
    unsupported = None
    if pages is not None and not abstains(answer, question):
        unsupported = unsupported_facts(question, answer, [hit.wanted for hit in hits], pages)
    return {
        "metrics": {
            "score": score,
            "include_hits": len(hits),
            "include_total": len(required),
            "include_rate": rate,
            "safe_ok": safe,
            "base_score": base_score(rate, safe),
            "citation_penalty": penalty,
            "question_score": score,
            "citation_ok": cites if expected.require_citation else None,
            "citation_page_exists": None if pages is None else pages_exist(cited, len(pages)),
            "citation_supported": None if unsupported is None else not unsupported,
        },
        "matches": to_builtins(
            [_in_reply(match, reply, stated) for match in (*required, *forbidden)]
        ),
        "cited_pages": cited,
        "unsupported": unsupported or [],
    }


def include_rate(hits: int, total: int) -> float:
    """``hits / total``; 1.0 if nothing is required.

    >>> include_rate(1, 2), include_rate(0, 0)
    (0.5, 1.0)
    """
    return hits / total if total else 1.0


def base_score(rate: float, safe_ok: float) -> float:
    """``0.7 · include_rate + 0.3 · safe_ok``.

    >>> base_score(0.5, 1.0), base_score(1.0, 1.0)
    (0.65, 1.0)
    """
    return round(INCLUDE_SHARE * rate + SAFE_SHARE * safe_ok, DIGITS)


def question_score(rate: float, safe_ok: float, penalty: float) -> float:
    """``max(0.0, base_score − citation_penalty)``.

    >>> question_score(0.0, 0.0, 0.2), question_score(1.0, 1.0, 0.2)
    (0.0, 0.8)
    """
    return max(0.0, round(base_score(rate, safe_ok) - penalty, DIGITS))


def _match(
    rule: Rule,
    alternatives: tuple[str, ...],
    answer: str,
    find: Callable[[str, str], Span | None],
) -> Match:
    """The first of the alternatives, in the order of the question, that the answer contains."""
    for phrase in alternatives:
        span = find(phrase, answer)
        if span is not None:
            return Match(
                rule=rule,
                wanted=list(alternatives),
                phrase=phrase,
                text=span.of(answer),
                start=span.start,
                end=span.end,
            )
    return Match(rule=rule, wanted=list(alternatives))


def _in_reply(match: Match, reply: str, stated: StatedAnswer) -> Match:
    """The match with its place in the whole reply, thoughts included."""
    if match.start is None or match.end is None:
        return match
    span = stated.in_reply(Span(start=match.start, end=match.end))
    return replace(match, start=span.start, end=span.end, text=span.of(reply))
