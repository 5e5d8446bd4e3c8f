"""Terms of a text for lexical search, in the manner of each script.

Chinese is cut into words by rjieba, Russian and English words are reduced to Snowball stems,
and every number is one term however it is written. Character n-grams beside the words catch
what stems and word lists miss.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final

from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.normalise import normalised
from assay.text.number import numbers

_RUNS: Final = (
    rf"(?P<han>[{HAN}]+)|(?P<ru>[{CYRILLIC}]+)|(?P<en>[{LATIN}]+(?:'[{LATIN}]{{1,2}}\b)?)"
    rf"|(?P<other>[^\W{HAN}{CYRILLIC}{LATIN}]+)"
)
_RUN: Final = re.compile(_RUNS)
_CODE_OR_RUN: Final = re.compile(
    rf"(?P<code>[{CYRILLIC}{LATIN}]+[0-9][{CYRILLIC}{LATIN}0-9]*)|{_RUNS}"
)
_DIGIT: Final = re.compile("[0-9]")
_STEMMED: Final = frozenset({"ru", "en"})
CHINESE_SIZE: Final = 2
"""Size of the n-grams of Chinese in ``search_terms``."""
OTHER_SIZE: Final = 4
"""Size of the n-grams of everything else in ``search_terms``."""


def words(text: str) -> list[str]:
    """The words of ``text`` in order, as search should compare them.

    Chinese words, Russian and English stems, numbers as canonical digits; case, width, ё and
    punctuation make no difference.

    >>> words("Договоры на 42 000 руб.; the contracts, 四万二千元违约金")
    ['договор', 'на', '42000', 'руб', 'the', 'contract', '42000', '元', '违约金']
    """
    return _words(_runs(text))


def search_terms(text: str) -> list[str]:
    """Words and n-grams together, told apart by ``w:`` and ``g:``, for an index or a query.

    N-grams are of two characters in Chinese and of four elsewhere. They are taken from runs of
    Chinese, and from stretches of other words and numbers with one space between and around
    them, so that an n-gram may say where a word begins or which word comes next. Punctuation is
    left out; a stretch shorter than the size gives no n-gram.

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
    """The Snowball stem of one normalised word, Russian or English by its letters."""
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


def _runs(text: str) -> list[tuple[str, str]]:
    """Numbers and runs of one script in order, normalised and folded, each with its kind."""
    out: list[tuple[str, str]] = []
    position = 0
    for number in numbers(text):
        _add_runs(out, text[position : number.start])
        out.append(("number", number.canonical))
        position = number.end
    _add_runs(out, text[position:])
    return out


def _add_runs(out: list[tuple[str, str]], text: str) -> None:
    if text:
        form = normalised(text, fold_case=True)
        # Digits that are no numbers are rare, and looking for codes everywhere is slow.
        pattern = _RUN if _DIGIT.search(form) is None else _CODE_OR_RUN
        out.extend([(match.lastgroup or "", match.group()) for match in pattern.finditer(form)])


def _stretches(runs: Iterable[tuple[str, str]]) -> Iterator[tuple[bool, str]]:
    """What n-grams are taken from, each with whether it is Chinese."""
    for chinese, group in groupby(runs, key=lambda run: run[0] == "han"):
        if chinese:
            yield from ((True, run) for _, run in group)
        else:
            yield False, f" {' '.join(run for _, run in group)} "


def _grams(stretch: str, size: int) -> list[str]:
    grams = [stretch[place : place + size] for place in range(len(stretch) - size + 1)]
    return grams if size > 1 else [gram for gram in grams if gram != " "]


@cache
def _cut() -> Callable[[str], list[str]]:
    # Loaded at first use: its dictionary is worth it only to those who have Chinese text.
    import rjieba  # noqa: PLC0415

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut


@lru_cache(maxsize=1 << 16)
def _stem(word: str, script: str) -> str:
    return str(_stemmer(script).stemWord(word))


@cache
def _stemmer(script: str) -> Any:
    # Loaded at first use, to keep the import of this package light.
    import Stemmer  # type: ignore[import-not-found]  # noqa: PLC0415

    return Stemmer.Stemmer("russian" if script == "ru" else "english")
