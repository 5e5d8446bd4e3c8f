"""Whether an answer names a person, place or organisation, in any form of the name.

Russian and English names are compared word by word, without their endings. A part of the name
(a surname, a surname with initials) is enough if no word next to it in the answer contradicts
the rest of the name, and if the document has no other person with that part in the name. A
Chinese name must appear unchanged; only the legal form of an organisation may be left out.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from assay.scorers.legal.clause import is_about, is_negated
from assay.scorers.legal.verdict import FieldVerdict, asserted_candidates
from assay.scorers.value import is_starter, titles
from assay.text import (
    CYRILLIC,
    HAN,
    LATIN,
    Ranges,
    Span,
    continues_as_longer_word,
    normalise,
    normalised,
    said_text,
    same_word,
    stem,
    with_plain_e,
)
from assay.text.lexicon import alternatives, expressions, lazy_pattern, word_list

_WORD: Final = re.compile(rf"[{CYRILLIC}{LATIN}]+(?:[-'’][{CYRILLIC}{LATIN}]+)*")
_RUN: Final = re.compile(
    rf"(?:[A-ZА-ЯЁ][{CYRILLIC}{LATIN}'’-]*\.?)(?:[ \u00a0]?[A-ZА-ЯЁ][{CYRILLIC}{LATIN}'’-]*\.?)*"
)
_QUOTED: Final = re.compile('[«“"](?P<name>[^»”"]+)[»”"]')
_FIGURE: Final = re.compile(r"[0-9]|\b[IVXLC]{2,}\b")
_OR_BEFORE: Final = lazy_pattern(lambda: alternatives("entity.or_before"), re.NOFLAG)
_OR_AFTER: Final = lazy_pattern(lambda: alternatives("entity.or_after"), re.NOFLAG)
_SURNAME_RU: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('name.surname_ending', 'ru')})\Z", re.NOFLAG
)
_CASE_RU: Final = lazy_pattern(lambda: alternatives("name.case_ending", "ru"), re.NOFLAG)
_COPULA_ZH: Final = lazy_pattern(lambda: alternatives("clause.copula_before", "zh"), re.NOFLAG)
_LEGAL_ZH: Final = lazy_pattern(lambda: alternatives("name.legal_form", "zh"), re.NOFLAG)


@cache
def _small() -> frozenset[str]:
    """Words inside a name that are not written with a capital letter."""
    return frozenset(word_list("name.small_words"))


@cache
def _organisation_words() -> frozenset[str]:
    return frozenset(word_list("name.organisation_words"))


@cache
def _legal_words() -> frozenset[str]:
    return frozenset(word_list("name.legal_words"))


@cache
def _legal_groups() -> tuple[frozenset[str], ...]:
    """Legal words that mean the same form of company."""
    return tuple(frozenset(group.split()) for group in expressions("name.legal_groups"))


def entity_verdict(
    text: str, expected: str, context: Sequence[str] = (), *, question: str | None = None
) -> FieldVerdict:
    """Whether ``text`` asserts the name ``expected``; ``context`` are the document's pages.

    If ``question`` is known, the name must be in the clause that is about what was asked.

    >>> pages = ["Writes to Шведову Олегу Ильичу."]
    >>> entity_verdict("О. И. Шведову", "Шведов Олег Ильич", pages).holds
    True
    >>> entity_verdict("Not Hugh Orme but Ivo Pell", "Hugh Orme").holds
    False
    """
    said, shown = said_text(text), f"“{expected}”"
    text, expected = with_plain_e(said), with_plain_e(expected)
    context = tuple(map(with_plain_e, context))
    question = None if question is None else with_plain_e(question)
    spans = entity_spans(text, expected, context, question=question)
    if not spans:
        return FieldVerdict(holds=False, why=f"{shown} is not in the answer")
    others = _other_names(text, spans)
    unasked = [other for other in others if question is None or other.of(text) not in question]
    if question is not None:
        if not any(
            is_about(text, span, question, unasked or _chinese_others(text, span)) for span in spans
        ):
            return FieldVerdict(holds=False, why=f"{shown} is named for something else")
        if all(is_negated(text, span, expected, question) for span in spans):
            return FieldVerdict(holds=False, why=f"{shown} is named only to be denied")
    if all(_is_beside_or(text, span) for span in spans):
        return FieldVerdict(holds=False, why="several names, none decided on")
    is_right = [True] * len(spans) + [False] * len(others)
    verdict = asserted_candidates(text, [*spans, *others], is_right, shown)
    names = tuple(span.of(said) for span in spans)
    return FieldVerdict(holds=verdict.holds, found=names, why=verdict.why)


def entity_spans(
    text: str, expected: str, context: Sequence[str] = (), *, question: str | None = None
) -> list[Span]:
    """The spans of ``text`` that name ``expected``.

    A word of the name that the question has without a capital letter ("Which bank …?") is no
    surname, so it is not enough for the name.
    """
    if re.search(f"[{HAN}]", expected):
        return _chinese_spans(text, expected)
    all_words = [word for word in _folded_words(expected) if word not in _small()]
    # «арендатор» is a title before a name, and may be all that is expected.
    name_words = [word for word in all_words if word not in titles()] or all_words
    if not name_words:
        return []
    whole = list(whole_names(text, expected)) or list(_quoted_names(text, expected, question))
    asked = frozenset(word for word in _WORD.findall(question or "") if word.islower())
    if whole or not _may_be_person(expected, asked):
        return whole
    return [
        span for span in _name_runs(text) if _is_named(span.of(text), name_words, context, asked)
    ]


def _quoted_names(text: str, expected: str, question: str | None) -> Iterator[Span]:
    """Where ``text`` has only the name in quotation marks, whose kind the question has said: «Ольха»."""
    quoted = _QUOTED.search(expected)
    if quoted is None or question is None:
        return
    kinds = _folded_words(expected[: quoted.start()] + " " + expected[quoted.end() :])
    asked = _folded_words(question)
    if all(any(_is_same_word(kind, word) for word in asked) for kind in kinds):
        yield from whole_names(text, quoted["name"])


def whole_names(text: str, expected: str) -> Iterator[Span]:
    """The spans of ``text`` with all words of the name in a row, in any form of each word."""
    all_words = _folded_words(expected)
    name = [word for word in all_words if word not in titles()] or all_words
    name = [word for word in name if word not in _legal_words()] or name
    while name and name[0] in _small():
        del name[0]
    matches = list(_WORD.finditer(text))
    folded = [normalised(match.group(), fold_case=True) for match in matches]
    form = next((word for word in all_words if word in _legal_words()), None)
    for start in range(len(matches) - len(name) + 1 if name else 0):
        following = folded[start + len(name)] if start + len(name) < len(folded) else ""
        if all(map(_is_same_word, folded[start:], name)) and not _is_other_form(form, following):
            yield Span(start=matches[start].start(), end=matches[start + len(name) - 1].end())


def _is_other_form(expected: str | None, following: str) -> bool:
    """Whether the word after a company's name is another legal form than the expected one."""
    if expected is None or following not in _legal_words():
        return False
    same = next((group for group in _legal_groups() if expected in group), {expected})
    return following not in same


def _may_be_person(expected: str, asked: frozenset[str]) -> bool:
    """Whether the name may be that of a person, so that a part of it can be enough.

    The name of a person has no small word, no figure and no word for an organisation in it:
    "University of Paris", "Super Bowl XXXIII" and "Harbour Bank" have.
    """
    words = [word for word in _folded_words(expected) if word not in titles()]
    if _FIGURE.search(expected) or any(word in asked for word in words):
        return False
    return not any(word in _small() or word in _organisation_words() for word in words)


def _chinese_spans(text: str, expected: str) -> list[Span]:
    form = normalise(text, fold_case=True, simplify=True)
    full_name = normalised(expected, fold_case=True, simplify=True).replace(" ", "")
    short_name = _LEGAL_ZH.sub("", full_name)
    for name in (full_name, short_name if len(short_name) >= 3 else full_name):
        matches = re.finditer(r"\s*".join(map(re.escape, name)), form.text)
        spans = [form.original_span(*match.span()) for match in matches]
        whole = [span for span in spans if not continues_as_longer_word(text, span)]
        if whole:
            return whole
    return []


def _chinese_others(text: str, span: Span) -> list[Span]:
    """The whole text, which may contain another Chinese name, unless the name follows "is"."""
    if not re.search(f"[{HAN}]", span.of(text)) or _COPULA_ZH.search(text[: span.start]):
        return []
    return [Span(start=0, end=len(text))]


def _name_runs(text: str) -> list[Span]:
    """Runs of capitalised words or, if there are none, every single word in lower case."""
    runs = [_run_without_starter(m) for m in _RUN.finditer(text)]
    lower = [Span(start=m.start(), end=m.end()) for m in _WORD.finditer(text) if m[0].islower()]
    return runs or lower


def _run_without_starter(run: re.Match[str]) -> Span:
    """The run without its first word if that word only begins the sentence: "Not Hugh Orme"."""
    first, space, _ = run.group().partition(" ")
    start = run.start() + len(first + space) if space and is_starter(first) else run.start()
    return Span(start=start, end=run.end())


def _folded_words(text: str) -> list[str]:
    return [m.group() for m in _WORD.finditer(normalised(text, fold_case=True))]


def _is_same_word(first: str, second: str) -> bool:
    """Whether two words are equal apart from their endings."""
    if first == second or (stem(first) == stem(second) and len(first) > 2):
        return True
    # The stemmer does not know all endings of names: Шведов, Шведову; Тимохина, Тимохиной.
    is_cyrillic = "\u0400" <= first[0] <= "\u04ff" and "\u0400" <= second[0] <= "\u04ff"
    if is_cyrillic and same_word(first, second):
        return True
    shorter = min(len(first), len(second))
    if not is_cyrillic or shorter < 4 or first[: shorter - 2] != second[: shorter - 2]:
        return False
    common = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    return all(len(w) == common or _CASE_RU.fullmatch(w, common) for w in (first, second))


def _is_named(
    run: str, name_words: Sequence[str], context: Sequence[str], asked: frozenset[str]
) -> bool:
    """Whether a run of words is the expected name, or a part of it that is enough.

    ``asked`` are the words of the question that are not names; one of them may precede the name.
    """
    run_words = [word for word in _folded_words(run) if word not in titles() | _small()]
    matched = {
        name
        for name in name_words
        for word in run_words
        if len(word) > 1 and _is_same_word(word, name)
    }
    if not matched:
        return False
    rest = [name for name in name_words if name not in matched]
    if rest and not _has_surname(matched, name_words):
        return False
    foreign = [
        word
        for word in run_words
        if not any(_is_same_word(word, name) for name in matched)
        and not (len(word) == 1 and any(name.startswith(word) for name in rest))
    ]
    if foreign and (len(run_words) - len(foreign) < len(name_words) or len(name_words) < 2):
        # The first word of a sentence may precede the name: "Then Orme …".
        first = run_words[0]
        if foreign != [first] or any(first[0] == name[0] for name in rest):
            return False
        if rest and first not in asked and not is_starter(first):
            return False  # another first name
        if any(name[0].isalpha() for name in rest) and _is_known_name(first, context):
            return False
    initials = {word for word in run_words if len(word) == 1}
    return not rest or bool(initials) or not _is_shared(matched, name_words, context)


def _has_surname(matched: set[str], name_words: Sequence[str]) -> bool:
    """Whether the surname is among the matched words: the last word, in Russian also the first.

    In "Шведов Олег Ильич" the surname comes first; in "Нью-Ингленд Пэтриотс" it does not.
    """
    if name_words[-1] in matched:
        return True
    first = name_words[0]
    return first in matched and _SURNAME_RU.search(first) is not None


def _is_known_name(word: str, context: Sequence[str]) -> bool:
    """Whether the document contains the word with a capital letter and never without."""
    document = "\n".join(context)
    return bool(re.search(rf"\b{re.escape(word.capitalize())}\b", document)) and not re.search(
        rf"\b{re.escape(word)}\b", document
    )


def _is_shared(matched: set[str], name_words: Sequence[str], context: Sequence[str]) -> bool:
    """Whether the document also has the matched part with an initial of another person."""
    for page in context:
        for run in _RUN.finditer(page):
            run_words = [word for word in _folded_words(run.group()) if word not in titles()]
            if not any(_is_same_word(word, name) for word in run_words for name in matched):
                continue
            for word in run_words:
                is_known = any(
                    _is_same_word(word, name) or name.startswith(word) for name in name_words
                )
                if not is_known and len(word) == 1:
                    return True
    return False


def _is_beside_or(text: str, span: Span) -> bool:
    """Whether a Chinese "or" precedes or follows the name.

    The other name cannot be recognised, because Chinese has no capital letters.
    """
    before, after = text[max(0, span.start - 6) : span.start], text[span.end : span.end + 6]
    return bool(_OR_BEFORE.search(before) or _OR_AFTER.match(after))


def _other_names(text: str, spans: Sequence[Span]) -> list[Span]:
    """Runs of capitalised words that overlap none of ``spans``."""
    taken = Ranges((span.start, span.end) for span in spans)
    return [
        run
        for run in _name_runs(text)
        if not taken.overlap(run.start, run.end) and run.of(text)[0].isupper()
    ]
