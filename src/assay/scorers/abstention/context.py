"""What may stand around a phrase that abstains, and make it something else or leave it so.

Regular expressions as in ``assay.scorers.abstention.pattern``. ``assay.scorers.abstention`` puts both
together.
"""

import re
from typing import Final

from assay.scorers.abstention.pattern import DOC_EN, DOC_RU, DOC_ZH, Pattern, any_of
from assay.text import HAN

CONDITION: Final = any_of(
    r"\b(?:if|unless|whenever|in case|provided that)\b",
    r"\bесли\b|\bпри условии\b",
    "如果|倘若|假如|假若|除非|只要|若(?!干)|(?<![例譬比假何犹])如(?![何下上实此同今期])",
)
"""Before the phrase: a rule for what is left open, not an abstention."""
CONDITION_START: Final = any_of(r"^\W*(?:where|when)\b", r"^\W*когда\b")
"""The same where a main clause follows."""
RELATIVE: Final = any_of(r"\w\W+(?:that|which|who)\W*$", r"\bкотор\w+ (?:[\w-]+ )?$")
"""Just before the phrase: it describes a thing or a person."""
ATTRIBUTE: Final = re.compile(
    "[^,;。]{0,12}的(?:,|[^,;。]{0,8}(?:无效|视为|推定|不予|按照|应当|由|可以|不得|适用))"
)
"""Just after a Chinese phrase: "those that do not say so", in the manner of statutes."""
PARTY: Final = re.compile(
    "(?:原告|被告|甲方|乙方|丙方|当事人|证人|[他她]们?|申请人|被申请人|出租人|承租人|买方|卖方|法院|警方|专家|机构"
    "|供方|需方|员工|患者|某)[^,;。]{0,6}$"
)
"""Just before a Chinese phrase: somebody was silent, not the text."""
DOCUMENT: Final = any_of(DOC_EN, DOC_RU, DOC_ZH)
"""A word for the text that was given."""

BREAK: Final = any_of(
    # A point after a short word may belong to an abbreviation; assay.text.sentences knows those.
    rf"[;。!?]+|(?<=[^\W\d_]{{4}})\.(?=\s|$)|(?<!\d)\.(?=\s?[{HAN}])|(?<=[{HAN}])\.",
    r",?\s*\b(?:but|however|nevertheless)\b,?|,\s*(?:and )?(?:so|yet|therefore|thus|hence|then)\b(?! that)",
    r",\s*(?:но|однако|зато|поэтому|следовательно|значит|так что)\b,?",
    r"(?:[,\s]|^)\s*(?:但是|(?<!不)但|不过|然而|可是|因此|所以|因而|故而|于是|而且)",
)
"""Where one statement ends and another begins within a sentence."""
PAUSE: Final = Pattern(r"(?<!\d)[,:]|[,:](?!\d)|\s-\s")
"""Where a part of a statement ends."""
CONCLUSION: Final = any_of(
    r"\b(?:so|therefore|thus|hence)\W*$",
    r"\b(?:поэтому|следовательно|значит|так что)\W*$",
    r"(?:因此|所以|因而|故而|于是)\W*$",
)
"""Ends what breaks two statements of which the first is the reason of the second."""

CONCESSION: Final = any_of(
    r"^\W*(?:although|though|even though|while|whereas)\b",
    r"^\W*(?:хотя|несмотря на)\b",
    r"^\W*(?:虽然|虽|尽管)",
)
"""Begins what is granted and not the point."""
CAUSE: Final = any_of(
    r"^\W*(?:because|since|as)\b(?! (?:for|to)\b)",
    r"^\W*(?:поскольку|так как|потому что|раз)\b",
    r"^\W*(?:因为|由于|鉴于)",
)
"""Begins a reason: the statement is what it is the reason of."""
LEAD: Final = any_of(
    r"^\W*(?:according to|based on|on the basis|as (?:for|to)|regarding|concerning|with regard"
    r"|in (?:the|this|these|its|all|any)\b|from\b|unfortunately|sorry|i(?:'m| am) (?:sorry|afraid)"
    r"|having|after|given|despite|to (?:my|the best)|for (?:the|this)\b|apart from|besides|other than|nor)\b",
    r"^\W*(?:согласно|по|в|во|на|из|исходя|судя|что касается|относительно|о|об|к сожалению|извините"
    r"|насколько|как|помимо|кроме|увы|при|для|с|со|у|от|ни)\b",
    r"^\W*(?:根据|依据|按照|依照|据|关于|对于|至于|就|针对|从|在|经|由于|除|抱歉|对不起|很遗憾|遗憾|您好|综上|目前|因为"
    r"|鉴于|基于|结合|通过)",
)
"""Begins a part that only leads up to a statement."""
QUESTION: Final = any_of(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whether|that)\b",
    r"\b(?:кто|кого|кому|кем|что|чего|чему|чем|как\w{0,3}|когда|где|куда|откуда|почему|зачем|сколько|ли"
    r"|котор\w+|чей|чья)\b",
    "谁|什么|多少|哪|何|几|怎|是否|有无|能否|可否",
)
"""Names what is asked rather than answering it."""
ASSERTION: Final = any_of(
    r"\b(?:is|are|was|were|must|shall|will|may|can|has|have|had|should|would|appl(?:y|ies)|pays?|paid"
    r"|signed|costs?|takes?|bears?|requires?|needs?|lasts?|decides?|belongs?|becomes?|means?|begins?"
    r"|ends?|starts?|gets?|receives?|states?|says?|yes)\b",
    r"\b(?:составля|явля|отвеча|применя|счита|оплачива|требу|выплачива|осуществля|устанавлива|производ"
    r"|разреш|запрещ|подписал|обязан|долж)\w*",
    r"\b(?:несет|несут|вправе|может|могут|равн\w+|платит|платят|следует|необходимо|нужно|действует|да)\b"
    r"|\b\w{3,}(?:ется|ится|ются|утся|атся|ятся)\b",
    "(?<![但于还只总可])是(?!否)|(?<![因作行认])为(?!了)|(?<![理自事缘])由(?!于)|(?<![相对供反])应|须|需要|可以|有权|负责"
    "|承担|支付|属于|适用|视为|不得|包括|共计|约定了|规定了",
    "(?:签订|签署|签字|生效|成立|交付|发生|到期|结束|开始|退还)了?$",
)
"""A verb that states something."""
HEDGE: Final = any_of(
    r"\b(?:probably|likely|perhaps|maybe|possibly|presumably|usually|typically|generally|normally|roughly"
    r"|approximately|my guess|(?:i|we) (?:think|guess|believe|assume|suppose|suspect)"
    r"|(?:might|could|should) be)\b",
    r"\b(?:вероятно|скорее всего|возможно|наверное?|видимо|думаю|полагаю|предполагаю|пожалуй|примерно"
    r"|около|обычно|как правило|должно быть|может быть|предположительно)\b",
    r"可能|大概|也许|或许|估计|应该是|大约|左右|推测|恐怕|一般|通常|我猜|我认为|我觉得|想必|约\s?\d",
)
"""Announces a guess."""
COPULA: Final = any_of(
    r"(?:\b(?:is|are|was|were|be|equals?|amounts? to|totals?)|\b(?:составля\w+|равн\w+|будет)|为|是|共计?|达)"
    r"(?:\W|\b(?:about|approximately|only|around|at least|up to|roughly|not more than|не (?:более|менее)"
    r"|около|примерно|каждый месяц|в месяц)\b|每[年月日天]|大?约|人民币)*$",
)
"""Just before a number: it is given as a value."""
FIGURE: Final = re.compile(
    "[0-9]|[一二两三四五六七八九十百千万亿]+(?:元|年|个?月|日|天|人|次|倍|岁|小时)"
)
"""A number that says something."""

SUPPORT: Final = any_of(
    r"\b(?:sorry|unfortunately|apologi[sz]e)\b|\b(?:please|consult|contact|feel free|let me know)\b",
    r"^\W*(?:you (?:may|might|should|could|can)|i (?:would )?(?:recommend|suggest|advise)|if you)\b",
    rf"(?:{DOC_EN}|\b(?:it|they|these|this)\b)[^,;]{{0,30}}?\b(?:discuss|covers?|covering|describe|deals? with"
    r"|focus|concern|address|mentions?(?! that)|relates?|refers?|talks?|speaks?|contain)\w*",
    r"\b(?:forgot|forgotten|(?:not|n't|cannot) (?:remember|recall|give|name|say|be sure|know))\b",
    r"\b(?:said|says|admitted|claimed|told|answered|replied)\b[^,;]{0,40}?\b(?:had|has|knew|knows) (?:neither|none|nothing|no)\b",
    r"\b(?:was|were|is|are)(?: not|n't) (?:\w+ )?(?:certain|sure)\b",
    r"\b(?:к сожалению|извините|простите|пожалуйста|прошу прощения)\b|\b(?:рекоменду|советую|обрати(?:тесь"
    r"|ться)|уточнит|проконсультир|готов\w* помочь)\w*|^\W*если (?:вы|у вас|вам|нужно|потребуется)\b",
    rf"(?:{DOC_RU}|\b(?:он[аио]?|в н[ием]\w?|там|здесь)\b)[^,;]{{0,30}}?\b(?:говорится о|речь идет|описыва"
    r"|упомина|посвящ|касает|рассматрива|освеща|перечисл)\w*",
    r"\b(?:не (?:за|вс?)?пом[нт]\w+|забыл\w*|запамятовал\w*|не смог\w* (?:назвать|вспомнить|ответить|сказать))"
    r"|\b(?:назвать|вспомнить|ответить|сказать) не смог\w*|\bсообщ(?:ают|ат|ены?|ит)\b[^,;]{0,20}?\bотдельн\w+",
    "抱歉|对不起|遗憾|建议|请(?![求了客]).{0,12}(?:咨询|联系|查阅|参考|核实|确认|提供|补充|参阅)|可以?(?:咨询|联系|查阅|参考"
    "|向)|如需|如果您|若您|欢迎|您可以",
    f"{DOC_ZH}[^,;。]{{0,10}}?(?:介绍|描述|讨论|涉及|讲述|提到|提及|围绕|列举|关注)",
    "忘记|忘了|记不清|不记得|想不起|记不得",
)
"""Says nothing of the matter: regret, advice, what else the text is about, who has forgotten."""
SPEAKER: Final = any_of(
    r"^\W*(?:[\w.'-]+ ){0,3}(?:said|says|stated|answered|replied|adds|added|explained|told)\W*$",
    r"^\W*(?:[\w-]+ ){0,3}(?:ответил|сказал|заявил|пояснил|показал|сообщил|добавил)[аи]?\W*$",
    r"^\W*[^,;。]{1,8}(?:称|说|表示|回答|陈述|答道?)\W*$",
)
"""Only names who is quoted."""
QUOTATION: Final = re.compile(
    "“[^”]{1,600}”|«[^»]{1,600}»|「[^」]{1,600}」|『[^』]{1,600}』|„[^“”]{1,600}[“”]"
    '|"[^"]{1,600}"|＂[^＂]{1,600}＂'
)
"""Words of the text, not of the answer."""
BARE_VALUE: Final = re.compile(r"\W*\d[\d\s,.]*(?!年)(?:(?!的)[^\W\d]){0,12}\W*")
"""A number, with a word for its unit, and nothing else."""
AMOUNT: Final = re.compile(f"[{HAN}]\\d[\\d,.]*(?:元|万|亿|天|日内|个月|期|次|人|%)[^的]*$")
"""In a Chinese part that is no noun phrase: what somebody pays, waits or counts."""
LIMIT: Final = any_of(
    rf"(?:{DOC_EN}|\b(?:it|they|this|these)\b)[^,;]{{0,40}}?\b(?:only|merely|solely|just)\b",
    r"\bappears? only\b",
    rf"\b(?:лишь|только)\b[^,;]{{0,20}}?\b(?:упомина|указа|говор|привод|описыва|содерж|перечисл|сказа|назв)"
    rf"|(?:{DOC_RU}|\b(?:упомина|указа|говор|привод|описыва|содерж|перечисл|сказа|назв|в не[мй])\w*)"
    r"[^,;]{0,20}?\b(?:лишь|только)\b",
    "[仅只](?:仅|是|有)?[^,;。]{0,8}?(?:提到|提及|说明|规定|涉及|描述|介绍|记载|列出|列明|约定|写|讲|说|给出|包含|有|载明)",
)
"""Tells how little the text has."""

_TRADITIONAL: Final = "沒檔說載確無資規約記據體個該關訊內從應為這與並僅實條則問題時間給現見議當屬負責詳難雖儘過請筆錄參"
_SIMPLIFIED: Final = "没档说载确无资规约记据体个该关讯内从应为这与并仅实条则问题时间给现见议当属负责详难虽尽过请笔录参"
TO_SIMPLIFIED: Final = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
"""The traditional characters of these patterns, one for one."""
