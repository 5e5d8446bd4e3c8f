"""What may stand beside a refusal without being an answer, and what is one all the same."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A code, an empty search, handing over.
        ("Who leads the audit?", "NO_MATCHING_CONTEXT"),
        ("Who leads the audit?", "Search results: 0 relevant chunks."),
        ("Кто ведёт проверку?", "Передаю ваш вопрос специалисту."),
        ("谁负责审计？", "为您转接人工客服。"),
        # The speaker, a greeting, advice.
        ("What is the toll?", "I looked through the leaflet. It doesn't mention the amount."),
        ("Сколько стоит проезд?", "Упс! В буклете цена не указана. Загляните на сайт."),
        ("过路费是多少？", "哎呀，手册里没写。麻烦您问问收费站。"),
        # A part of the text by its number, and a quotation that shows the gap.
        (None, "The lease is silent on pets. Clause 4 sets the rent and Clause 6 deals with repairs."),
        ("Какова глубина пруда?", "Отчёт ограничивается словом «глубокий», метров не приводит."),
        # The reason for a refusal.
        ("保险赔多少？", "答：无法计算。理由：保额50万元，但尚未定损。"),
        # A message of a program, another text than the one that is asked about.
        ("Which vaccine was given?", "Error: answer not present in context."),
        ("Какую вакцину ввели?", "ОШИБКА: в переданных фрагментах ответа нет."),
        ("剧院有多少座位？", '{"answer": null}'),
        ("Who won?", "The page you pasted is the draw, not the results."),
        ("Сколько жителей на острове сегодня?", "В 1950 году на острове жили 4200 человек. Сколько живёт сегодня, не сказано."),
        # A text that deals with something else.
        ("What year was the mill built?", "The article discusses its repair in 1990; when it was built isn't told."),
    ],
)  # fmt: skip
def test_what_is_no_answer(question: str | None, answer: str):
    """Nothing beside the refusal is about the question."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A quotation is what was asked for.
        ("Что написано на двери?", "«Нет входа, не стучать»."),
        ("门上写着什么？", "“无可奉告”。"),
        # A reason, and what somebody said.
        ("Why was the claim rejected?", "Because there was insufficient proof of payment."),
        ("What does the study admit?", "That it was not possible to determine the cause."),
        # Yes and no.
        ("Did the seller mention the leak?", "No. The seller said nothing about the leak."),
        ("Вручили ли письмо?", "Нет: адресат не найден."),
        # One of two things, and a conclusion.
        ("What are the start and the end date?", "It starts on 3 May 2021. I couldn't find an end date."),
        ("Who took the ring?", "It is never proven, but the evidence in the text points to the cook."),
        ("Кто не пришёл?", "Не пришёл бухгалтер, причины неизвестны."),
        # There is no such thing, and a text does not mention it.
        ("Is there a break clause in the lease?", "There is no break clause in the lease."),
        ("Есть ли в договоре условие о выкупе?", "Такого условия в договоре нет."),
        ("租约里有提前解约条款吗？", "租约里没有提前解约条款，双方都要履行满五年。"),
        ("Does the will name an executor?", "No executor is named anywhere in the will."),
        ("Музей работает в понедельник?", "В понедельник музей не работает."),
        # What the world does not know.
        ("Что случилось с рукописью?", "Никто не знает: в 1911 году она исчезла из библиотеки."),
        ("手稿后来怎么样了？", "没人知道。1911年它从图书馆失踪，至今下落不明。"),
        # One of two questions, without a figure.
        ("Name the two pilots and their ages.", "The pilots were Hale and Moss, but I couldn't find their ages."),
        ("Название и автор?", "Название: «Тихий берег». Автор: нет данных."),
        ("店主是谁，有几名店员？", "店主是商人卢启文。关于店员人数，文中没有记载。"),
        # The answer, and then that something else is missing.
        ("How should it be watered?", "Water it once a week. There is no information on fertiliser in the text."),
        ("Что нужно для теста?", "Мука, масло, три яйца и щепотка соли. Про сахар ничего не сказано."),
        ("说明书列出了哪些副作用？", "说明书列出的副作用有头痛、恶心和头晕，没有提到皮疹。"),
        ("Какой срок подачи жалобы?", "Жалоба подаётся в течение месяца. Я не являюсь юристом, проверьте у специалиста."),
    ],
)  # fmt: skip
def test_what_is_an_answer(question: str, answer: str):
    """A denial, a quotation or a caveat does not make an answer an abstention."""
    assert not abstains(answer, question)
