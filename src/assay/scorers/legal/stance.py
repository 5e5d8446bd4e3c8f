"""Whether an answer asserts a value that it names, or denies it, or leaves the choice open."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.abstention import BREAK, DOCUMENT, HEDGE, QUOTATION, assess_abstention, content_words, phrases
from assay.scorers.value import answer_dates, quantities
from assay.text import Span, normalised, sentences
from assay.text.lexicon import any_of

_NEAR: Final = 60
"""The largest number of characters between two values that are alternatives."""

_DENIED_BEFORE: Final = re.compile(
    r"(?:\b(?:not|n't|never|rather than|instead of|nor|neither|than)|\b(?:не|ни|нет|вместо|нежели)"
    r"|不是|并非|而非|绝非|不等于|而不是)"
    r"(?:\s*(?:(?:the|a|an|by|on|in|at|to|for|of|about|exactly|mr|ms|mrs|dr)\b\.?|\b(?:в|на|с|за|о|до|из)\b"
    r"|[£$€¥₽“”«»\"'(]))*\s*\Z",
    re.IGNORECASE,
)
_DENIED_AFTER: Final = re.compile(
    r"[^.。;；]{0,25}?(?:不对|是错的|不正确|有误|不属实|\b(?:неверн|ошибочн|неправильн)\w*"
    r"|\b(?:is|was|are|were) (?:wrong|incorrect|false|mistaken|not (?:right|correct|true|it))\b)",
    re.IGNORECASE,
)
_OR: Final = any_of(
    r"\b(?:or|maybe|perhaps|possibly|otherwise|alternatively)\b",
    r"\b(?:или|либо|возможно|может|вероятно|не то)\b",
    "或|还是|也可能|可能|也许|抑或|要么",
)
_MAIN_CLAUSE_END: Final = re.compile(r"[;；。！？!?\n]+|\.(?=\s|\Z)(?<!\b\w\.)")
_SENTENCE_END: Final = re.compile(r"[。！？!?]|\.(?=\s|\Z)(?<!\b\w\.)")

_CONFLICT: Final = any_of(
    r"\b(?:contradict\w*|conflict(?:s|ing|ed)?|inconsisten\w+|disagree\w*|discrepanc\w+|differ(?:s|ed|ent)?\b"
    r"|do(?:es)? not (?:agree|match|tally)|at odds|irreconcilable|diverg\w+|both ways"
    r"|(?:two|both) (?:versions?|accounts?|dates?|figures?|answers?|statements?|readings?|provisions?|periods?|terms?))",
    r"\bfirst (?:said|named|gave)\b[^.]{0,60}\b(?:later|then|afterwards)\b|\bby one account\b|\bon the one hand\b|\bone (?:source|version|account|clause|place) (?:says|gives|has)\b",
    r"\b(?:противореч\w*|расход[яи]тся|расхожден\w+|разн(?:ятся|ые|ых)|не совпада\w+|несоответстви\w+|не согласу\w+"
    r"|две верси\w+|дв(?:е|а) (?:даты|срока|суммы|ответа|показания)|по-разному|с одной стороны)\b|\bсначала\b[^.]{0,60}\b(?:потом|затем|позже)\b",
    "先[^。；]{0,24}(?:后来|后又|又)[^。；]{0,6}说|一说|不一致|矛盾|冲突|相悖|抵触|不符|不相符|有出入|不同的?(?:说法|日期|规定|数字|时间)|两种说法|说法不一|各执一词|两个(?:日期|说法|数字|期限|时限)|不统一",
)
_DISPUTE: Final = any_of(
    r"\b(?:is|are|was|were|remains?) (?:\w+ )?(?:disputed|contested|in dispute|controversial)\b",
    r"\b(?:contains?|gives?|has|names?|states?) both\b|\b(?:not|n't|cannot be) (?:resolved?|reconciled?)\b",
    r"(?<=\w )спорн(?:ая|ый|ое|ые|а|о|ы|ой|ым)\b(?=\W*$|[:,])|\bоста[ею]тся спорн\w+|\bнет единого\b",
    "(?:存在|仍有|尚有|确有)(?:争议|分歧)|改口|翻供|前后不一",
)
"""Also a conflict, unless exactly one value is given, as in "the contested sum was £5"."""
_LEANING: Final = any_of(
    r"\b(?:more likely|most likely|likelier|probably|more (?:credible|reliable|plausible)|i (?:would|'d) (?:go|choose|take|say)"
    r"|should (?:be taken|prevail|be preferred)|prevails?|takes precedence|(?:the )?correct (?:one|date|answer|figure) is"
    r"|so the answer is|therefore it (?:is|was)|it (?:is|was) (?:therefore|thus)|controls|governs|is to be preferred)\b",
    r"\b(?:скорее(?: всего)?|вероятнее|вероятно|правильн\w+ (?:дата|ответ|срок|следует|считать)\w*|следует считать"
    r"|верн(?:ой|ая|ый|а|о|ым)\b|достовернее|надежнее|приоритет\w*|преимуществ\w*|значит|поэтому (?:это|верн)|применяется)",
    "(?<!哪个)(?<!何者)(?<!何)(?<!谁)为准|应当?(?:是|以|按|为|认定)|更可能|更可信|更可靠|应该是|可能性更大|优先|倾向于|采信",
)
_SOURCE: Final = any_of(
    r"\b(?:sa(?:ys?|id)|states?|stated|gives?|gave|puts?|names?|named|claims?|claimed|according to|by (?:his|her|one|the)"
    r"|(?:under|in|per) (?:clause|section|article|the|an?)\b|records?|shows?|insists?|mentions?|reads?|has it|specif\w+|provides?|requires?|calls? for)\b",
    r"\b(?:говор\w+|сказал\w*|назва\w+|называ\w+|указ\w+|утвержда\w+|по|согласно|заявля\w+|заявил\w*|значится|показал\w*"
    r"|следует|записан\w*|предусм\w+|устанавлива\w+|гласит)\b",
    r"\b(?:in one place|in another|elsewhere|в одном|в другом|в одной|в другой)\b|一处|另一处",
    "说|称|写|载|记|约定|规定|根据|按照|依据|依|按|表示|显示|要求|主张",
)
_UNSURE: Final = any_of(
    r"\b(?:not|n't)(?: be)? (?:\w+ )?(?:sure|certain)\b|\bunsure\b|\buncertain\b",
    r"\bне уверен\w*|\bсомнева\w+",
    "不确定|没有把握|拿不准",
)
_CHOICE: Final = any_of(
    r"\b(?:but|however|so|therefore|thus|hence|in fact|actually)\b",
    r"\b(?:но|однако|поэтому|следовательно|значит|на самом деле|фактически)\b",
    "但是?|不过|因此|所以|故|实际上|其实",
)
_ORDINAL_END: Final = re.compile(r"\A-?(?:st|nd|rd|th|[а-я]{1,2})\b")
_CLAUSE_CUT: Final = re.compile(
    r"(?<!\d)[,，]|[,，](?!\d)|[;；。]|\.(?=\s|\Z)|\b(?:and|while|but|whereas|а|но|и)\b|而|但"
)
_LEFT_OPEN: Final = any_of(
    r"\b(?:leaves?|left) (?:[\w']+ ){0,4}(?:open|blank|unsettled|undecided)\b"
    r"|\b(?:is|was|are|were) (?:\w+ly )?left (?:open|blank|empty|for|to|undecided)\b|\bremains? (?:open|unsettled|undecided|blank)\b"
    r"|\b(?:yet )?to be (?:agreed|decided|notified)\b|\b(?:undecided|unsettled)\b"
    r"|\b(?:not|never|n't) (?:yet )?(?:been )?(?:agreed|decided|fixed|settled|determined|appointed|filled in|chosen|recorded"
    r"|known|named|stated|noted|given|written down)\b"
    r"|\b(?:(?:could|did|does|do|would)(?: not|n't)|can(?:not|'t| not)) (?:\w+ly )?(?:say|tell|remember|recall|know|name|see)\b"
    r"|\b(?:could(?: not|n't)|can(?:not|'t| not)) (?:describe|identify|specify|make out)\b"
    r"|\b(?:has |had )?forg[eo]t(?:ten|s)?\b(?! to\b)|\bnames? no(?:body)?\b|\bkept no (?:note|record)\b"
    r"|\bno (?:\w+ ){1,3}(?:(?:has|have) (?:yet )?been|was|were) (?:appointed|chosen|agreed|decided|fixed|settled|named|set)\b"
    r"|\b(?:still|yet) (?:has|have|needs?) to (?:agree|decide|settle|fix|be (?:agreed|decided|settled|fixed|determined))\b"
    r"|\b(?:has|have|is|are) yet to (?:agree|decide|settle|fix|be)\b|\bto be (?:determined|confirmed|communicated|advised)\b"
    r"|\bwill be (?:agreed|notified|communicated|announced|advised|decided|fixed) (?:later|separately|in due course|by)\b"
    r"|\b(?:neither|none|nothing|nobody|no \w+)\b[^.;]{0,50}?\b(?:appears?|(?:is|are|was|were) (?:in|given|named|known|stated|recorded))\b",
    r"\bоста(?:[ею]тся|лс[яь]|лось|лась|лись|влен\w*) (?:\w+ )?(?:открыт\w+|незаполнен\w+|нерешенн\w+|пуст\w+)"
    r"|\bне (?:согласова|реш[иеа]|назнач|заполн|определил|договорил|урегулирова|смогл?|может|помн|запомн|зна[ею]т|назва|называл)\w*|\bзабы(?:л|т)\w*|\bв н(?:ем|ей|их) (?:\w+ )?нет\b"
    r"|\bсторон\w+ (?:\w+ ){0,3}не (?:установили|указали|определили|оговорили|закрепили)\b|\bпредстоит (?:согласовать|определить)\b"
    r"|\bбуд(?:ет|ут) (?:\w+ )?(?:сообщен|определен|согласован|указан|направлен|предоставлен)\w*"
    r"|\bподлеж[иа]т (?:согласованию|определению|уточнению)\b|\bсообщ\w+ отдельн\w+|\bзатрудни\w+ (?:назвать|ответить|сказать|вспомнить)|\bне (?:разгляд|расслыш|замети|увиде|видел)\w*"
    r"|\b(?:согласу|определ|установ|сообщ|назнач|реш)\w+ (?:позднее|позже|дополнительно|отдельно|впоследствии)\b|\b(?:прочерк|пропуск)\b",
    "空白|留空|空着|空缺|留白|没填|没有填|是空的|待[填补]|[有尚]待|再行(?:商定|协商|约定)|(?:以后|之后|日后|届时|稍后|随后)[再另]?行?(?:通知|确定|商定|定|约定|告知)|(?:没有?|未|并未)(?:说出|讲出|透露|看清|听清|认出|记住)|未填写|未填|未确定|待定|另行(?:书面)?(?:通知|约定|协商)|尚未(?:约定|确定|选定)|没有(?:商定|约定|填写|指定|确定)|未(?:商定|指定|约定|选定)"
    "|忘记|忘了|记不清|记不准|不记得|想不起|说不准|不知道|不清楚|已经?删",
)
_CONCESSION: Final = any_of(
    r"^\W*(?:(?:although|though|while|хотя)\b|虽然|尽管)[^,]*,",
    r",\s*(?:although|though|even if|хотя|尽管|虽然).*$",
)
"""A part of a sentence that concedes something and is not its main statement."""
_NAMING: Final = re.compile(
    r"\b(?:is|was|were|are) (?:the |an? )?(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-Z]\w+|\b[Ээ]то (?:был[аио]? )?[А-ЯЁ]|\b(?:звали|зовут)\b"
    r"|是(?![否谁哪何不]|什么|多少)|叫(?!什么)"
)
"""Says who or what it was; a part after it ("but …") may leave something else open."""
_NO_LEANING: Final = any_of(
    r"\b(?:neither|cannot|can't|does not say|not (?:clear|stated|settled|possible)|unclear|which)\b[^.;]{0,60}",
    r"\b(?:не (?:указано|ясно|установлено|сказано|определено)|невозможно|нельзя|неясно|неизвестно|как\w{2,3}|что)\b[^.;]{0,60}",
    "(?:没有|未|无法|不能|不知|难以|不清楚)[^,，。;；]{0,14}",
)


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the value between ``start`` and ``end`` is mentioned only to deny it.

    >>> text = "Не 310 000, а 300 000 рублей"
    >>> is_denied(text, 3, 10), is_denied(text, 14, 21)
    (True, False)
    """
    if _DENIED_BEFORE.search(text[max(0, start - 40) : start]):
        return True
    return _DENIED_AFTER.match(text, end) is not None


def is_about(text: str, span: Span, question: str) -> bool:
    """Whether what stands at ``span`` is said about what ``question`` asks.

    It is not if another clause shares more words with the question, at least two more, and this
    clause comes with a verdict of its own: "Pell was the lawyer; Orme was the driver" does not
    name Orme as the lawyer.

    >>> text = "Pell was the lawyer of the plaintiff; Orme was the driver."
    >>> is_about(text, Span(start=38, end=42), "Who was the lawyer of the plaintiff?")
    False
    """
    asked = content_words(question)
    shared_here, shared_elsewhere = 0, 0
    for clause in _clauses(text):
        size = len(asked & content_words(clause.of(text)))
        if clause.start < span.end and span.start < clause.end:
            shared_here = max(shared_here, size)
        else:
            shared_elsewhere = max(shared_elsewhere, size)
    return shared_elsewhere < shared_here + 2


def _clauses(text: str) -> Iterator[Span]:
    """The main clauses of ``text``, at the ends of sentences and at semicolons."""
    start = 0
    for match in [*_MAIN_CLAUSE_END.finditer(text), None]:
        end = match.start() if match else len(text)
        if any(map(str.isalnum, text[start:end])):
            yield Span(start=start, end=end)
        start = match.end() if match else end


def is_alternative(text: str, span: Span, others: Sequence[Span]) -> bool:
    """Whether an "or" or a word like "maybe" separates the value from one of the others.

    The two values must be in one sentence and at most 60 characters apart.

    >>> text = "Either £4,200 or £5,100."
    >>> is_alternative(text, Span(start=7, end=13), [Span(start=17, end=23)])
    True
    """
    for other in others:
        first, last = sorted((span, other))
        between = text[first.end : last.start]
        if len(between) <= _NEAR and not _SENTENCE_END.search(between) and _OR.search(between):
            return True
    return False


def reports_conflict(text: str) -> bool:
    """Whether ``text`` says that sources disagree, and does not choose between them.

    >>> reports_conflict("正文写4小时，附件写8小时，二者不一致。"), reports_conflict("说法不一致，应以收条为准。")
    (True, False)
    """
    form = normalised(text)
    if _CONFLICT.search(form) is None and not _is_disputed(form):
        return False
    return not leans(form) and not _chooses(form)


def gives_two_accounts(text: str) -> bool:
    """Whether ``text`` attributes two values of one kind to two sources and chooses neither.

    >>> gives_two_accounts("Fenwick names 21 April, Ms Braddock says 28 April.")
    True
    >>> gives_two_accounts("He says 21 April, so it was 21 April.")
    False
    """
    form = normalised(text)
    if leans(form) or _chooses(form):
        return False
    values_by_kind: dict[str, set[str]] = {}
    # One source is enough if the answer itself says that it cannot tell.
    is_unsure = bool(assess_abstention(text).phrases) or _UNSURE.search(form) is not None
    is_open = is_unsure and bool(_SOURCE.search(form) or DOCUMENT.search(form.lower()))
    for clause in _CLAUSE_CUT.split(form):
        if not is_open and not _SOURCE.search(clause) and not DOCUMENT.search(clause.lower()):
            continue
        for date in answer_dates(clause):
            values_by_kind.setdefault("date", set()).add(date.iso[-5:])
        for number in quantities(clause):
            unit = _ORDINAL_END.sub("", clause[number.end :]).strip(" .")[:3]
            values_by_kind.setdefault(number.unit or unit, set()).add(number.canonical)
    # "72 hours in one, 48 in the other": the second value may have no unit.
    without_unit = values_by_kind.get("", set())
    return any(
        len(values) == 2
        or (kind and len(values) == len(without_unit) == len(without_unit - values) == 1)
        for kind, values in values_by_kind.items()
    )


def leaves_open(text: str) -> bool:
    """Whether ``text`` says that a matter was left open or forgotten, and offers no value.

    The last statement of every sentence must say so, and the text must contain no number, date
    or guess.

    >>> leaves_open("The agreement leaves it open."), leaves_open("It is left blank, say 5 %.")
    (True, False)
    """
    form = QUOTATION.sub(" ", normalised(text))
    if HEDGE.search(form.lower()) or quantities(form) or answer_dates(form):
        return False
    texts = [span.of(form) for span in sentences(form) if any(map(str.isalpha, span.of(form)))]
    statements = [list(_statements(sentence)) for sentence in texts]
    return bool(statements) and all(parts and _is_left_open(parts) for parts in statements)


def _statements(sentence: str) -> Iterator[str]:
    start = 0
    for match in [*BREAK.finditer(sentence.lower()), None]:
        part = sentence[start : match.start() if match else len(sentence)]
        if part.strip(" .,"):
            yield part
        start = match.end() if match else len(sentence)


def _is_left_open(statements: Sequence[str]) -> bool:
    """Whether the last statement of a sentence leaves the matter open.

    Returns False if a statement before it names a person or thing, because that is an answer.
    """
    *previous, last = statements
    main_part = _CONCESSION.sub(" ", last)
    if any(map(_NAMING.search, previous)):
        return False
    return bool(_LEFT_OPEN.search(main_part) or (previous and phrases(main_part.lower())))


def _is_disputed(form: str) -> bool:
    """Whether the text calls the matter disputed and does not give exactly one value."""
    values = {date.iso for date in answer_dates(form)}
    values |= {number.canonical for number in quantities(form)}
    return len(values) != 1 and _DISPUTE.search(form) is not None


def _chooses(text: str) -> bool:
    """Whether a value follows "but", "so" or a similar word and is not attributed to a source."""
    for match in _CHOICE.finditer(text):
        stop = _SENTENCE_END.search(text, match.end())
        rest = text[match.end() : stop.start() if stop else len(text)]
        values = [*answer_dates(rest), *quantities(rest)]
        if values and not _SOURCE.search(rest) and not _NO_LEANING.search(rest):
            return True
    return False


def leans(text: str) -> bool:
    """Whether ``text`` prefers one of several values, or guesses."""
    for span in sentences(text):
        sentence = span.of(text)
        open_parts = [match.span() for match in _NO_LEANING.finditer(sentence)]
        for match in _LEANING.finditer(sentence):
            if not any(start <= match.start() < end for start, end in open_parts):
                return True
    return False
