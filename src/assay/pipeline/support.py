"""How far a text supports an answer to a question, from words alone. Pure and deterministic.

The question's content words are weighed by their length and by whether they are names; no
statistics of a corpus are needed. A word counts in part where only some of its n-grams are
found, which bridges inflection and compounds. ::

    coverage = WINDOW · coverage of the window + (1 - WINDOW) · coverage of the whole text
    score    = coverage · (1 - FIT + FIT · share of the expected kinds that the window holds)

An expected kind is what the question word asks for: an amount, a date, a person.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.text import Language, Span, articles, dates, ngrams, numbers, sentences, words
from assay.text.character import CYRILLIC, HAN, LATIN

Kind: TypeAlias = Literal["number", "amount", "duration", "date", "person", "place", "yes_no"]

WINDOW: Final = 0.5
"""Share of the window in the coverage; the rest is the whole text, which names the subject."""
FIT: Final = 0.2
"""Share of the score that rests on the expected kind of answer."""
GAIN: Final = 0.12
"""Coverage that a neighbouring sentence must add to join the window."""
PARTIAL: Final = 0.7
"""Worth of a word of which only the n-grams are found, by their share."""
HAN_SINGLE: Final = 0.4
"""Worth of a Chinese word of which only the characters are found, by their share."""
LONGEST_WINDOW: Final = 3
"""Sentences in a window at most."""

_FUNCTION_WORDS: Final[Mapping[Language, str]] = {
    "en": "a an the of in on at to by for from with without into onto over under about as than then"
    " and or but if so nor not no yes is are was were be been being am do does did done doing have"
    " has had having will would shall should can could may might must i me my mine we us our you"
    " your he him his she her it its they them their one ones this that these those there here"
    " who whom whose what which when where why how much many long often soon far old quickly ever"
    " any some all each every both either such same other another own more most less least very"
    " just only also too still already yet up down out off back again once while during before"
    " after between against through per via get gets got give given gives take put let go goes"
    " please tell say says said themselves himself herself itself myself",
    "ru": "и в во на с со к ко о об обо от из у по за до под над при про для без через между перед"
    " а но или либо же ли бы то что чтобы как так если когда где куда откуда кто кого кому кем чей"
    " чья чьи чьё какой какая какое какие какого какую каким каких каков какова каково каковы"
    " сколько скольких насколько почему зачем почём отчего я мне меня мы нас нам вы вас вам он она"
    " оно они его её ему ей их им ими этот эта это эти этого этой этому том тот та те того той тех"
    " тем сам сама сами себя себе свой своя своё свои своего своей своих который которая которое"
    " которые которого которой которых не ни нет да есть был была было были быть будет будут стал"
    " стала стало стали может могут можно нужно надо ещё уже только лишь даже весь вся всё все всех"
    " всего теперь тогда там тут здесь ведь более менее очень также тоже другой раз",
    "zh": "的 了 着 过 地 得 是 在 有 和 与 及 或 而 且 并 也 都 就 才 又 还 再 很 太 最 更 吗 呢 吧 啊 呀 么"
    " 嘛 我 你 您 他 她 它 我们 你们 他们 她们 咱们 自己 这 那 哪 这个 那个 哪个 这些 那些 哪些 这里 那里"
    " 哪里 哪儿 什么 怎么 怎样 如何 为什么 为何 谁 几 多少 多久 多长 多大 多高 多远 何时 何处 是否 能 能否 可以"
    " 可 会 要 想 得 该 应该 需要 不 没 没有 别 把 被 给 让 叫 从 到 向 对 为 为了 由 于 以 按 照 跟 比 如果"
    " 要是 因为 因此 所以 但 但是 却 只 只能 一 一个 个 每 某 各 本 该 其 之 所 者 时候 里 上 下 中 内 外 前 后"
    " 请 请问 问 说 一下 有没有 能不能 是不是 行不行 要不要 可不可以 起码 最多 最少 至少 最晚 最迟 最久 算 来 去 家"
    " 家里 人 人家 东西 事 事情 样 一样 这样 那样 时 等 几个 几天 几点 几次 几年 几种 几名 第几 哪天 哪年",
}
_ASKING_PATTERNS: Final[Mapping[Kind, str]] = {
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
_QUESTION_SIGN: Final = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b"
    r"|(?<!\w)(?:кто|кого|кому|кем|что|чего|чему|чем|как\w*|где|куда|откуда|когда|сколь\w+|насколько|почему"
    r"|зачем|почём|ли|чь[яюиейё]+|чей)(?!\w)"
    r"|[吗呢谁几哪]|什么|怎么|怎样|如何|多少|多[久长大高远]|何[时处]|是否|能否",
    re.IGNORECASE,
)
# A comma in Russian may open a relative clause: тех, кто.
_CLAUSE: Final = re.compile(
    r"[?？!！。;；，：]+|(?<!тех)(?<!тот)(?<!того)(?<!тем)(?<!том)(?<!то)(?<!те)[,:]\s*(?:(?:and|и|а)\s+)?"
    r"|\.\s+|(?<=\s)(?:and|и|а)\s+(?=\w)",
    re.IGNORECASE,
)

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
_SIGN_PATTERNS: Final[Mapping[Kind, str]] = {
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
_TABLE_ROW: Final = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_TABLE_RULE: Final = re.compile(r"[\s|:+-]*")
_FINISHED: Final = re.compile(r"[.!?…。！？；;:：][\"'»”’」』）)\]】]*\Z")
_LONGEST_HEADING: Final = 120
_NAME: Final = re.compile(rf"(?<=[{CYRILLIC}{LATIN}0-9,;] )[«\"“]?([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+)")


class Asked(Struct, frozen=True, kw_only=True):
    """What a question asks for: weights of its content words, and the expected kinds."""

    weights: Mapping[str, float]
    kinds: tuple[Kind, ...]


class Support(Struct, frozen=True, kw_only=True):
    """How far a text supports an answer, 0..1, and the sentences that do so best.

    ``fit`` is the share of the expected kinds of answer that these sentences hold, ``None``
    where the question does not say what kind it expects.
    """

    score: float
    coverage: float
    fit: float | None
    spans: tuple[Span, ...]


NONE: Final = Support(score=0.0, coverage=0.0, fit=None, spans=())
"""The support of an empty text, or for a question without content words."""


def support(question: str, text: str) -> Support:
    """The support that ``text`` gives, and its best window of sentences.

    >>> text = "Visitors sign in. Notice is thirty days. Keys are returned."
    >>> found = support("How many days of notice must I give?", text)
    >>> [span.of(text) for span in found.spans], found.fit
    (['Notice is thirty days.'], 1.0)
    """
    wanted = asked(question)
    units = quotable(text)
    if not units or not wanted.weights:
        return NONE
    whole = coverage(wanted.weights, [unit.of(text) for unit in _units(text)])
    pieces = [unit.of(text) for unit in units]
    best = NONE
    for first, last, covered in _windows(wanted.weights, pieces):
        fit = kind_fit(wanted.kinds, pieces[first:last])
        total = WINDOW * covered + (1 - WINDOW) * whole
        score = total * (1 - FIT + FIT * (1.0 if fit is None else fit))
        if score > best.score:
            best = Support(score=score, coverage=total, fit=fit, spans=tuple(units[first:last]))
    return best


def _windows(
    weights: Mapping[str, float], pieces: Sequence[str]
) -> Iterator[tuple[int, int, float]]:
    """Every sentence, and the longer windows whose every step earns its place."""
    alone = [coverage(weights, [piece]) for piece in pieces]
    for first, covered in enumerate(alone):
        yield first, first + 1, covered
        before = covered
        for last in range(first + 2, min(first + LONGEST_WINDOW, len(pieces)) + 1):
            wider = coverage(weights, pieces[first:last])
            if wider < max(before, alone[last - 1]) + GAIN:
                break
            yield first, last, wider
            before = wider


@lru_cache(maxsize=1024)
def asked(question: str) -> Asked:
    """What the question asks for.

    A number weighs 1, a Chinese word 0.5 with one character, 1 with two and 1.3 beyond, another
    word 0.6 to 1.2 by its length; a name weighs half as much again.

    >>> sorted(asked("How many days of notice must I give?").weights)
    ['day', 'notic']
    """
    names = {stem for match in _NAME.finditer(question) for stem in words(match[1])}
    weights = {
        word: _weight(word) * (1.5 if word in names else 1.0)
        for word in words(question)
        if word not in _function_stems()
    }
    kinds = tuple(kind for kind, pattern in _ASKING.items() if pattern.search(question))
    # "多少钱" asks for an amount; that it asks for a number says nothing more.
    precise = tuple(kind for kind in kinds if kind != "number") or kinds
    return Asked(weights=weights, kinds=precise)


def question_parts(question: str) -> list[str]:
    """The clauses that each ask something, where there are several; else none.

    >>> question_parts("Who signs the form, and when is it due?")
    ['Who signs the form', 'when is it due']
    >>> question_parts("Who signs the form?")
    []
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(question)]
    asking = [c for c in clauses if _QUESTION_SIGN.search(c) and asked(c).weights]
    return asking if len(asking) > 1 else []


def content_words(text: str) -> list[str]:
    """The words of ``text`` that carry meaning, in order, as ``assay.text.words`` has them."""
    return [word for word in words(text) if word not in _function_stems()]


def quotable(text: str) -> list[Span]:
    r"""The sentences and table rows of ``text`` that can stand as a quotation.

    Headings are left out where there is anything else.

    >>> text = "Article 5. Leave\n\nNine days are paid.\n\n| Year | Days |\n|---|---|\n| 1 | 9 |"
    >>> [span.of(text) for span in quotable(text)]
    ['Nine days are paid.', '| Year | Days |', '| 1 | 9 |']
    """
    units = _units(text)
    return [unit for unit in units if not _is_heading(unit.of(text))] or list(units)


def coverage(weights: Mapping[str, float], pieces: Sequence[str]) -> float:
    """The share of the weights whose words the pieces hold together, 0..1."""
    total = sum(weights.values())
    if not total:
        return 0.0
    held = [_held(piece) for piece in pieces]
    return sum(w * max(_match(word, one) for one in held) for word, w in weights.items()) / total


def kind_fit(kinds: Sequence[Kind], pieces: Sequence[str]) -> float | None:
    """The share of the expected kinds that the pieces hold; ``None`` where none is expected."""
    if not kinds:
        return None
    present = frozenset[Kind]().union(*(_held(piece).kinds for piece in pieces))
    return sum(kind in present for kind in kinds) / len(kinds)


class _Held(Struct, frozen=True, kw_only=True):
    """What a piece of text holds, ready for comparison."""

    words: frozenset[str]
    grams: frozenset[str]
    kinds: frozenset[Kind]


# A piece takes some 20 kB here: enough of them for a question asked by several variants.
@lru_cache(maxsize=2048)
def _held(piece: str) -> _Held:
    return _Held(
        words=frozenset(words(piece)),
        grams=frozenset(ngrams(piece, (1, 2, 3))),
        kinds=frozenset(_kinds(piece)),
    )


def _match(word: str, held: _Held) -> float:
    if word in held.words:
        return 1.0
    if re.match(f"[{HAN}]", word):
        return _han_match(word, held.grams)
    if len(word) < 5 or word[0].isdigit():
        return 0.0
    grams = [word[place : place + 3] for place in range(len(word) - 2)]
    share = sum(gram in held.grams for gram in grams) / len(grams)
    return share * PARTIAL if share >= 0.6 else 0.0


def _han_match(word: str, grams: frozenset[str]) -> float:
    if len(word) == 1:
        return PARTIAL if word in grams else 0.0
    pairs = [word[place : place + 2] for place in range(len(word) - 1)]
    paired = sum(pair in grams for pair in pairs) / len(pairs)
    single = sum(character in grams for character in word) / len(word)
    return max(paired, HAN_SINGLE * single)


def _weight(word: str) -> float:
    if word[0].isdigit():
        return 1.0
    if re.match(f"[{HAN}]", word):
        return (0.5, 1.0, 1.3)[min(len(word), 3) - 1]
    return min(1.2, 0.3 + 0.15 * len(word))


def _kinds(piece: str) -> Iterator[Kind]:
    marks = articles(piece)
    found = [n for n in numbers(piece) if not any(a.start <= n.start < a.end for a in marks)]
    if found:
        yield "number"
    if _MONEY_WORD.search(piece) or any(n.unit is not None for n in found):
        yield "amount"
    if _TIME_WORD.search(piece) or any(_TIME_AFTER.match(piece, n.end) for n in found):
        yield "duration"
    if _DATE_WORD.search(piece) or dates(piece):
        yield "date"
    for kind, pattern in _SIGNS.items():
        if pattern.search(piece):
            yield kind


@lru_cache(maxsize=512)
def _units(text: str) -> tuple[Span, ...]:
    return tuple(unit for sentence in sentences(text) for unit in _rows(text, sentence))


def _rows(text: str, sentence: Span) -> Iterator[Span]:
    """A sentence, or the rows of the table that it runs into."""
    position = sentence.start
    for row in _TABLE_ROW.finditer(text, sentence.start, sentence.end):
        yield from _stripped(text, position, row.start())
        if not _TABLE_RULE.fullmatch(row.group()):
            yield from _stripped(text, row.start(), row.end())
        position = row.end()
    yield from _stripped(text, position, sentence.end)


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        begin = start + len(piece) - len(piece.lstrip())
        yield Span(start=begin, end=begin + len(piece.strip()))


def _is_heading(piece: str) -> bool:
    return (
        len(piece) <= _LONGEST_HEADING and not piece.startswith("|") and not _FINISHED.search(piece)
    )


@lru_cache(maxsize=1)
def _function_stems() -> frozenset[str]:
    lists = _FUNCTION_WORDS.values()
    return frozenset(one for each in lists for word in each.split() for one in (word, *words(word)))
