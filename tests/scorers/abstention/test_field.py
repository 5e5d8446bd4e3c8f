"""Reports of programs: fields beside an empty answer, and records whose answer is empty."""

import pytest

from assay import abstains
from assay.scorers.abstention.field import is_report_field, without_other_fields
from assay.scorers.abstention.question import focus


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (None, "Status: finished. Documents read: 52. Matches: 0."),
        (None, "Статус: готово. Проверено документов: 52. Совпадений: нет."),
        (None, "状态：成功。扫描文件：52。命中：无。"),
        ("Which port is open?", "[debug] chunks=3; score<0.1; answer=null"),
        ("Какой порт открыт?", "[debug] фрагментов=3; ответ=null"),
        ("哪个端口是开放的？", "[DEBUG] 召回片段=3；低于阈值；answer=null"),
        (None, '{"answer": null, "reason": "the leaflets are about bees"}'),
        (None, '{"hits": 0, "ответ": ""}'),
        (None, '{"status": "ok", "答案": null}'),
        ("due date", '{"field": "due_date", "value": null, "reason": "not present in document"}'),
        ("ИНН", '{"поле": "ИНН", "значение": null, "статус": "не найдено"}'),
        ("税号", '{"字段": "税号", "值": null, "状态": "未找到"}'),
        ("Who owns the barge?", "owner: null (nothing in the source register)"),
        ("驳船是谁的？", "字段 owner：null（原登记簿无记录）"),
        ("Какой срок?", "result_found=false"),
        (None, "Sorry, no answer found. You can: 1. shorten the text; 2. ask again; 3. call us."),
        (None, "很遗憾，没有找到您要的答案。您可以：1. 缩短问题；2. 换词；3. 联系客服。"),
    ],
)  # fmt: skip
def test_a_report_without_an_answer_abstains(question: str | None, answer: str):
    """What a program counts, scores and searches is no answer."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many documents were searched?", "Documents searched: 52. Relevant passages: none."),
        (None, '{"status": "ok", "answer": "port 8080"}'),
        ("Which port is open?", '{"confidence": 0.4, "answer": "8080"}'),
        (None, "Status: finished. The port is 8080."),
        ("Name and port?", '[{"field": "name", "value": "web"}, {"field": "port", "value": null}]'),
    ],
)
def test_a_report_with_an_answer_does_not(question: str | None, answer: str):
    """A field that is asked for, and an answer in a record, are answers."""
    assert not abstains(answer, question)


def test_a_field_that_is_asked_for_is_no_report():
    """The name of a field is compared with the question."""
    assert is_report_field("confidence: 0.4", focus("Which port is open?"))
    assert not is_report_field("confidence: 0.4", focus("What is the confidence?"))


@pytest.mark.parametrize("text", ['{"a": 1}', "answer: null", ""])
def test_other_records_stay_as_they_are(text: str):
    """Only a record with an empty answer is cut down to it."""
    assert without_other_fields(text) == text


def test_offsets_stay_the_same():
    """What is left out is replaced by spaces."""
    text = '{"a": 1, "answer": [ ], "b": 2}'
    assert len(without_other_fields(text)) == len(text)
