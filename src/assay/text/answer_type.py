"""Kinds of answers: which a question expects, and which a sentence contains."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from assay.text.article import articles
from assay.text.character import CYRILLIC, LATIN
from assay.text.date import dates
from assay.text.number import numbers

AnswerType: TypeAlias = Literal["number", "amount", "duration", "date", "person", "place", "yes_no"]

_ASKING_PATTERNS: Final[Mapping[AnswerType, str]] = {
    "amount": r"\bhow much\b|\bwhat (?:\w+ )?(?:sum|amount|price|fee|money|rate)\b"
    r"|\b(?:cost|fine|price|salary|wages?|crowns|dollars|earn)\b"
    r"|почём|сумм[ауы]|цен[ауы]\b|стои[тм]|обойд|обош|сколько.*(?:денег|руб|плат|выручк)"
    r"|多少钱|多少元|几块|[罚付交赔缴掏费]\w{0,4}多少|多少\w{0,2}[费金款]|[奖押]金|补助|工资|利息",
    "duration": r"\bhow (?:long|often|soon|quickly|fast)\b"
    r"|\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b"
    r"|сколько (?:\w+ )?(?:времени|дней|лет|месяцев|недель|часов|суток|минут)|за сколько"
    r"|как (?:долго|часто|быстро)|多久|多长时间|几天|几年|几个月|几小时|多少[天日年]|隔多",
    "date": r"\bwhen\b|\b(?:what|which) (?:\w+ )?(?:date|day|weekday|year|month|time)\b"
    r"|когда|как(?:ого|им|их|ое|ие) числ|как(?:ом|ого|ой|их) (?:год|месяц|ден|дня)"
    r"|什么时候|何时|哪[天年月日一]|几[点月号]|第几",
    "person": r"\bwho(?:m|se)?\b|(?<!\w)(?:кто|кого|кому|кем|ком|чь[яюиейё]+|чей)(?!\w)|谁|哪位|何人",
    "place": r"\bwhere\b|(?<!\w)(?:где|куда|откуда)(?!\w)|哪里|哪儿|何处|什么地方",
    "yes_no": r"(?:^|[.;,!?]\s+|\b(?:and|but|so)\s)(?:do|does|did|is|are|was|were|can|could|may|must"
    r"|will|would|should|has|have)\s\w"
    r"|(?<!\w)ли(?!\w)|吗|是否|能否|能不能|可不可以|行不行|要不要|有没有|是不是",
    "number": r"\bhow (?:many|far|high|deep|large|big|tall|heavy|old)\b"
    r"|\bwhat (?:\w+ )?(?:percentage|share|part|number|percent)\b"
    r"|скольк|насколько|дол[яюи]\b|процент|多少|几|百分之|比例",
}
_ASKING: Final = {k: re.compile(p, re.IGNORECASE) for k, p in _ASKING_PATTERNS.items()}
_TIME_AFTER: Final = re.compile(
    r"[\s-]*(?:个|(?:full|whole|working|calendar|further|paid|рабоч\w+|календарн\w+|полн\w+)\s+)?(?:工作日|[日天年周秒]|月|星期|小时|分钟|钟头"
    r"|(?:day|week|month|year|hour|minute|second|night)s?\b|дн[яей]|день|недел|месяц|год|лет\b|час|минут|сут[ок])",
    re.IGNORECASE,
)
_TIME_WORD: Final = re.compile(
    r"\b(?:daily|weekly|monthly|yearly|annually|fortnight|quarterly|at once|immediately)\b"
    r"|ежедневно|еженедельно|ежемесячно|ежегодно|ежеквартально|每[日天周月年季]|当[日天场]|立即",
    re.IGNORECASE,
)
_DATE_WORD: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august"
    r"|september|october|november|december)\b|\b[0-9]{1,2}[:.][0-9]{2}\b|\b[0-9]{1,2}(?:st|nd|rd|th)\b"
    r"|понедельник|вторник|сред[ау]\b|четверг|пятниц|суббот|воскресень|январ|феврал|\bмарт|апрел|июн|июл"
    r"|август|сентябр|октябр|ноябр|декабр|[0-9]{4}|星期|月[份底初]?|[0-9一二三四五六七八九十]{1,3}[日号时点]",
    re.IGNORECASE,
)
_MONEY_WORD: Final = re.compile(
    r"\b(?:crowns?|pounds?|francs?|marks?|pence|cents?|full pay|half pay|free)\b|руб|коп\.|бесплатн|元|免[费缴收]|[费押金]金",
    re.IGNORECASE,
)
_CAPITALISED: Final = rf"(?<=[{CYRILLIC}{LATIN},;] )[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+"
_SIGN_PATTERNS: Final[Mapping[AnswerType, str]] = {
    "person": rf"{_CAPITALISED}|\b(?:manager|officer|master|captain|director|head|chair|council)\b"
    r"|директор|руководител|председател|начальник|компани|обществ|совет|комитет"
    r"|[局署处社所站会方人员长者户]|公司|中心",
    "place": rf"{_CAPITALISED}|\b(?:office|room|building|counter|quay|shop|port|island)\b"
    r"|город|област|завод|склад|улиц|[区市路街巷室处站所局桥场库台]|中心|窗口",
    "yes_no": r"\b(?:may|must|can|cannot|not|no|nobody|never|only|unless|except|free|entitled)\b"
    r"|(?<!\w)(?:не|нет|может|вправе|обязан\w*|допуска\w+|запрещ\w+|разреш\w+|только)(?!\w)"
    r"|不|可以|应当|免|只|除|禁止|必须|有权|须",
}
_SIGNS: Final = {k: re.compile(p) for k, p in _SIGN_PATTERNS.items()}


def expected_types(question: str) -> tuple[AnswerType, ...]:
    """The kinds of answer that the question words ask for; empty if they do not say.

    >>> expected_types("How much is it, and when is it due?")
    ('amount', 'date')
    """
    kinds = tuple(kind for kind, pattern in _ASKING.items() if pattern.search(question))
    # "多少钱" asks for an amount, so "number", which also matches, adds no information.
    return tuple(kind for kind in kinds if kind != "number") or kinds


@lru_cache(maxsize=8192)
def types_present(piece: str) -> frozenset[AnswerType]:
    """The kinds of answer that a sentence contains.

    >>> sorted(types_present("The deposit of 480 crowns is returned in 30 days."))
    ['amount', 'duration', 'number']
    """
    return frozenset(_kinds(piece))


def _kinds(piece: str) -> Iterator[AnswerType]:
    marks = articles(piece)  # the number of an article is not an answer
    figures = [n for n in numbers(piece) if not any(a.start <= n.start < a.end for a in marks)]
    if figures:
        yield "number"
    if _MONEY_WORD.search(piece) or any(n.unit is not None for n in figures):
        yield "amount"
    if _TIME_WORD.search(piece) or any(_TIME_AFTER.match(piece, n.end) for n in figures):
        yield "duration"
    if _DATE_WORD.search(piece) or dates(piece):
        yield "date"
    for kind, pattern in _SIGNS.items():
        if pattern.search(piece):
            yield kind
