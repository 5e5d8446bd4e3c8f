"""Answers that look like refusals, and refusals that look like answers, by class."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A decade or a century beside an unknown date.
        ("When was the kiln built?", "The kiln is undated, though the guide puts it in the 1740s."),
        ("When did the inn close?", "The exact year is not recorded; the text places it in the mid-nineteenth century."),
        ("Когда построена печь?", "Печь, видимо, сооружена в начале 1740-х годов: смета не сохранилась."),
        ("Когда закрыли трактир?", "Точный год не указан; автор относит это к середине XIX века."),
        ("窑是什么时候建的？", "县志没有写明确切日期，只说是乾隆年间。"),
        # A no to whether something was found out.
        ("Is the site of the ferry known?", "Nobody knows where it was; the guide mentions two digs."),
        ("Была ли установлена личность ныряльщика?", "Согласно акту, установить личность не удалось."),
        ("渡口的位置现在清楚吗？", "没有人知道它在哪里，书里提到两次发掘。"),
        ("钥匙找着了吗？", "没找着，后来换了锁。"),
        # An inquiry without a result.
        ("What caused the flood?", "The inquest returned an open verdict: the cause was never established."),
        ("Что вызвало потоп?", "Следствие закончилось ничем: причина так и осталась невыясненной."),
        ("水灾是怎么引起的？", "调查最后不了了之，起因一直没有查明。"),
        ("Who drew the map?", "According to the preface, nobody knows: the draughtsman has never been traced."),
        ("Кто начертил карту?", "Автор карты неизвестен: историки согласны лишь в том, что он жил в Гданьске."),
        ("地图是谁画的？", "据书中考证，作者至今不详，后人记作“佚名”。"),
        # Somebody would not tell, and that is what was asked.
        ("How did the bank respond to the claim?", "The bank declined to comment and gave no further details."),
        ("银行怎么回应？", "银行拒绝评论，也没有透露更多细节。"),
        # What is wrong.
        ("What is odd about the ticket?", "It was unsigned and undated."),
        ("Что в накладной оформлено неверно?", "Не указан адрес и отсутствует печать."),
        ("Чем, по мнению критиков, плох каталог?", "Критики отметили, что в каталоге нет дат и недостаточно данных о владельцах."),
        ("这张票哪里不对？", "没有日期，也没有签名。"),
        # One of two things.
        ("收据是谁签的，哪天签的？", "签字的是韩会计，日期被茶渍遮住，认不出。"),
        # What a mark means, how many there are.
        ("第二列的“-”是什么意思？", "表示没有数据。"),
        ("有几条船沉了？", "一条也没有。"),
        ("Did she reply to the offer?", "She gave no reply."),
    ],
)  # fmt: skip
def test_what_nobody_found_out_or_told_is_an_answer(question: str, answer: str):
    """An unknown that the question is about, or beside which a value is given, is no refusal."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The text passes over it.
        ("How many goats were sold?", "The ledger lists the buyers. It's silent on the goats."),
        ("What did the council decide on tolls?", "The minutes pass over the matter of tolls in silence."),
        ("Должен ли жилец чинить крышу?", "Вопрос о крыше договор обходит молчанием."),
        ("议会对过路费怎么决定的？", "会议纪要对过路费一事略过不提。"),
        # Too early, not to be told apart, in neither.
        ("Will the tree survive?", "It's too early for us to say anything about that."),
        ("这棵树能活吗？", "现在说还太早，要等春天。"),
        ("What did the ferry arm earn?", "The report gives group profit only, so the ferry figure can't be isolated."),
        ("Сколько заработали паромы?", "В отчёте только прибыль группы, поэтому вычленить паромы невозможно."),
        ("渡轮业务赚了多少？", "年报只给出集团利润，因此没法单独拆出渡轮业务。"),
        ("How old was the miller?", "That would need his birth date, and the profile gives neither that nor his age."),
        # How somebody is called in the text; where it would be set out.
        ("What is the name of the goat?", 'The goat appears twice in the tale, always as "the goat". Its name is never revealed.'),
        ("Как зовут козу?", "Коза упоминается дважды, и оба раза просто как «коза». Клички автор не раскрывает."),
        ("条例何时施行？", "节选只有第二章，施行日期通常写在附则里，而附则不在其中，无从得知。"),
        # What becomes of the request.
        (None, "Our knowledge base has no entry on this. Your ticket has been passed to a colleague."),
        (None, "По данному вопросу сведения отсутствуют. Обращение передано, специалист свяжется с вами."),
        (None, "您咨询的内容暂无资料。工单已转二线处理。"),
        (None, "Понятия не имею. Спроси у Оли, она этим занималась."),
        (None, "I haven't been trained on that subject yet. Shall I get somebody?"),
        # Searches in vain.
        (None, "I've been through the rolls, and this name doesn't show up in any of them."),
        (None, "名册都翻过了，没见到这个名字。"),
        ("What is the fine?", "I looked in the guide in case it was covered there, but it isn't."),
        # No record, nothing legible.
        ("Статус заказа 91", "Ошибка: запись отсутствует в реестре."),
        ("解释告警码 Q-7", "告警码表中未找到 Q-7。"),
        ("When does the shop open?", "The photo of the sign is too blurry to make out the hours."),
    ],
)  # fmt: skip
def test_a_refusal_in_other_words(question: str | None, answer: str):
    """A text that passes over something, a program without an entry, a search in vain."""
    assert abstains(answer, question)
