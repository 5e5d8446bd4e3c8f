"""Whether an answer names a person, place or body, in whatever form of the name.

In Russian and English a name is compared word by word, endings aside. A part of it (a surname,
a surname with initials) will do where nothing beside it in the answer contradicts the rest and
the document knows nobody else by that part. In Chinese the name must be there as it is, or a
body's without its legal form.
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.field import FieldVerdict, asserted_candidates
from assay.scorers.value import TITLES, is_starter
from assay.text import CYRILLIC, HAN, LATIN, Span, normalise, normalised, stem

_WORD: Final = re.compile(rf"[{CYRILLIC}{LATIN}]+(?:[-'’][{CYRILLIC}{LATIN}]+)*")
_RUN: Final = re.compile(
    rf"(?:[A-ZА-ЯЁ][{CYRILLIC}{LATIN}'’-]*\.?)(?:[ \u00a0]?[A-ZА-ЯЁ][{CYRILLIC}{LATIN}'’-]*\.?)*"
)
_SMALL_WORDS: Final = "the a an of and for и в на по"
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_OR_BEFORE: Final = re.compile("(?:或者?|还是|抑或|也可能)(?:是|由)?$")
_OR_AFTER: Final = re.compile("[，、,]?(?:或者?|还是|抑或|也可能)")
_LEGAL_ZH: Final = re.compile(
    "(?:股份|责任)?(?:有限)?(?:责任)?公司$|集团$|(?:工程|科技|贸易)有限公司$"
)


def entity_verdict(text: str, expected: str, context: Sequence[str] = ()) -> FieldVerdict:
    """Whether ``text`` names ``expected`` and stands by it; ``context`` is the document.

    >>> pages = ["Writes to Шведову Олегу Ильичу."]
    >>> entity_verdict("О. И. Шведову", "Шведов Олег Ильич", pages).holds
    True
    >>> entity_verdict("Not Hugh Orme but Ivo Pell", "Hugh Orme").holds
    False
    """
    found = entity_spans(text, expected, context)
    if not found:
        return FieldVerdict(holds=False, why=f"“{expected}” is not in the answer")
    if all(_is_beside_or(text, span) for span in found):
        return FieldVerdict(holds=False, why="several names, none decided on")
    others = _other_names(text, found)
    good = [True] * len(found) + [False] * len(others)
    verdict = asserted_candidates(text, [*found, *others], good, f"“{expected}”")
    said = tuple(span.of(text) for span in found)
    return FieldVerdict(holds=verdict.holds, found=said, why=verdict.why)


def entity_spans(text: str, expected: str, context: Sequence[str] = ()) -> list[Span]:
    """Where ``text`` names ``expected``."""
    if re.search(f"[{HAN}]", expected):
        return _chinese(text, expected)
    names = [word for word in _folded(expected) if word not in _SMALL | TITLES]
    if not names:
        return []
    return [span for span in _runs(text) if _is_named(span.of(text), names, context)]


def _chinese(text: str, expected: str) -> list[Span]:
    form = normalise(text, fold_case=True, simplify=True)
    whole = normalised(expected, fold_case=True, simplify=True).replace(" ", "")
    short = _LEGAL_ZH.sub("", whole)
    for name in (whole, short if len(short) >= 3 else whole):
        found = [m.span() for m in re.finditer(r"\s*".join(map(re.escape, name)), form.text)]
        if found:
            return [form.original_span(*span) for span in found]
    return []


def _runs(text: str) -> list[Span]:
    """Capitalised words in a row; and every single word, should a name be written small."""
    runs = [_begun(m) for m in _RUN.finditer(text)]
    small = [Span(start=m.start(), end=m.end()) for m in _WORD.finditer(text) if m[0].islower()]
    return runs or small


def _begun(run: re.Match[str]) -> Span:
    """The run without a word that only begins a sentence: Not Hugh Orme."""
    first, space, _ = run.group().partition(" ")
    start = run.start() + len(first + space) if space and is_starter(first) else run.start()
    return Span(start=start, end=run.end())


def _folded(text: str) -> list[str]:
    return [m.group() for m in _WORD.finditer(normalised(text, fold_case=True))]


def _same(one: str, other: str) -> bool:
    if one == other or (stem(one) == stem(other) and len(one) > 2):
        return True
    # Names are inflected beyond what a stemmer knows: Шведов, Шведову; Тимохина, Тимохиной.
    cyrillic = "\u0400" <= one[0] <= "\u04ff" and "\u0400" <= other[0] <= "\u04ff"
    short = min(len(one), len(other))
    return (
        cyrillic
        and short >= 4
        and one[: short - 2] == other[: short - 2]
        and abs(len(one) - len(other)) <= 3
    )


def _is_named(run: str, names: Sequence[str], context: Sequence[str]) -> bool:
    said = [word for word in _folded(run) if word not in TITLES | _SMALL]
    matched = {name for name in names for word in said if len(word) > 1 and _same(word, name)}
    if not matched:
        return False
    rest = [name for name in names if name not in matched]
    strange = [
        word
        for word in said
        if not any(_same(word, name) for name in matched)
        and not (len(word) == 1 and any(name.startswith(word) for name in rest))
    ]
    if strange and (len(said) - len(strange) < len(names) or len(names) < 2):
        # A word that begins a sentence may stand before the name: "Then Orme …".
        first = said[0]
        if strange != [first] or any(first[0] == name[0] for name in rest):
            return False
        if any(name[0].isalpha() for name in rest) and _is_known_name(first, context):
            return False
    initials = {word for word in said if len(word) == 1}
    return not rest or bool(initials) or not _is_shared(matched, names, context)


def _is_known_name(word: str, context: Sequence[str]) -> bool:
    """Whether the document has the word with a capital and never without."""
    whole = "\n".join(context)
    return bool(re.search(rf"\b{re.escape(word.capitalize())}\b", whole)) and not re.search(
        rf"\b{re.escape(word)}\b", whole
    )


def _is_shared(matched: set[str], names: Sequence[str], context: Sequence[str]) -> bool:
    """Whether the document has the matched part beside other names too."""
    for page in context:
        for run in _RUN.finditer(page):
            said = [word for word in _folded(run.group()) if word not in TITLES]
            hits = [word for word in said if any(_same(word, name) for name in matched)]
            if not hits:
                continue
            for word in said:
                known = any(_same(word, name) or name.startswith(word) for name in names)
                if not known and len(word) == 1:
                    return True
    return False


def _is_beside_or(text: str, span: Span) -> bool:
    """Whether a Chinese name is one of two; there is no capital to tell the other by."""
    before, after = text[max(0, span.start - 6) : span.start], text[span.end : span.end + 6]
    return bool(_OR_BEFORE.search(before) or _OR_AFTER.match(after))


def _other_names(text: str, found: Sequence[Span]) -> list[Span]:
    """Capitalised names that are not the found one."""
    return [
        span
        for span in _runs(text)
        if not any(span.start < f.end and f.start < span.end for f in found)
        and span.of(text)[0].isupper()
    ]
