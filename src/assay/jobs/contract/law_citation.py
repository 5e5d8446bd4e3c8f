"""Citations of laws: which law and article a text cites, and whether a store contains them.

Examples: 《民法典》第五百八十五条; ст. 330 ГК РФ; «Хозяйственный кодекс Северной области», ст. 41;
Harbour Contracts Act, section 22. ``assay.text.article`` finds the article numbers; this module
searches for the name of the law before and after them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.checks.quotation import verify_quotation
from assay.text.article import Article, articles
from assay.text.character import HAN
from assay.text.language import simplified
from assay.text.lexicon import alternatives, expressions, lazy_pattern, word_list
from assay.text.normalise import Span, normalised
from assay.text.search_term import words
from assay.text.sentence import sentences

# Names of laws: the key by which two spellings are compared, and the short names of a law.
#
# Examples: 《中华人民共和国民法典》 and 民法典; Гражданского кодекса Российской Федерации and ГК РФ;
# Sale of Goods Act 1979 and Sale of Goods Act.

Key = tuple[str, ...]

YEAR: Final = re.compile("[12][0-9]{3}")
QUOTES: Final = re.compile("[«»“”„\"'「」《》〈〉]")
_STATE: Final = lazy_pattern(lambda: alternatives("law.state", "ru"))
_PART: Final = lazy_pattern(lambda: rf"[\s,(]*\b(?:{alternatives('law.part', 'ru')})\b\)?")
_HAN: Final = re.compile(f"[{HAN}]")
_YEAR_HAN: Final = re.compile(r"\s*[(（][^()（）]*(?:\d{4}|修正|修订)[^()（）]*[)）]\Z")
_IGNORED_WORDS: Final = frozenset(("the", "of"))
_WORD: Final = re.compile(r"[^\W_]+")


def name_key(name: str) -> Key:
    """The key for comparing names of laws: stems, without quotation marks, case and ё.

    A Chinese name is kept as one word, without 中华人民共和国 at its beginning and without the
    year of a revision at its end. The parts of a Russian code share its articles and its key.

    >>> name_key("Хозяйственного кодекса «Северной области»") == name_key("Хозяйственный кодекс Северной области")
    True
    >>> name_key("《中华人民共和国民法典》") == name_key("民法典")
    True
    >>> name_key("Налоговый кодекс Российской Федерации (часть вторая)") == name_key("Налоговый кодекс РФ")
    True
    """
    plain = QUOTES.sub(" ", normalised(simplified(name), fold_case=True)).strip()
    plain = _YEAR_HAN.sub("", plain.removeprefix("中华人民共和国"))
    if _HAN.search(plain):
        return ("".join(plain.split()),)
    plain = _PART.sub("", _STATE.sub(_state(), plain))
    return tuple(word for word in words(plain) if word not in _IGNORED_WORDS)


def short_keys(name: str) -> Iterator[Key]:
    """The keys of other names that a longer text may begin with.

    They are the name without its year, its usual abbreviation (КоАП РФ), or the full name if
    ``name`` is the abbreviation; a name without a usual abbreviation has its initials instead.

    >>> ("гк", "рф") in short_keys("Гражданский кодекс Российской Федерации")
    True
    >>> list(short_keys("Harbour Contracts Act"))
    [('hca',)]
    """
    key = name_key(name)
    if key and YEAR.fullmatch(key[-1]):
        yield key[:-1]
    bare = stateless_key(key)
    others = _abbreviations().get(bare, ())
    has_state = bare != key
    for each in (bare, *others):
        if has_state:
            yield (*each, _state())
            yield (each[0], _state(), *each[1:])
        elif each != bare:
            yield each
    if not others and (initials := _initials(name)):
        yield initials


def stateless_keys(name: str) -> Iterator[Key]:
    """The keys of ``name`` and of its short names without the state: ГК, Гражданский кодекс.

    They name the law only if nothing follows, because the code of another state begins so too.

    >>> list(stateless_keys("Harbour Contracts Act")), ("гк",) in stateless_keys("ГК РФ")
    ([], True)
    """
    for key in (name_key(name), *short_keys(name)):
        if (bare := stateless_key(key)) != key:
            yield bare


def stateless_key(key: Key) -> Key:
    """The key without the state, unless nothing else is left."""
    return tuple(word for word in key if word != _state()) or key


def abbreviations() -> str:
    """The usual abbreviations of Russian laws as alternatives of an expression, longest first."""
    short = (pair.partition("/")[0] for pair in expressions("law.abbreviation", "ru"))
    return "|".join(sorted(short, key=len, reverse=True))


@cache
def _abbreviations() -> dict[Key, tuple[Key, ...]]:
    """For the key of each abbreviation and of each name that it stands for, the other keys."""
    table: dict[Key, tuple[Key, ...]] = {}
    for pair in expressions("law.abbreviation"):
        short, _, full = map(name_key, pair.partition("/"))
        for key, other in ((short, full), (full, short)):
            table[key] = (*table.get(key, ()), other)
    return table


def _initials(name: str) -> Key | None:
    """The key of the initials of a name, with its place (ГК РФ, GDPR); ``None`` if it has none."""
    if _HAN.search(name):
        return None
    words_of_name = [
        word
        for word in _WORD.findall(_PART.sub("", _STATE.sub(_state().upper(), name)))
        if not YEAR.fullmatch(word)
    ]
    place = [word for word in words_of_name[1:] if word.isupper()]
    spelt = [word for word in words_of_name if word not in place]
    initials = "".join(word[0] for word in spelt if word[0].isupper() or len(word) > 3)
    return name_key(" ".join([initials, *place])) if len(initials) > 1 else None


def _state() -> str:
    """How names of laws shorten the state."""
    return alternatives("law.state_short", "ru")


LawFinding: TypeAlias = Literal["valid", "law unknown", "article unknown", "text not in article"]

LONGEST_RANGE: Final = 50
"""The longest range of articles that is expanded. Of a longer one, only the two ends count."""

_BETWEEN: Final = lazy_pattern(lambda: rf"\s*(?:[,、，]|{alternatives('law.and')})?\s*", re.NOFLAG)
_THROUGH: Final = lazy_pattern(lambda: alternatives("law.through"), re.NOFLAG)
_THROUGH_NUMBER: Final = re.compile(r"\s?(?:to|through|по|до)\s+([0-9]+)(?![0-9.])")
_NEAR: Final = 200
"""How many characters from its article the name of a law may be."""
_TITLE: Final = re.compile(r"《([^《》]{2,80})》")
_BARE_HAN: Final = lazy_pattern(
    lambda: rf"([{HAN}]{{1,20}}(?:{alternatives('law.title_ending', 'zh')}))[的中之]?\s*\Z",
    re.NOFLAG,
)
_LEAD_HAN: Final = lazy_pattern(lambda: alternatives("law.lead_han"), re.NOFLAG)
_QUOTED: Final = r"[«“„\"「]([^»”“\"」]{2,120})[»”\"」]"
_TOPIC_RU: Final = rf"(?:\s*(?:{_QUOTED}|об?\s+[^,.;:()«»]{{3,80}}))?"


def _russian_name() -> str:
    law = rf"(?:{alternatives('law.kind', 'ru')})\w*"
    after = "|".join(alternatives(f"law.{name}", "ru") for name in ("place", "subject"))
    place = rf"(?:\s+(?:[А-ЯЁ][\w-]+|{after}))*"
    adjective = rf"(?:{'|'.join(word_list('law.adjective', 'ru'))})(?:о-[а-яё]+|[а-яё]{{2,3}})"
    return rf"(?:(?:[А-ЯЁ][\w-]+|{adjective})\s+){{0,6}}{law}{place}{_TOPIC_RU}"


def _russian_short() -> str:
    place = rf"\s+(?:[А-ЯЁ]{{2,4}}|{alternatives('law.place_in_full', 'ru')})"
    return rf"(?:{abbreviations()}|[А-ЯЁ]{{1,6}}[кК]?)\b(?:{place}\b)?"


_WORD_EN: Final = r"[A-Z][\w'’-]*"
_NAME_EN: Final = rf"{_WORD_EN}(?:\s+(?:{_WORD_EN}|of|the|and|on|for|to|in)(?=\s))*\s+{_WORD_EN}(?:\s+[12][0-9]{{3}})?"
_KIND_EN: Final = re.compile(
    r"\b(?:Act|Code|Law|Ordinance|Regulations?|Statute|Rules?|Decree|Directive|Constitution)\b"
)
_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?:\s?\([0-9a-zа-я]+\))*\s*(?:(?:,\s*)?(?:of|in|under)\s+(?:the\s+)?(?P<en>{_NAME_EN}|{_WORD_EN})"
        rf"|(?P<short>[A-Z]{{2,8}})\b|(?P<quoted>{_QUOTED})|(?P<ru>{_russian_name()})|(?P<ru_short>{_russian_short()}))"
    ),
    re.NOFLAG,
)
_DIRECTLY_AFTER_EN: Final = re.compile(rf"(?:\s?\([0-9a-z]+\))*,?\s*({_NAME_EN})")
_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:(?P<quoted>{_QUOTED})|(?P<ru>{_russian_name()})|(?P<ru_short>{_russian_short()})|(?P<en>{_NAME_EN})"
        rf"|(?P<short>\b[A-Z]{{2,8}}))[\s,(]*\Z"
    ),
    re.NOFLAG,
)
_LEAD_EN: Final = re.compile(
    r"^(?:(?:Under|Pursuant|See|By|In|The|Per|And|Of|To)\s+(?:to\s+)?(?:the\s+)?)+"
)


class LawCitation(Struct, frozen=True, kw_only=True):
    """An article of a law that a text cites; ``law`` is ``None`` if the text names no law."""

    law: str | None
    article: str
    span: Span


def law_citations(text: str) -> list[LawCitation]:
    """The articles of laws that ``text`` cites, in order.

    Each article of a list or range is a separate citation.

    >>> [(c.law, c.article) for c in law_citations("《民法典》第五百八十五条；ст. 330–331 ГК РФ")]
    [('民法典', '585'), ('ГК РФ', '330'), ('ГК РФ', '331')]
    >>> [(c.law, c.article) for c in law_citations("section 22 of the Harbour Contracts Act")]
    [('Harbour Contracts Act', '22')]
    """
    text = simplified(text)
    citations: list[LawCitation] = []
    named = _Named(text)
    for group in _groups(text, articles(text)):
        law = named.law(group[0].start, group[-1].end)
        numbers = [number for expanded in _ranges(text, group) for number in expanded]
        citations += [LawCitation(law=law, article=number, span=span) for number, span in numbers]
    return citations


def _groups(text: str, all_articles: Sequence[Article]) -> Iterator[list[Article]]:
    """Groups of articles that form a list or a range: only separators come between them."""
    group: list[Article] = []
    for article in all_articles:
        if group:
            gap = text[group[-1].end : article.start]
            if not (_BETWEEN.fullmatch(gap) or _THROUGH.fullmatch(gap)):
                yield group
                group = []
        group.append(article)
    if group:
        yield group


def _ranges(text: str, group: Sequence[Article]) -> Iterator[list[tuple[str, Span]]]:
    """The numbers that each article of a group stands for; ranges are expanded."""
    previous: Article | None = None
    for article in group:
        span = Span(start=article.start, end=article.end)
        first, _, last = article.number.partition("-")
        if previous is not None and _THROUGH.fullmatch(text[previous.end : article.start]):
            yield [(number, span) for number in _range(previous.number, article.number)[1:]]
        elif range_end := _THROUGH_NUMBER.match(text, article.end):
            yield [(number, span) for number in _range(article.number, range_end[1])]
        elif last and len(expanded := _range(first, last)) > 1 and expanded[-1] == last:
            yield [(number, span) for number in expanded]
        else:
            yield [(article.number, span)]
        previous = article


def _range(first: str, last: str) -> list[str]:
    """The numbers of a range; only the two ends if it cannot be expanded."""
    if first.isdigit() and last.isdigit():
        low, high = int(first), int(last)
        if low < high <= low + LONGEST_RANGE:
            return [str(number) for number in range(low, high + 1)]
        # "3-1" is a single number: the first article that was inserted after article 3.
        return [first, last] if low < high else [f"{first}-{last}"]
    return [first, last]


class _Named:
    """The sentences of a text and the titles in it, found once for all articles that it cites."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences = [sentence.start for sentence in sentences(text)]
        self._titles = list(_TITLE.finditer(text))
        self._ends = [title.end() for title in self._titles]

    def law(self, start: int, end: int) -> str | None:
        """The law that is named next to the articles between ``start`` and ``end``."""
        text = self._text
        before = bisect_right(self._sentences, start)
        sentence = self._sentences[before - 1] if before else 0
        title = self._title(sentence, start)
        if text[start] == "第":
            if title is not None:
                return title[1].strip()
            bare = _BARE_HAN.search(text[max(sentence, start - _NEAR) : start])
            return _LEAD_HAN.sub("", bare[1]) or None if bare else None
        rest = text[end : end + _NEAR]
        if range_end := _THROUGH_NUMBER.match(rest):
            rest = rest[range_end.end() :]
        if (after := _AFTER.match(rest)) is not None:
            return _name(after)
        if (bare := _DIRECTLY_AFTER_EN.match(rest)) is not None and _KIND_EN.search(bare[1]):
            return bare[1]
        if title is not None and title.end() + 3 > start:
            return title[1].strip()
        return _law_before(text[max(0, start - _NEAR) : start])

    def _title(self, sentence: int, start: int) -> re.Match[str] | None:
        """The last title between the start of the sentence and that of the articles."""
        before = bisect_right(self._ends, start)
        title = self._titles[before - 1] if before else None
        return title if title is not None and title.start() >= sentence else None


def _law_before(text: str) -> str | None:
    """The name of a law at the end of ``text``."""
    for match in _trailing_names(text):
        name = _name(match)
        if name and (match["en"] is None or _KIND_EN.search(name)):
            return name
    return None


def _trailing_names(text: str) -> Iterator[re.Match[str]]:
    """Matches of names that end at the end of ``text``, the longest first."""
    for first_letter in re.finditer(r"(?<![\w])[«“„\"「A-ZА-ЯЁ]|\b[а-яё]", text):
        if match := _BEFORE.match(text, first_letter.start()):
            yield match


def _name(match: re.Match[str]) -> str | None:
    written = match["quoted"] or match["ru"] or match["ru_short"] or match["en"] or match["short"]
    name = _LEAD_EN.sub("", written).strip(" ,")
    if match["quoted"]:
        name = QUOTES.sub("", name).strip()
    return name or None


class LawText(Struct, frozen=True, kw_only=True):
    """One article of a law in a store; ``aliases`` are other names of the law."""

    name: str
    article: str
    text: str
    aliases: tuple[str, ...] = ()


class LawStore:
    """Articles of laws, which can be looked up by inflected names, short names and aliases.

    Short names are a name without its year or its state, the usual abbreviation and the
    initials (КоАП РФ, ГК РФ), if only one law has them.
    """

    def __init__(self, laws: Iterable[LawText]) -> None:
        self._laws: dict[Key, dict[str, str]] = {}
        self._keys: dict[Key, Key] = {}
        short: dict[Key, set[Key]] = {}
        stateless: dict[Key, set[Key]] = {}
        for law in laws:
            key = name_key(law.name)
            self._laws.setdefault(key, {})[canonical_article(law.article)] = law.text
            for name in (law.name, *law.aliases):
                self._keys[name_key(name)] = key
                for each in short_keys(name):
                    short.setdefault(each, set()).add(key)
                for each in stateless_keys(name):
                    stateless.setdefault(each, set()).add(key)
        for each, keys in short.items():
            if len(keys) == 1:
                self._keys.setdefault(each, *keys)
        self._whole = {each: key for each, (key, *others) in stateless.items() if not others}

    def __len__(self) -> int:
        return sum(map(len, self._laws.values()))

    def articles_of(self, law: str) -> Mapping[str, str] | None:
        """The texts of a law by article number; ``None`` if the store does not have the law.

        ``law`` may continue after the name of the law, because the end of a name in a sentence
        is not always clear. The longest beginning that names a law is used. A name that goes
        on with a year is that of another law, and so may be one that goes on after a name
        without its state.
        """
        key = name_key(law)
        for size in range(len(key), 0, -1):
            law_key = self._keys.get(key[:size])
            if law_key is not None and not YEAR.fullmatch("".join(key[size : size + 1])):
                return self._laws[law_key]
        whole = self._whole.get(key)
        return None if whole is None else self._laws[whole]


def check_law(citation: LawCitation, quoted: str | None, store: LawStore) -> LawFinding:
    """Check a citation, and the text quoted from it, against a store.

    Without a quotation, or with an empty one, a citation is valid if the store has the article.

    >>> store = LawStore([LawText(name="Harbour Act", article="2", text="Parties act in good faith.")])
    >>> [check_law(c, "in good faith", store) for c in law_citations("Harbour Act, sections 2, 3")]
    ['valid', 'article unknown']
    """
    texts = store.articles_of(citation.law) if citation.law else None
    if texts is None:
        return "law unknown"
    text = texts.get(canonical_article(citation.article))
    if text is None:
        return "article unknown"
    if not quoted or not quoted.strip():
        return "valid"
    return "valid" if verify_quotation(quoted, text).valid else "text not in article"


def canonical_article(article: str) -> str:
    """The number of an article in digits, from ``585``, ``第五百八十五条`` or ``ст. 12.1``.

    >>> canonical_article("第五百八十五条"), canonical_article(" 012 "), canonical_article("12.1")
    ('585', '12', '12.1')
    """
    plain = normalised(simplified(article)).strip()
    named = articles(plain) or articles(f"第{plain}条")
    number = named[0].number if named else plain
    return number.lstrip("0") or number
