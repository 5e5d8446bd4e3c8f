"""The one word that a quotation changes, if it is literal apart from this word."""

import pytest

from assay import verify_quotation


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        # One character of a name that the segmenter does not know.
        ("评审会由端木蘅主持，于周五结束。", "评审会由端木芷主持，于周五结束。"),
        ("货物交给春溪水产验收入库。", "货物交给春澜水产验收入库。"),
        # A title beside a name, and a word inside the name of an organisation.
        ("Вечером полковник Громов вернулся в лагерь один.", "Вечером майор Громов вернулся в лагерь один."),
        ("Смету проверила Главная бухгалтерская палата города.", "Смету проверила Главная контрольная палата города."),
        ("The plan was signed by the surveyor, Anna Holt, on Monday.", "The plan was signed by the architect, Anna Holt, on Monday."),
        ("Barrister Anna Holt signed the plan on Monday.", "Solicitor Anna Holt signed the plan on Monday."),
        # Another rank.
        ("会议由副局长贺敏主持召开。", "会议由局长贺敏主持召开。"),
        ("厂长检查了两条生产线。", "副厂长检查了两条生产线。"),
        ("chairman of the club wrote the letter", "The vice chairman of the club wrote the letter."),
        # A title of another length, and one in a short sentence.
        ("教务主任在会上宣读了名单。", "班主任在会上宣读了名单。"),
        ("Старпом Рудин проверил все люки.", "Боцман Рудин проверил все люки."),
        # Another dynasty or period.
        ("这口井开凿于宋代，井水甘甜。", "这口井开凿于明代，井水甘甜。"),
        ("此碑立于西汉末年，字迹清晰。", "此碑立于东汉末年，字迹清晰。"),
    ],
)  # fmt: skip
def test_the_only_changed_word_is_found(quotation: str, source: str):
    """A quotation is refused if all that it changes is a part of a name or a title beside one."""
    verdict = verify_quotation(quotation, source)
    assert not verdict.valid
    assert any("changed" in reason for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("评审会由端木芷主持，于周五结束", "评审会由端木芷主持，于周五结束。"),
        ("双方应当按约给付货款。", "双方应当按约支付货款。"),
        ("The vote in Malmo was led by Ana Pérez [2].", "The vote in Malmö was led by Ana Perez."),
        ("眼镜一直放在书桌的抽屉里。", "那副眼镜一直放在书桌的抽屉里。"),
        ("他的想像力十分丰富而且持久。", "他的想象力十分丰富而且持久。"),
        ("майору Данилу Громову", "Вечером майор Данил Громов вернулся в лагерь один."),
    ],
)
def test_the_same_in_other_letters_or_a_synonym_is_kept(quotation: str, source: str):
    """A literal quotation, a synonym of a verb, a variant character and a case are no changes."""
    assert verify_quotation(quotation, source).valid


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("Notices are sent by fax", "Notices are sent by e-mail."),
        ("was sent by fax", "The parcel was sent by courier."),
        ("The lessee insures the vehicle against fire", "The lessee insures the vehicle against theft."),
        ("The seller pays the export duty", "The seller pays the customs duty."),
        ("Interest accrues weekly", "Interest accrues daily."),
        ("Disputes are settled by arbitration in Port Selwyn", "Disputes are settled by the court of Port Selwyn."),
        ("Уведомления направляются по факсу", "Уведомления направляются по электронной почте."),
        ("Арендатор страхует автомобиль от пожара", "Арендатор страхует автомобиль от угона."),
        ("Подрядчик хранит образцы на складе", "Подрядчик хранит образцы в холодильнике."),
        ("Проценты начисляются ежемесячно", "Проценты начисляются ежедневно."),
        ("违约方承担诉讼费", "违约方承担律师费。"),
    ],
)  # fmt: skip
def test_another_word_with_a_meaning_is_a_change(quotation: str, source: str):
    """A literal quotation is refused if one word of it says something else, a name or not."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert any("changed" in reason or "exchanged" in reason for reason in check.reasons)


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The tenant shall promptly notify the landlord of any damage", "The tenant shall immediately notify the landlord of any damage."),
        ("The carrier shall reimburse the loss of the goods", "The carrier shall compensate the loss of the goods."),
        ("This contract enters into force on signature", "This Agreement enters into force on signature."),
        ("The insurer compensated the loss of the goods", "The insurer compensates the loss of the goods."),
        ("Подрядчик немедленно уведомляет заказчика о задержке", "Подрядчик незамедлительно уведомляет заказчика о задержке."),
        ("Настоящее соглашение вступает в силу с момента подписания", "Настоящий договор вступает в силу с момента подписания."),
        ("Плата более 100 рублей не взимается", "Плата свыше 100 рублей не взимается."),
        ("承租人应在租期届满时交还钥匙", "承租人应当在租期届满时归还钥匙。"),
    ],
)  # fmt: skip
def test_a_near_word_an_adverb_and_another_form_are_no_change(quotation: str, source: str):
    """One word may be replaced by one that says the same in a contract."""
    assert verify_quotation(quotation, source).valid


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("Notices are sent by fax only", "Notices are sent by e-mail."),
        ("Notices are sent by e-mail only", "Notices are sent by e-mail."),
        ("Уведомления направляются только по факсу", "Уведомления направляются по электронной почте."),
        ("Уведомления направляются только по электронной почте", "Уведомления направляются по электронной почте."),
        ("通知仅以传真方式发送", "通知以电子邮件方式发送。"),
        ("只能以电子邮件方式发送", "通知以电子邮件方式发送。"),
    ],
)  # fmt: skip
def test_a_restriction_is_not_added(quotation: str, source: str):
    """A quotation with "only" is refused if its sentence has no restriction, however literal it is."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert check.score is not None
    assert check.score <= 0.4
    assert any(reason.startswith("restriction added") for reason in check.reasons)
