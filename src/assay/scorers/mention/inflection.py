"""Whether a word is an inflected form of another one, in Russian and English.

Russian words are the same word if their Snowball stems are equal; a vowel that comes and goes
("рынок", "рынка") makes no difference. The English Snowball stemmer also joins different words
("organ", "organization"), so English forms are compared by their regular endings instead.
"""

import re
from typing import Final

from assay.text import CYRILLIC, Span, normalise, normalised, stem
from assay.text.number import is_part_of_value

_WORD: Final = re.compile(r"[^\W\d_]+")
_SINGLE: Final = re.compile(rf"(?:[{CYRILLIC}]+|[A-Za-z]+)")
_FLEETING: Final = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])[ое](?=[кцнл]\Z)")
_LEAST_LETTERS: Final = 3
_DOUBLED: Final = re.compile(r"([bdfglmnprt])\1\Z")


def inflected_span(word: str, text: str) -> Span | None:
    """The first form of ``word`` in ``text``; ``None`` if there is none or it is no single word.

    An abbreviation in capital letters has no forms.

    >>> inflected_span("миллион", "15,7 миллиона рублей"), inflected_span("органы", "организация")
    (Span(start=5, end=13), None)
    """
    wanted = word.strip()
    if not _SINGLE.fullmatch(wanted) or len(wanted) < _LEAST_LETTERS or wanted.isupper():
        return None
    key = normalised(wanted, fold_case=True)
    plain = normalise(text, fold_case=True)
    for match in _WORD.finditer(plain.text):
        is_form = is_form_of(key, match.group())
        if is_form and not is_part_of_value(plain.text, match.start(), match.end()):
            return plain.original_span(match.start(), match.end())
    return None


def is_form_of(word: str, other: str) -> bool:
    """Whether two normalised words are forms of one word.

    >>> is_form_of("отчет", "отчета"), is_form_of("report", "reported"), is_form_of("new", "renew")
    (True, True, False)
    >>> is_form_of("organ", "organization"), is_form_of("рынок", "рынка")
    (False, True)
    """
    if word == other:
        return True
    if re.match(f"[{CYRILLIC}]", word):
        return bool(re.match(f"[{CYRILLIC}]", other)) and _russian_stem(word) == _russian_stem(
            other
        )
    return not _english_roots(word).isdisjoint(_english_roots(other))


def _russian_stem(word: str) -> str:
    """The stem without a vowel that comes and goes, if enough of it remains."""
    base = stem(word)
    without = _FLEETING.sub("", base)
    return without if len(without) >= _LEAST_LETTERS else base


def _english_roots(word: str) -> set[str]:
    """The words of which ``word`` may be a regular form, and itself."""
    roots = {word}
    for ending, added in (
        ("'s", ""), ("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"),
        ("ing", ""), ("ing", "e"),
    ):  # fmt: skip
        base = word.removesuffix(ending)
        if base != word and len(base) >= _LEAST_LETTERS:
            roots.add(base + added)
            if ending in {"ed", "ing"}:
                roots.add(_DOUBLED.sub(r"\1", base))
    return roots
