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
