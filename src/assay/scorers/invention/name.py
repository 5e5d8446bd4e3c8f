"""Names in an answer that a source does not contain: people, organisations, places, brands.

In Russian and English, a name is a run of capitalised words, except a single word that begins a
sentence, or a text in quotation marks that begins with a capital letter. Chinese has no capital
letters: there, a name is a surname with one or two characters that the segmenter takes for a
name, or a text that is not a dictionary word and ends like a place or an organisation (楼, 路,
公司, 储蓄社).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from assay.scorers.value import is_starter, not_names, titles
from assay.text import (
    CYRILLIC,
    HAN,
    LATIN,
    Ranges,
    Span,
    normalised,
    sentences,
    stem,
    tagged_words,
)
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_LETTERS: Final = f"{CYRILLIC}{LATIN}"
_WORD: Final = re.compile(rf"[{_LETTERS}]+(?:[-'’][{_LETTERS}]+)*")
_CAPITAL: Final = re.compile(rf"[A-ZА-ЯЁ][{_LETTERS}'’]*(?:-[{_LETTERS}]+)*")
_LINK: Final = re.compile(r"[ \u00a0]|\. ?|[ \u00a0](?:de|van|von|der|di|da|la|le|al|bin)[ \u00a0]")
_QUOTED: Final = re.compile(r"[«“\"„「『]([^«»“”\"„「」『』]{2,40})[»”\"“」』]")
_NEAR: Final = 200
"""How many characters before a name may say that it begins a sentence."""
_OPENING: Final = re.compile(r"(?:\A|[.!?…:;\n(\[«“\"„—–-])[\s«“\"„(\[]*\Z")

_SURNAME_RU: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('name.surname_ending')})\Z", re.NOFLAG
)
_PAST_RU: Final = lazy_pattern(
    lambda: rf"\s[а-яё]+(?:{alternatives('name.past_ending')})\b", re.NOFLAG
)


@cache
def _surnames() -> frozenset[str]:
    """Chinese surnames of one character."""
    return frozenset("".join(word_list("name.surnames")))


def _called_expression() -> str:
    surnames = "".join(sorted(_surnames()))
    return (
        f"[{surnames}](?:{alternatives('name.address')})"
        f"|(?<![{HAN}])[老小阿][{surnames}](?![{HAN}])"
    )


_CALLED_ZH: Final = lazy_pattern(_called_expression, re.NOFLAG)
_PLACE_ZH: Final = lazy_pattern(lambda: f"(?:{alternatives('name.place_ending')})$", re.NOFLAG)
_NOUN_TAGS: Final = (
    "n",
    "nr",
    "ns",
    "nt",
    "nz",
    "nrt",
    "nrfg",
    "vn",
    "x",
    "eng",
    "j",
    "b",
    "l",
    "i",
    "g",
    "ng",
    "s",
)
_NAME_TAGS: Final = ("nr", "nrt", "nrfg", "ns", "nz")


@lru_cache(maxsize=256)
def known_words(text: str) -> frozenset[str]:
    """The Latin and Cyrillic words of ``text`` in lower case, with their stems."""
    folded = normalised(text, fold_case=True)
    forms = {word for match in _WORD.finditer(folded) for word in _forms(match.group())}
    return frozenset(forms | {stem(word) for word in forms})


def unknown_names(answer: str, source: str, known: frozenset[str]) -> Iterator[Span]:
    """The names in ``answer`` with at least one word that ``source`` does not contain.

    ``known`` are the words of ``source``, as ``known_words`` returns them.

    >>> text = "The mediator is Judith Crane of the Ellery Mediation Centre."
    >>> [span.of(text) for span in unknown_names(text, "Ellery", known_words("Ellery"))]
    ['Judith Crane', 'Ellery Mediation Centre']
    """
    quoted = list(_quoted_names(answer, known))
    yield from quoted
    in_quotes = Ranges((span.start, span.end) for span in quoted)
    starts = frozenset(sentence.start for sentence in sentences(answer))
    for run in _capitalised_runs(answer):
        if in_quotes.overlap(run.start, run.end):
            continue
        name = _unknown_name(answer, run, known, starts)
        if name is not None:
            yield name
    if re.search(f"[{HAN}]", answer):
        yield from _chinese_names(answer, source)


def _forms(word: str) -> set[str]:
    """The word, the word without a possessive ending, and its parts between hyphens."""
    bare = re.sub(r"['’]s?\Z", "", word)
    return {word, bare, *re.split(r"[-'’]", bare)}


def _is_known(word: str, known: frozenset[str]) -> bool:
    folded = normalised(word, fold_case=True)
    forms = {folded, re.sub(r"'s?\Z", "", folded)}
    if forms & known or {stem(form) for form in forms} & known:
        return True
    if "\u0400" <= folded[0] <= "\u04ff" and len(folded) >= 4:
        # The stemmer does not know all cases of names: Горелов, Гореловым; Симакова, Симаковой.
        root = folded[: max(4, len(folded) - 2)]
        return any(
            word.startswith(root[: max(4, len(root) - 1)]) and abs(len(word) - len(folded)) <= 3
            for word in known
        )
    return False


def _quoted_names(answer: str, known: frozenset[str]) -> Iterator[Span]:
    """Unknown names in quotation marks: at most four words, all with a capital letter."""
    for match in _QUOTED.finditer(answer):
        inside = match[1].strip()
        words = _WORD.findall(inside)
        if not words or not words[0][0].isupper() or len(words) > 4 or inside[-1] in ".!?…,":
            continue
        capitals = [word for word in words if word[0].isupper()]
        if len(words) > 1 and len(capitals) < len(words):
            continue
        if any(not _is_known(word, known) for word in capitals):
            yield Span(start=match.start(), end=match.end())


def _capitalised_runs(answer: str) -> Iterator[Span]:
    """Runs of capitalised words, including initials."""
    start = end = -1
    for match in _CAPITAL.finditer(answer):
        if match.start() and answer[match.start() - 1].isalnum():
            continue
        if (
            start >= 0
            and _LINK.fullmatch(answer, end, match.start())
            and _may_continue(answer, start, end)
        ):
            end = match.end()
            continue
        if start >= 0:
            yield Span(start=start, end=end)
        start, end = match.start(), match.end()
    if start >= 0:
        yield Span(start=start, end=end)


def _may_continue(answer: str, start: int, end: int) -> bool:
    """Whether a run may continue: a point ends it unless it follows an initial or a title."""
    if answer[end : end + 1] != ".":
        return True
    last = _CAPITAL.findall(answer[start:end])[-1]
    return len(last) == 1 or last.lower() in titles()


def _unknown_name(
    answer: str, run: Span, known: frozenset[str], starts: frozenset[int]
) -> Span | None:
    """The name in a run of capitalised words, or ``None`` if all its words are known.

    Titles, other words that are not names, and a word that only begins the sentence are removed
    first; sentences begin at ``starts``. A single word at the start of a sentence is a name only if it is a Russian subject.
    """
    parts = [
        Span(start=run.start + m.start(), end=run.start + m.end())
        for m in _CAPITAL.finditer(run.of(answer))
    ]
    begins_sentence = run.start in starts or bool(
        _OPENING.search(answer, max(0, run.start - _NEAR), run.start)
    )
    words = [part.of(answer).lower() for part in parts]
    while words and (
        words[0] in titles() | not_names() or (begins_sentence and is_starter(words[0]))
    ):
        parts, words, begins_sentence = parts[1:], words[1:], False
    while words and words[-1] in not_names():
        parts, words = parts[:-1], words[:-1]
    if not parts:
        return None
    if begins_sentence and len(parts) == 1 and not _is_russian_subject(answer, parts[0]):
        return None
    has_unknown_word = any(
        len(word) > 1 and word not in not_names() and not _is_known(part.of(answer), known)
        for part, word in zip(parts, words, strict=True)
    )
    return Span(start=parts[0].start, end=parts[-1].end) if has_unknown_word else None


def _is_russian_subject(answer: str, part: Span) -> bool:
    """Whether a word at the start of a sentence is a surname before a verb: Самойлов получил."""
    word = part.of(answer).lower()
    return bool(_SURNAME_RU.search(word)) and bool(_PAST_RU.match(answer, part.end))


def _chinese_names(answer: str, source: str) -> Iterator[Span]:
    tagged = _tagged_words(answer)
    source_text = source.replace(" ", "")
    for match in _CALLED_ZH.finditer(answer):
        if match.group() not in source_text:
            yield Span(start=match.start(), end=match.end())
    index = 0
    while index < len(tagged):
        name = _person(tagged, index) or _place_or_organisation(tagged, index)
        if name is None:
            index += 1
            continue
        span, index = name
        if span.of(answer) not in source_text:
            yield span


def _tagged_words(text: str) -> list[tuple[str, str, int]]:
    """The words of ``text``, each with its part-of-speech tag and its offset."""
    tagged, offset = [], 0
    for word, tag in tagged_words(text):
        tagged.append((word, tag, offset))
        offset += len(word)
    return tagged


def _person(tagged: Sequence[tuple[str, str, int]], index: int) -> tuple[Span, int] | None:
    """The name of a person that begins at ``index``, and the index of the word after it."""
    word, tag, start = tagged[index]
    if not tag.startswith("nr") or _PLACE_ZH.search(word):
        return None
    is_compound = word.startswith(word_list("name.surnames_of_two"))
    if not is_compound and word[0] not in _surnames():
        return None
    end, after = start + len(word), index + 1
    if len(word) == 1 or (is_compound and len(word) == 2):
        if after >= len(tagged):
            return None
        first_name, next_tag, _ = tagged[after]
        is_han = re.fullmatch(f"[{HAN}]+", first_name)
        if len(first_name) > 2 or not is_han or next_tag[0] in "upcdrmqyf":
            return None
        end, after = end + len(first_name), after + 1
    if len(word) > 4:
        return None
    return Span(start=start, end=end), after


def _place_or_organisation(
    tagged: Sequence[tuple[str, str, int]], index: int
) -> tuple[Span, int] | None:
    """The place or organisation that begins at ``index``, and the index of the word after it.

    It consists of nouns in a row, the last of which says what kind of thing it is.
    """
    longest: tuple[Span, int] | None = None
    start = tagged[index][2]
    has_name = False
    for last in range(index, min(index + 6, len(tagged))):
        word, tag, offset = tagged[last]
        if not re.fullmatch(f"[{HAN}]+", word):
            break
        if tag not in _NOUN_TAGS and not (last > index and _PLACE_ZH.fullmatch(word)):
            break
        text = "".join(part for part, _, _ in tagged[index : last + 1])
        is_end = _PLACE_ZH.search(text) is not None or tag == "ns"
        # The word for the kind makes no name by itself: a name must precede it, or the two must
        # be one word that is not in the dictionary.
        if is_end and (has_name or _is_name(word, tag)):
            longest = Span(start=start, end=offset + len(word)), last + 1
        has_name = has_name or _is_name(word, tag)
    return longest


def _is_name(word: str, tag: str) -> bool:
    """Whether the segmenter tags the word as a name, or the dictionary does not contain it."""
    # The segmenter loads its dictionary, which is slow and needed for Chinese only.
    import rjieba  # noqa: PLC0415

    if tag in _NAME_TAGS:
        return len(word) > 1
    return len(word) > 1 and not rjieba.has_word(word)
