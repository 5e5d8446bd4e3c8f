"""What a question changes in the verdict on a denial, and questions that an answer leaves open."""

import pytest

from assay.scorers.abstention import abstains, assess_abstention

SILENT = "文档中没有提到。"

# Questions of yes or no about an event, or about the reason for one that did not happen: that the
# text does not mention it is no answer.
ABOUT_EVENTS = (
    "韩素到底有没有拿介绍费？",
    "他有没有在收条上签字？",
    "保证金退还了没有？",
    "她拿到钥匙没有？",
    "承租人没有付租金吗？",
    "被告是不是没有到场？",
    "为什么他没有付款？",
)
# Questions about what the text has or lacks: that the text does not mention it is the answer.
ABOUT_TEXT = (
    "有没有提到违约金？",
    "合同有没有约定违约金？",
    "合同约定了违约金没有？",
    "笔录里是否提到韩素？",
    "哪些费用文件没有列出？",
    "报告里没有涉及的内容是什么？",
)
# What is asked stands before a word that says that it is not clear.
UNCLEAR = (
    "具体请了谁不明确。",
    "请了谁吃饭，笔录中不明确。",
    "请了谁吃饭并不清楚。",
    "到底给了多少钱还不确定。",
    "他是哪一天到的，材料里也不太清楚。",
    "是否签过字尚不明确。",
    "付款的日期不明确。",
    "具体人员不明确。",
    "具體請了誰不明確。",
    "It is unclear who was invited.",
    "Who was invited remains unclear.",
    "Кого он пригласил, неясно.",
    "Неясно, сколько было заплачено.",
)
# The same words about a rule, a person, or a thing that is described.
CLEAR = (
    "质量要求不明确的，按照国家标准履行。",
    "合同约定不明确，因此条款无效。",
    "照片不清楚，但车牌是红A12345。",
    "买方不清楚货物存在瑕疵。",
    "他请了谁很明确：请了韩素。",
    "请了韩素，其他人不确定。",
    "权利义务不明确是双方发生争议的原因。",
)


@pytest.mark.parametrize("question", ABOUT_EVENTS)
def test_a_text_that_does_not_mention_an_event_leaves_the_question_open(question: str):
    """没有 in a question of yes or no or in a reason does not ask for what the text lacks."""
    assert abstains(SILENT, question), assess_abstention(SILENT, question)


@pytest.mark.parametrize("question", ABOUT_TEXT)
def test_a_denial_answers_a_question_about_the_text(question: str):
    """Whether the text mentions something, and what it lacks, is answered by a denial."""
    assert not abstains(SILENT, question), assess_abstention(SILENT, question)


@pytest.mark.parametrize("text", UNCLEAR)
def test_an_open_question_that_is_called_unclear_abstains(text: str):
    """An answer that repeats what is asked and calls it unclear gives no answer."""
    assert abstains(text), assess_abstention(text)


@pytest.mark.parametrize("text", CLEAR)
def test_unclear_things_that_are_not_asked_are_no_abstention(text: str):
    """A rule, a person or a thing that is unclear does not leave the question open."""
    assert not abstains(text), assess_abstention(text)
