"""Searches in vain, idioms of not knowing, texts that were not sent, and programs with nothing."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The speaker has searched.
        ("Who booked the van?", "Went through the whole inbox twice. Nothing."),
        ("Who booked the van?", "Checked every sheet. Zilch, sorry."),
        ("Кто заказал фургон?", "Всю переписку пересмотрел. Глухо."),
        ("Кто заказал фургон?", "Счета проверили, журнал проверили — ничего."),
        ("谁订的货车？", "单据翻了两遍，啥也没有。"),
        (None, "Слушай, я всё пролистал, нету там этого."),
        (None, "查了，没有。"),
        # Idioms.
        ("Did the board agree?", "The tape stops before the vote, so your guess is as good as mine."),
        ("Who drew the map?", "You've got me there. There's no signature."),
        ("Кто нарисовал карту?", "Чёрт его знает, подписи нет."),
        ("Сколько стоила крыша?", "Про деньги молчок."),
        ("地图是谁画的？", "天晓得，连个落款都没有。"),
        # Somebody forgot to tell.
        ("What's the gate code?", "They forgot to put it in the welcome mail. Ring the host?"),
        ("Какой код у ворот?", "Код в письме указать забыли."),
        ("大门密码是多少？", "他们忘了写在邮件里，你问问房东吧。"),
        # Something else was sent, or only a part.
        ("What dose is advised?", "The dosage is on the other side, and you've only sent me the front."),
        ("Какую дозу советуют?", "Доза на обороте, а вы прислали только лицевую сторону."),
        ("建议剂量是多少？", "剂量在背面，您只发了正面。"),
        # The years or the topic of the text are others.
        ("Who led the choir in 1987?", "The list of leaders begins in 1992."),
        ("Кто руководил хором в 1987 году?", "Список руководителей начинается с 1992 года."),
        ("Who is her dentist?", "The retrieved chunks only concern her taxes."),
        ("她的牙医是谁？", "检索到的片段只涉及税务。"),
    ],
)  # fmt: skip
def test_persons_refuse_in_many_ways(question: str | None, answer: str):
    """A search in vain, an idiom, a forgotten detail and a missing page refuse."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who owns asset 12?", "asset 12: owner = <unset>"),
        ("Who owns asset 12?", "Lookup complete. The field is not populated for this asset."),
        ("Кто владелец актива 12?", "владелец: <не задано>"),
        ("Кто владелец актива 12?", "null — поле «владелец» не заполнено"),
        ("资产12的负责人是谁？", "负责人：<未设置>"),
        ("What is the limit?", "[search] 9 files [rank] best 0.07 -> NO_RESULT"),
        ("What is the limit?", "0 of 2,310 documents match your query."),
        ("Какой лимит?", "Порог уверенности не достигнут, ответ скрыт."),
        ("上限是多少？", "置信度过低，已拒答。"),
        (None, "answer: null  # nothing found in any chunk"),
        (None, "Ответ не сформирован: в источниках мало данных."),
        (None, "查询返回空集。"),
    ],
)
def test_programs_refuse_with_an_empty_value(question: str | None, answer: str):
    """An empty field, a low score and an empty set refuse."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the divers find?", "Nothing. The hold was empty."),
        ("What did they do next?", "Checked the hold again, and it was dry."),
        ("Что нашли водолазы?", "Ничего. Трюм был пуст."),
        ("潜水员发现了什么？", "什么都没有，船舱是空的。"),
        ("Is alerting set up?", "Not set."),
        ("What did Gran say about the vase?", '"No idea," she said, and left.'),
        ("Кто забыл подписать акт?", "Акт забыл подписать Лунёв."),
        ("How many complaints are open?", "0 complaints found."),
        ("Who led the choir in 1987?", "Ida Brandt, who led it from 1985 to 1992."),
        ("What does the article cover?", "The article only covers fishing."),
        ("Who pays the porter?", "The porter is paid by the host and is outside this contract."),
    ],
)
def test_what_looks_like_it_may_answer(question: str, answer: str):
    """Nothing that was found, a count of zero and what somebody said are answers."""
    assert not abstains(answer, question)
