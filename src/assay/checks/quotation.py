"""Whether a quotation is in its source: word for word, altered, or not at all.

Both texts become sequences of folded words (``assay.text.search_term.tokens``) in which the signs at numbers are
words too: a currency, a minus, per cent, a comparison. If the sequence of the source contains that of
the quotation, the quotation is *verbatim*. Otherwise the place that shares most words and pairs of words
with it is aligned word by word. If most of the quotation is there, it is *altered*, and each
difference is named; if not, it is *absent*.

An altered quotation is valid only if nothing but small words, inflection and the notation of numbers
differs. A negation, a limit, a number and a sign are never small. Pure: no model is asked.
"""

import html
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby, pairwise
from operator import mul
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from rapidfuzz.distance import Levenshtein, Prefix

from assay.checks.abstention import text_argument
from assay.text.character import HAN, IGNORABLE
from assay.text.lexicon import word_set
from assay.text.normalise import Span
from assay.text.number import numbers
from assay.text.search_term import Token, tokens
from assay.text.sentence import sentences

QuotationOutcome: TypeAlias = Literal["verbatim", "altered", "absent"]
Kind: TypeAlias = Literal["number", "sign", "negation", "word", "order", "form"]
Range: TypeAlias = tuple[int, int]
"""From one word to another: the first is included, the last is not."""

THRESHOLD: Final = 0.5
"""The score from which a quotation is valid."""
MOST: Final = 0.6
"""The share of its words with content from which a quotation is altered and not absent."""
_DISAGREEMENT: Final = 0.4
"""The score of a quotation that says something else is multiplied by this."""
_PLACES: Final = 24
"""So many places of the same words are looked at, and a quotation has at most so many dots."""
_NEAR: Final = 3
"""So many words before a quotation may be a negation and small words after it: 不得将."""
_SPACED: Final = 12
"""A quotation of so many letters may have other spaces inside of words than its source."""
_MEASURE: Final = 24
_UNIT: Final = 3
"""How many characters after a number are read with it."""
_ALIGNED: Final = 2000
"""So many words are aligned at a time, so that the time grows with the length of a quotation."""

_FOLDED: Final = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "￡￥‘’ʼ′´", "£¥'''''"
)
"""Full-width signs and apostrophes. Each is replaced by one character, so that places stay the same."""
_PRINT: Final = re.compile(
    r"(?P<reference>&#?\w{2,31};)|(?P<accent>\w[\u0300-\u036f]+)"
    rf"|(?P<hyphen>(?<=[^\W\d_])[-\u2010][ \t]*\r?\n\s*(?=[^\W\d_])|[{IGNORABLE}]+)"
    r"|(?P<footnote>(?<=[^\W\d_]{3})[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?!\w)|(?<=\S)\[\d{1,3}(?:[,–-]\s?\d{1,3})*\])"
    r"|(?P<thousands>(?<![\d.,])\d{1,3}(?:(?:[ \u00a0\u202f,]\d{3})+|(?:\.\d{3}){2,}|(?:\.\d{3})+(?=,\d\d?\b))(?!\d))"
)
"""What is printed with a word, or how, and is no other word."""
_GROUPED: Final = re.compile(r"\d{1,3}(?:[ \u00a0\u202f.]\d{3})+")
"""A whole number with its thousands apart; with points alone it may be a decimal number."""
_POINT: Final = re.compile(r"(?<=\d)(?:,|:(?=[0-5]\d(?!\d)))(?=\d)")
"""What may stand for the point in a number or a time: 3,5 and 18:00, but not 3:2."""
_SIGN: Final = re.compile(
    r"(?<=\d)\s{0,2}(?P<after>[%‰$€£¥₽])"
    r"|(?P<before>(?!(?<![^\n])> )[$€£¥₽<>≤≥≈±~]=?)(?=[\s$€£¥₽-]{0,2}\d)"
    r"|(?<![^\s(\[<>≤≥≈±=:])(?<!\d\s)(?P<minus>[-−–‐])(?=[$€£¥₽]?\d)"
    r"|(?<=\w)(?P<mark>\+{1,2}|#)(?!\w)|(?<=\s)(?P<operator>[+=×÷])(?=\s)"
)
_SPELT: Final = {"<=": "≤", ">=": "≥", "−": "-", "–": "-", "‐": "-"}
_DOTS: Final = re.compile(r"…+|\.{3,}")
_STOP: Final = re.compile(r"[.,:;!?。，；：！？\n]")
_ENDING: Final = re.compile(r"[a-z]?(?:|s|es|e?d|ing|e|y|i?ed|i?es|i?er|i?est|ly|'s|s')")
"""What an English word may end with in another form: stop, stopped."""
_SENTENCE_END: Final = re.compile(r"(?<=\w{3})[.!?;](?=\s+[^a-zа-яё])|[。！？；\n]")
_HAN: Final = re.compile(f"[{HAN}]")


class QuotationChange(Struct, frozen=True, kw_only=True):
    """What is in the source, and what the quotation has instead; one of the two may be empty."""

    source: str
    quotation: str
    source_span: Span
    quotation_span: Span
    kind: Kind

    @property
    def reason(self) -> str:
        """The difference on one line.

        >>> nowhere = Span(start=0, end=0)
        >>> QuotationChange(source="30", quotation="20", source_span=nowhere, quotation_span=nowhere,
        ...            kind="number").reason
        'number changed: 30 -> 20'
        """
        if self.source and self.quotation:
            return f"{self.kind} changed: {self.source} -> {self.quotation}"
        deed = "dropped" if self.source else "added"
        return f"{self.kind} {deed}: {self.source or self.quotation}"


class Candidate(Struct, frozen=True, kw_only=True):
    """A passage of the source that the quotation may come from, with both scores.

    ``reasons`` say why the candidate disagrees with the quotation, if that is known. Without a model,
    ``embedding_score`` is the share of the quotation's words with content that are in the passage.
    """

    text: str
    span: Span
    embedding_score: float
    score: float
    reasons: tuple[str, ...] = ()


class Verification(Struct, frozen=True, kw_only=True):
    """The result of checking a quotation.

    ``valid`` says whether the score reaches the threshold. ``score``, ``embedding_score`` and
    ``reasons`` are those of ``candidate``, the best of ``candidates``. If the quotation or the source
    has no text, there is nothing to compare: all these fields are empty, and the quotation is not valid.

    ``outcome`` and ``differences`` are those of the words, whether or not a model was asked. ``veto`` has
    the objections of the words to the score of a model; it is ``None`` if no model was asked.
    """

    valid: bool
    threshold: float
    score: float | None = None
    embedding_score: float | None = None
    candidate: Candidate | None = None
    reasons: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    veto: tuple[str, ...] | None = None
    outcome: QuotationOutcome = "absent"
    differences: tuple[QuotationChange, ...] = ()

    @property
    def valid_after_veto(self) -> bool:
        """Whether the quotation is valid and the words do not object."""
        return self.valid and not self.veto


def verify_quotation(quotation: str, source: str, *, threshold: float = THRESHOLD) -> Verification:
    """Check whether ``source`` contains ``quotation``, without a model.

    >>> source = "The fee is 300. The tenant pays it within 30 days."
    >>> check = verify_quotation("the tenant pays it within 20 days", source)
    >>> check.outcome, check.valid, check.reasons
    ('altered', False, ('number changed: 30 -> 20',))
    >>> [verify_quotation(text, source).outcome for text in ("THE FEE … 30 days", "dogs travel free")]
    ['verbatim', 'absent']
    """
    text_argument("quotation", quotation)
    text_argument("source", source)
    quoted, text = _Folded(_page().sub("", quotation)), _folded(source)
    if not quoted.words or not text.words:
        return Verification(valid=False, threshold=threshold)
    found = _found(quoted, text)
    if found is None:
        return Verification(valid=threshold <= 0, threshold=threshold, score=0.0)
    is_there = found.share >= MOST
    differences = found.differences if is_there else ()
    reasons = tuple(each.reason for each in differences if each.kind != "form")
    score = found.share * (_DISAGREEMENT if reasons or not is_there else 1.0)
    span = text.passage(*found.place)
    candidate = Candidate(
        text=span.of(source), span=span, embedding_score=found.share, score=score, reasons=reasons
    )
    return Verification(
        valid=score >= threshold,
        threshold=threshold,
        score=score,
        embedding_score=found.share,
        candidate=candidate,
        reasons=reasons,
        candidates=(candidate,),
        outcome=("altered" if differences else "verbatim") if is_there else "absent",
        differences=differences,
    )


_QUOTED: Final = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』|(?<!\w)\"([^\"]+)\"(?!\w)"
)
_LEAST_QUOTED: Final = 4
"""What is quoted in fewer words may be a term, a title or a word that is not meant so."""
_LEAST_QUOTED_ZH: Final = 8


def quotations(answer: str) -> list[str]:
    """The sentences and parts of sentences that an answer has in quotation marks.

    >>> quotations('It says “notice is given thirty days ahead” and calls it “notice”.')
    ['notice is given thirty days ahead']
    """
    texts = (next(filter(None, match.groups())) for match in _QUOTED.finditer(answer))
    return [
        text.strip()
        for text in texts
        if len(text.split()) >= _LEAST_QUOTED or len(_HAN.findall(text)) >= _LEAST_QUOTED_ZH
    ]


class _Folded:
    """A text as words and signs, with what is needed to find others in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _words(text)
        self.joined = "\n" + "".join(f"{word.word}\n" for word in self.words)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each word in ``joined``; the line break before it belongs to it."""
        return list(accumulate((len(word.word) + 1 for word in self.words), initial=0))

    @cached_property
    def bare(self) -> tuple[str, list[int]]:
        """All words without anything between them, and the offset of each."""
        lengths = (len(word.word) for word in self.words)
        return self.joined.replace("\n", ""), list(accumulate(lengths, initial=0))

    @cached_property
    def places(self) -> dict[str | tuple[str, str], list[int]]:
        """Where each word, and each pair of neighbours, is."""
        found: dict[str | tuple[str, str], list[int]] = {}
        keys = [word.key for word in self.words]
        for place, key in enumerate(keys):
            found.setdefault(key, []).append(place)
        for place, pair in enumerate(pairwise(keys)):
            found.setdefault(pair, []).append(place)
        return found

    @cached_property
    def _sentences(self) -> list[Span]:
        return sentences(self.text)

    def passage(self, first: int, last: int) -> Span:
        """The sentences from the word ``first`` to the word before ``last``."""
        place = self.span(first, last)
        begin = bisect_right(self._sentences, place.start, key=lambda span: span.start) - 1
        stop = bisect_left(self._sentences, place.end, key=lambda span: span.end)
        covered = self._sentences[max(0, begin) : stop + 1]
        return Span(start=covered[0].start, end=covered[-1].end)

    def denial(self, first: int, last: int) -> Range | None:
        """The first negation or restriction among some words, if they are a part of one sentence."""
        around = self.words[first - 1].end, self.words[last].start + 1
        if not 0 < first < last or _SENTENCE_END.search(self.text, *around):
            return None
        for place in range(first, last):
            if self.words[place].word in word_set("restriction") or _is_negation(self.words, place):
                return place, place + 1
        return None

    def span(self, first: int, last: int) -> Span:
        """From the word ``first`` to the word before ``last``; empty if there is no word."""
        end = self.words[last - 1].end if last else 0
        return Span(start=self.words[first].start if first < last else end, end=end)


_folded = lru_cache(maxsize=32)(_Folded)


@cache
def _page() -> re.Pattern[str]:
    """The page or the number of a source at the end of a quotation."""
    words = "|".join(map(re.escape, word_set("reference")))
    page = rf"[(（\[]\s?(?:{words})\s?\d[\d–-]*\s?页?[)）\]]"
    return re.compile(rf"(?:{page}|\[\d{{1,3}}\])\W*\Z", re.IGNORECASE)


def _words(text: str) -> list[Token]:
    """The words of ``text``, and the signs at its numbers, in order and in one notation."""
    shown, edits = _shown(text.translate(_FOLDED))
    shown = _POINT.sub(".", shown)
    words = tokens(shown)
    signs = [_sign(match) for match in _SIGN.finditer(shown)]
    if signs:
        words = sorted([*words, *signs], key=lambda word: word.start)
    if not edits:
        return words
    ends = [end for end, _ in edits]
    moved = {
        place: place + edits[bisect_right(ends, place) - 1][1]
        for word in words
        for place in (word.start, word.end)
    }
    return [Token(word.key, word.word, moved[word.start], moved[word.end]) for word in words]


def _sign(match: re.Match[str]) -> Token:
    name = str(match.lastgroup)
    sign = _SPELT.get(match[name], match[name])
    return Token(sign, sign, *match.span(name))


def _shown(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text as a reader sees it, and how far the places after each edit are moved."""
    pieces: list[str] = []
    edits = [(0, 0)]
    end = size = 0
    for match in _PRINT.finditer(text):
        pieces += text[end : match.start()], _edited(match)
        end = match.end()
        size += sum(map(len, pieces[-2:]))
        edits.append((size, end - size))
    return ("".join([*pieces, text[end:]]), edits) if end else (text, [])


def _edited(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup == "reference":
        return html.unescape(found)
    if match.lastgroup == "accent":
        return unicodedata.normalize("NFC", found)[0]
    if found in {"²", "³"} and match.lastgroup == "footnote":
        before = tokens(match.string[max(0, match.start() - _MEASURE) : match.start()])
        return found if before[-1].word in word_set("measured") else ""  # no mark at square miles
    return re.sub(r"\D", "", found) if match.lastgroup == "thousands" else ""


class _Found(NamedTuple):
    """Where a quotation is, the share of it that is there, and what differs."""

    place: Range
    share: float
    differences: tuple[QuotationChange, ...] = ()


def _found(quoted: _Folded, text: _Folded) -> _Found | None:
    """The best place of the whole quotation, or of its parts in order; ``None`` if there is none."""
    whole = _exact(quoted, (0, len(quoted.words)), text)
    if whole is not None and not whole.differences:
        return whole
    parts = _parts(quoted)
    places: list[Range] = []
    shares: list[float] = []
    differences: list[QuotationChange] = []
    after = 0
    for number, part in enumerate(parts):
        found = _exact(quoted, part, text, after) or _aligned(quoted, part, text)
        if found is None:
            differences.append(_difference(quoted, part, text, (after, after)))
            shares.append(0.0)
            continue
        differences += found.differences
        if found.place[0] < after:
            differences.append(_difference(quoted, part, text, found.place, "order"))
        elif number and (left := text.denial(after, found.place[0])):
            differences.append(_difference(quoted, (part[0], part[0]), text, left, "negation"))
        after = found.place[1]
        places.append(found.place)
        shares.append(found.share)
    if not places:
        return None
    weights = [_weight(quoted.words[slice(*part)], quoted.words) for part in parts]
    first, last = min(place[0] for place in places), max(place[1] for place in places)
    share = sum(map(mul, weights, shares)) / sum(weights)
    return _Found((first, last), share, tuple(differences))


def _parts(quoted: _Folded) -> list[Range]:
    """The parts of a quotation between dots, and pieces of a part that is very long."""
    starts = [word.start for word in quoted.words]
    ends = {bisect_left(starts, dots.start()) for dots in _DOTS.finditer(quoted.text)}
    cuts = sorted(ends - {0, len(starts)})
    return [
        (start, min(start + _ALIGNED, last))
        for first, last in pairwise((0, *(cuts if len(cuts) <= _PLACES else ()), len(starts)))
        for start in range(first, last, _ALIGNED)
    ]


def _exact(quoted: _Folded, part: Range, text: _Folded, after: int = 0) -> _Found | None:
    """The first place of exactly these words; one at which nothing is cut, if there is one."""
    words = quoted.joined[quoted.starts[part[0]] : quoted.starts[part[1]] + 1]
    first: _Found | None = None
    offset = text.starts[after]
    for _ in range(_PLACES):
        offset = text.joined.find(words, offset)
        if offset < 0:
            break
        begin = bisect_left(text.starts, offset)
        place = begin, begin + part[1] - part[0]
        found = _Found(place, 1.0, _cut(quoted, part, text, place))
        if not found.differences:
            return found
        first = first or found
        offset += 1
    return first or _spaced(quoted, part, text)


def _spaced(quoted: _Folded, part: Range, text: _Folded) -> _Found | None:
    """The place of the same letters with other spaces inside of words, as a scanned page has them."""
    letters = "".join(word.word for word in quoted.words[slice(*part)])
    bare, starts = text.bare
    offset = bare.find(letters) if len(letters) >= _SPACED else -1
    begin, end = (bisect_left(starts, place) for place in (offset, offset + len(letters)))
    if offset < 0 or (starts[begin], starts[end]) != (offset, offset + len(letters)):
        return None
    kept = [
        [
            word.word
            for word in words
            if not word.word.isalpha() or word.word in word_set("negation")
        ]
        for words in (quoted.words[slice(*part)], text.words[begin:end])
    ]
    return _Found((begin, end), 1.0) if kept[0] == kept[1] else None


def _cut(quoted: _Folded, part: Range, text: _Folded, place: Range) -> tuple[QuotationChange, ...]:
    """What is right before or after a place and changes what it says: a negation, a sign."""
    (begin, end), (first, last), words = part, place, text.words
    cut: list[QuotationChange] = []
    if first and not (begin and quoted.words[begin - 1].key == words[first - 1].key):
        before, after = words[first - 1], words[first]
        near = first - 1
        while near > max(0, first - _NEAR) and words[near].is_small:
            near -= 1
        if before.end == after.start and not _HAN.match(before.word + after.word):
            cut.append(_difference(quoted, (begin, begin + 1), text, (first - 1, first + 1)))
        elif (_is_negation(words, near) or _is_sign(before)) and not _STOP.search(
            text.text, words[near].end, after.start
        ):
            cut.append(_difference(quoted, (begin, begin), text, (near, first)))
    if last < len(words) and words[last].word in {"%", "‰"}:
        cut.append(_difference(quoted, (end, end), text, (last, last + 1)))
    return tuple(cut)


def _aligned(quoted: _Folded, part: Range, text: _Folded) -> _Found | None:
    """The place that shares most with a part of a quotation, and what differs there."""
    window = _window(quoted, part, text)
    if window is None:
        return None
    words = quoted.words[slice(*part)]
    source = text.words[slice(*window)]
    codes = Levenshtein.opcodes([word.key for word in words], [word.key for word in source])
    same: list[Token] = []
    differences: list[QuotationChange] = []
    begin, end = window[1], window[0]
    for is_equal, group in groupby(codes, key=lambda code: code.tag == "equal"):
        found = list(group)
        here = part[0] + found[0].src_start, part[0] + found[-1].src_end
        there = window[0] + found[0].dest_start, window[0] + found[-1].dest_end
        if is_equal:
            same += quoted.words[slice(*here)]
            differences += _inflected(quoted, here, text, there)
        is_edge = here[0] == part[0] or here[1] == part[1]
        if is_edge and here[0] == here[1]:
            continue
        begin, end = min(begin, there[0]), max(end, there[1])
        if not is_equal:
            kind: Kind | None = (
                "form" if is_edge and _is_light(quoted.words[slice(*here)]) else None
            )
            differences.append(_difference(quoted, here, text, there, kind))
            if differences[-1].kind == "form":
                same += (word for word in quoted.words[slice(*here)] if not word.is_small)
    share = _weight(same, words) / _weight(words, words)
    return _Found((begin, end), share, (*_cut(quoted, part, text, (begin, end)), *differences))


def _inflected(
    quoted: _Folded, here: Range, text: _Folded, there: Range
) -> Iterator[QuotationChange]:
    """The words that are in another form in the source."""
    for place, origin in zip(range(*here), range(*there), strict=True):
        words = quoted.words[place].word, text.words[origin].word
        if words[0] != words[1]:
            kind: Kind = "form" if _is_inflection(*words) else "word"
            yield _difference(quoted, (place, place + 1), text, (origin, origin + 1), kind)


def _is_inflection(first: str, second: str) -> bool:
    """Whether two words with one stem are forms of one word: numerous and numerical are not."""
    size = Prefix.similarity(first, second)
    return not first.isascii() or all(_ENDING.fullmatch(word, size) for word in (first, second))


def _window(quoted: _Folded, part: Range, text: _Folded) -> Range | None:
    """The words of the source among which most words and pairs of a part are close together."""
    first, last = part
    keys = [word.key for word in quoted.words[first:last]]
    size = max(8, len(keys) // 2)
    votes: defaultdict[int, float] = defaultdict(float)
    hits: list[tuple[int, int]] = []
    grams: list[tuple[int, str | tuple[str, str]]] = [*enumerate(keys), *enumerate(pairwise(keys))]
    for index, gram in grams:
        places = text.places.get(gram, ())
        for place in places if len(places) <= _PLACES else ():
            hits.append((index, place))
            votes[(place - index) // size] += 1 / len(places)
    if not hits:
        return None
    best = max(list(votes), key=lambda bucket: (votes[bucket] + votes[bucket + 1], -bucket))
    near = [hit for hit in hits if (hit[1] - hit[0]) // size in {best, best + 1}]
    [(usual, _)] = Counter(place - index for index, place in near).most_common(1)
    # The same words may be before and after the place: those count that are moved least.
    begin = min(near, key=lambda hit: (hit[0], abs(hit[1] - hit[0] - usual)))
    end = max(near, key=lambda hit: (hit[0], -abs(hit[1] - hit[0] - usual)))
    window = begin[1] - begin[0], end[1] - end[0] + len(keys)
    return max(0, window[0]), min(len(text.words), max(window[1], begin[1] + 1))


def _difference(
    quoted: _Folded, here: Range, text: _Folded, there: Range, kind: Kind | None = None
) -> QuotationChange:
    """The difference between some words of the quotation and some of the source."""
    quotation_span, source_span = quoted.span(*here), text.span(*there)
    words = quoted.words[slice(*here)], text.words[slice(*there)]
    places = (quoted.text, quotation_span), (text.text, source_span)
    return QuotationChange(
        source=source_span.of(text.text),
        quotation=quotation_span.of(quoted.text),
        source_span=source_span,
        quotation_span=quotation_span,
        kind=kind or _kind(*words, places),
    )


def _kind(
    quoted: Sequence[Token], words: Sequence[Token], texts: Sequence[tuple[str, Span]]
) -> Kind:
    """What kind of words differs; ``"form"`` if it changes nothing that is said."""
    both = [*quoted, *words]
    if _is_light(both):
        return "form"
    if any(word.is_digits or word.word in word_set("numeral") for word in both):
        return "form" if _is_same_number(*texts) else "number"
    if any(map(_is_sign, both)):
        return "sign"
    if any(word.word in word_set("negation") for word in both):
        return "negation"
    letters = ["".join(word.word for word in side) for side in (quoted, words)]
    return "form" if letters[0] == letters[1] else "word"


def _is_same_number(*places: tuple[str, Span]) -> bool:
    """Whether two places are one number in two notations: 4.2万, 42 000."""
    written = [place.of(text) for text, place in places]
    if all(map(_GROUPED.fullmatch, written)) and not all("." in number for number in written):
        # the point of one groups digits as the space of the other does
        return len({re.sub(r"\D", "", number) for number in written}) == 1
    values = []
    for text, place in places:
        read = numbers(text[place.start : place.end + _UNIT])
        covers = [
            number for number in read if not number.start and number.end >= place.end - place.start
        ]
        values.append([(number.value, number.unit) for number in covers])
    return bool(values[0]) and values[0] == values[1]


def _is_negation(words: Sequence[Token], place: int) -> bool:
    """Whether a negation ends with a word; a Chinese one may have two characters."""
    pair = "".join(word.word for word in words[max(0, place - 1) : place + 1])
    return not word_set("negation").isdisjoint((words[place].word, pair))


def _is_sign(word: Token) -> bool:
    return not word.word[0].isalnum()


def _is_light(words: Sequence[Token]) -> bool:
    """Whether a quotation may add, drop or exchange all of these words."""
    return all(word.word in word_set("filler") for word in words)


def _weight(words: Sequence[Token], whole: Sequence[Token]) -> int:
    """How many of the words have content; all of them, if no word of the whole has any."""
    return sum(not word.is_small for word in words) or len(words) * all(
        word.is_small for word in whole
    )
