"""How the statements of an answer are sorted, with and without the question."""

import pytest

from assay.scorers.abstention import abstains, assess_abstention


def test_the_phrase_and_the_claim_are_shown_where_they_stand():
    """The spans are offsets in the answer as it was written, with its citations."""
    text = "Ｔｈｅ　ｒｅｎｔ is 5,000 [1]; the deposit is not mentioned [2]."
    result = assess_abstention(text)
    assert [span.of(text) for span in result.phrases] == ["is not mentioned"]
    assert [span.of(text) for span in result.claims] == ["Ｔｈｅ　ｒｅｎｔ is 5,000"]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        # The reason that is asked for is what a text lacks.
        ("Why was the thesis sent back?", "The thesis did not cite a single earlier study.", False),
        ("Why was the thesis sent back?", "The thesis does not say why.", True),
        # Nothing was found, and this was asked.
        ("What did the divers find?", "Nothing was found on the sea bed.", False),
        ("What did the divers find?", "The log does not say what was found.", True),
        # Nobody knows, and the answer goes on.
        ("Who carved the door?", "The carver is unknown; villagers call him Old Piet.", False),
        ("Кто вырезал дверь?", "Резчик неизвестен, соседи зовут его дедом Пахомом.", False),
        # A question of yes or no whose verb is denied.
        ("Was the ship raised?", "It was not raised, and its position is unknown.", False),
        ("沉船打捞了吗？", "没有打捞，位置至今不明。", False),
        ("Нашёлся ли ключ?", "Нет, судьба ключа неизвестна.", False),
        # Some of several things.
        ("Who are the two trustees?", "Amara Boyd; the second trustee is not named.", False),
        ("两位受托人分别是谁？", "方敏，第二位没有写明姓名。", False),
        ("Кто эти три опекуна?", "Сомов и Ильина; третий опекун не назван.", False),
        # A person did not tell; the text did.
        ("How did the captain react?", "She neither confirmed nor denied it.", False),
        ("Как отреагировал капитан?", "Он этого не подтвердил и не опроверг.", False),
        # The subject is carried over, or the text does not do what it would have to.
        (
            "What did he order?",
            "While the diary lists the guests, it is silent on his order.",
            True,
        ),
        ("Which dish do they like best?", "The article doesn't rank the dishes.", True),
        ("What is the fuel?", "Nothing about fuel here.", True),
        ("Which route did they take?", "The log is devoid of any reference to the route.", True),
        ("船速多少？", "这篇报道描写的是港口，速度方面没有数据。", True),
        ("Сколько лодок утонуло?", "Сказано «много лодок»; точного числа нет.", True),
        # What the text does have, after a refusal.
        (
            "What share of it is forest?",
            "The survey doesn't say. It does give the area, 340 km².",
            True,
        ),
        ("How much is the rent?", "The rent is 5,000; the deposit is not mentioned.", False),
        ("How much is the deposit?", "The rent is 5,000; the deposit is not mentioned.", True),
        ("Does the contract mention a deposit?", "It does not mention a deposit.", False),
        ("Does the contract mention a deposit?", "I don't know.", True),
        ("What is wrong with the report?", "The report does not state its sources.", False),
        ("合同有没有约定违约金？", "合同没有约定违约金。", False),
        ("违约金是多少？", "合同没有约定违约金的数额。", True),
        ("Упоминает ли договор залог?", "Договор не упоминает залог.", False),
        ("Какова плата?", "Плата составляет 5000 рублей. Размер залога не указан.", False),
        ("Каков размер залога?", "Плата составляет 5000 рублей. Размер залога не указан.", True),
        ("Who wrote it and when?", "Dr Lund wrote it; the date is not given.", False),
    ],
)
def test_the_question_decides_what_answers_it(question: str, answer: str, expected: bool):
    """A statement counts as a claim if it could answer what was asked."""
    assert abstains(answer, question) is expected, assess_abstention(answer, question)


def test_a_question_in_another_language_is_ignored():
    """Words of another language could not be compared with those of the answer."""
    answer = "租金为5000元。文中没有说明押金。"
    assert abstains(answer, "How much is the deposit?") is abstains(answer)


def test_a_partial_answer_is_reported_as_such():
    """An answer that refuses a part and gives a part is partial and does not abstain."""
    text = "It was signed on 5 May 2020; the amount is not stated."
    result = assess_abstention(text, "When was it signed and for what amount?")
    assert (result.abstains, result.partial) == (False, True)
    assert result.decided_by is not None
    assert result.decided_by.of(text) == "It was signed on 5 May 2020"


def test_the_statements_are_sorted_by_class():
    """The result has the refusals, the scaffolding and the claims, and what decided."""
    text = "The text discusses rivers, but does not mention the capital. Please ask again."
    result = assess_abstention(text)
    assert [span.of(text) for span in result.refusals] == ["does not mention the capital"]
    assert [span.of(text) for span in result.scaffolding] == [
        "The text discusses rivers",
        "Please ask again",
    ]
    assert result.claims == ()
    assert result.decided_by == result.refusals[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thoughts: the rent is 5,000.\n\nAnswer: The deposit is not stated.", True),
        ("The text does not mention the rent at first.\n\n**Ответ:** 5000 рублей.", False),
        ("文中没有提到租金。\n答案：5000元。", False),
    ],
)
def test_only_the_final_answer_counts(text: str, expected: bool):
    """What stands before a line that begins with "Answer:" is thought, not said."""
    assert abstains(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        'Not stated. Clause 7 says only: "at a rate to be agreed between the parties".',
        "Не установлено: «лица я не видел».",
        "不明确，合同第七条只写了“利率由双方另行商定”。",
    ],
)
def test_a_quotation_that_shows_the_gap_is_no_claim(text: str):
    """A refusal with the quotation that proves it is still a refusal."""
    assert abstains(text)


def test_long_reports_of_what_the_text_has_do_not_answer():
    """An answer that begins and ends with a refusal abstains, whatever stands between."""
    assert abstains(
        "There is no information about the complaint in the provided context. The text only says "
        "that two applicants lodged an application on 3 August 1995. However, the case number is "
        "mentioned. There is no information about what they complained of."
    )


def test_traditional_characters_are_read():
    """The patterns match traditional Chinese characters without a converter."""
    assert abstains("文檔沒有說明押金的數額。")
    assert not abstains("租金為5000元,押金沒有記載。")
