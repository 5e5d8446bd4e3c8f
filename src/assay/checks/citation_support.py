"""Whether what an answer cites supports what it says: precision and recall of citations, without a model.

The definitions are those of ALCE (Gao et al. 2023), with the words of the passages in place of a model of
entailment. No labelled answers have measured how often the words are right; so what is neither quoted nor
contradicted is unsure, and counts as it leans. Pure.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from assay.checks.abstention import abstains
from assay.checks.citation import citation_numbers
from assay.checks.invention import inventions
from assay.checks.quotation import MOST, QuotationChange, verify_quotation
from assay.checks.scorer import Graded, Scorer, Subject
from assay.records import Passage
from assay.text.citation import (
    citation_spans,
    extract_page_numbers,
    marked_page_numbers,
    without_citations,
)
from assay.text.search_term import content_units
from assay.text.sentence import sentences

Support: TypeAlias = Literal["yes", "leans yes", "leans no", "no"]

_LEVELS: Final[tuple[Support, ...]] = ("no", "leans no", "leans yes", "yes")
_FEWEST: Final = 2
"""A sentence of fewer words with content makes no claim: "Yes [1].", "In short:"."""


class CitedSentence(NamedTuple):
    """A sentence of an answer without its citations, and for each citation the passages that it names.

    A citation of a passage that does not exist names none; one of a page names all on this page.
    """

    text: str
    citations: tuple[tuple[Passage, ...], ...]


class CitationSupport(Struct, frozen=True, kw_only=True):
    """Of an answer, how many claims and citations there are, and how far each is supported."""

    claims: tuple[Support, ...]
    citations: tuple[Support, ...]


def support(sentence: str, passages: Sequence[str]) -> Support:
    """Whether the passages together say what the sentence says, as far as words show it.

    They do if they have it word for word, in other forms or another notation. They do not if it has a figure, a date
    or a name that they do not have, or differs from them in a number, a sign or a negation. Otherwise it leans to the
    side of most of its words with content; few of them in the passages are a clear no.

    >>> passages = ["Notice is given thirty days ahead, in writing."]
    >>> [support(text, passages) for text in ("Notice is given 30 days ahead.", "Notice takes 20 days.")]
    ['yes', 'no']
    >>> support("Written notice must come days ahead.", passages)
    'leans yes'
    """
    if not passages or inventions(sentence, passages):
        return "no"
    text = "\n\n".join(passages)
    found = verify_quotation(sentence, text)
    if found.valid:
        return "yes"
    if any(_contradicts(each) for each in found.differences):
        return "no"
    words = content_units(sentence)
    known = set(chain.from_iterable(map(content_units, passages)))
    share = sum(word in known for word in words) / max(len(words), 1)
    if share >= MOST:
        return "leans yes"
    return "leans no" if share > 1 - MOST else "no"


def _contradicts(difference: QuotationChange) -> bool:
    """Whether it is another number, sign or negation; a number that is left out contradicts nothing."""
    if difference.kind == "number":
        return bool(difference.quotation)
    return difference.kind in {"sign", "negation"}


def cited_sentences(answer: str, passages: Sequence[Passage]) -> list[CitedSentence]:
    """The sentences of an answer that make a claim, with what they cite.

    Citations at the beginning of a sentence belong to the one before it: "Thirty days. [1] The board …". Questions,
    introductions that end with a colon, and sentences that say that nothing is known make no claim.

    >>> passages = [Passage(id="a", text="…"), Passage(id="b", text="…")]
    >>> found = cited_sentences("Notice takes thirty days. [1][9] The board approves leave [2].", passages)
    >>> [(each.text, [[p.id for p in one] for one in each.citations]) for each in found]
    [('Notice takes thirty days.', [['a'], []]), ('The board approves leave.', [['b']])]
    """
    parts: list[tuple[str, str]] = []
    for span in sentences(answer):
        sentence = span.of(answer)
        end = _leading(sentence)
        if end and parts:
            text, marks = parts[-1]
            parts[-1] = (text, marks + sentence[:end])
            sentence = sentence[end:]
        if sentence.strip():
            parts.append((sentence, ""))
    found = []
    for sentence, marks in parts:
        text = without_citations(sentence, pages=True).strip()
        if _claims(text):
            found.append(CitedSentence(text, _cited(sentence + marks, passages)))
    return found


def _leading(sentence: str) -> int:
    """Where the citations at the beginning of a sentence end."""
    end = 0
    for span in citation_spans(sentence):
        if sentence[end : span.start].strip(" ()（）"):
            break
        end = span.end
    closing = len(sentence) - len(sentence[end:].lstrip(" )）.。"))
    return closing if end else 0


def _claims(text: str) -> bool:
    return (
        len(content_units(text)) >= _FEWEST
        and not text.endswith(("?", "？", ":", "："))
        and not abstains(text)
    )


def _cited(sentence: str, passages: Sequence[Passage]) -> tuple[tuple[Passage, ...], ...]:
    numbers = citation_numbers(sentence)
    pages = marked_page_numbers(sentence)
    if not pages and not numbers:
        on = {passage.page for passage in passages}
        pages = [page for page in extract_page_numbers(sentence) if page in on]
    return (
        *((passages[n - 1],) if 1 <= n <= len(passages) else () for n in numbers),
        *(tuple(each for each in passages if each.page == page) for page in pages),
    )


def citation_support(answer: str, passages: Sequence[Passage]) -> CitationSupport | None:
    """How far the claims and the citations of an answer are supported; ``None`` if nothing can be said.

    A claim is supported if all that its sentence cites supports it together. A citation is right if its
    sentence is supported, and it supports the sentence alone, or the others do not without it.
    """
    if abstains(answer):
        return None
    cited = cited_sentences(answer, passages)
    texts = tuple(
        (each.text, tuple(tuple(p.text for p in one) for one in each.citations)) for each in cited
    )
    named = [text for _, citations in texts for one in citations for text in one]
    if not any(citations for _, citations in texts) or not all(named):
        return None
    return _supported(texts)


@lru_cache(maxsize=4)
def _supported(texts: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]) -> CitationSupport:
    """The support of both rates, which ask for the same answer one after the other."""
    claims: list[Support] = []
    citations: list[Support] = []
    for sentence, cited in texts:
        together = support(sentence, [*chain.from_iterable(cited)])
        claims.append(together)
        for place, one in enumerate(cited):
            rest = [*chain.from_iterable(cited[:place] + cited[place + 1 :])]
            right = _right(together, support(sentence, one), support(sentence, rest))
            citations.append(right if one else "no")
    return CitationSupport(claims=tuple(claims), citations=tuple(citations))


def _right(together: Support, alone: Support, rest: Support) -> Support:
    """Whether a citation is right: all together support, and it does alone or the others do not.

    >>> _right("yes", "no", "yes"), _right("yes", "no", "no"), _right("yes", "leans yes", "leans yes")
    ('no', 'yes', 'leans yes')
    """
    levels = [_LEVELS.index(each) for each in (together, alone, rest)]
    return _LEVELS[min(levels[0], max(levels[1], len(_LEVELS) - 1 - levels[2]))]


def _rate(found: Sequence[Support]) -> Graded | None:
    """The share that is supported, with what it would be if everything unsure were not, or were."""
    if not found:
        return None
    counts = {each: found.count(each) for each in set(found)}
    sure, unsure = counts.get("yes", 0), counts.get("leans yes", 0) + counts.get("leans no", 0)
    total = len(found)
    return Graded(
        value=(sure + counts.get("leans yes", 0)) / total,
        why=f"{unsure} of {total} are told by words alone" if unsure else "",
        at_least=sure / total if unsure else None,
        at_most=(sure + unsure) / total if unsure else None,
    )


def _found(subject: Subject) -> CitationSupport | None:
    return citation_support(subject.answer, subject.passages)


def citation_precision(subject: Subject) -> Graded | None:
    """The share of the citations that support their sentence; ``None`` if nothing is cited.

    >>> passages = (Passage(id="a", text="Notice takes thirty days."), Passage(id="b", text="Cats sleep."))
    >>> subject = Subject(job="ablation", question_id="1", question="", passages=passages,
    ...                   answer="Notice takes 30 days [1][2].")
    >>> citation_precision(subject).value, citation_recall(subject).value
    (0.5, 1.0)
    """
    found = _found(subject)
    return None if found is None else _rate(found.citations)


def citation_recall(subject: Subject) -> Graded | None:
    """The share of the claims that what they cite supports; ``None`` if the answer cites nothing."""
    found = _found(subject)
    return None if found is None else _rate(found.claims)


_UNDEFINED: Final = "the answer abstains, cites nothing or makes no claim, or the text of a cited passage is not known"
PRECISION: Final = Scorer(
    name="citation_precision",
    function=citation_precision,
    title="Citation precision",
    title_zh="引用精确率",
    title_ru="точность ссылок",
    formula="citations whose passage supports their sentence / citations, by the words; an unsure one counts as it leans",
    undefined=_UNDEFINED,
    by_check=True,
    needs=("passages",),
)
RECALL: Final = Scorer(
    name="citation_recall",
    function=citation_recall,
    title="Citation recall",
    title_zh="引用召回率",
    title_ru="полнота ссылок",
    formula="sentences with a claim that the passages they cite support / sentences with a claim, by the words; an unsure one counts as it leans",
    undefined=_UNDEFINED,
    by_check=True,
    needs=("passages",),
)
