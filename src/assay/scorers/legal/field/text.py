"""Whether an answer gives the expected text: literally, reworded, or as the name of a party.

The content words of the expected text must stand together, in one sentence that asserts them. A
sentence that shares only some of them is about something else: "the forests store carbon" does
not say "destruction of the forest". If the question is known, the words must also be in the
clause that is about what was asked.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.abstention import assess_abstention
from assay.scorers.evidence import tokens
from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.clause import (
    clauses_of,
    is_about,
    is_denied_inside,
    is_forbidden,
    is_negated,
)
from assay.scorers.legal.entity import whole_names
from assay.scorers.legal.field.deed import deed_mentions
from assay.scorers.legal.field.han import han_mentions, is_short_han
from assay.scorers.legal.field.label import has_labels, label_mentions
from assay.scorers.legal.field.name import is_company, name_mentions
from assay.scorers.legal.field.order import reordered_names
from assay.scorers.legal.field.place import (
    has_sides,
    is_outside,
    origins,
    with_one_country,
    with_one_part,
)
from assay.scorers.legal.field.relation import material_mentions, relation_mentions
from assay.scorers.legal.field.rewording import core_of, is_reworded
from assay.scorers.legal.field.terse import terse_mentions, without_echo
from assay.scorers.legal.form import other_forms, respelled
from assay.scorers.legal.rival import overlap
from assay.scorers.legal.role import is_reversed
from assay.scorers.legal.root import content_words
from assay.scorers.legal.stance import has_conflicting_sources, is_denied
from assay.scorers.legal.verdict import FieldVerdict
from assay.text import (
    CYRILLIC,
    HAN,
    LATIN,
    Number,
    Span,
    find_phrase,
    has_other_symbol,
    normalised,
    numbers,
    said_text,
    same_number,
    sentences,
    simplified,
    with_plain_e,
)
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_HAN: Final = re.compile(f"[{HAN}]")
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NAME: Final = re.compile(
    rf"[·•《》「」]|^[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+(?: [A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+)*$"
)
"""A name or a title: it cannot be reworded."""
_MEANS: Final = lazy_pattern(lambda: alternatives("form.means_before"))
_HOW: Final = lazy_pattern(lambda: alternatives("form.means_asked"))
"""With what something is done: by sonar, using sonar."""
_CAUSE: Final = lazy_pattern(lambda: alternatives("form.cause_before"))
_WHY: Final = lazy_pattern(lambda: alternatives("form.cause_asked"))
_LEADS: Final = ((_MEANS, _HOW), (_CAUSE, _WHY))
"""What may be left out at the beginning of an expected text, and the question that allows it."""
_ONE: Final = lazy_pattern(lambda: alternatives("form.han_one", "zh"))
_COUNT_ASKED: Final = lazy_pattern(lambda: alternatives("form.han_count_asked", "zh"))
"""The Chinese "one" before a thing, which may be left out unless a number is asked for: 一台收音机."""
_ALL: Final = Span(start=0, end=1 << 20)
_ONE_NAME: Final = re.compile("[A-Z][a-z]{3,}[a-rt-z]")
_COMPOUND_WORD: Final = re.compile("[A-Za-z]{5,24}")
_CYRILLIC_WORDS: Final = re.compile(r"[а-яё-]{3,}(?: [а-яё-]{3,}){1,3}")
_MARKS: Final = re.compile("[《》「」『』]")
_GLOSS: Final = re.compile(rf"(?<=[{HAN}])\s?[(（][A-Z][a-z]+(?:[ .-]+[A-Z]?[a-z]+)*[)）]")
"""After a Chinese name: how it is spelt in Latin letters."""
_COMPOUND: Final = lazy_pattern(lambda: alternatives("clause.compound"))
"""After a word that only describes something else: copper-plated."""
_COMPOUND_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.compound_before')})\Z")
_PREFIX: Final = 8
"""The first part of a compound has at most so many characters."""
_AND: Final = lazy_pattern(lambda: alternatives("clause.and"))
_SHORT: Final = 2
"""A text of so few tokens must be contained completely."""
_COMMA: Final = re.compile("[,，;；]")
_MAIN_CUT: Final = re.compile("[;；]")
_POSTPOSED: Final = re.compile(r"\w+, (?:\w+ ){0,2}\w+\Z")
_IN_PLACE: Final = lazy_pattern(lambda: rf"\w (?:{alternatives('clause.preposition')}) ")
_PLACED: Final = lazy_pattern(
    lambda: rf"\w+, (?:{alternatives('clause.preposition')}) (?:the |an? )?(?:\w+ )?\w+"
)
_AFTER_POSTPOSED: Final = re.compile(r"\s*(?:[,.;!]|\Z)")
"""A quality after the thing: "a key, all rusty, in a box"."""
_NEW_CLAUSE: Final = lazy_pattern(lambda: rf"[,;，；]\s*(?:{alternatives('clause.cut')})")
_CORRECTION: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.correction_before')})\Z")
"""Before a value that is put in the place of another one."""
_ORDER_ASKED: Final = lazy_pattern(lambda: alternatives("form.order_asked"))
_COMMAND_ASKED: Final = lazy_pattern(lambda: alternatives("form.command_asked"))
"""Asks for a text that must be typed as it is."""
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_DENIAL: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('stance.denied_before')})")
_REFUSAL: Final = 12
"""A refusal beside the value has more characters than this."""
_MOST_MENTIONS: Final = 24
"""An answer that loops says the same in each round, so later mentions are not looked at."""
_LONGEST: Final = 300
"""A longer text, or a Chinese one of half as many characters, that names the value answers something, whatever else it leaves open."""
_SPREAD: Final = 3
"""How many other tokens may stand between those of the text."""
_DEFINED: Final = (
    # Ellery Hall Trust (the Client)
    re.compile(
        r"(?P<name>[A-Z][\w.&'-]*(?: (?:of |and )?[A-Z][\w.&'-]*)*) \((?:the|hereinafter) [\"“]?(?P<role>[A-Z]\w+)"
    ),
    # Claimant: Priya Hallam. Арендатор: ООО «Северная Смола»,
    re.compile(r"^(?P<role>[A-ZА-ЯЁ]\w+): (?P<name>[^.,\n]{3,60})[.,]", re.MULTILINE),
    # 甲方（委托方）：澜州砚湖冷链有限公司，
    re.compile(
        r"(?P<role>[\u4e00-\u9fff]{2,4})(?:（[^）]{1,8}）)?：(?P<name>[\u4e00-\u9fff]{2,20})(?=[，。\s])"
    ),
)


def text_verdict(
    text: str, expected: str, pages: Sequence[str] = (), *, question: str | None = None
) -> FieldVerdict:
    """Whether ``text`` says ``expected``, as an answer to ``question`` if it is known.

    If ``expected`` is the role of a party, the name that the document defines for this role is
    accepted too, and the role is accepted for the name.

    >>> text_verdict("Ellery Trust provides it.", "the Client", ["Ellery Trust (the Client)"]).holds
    True
    >>> text_verdict("Not the Client.", "the Client").holds
    False
    >>> text_verdict("The forests store carbon.", "destruction of the forest").holds
    False
    """
    text, expected = with_plain_e(said_text(text)), with_plain_e(expected)
    pages = tuple(map(with_plain_e, pages))
    question = None if question is None else with_plain_e(question)
    if _HAN.search(text):
        text, expected = simplified(text), simplified(expected)
        question = None if question is None else simplified(question)
    if question is not None and (decided := _yes_or_no(text, expected, question)) is not None:
        return decided
    if has_other_symbol(expected, text):
        return FieldVerdict(holds=False, why=f"“{expected}” is said with another unit")
    verdict = _said(text, expected, pages, question)
    if not verdict.holds and (plain := _GLOSS.sub("", text)) != text:
        verdict = _said(plain, _GLOSS.sub("", expected), pages, question)
    return verdict


def _said(text: str, expected: str, pages: Sequence[str], question: str | None) -> FieldVerdict:
    """The verdict on a text as it is, and if it does not say ``expected``, in one spelling."""
    verdict = _verdict(text, expected, pages, question)
    if verdict is not None:
        return verdict
    other_text, wording = with_one_country(*respelled(*with_one_part(text, expected)))
    if (other_text, wording) != (text, expected):
        verdict = _verdict(other_text, wording, pages, question)
    return verdict or FieldVerdict(holds=False, why=f"“{expected}” is not said")


def _verdict(
    text: str, expected: str, pages: Sequence[str], question: str | None
) -> FieldVerdict | None:
    """The verdict on a text that says ``expected`` somewhere; ``None`` if it does not."""
    why = None
    for wording in (expected, *_other_names(expected, pages)):
        for span in _mentions(wording, text, question):
            if _COMPOUND.match(text, span.end) or _is_end_of_compound(text, span):
                continue
            if not is_forbidden(text, question) and (
                is_denied(text, span.start, span.end) or is_negated(text, span, wording, question)
            ):
                why = f"“{wording}” is named only to be denied"
            elif question is not None and (
                not is_about(text, span, question, wording=wording)
                or (is_outside(text, span, question) and not is_outside(wording, _ALL, question))
                or is_reversed(wording, text, question)
            ):
                why = f"“{wording}” is said about something else"
            elif _is_undecided(text, wording, question or ""):
                return FieldVerdict(holds=False, why="several answers, none decided on")
            elif question is not None and _leaves_open(text, span, question):
                return FieldVerdict(holds=False, why="the answer says that it is not known")
            else:
                return FieldVerdict(holds=True, why=f"“{wording}” is said")
    return None if why is None else FieldVerdict(holds=False, why=why)


def _is_undecided(text: str, wording: str, question: str) -> bool:
    """Whether sources contradict each other, unless it is a quarrel or an order that is asked about."""
    if not has_conflicting_sources(text) or _ORDER_ASKED.search(question):
        return False
    return not has_conflicting_sources(wording)


def _is_end_of_compound(text: str, span: Span) -> bool:
    """Whether the value is only the end of a word: off-white is not white."""
    return _COMPOUND_BEFORE.search(text[max(0, span.start - _PREFIX) : span.start]) is not None


def _leaves_open(text: str, span: Span, question: str) -> bool:
    """Whether the answer abstains, in another sentence or clause than the one with the value.

    "Orme composed the music; who wrote the words is not said" names Orme for something else.
    """
    longest = _LONGEST // 2 if _HAN.search(text) else _LONGEST
    if not len(span.of(text)) + _REFUSAL < len(text) <= longest or not _NEGATION.search(text):
        return False
    if _CORRECTION.search(text[: span.start]):
        return False
    found = assess_abstention(text, question)
    if found.abstains and not any(overlap(refusal, span) for refusal in found.refusals):
        return True
    asked = content_words(question)
    others = (clause.of(text) for clause in clauses_of(text) if not overlap(clause, span))
    return any(
        _NEGATION.search(other)
        and not _DENIAL.match(other)
        and asked & content_words(other)
        and assess_abstention(other, question).abstains
        for other in others
    )


def _yes_or_no(text: str, expected: str, question: str) -> FieldVerdict | None:
    """The verdict on an expected yes or no; ``None`` if something else is expected."""
    form = normalised(expected, fold_case=True).strip(" .。!！")
    for words, is_yes in (("boolean.yes_alone", True), ("boolean.no_alone", False)):
        if form in word_list(words):
            return boolean_verdict(text, is_yes, question)
    return None


def _mentions(wording: str, text: str, question: str | None = None) -> Iterator[Span]:
    """The spans of ``text`` that say ``wording``: literally, or else in other words."""
    for lead, asked in _LEADS if question is not None else ():
        if (found := lead.match(wording)) and asked.search(question or ""):
            wording = wording[found.end() :]
    wording = without_echo(wording, question)
    if not _COUNT_ASKED.search(question or ""):
        wording = _ONE.sub("", wording, count=1) if _ONE.match(wording) else wording
    literal = list(_occurrences(_ARTICLE.sub("", _MARKS.sub("", wording)), text))
    if not literal and _ONE_NAME.fullmatch(wording):
        literal = list(_occurrences(f"{wording}s", text))  # Mennonite, Mennonites
    yield from literal or _respaced(wording, text)
    if literal:
        return
    forms = other_forms(wording, text, question)
    yield from forms.spans
    if forms.spans or forms.complete:
        return
    yield from name_mentions(wording, text, question)
    yield from reordered_names(wording, text)
    yield from label_mentions(wording, text, question)
    yield from origins(wording, text, question)
    if _NAME.search(wording) or is_company(wording):
        return
    values = list(_same_values(wording, text))
    yield from values
    if values:
        return
    if not (wording.isascii() and _COMMAND_ASKED.search(question or "")):
        yield from _reworded(wording, text, question)


def _respaced(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has a compound in one word or in two: gall bladder, e-mail."""
    letters = re.sub(r"[\s-]", "", _ARTICLE.sub("", wording))
    if not _COMPOUND_WORD.fullmatch(letters) or len(wording.split()) > _SHORT:
        return
    pattern = r"[\s-]?".join(letters)
    for match in re.finditer(rf"\b{pattern}(?:e?s)?\b", text, re.IGNORECASE):
        yield Span(start=match.start(), end=match.end())


def _reworded(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """The spans of ``text`` that say ``wording`` in other words or in another order."""
    if not has_labels(wording, text) or not has_sides(wording, text):
        return
    yield from terse_mentions(wording, text)
    if _CYRILLIC_WORDS.fullmatch(wording):
        yield from whole_names(text, wording)
    for span in (
        *relation_mentions(wording, text),
        *material_mentions(wording, text, question),
        *han_mentions(wording, text),
        *_coordinated(wording, text),
        *deed_mentions(wording, text),
    ):
        if not is_denied_inside(text, span, wording):
            yield span
    if is_short_han(wording):
        return
    for sentence in sentences(text):
        if is_reworded(wording, sentence.of(text)) and _has_all_items(wording, sentence.of(text)):
            core = core_of(wording, text, sentence)
            # "The right collarbone broke, the left one was bruised" has no broken left collarbone.
            is_short = len(tokens(wording)) == _SHORT < len(tokens(core.of(text)))
            is_one = _is_postposed(text, core) or _is_placed(wording, core.of(text))
            cut = _COMMA if is_short and not is_one else _NEW_CLAUSE
            if _MAIN_CUT.search(core.of(text)) and not _MAIN_CUT.search(wording):
                continue
            if len(tokens(wording)) > _SHORT or not cut.search(core.of(text)):
                yield core


def _has_all_items(wording: str, sentence: str) -> bool:
    """Whether a sentence has something of each part of "two keys and the logbook"."""
    parts = [content_words(part) for part in _AND.split(wording)]
    told = content_words(sentence) if len(parts) == _SHORT else frozenset()
    return len(parts) != _SHORT or not told or all(not part or part & told for part in parts)


def _is_placed(wording: str, core: str) -> bool:
    """Whether a place is told in two steps: "at Brook, in the old mill" for "the mill at Brook"."""
    return _IN_PLACE.search(wording) is not None and _PLACED.fullmatch(core) is not None


def _is_postposed(text: str, core: Span) -> bool:
    """Whether a quality stands between commas after what has it."""
    is_pair = _POSTPOSED.fullmatch(core.of(text)) is not None
    return is_pair and _AFTER_POSTPOSED.match(text, core.end) is not None


def _coordinated(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has all parts of "X and Y", in any order."""
    parts = [part.strip() for part in _AND.split(wording)]
    if len(parts) < _SHORT or not all(parts):
        return
    found = [find_phrase(_ARTICLE.sub("", part), text) for part in parts]
    spans = [span for span in found if span is not None]
    if len(spans) == len(parts):
        yield Span(start=min(s.start for s in spans), end=max(s.end for s in spans))


def _same_values(wording: str, text: str) -> Iterator[Span]:
    """The numbers of ``text`` with the value of ``wording``, if that is nothing but a number.

    A share may be written in percent or as a fraction: 40% is two fifths.
    """
    known = numbers(wording)
    if len(known) != 1:
        return
    value = known[0]
    unit = value.unit_span
    rest = wording[: value.start] + wording[value.end :]
    if unit is not None:
        start, end = min(value.start, unit.start), max(value.end, unit.end)
        rest = wording[:start] + wording[end:]
    if any(map(str.isalnum, rest)):
        return
    for number in numbers(text):
        if same_number(number, value) or _is_same_share(number, value):
            yield Span(start=number.start, end=number.end)


def _is_same_share(first: Number, second: Number) -> bool:
    """Whether one number is in percent and the other is the same share of one."""
    if (first.unit == "percent") == (second.unit == "percent"):
        return False
    percent, share = (first, second) if first.unit == "percent" else (second, first)
    return share.currency is None and share.value < 1 and percent.value == share.value * 100


def _occurrences(phrase: str, text: str) -> Iterator[Span]:
    start = 0
    for _ in range(_MOST_MENTIONS):
        if (span := find_phrase(phrase, text[start:])) is None:
            return
        yield Span(start=start + span.start, end=start + span.end)
        start += span.end


def _other_names(expected: str, pages: Sequence[str]) -> list[str]:
    """The names that the document defines for the role ``expected``, or the roles for the name."""
    expected_form = normalised(_ARTICLE.sub("", expected), fold_case=True)
    others = []
    for match in (m for pattern in _DEFINED for page in pages for m in pattern.finditer(page)):
        role, name = (normalised(match[group], fold_case=True) for group in ("role", "name"))
        if expected_form == role:
            others.append(match["name"])
        elif expected_form == name:
            others.append(match["role"])
    return others
