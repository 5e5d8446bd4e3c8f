"""The terms of a text for lexical search; each script has its own rules.

rjieba cuts Chinese into words, Russian and English words are reduced to Snowball stems, and a
number is the same term in every notation. In addition to words, there are character n-grams: they
match in cases where stems and dictionaries fail.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.lexicon import lazy_pattern
from assay.text.normalise import normalised
from assay.text.number import numbers
from assay.text.token import stemmer

_RUNS: Final = (
    rf"(?P<han>[{HAN}]+)|(?P<ru>[{CYRILLIC}]+)|(?P<en>[{LATIN}]+(?:'[{LATIN}]{{1,2}}\b)?)"
    rf"|(?P<other>[^\W{HAN}{CYRILLIC}{LATIN}]+)"
)
_RUN: Final = lazy_pattern(_RUNS, re.NOFLAG)
_CODE_OR_RUN: Final = lazy_pattern(
    rf"(?P<code>[{CYRILLIC}{LATIN}]+[0-9][{CYRILLIC}{LATIN}0-9]*)|{_RUNS}", re.NOFLAG
)
_DIGIT: Final = lazy_pattern("[0-9]", re.NOFLAG)
_SURROGATE: Final = lazy_pattern("[\ud800-\udfff]", re.NOFLAG)
_MOST_REMEMBERED: Final = 4000  # characters: memory stays small, whatever is split
_STEMMED: Final = frozenset({"ru", "en"})
CHINESE_SIZE: Final = 2
"""The size of the n-grams of Chinese text in ``search_terms``."""
OTHER_SIZE: Final = 4
"""The size of the n-grams of all other text in ``search_terms``."""


def words(text: str) -> list[str]:
    """The words of ``text`` in order, in the form in which a search compares them.

    These are Chinese words, Russian and English stems, and numbers as canonical digits. Case,
    character width, ё or е and punctuation are ignored.

    >>> words("Договоры на 42 000 руб.; the contracts, 四万二千元违约金")
    ['договор', 'на', '42000', 'руб', 'the', 'contract', '42000', '元', '违约金']
    """
    return _words(_runs(text))


def search_terms(text: str) -> list[str]:
    """The words (with the prefix ``w:``) and n-grams (``g:``) of ``text``, for an index or a query.

    N-grams have two characters in Chinese and four in other scripts. They are taken from runs of
    Chinese characters, and from sequences of other words and numbers, with one space between and
    around the words. So an n-gram can contain the beginning of a word, or the end of one word and
    the beginning of the next. Punctuation is left out. A sequence that is shorter than the size
    has no n-gram.

    >>> search_terms("违约金 Статья")
    ['w:违约金', 'w:стат', 'g:违约', 'g:约金', 'g: ста', 'g:стат', 'g:тать', 'g:атья', 'g:тья ']
    """
    runs = _runs(text)
    terms = [f"w:{word}" for word in _words(runs)]
    for chinese, stretch in _stretches(runs):
        size = CHINESE_SIZE if chinese else OTHER_SIZE
        terms.extend([f"g:{gram}" for gram in _grams(stretch, size)])
    return terms


def stem(word: str) -> str:
    """The Snowball stem of a normalised word: Russian if it begins with Cyrillic, else English."""
    return _stem(word, "ru" if re.match(f"[{CYRILLIC}]", word) else "en")


def _words(runs: Iterable[tuple[str, str]]) -> list[str]:
    out: list[str] = []
    for kind, run in runs:
        if kind == "han":
            out.extend(_cut()(run))
        elif kind in _STEMMED:
            out.append(_stem(run, kind))
        else:
            out.append(run)
    return out


def _runs(text: str) -> tuple[tuple[str, str], ...]:
    """The numbers and the runs of one script in order, normalised, each with its kind."""
    return _recent_runs(text) if len(text) <= _MOST_REMEMBERED else _split(text)


@lru_cache(maxsize=512)
def _recent_runs(text: str) -> tuple[tuple[str, str], ...]:
    # A chunk is embedded, indexed and compared with questions, each time by its terms.
    return _split(text)


def _split(text: str) -> tuple[tuple[str, str], ...]:
    out: list[tuple[str, str]] = []
    position = 0
    for number in numbers(text):
        _add_runs(out, text[position : number.start])
        out.append(("number", number.canonical))
        position = number.end
    _add_runs(out, text[position:])
    return tuple(out)


def _add_runs(out: list[tuple[str, str]], text: str) -> None:
    if text:
        form = normalised(text, fold_case=True)
        # Digits that are not numbers are rare, and searching for codes in all text is slow.
        pattern = _RUN if _DIGIT.search(form) is None else _CODE_OR_RUN
        out.extend([(match.lastgroup or "", match.group()) for match in pattern.finditer(form)])


def _stretches(runs: Iterable[tuple[str, str]]) -> Iterator[tuple[bool, str]]:
    """Yield the texts from which n-grams are taken, each with whether it is Chinese."""
    for chinese, group in groupby(runs, key=lambda run: run[0] == "han"):
        if chinese:
            yield from ((True, run) for _, run in group)
        else:
            yield False, f" {' '.join(run for _, run in group)} "


def _grams(stretch: str, size: int) -> list[str]:
    grams = [stretch[start : start + size] for start in range(len(stretch) - size + 1)]
    return grams if size > 1 else [gram for gram in grams if gram != " "]


def tagged_words(text: str) -> list[tuple[str, str]]:
    r"""The words of a Chinese text with their parts of speech, as the segmenter tags them.

    The words together are ``text``, with ``\ufffd`` for each half of a broken surrogate pair, which
    the segmenter cannot encode. Tags that begin with ``n`` are nouns; ``nr``, ``ns``, ``nt`` and
    ``nz`` are people, places, organisations and other names.

    >>> tagged_words("签署于北京")
    [('签署', 'v'), ('于', 'p'), ('北京', 'ns')]
    """
    # Imported at first use, because only Chinese text needs its dictionary.
    import rjieba  # noqa: PLC0415

    tagged: list[tuple[str, str]] = rjieba.tag(_SURROGATE.sub("\ufffd", text))
    return tagged


@cache
def _cut() -> Callable[[str], list[str]]:
    # Imported at first use, because only Chinese text needs its dictionary.
    import rjieba  # noqa: PLC0415

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut


@lru_cache(maxsize=1 << 16)
def _stem(word: str, script: str) -> str:
    return stemmer("russian" if script == "ru" else "english")(word)
