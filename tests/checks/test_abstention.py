import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.abstention import abstains, assess_abstention
from assay.text.citation import NO_MENTION
from assay.text.lexicon import word_set
from assay.text.search_term import tokens

LISTS = ("refusal", "silent", "source", "speaker", "unstated", "contrast", "advice", "according")


@pytest.mark.parametrize("sentence", NO_MENTION.values())
@pytest.mark.parametrize("form", ["{}", "{}.", "«{}.»", "{} [2]", "\n {}\n"])
@pytest.mark.parametrize("question", [None, "What does the document not mention?", "不提及什么？"])
def test_the_fixed_sentence_abstains(sentence: str, form: str, question: str | None):
    """The sentence that prompts ask for abstains in every form and whatever is asked."""
    assert assess_abstention(form.format(sentence), question).outcome == "abstains"


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I couldn't find any information about the release date.",
        "I don't know. The sources only describe the Standard plan [1].",
        "The provided documents do not specify the share. They detail events of 2021. It is not possible to determine the share from them.",
        "I cannot fulfill your request. It is important to respect the law.",
        "As an AI language model, I do not have access to news. Please check the official site.",
        "В предоставленных источниках нет информации о длине пароля. В [S2] описан класс, требования к длине не указаны.",
        "На основе предоставленного контекста невозможно определить срок. Контекст содержит сведения только о версии 2.25.",
        "Я не знаю, в документации нет.",
        "根据提供的上下文，无法确定最大任务数量。所给摘录描述了功能，但未提及队列深度 [1][2]。",
        "上下文未提供关于制造公司的任何信息。",
        "无法从给定的上下文中确定答案。",
        "文档中没有关于押金的信息。",
        "资料里找不到租金金额。",
        "这个问题超出了所给材料的范围。",
        "Затрудняюсь ответить.",
        "В тексте не упоминается.",
        "The excerpts you shared don't include the end date of the lease.",
        "That is outside the scope of the documents provided.",
    ],
)
def test_an_answer_that_opens_with_a_refusal_abstains(answer: str):
    """Background, advice and what the text does cover change nothing about a refusal."""
    result = assess_abstention(answer)
    assert (result.outcome, result.leans_abstaining) == ("abstains", True)


@pytest.mark.parametrize(
    "answer",
    [
        "不明确。合同第三条：“租金另行约定”。",
        "Не установлено: «срок определяется сторонами позднее» [4].",
        "Unclear from the record: “the parties shall agree on the price”.",
    ],
)
def test_a_refusal_with_the_quotation_that_proves_it_abstains(answer: str):
    """A quotation is not a statement of the answer."""
    assert abstains(answer)


@pytest.mark.parametrize(
    "answer",
    ["不明确", "不详。", "记不清", "不知道", "не установлено", "Неизвестно.", "unclear", "N/A"],
)
def test_one_word_can_refuse(answer: str):
    """A brief answer refuses with a word that refuses nothing inside a longer text."""
    assert abstains(answer)


@pytest.mark.parametrize(
    "answer",
    ["错误", "正确", "否", "无", "没有（第2页）", "Нет", "Неверно", "No", "False", "0", ""],
)
def test_a_bare_word_that_can_be_the_answer_is_one(answer: str):
    """A no, a none and nothing at all are not refusals."""
    assert assess_abstention(answer).outcome == "answers"


@pytest.mark.parametrize(
    "answer",
    [
        "I don't have personal beliefs, but most scholars date the play to 1599.",
        "As an AI language model, I do not have access to current events. However, as of my last update, the coach was D.J. Smith.",
        "作为一个大语言模型，我没有个人喜好。但是，通常程序员会穿着舒适的衣服。",
        "Я не имею личного мнения. Однако большинство историков называют 1240 год.",
    ],
)
def test_a_caveat_before_an_answer_is_no_refusal(answer: str):
    """What a speaker lacks refuses only if no answer follows."""
    assert assess_abstention(answer).outcome == "answers"


@pytest.mark.parametrize(
    "answer",
    [
        "The plan covers therapy. It covers lab tests after a visit. The sources do not mention how the copay is split.",
        "Отпуск сотрудников компании оплачивается полностью. Его можно брать по частям. Число дней не указано.",
        "租金为每月5000元。租期从三月开始计算。文中没有提到押金。",
    ],
)
def test_statements_and_a_gap_answer_in_part(answer: str):
    """A gap at the end of several statements leaves the answer an answer."""
    result = assess_abstention(answer)
    assert (result.outcome, result.leans_abstaining) == ("partial", False)
    assert result.sentence
    assert answer.endswith(result.sentence.of(answer))


@pytest.mark.parametrize(
    ("answer", "leans"),
    [
        ("The time frame is not specified, but it is likely between 1939 and 1945.", False),
        ("租金为5000元；文中没有说明押金。", False),
        ("Fluoride is stored in bones and teeth. About half of it stays there. However, I couldn't find any information on where exactly it is stored.", True),
        ("Нет, такого пункта в договоре нет.", False),
        ("I cannot predict prices. Prices depend on supply and on demand.", True),
    ],
)  # fmt: skip
def test_signs_in_conflict_are_unsure(answer: str, leans: bool):
    """A refusal that is against a statement is left unsure, with the way that it leans."""
    result = assess_abstention(answer)
    assert (result.outcome, result.leans_abstaining) == ("unsure", leans)


@pytest.mark.parametrize(
    "answer",
    [
        "The guarantee of payment is not provided with prior authorization.",
        "If you cannot find an in-network provider, the plan pays a part of the cost.",
        "The song “I Don't Know How to Love Him” is from 1970.",
        "Если ревьюер не может проверить код в срок, он сообщает автору.",
        "甲方不承担运输费用。",
        "No information is shared with third parties.",
        "The tenant is not required to provide any information about guests.",
    ],
)
def test_a_denial_of_the_matter_is_an_answer(answer: str):
    """What is not so, under a condition or for somebody else, is a statement."""
    assert assess_abstention(answer).outcome == "answers"


def test_what_the_question_denies_is_no_refusal():
    """A refusal that only repeats the question is part of the answer."""
    answer = "The Supreme Court decides issues that the constitution does not mention."
    assert abstains(answer)
    assert not abstains(answer, "Who decides what is not mentioned in the constitution?")


@given(st.text(), st.none() | st.text())
def test_any_text_is_assessed(answer: str, question: str | None):
    """No text raises, the leaning follows the outcome, and the sentence is a part of the answer."""
    result = assess_abstention(answer, question)
    assert abstains(answer, question) == result.leans_abstaining
    assert result.outcome != "abstains" or result.leans_abstaining
    assert result.outcome not in {"answers", "partial"} or not result.leans_abstaining
    assert result.sentence is None or result.sentence.of(answer).strip()
    assert result.why


@given(
    st.lists(
        st.sampled_from(
            ["I don't know.", "However, it is 1945 as of now.", "文中未提及押金。", "租金为5000元。", "Нет данных."]
        ),
        max_size=4,
    ),
    st.sampled_from([" [1]", "[2, 3]", "【4】", " [plan.pdf#page=17]"]),
)  # fmt: skip
def test_citations_change_nothing(parts: list[str], mark: str):
    """An answer is assessed as if its citations were not there."""
    plain, cited = (assess_abstention("\n".join(p + m for p in parts)) for m in ("", mark))
    assert (plain.outcome, plain.why) == (cited.outcome, cited.why)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_lists_have_folded_words(name: str, language: str):
    """A phrase is written as tokens fold it, so that it can match."""
    for phrase in word_set(name, language):
        for part in phrase.split():
            assert "".join(token.word for token in tokens(part)) == part
