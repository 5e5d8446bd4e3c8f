"""Names that contain the expected one and are those of others: Ромашка-Сервис, Нижний Новгород, Иванова."""

import re
from functools import cache
from typing import Final

from assay.text import CYRILLIC, HAN, LATIN, Span, normalised, tagged_words
from assay.text.lexicon import alternatives, expressions, lazy_pattern

_HYPHEN_AFTER: Final = re.compile("[-\u2010\u2011](?=[A-ZА-ЯЁ])")
_HYPHEN_BEFORE: Final = re.compile(rf"[{CYRILLIC}{LATIN}][-\u2010\u2011]\Z")
_WORD_BEFORE: Final = re.compile(rf"([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]*)[ \u00a0-]\Z")
_QUOTED: Final = re.compile(r"[«“\"]([^«»“”\"]{1,60})[»”\"]")
_MOST_QUOTED_WORDS: Final = 4
_LONGER_BEFORE: Final = lazy_pattern(lambda: alternatives("open_answer.longer_before"))
_LONGER_AFTER: Final = lazy_pattern(
    lambda: rf"\s(?:{alternatives('open_answer.longer_after')})(?![\w-])"
)
_WOMAN_BEFORE: Final = lazy_pattern(lambda: alternatives("open_answer.woman_before", "ru"))
_WOMAN_VERB: Final = lazy_pattern(lambda: alternatives("open_answer.woman_verb", "ru"))
_OTHER_SUBJECT: Final = lazy_pattern(lambda: alternatives("open_answer.other_subject", "ru"))
_MAN_SURNAME: Final = lazy_pattern(lambda: alternatives("open_answer.man_surname", "ru"))
_WHOSE: Final = lazy_pattern(lambda: alternatives("open_answer.whose_asked", "ru"))
_FIRM_AFTER: Final = lazy_pattern(lambda: alternatives("open_answer.firm_after", "zh"))
_FIRM_KIND: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.firm_kind', 'zh')})")
_FIRM_ASKED: Final = lazy_pattern(lambda: alternatives("open_answer.firm_asked", "zh"))
_CLAUSE: Final = re.compile(r"[^,;:.!?()\n]*")
_CLAUSE_BEFORE: Final = re.compile(r"[^,;:.!?()\n]*\Z")
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_WORD: Final = re.compile(r"\w")
_GIVEN: Final = ("ng", "nr", "nz", "g")
"""Tags of a single character that may be the last one of a name."""
_FORM: Final = 48
"""So many characters has a legal form at most."""
_FULL_NAME: Final = 3
"""So many characters has a Chinese name with a given name of two."""


def is_other_name(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether the mention is a part of a longer name, or the same surname of a woman.

    >>> is_other_name("Газпром", "«Газпром нефть»", Span(start=1, end=8), "")
    True
    >>> is_other_name("Новгород", "в Нижнем Новгороде", Span(start=9, end=18), "")
    True
    """
    said = mention.of(text)
    if _HAN_RUN.fullmatch(said):
        return _is_longer_han_name(text, mention)
    if not _is_name(expected):
        return False
    return (
        _HYPHEN_AFTER.match(text, mention.end) is not None
        or _HYPHEN_BEFORE.search(text, max(0, mention.start - 2), mention.start) is not None
        or _is_longer_name(text, mention)
        or _is_other_sex(expected, text, mention, question)
    )


def _is_name(expected: str) -> bool:
    """Whether the last word begins with a capital letter and has others."""
    last = expected.strip(" .«»“”\"'").split()[-1:]
    return bool(last) and last[0].lstrip("«“\"'")[:1].isupper() and len(last[0]) > 1


def _is_longer_name(text: str, mention: Span) -> bool:
    said = mention.of(text)
    before = _WORD_BEFORE.search(text, max(0, mention.start - 24), mention.start)
    if before and said[:1].isupper() and _LONGER_BEFORE.fullmatch(before[1]):
        return True
    if said[:1].isupper() and _LONGER_AFTER.match(text, mention.end):
        return True
    return any(
        match.start(1) <= mention.start < mention.end < match.end(1)
        and not _WORD.search(text, match.start(1), mention.start)
        and _WORD.search(text, mention.end, match.end(1)) is not None
        and len(match[1].split()) <= _MOST_QUOTED_WORDS
        for match in _QUOTED.finditer(text)
    )


def _is_other_sex(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether one is the surname of a man and the other that of a woman: Петров, Петрова.

    The form of the woman is also that of the man in another case, so it must be a subject.
    """
    known, told = (
        normalised(name.split()[-1].strip(" .,;:!?«»\"'"), fold_case=True)
        for name in (expected, mention.of(text) or expected)
    )
    if known == told or _WHOSE.search(question):
        return False
    if known == told + "а":
        return _MAN_SURNAME.fullmatch(told) is not None
    if told != known + "а" or _MAN_SURNAME.fullmatch(known) is None:
        return False
    if _WOMAN_BEFORE.search(text, 0, mention.start):
        return True
    before = _CLAUSE_BEFORE.search(text, 0, mention.start)
    after = _CLAUSE.match(text, mention.end)
    rest = f"{before.group() if before else ''} {after.group() if after else ''}"
    if not _WORD.search(text[: mention.start] + text[mention.end :]):
        return True
    verb = _WOMAN_VERB.search(rest)
    others = _WOMAN_VERB.sub(" ", rest)
    return verb is not None and _OTHER_SUBJECT.search(others) is None


def _is_longer_han_name(text: str, mention: Span) -> bool:
    """Whether a place goes on as a company, or a full name of a person has one more character."""
    phrase = mention.of(text)
    tags = tagged_words(phrase)
    run = _HAN_RUN.match(text, mention.end)
    if run is None or len(tags) != 1:
        return False
    if tags[0][1] == "ns":
        return _FIRM_AFTER.match(text, mention.end) is not None
    rest = run.group()
    is_person = tags[0][1].startswith("nr") and len(phrase) == _FULL_NAME
    return is_person and len(rest) == 1 and tagged_words(rest)[0][1] in _GIVEN


@cache
def _legal_forms() -> tuple[re.Pattern[str], ...]:
    sources = expressions("open_answer.legal_forms")
    return tuple(
        re.compile(rf"(?<![^\W\d_{HAN}]){form}|{form}(?![^\W\d_{HAN}])", re.IGNORECASE)
        for form in sources
    )


def firm_core(expected: str) -> str:
    """The name of a company without its legal form; empty if there is none.

    >>> firm_core("ООО «Вектор»"), firm_core("Acme Ltd."), firm_core("Acme")
    ('Вектор', 'Acme', '')
    """
    plain = expected.strip(" .")
    for form in _legal_forms():
        match = form.search(plain)
        if match and not (match.start() and match.end() < len(plain)):
            core = (plain[: match.start()] + plain[match.end() :]).strip(" ,.«»“”\"'")
            return core if _is_name(core) or _HAN_RUN.fullmatch(core) else ""
    return ""


def has_other_form(expected: str, text: str, mention: Span) -> bool:
    """Whether the company at ``mention`` has another legal form than ``expected``.

    >>> has_other_form("ООО «Вектор»", "АО «Вектор»", Span(start=4, end=10))
    True
    """
    before = text[max(0, mention.start - _FORM) : mention.start].rstrip("«“\"' ") + " "
    after = text[mention.end : mention.end + _FORM].lstrip("»”\"'")
    for form in _legal_forms():
        is_beside = form.match(after) or any(m.end() == len(before) for m in form.finditer(before))
        if is_beside:
            return form.search(expected) is None
    return False


def is_full_firm_name(text: str, mention: Span, question: str) -> bool:
    """Whether the Chinese short name of a company goes on as its full name.

    >>> is_full_firm_name("华为技术有限公司", Span(start=0, end=2), "哪家公司？")
    True
    """
    if not _FIRM_ASKED.search(question) or _HAN_RUN.fullmatch(mention.of(text)) is None:
        return False
    tags = tagged_words(mention.of(text))
    is_place = any(tag == "ns" for _, tag in tags)
    return not is_place and _FIRM_KIND.match(text, mention.end) is not None
