"""The words of a text as a reader compares them, with their places.

Case, character width, accents of Latin letters, ё or е and traditional or simplified characters make no
difference. Russian and English words are reduced to Snowball stems; each Chinese character is a
token of its own, so that nothing depends on where a segmenter cuts.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from assay.text.character import CYRILLIC, HAN
from assay.text.lists import word_set
from assay.text.simplified import simplified

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

    A single Chinese character says little, so two that stand together are one unit.

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
