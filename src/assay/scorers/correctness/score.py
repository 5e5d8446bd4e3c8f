"""Exact match, token F1 and containment of an answer against the expected ones.

The best of the accepted answers counts for each measure. The exact match decides first: an answer
that matches in another notation ("36 months" for "3 years") shares no token with the expected one,
and its F1 is 1 nevertheless. An answer that abstains although an
answer is expected is wrong by every measure, and it is counted as an abstention beside them; an
answer that is the expected one by its words never counts as an abstention. If the expected answer
itself says that there is none ("Not stated in the document"), it is the other way round: an answer
that abstains is right by every measure, in whatever words, and any other one is wrong.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.abstention import abstains
from assay.scorers.correctness.polarity import decides, expected_boolean, says
from assay.scorers.correctness.token import Token, compared_tokens
from assay.scorers.legal import is_meant
from assay.scorers.mention import answer_span, is_other, is_reordered, value_spans
from assay.text import CYRILLIC, HAN, Span, said_text, with_plain_e, without_citations
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_NOT_ENGLISH: Final = re.compile(f"[{HAN}{CYRILLIC}]")
_WORD: Final = re.compile(r"\w")
_PERHAPS: Final = lazy_pattern(lambda: alternatives("open_answer.perhaps"))
_LAST_CLAUSE: Final = re.compile(r"(?:^|[.。!！?？;；,，])[^.。!！?？;；,，]*\Z")
_GUESS: Final = 30
"""How many characters before an answer a word such as "perhaps" may stand."""
_ARTICLE: Final = re.compile(r"\b(?:an?|the)\b", re.IGNORECASE)


class Correctness(Struct, frozen=True, kw_only=True):
    """How an answer compares with the expected one.

    ``word_f1`` is ``None`` if neither the accepted answers nor the question have Chinese characters.
    The answer does not matter, so it is defined for the same questions with every system.
    """

    exact: bool
    f1: float
    contained: bool
    abstained: bool
    word_f1: float | None = None


def correctness(accepted: Sequence[str], answer: str, question: str = "") -> Correctness:
    """Compare an answer with the accepted ones, of which there is at least one.

    >>> correctness(["Thirty days"], "The period is thirty days [1].")
    Correctness(exact=False, f1=0.6666666666666666, contained=True, abstained=False, word_f1=None)
    >>> found = correctness(["2020年8月30日"], "2020-08-30")
    >>> found.exact, found.f1
    (True, 1.0)
    """
    accepted, answer, question = _compared(accepted, answer, question)
    exact = _is_accepted(accepted, answer, question) or _is_expected_abstention(
        accepted, answer, question
    )
    abstained = not exact and _is_abstention(accepted, answer, question)
    has_chinese = any(_HAN.search(text) for text in (*accepted, question))
    if abstained:
        return Correctness(
            exact=False,
            f1=0.0,
            contained=False,
            abstained=True,
            word_f1=0.0 if has_chinese else None,
        )
    values = [text for text in accepted if not _says_none(text, question)]
    return Correctness(
        exact=exact,
        f1=1.0 if exact else max((token_f1(text, answer) for text in values), default=0.0),
        contained=exact or any(_is_contained(text, answer, question) for text in values),
        abstained=False,
        word_f1=_best_word_f1(values, answer, exact=exact) if has_chinese else None,
    )


def _compared(
    accepted: Sequence[str], answer: str, question: str
) -> tuple[tuple[str, ...], str, str]:
    """The texts as they are compared: what the answer says, and all of them without ё."""
    return (
        tuple(map(with_plain_e, accepted)),
        with_plain_e(said_text(answer)),
        with_plain_e(question),
    )


def _best_word_f1(accepted: Sequence[str], answer: str, *, exact: bool) -> float:
    return 1.0 if exact else max((word_f1(text, answer) for text in accepted), default=0.0)


def expects_abstention(accepted: Sequence[str], question: str = "") -> bool:
    """Whether an accepted answer itself says that there is no answer.

    >>> expects_abstention(["Not stated in the document"], "What is the deposit?")
    True
    >>> expects_abstention(["Thirty days"], "What is the notice period?")
    False
    """
    asked = with_plain_e(question)
    return any(_says_none(with_plain_e(text), asked) for text in accepted)


@lru_cache(maxsize=4096)
def _says_none(expected: str, question: str) -> bool:
    """The same for one accepted answer; a plain "no" is a value."""
    return expected_boolean(expected) is None and abstains(expected, question or None)


def _is_expected_abstention(accepted: Sequence[str], answer: str, question: str) -> bool:
    return any(_says_none(text, question) for text in accepted) and abstains(
        answer, question or None
    )


def is_wrong_abstention(accepted: Sequence[str], answer: str, question: str = "") -> bool:
    """Whether an answer abstains although another one is expected.

    >>> is_wrong_abstention(["not applicable"], "Not applicable"), is_wrong_abstention(["5"], "不知道")
    (False, True)
    """
    accepted, answer, question = _compared(accepted, answer, question)
    return not _is_accepted(accepted, answer, question) and _is_abstention(
        accepted, answer, question
    )


def _is_accepted(accepted: Sequence[str], answer: str, question: str) -> bool:
    whole = Span(start=0, end=len(answer))
    return any(
        (is_exact(text, answer) or _is_same_value(text, answer, question))
        and not is_other(text, answer, whole, question)
        for text in accepted
    )


def _is_abstention(accepted: Sequence[str], answer: str, question: str) -> bool:
    """Whether the answer abstains, and neither is an abstention expected nor a yes or no given."""
    if not abstains(answer, question or None) or expects_abstention(accepted, question):
        return False
    if any(expected_boolean(text) is not None for text in accepted):
        return not decides(answer, question)
    return True


def _is_contained(expected: str, answer: str, question: str) -> bool:
    wanted = expected_boolean(expected)
    if wanted is not None:
        return says(expected, wanted, answer, question)
    span = answer_span(
        expected,
        answer,
        question,
        accepts=lambda mention: is_meant(answer, mention, question, expected),
    )
    return span is not None and not _is_guess(answer, span)


def _is_guess(answer: str, span: Span) -> bool:
    """Whether the answer is only called possible after a refusal: "I do not know. Perhaps X.".

    >>> _is_guess("I do not know. Perhaps Paris.", Span(start=23, end=28))
    True
    >>> _is_guess("Perhaps Paris.", Span(start=8, end=13))
    False
    """
    before = answer[: span.start]
    guesses = [match.start() for match in _PERHAPS.finditer(before)]
    if not guesses or span.start - guesses[-1] > _GUESS:
        return False
    head = _LAST_CLAUSE.sub("", before[: guesses[-1]])
    return bool(head) and abstains(head)


def _is_same_value(expected: str, answer: str, question: str = "") -> bool:
    """Whether the answer is nothing but the expected value in another notation.

    In Russian and Chinese also the same list or name in another order; the order of English words
    counts, as SQuAD defines it.

    >>> _is_same_value("10 km", "10 kilometres."), _is_same_value("甲、乙", "乙和甲")
    (True, True)
    """
    plain = without_citations(answer, pages=True)
    words = list(_WORD.finditer(_ARTICLE.sub(lambda article: " " * len(article[0]), plain)))
    start, end = (words[0].start(), words[-1].end()) if words else (len(plain), 0)
    for span in value_spans(expected, plain, question):
        if span.start <= start and end <= span.end:
            return True
    return _NOT_ENGLISH.search(expected) is not None and is_reordered(expected, plain)


def is_exact(expected: str, answer: str) -> bool:
    """Whether both have the same tokens in the same order.

    A number without a unit is the same as this number with one.

    >>> is_exact("42000", "4.2万元。"), is_exact("42000 руб.", "42000"), is_exact("Москва", "Москвы")
    (True, False, True)
    """
    wanted = compared_tokens(expected)
    if _are_same(wanted, compared_tokens(answer)):
        return True
    bare = compared_tokens(expected, units=False)
    return bare == wanted and _are_same(bare, compared_tokens(answer, units=False))


def _are_same(expected: Sequence[Token], answer: Sequence[Token]) -> bool:
    return len(expected) == len(answer) and all(map(Token.is_same, expected, answer))


def token_f1(expected: str, answer: str) -> float:
    """The harmonic mean of precision and recall of tokens, each counted as often as it occurs.

    Chinese is compared by characters. 0.0 if no token is shared. Source: Rajpurkar et al. (2016).

    >>> token_f1("the red gate", "a red, red gate")
    0.8
    """
    return _f1(compared_tokens(expected), compared_tokens(answer))


def word_f1(expected: str, answer: str) -> float:
    """``token_f1`` with Chinese compared by words.

    >>> token_f1("北京", "京北"), word_f1("北京", "京北")
    (1.0, 0.0)
    """
    return _f1(compared_tokens(expected, chinese="word"), compared_tokens(answer, chinese="word"))


def _f1(expected: Sequence[Token], answer: Sequence[Token]) -> float:
    equal = Counter(expected) & Counter(answer)
    shared = sum(equal.values())
    # only the forms of Russian words can be the same without being equal
    missing = [token for token in (Counter(expected) - equal).elements() if token.form]
    rest = [token for token in (Counter(answer) - equal).elements() if token.form]
    for token in missing:
        same = next((other for other in rest if token.is_same(other)), None)
        if same is not None:
            rest.remove(same)
            shared += 1
    return 2 * shared / (len(expected) + len(answer)) if shared else 0.0
