"""Citations of law: which law and article a text names, and what a store says of them.

《民法典》第五百八十五条, ст. 330 ГК РФ, «Хозяйственный кодекс Северной области», ст. 41,
Harbour Contracts Act, section 22. Article numbers are read by ``assay.text.articles``; the
law is looked for around them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.scorers.evidence import THRESHOLD, alignment_scores, simplified_han, windows
from assay.text import HAN, Article, Span, article_number, articles, normalised, sentences, words

LawFinding: TypeAlias = Literal["valid", "law unknown", "article unknown", "text not in article"]

LONGEST_RANGE: Final = 50
"""Articles that a range may name; a longer one is read as its two ends."""

_BETWEEN: Final = re.compile(r"\s*(?:[,、，]|и|and|or|или|及|和|与|或者?|以及)?\s*")
_THROUGH: Final = re.compile(r"\s*(?:至|到|-|–|—|~|～|to|through|по|до)\s*")
_THROUGH_NUMBER: Final = re.compile(r"\s?(?:to|through|по|до)\s+([0-9]+)(?![0-9.])")
_TITLE: Final = re.compile(r"《([^《》]{2,80})》")
_BARE_HAN: Final = re.compile(
    rf"([{HAN}]{{1,20}}(?:法典|法|条例|规则|规定|办法|解释|章程|细则))(?:的|中|之)?\s*\Z"
)
_LEAD_HAN: Final = re.compile(
    "^(?:根据|依据|按照|依照|违反|参照|适用|符合|结合|见|参见|以及|和|与|及|依|据)+"
)
_QUOTED: Final = r"[«“„\"「]([^»”“\"」]{2,120})[»”\"」]"
_LAW_RU: Final = (
    r"(?:[Кк]одекс|[Зз]акон|[Уу]став|[Пп]оложени|[Пп]равил|[Рр]егламент|[Пп]остановлени)\w*"
)
_PLACE_RU: Final = r"(?:\s+(?:[А-ЯЁ][\w-]+|област\w+|кра[яюе]\w*|республик\w+|округ\w*|город\w*))*"
_TOPIC_RU: Final = rf"(?:\s*(?:{_QUOTED}|об?\s+[^,.;:()«»]{{3,80}}))?"
_NAME_RU: Final = rf"(?:[А-ЯЁ][\w-]+\s+)*{_LAW_RU}{_PLACE_RU}{_TOPIC_RU}"
_SHORT_RU: Final = r"[А-ЯЁ]{1,6}[кК]?(?:\s+(?:РФ|[А-ЯЁ]{2,4}))?\b"
_WORD_EN: Final = r"[A-Z][\w'’-]*"
_NAME_EN: Final = rf"{_WORD_EN}(?:\s+(?:{_WORD_EN}|of|the|and|on|for|to|in)(?=\s))*\s+{_WORD_EN}(?:\s+[12][0-9]{{3}})?"
_KIND_EN: Final = re.compile(
    r"\b(?:Act|Code|Law|Ordinance|Regulations?|Statute|Rules?|Decree|Directive|Constitution)\b"
)
_AFTER: Final = re.compile(
    rf"(?:\s?\([0-9a-zа-я]+\))*\s*(?:(?:,\s*)?(?:of|in|under)\s+(?:the\s+)?(?P<en>{_NAME_EN}|{_WORD_EN})"
    rf"|(?P<short>[A-Z]{{2,8}})\b|(?P<quoted>{_QUOTED})|(?P<ru>{_NAME_RU})|(?P<ru_short>{_SHORT_RU}))"
)
_BEFORE: Final = re.compile(
    rf"(?:(?P<quoted>{_QUOTED})|(?P<ru>{_NAME_RU})|(?P<ru_short>{_SHORT_RU})|(?P<en>{_NAME_EN})"
    rf"|(?P<short>\b[A-Z]{{2,8}}))[\s,(]*\Z"
)
_LEAD_EN: Final = re.compile(
    r"^(?:(?:Under|Pursuant|See|By|In|The|Per|And|Of|To)\s+(?:to\s+)?(?:the\s+)?)+"
)
_QUOTES: Final = re.compile("[«»“”„\"'「」《》〈〉]")
_DROPPED: Final = frozenset(("the", "of"))


class LawCitation(Struct, frozen=True, kw_only=True):
    """An article of a law as a text cites it; ``law`` is ``None`` where no law is named."""

    law: str | None
    article: str
    span: Span


def law_citations(text: str) -> list[LawCitation]:
    """The articles of law that ``text`` cites, in order, each of a list or range on its own.

    >>> [(c.law, c.article) for c in law_citations("《民法典》第五百八十五条；ст. 330–331 ГК РФ")]
    [('民法典', '585'), ('ГК РФ', '330'), ('ГК РФ', '331')]
    >>> [(c.law, c.article) for c in law_citations("section 22 of the Harbour Contracts Act")]
    [('Harbour Contracts Act', '22')]
    """
    text = simplified_han(text)
    out: list[LawCitation] = []
    for group in _groups(text, articles(text)):
        law = _law(text, group[0].start, group[-1].end)
        numbers = [one for article in _ranges(text, group) for one in article]
        out += [LawCitation(law=law, article=number, span=span) for number, span in numbers]
    return out


def _groups(text: str, found: Sequence[Article]) -> Iterator[list[Article]]:
    """Articles with nothing between them but what makes a list or a range."""
    group: list[Article] = []
    for article in found:
        if group:
            gap = text[group[-1].end : article.start]
            if not (_BETWEEN.fullmatch(gap) or _THROUGH.fullmatch(gap)):
                yield group
                group = []
        group.append(article)
    if group:
        yield group


def _ranges(text: str, group: Sequence[Article]) -> Iterator[list[tuple[str, Span]]]:
    """Each article of a group with those that a range before it names."""
    before: Article | None = None
    for article in group:
        span = Span(start=article.start, end=article.end)
        first, _, last = article.number.partition("-")
        if before is not None and _THROUGH.fullmatch(text[before.end : article.start]):
            yield [(one, span) for one in _between(before.number, article.number)[1:]]
        elif tail := _THROUGH_NUMBER.match(text, article.end):
            yield [(one, span) for one in _between(article.number, tail[1])]
        elif last and len(expanded := _between(first, last)) > 1 and expanded[-1] == last:
            yield [(one, span) for one in expanded]
        else:
            yield [(article.number, span)]
        before = article


def _between(first: str, last: str) -> list[str]:
    """The numbers of a range; its ends alone where it is no range of whole numbers."""
    if first.isdigit() and last.isdigit():
        low, high = int(first), int(last)
        if low < high <= low + LONGEST_RANGE:
            return [str(number) for number in range(low, high + 1)]
        # 3-1 is the first article inserted after the third.
        return [first, last] if low < high else [f"{first}-{last}"]
    return [first, last]


def _law(text: str, start: int, end: int) -> str | None:
    sentence = next((s.start for s in reversed(sentences(text)) if s.start <= start), 0)
    if text[start] == "第":
        titles = list(_TITLE.finditer(text, sentence, start))
        if titles:
            return titles[-1][1].strip()
        bare = _BARE_HAN.search(text[sentence:start])
        return _LEAD_HAN.sub("", bare[1]) or None if bare else None
    rest = text[end : end + 200]
    if through := _THROUGH_NUMBER.match(rest):
        rest = rest[through.end() :]
    if (after := _AFTER.match(rest)) is not None:
        return _named(after)
    titles = [title for title in _TITLE.finditer(text, sentence, start) if title.end() + 3 > start]
    if titles:
        return titles[-1][1].strip()
    return _law_before(text[max(0, start - 200) : start])


def _law_before(text: str) -> str | None:
    for match in _starts(text):
        name = _named(match)
        if name and (match["en"] is None or _KIND_EN.search(name)):
            return name
    return None


def _starts(text: str) -> Iterator[re.Match[str]]:
    """Names that end where ``text`` does, the longest first."""
    for place in re.finditer(r"(?<![\w])[«“„\"「A-ZА-ЯЁ]|\b[кзупр]", text):
        if match := _BEFORE.match(text, place.start()):
            yield match


def _named(match: re.Match[str]) -> str | None:
    whole = match["quoted"] or match["ru"] or match["ru_short"] or match["en"] or match["short"]
    name = _LEAD_EN.sub("", whole).strip(" ,")
    if match["quoted"]:
        name = _QUOTES.sub("", name).strip()
    return name or None


class LawText(Struct, frozen=True, kw_only=True):
    """One article of a law, as a store has it; ``aliases`` are other names of the law."""

    name: str
    article: str
    text: str
    aliases: tuple[str, ...] = ()


class LawStore:
    """Articles by the name of their law, found however the name is inflected or abbreviated."""

    def __init__(self, laws: Iterable[LawText]) -> None:
        self._laws: dict[tuple[str, ...], dict[str, str]] = {}
        self._named: dict[tuple[str, ...], tuple[str, ...]] = {}
        for law in laws:
            key = name_key(law.name)
            self._laws.setdefault(key, {})[canonical_article(law.article)] = law.text
            for name in (law.name, *law.aliases):
                self._named[name_key(name)] = key

    def __len__(self) -> int:
        return sum(map(len, self._laws.values()))

    def articles_of(self, law: str) -> Mapping[str, str] | None:
        """Texts by article number; ``None`` where the store has no such law.

        A name that goes on after the law's own (because a sentence goes on) still names it.
        """
        key = name_key(law)
        for size in range(len(key), 0, -1):
            known = self._named.get(key[:size])
            if known is not None:
                return self._laws[known]
        return None


def check_law(citation: LawCitation, quoted: str | None, store: LawStore) -> LawFinding:
    """What the store says of a citation and of the text quoted with it, if any.

    Without a quotation, or with an empty one, a law and an article that exist are valid.

    >>> store = LawStore([LawText(name="Harbour Act", article="2", text="Parties act in good faith.")])
    >>> [check_law(c, "in good faith", store) for c in law_citations("Harbour Act, sections 2, 3")]
    ['valid', 'article unknown']
    """
    known = store.articles_of(citation.law) if citation.law else None
    if known is None:
        return "law unknown"
    text = known.get(canonical_article(citation.article))
    if text is None:
        return "article unknown"
    if not quoted or not quoted.strip():
        return "valid"
    candidates = [span.of(text) for span in windows(text, len(quoted))]
    scores = alignment_scores(quoted, candidates, text)
    held = any(one.score >= THRESHOLD for one in scores)
    return "valid" if held else "text not in article"


def name_key(name: str) -> tuple[str, ...]:
    """A law's name as it is compared: stems, without quotes, case and ё.

    >>> name_key("Хозяйственного кодекса «Северной области»") == name_key("Хозяйственный кодекс Северной области")
    True
    >>> name_key("《中华人民共和国民法典》") == name_key("民法典")
    True
    """
    plain = _QUOTES.sub(" ", normalised(simplified_han(name), fold_case=True)).strip()
    plain = plain.removeprefix("中华人民共和国")
    if re.search(f"[{HAN}]", plain):
        return ("".join(plain.split()),)
    return tuple(word for word in words(plain) if word not in _DROPPED)


def canonical_article(article: str) -> str:
    """An article's number in digits, from ``585``, ``第五百八十五条`` or ``ст. 12.1``.

    >>> canonical_article("第五百八十五条"), canonical_article(" 012 "), canonical_article("12.1")
    ('585', '12', '12.1')
    """
    plain = normalised(simplified_han(article)).strip()
    number = article_number(plain) or article_number(f"第{plain}条") or plain
    return number.lstrip("0") or number
