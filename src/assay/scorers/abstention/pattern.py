"""How one says that a text holds no answer, in three languages.

Regular expressions over normalised text (``ё`` is ``е``, one width, one kind of quotation
mark), case ignored. No gap is unbounded and few cross a comma, so matching stays linear in
practice. A phrase must speak of the text, of nobody in particular or of the speaker: that
"the buyer did not say" is no abstention. That the text lacks a thing is one only where the
thing is a detail one asks for (a name, a rate, a date): a contract without a refund tells.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from assay.text import CYRILLIC, HAN


class Pattern:
    """A regular expression in either case, compiled when it is first used.

    There are many and long ones here, and most commands need none of them.
    """

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.source, re.IGNORECASE)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first place from ``start`` on."""
        return self.compiled.search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """The beginning of ``text``."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """All of ``text``."""
        return self.compiled.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Every place between ``start`` and ``end``."""
        return self.compiled.finditer(text, start, len(text) if end is None else end)

    def sub(self, put: str, text: str) -> str:
        """``text`` with ``put`` in every place."""
        return self.compiled.sub(put, text)

    def split(self, text: str) -> list[str]:
        """What stands between the places."""
        return self.compiled.split(text)


def any_of(*patterns: str) -> Pattern:
    """One pattern that finds what any of these finds, in either case.

    >>> any_of("no", "не").search("I know not").group()
    'no'
    """
    return Pattern("|".join(f"(?:{pattern})" for pattern in patterns))


DOC_EN: Final = (
    r"\b(?:documents?|documentation|contracts?|agreements?|texts?|passages?|contexts?|handbooks?"
    r"|sources?|materials?|reports?|articles?|sections?|clauses?|laws?|codes?|statutes?"
    r"|regulations?|polic(?:y|ies)|information|records?|transcripts?|files?|excerpts?|fragments?"
    r"|pages?|rules?|guides?|manuals?|books?|provisions?|judge?ments?|rulings?|chapters?"
    r"|paragraphs?|letters?|minutes|leases?|protocols?|interviews?|testimony|evidence|logs?|schedules?"
    r"|annex(?:es)?|append(?:ix|ices)|decisions?|orders?|papers|notes|wording|case file|statements?)\b"
)
DOC_RU: Final = (
    r"\b(?:документ|договор|текст|материал|отрыв[ок]|фрагмент|источник|контекст|отчет|справочник"
    r"|закон|стать|раздел|протокол|положени|соглашени|руководств|инструкц|постановлени|решени"
    r"|книг|письм|пункт|приложени|кодекс|правил|стенограмм|показани|допрос|дел[аоеу]\b|запис|бумаг|акт[аеу]?\b)\w*"
)
DOC_ZH: Final = (
    "(?:文档|文件|文中|文本|原文|全文|本文|材料|资料|合同|协议|条款|条文|法条|法律|法规|本法|手册|报告"
    "|笔录|卷宗|案卷|口供|证词|附件|正文|上下文|段落|片段|来源|判决书?|裁定书?|章程|规则|规定中|其中|书中|文章|档案|内容|记录|信函|租约)"
)
"""What an answer may call the text it was given, in each language."""
_FACT_EN: Final = (
    r"(?:names?|surname|identity|dates?|times?|hours?|days?|rates?|amounts?|sums?|figures?|price|numbers?|address(?:es)?"
    r"|accounts?|place|reasons?|percentage|deadline|plate|value|total|cost|telephone|phone|e-?mail|colou?r|period"
    r"|duration|quantity|title|owner|driver|author|mediator|details?)\b"
)
_FACT_RU: Final = (
    r"(?:им(?:я|ени|ена)|фамили\w+|личност\w+|дат[аыу]?|врем(?:я|ени)|час[а-я]*|день|дня|ставк\w+|размер\w*|сумм\w*|цифр\w*"
    r"|цен[аыу]|номер\w*|адрес\w*|счет\w*|реквизит\w*|мест[оа]|причин\w*|процент\w*|срок\w*|телефон\w*|стоимост\w+"
    r"|марк[аиу]|цвет\w*|период\w*|количеств\w+|должност\w+|названи\w+|(?:этого|такого|таких|этих)\b(?: \w+)?)"
)
_FACT_ZH: Final = (
    "(?:姓名|名字|全名|真名|名称|身份|日期|时间|时刻|利率|费率|比例|金额|数额|数字|价格|号码|编号|车牌|地址|住址|账户|账号|帐号|电话"
    "|手机|地点|原因|理由|百分比|期限|颜色|数量|职务|细节|具体|答案|这(?:个|些|一|项)[^,;。]{0,6}|该[^,;。]{1,6}|此[^,;。]{1,6})"
)
"""What one asks a text for: that it has none is an abstention."""
_INFO_EN: Final = (
    r"(?:information|mention|details?|data|answers?|references?|indications?|figures?"
    r"|explanations?|specifics|anything|statements?)\b"
)
_INFO_RU: Final = (
    r"(?:информаци[яию]|сведени[йяе]|данны[ехм]|упоминани[йяе]|указани[йяе]|ответа?\b|подробност\w+"
    r"|деталей)"
)
_INFO_ZH: Final = (
    "(?:信息|内容|记载|说明|资料|数据|答案|描述|记录|线索|细节|表述|提及|介绍|交代|定论|结论|下文)"
)

_SAY_EN: Final = (
    r"(?:mention|state|say|specify|indicate|address|describe|explain|discuss|answer|reveal|tell"
    r"|clarify|define|identify|name|detail|disclose|list|record|speak|show|note|report|elaborate"
    r"|set out|touch (?:up)?on|refer to|deal with|go (?:into|that far)|resolve|settle|fix|establish|determine|decide"
    r"|enable|(?:allow|permit|support) (?:us|one|me|an?|any) (?:to|conclusion|answer|finding|inference)|make (?:it |this |that )?(?:clear|possible))\b"
)
_SAID_EN: Final = (
    r"(?:mentioned|stated|specified|indicated|described|explained|addressed(?! to)"
    r"|set out|recorded|spel(?:led|t) out|clear|known|documented|named|said|noted)\b"
)
_GIVEN_EN: Final = (
    r"(?:given|provided|disclosed|discussed|included|found|listed|available|contained|covered|shown|defined"
    r"|identified)\b"
)
_NOT_EN: Final = r"\b(?:do|does|did)(?: not|n't)(?: \w+ly| even| ever| seem to| appear to){0,2} "
_BE_EN: Final = (
    r"\b(?:(?:is|are|was|were)(?: not|n't| nowhere| never)|(?:has|have|had)(?: not|n't| never) been)"
    r"(?: \w+ly| even){0,2} "
)
_GAP_EN: Final = r"(?:(?!\bwho\b)[^,;]){0,50}?"
_LEARN_EN: Final = (
    r"(?:say|tell|determine|establish|answer|know|identify|conclude|find|ascertain|infer|locate)\b"
)

_ENGLISH: Final = (
    rf"(?:{DOC_EN}|\bcourt\b){_GAP_EN}{_NOT_EN}{_SAY_EN}",
    (
        rf"{DOC_EN}{_GAP_EN}\b(?:never|nowhere|neither|omits? to|neglects? to|stops? short of)"
        r" (?:mention|stat|sa[iy]|specif|indicat|address|describ|explain|reveal|tell|clarif|defin|identif|nam|disclos"
        r"|record|giv|show)\w*"
    ),
    rf"\bnowhere (?:do|does|did|is|are|in) [^,;]{{0,30}}?{DOC_EN}",
    (
        rf"{DOC_EN}{_GAP_EN}\b(?:names?|states?|specif(?:y|ies)|records?|lists?|mentions?|identif(?:y|ies)|discloses?|shows?"
        r"|says?|fix(?:es)?) (?:no\b|neither|none|nothing|nobody)"
    ),
    (
        rf"{DOC_EN}{_GAP_EN}\b(?:gives?|provides?|contains?|includes?|sets?|offers?|has|have|holds?) (?:nothing\b"
        rf"|no (?:\w+ ){{0,2}}?{_FACT_EN}|(?:no|little) (?:help|light|clue|guidance|basis|way))"
    ),
    rf"{DOC_EN}{_GAP_EN}\b(?:omits?|leaves? out|lacks?) (?:\w+ ){{0,2}}?{_FACT_EN}|\bsheds? no light\b",
    rf"{DOC_EN}{_GAP_EN}\bleaves? (?:[\w']+ ){{1,4}}(?:unknown|unclear|unsaid|unstated|unresolved|unanswered|blank|out)\b",
    rf"\b(?:is|are|was|were) (?:\w+ )?(?:missing|absent|left out|omitted|not to be found|nowhere)\b[^,;]{{0,20}}?{DOC_EN}",
    rf"\b(?:is|are|was|were)(?:n't| not| nowhere) (?:\w+ )?(?:in|within|on|part of|among) (?:\w+ ){{0,2}}?{DOC_EN}",
    rf"\b(?:do|does|did)(?: not|n't) (?:\w+ )?(?:appear|figure|feature)(?: (?:anywhere|in [^,;]{{0,20}}?{DOC_EN})|\W*$)",
    rf"\bno (?:[\w-]+ ){{0,2}}?{_FACT_EN}[^,;]{{0,30}}?\b(?:exists?\b|(?:appears?|figures?)(?: (?:in|anywhere)|\W*$))",
    rf"\bneither [^,;]{{1,40}}?{_FACT_EN}[^,;]{{0,20}}?\b(?:appears?|is|are) (?:in|given|stated|named|recorded)\b",
    (
        rf"\bno (?:[\w-]+ ){{0,2}}?{_FACT_EN} (?:is|are|was|were|has been|have been)(?: ever)?"
        r" (?:logged|noted|written|recorded|given|set|fixed|agreed|offered|shown|listed|entered|named|provided|known|taken)\b"
    ),
    rf"\bnot something (?:that )?[^,;]{{0,30}}?(?:{DOC_EN}|\b(?:knew|knows|says?|tells?|mentions?)\b)",
    rf"^\W*not (?:in|on|among|within) (?:\w+ ){{0,2}}?{DOC_EN}|^\W*no (?:\w+ )?{_INFO_EN}\W*$|\bquestion {_BE_EN}answered\b",
    rf"\b{_FACT_EN}[^,;]{{0,30}}?{_BE_EN}(?:given|provided|disclosed|shown|listed|identified|defined)\b",
    r"\b(?:nobody|no one|no-one) (?:knows?|knew|can (?:say|tell))\b|\bno (?:telling|saying|knowing)\b|\banyone's guess\b",
    (
        r"\b(?:is|are|was|were|remains?|remained|stays?|stayed|goes|went|been|left) (?:\w+ )?(?:unidentified|unnamed"
        r"|unrecorded|unmentioned|unstated|unrevealed|undisclosed|undetermined|unanswered|unresolved|unexplained|unlisted"
        r"|undocumented|a mystery)\b"
    ),
    r"\b(?:was|were|is|has been) never (?:established|determined|identified|clarified|ascertained|disclosed|revealed)\b(?! by)",
    rf"\b(?:i|we) (?:find|found|see|saw|have|know)(?: \w+)? (?:nothing\b|no (?:\w+ )?(?:{_FACT_EN}|{_INFO_EN}))",
    rf"\b(?:is|it's)(?:n't| not) (?:possible|clear|certain|known|evident|apparent)(?: (?:to {_LEARN_EN}|from|who|what|when|where|which|how|whether|why)\b|\W*$)",
    rf"^\W*(?:can't|cannot|can not|couldn't|could not|no way to) (?:be )?(?:determined|established|answered|{_LEARN_EN})",
    r"\bit can(?:not|'t| not) be (?:said|told)\b",
    (
        r"\b(?:do|does|did|could|can)(?: not|n't) (?:\w+ly )?(?:say|establish|determine|find(?: out)?|state|record|specify"
        r"|explain|identify|ask) (?:who|whom|whose|what|when|where|how|which|whether|why)\b"
    ),
    rf"\b(?:it|they) {_NOT_EN}(?:mention|state|say|specify|indicate|tell|address)\b",
    (
        rf"(?:{DOC_EN}|\b(?:it|they)\b){_GAP_EN}{_NOT_EN}"
        rf"(?:contain|provide|give|include|offer|have) (?:\w+ ){{0,5}}{_INFO_EN}"
    ),
    rf"{_BE_EN}{_SAID_EN}",
    rf"{_BE_EN}{_GIVEN_EN}(?=[^,;]{{0,30}}{DOC_EN})",
    rf"{DOC_EN}{_GAP_EN}{_BE_EN}{_GIVEN_EN}",
    (
        r"^\W*not (?:explicitly )?(?:mentioned|stated|specified|indicated|given|provided|disclosed"
        r"|found|available|known|clear)\b"
    ),
    (
        rf"(?:\b(?:there(?: is|'s| are| was| were)|(?:i|we) (?:see|find|found|have)"
        rf"|(?:it|they) (?:contain|provide|include|make)s?)|{DOC_EN}{_GAP_EN}\b(?:contains?|gives?"
        r"|provides?|includes?|offers?|has|have|makes?)) (?:no|not enough|insufficient)"
        rf" (?:\w+ ){{0,3}}{_INFO_EN}"
    ),
    (
        rf"\bno (?:\w+ ){{0,2}}{_INFO_EN}(?! (?:may|must|shall|can|should|will))[^,;]{{0,50}}?"
        rf"\b(?:is|are|was|were) (?:{_GIVEN_EN}|{_SAID_EN})"
    ),
    r"\bno (?:\w+ ){1,4}(?:is|are|was|were) (?:mentioned|stated|specified|indicated)\b",
    rf"{DOC_EN}{_GAP_EN}\b(?:is|are|remains?|stays?) (?:\w+ )?silent\b",
    rf"{DOC_EN}{_GAP_EN}\b(?:fails?|failed) to {_SAY_EN}",
    r"\b(?:says?|said) nothing\b(?! to\b)|\bnothing is (?:said|stated|mentioned)\b|\bno idea\b",
    (
        r"\bnothing (?:else )?in (?:the|this|these) [^,;]{0,30}?\b(?:says|states|indicates|suggests|mentions"
        r"|shows|tells|settles|resolves|decides|helps)\b"
    ),
    (
        r"\bn(?:one|either) of (?:the|these) [^,;]{0,30}?\b(?:mentions?|states?|says?|specif(?:y|ies)"
        r"|indicates?|address(?:es)?|contains?|gives?|provides?)\b"
    ),
    rf"\black(?:s|ing)? (?:\w+ ){{0,3}}{_INFO_EN}",
    r"\b(?:not enough|insufficient) (?:\w+ )?(?:information|data|context|details?)\b",
    (
        r"\b(?:i|we) (?:\w+ly )?(?:do not|don't|cannot|can't|can not|could not|couldn't|did not|didn't)"
        rf" (?:\w+ly )?(?:{_LEARN_EN}|see\b|have (?:\w+ ){{0,3}}{_INFO_EN})"
    ),
    rf"\b(?:unable|not able|not possible|impossible|hard|difficult) to {_LEARN_EN}",
    (
        r"\b(?:cannot|can't|can not|could not|couldn't) be (?:determined|established|found|inferred"
        r"|answered|ascertained|identified|derived|concluded|verified|known|deduced)\b"
        r"(?! (?:unilaterally|by (?:either|one|any|the part)))"
    ),
    r"\b(?:is|are|was|were|remains?) (?:\w+ )?(?:unknown|unclear|unspecified|unstated)\b",
    r"^\W*(?:unknown|unclear|unspecified)\b|^\W*n/a\W*$",
    r"\b(?:cannot|can't|could not|couldn't) be (?:given|told|stated|provided)\W*$",
    rf"\bno way (?:to|of) (?:know|tell|say|find|determin|establish)\w*|\bneither is {_SAID_EN}",
    r"\bno (?:\w+ ){1,3}(?:has|have) been (?:fixed|agreed|stated|given|recorded|named|specified|mentioned)\b",
    rf"\bthere (?:is|are|was|were)(?:n't| not) (?:any |an? )?(?:\w+ ){{0,2}}{_INFO_EN}",
    rf"\b(?:answer|information|this|it) (?:is|are)(?:n't| not) (?:\w+ )?(?:in|within) [^,;]{{0,20}}?{DOC_EN}",
    (
        r"\bneither (?:the|this|these) [^,;]{0,40}?\bnor [^,;]{0,40}?\b(?:mentions?|states?|says?"
        r"|specif(?:y|ies)|indicates?|address(?:es)?|gives?)\b"
    ),
)

_RUSSIAN: Final = (
    (
        r"\bне (?:прямо |явно |точно )?(?:указан|упомянут|оговорен|приведен|описан|раскрыт|уточнен|назван"
        r"|обозначен|отражен|прописан|зафиксирован|записан|отмечен|проставлен|вписан|поименован|конкретизирован"
        r"|детализирован|освещен|разъяснен|сообщен|выяснен|занесен|внесен)[аоы]?\b(?! суд)"
    ),
    (
        r"\bне (?:упомина|указыва|уточня|сообща|раскрыва|описыва|затрагива|освеща|рассматрива|называ|поясня"
        r"|конкретизиру|проясня|разъясня|фиксиру)[ею]тся\b(?! как)"
    ),
    r"\bне (?:сказано|говорится|написано|известно|ясно|понятно)\b",
    r"\b(?:не приводится|не приводятся|неизвест(?:ен|н[оаы])|неяс(?:ен|н[оаы])|непонятно)\b",
    (
        rf"(?:{DOC_RU}[^,;]{{0,40}}?|^\W*(?:\w+ ){{0,4}})\bне (?:определен|установлен|представлен|дан|задан)"
        rf"[аоы]?\b(?! (?:суд|следстви|экспертиз))"
    ),
    (
        rf"{DOC_RU}[^,;]{{0,40}}?\bне (?:указыва|упомина|уточня|определя|сообща|описыва|оговарива|называ"
        r"|поясня|регулиру|раскрыва|освеща|затрагива|объясня|проясня|разъясня|фиксиру|отвеча|позволя|каса)[ею]т(?:ся)?\b"
    ),
    (
        rf"\bне (?:содерж[иа]т(?:ся)?|име[ею]тся|да[ею]т|привод[ия]т|найдено|обнаружено|представлено"
        rf"|наш[ел]л?[аи]?|нахожу|вижу)\b[^,;]{{0,30}}?\b{_INFO_RU}"
    ),
    (
        rf"\b{_INFO_RU}[^,;\x22]{{0,70}}?(?:\bнет\b|\bотсутству\w+|\bне (?:содерж[иа]тся|име[ею]тся|привод[ия]тся"
        r"|найден\w*|представлен\w*|обнаружен\w*|да[ею]тся)\b|\bнедостаточно\b)"
    ),
    rf"\b(?:нет|отсутству[ею]т|недостаточно|не хватает)\b (?:[\w-]+ ){{0,3}}{_INFO_RU}",
    (
        rf"\b{_FACT_RU}[^,;]{{0,30}}?\b(?:в|во|из) (?:[\w-]+ )?{DOC_RU}[^,;]{{0,12}}?\b(?:нет|не (?:значится|значатся|фигуриру[ею]т"
        r"|встреча[ею]тся|найти|найден\w*|наш\w+|обнаружен\w*|попал\w*|вид[нк]\w*))\b"
    ),
    rf"\bв {DOC_RU} (?:[\w-]+ ){{0,4}}?(?:нет|не (?:значится|значатся|фигуриру[ею]т|встреча[ею]тся|найти)) (?:\w+ )?\b{_FACT_RU}\b",
    rf"\bв {DOC_RU} (?:\w+ )?{_FACT_RU}[^,;]{{0,20}}?\bнет\b|\bнигде не (?:значится|фигуриру[ею]т|встреча[ею]тся|назван\w*)\b",
    rf"\b{_FACT_RU} (?:[\w-]+ )?не (?:содерж[иа]т(?:ся)?|значится|значатся|фигуриру[ею]т|встреча[ею]тся|сохранил\w+)\b",
    rf"{DOC_RU}[^,;]{{0,30}}?\bне (?:содерж[иа]т|привод[ия]т|да[ею]т|назва\w+|сообщил\w*|указал\w*) (?:\w+ )?{_FACT_RU}\b",
    r"\bоста(?:[ею]тся|ются|лс[яь]|лась|лось|лись)\b (?:\w+ )?(?:без ответа|загадкой|за кадром|(?:неизвестн|неназванн|невыясненн|неустановленн|нераскрыт|неясн|непонятн|неуказанн)\w+)",
    r"\b(?:никто не зна(?:ет|л)|не берусь|нет ответа|без ответа)\b|^\W*(?:\w+ )?ответа (?:\w+ )?нет\b|\bсуд\w* (?:\w+ ){0,3}не касал\w+\b",
    rf"{DOC_RU}[^,;]{{0,20}}?\bне да[ею]т возможности\b|\b(?:{_FACT_RU}|{_INFO_RU})[^,;]{{0,30}}?\bне (?:прозвучал|сохранил)\w*",
    r"\b(?:трудно|сложно|тяжело|затруднительно) (?:\w+ )?(?:сказать|определить|установить|ответить|судить|утверждать)\b",
    rf"\bв {DOC_RU}[^,;]{{0,30}}?\bотсутству[ею]т\b|\bотсутству[ею]т в {DOC_RU}",
    r"\bэтого? не (?:устанавлива|определя|предусматрива|регулиру|описыва|уточня)[ею]т\b",
    r"\bни слова\b|\bничего не\b (?:\w+ )?(?:сказано|говорится|указано|сообщается|известно|написано)",
    rf"\bумалчива\w+|{DOC_RU}[^,;]{{0,30}}?\bмолч[иа]т\b",
    r"\bиз (?:\w+ ){1,4}(?:это(?:го)? )?не (?:следует|ясно|понятно|видно|вытекает|известно|усматривается)",
    (
        r"\b(?:невозможно|нельзя|не удалось|не удается|не представляется возможным|не получ\w+|нет возможности|не смож\w+|не мо(?:гу|жем))\b"
        r" (?:[\w-]+ ){0,6}(?:определить|установить|ответить|сказать|узнать|найти|выяснить|понять|судить"
        r"|назвать|утверждать|заключить|восстановить|сделать вывод|дать ответ)\b"
    ),
    (
        r"\b(?:определить|установить|ответить|сказать|узнать|найти|выяснить|понять|судить|назвать|утверждать"
        r"|восстановить)\b[^,;]{0,60}?\b(?:невозможно|нельзя|не удалось|не удается|не представляется возможным|не получ\w+|нет возможности|не смож\w+)\b"
    ),
    r"(?:^\W*|\bя |\bмы |\bточно )(?:\w+ )?не зна(?:ю|ем)\b|\bзатрудня(?:юсь|емся) ответить\b",
)

_LACKS_ZH: Final = (
    "(?:没有|无|缺乏|缺少|不包含|不含|未包含|没有包含|未提供|没有提供|未给出|没有给出|未找到|没有找到|找不到|未发现"
    "|没有发现|未检索到|没有检索到|查不到|未见|不存在|不足以提供|暂无|并无|均无|没查到|没找到|未查到|看不到|没看到|查无|见不到)"
)
_SAY_ZH: Final = (
    "(?:具体|明确|详细|直接|明文|进一步|对此|就此|作出?|做出?|予以|加以|有)*"
    "(?:提及|提到|说明|载明|写明|注明|明确|列明|涉及|记载|指明|指出|阐明|交代|交待|披露|描述|述及|谈及|谈到|标明|透露"
    "|列出|明示|解释|界定|标注|点明|言明|说清楚?|讲清楚?|写清楚?|说明白|记下来?|写到|写出|说到|讲到|登记|载入|留下记录)"
)
_NOT_ZH: Final = "(?:未|没有|没|未曾|并未|从未|均未|也未|不曾|未予|未能)"

_CHINESE: Final = (
    f"{_NOT_ZH}{_SAY_ZH}",
    f"{DOC_ZH}[^,;。]{{0,20}}?{_NOT_ZH}(?:具体|明确|对此)?(?:作出?|做出?)?(?:规定|约定|说(?!谎)明?|写明?|讲|提[及到]?|问[到及]?|介绍|显示|体现|反映|涵盖|告知|给出|定论|下文|(?:直接)?回答)",
    "未(?:作出?|做出?)?(?:具体|明确)?(?:规定|约定)(?=[。;!.]|$)",
    f"{DOC_ZH}[^,;。]{{0,12}}?{_LACKS_ZH}[^,;。]{{0,20}}?{_INFO_ZH}",
    f"{_LACKS_ZH}(?:任何|相关|有关|具体|足够|明确|直接|更多|充分|对应|关于|与)[^,;。]{{0,16}}?{_INFO_ZH}",
    (
        "无法[^,;。]{0,8}?(?:提供|给出|认定|列出|核实|查明|说明|查清|弄清|辨认)|不能认定|(?:无法|不能|难以|没法|无从|未能|不足以|尚不能)[^,;。]{0,14}?(?:确定|得知|判断|知道|回答|得出|确认|获知|推断"
        "|知晓|作答|解答|获悉|判定|断定|看出|推知|知悉|答案|查知|查证|考证|得到|作出判断|弄清|查清)"
    ),
    "看不出|得不出|读不出|说不清|说不准|讲不清|弄不清|搞不清|不好说|很?难说|无从(?:得知|知晓|判断|考证|查考)|无可查考|无据可查|事实不清|不得而知|只字[未不]提|查无(?:此|相关|记录|记载)|不详(?!的)|未知(?=[,;。!.]|$)|尚不(?:明确|清楚)|不足以(?:判断|确定|回答|说明)",
    r"(?:^|(?<=[\s,:;。我们前时也还实在]))不(?:太|大)?(?:知道|清楚)",
    "(?:没有|无|没)人(?:能)?(?:知道|知晓|清楚|说得清)|谁也?(?:不知道|说不清)|(?<!约定)不明(?=[,;。!.]|$)|无人知",
    f"{DOC_ZH}(?:里面|里|中|内|上|当中)?(?:并|也|都|均)?(?:没有|无|找不到|查不到|看不到|没找到)(?:任何|具体的?)?{_FACT_ZH}",
    f"{_FACT_ZH}(?:[和及、与]{_FACT_ZH}|一栏|部分)*(?:都|均|也|全|一概)?(?:没有(?=[,;。!.]|$)|没有出现|未出现|空白|缺失|不明|未知|无记载|没有记录|是空的)",
    "(?:信息|资料|数据)(?:缺失|不足|有限|不够|不全)|(?:没有|无|未有)(?:任何)?(?:资料|证据|材料|信息|记载|记录)(?:可以|能够?)?(?:显示|表明|说明|证明)[^,;。]{0,10}?(?:谁|哪|何|什么|多少|到底|究竟)",
    f"{DOC_ZH}[^,;。]{{0,8}}?(?:不能|不足以|无法)(?:证明|说明|看出|反映)[^,;。]{{0,10}}?(?:谁|哪|何|多少|几|什么|是否)",
    "(?:没有?|未|并未)(?:说|讲|问|提|写|记)[^,;。]{0,4}?(?:谁|哪|何|多少|什么|几)",
    f"(?:没有|未|并未)(?:提供|给出)[^,;。]{{0,6}}?{_FACT_ZH}",
    f"(?:没有|未|并未)(?:出现|列入|写入|记入|写进)在?{DOC_ZH}?",
)

_PHRASES: Final = (
    (re.compile("[a-zA-Z]"), any_of(*_ENGLISH)),
    (re.compile(f"[{CYRILLIC}]"), any_of(*_RUSSIAN)),
    (re.compile(f"[{HAN}]"), any_of(*_CHINESE)),
)
"""Each language's phrases, and the letters without which they need not be looked for."""
_ACROSS: Final = any_of(
    rf"{DOC_EN}[^;]{{0,60}}?\bwithout (?:naming|giving|stating|saying|specifying|identifying|indicating|fixing)\b",
    rf"{DOC_RU}[^;]{{0,60}}?,\s*не (?:называя|указывая|уточняя|раскрывая|приводя|поясняя|говоря|сообщая)\b",
    r"\bне (?:установил|выяснил|определил|уточнил|сказал|назвал|указал|пояснил)[аио]?, (?:кто|кем|кому|когда|где|куда|сколько"
    r"|как\w*|котор\w+|чей|почему|зачем)\b",
    r"\b(?:определить|установить|сказать|узнать|выяснить|понять)\b,[^;]{0,100}?,[^,;]{0,30}?"
    r"\b(?:невозможно|нельзя|не удалось|не удается|не представляется возможным)\b",
)


def phrases(clause: str) -> list[re.Match[str]]:
    """Where ``clause`` says that the text has no answer, or that the speaker has none.

    >>> [found.group() for found in phrases("That is not stated")]
    ['is not stated']
    """
    known = [pattern for letter, pattern in _PHRASES if letter.search(clause)]
    found = [match for pattern in known for match in pattern.finditer(clause)]
    return sorted(found, key=lambda match: match.start())


def phrases_across(said: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The same with what is asked between commas in its midst."""
    return _ACROSS.finditer(said, start, end)
