"""Words of contracts that determine the meaning of a sentence, in three languages.

These are denials (negations), bounds, units of time and measure, and names of parties. All
patterns expect normalised text with folded case. The lists contain general contract language;
they are not taken from a data set.
"""

import re
from typing import Final

from assay.text import HAN


def _whole_words(*patterns: str) -> str:
    return rf"\b(?:{'|'.join(patterns)})\b"


_MOST_EN: Final = _whole_words(
    r"(?:not|no) (?:more|greater|longer|higher|later|larger|further) than",
    r"(?:not|never) (?:to )?exceed(?:ing)?|at (?:the )?most|at the latest|up to|within",
    r"maximum(?: of)?|limited to|capped at|less than|fewer than|under|below|before|until|by(?= ?$)",
)
_LEAST_EN: Final = _whole_words(
    r"(?:not|no) (?:less|fewer|lower|smaller|shorter|earlier|sooner) than",
    r"at (?:the )?(?:least|earliest)|minimum(?: of)?|more than|greater than|longer than",
    r"over|above|beyond|exceed(?:s|ing)?|in excess of|after",
)
_MOST_RU: Final = _whole_words(
    r"не (?:более|больше|свыше|выше|позднее|позже|дольше|чаще|превыша\w+|дороже)(?:,? чем)?(?: (?:на|за|через))?",
    r"самое позднее|максимум|в пределах|ограничен\w*|менее|меньше|ниже|реже|дешевле|короче",
    r"до|раньше|ранее|в течение",
)
_LEAST_RU: Final = _whole_words(
    r"не (?:менее|меньше|ниже|ранее|раньше|реже|дешевле)(?:,? чем)?(?: (?:на|за|через))?",
    r"минимум|по меньшей мере|как минимум|(?:более|больше)(?:,? чем)?(?: (?:на|за))?",
    r"свыше|выше|позднее|позже|чаще|дольше|дороже|превыша\w+|сверх|после|по истечении|спустя",
)
_MOST_ZH: Final = "(?:不|未|不得|不能|不应|不可)(?:超过|高于|多于|大于|晚于|迟于)|至多|最多|最高|最长|最迟|以内为限|低于|少于|小于|不足$"
_LEAST_ZH: Final = "(?:不|未|不得|不能|不应|不可)(?:低于|少于|小于|短于|早于)|至少|最少|最低|最短|超过|高于|多于|大于|逾$|满$"
MOST: Final = f"{_MOST_EN}|{_MOST_RU}|{_MOST_ZH}"
"""Words before an upper bound: what follows is the maximum or the latest date."""
LEAST: Final = f"{_LEAST_EN}|{_LEAST_RU}|{_LEAST_ZH}"
"""Words before a lower bound: what follows is the minimum or the earliest date."""
AFTER_MOST: Final = re.compile(
    r"\s?(?:个?(?:工作)?[日天月年周时]|小时|个月)?(?:以内|之?内|以下|之?前)"
)
"""Text after a number that makes it an upper bound."""
AFTER_LEAST: Final = re.compile(r"\s?(?:个?(?:工作)?[日天月年周时]|小时|个月)?(?:以上|之?后|开外)")
"""Text after a number that makes it a lower bound."""

_NOT_EN: Final = _whole_words(
    r"not|\w+n't|no|never|neither|nor|none|nothing|nobody|nowhere|without|unless|cannot",
    r"except(?:ing|ed|s)?|exclud(?:e|es|ed|ing)|fail(?:s|ed|ing|ure)?|otherwise|lack(?:s|ing)?",
    r"prohibit(?:s|ed|ing)?|forbid(?:s|den)?|forbade|bann?(?:ed|s)?|exempt(?:s|ed)?|refus(?:e|es|ed|ing)",
    r"den(?:y|ies|ied)|waiv(?:e|es|ed|ing)|instead of|rather than|other than|save for",
)
_NOT_RU: Final = _whole_words(
    r"не|нет|без|нельзя|кроме|исключая|иначе|помимо|никогда|никто|ничто",
    r"за исключением|в противном случае|запрещ\w+|запрет\w*|воспрещ\w+|отсутств\w+|невозможн\w+",
    r"недопустим\w+|освобожда\w+|освобожд[её]н\w*|лиш(?:ен|ается|аются)\w*",
)
_NOT_ZH: Final = (
    "不得|不能|不予|不应|不可以|并不|概不|从不|绝不|没有|未经|未能|尚未|无需|无须|毋须|无权|禁止|严禁|不准|不许"
    "|除外|除非|例外|否则|免除|免于|豁免|拒绝|排除|不|未|无|没|勿|非|免(?!费)|(?<![扣清解消删去])除(?!了|此)"
)
NOT_COUNTED: Final = (
    "不可抗力|不动产|不锈钢|不但|不仅|不论|无论|不管|未来|非常|不断|不同|不时|无形|扣除|解除|消除|清除|删除|去除|拆除|除以"
    r"|\bno\.(?= ?\d)|\bnot only\b|\bне только\b|\bno matter\b|\bnotwithstanding\b"
)
"""Words that look like a denial but do not deny anything."""
DENIED_BOUND: Final = re.compile("^(?:не|not|no|never|不|未)")
"""The beginning of a bound that is expressed by a denial: not more than, не ниже, 不超过."""
DENIAL: Final = f"{_NOT_EN}|{_NOT_RU}|{_NOT_ZH}"
"""Words which say that something is not true, is forbidden, or is excluded."""

_TIME: Final = (
    (
        "workday",
        1,
        r"(?:business|working|banking|work) days?|(?:рабоч|банковск)\w+ д(?:ень|ня|ней|ням|нях|ни)|个?工作日|个?营业日",
    ),
    ("hour", 1, r"hours?|час(?:а|ов|у|ам|ы)?|个?小时|个?钟头"),
    (
        "hour",
        24,
        r"(?:calendar |natural )?days?|(?:календарн\w+ )?(?:д(?:ень|ня|ней|ням|нях|ни)|сут(?:ки|ок|кам))|个?(?:自然|日历)?[日天]|昼夜",
    ),
    ("hour", 168, r"weeks?|недел\w*|个?(?:周|星期|礼拜)"),
    ("month", 1, r"(?:calendar )?months?|месяц\w*|个?月"),
    ("month", 3, r"quarters?(?! of| on| at| when)|квартал\w*|个?季度"),
    ("month", 12, r"years?|лет|год(?:а|у|ом|ов)?|周?年"),
)
_MEASURE: Final = (
    ("kilogram", r"kilograms?|kilos?|kgs?|килограмм\w*|кг|公斤|千克"),
    ("pound", r"pounds?|lbs?|фунт\w*|磅"),
    ("tonne", r"tonn?es?|tons?|тонн\w*|吨"),
    ("gram", r"grams?|грамм\w*|克"),
    ("square metre", r"square met(?:er|re)s?|sq\.? ?m|m2|кв\. ?м|квадратн\w+ метр\w*|平方米|平米"),
    ("square foot", r"square f(?:ee|oo)t|sq\.? ?ft|квадратн\w+ фут\w*|平方英尺"),
    ("kilometre", r"kilomet(?:er|re)s?|km|километр\w*|км|公里|千米"),
    ("mile", r"miles?|мил(?:я|и|ь)|英里"),
    ("foot", r"f(?:ee|oo)t|фут(?:а|ов|ы)?|英尺"),
    ("metre", r"met(?:er|re)s?|метр\w*|米"),
    ("litre", r"lit(?:er|re)s?|литр\w*|升"),
    ("gallon", r"gallons?|галлон\w*|加仑"),
    ("hectare", r"hectares?|гектар\w*|га|公顷"),
    ("acre", r"acres?|акр\w*|英亩"),
    ("mu", r"亩"),
)


def _with_word_boundaries(pattern: str) -> str:
    """Match whole words only. Chinese alternatives stay as they are: they have no word breaks."""
    alternatives = pattern.split("|")
    western = [part for part in alternatives if not re.search(f"[{HAN}]", part)]
    han = [part for part in alternatives if re.search(f"[{HAN}]", part)]
    return "|".join([rf"\b(?:{'|'.join(western)})\b", *han] if western else han)


def _unit_pattern() -> re.Pattern[str]:
    groups = [f"(?P<t{index}>{_with_word_boundaries(unit[2])})" for index, unit in enumerate(_TIME)]
    groups += [
        f"(?P<m{index}>{_with_word_boundaries(unit[1])})" for index, unit in enumerate(_MEASURE)
    ]
    return re.compile("|".join(groups))


UNIT: Final = _unit_pattern()
"""A unit of time or measure after a number."""
BARE_UNIT: Final = re.compile(rf"(?:\b(?=[^\W{HAN}])|(?<=每))(?:{UNIT.pattern})")
"""A unit without a number: a day, за час, 每吨."""
_PREPOSITIONS: Final = (
    "before after until by over under below above beyond within до после раньше ранее"
)
PREPOSITION: Final = frozenset((*_PREPOSITIONS.split(), "в течение"))
"""Prepositions that express a bound only if a number follows directly."""


def unit_of(match: re.Match[str]) -> tuple[str, int]:
    """The base unit of what ``UNIT`` matched, and the factor that converts to it.

    Days and weeks are converted to hours, quarters and years to months, so that fourteen days
    equal two weeks. Working days are not converted.

    >>> unit_of(UNIT.match("weeks")), unit_of(UNIT.match("рабочих дней")), unit_of(UNIT.match("米"))
    (('hour', 168), ('workday', 1), ('metre', 1))
    """
    group = str(match.lastgroup)
    if group[0] == "t":
        name, factor, _ = _TIME[int(group[1:])]
        return name, factor
    return _MEASURE[int(group[1:])][0], 1


_COUNTS_RU: Final = (
    "одно 1 двух 2 трех 3 четырех 4 пяти 5 шести 6 семи 7 восьми 8 девяти 9 десяти 10 пятнадцати 15"
    " двадцати 20 тридцати 30 сорока 40 шестидесяти 60 девяноста 90"
)
_COUNTED_RU: Final = _COUNTS_RU.split()
COUNTED_RU: Final = dict(zip(_COUNTED_RU[::2], map(int, _COUNTED_RU[1::2]), strict=True))
"""First parts of Russian compound adjectives like трёхдневный, and their numbers."""
_PERIOD_RU: Final = {"часов": ("hour", 1), "дневн": ("hour", 24), "недельн": ("hour", 168),
                     "месячн": ("month", 1), "летн": ("month", 12), "годичн": ("month", 12)}  # fmt: skip
COMPOUND: Final = re.compile(
    rf"\b(?P<count>{'|'.join(sorted(COUNTED_RU, key=len, reverse=True))})?"
    rf"(?P<period>{'|'.join(_PERIOD_RU)})\w*"
    r"|(?P<half_year>\bполгода\b|\bполугод\w+|\bhalf a year\b|半年)|(?P<fortnight>\bfortnight\b)"
    r"|(?P<day>一昼夜)|(?P<tenths>[一二两三四五六七八九])成"
    r"|(?P<half>\b(?:one |a )?half\b|\bполовин\w+|一半|半数)"
    r"|(?P<third>\b(?:one|a) third\b|\bтреть?\b|\bтрети\b)"
    r"|(?P<quarter>\b(?:one|a) quarter\b|\bчетверт(?:ь|и|ью)\b)"
    r"|(?P<fifth>\b(?:one|a) fifth\b)|(?P<tenth>\b(?:one|a) tenth\b)"
)
"""Periods and shares that are written as one word or phrase."""


_SHARES: Final = {"half": 50, "third": 33, "quarter": 25, "fifth": 20, "tenth": 10}


def compound_value(match: re.Match[str]) -> tuple[int, str] | None:
    """The value and unit of what ``COMPOUND`` matched; ``None`` if it contains no number.

    >>> compound_value(COMPOUND.match("трехдневный")), compound_value(COMPOUND.match("半年"))
    ((72, 'hour'), (6, 'month'))
    """
    if match["half_year"]:
        return 6, "month"
    if match["fortnight"]:
        return 336, "hour"
    if match["day"]:
        return 24, "hour"
    for name, percent in _SHARES.items():
        if match[name]:
            return percent, "percent"
    if match["tenths"]:
        return 10 * ("一二三四五六七八九".find(match["tenths"]) + 1 or 2), "percent"
    unit, factor = _PERIOD_RU[match["period"]]
    if match["count"] is None and match["period"] != "недельн":
        return None
    return COUNTED_RU.get(match["count"] or "одно", 1) * factor, unit


_FUNCTION_HAN: Final = "的向由与给经在应被对和及为或甲乙丙丁一二双各任何他其每某本此该至将把从以并且但因若如当时后前内第"
ROLE_ZH: Final = re.compile(
    "(?P<both>双方|各方|任何一方|任一方|每一方|一方当事人|当事人各方|当事人双方)"
    "|甲方|乙方|丙方|丁方|[买卖供需]方|[买卖][家主]|第三[人方]|用人单位|总部|总公司|分公司|公司|银行|学校|医院|物业|酒店|平台|劳动者|消费者|经营者"
    "|投资者|使用者|生产者|销售者|买受人|出卖人|员工|雇员|雇主|业主|房东|租客|租户|客户|会员|家长|学员"
    f"|被?(?:(?![{_FUNCTION_HAN}])[{HAN}]){{2}}(?:(?<![买卖供需])方|人)(?![{HAN}]?民)"
    "|(?:加盟|经销|供应|承包|代理|分销|运营|开发|制造|服务|零售|批发|特许)商"
)
"""A party in Chinese text. The group ``both`` matches words for all parties together."""
_ROLES: Final = (
    "party buyer seller purchaser vendor supplier customer client contractor subcontractor employer"
    " employee worker tenant landlord lessor lessee licensor licensee lender borrower guarantor bank"
    " carrier consignor consignee shipper insurer insured agent principal agency franchisor franchisee"
    " owner operator company member club school parent student recipient discloser publisher author"
    " artist council provider user subscriber distributor manufacturer developer consultant trustee"
    " beneficiary assignor assignee creditor debtor pledgor pledgee depositor warehouse hotel guest"
    " сторона покупатель продавец поставщик заказчик исполнитель подрядчик субподрядчик арендатор"
    " арендодатель наниматель наймодатель лицензиар лицензиат займодавец заемщик кредитор должник"
    " поручитель гарант банк перевозчик грузоотправитель грузополучатель экспедитор страховщик"
    " страхователь агент принципал комиссионер комитент поверенный доверитель работник работодатель"
    " правообладатель пользователь автор издатель школа родители ученик клуб клиент хранитель"
    " поклажедатель залогодатель залогодержатель лизингодатель лизингополучатель цедент цессионарий"
    " компания общество собственник абонент потребитель гость участник"
)
ROLES_WEST: Final = tuple(_ROLES.split())
"""Words for parties in English and Russian."""
BOTH_WEST: Final = re.compile(
    r"\b(?:(?:each|either|any|every|both|neither)(?: of the)? (?:party|parties|sides?)|(?:the )?parties"
    r"|(?:both|all) sides|кажд\w+ (?:из )?сторон\w*|об[еа]\w* сторон\w*|люб\w+ сторон\w*|стороны)\b"
)
"""English and Russian words for all parties together."""

SIDE: Final = {
    **dict.fromkeys(("before", "until", "до", "раньше", "ранее", "前", "之前", "以前"), "before"),
    **dict.fromkeys(("after", "после", "后", "之后", "以后"), "after"),
}
"""Words for "before" and "after" an event, with the key they are compared by."""
_OPPOSITES: Final = (
    "increase/decrease increase/reduce raise/lower earlier/later first/last"
    " more/less above/below maximum/minimum include/exclude include/except inside/outside"
    " advance/arrears always/never shall/may same/different jointly/severally"
    " более/менее больше/меньше выше/ниже ранее/позднее увеличить/уменьшить повышать/снижать"
    " первый/последний включая/исключая включая/кроме обязан/вправе обязан/может всегда/никогда"
    " 以上/以下 以内/以外 超过/低于 增加/减少 提高/降低 上浮/下浮 上调/下调 包括/除外 应/可以 最高/最低 最多/最少"
)
OPPOSITE: Final = tuple(pair.split("/") for pair in _OPPOSITES.split())
"""Pairs of words with opposite meanings: replacing one by the other reverses a sentence."""
