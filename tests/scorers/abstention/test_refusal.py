"""Denials that are the answer: an outcome, an error, an absence that was asked for, a reason."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # How an inquiry ended.
        ("What was the outcome of the inquest?", "It was unable to establish how the barge had sunk."),
        ("Чем закончилась экспертиза?", "Подлинность подписи подтвердить не удалось, и дело вернули."),
        ("调查的结论是什么？", "沉船原因未能查明，2009年结案。"),
        # What an error or a state is.
        ("What does error 31 mean?", "The file could not be opened."),
        ("Каков статус обращения?", "Отклонено: нет доступа."),
        ("错误31是什么意思？", "文件打不开。"),
        # What is not there, was asked for.
        ("What remains unclear in the audit?", "It remains unclear who approved the transfer."),
        ("What is the weakness of the survey?", "It doesn't say how the streets were chosen."),
        ("В чём слабость опроса?", "В нём не сказано, как выбирали улицы."),
        ("这份问卷有什么毛病？", "没有说明街道怎么选的。"),
        # A no to whether something is there.
        ("Does the lock support cards?", "Unavailable on model L2: the card reader is missing."),
        ("Работает ли замок с картами?", "На модели L2 считыватель карт отсутствует."),
        ("退换要说明原因吗？", "不用，无需说明任何原因。"),
        ("Известен ли владелец?", "Неизвестен."),
        # Only the reason refuses.
        ("Why is the box empty?", "The clerk left it so because the owner was not known then."),
        ("为什么这一格空着？", "办事员没填，因为当时不知道业主是谁。"),
        # A prohibition.
        ("What is the rule for names?", "They must not contain spaces and may not repeat."),
        # A caveat after an answer.
        ("What is the fare?", "Three euros as far as I can see, though I can't vouch for the list."),
        ("How do I unlock it?", "Turn the key twice. I can't help beyond that."),
    ],
)  # fmt: skip
def test_a_denial_may_be_the_answer(question: str, answer: str):
    """A denial answers a question for an outcome, an error, an absence or a reason."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the outcome of the inquest?", "The article does not report the outcome."),
        ("Чем закончилась экспертиза?", "Из статьи этого узнать нельзя."),
        ("调查的结论是什么？", "文中没有交代结论。"),
        ("What does error 31 mean?", "The manual does not list error 31."),
        ("Каков статус обращения?", "Я не вижу вашего обращения в системе."),
        ("错误31是什么意思？", "手册没有说明错误31。"),
        ("Does the lock support cards?", "The leaflet doesn't say if it supports cards."),
        ("Работает ли замок с картами?", "Не могу ни подтвердить, ни опровергнуть."),
        ("能用卡开锁吗？", "说明书提到钥匙，能不能用卡没讲。"),
        ("小女儿后来有没有回来？", "节选到搬家就结束了，小女儿后来有没有回来，里面没有交代。"),
        ("Why is the box empty?", "The form gives no reason."),
        ("By default, which port is used?", "The default port doesn't appear in either file."),
    ],
)
def test_the_same_questions_may_be_refused(question: str, answer: str):
    """What is said about a text or by the speaker refuses such a question, too."""
    assert abstains(answer, question)
