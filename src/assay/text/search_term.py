"""The terms of a text for lexical search; each script has its own rules.

rjieba cuts Chinese into words, Russian and English words are reduced to Snowball stems, and a
number is the same term in every notation. In addition to words, there are character n-grams: they
match in cases where stems and dictionaries fail.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.language import simplified
from assay.text.lexicon import lazy_pattern, word_set
from assay.text.normalise import Span, normalised
from assay.text.number import numbers, same_value
from assay.text.number_word import is_part_of_value
from assay.text.sentence import Piece, dated_pieces, literal_pieces, pieces

# The words of a text as a reader compares them, with their places.
#
# Case, character width, accents of Latin letters, ё or е and traditional or simplified characters make no
# difference. Russian and English words are reduced to Snowball stems; each Chinese character is a
# token of its own, so that nothing depends on where a segmenter cuts.

_TOKEN: Final = re.compile(
    rf"\d+(?:[.,:]\d+)*|[{HAN}]|[^\W\d_{HAN}]+(?:['’][^\W\d_{HAN}]{{1,2}}\b)?"
)
_LATIN_ACCENT: Final = re.compile(r"[\u0300-\u036f]")
_FLEETING: Final = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])[ое](?=[кцнл]\Z)")
"""The vowel that comes and goes: рынок, рынка."""
_SURNAME: Final = re.compile(r"(\w{2,}(?:ов|ев|ин|ын))(?:а|у|ым|е|ой|ы|ых|ыми)?")
"""The stemmer reads «Иванов» as a plural of «Иван»."""
_CYRILLIC: Final = re.compile(f"[{CYRILLIC}]")
_HAN: Final = re.compile(f"[{HAN}]")


class Token(NamedTuple):
    """A word, a Chinese character or a group of digits.

    ``word`` is the folded word, ``key`` its stem (what two texts are compared by). It is a tuple because a text has many.
    """

    key: str
    word: str
    start: int
    end: int

    @property
    def is_digits(self) -> bool:
        """Whether the token is written in digits."""
        return self.word[0].isdecimal()

    @property
    def is_small(self) -> bool:
        """Whether the token is a word without content of its own: an article, a preposition."""
        return self.word in word_set("small")


def tokens(text: str) -> list[Token]:
    """The tokens of ``text`` in order.

    >>> [token.key for token in tokens("The Contracts of 1 200,50; Röntgen, договоры, 違約")]
    ['the', 'contract', 'of', '1', '200,50', 'rontgen', 'договор', '违', '约']
    """
    return [
        Token(*_folded(match.group()), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]


def is_han(token: Token) -> bool:
    """Whether the token is a Chinese character."""
    return "\u3400" <= token.word <= "\u9fff"


def units(words: Sequence[Token]) -> Iterator[str]:
    """What is compared where the order does not matter: words, and pairs of Chinese characters.

    A single Chinese character says little, so two that are together are one unit.

    >>> list(units(tokens("a lease 租赁合同")))
    ['a', 'leas', '租赁', '赁合', '合同']
    """
    for index, token in enumerate(words):
        if not is_han(token):
            yield token.key
            continue
        before = words[index - 1] if index else None
        after = words[index + 1] if index + 1 < len(words) else None
        if after is not None and is_han(after) and after.start == token.end:
            yield token.key + after.key
        elif before is None or not is_han(before) or before.end != token.start:
            yield token.key


@lru_cache(maxsize=512)
def content_units(text: str) -> tuple[str, ...]:
    """The units of the words that are not small, in order; of all if every one is ("The Who")."""
    found = tokens(text)
    return tuple(units([token for token in found if not token.is_small] or found))


@lru_cache(maxsize=1 << 16)
def _folded(word: str) -> tuple[str, str]:
    """The stem and the folded form of a word."""
    if _HAN.match(word):
        form = simplified(word)
        return form, form
    form = unicodedata.normalize("NFKC", word).casefold().replace("ё", "е").replace("’", "'")
    if form[0].isdecimal():
        return form, form
    if _CYRILLIC.match(form):
        surname = _SURNAME.fullmatch(form) if word[0].isupper() else None
        key = surname[1] if surname else _FLEETING.sub("", stemmer("russian")(form))
        return key, form
    form = _LATIN_ACCENT.sub("", unicodedata.normalize("NFD", form))
    form = form.removesuffix("'s").replace("'", "")
    return stemmer("english")(form), form


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """The Snowball stemmer of a language by its English name, for words in small letters."""
    # Imported at first use, to keep the import of this package fast.
    import Stemmer  # type: ignore[import-not-found]  # noqa: PLC0415

    stem: Callable[[str], str] = Stemmer.Stemmer(language).stemWord
    return stem


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
_MOST_STEMS: Final = 1 << 16
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
    found, letters = words_and_letters(text)
    return [*[f"w:{word}" for word in found], *[f"g:{gram}" for gram in ngrams(letters)]]


def ngrams(letters: Iterable[tuple[int, str]]) -> Iterator[str]:
    """The n-grams of runs of letters, each run with the size of its n-grams."""
    for size, run in letters:
        yield from [run[start : start + size] for start in range(len(run) - size + 1)]


def words_and_letters(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """The words of ``text``, and the runs of letters whose n-grams are terms, with their sizes.

    >>> words_and_letters("违约金 Статья")
    (['违约金', 'стат'], [(2, '违约金'), (4, ' статья ')])
    """
    runs = _runs(text)
    sizes = [(CHINESE_SIZE if han else OTHER_SIZE, run) for han, run in _runs_of_script(runs)]
    return _words(runs), sizes


def stem(word: str) -> str:
    """The Snowball stem of a normalised word: Russian if it begins with Cyrillic, else English."""
    return _STEMS["ru" if re.match(f"[{CYRILLIC}]", word) else "en"][word]


def _words(runs: Iterable[tuple[str, str]]) -> list[str]:
    out: list[str] = []
    for kind, run in runs:
        if kind == "han":
            out.extend(_cut()(run))
        elif kind in _STEMS:
            out.append(_STEMS[kind][run])
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


def _runs_of_script(runs: Iterable[tuple[str, str]]) -> Iterator[tuple[bool, str]]:
    """Yield the texts from which n-grams are taken, each with whether it is Chinese."""
    for chinese, group in groupby(runs, key=lambda run: run[0] == "han"):
        if chinese:
            yield from ((True, run) for _, run in group)
        else:
            yield False, f" {' '.join(run for _, run in group)} "


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


class _Stems(dict[str, str]):
    """The stems of words that were seen."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        stemmed = self[word] = stemmer(self._language)(word)
        return stemmed


_STEMS: Final = {"ru": _Stems("russian"), "en": _Stems("english")}


# Whether and where a text contains a phrase, from the view of a reader.

_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_ARTICLES: Final = frozenset({"a", "an", "the"})


def find_phrase(phrase: str, text: str, *, simplify: bool = False) -> Span | None:
    """The span of the first occurrence of ``phrase`` in ``text``, or ``None`` if there is none.

    * Differences in case, ё/е, character width, quotes, dashes and white space are ignored. In
      Chinese, spaces are ignored completely.
    * Words match only as a whole (``art`` is not in ``start``) and in the same inflection.
      Chinese has no word boundaries.
    * Numbers match by value, in any notation, and never as a part of another number: ``235`` is
      in ``235,0`` but not in ``1235``. If the phrase has a unit, the text must have it, too
      (``5%`` is not in ``5``); a number without a unit matches a number with any unit. Percentage
      points are not percent.
    * A number word, an ordinal or a version never matches as a part of a longer one: ``пятого мая``
      is not in ``двадцать пятого мая``, and ``v1.2`` is not in ``v1.2.3``.
    * Dates match in any notation.
    * A word that is hyphenated at the end of a line matches the whole word.
    * Sentence punctuation at both ends of the phrase is ignored, unless the phrase consists only
      of punctuation (``??``).

    An empty phrase has no occurrence.

    >>> find_phrase("42000元", "共计四万二千元。")
    Span(start=2, end=7)
    >>> find_phrase("235", "1235") is None
    True
    """
    # If the phrase contains no number, the text is not searched for numbers: "млн руб" is in
    # "235 млн руб.", although it is a part of a number there.
    numeric = any(piece.number for piece in pieces(phrase, simplify=simplify))
    cuts = (pieces, dated_pieces) if numeric else (literal_pieces,)
    for hyphens in ([], list(_HYPHENATED.finditer(text))):
        joined_text = _HYPHENATED.sub("", text) if hyphens else text
        for cut in cuts:
            phrase_pieces = _without_outer_marks(cut(phrase, simplify=simplify))
            span = _first_occurrence(
                phrase_pieces, cut(joined_text, simplify=simplify), joined_text
            )
            if span is not None:
                return _original_span(span, hyphens)
    return None


def exact_match(a: str, b: str, *, simplify: bool = False) -> bool:
    """Whether two answers have the same words in the same order.

    These differences are ignored: case, character width, ё or е, white space, punctuation,
    English articles, and how numbers and dates are written. Inflection is not ignored.

    >>> exact_match("四万二千元。", "42,000 元"), exact_match("в Москве", "Москва")
    (True, False)
    """
    return _keys(a, simplify=simplify) == _keys(b, simplify=simplify)


def _keys(text: str, *, simplify: bool) -> list[str]:
    keys = [piece.key for piece in dated_pieces(text, simplify=simplify) if not piece.is_mark]
    # If the whole answer is "A", it is the letter and not an article.
    return [key for key in keys if key not in _ARTICLES] or keys


def _without_outer_marks(parts: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces without punctuation at both ends; unchanged if there is only punctuation."""
    marks = {".", ",", ";", ":", "!", "?", '"', "'", "、"}
    first, last = 0, len(parts)
    while first < last and parts[first].key in marks:
        first += 1
    while last > first and parts[last - 1].key in marks:
        last -= 1
    return parts[first:last] if first < last else parts


def _first_occurrence(phrase: Sequence[Piece], parts: Sequence[Piece], text: str) -> Span | None:
    """The first occurrence that is not a part of a longer number, ordinal or version."""
    size = len(phrase)
    if not size:
        return None
    for index in range(len(parts) - size + 1):
        window = parts[index : index + size]
        if all(map(_matches, phrase, window)):
            start, end = min(piece.start for piece in window), max(piece.end for piece in window)
            if not is_part_of_value(text, start, end):
                return Span(start=start, end=end)
    return None


def _matches(expected: Piece, actual: Piece) -> bool:
    """Whether a piece of the text matches a piece of the phrase."""
    if expected.number is not None:
        return actual.number is not None and same_value(expected.number, actual.number)
    if expected.unit is not None:
        return expected.unit == actual.unit
    if actual.unit is not None:
        return expected.key == actual.literal
    return actual.number is None and expected.key == actual.key


def _original_span(span: Span, hyphens: Sequence[re.Match[str]]) -> Span:
    """The span in the original text, from the span in the text without hyphens at line ends."""
    start, end = span.start, span.end
    for hyphen in hyphens:
        size = hyphen.end() - hyphen.start()
        if hyphen.start() <= start:
            start += size
        if hyphen.start() < end:
            end += size
    return Span(start=start, end=end)
