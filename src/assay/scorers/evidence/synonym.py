"""Synonyms in contracts, in three languages, and stop words.

Each line of the thesaurus contains words that can replace each other in a contract. Russian and
English words are compared by their stems, so one form of each word is enough. The lines are
general usage: shall and must, refund and return, расторгнуть and прекратить, 退还 and 返还.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from assay.text import stem

_ENGLISH: Final = """
shall must obliged obligated required
may can entitled permitted allowed authorised authorized
pay payment paid remit settle payable
return refund repay reimburse restore back recover
give provide supply furnish hand grant
deliver delivery supply hand
end terminate termination cancel expire expiry finish cease dissolve stop
leave resign quit depart withdraw
begin start commence commencement
buy purchase acquire
sell sale
price cost charge fee amount sum money
deduct withhold deduction retain keep subtract minus less
fine penalty sanction
damage harm loss injury
repair fix mend remedy rectify cure
defect fault flaw deficiency
late overdue delay delayed belated lateness
notify notice inform tell announce notification warn
written writing
consent agree approve approval permission agreement accept authorisation leave
reject refuse refusal decline
prohibit forbid ban
year annual yearly annually
month monthly
day daily
week weekly
whole entire full all total complete everything
increase raise rise
reduce decrease lower cut reduction discount off lessen
term period duration
document paper record
wrong incorrect false inaccurate erroneous
responsible liable liability answerable responsibility
indemnify compensate compensation make reimburse
reveal disclose disclosure divulge
destroy destruction erase
enforce enforcement execute
employ hire engage recruit take
worker employee staff
house home dwelling property premises
car vehicle automobile
lorry truck
use usage utilise utilize
work works job
complete completion finish done
sign signature signing
quarter fourth
person individual someone somebody anyone anybody
candidate applicant
instalment installment
because owing due caused result
if where when should provided once
also too
another further additional other
count deem considered regarded treated
test trial
choose elect choice option either
loan credit advance
transfer assign assignment pass move
insure insurance
renew extend extension prolong renewal
dispute disagreement
court tribunal
immediately forthwith promptly
secret confidential confidentiality
check inspect inspection examine audit
goods merchandise items products
place site location
send dispatch ship forward
receive receipt get obtain
keep maintain store storage
change alter modify amend vary amendment
call demand claim require
"""
_RUSSIAN: Final = """
обязан обязуется должен обязуются должны надлежит надо нужно необходимо
вправе может можно разрешается допускается могут разрешено
платить уплачивать оплачивать оплата плата вносить платеж выплачивать уплата погашать рассчитаться расчет
возвращать вернуть возврат возвратить
возмещать компенсировать возмещение компенсация покрывать
передавать передача отдавать выдавать вручать выдача предоставлять отдать передать
получать получение принимать приемка принять
прекращать расторгать прекращение расторжение отказ окончание завершение
начинать начало
покупать приобретать покупка приобретение закупать
продавать реализовать продажа реализация сбывать
цена стоимость сумма деньги плата средства
удерживать вычет вычитать удержание
штраф пеня неустойка санкция
ущерб вред убыток порча повреждение утрата потеря убытки
ремонт исправлять устранять чинить устранение
недостаток дефект изъян брак
просрочка задержка опоздание просрочить задерживать задержать
уведомлять извещать сообщать предупреждать уведомление извещение информировать
письменный письменно
согласие разрешение согласование одобрение согласиться согласовать
отказывать отказ отклонять
запрещать запрет
ежегодно год ежегодный годовой
ежемесячно месяц ежемесячный
ежедневно день ежедневный
весь целый полный полностью целиком все вся всего
повышать увеличивать поднимать повышение увеличение
снижать уменьшать понижать снижение уменьшение сокращать
срок период время
ответственность отвечать отвечает ответственный
раскрывать разглашать раскрытие разглашение обнародовать публиковать
уничтожать уничтожение
нанимать принимать привлекать
помещение здание объект дом
автомобиль машина транспорт
использовать применять пользоваться использование
работа работы
выполнять исполнять производить осуществлять сделать выполнить выполнение
подписывать подписание подпись
лицо человек посторонний третий
если когда случае при пока
другой иной прочий
считать признавать считается признается
кредит заем ссуда долг задолженность
процент ставка
страховать страхование страховка
продлевать продление пролонгация
спор разногласие
суд судебный
немедленно незамедлительно
тайна секрет конфиденциальность сведения информация данные
проверять проверка контроль осмотр
товар груз изделие продукция
отправлять направлять высылать отгружать отгрузка
хранить хранение
изменять менять изменение изменить
требовать потребовать требование претензия взыскать взыскание
называть указывать указанный
либо или
собственный свой сам
вознаграждение комиссия
"""
_CHINESE: Final = """
应 应当 须 必须 需 需要 应该
可以 可 有权 能 能够
支付 给付 缴纳 付 付款 交付 交纳 缴付 付清 支出 发放
退还 返还 退回 归还 交还 退
赔偿 补偿 弥补 赔付 抵偿
提供 给予 交付
终止 解除 结束 终了 届满 期满 到期 满
开始 起 起算
购买 采购 买入 购入 采买
出售 转让 卖出 销售 出让
价款 价格 金额 款项 费用 钱 款
扣除 扣减 扣 减去 抵扣
违约金 罚款 滞纳金 罚金
损失 损害 毁损 损坏 货损
维修 修复 修理 保修
缺陷 瑕疵 质量问题
逾期 延迟 迟延 超期 拖延 顺延
通知 告知 告诉 通告 知会
书面 书面形式
同意 认可 许可 允许 准许 批准
拒绝 否决
禁止 不得 不准
每年 年度 年
每月 按月 逐月 月
每日 按日 逐日
全部 所有 全 整个 一切
提高 上调 增加 上浮
降低 下调 减少 下浮
期限 期间 期
责任 负责 负担 承担 负
泄露 披露 泄密 公开
销毁 毁掉 删除
执行 照办 履行 实施
员工 职工 雇员 劳动者
房屋 房产 住房
使用 利用 用
完成 完工 竣工
签订 签署 签约 订立
他人 别人 第三人 第三方
如果 若 如 倘若 假如 的话
因 因为 由于
其他 另外 其它 另行 另
视为 视作 当作 认定为
借款 贷款 借贷
利息 息
转租 转让
续约 续期 延续
争议 纠纷
法院 裁判
立即 马上 即刻
保密 秘密
检查 查验 验收 检验
货物 商品 产品
地点 场所
收到 接到 收 收取 接
保管 存放 堆存
修改 变更 更改 调整 改
要求 请求 主张
提前 提早 事先 预先
随时 任何时候
合格 达标
和 与 及 以及 跟
或者 或 还是
也 亦 同样
但 但是 不过
超过 超出
标准 计算 按
自行 自己 自
"""
_STOP: Final = """
the a an of to in on at for from by with and or as that which who whom this these those it its he she they them
his her their is are was were be been being do does did will would have had if then than so such any each every
there here into upon under out up over per also but however both either
в на по с со из за к ко у о об от до для при и а но или либо что чтобы как его ее их им ему ей он она они оно это
этот эта эти этого этой того той тот та те быть является составляет есть был была было были же бы ли также так
который которая которые которого которой себя свой свою своего своей своих когда если под над между через также
все весь самое таком такой
"""
_STOP_HAN: Final = frozenset(
    "的了在之其于为以而且并则就都将把被由对向从与和及或也但所这那是个中上下时后前内有该此等"
)


@cache
def concepts() -> dict[str, str]:
    """Map each stem or Chinese word of the thesaurus to the first word of its line.

    >>> concepts()[stem("refund")] == concepts()[stem("returned")]
    True
    """
    heads: dict[str, str] = {}
    for line in _lines(_ENGLISH, _RUSSIAN):
        first = stem(line[0])
        for word in line:
            heads.setdefault(stem(word), first)
    for line in _lines(_CHINESE):
        for word in line:
            heads.setdefault(word, line[0])
    return heads


@cache
def stop_stems() -> frozenset[str]:
    """The English and Russian stop words, as stems and as they are written."""
    return frozenset(stem(word) for word in _STOP.split()) | frozenset(_STOP.split())


@lru_cache(maxsize=1 << 14)
def is_stop(word: str) -> bool:
    """Whether a stem or a Chinese word carries no meaning of its own."""
    return word in stop_stems() or all(character in _STOP_HAN for character in word)


@lru_cache(maxsize=1 << 14)
def concept(word: str) -> str:
    """The key for comparing a stem or a Chinese word: the first word of its line, or itself.

    The stems of one Russian verb can differ (компенсирова, компенсир), so a long Russian word
    that is not in the thesaurus is looked up by its first letters.

    >>> concept(stem("компенсируют")) == concept(stem("возмещение"))
    True
    """
    head = concepts().get(word)
    if head or len(word) <= _PREFIX_LENGTH:
        return head or word
    return _prefix_heads().get(word[:_PREFIX_LENGTH], word)


_PREFIX_LENGTH: Final = 5


@cache
def _prefix_heads() -> dict[str, str]:
    """Map the beginning of long Russian stems to their line, if only one line has it."""
    prefixes: dict[str, set[str]] = {}
    for word, head in concepts().items():
        if len(word) >= _PREFIX_LENGTH and "а" <= word[0] <= "я":
            prefixes.setdefault(word[:_PREFIX_LENGTH], set()).add(head)
    return {prefix: heads.pop() for prefix, heads in prefixes.items() if len(heads) == 1}


def _lines(*tables: str) -> Iterator[list[str]]:
    for table in tables:
        yield from (line.split() for line in table.strip().splitlines())
