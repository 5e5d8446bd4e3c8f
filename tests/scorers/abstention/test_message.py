"""Refusals beside background, pointers and messages of programs, and answers that look alike."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # What follows the refusal is background, a pointer, or a fact of another kind.
        (
            "Кто оплатил исследование?",
            "В аннотации об этом ничего нет. Как правило, источник средств называют в конце полной статьи, а её у меня нет.",
        ),
        (
            "How many members does the club have today?",
            "The article gives no current membership. The most recent figure in it dates from 1954, and nothing can be concluded from that about today.",
        ),
        (
            "Где пройдёт заседание?",
            "Место в протоколе не названо, есть только дата — 25 апреля. Спросите у секретаря.",
        ),
        ("下次会议在哪里开？", "记录里没提地点，只提到时间是4月25日。你问下秘书吧。"),
        (
            "Как отбирали участников?",
            "Из текста неясно. Авторы пишут «случайно», но самого метода не описывают.",
        ),
        (
            "How many people left?",
            "The report gives the headcount (914, versus 870 a year earlier), but it doesn't disclose leavers.",
        ),
        (
            "How tall is the tower?",
            "Its height isn't in the text. It was built in 1887 and has 12 floors.",
        ),
        # A program has found nothing.
        ("parking permits", "Your search returned 0 results."),
        ("parking permits", "Hits: 0"),
        ("льготы для пенсионеров", "Проверено источников: 4, подходящих фрагментов: 0."),
        ("停车证", "检索结果：0 条"),
        # A program has failed.
        ("parking permits", "The attachment could not be parsed."),
        ("льготы для пенсионеров", "Сервис временно недоступен, повторите попытку позже."),
        ("停车证", "服务繁忙，未能生成回答，请稍后再试。"),
        ("禁停区域 附件", "附件解析失败，暂时无法回答该问题。"),
        # A greeting, a label and the request itself are no answers.
        (
            "Сколько стоит доставка?",
            "Добрый день! По стоимости подсказать не могу. Уточните в магазине.",
        ),
        ("Does the text say who paid?", "Reader's note: no answer possible from passage."),
        ("过量了怎么办", "您的问题可能涉及医疗情况，本系统无法提供解答。"),
    ],
)
def test_what_stands_beside_a_refusal_need_not_answer(question: str, answer: str):
    """Only what was asked for answers; programs refuse by a count of zero or a failure."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Что значит ошибка E4?", "Ошибка E4 означает перелив воды."),
        ("错误代码E7是什么意思？", "错误E7表示滤网堵塞。"),
        ("审计意见类型是什么？", "标准无保留意见，见第97页。"),
        (
            "Am I covered if my cat is ill?",
            "Based on section B, no. Pets are not among the listed reasons.",
        ),
        ("How many complaints were recorded?", "Complaints recorded: 0."),
        ("投诉有多少件？", "投诉：0件。"),
        ("How many matching documents are there?", "Matching documents: 0"),
        (
            "一户最多养几只狗？违规多养会怎样？",
            "每户限养两只犬。对于违规的后果，我没有看到相应条款，所以这一部分没法回答。",
        ),
        ("Сколько мест в зале?", "В зале 240 мест. Сколько из них занято, не сообщается."),
    ],
)
def test_an_answer_may_look_like_a_message(question: str, answer: str):
    """An error that is asked about, a count that is asked for and a part of two answers are answers."""
    assert not abstains(answer, question)
