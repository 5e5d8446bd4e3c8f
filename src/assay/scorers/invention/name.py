"""Names in an answer that a source does not have: people, bodies, places, brands.

In Russian and English: capitalised words in a row, other than the one that begins a sentence,
and what stands in quotation marks with a capital. In Chinese, where nothing is capitalised:
a surname and one or two characters that the segmenter takes for a name, and what ends like a
place or a body (楼, 路, 公司, 储蓄社) and is no dictionary word.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from assay.scorers.value import NOT_NAMES, TITLES, is_starter
from assay.text import CYRILLIC, HAN, LATIN, Span, normalised, sentences, stem

_LETTERS: Final = f"{CYRILLIC}{LATIN}"
_WORD: Final = re.compile(rf"[{_LETTERS}]+(?:[-'’][{_LETTERS}]+)*")
_CAPITAL: Final = re.compile(rf"[A-ZА-ЯЁ][{_LETTERS}'’]*(?:-[{_LETTERS}]+)*")
_LINK: Final = re.compile(r"[ \u00a0]|\. ?|[ \u00a0](?:de|van|von|der|di|da|la|le|al|bin)[ \u00a0]")
_QUOTED: Final = re.compile(r"[«“\"„「『]([^«»“”\"„「」『』]{2,40})[»”\"“」』]")
_OPENING: Final = re.compile(r"(?:\A|[.!?…:;\n(\[«“\"„—–-])[\s«“\"„(\[]*\Z")

_SURNAME_RU: Final = re.compile(
    r"(?:[оеё]в|ин|ын|ский|цкий|[оеё]ва|ская|цкая|енко|чук|юк|ян|дзе|швили)\Z"
)
_PAST_RU: Final = re.compile(r"\s[а-яё]+(?:л|ла|ли|лся|лась)\b")

_SURNAME_ZH: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦"
    "付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰"
    "焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳欧管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项"
    "连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝"
)
_COMPOUND_ZH: Final = (
    "欧阳",
    "司马",
    "上官",
    "诸葛",
    "司徒",
    "东方",
    "独孤",
    "南宫",
    "夏侯",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "令狐",
)
_CALLED_ZH: Final = re.compile(
    f"[{''.join(sorted(_SURNAME_ZH))}](?:先生|女士|小姐|太太|老板|经理|主任|科长|处长|局长|律师|法官|警官|师傅)"
    f"|(?<![{HAN}])[老小阿][{''.join(sorted(_SURNAME_ZH))}](?![{HAN}])"
)
_PLACE_ZH: Final = re.compile(
    "(?:楼|饭店|酒店|宾馆|餐厅|酒家|茶馆|饭馆|大厦|广场|商场|超市|银行|储蓄社|信用社|支行|分行|公司|集团|厂|医院|学校|大学|中学|小学|法院|检察院"
    "|公安局|派出所|事务所|委员会|中心|协会|基金会|路|街|巷|大道|镇|村|乡|县|市|区|省|州|湖|山|江|河|码头|车站|机场|公园|小区|保险|物业)$"
)
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
    """The words of western scripts in ``text``, folded, with their stems."""
    folded = normalised(text, fold_case=True)
    found = {word for match in _WORD.finditer(folded) for word in _forms(match.group())}
    return frozenset(found | {stem(word) for word in found})


def unknown_names(answer: str, source: str, known: frozenset[str]) -> Iterator[Span]:
    """The names of ``answer`` with a word that ``source``, whose words are ``known``, lacks.

    >>> text = "The mediator is Judith Crane of the Ellery Mediation Centre."
    >>> [span.of(text) for span in unknown_names(text, "Ellery", known_words("Ellery"))]
    ['Judith Crane', 'Ellery Mediation Centre']
    """
    quoted = list(_quoted(answer, known))
    yield from quoted
    for span in _capitalised(answer):
        if any(span.start < one.end and one.start < span.end for one in quoted):
            continue
        name = _trimmed(answer, span, known)
        if name is not None:
            yield name
    if re.search(f"[{HAN}]", answer):
        yield from _chinese(answer, source)


def _forms(word: str) -> set[str]:
    """The word, without a possessive ending, and its parts."""
    bare = re.sub(r"['’]s?\Z", "", word)
    return {word, bare, *re.split(r"[-'’]", bare)}


def _is_known(word: str, known: frozenset[str]) -> bool:
    folded = normalised(word, fold_case=True)
    forms = {folded, re.sub(r"'s?\Z", "", folded)}
    if forms & known or {stem(one) for one in forms} & known:
        return True
    if "\u0400" <= folded[0] <= "\u04ff" and len(folded) >= 4:
        # Cases of names go beyond what a stemmer knows: Горелов, Гореловым; Симакова, Симаковой.
        root = folded[: max(4, len(folded) - 2)]
        return any(
            one.startswith(root[: max(4, len(root) - 1)]) and abs(len(one) - len(folded)) <= 3
            for one in known
        )
    return False


def _quoted(answer: str, known: frozenset[str]) -> Iterator[Span]:
    """Names in quotation marks: a capital first, few words, not a sentence."""
    for match in _QUOTED.finditer(answer):
        inside = match[1].strip()
        found = _WORD.findall(inside)
        if not found or not found[0][0].isupper() or len(found) > 4 or inside[-1] in ".!?…,":
            continue
        capitals = [word for word in found if word[0].isupper()]
        if len(found) > 1 and len(capitals) < len(found):
            continue
        if any(not _is_known(word, known) for word in capitals):
            yield Span(start=match.start(), end=match.end())


def _capitalised(answer: str) -> Iterator[Span]:
    """Capitalised words in a row, initials among them."""
    start = end = -1
    for match in _CAPITAL.finditer(answer):
        if match.start() and answer[match.start() - 1].isalnum():
            continue
        if (
            start >= 0
            and _LINK.fullmatch(answer, end, match.start())
            and _joins(answer, start, end)
        ):
            end = match.end()
            continue
        if start >= 0:
            yield Span(start=start, end=end)
        start, end = match.start(), match.end()
    if start >= 0:
        yield Span(start=start, end=end)


def _joins(answer: str, start: int, end: int) -> bool:
    """A point ends the row unless it follows an initial."""
    if answer[end : end + 1] != ".":
        return True
    last = _CAPITAL.findall(answer[start:end])[-1]
    return len(last) == 1 or last.lower() in TITLES


def _trimmed(answer: str, span: Span, known: frozenset[str]) -> Span | None:
    """The name without titles and without a word that only begins the sentence."""
    parts = [
        Span(start=span.start + m.start(), end=span.start + m.end())
        for m in _CAPITAL.finditer(span.of(answer))
    ]
    opens = bool(_OPENING.search(answer[: span.start])) or any(
        one.start == span.start for one in sentences(answer)
    )
    words = [part.of(answer).lower() for part in parts]
    while words and (words[0] in TITLES | NOT_NAMES or (opens and is_starter(words[0]))):
        parts, words, opens = parts[1:], words[1:], False
    while words and words[-1] in NOT_NAMES:
        parts, words = parts[:-1], words[:-1]
    if not parts:
        return None
    if opens and len(parts) == 1 and not _is_subject_ru(answer, parts[0]):
        return None
    strange = [
        part
        for part, word in zip(parts, words, strict=True)
        if len(word) > 1 and word not in NOT_NAMES and not _is_known(part.of(answer), known)
    ]
    if not strange:
        return None
    return Span(start=parts[0].start, end=parts[-1].end)


def _is_subject_ru(answer: str, part: Span) -> bool:
    """Whether a Russian word that begins a sentence is a surname: Самойлов получил."""
    word = part.of(answer).lower()
    return bool(_SURNAME_RU.search(word)) and bool(_PAST_RU.match(answer, part.end))


def _chinese(answer: str, source: str) -> Iterator[Span]:
    tagged = _tagged(answer)
    there = source.replace(" ", "")
    place = 0
    for match in _CALLED_ZH.finditer(answer):
        if match.group() not in there:
            yield Span(start=match.start(), end=match.end())
    while place < len(tagged):
        found = _person(tagged, place) or _body(tagged, place)
        if found is None:
            place += 1
            continue
        span, after = found
        if span.of(answer) not in there:
            yield span
        place = after


def _tagged(text: str) -> list[tuple[str, str, int]]:
    """Words with their tags and offsets."""
    # The segmenter loads its dictionary: slow, and needed for Chinese alone.
    import rjieba  # noqa: PLC0415

    found, place = [], 0
    for word, tag in rjieba.tag(text):
        found.append((word, tag, place))
        place += len(word)
    return found


def _person(tagged: Sequence[tuple[str, str, int]], place: int) -> tuple[Span, int] | None:
    word, tag, start = tagged[place]
    if not tag.startswith("nr") or _PLACE_ZH.search(word):
        return None
    compound = word.startswith(_COMPOUND_ZH)
    if not compound and word[0] not in _SURNAME_ZH:
        return None
    end, after = start + len(word), place + 1
    if len(word) == 1 or (compound and len(word) == 2):
        if after >= len(tagged):
            return None
        given, next_tag, _ = tagged[after]
        if len(given) > 2 or not re.fullmatch(f"[{HAN}]+", given) or next_tag[0] in "upcdrmqyf":
            return None
        end, after = end + len(given), after + 1
    if len(word) > 4:
        return None
    return Span(start=start, end=end), after


def _body(tagged: Sequence[tuple[str, str, int]], place: int) -> tuple[Span, int] | None:
    """A place or a body from here on: nouns in a row, the last of which says what it is."""
    best: tuple[Span, int] | None = None
    start = tagged[place][2]
    named = False
    for after in range(place, min(place + 6, len(tagged))):
        word, tag, at = tagged[after]
        if not re.fullmatch(f"[{HAN}]+", word):
            break
        if tag not in _NOUN_TAGS and not (after > place and _PLACE_ZH.fullmatch(word)):
            break
        whole = "".join(one for one, _, _ in tagged[place : after + 1])
        is_end = _PLACE_ZH.search(whole) is not None
        is_end = is_end or tag == "ns"
        # A body is a name by what stands before its kind, or where both are one strange word.
        if is_end and (named or _is_name(word, tag)):
            best = Span(start=start, end=at + len(word)), after + 1
        named = named or _is_name(word, tag)
    return best


def _is_name(word: str, tag: str) -> bool:
    import rjieba  # noqa: PLC0415 - as in _tagged

    if tag in _NAME_TAGS:
        return len(word) > 1
    return len(word) > 1 and not rjieba.has_word(word)
