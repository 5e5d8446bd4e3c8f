"""The score of one answer: what it must say, what it must not, and whether it cites a page.

::

    include_rate   = include_hits / include_total          1.0 where nothing is required
    safe_ok        = 1.0 where nothing forbidden is said, else 0.0
    base_score     = 0.7 · include_rate + 0.3 · safe_ok
    question_score = max(0.0, base_score − citation_penalty)
    weighted_score = Σ question_score · weight / Σ weight

``include_total`` counts every phrase of ``must_include`` and every group of
``must_include_any``; ``citation_penalty`` is 0.2 where a citation is required and no page is
named, else 0.0. Whether the cited page exists and holds what is said stands outside the
formula (``assay.scorers.quality.citation``).
"""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any, Final, Literal

from msgspec import Struct, to_builtins

from assay.records import Metric
from assay.scorers.abstention import abstains
from assay.scorers.latency import LATENCY
from assay.scorers.quality.citation import cited_pages, pages_exist, unsupported_facts
from assay.scorers.quality.phrase import phrase_span
from assay.text import extract_page_numbers

INCLUDE_SHARE: Final = 0.7
SAFE_SHARE: Final = 0.3
CITATION_PENALTY: Final = 0.2
_DIGITS: Final = 12  # 0.7 · 0.5 + 0.3 is 0.65, not 0.6499999999999999

METRICS: Final[tuple[Metric, ...]] = (
    Metric(name="score", field="metrics.score", title="Question score, unweighted"),
    Metric(name="include_rate", field="metrics.include_rate", title="Required phrases said"),
    Metric(name="safe_ok", field="metrics.safe_ok", title="Nothing forbidden", kind="rate"),
    Metric(
        name="citation_ok",
        field="metrics.citation_ok",
        title="Cites a page where required",
        kind="rate",
    ),
    Metric(
        name="citation_page_exists",
        field="metrics.citation_page_exists",
        title="Cited pages exist",
        kind="rate",
    ),
    Metric(
        name="citation_supported",
        field="metrics.citation_supported",
        title="Cited pages hold the facts",
        kind="rate",
    ),
    *LATENCY,
)
"""The columns of the tables, in order. ``score`` leads; the weighted score is the run's own."""

Rule = Literal["must_include", "must_include_any", "must_not_include"]


class Expectation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a question asks of its answer. Each of ``must_include_any`` is a group of equals."""

    must_include: tuple[str, ...] = ()
    must_include_any: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    require_citation: bool = False


class Match(Struct, frozen=True, kw_only=True):
    """One phrase or group, and where the answer says it; ``phrase`` is ``None`` where it does not.

    ``phrase`` is the alternative that was found, ``text`` how the answer writes it, between
    the offsets ``start`` and ``end``.
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
    """The fields that scoring adds to a row: ``metrics``, ``matches`` and what is cited.

    ``pages`` are the document's texts, page 1 first; ``None`` where they are not known.
    ``citation_ok`` is ``None`` where no citation is required. ``citation_page_exists`` is
    ``None`` where no page is cited. ``citation_supported`` is ``None`` where no page is cited,
    the answer abstains, or it states nothing that could be looked up.

    >>> wanted = Expectation(must_include=("2023", "7,6%"), require_citation=True)
    >>> row = score_answer(wanted, "Рост?", "В 2023 году (стр. 2).", ["", "В 2023 году рост 7,6%."])
    >>> metrics = row["metrics"]
    >>> metrics["include_rate"], metrics["safe_ok"], metrics["citation_penalty"]
    (0.5, 1.0, 0.0)
    >>> metrics["score"], metrics["citation_supported"]
    (0.65, True)
    """
    required = [
        *[_match("must_include", (phrase,), answer) for phrase in expected.must_include],
        *[_match("must_include_any", group, answer) for group in expected.must_include_any],
    ]
    forbidden = [_match("must_not_include", (one,), answer) for one in expected.must_not_include]
    said = [match for match in required if match.phrase is not None]
    cites = bool(extract_page_numbers(answer))
    rate = include_rate(len(said), len(required))
    safe = 0.0 if any(match.phrase is not None for match in forbidden) else 1.0
    penalty = CITATION_PENALTY if expected.require_citation and not cites else 0.0
    score = question_score(rate, safe, penalty)
    cited = cited_pages(answer)
    unsupported = None
    if pages is not None and not abstains(answer):
        unsupported = unsupported_facts(question, answer, [one.wanted for one in said], pages)
    return {
        "metrics": {
            "score": score,
            "include_hits": len(said),
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
        "matches": to_builtins([*required, *forbidden]),
        "cited_pages": cited,
        "unsupported": unsupported or [],
    }


def include_rate(hits: int, total: int) -> float:
    """``hits / total``; 1.0 where nothing is required.

    >>> include_rate(1, 2), include_rate(0, 0)
    (0.5, 1.0)
    """
    return hits / total if total else 1.0


def base_score(rate: float, safe_ok: float) -> float:
    """``0.7 · include_rate + 0.3 · safe_ok``.

    >>> base_score(0.5, 1.0), base_score(1.0, 1.0)
    (0.65, 1.0)
    """
    return round(INCLUDE_SHARE * rate + SAFE_SHARE * safe_ok, _DIGITS)


def question_score(rate: float, safe_ok: float, penalty: float) -> float:
    """``max(0.0, base_score − citation_penalty)``.

    >>> question_score(0.0, 0.0, 0.2), question_score(1.0, 1.0, 0.2)
    (0.0, 0.8)
    """
    return max(0.0, round(base_score(rate, safe_ok) - penalty, _DIGITS))


def weighted_score(scores: Iterable[tuple[float, float]]) -> float | None:
    """``Σ score · weight / Σ weight`` of pairs of score and weight; ``None`` where Σ weight is 0.

    >>> weighted_score([(1.0, 3.0), (0.5, 1.0)]), weighted_score([])
    (0.875, None)
    """
    pairs = list(scores)
    total = fsum(weight for _, weight in pairs)
    if total <= 0:
        return None
    return round(fsum(score * weight for score, weight in pairs) / total, _DIGITS)


def _match(rule: Rule, wanted: tuple[str, ...], answer: str) -> Match:
    """The alternative that the answer says first in the order they are written."""
    for phrase in wanted:
        span = phrase_span(phrase, answer)
        if span is not None:
            return Match(
                rule=rule,
                wanted=list(wanted),
                phrase=phrase,
                text=span.of(answer),
                start=span.start,
                end=span.end,
            )
    return Match(rule=rule, wanted=list(wanted))
