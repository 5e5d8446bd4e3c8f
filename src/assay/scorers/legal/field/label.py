"""Values with a label: vitamin B12, bus 14, MIT许可证.

The label tells one thing from the others of its kind, so it can never be left out. The word for the
kind can, if the question has said it: "Which vitamin is missing?" – "B12".
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_CODE: Final = re.compile(
    rf"(?<![°\d])(?<!\d )(?<![^\W{HAN}]-)(?<![^\W{HAN}])(?:[A-ZА-ЯЁ]|[A-ZА-ЯЁ]{{0,3}}-?\d+[A-ZА-ЯЁ]?)(?![^\W{HAN}]|[-.]\d)"
)
_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9.+#-]*")
_HAN: Final = re.compile(f"[{HAN}]+")
_SIGN: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.number_sign')})\s?")
_ORDINAL_END: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.ordinal_suffix')})?")
_END: Final = re.compile(r"\s*(?:[,.;:!?)，。；：！？）]|\Z)")
_SENTENCE_START: Final = re.compile(r"(?:\A|[.!?]\s)\Z")
_NEXT_WORD: Final = re.compile(r"\s[a-zа-яё]")


@cache
def _twins() -> dict[int, int]:
    """Latin letters for the Cyrillic ones that look or sound alike."""
    one, other = (word_list(f"form.twin_{name}", "ru") for name in ("letters", "latin"))
    return str.maketrans("".join(one), "".join(other))


@cache
def _labels(wording: str) -> tuple[str, ...]:
    """The labels of a text: letters and figures that stand for themselves."""
    found = [match.group() for match in _CODE.finditer(wording)]
    if _HAN.search(wording):
        found += _LATIN.findall(wording)
    has_words = re.search(r"[^\W\d_]{2,}", wording) is not None
    return tuple(dict.fromkeys(found)) if has_words else ()


def has_labels(wording: str, text: str) -> bool:
    """Whether ``text`` has all labels of ``wording``; a number is compared elsewhere.

    >>> has_labels("vitamin C", "It lacks vitamin D."), has_labels("vitamin C", "No vitamin C.")
    (False, True)
    """
    needed = [label for label in _labels(wording) if not label.isdigit()]
    return all(any(True for _ in _places(label, text)) for label in needed)


def _places(label: str, text: str) -> Iterator[Span]:
    pattern = rf"(?<![^\W{HAN}]){re.escape(label.translate(_twins()))}(?![^\W{HAN}])"
    for match in re.finditer(pattern, text.translate(_twins()), re.IGNORECASE):
        if len(label) > 1 or match.group().isupper():
            yield Span(start=match.start(), end=match.end())


def label_mentions(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """The spans of ``text`` with the label of ``wording`` alone, if the question names its kind.

    >>> text = "A lack of B12"
    >>> [span.of(text) for span in label_mentions("vitamin B12", text, "Which vitamin is it?")]
    ['B12']
    """
    labels = _labels(wording)
    if question is None or len(labels) != 1:
        return
    label = labels[0]
    if label.isdigit() and not wording.rstrip(" .").endswith(label):
        return  # 12 years count something
    kind = wording.replace(label, " ").strip()
    if _HAN.search(wording):
        is_asked = kind in question or kind[-2:] in question
    else:
        is_asked = bool(content_words(kind)) and content_words(kind) <= content_words(question)
    if is_asked:
        yield from (span for span in _places(label, text) if _stands_alone(label, text, span))


def _stands_alone(label: str, text: str, span: Span) -> bool:
    """Whether a number counts nothing, and a letter is no article at the beginning of a sentence."""
    before = text[: span.start]
    if not label.isdigit():
        is_word = len(label) == 1 and _NEXT_WORD.match(text, span.end) is not None
        return not (is_word and _SENTENCE_START.search(before))
    if re.search(rf"(?:{_SIGN.pattern})\Z", before, re.IGNORECASE):
        return True
    suffix = _ORDINAL_END.match(text, span.end)
    return _END.match(text, suffix.end() if suffix else span.end) is not None
