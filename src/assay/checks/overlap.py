"""How many tokens an answer shares with an accepted one: exact match and F1.

English follows the definition of SQuAD (Rajpurkar et al. 2016): lower case, without punctuation
and articles. Chinese is compared by characters, or by words; Russian by stems. A number or a date is
its value, however it is written, with its currency or percent sign.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from assay.text.citation import without_citations
from assay.text.date import read_dates as dates
from assay.text.lexicon import word_set
from assay.text.normalise import Ranges
from assay.text.number import Number, numbers
from assay.text.search_term import Token, tagged_words, tokens

Cut: TypeAlias = Literal["character", "word"]
"""How Chinese is cut."""


def answer_tokens(text: str, *, chinese: Cut = "character") -> list[str]:
    """The tokens of an answer in order; articles only if there is nothing else.

    >>> answer_tokens("The U.S. pays 42,000 [1]."), answer_tokens("30 августа 2020 г.")
    (['u', 's', 'pays', '42000'], ['2020-08-30'])
    >>> answer_tokens("违约金为四万二千元", chinese="word")
    ['违约金', '为', '42000 CNY']
    """
    plain = without_citations(text, pages=True)
    values = [(date.start, date.end, date.iso) for date in dates(plain)]
    dated = Ranges((start, end) for start, end, _ in values)
    values += [
        (*_place(number), _key(number)) for number in numbers(plain) if number.start not in dated
    ]
    found: list[str] = []
    position = 0
    for start, end, key in sorted(values):
        found += _words(plain, position, start, chinese)
        found.append(key)
        position = max(position, end)
    found += _words(plain, position, len(plain), chinese)
    return [key for key in found if key not in word_set("articles")] or found


def is_exact(expected: str, answer: str) -> bool:
    """Whether both have the same tokens in the same order; a bare number is that number with any unit.

    >>> is_exact("42000", "4.2万元。"), is_exact("Москва", "Москвы"), is_exact("Paris", "Not Paris")
    (True, True, False)
    """
    wanted, given = answer_tokens(expected), answer_tokens(answer)
    if not wanted:
        return expected.strip() == answer.strip()
    return wanted == given or wanted == [key.split(" ")[0] for key in given]


def token_f1(expected: str, answer: str, *, chinese: Cut = "character") -> float:
    """The harmonic mean of precision and recall of tokens, each counted as often as it occurs.

    0.0 if no token is shared. Source: Rajpurkar et al. (2016).

    >>> token_f1("the red gate", "a red, red gate")
    0.8
    >>> token_f1("北京", "京北"), token_f1("北京", "京北", chinese="word")
    (1.0, 0.0)
    """
    wanted = Counter(answer_tokens(expected, chinese=chinese))
    given = Counter(answer_tokens(answer, chinese=chinese))
    shared = (wanted & given).total()
    return 2 * shared / (wanted.total() + given.total()) if shared else 0.0


def _place(number: Number) -> tuple[int, int]:
    unit = number.unit_span
    if unit is None:
        return number.start, number.end
    return min(number.start, unit.start), max(number.end, unit.end)


def _key(number: Number) -> str:
    unit = number.currency or number.unit
    return f"{number.canonical} {unit}" if unit else number.canonical


def _words(text: str, start: int, end: int, chinese: Cut) -> Iterator[str]:
    found: Sequence[Token] = tokens(text[start:end])
    if chinese == "character":
        yield from map(_compared, found)
        return
    for is_han, run in groupby(found, lambda token: "\u3400" <= token.word <= "\u9fff"):
        if is_han:
            yield from (word for word, _ in tagged_words("".join(token.word for token in run)))
        else:
            yield from map(_compared, run)


def _compared(token: Token) -> str:
    """Russian words by their stems, others as they are written."""
    return token.key if "\u0400" <= token.word[0] <= "\u052f" else token.word
