"""Answers that name several alternatives, with and without a choice."""

import pytest

from assay.scorers.correctness import correctness

OPEN = [
    ("Paris", "Paris, London, Berlin, Rome or Madrid."),
    ("London", "Paris, London, Berlin, Rome or Madrid."),
    ("Madrid", "Paris, London, Berlin, Rome or Madrid."),
    ("42", "41, 42, 43, 44 or 45"),
    ("yes", "Yes. No."),
    ("no", "Yes. No."),
    ("no", "No. Yes."),
    ("5,000", "The rent is 5,000. The rent is 6,000. The rent is 7,000."),
    ("Paris", "It could be Paris. It could be London. It could be Rome."),
    ("Anna Holt", "It was Anna Holt, Bert Lang, or Carl Moss."),
    ("1990", "The bridge opened in 1988, 1990, 1992 or 1994."),
    ("red", "red, green or blue"),
    ("30 days", "The notice period is 30 days. The notice period is 60 days."),
    ("Oslo", "Possibly Oslo. Possibly Bergen."),
    ("yes", "Yes and no."),
    ("Париж", "Париж, Лондон, Берлин или Рим"),
    ("Лондон", "Париж, Лондон, Берлин или Рим."),
    ("42", "41, 42, 43 или 44"),
    ("да", "Да. Нет."),
    ("нет", "Да. Нет."),
    ("5000", "Аренда составляет 5000. Аренда составляет 6000."),
    ("Париж", "Возможно, Париж. Возможно, Лондон. Возможно, Рим."),
    ("Анна Орлова", "Это Анна Орлова, Пётр Гусев либо Иван Лапин."),
    ("1990", "Мост открыли в 1988, 1990 или 1992 году."),
    ("красный", "красный, синий или зелёный"),
    ("30 дней", "Срок составляет 30 дней. Срок составляет 60 дней."),
    ("да", "И да, и нет."),
    ("巴黎", "巴黎、伦敦、柏林或罗马"),
    ("伦敦", "巴黎、伦敦、柏林或罗马"),
    ("罗马", "巴黎、伦敦、柏林或罗马"),
    ("42", "41、42、43或44"),
    ("是", "是。否。"),
    ("否", "是。否。"),
    ("5000", "租金为5000元。租金为6000元。租金为7000元。"),
    ("巴黎", "可能是巴黎。可能是伦敦。可能是罗马。"),
    ("王明", "王明、李强、张伟或者赵丽。"),
    ("1990年", "1988年、1990年、1992年或1994年。"),
    ("30天", "通知期为30天。通知期为60天。"),
    ("红色", "红色、绿色或者蓝色"),
]  # fmt: skip
CHOSEN = [
    ("Paris", "Paris. It is neither London, Berlin nor Rome."),
    ("Paris", "Paris, not London, Berlin or Rome."),
    ("Paris", "Of London, Berlin, Rome or Paris, the right one is Paris."),
    ("Paris, London or Rome", "Paris, London or Rome."),
    ("42", "It is 42, which is more than 41, 40 or 39."),
    ("yes", "Yes. No limit applies."),
    ("yes", "Yes. There is no doubt about it."),
    ("5,000", "The rent is 5,000. The deposit is 6,000."),
    ("5,000", "The rent is 5,000 in May. The rent is 6,000 in June."),
    ("Paris", "Paris, the capital of France, lies on the Seine or near it."),
    ("30 days", "30 days, weekends or holidays included."),
    ("Anna Holt", "Anna Holt, who lived in Leeds, York or Hull, wrote it."),
    ("Paris", "It is Paris. It is beautiful."),
    ("30 days", "The notice period is 30 days. The notice period is not 60 days."),
    ("no", "No. Yes would be wrong here."),
    ("Smith and Lang", "The firm is Smith and Lang."),
    ("5,000", "The rent is 5,000. The rent is 5,000."),
    ("Париж", "Париж, а не Лондон, Берлин или Рим."),
    ("Париж", "Париж. Ни Лондон, ни Рим не подходят."),
    ("Париж, Лондон или Рим", "Париж, Лондон или Рим."),
    ("42", "Ответ 42, это больше чем 41, 40 или 39."),
    ("да", "Да. Нет никаких сомнений."),
    ("5000", "Аренда составляет 5000. Залог составляет 6000."),
    ("5000", "Аренда составляет 5000 в мае. Аренда составляет 6000 в июне."),
    ("Париж", "Это Париж. Это столица."),
    ("30 дней", "30 дней, включая выходные или праздники."),
    ("30 дней", "Срок составляет 30 дней. Срок составляет не 60 дней."),
    ("Париж", "Из городов Лондон, Рим или Париж верен Париж."),
    ("巴黎", "巴黎，不是伦敦、柏林或罗马。"),
    ("巴黎", "巴黎。伦敦和罗马都不对。"),
    ("巴黎、伦敦或罗马", "巴黎、伦敦或罗马"),
    ("是", "是。没有任何限制。"),
    ("5000", "租金为5000元。押金为6000元。"),
    ("5000", "五月租金为5000元。六月租金为6000元。"),
    ("巴黎", "是巴黎。是首都。"),
    ("30天", "30天，含周末或节假日。"),
    ("30天", "通知期为30天。通知期不是60天。"),
    ("王明", "负责人是王明，他曾在北京、上海或天津工作。"),
    ("42", "答案是42，大于41、40或39。"),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "answer"), OPEN)
def test_alternatives_without_a_choice_contain_no_answer(expected: str, answer: str):
    """A list with "or", rival sentences, and yes beside no leave the answer open."""
    assert not correctness([expected], answer).contained


@pytest.mark.parametrize(("expected", "answer"), CHOSEN)
def test_a_chosen_answer_is_contained(expected: str, answer: str):
    """An answer beside what it is not, or with more about it, and an expected list are contained."""
    assert correctness([expected], answer).contained
