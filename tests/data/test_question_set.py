"""Question sets of other tools: what each format means, and columns that are asked for by name."""

import datetime as dt
import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from assay.data.answered_set import read_answered
from assay.data.question import read_further_fields, read_questions, set_version
from assay.data.question_set import foreign_questions, text_id
from assay.data.set_note import question_notes
from assay.errors import DatasetError, UseError


def put(tmp_path: Path, name: str, text: str, codec: str = "utf-8") -> Path:
    """A file with this text."""
    path = tmp_path / name
    path.write_bytes(text.encode(codec))
    return path


def test_a_table_in_any_language(tmp_path: Path):
    """Columns are recognised in three languages; a semicolon and CP1251 are no obstacle."""
    path = put(tmp_path, "q.csv", "Номер;Вопрос;Ответ\n7;Срок?;30 дней\n", "cp1251")
    (question,) = read_questions(path)
    assert (question.id, question.text, question.answers) == ("7", "Срок?", ("30 дней",))
    (question,) = read_questions(put(tmp_path, "z.csv", "问题,答案\n期限？,三十日\n", "gbk"))
    assert (question.id, question.answers, question.answerable) == (
        text_id("期限？"),
        ("三十日",),
        True,
    )


def test_a_workbook(tmp_path: Path):
    """The first sheet with rows is read."""
    book = Workbook()
    book.active.append(["question", "answer"])
    book.active.append(["How long?", 30])
    book.save(tmp_path / "q.xlsx")
    (question,) = read_questions(tmp_path / "q.xlsx")
    assert question.answers == ("30",)


def two_sheets(tmp_path: Path) -> Path:
    """A workbook with questions on two sheets, an empty one and one with a title only."""
    book = Workbook()
    book.active.title = "Law"
    for row in (["question", "answer"], ["How long?", "30 days"]):
        book.active.append(row)
    book.create_sheet("Empty")
    book.create_sheet("Title").append(["Questions of the year"])
    money = book.create_sheet("Money")
    for row in (["question", "answer", "response"], ["How much?", "12 crowns", "20 crowns"]):
        money.append(row)
    path = tmp_path / "two.xlsx"
    book.save(path)
    return path


def test_a_sheet_that_is_not_read_is_named_and_can_be_chosen(tmp_path: Path):
    """Sheets without rows are none; the choice holds for the answers too."""
    path = two_sheets(tmp_path)
    assert [each.text for each in read_questions(path)] == ["How long?"]
    (note,) = question_notes(path)
    assert "only the sheet 'Law' is read, not 'Money'; choose another one with" in str(note)
    chosen = {"sheet": "Money"}
    assert [each.text for each in read_questions(path, chosen)] == ["How much?"]
    assert question_notes(path, chosen, is_replayed=True) == ()
    for columns in (chosen, {"response": "Money"}):
        assert [each.answer for each in read_answered(path, columns)] == ["20 crowns"]


def test_a_sheet_that_does_not_exist_is_refused(tmp_path: Path):
    """The message names those that do; other files have none."""
    path = two_sheets(tmp_path)
    with pytest.raises(UseError, match="no sheet 'Law 2'; there are: Law, Empty, Title, Money"):
        read_questions(path, {"sheet": "Law 2"})
    with pytest.raises(UseError, match="has no sheets"):
        read_questions(put(tmp_path, "q.csv", "question\nWhy?\n"), {"sheet": "Law"})


def test_columns_that_are_not_known_are_asked_for(tmp_path: Path):
    """The message names the columns, and the user names the right one."""
    path = put(tmp_path, "q.csv", "Frage,Soll\nWie lange?,30 Tage\n")
    with pytest.raises(
        UseError, match="there are: Frage, Soll; name it with --column question=NAME"
    ):
        read_questions(path)
    near = put(tmp_path, "near.csv", "id,qestion\n1,Why?\n")
    with pytest.raises(
        UseError, match=r"did you mean 'question' by 'qestion'\? .*question=qestion"
    ):
        read_questions(near)
    (question,) = read_questions(path, {"question": "Frage", "answer": "Soll"})
    assert question.answers == ("30 Tage",)


def test_squad(tmp_path: Path):
    """The paragraph is the gold span; an impossible question is unanswerable."""
    answers = [{"text": "thirty days", "answer_start": 10}, {"text": "30 days", "answer_start": 1}]
    qas = [
        {"id": "a", "question": "How long?", "answers": answers},
        {"id": "b", "question": "Why?", "answers": [], "is_impossible": True},
    ]
    paragraph = {"context": "Notice is thirty days.", "qas": qas}
    content = {"version": "2.0", "data": [{"title": "T", "paragraphs": [paragraph]}]}
    first, second = read_questions(put(tmp_path, "dev.json", json.dumps(content)))
    assert first.answers == ("thirty days", "30 days")
    assert [span.text for span in first.spans] == ["Notice is thirty days."]
    assert (second.answerable, second.answers, second.spans) == (False, (), ())


def test_ragas(tmp_path: Path):
    """Lists of objects and columns of lists, with the names of either version."""
    rows = [
        {"user_input": "How long?", "reference": "30 days", "reference_contexts": ["Notice is 30."]}
    ]
    (new,) = read_questions(put(tmp_path, "new.json", json.dumps(rows)))
    assert (new.text, new.answers, new.spans[0].text) == (
        "How long?",
        ("30 days",),
        "Notice is 30.",
    )
    columns = {"question": ["How long?", "Why?"], "ground_truth": ["30 days", "Because."]}
    old = read_questions(put(tmp_path, "old.json", json.dumps(columns)))
    assert [question.answers for question in old] == [("30 days",), ("Because.",)]


def test_autorag(tmp_path: Path):
    """Its Parquet file is read with the extra for queries; gold are chunk ids in nested lists."""
    duckdb = pytest.importorskip("duckdb")
    duckdb.sql(
        "COPY (SELECT 'x1' AS qid, 'How long?' AS query, [['c1'], ['c2']] AS retrieval_gt, "
        f"['30 days'] AS generation_gt) TO '{tmp_path / 'qa.parquet'}' (FORMAT parquet)"
    )
    (question,) = read_questions(tmp_path / "qa.parquet")
    assert (question.id, question.gold, question.answers) == ("x1", ("c1", "c2"), ("30 days",))


def test_a_plain_list(tmp_path: Path):
    """One question a line; numbers and bullets before it are left out."""
    path = put(tmp_path, "q.txt", "# Mine\n1. How long?\n- Why?\n\n（3）为什么？\n")
    assert [question.text for question in read_questions(path)] == ["How long?", "Why?", "为什么？"]


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", "{"), ("b.json", '"x"'), ("c.csv", ""), ("d.parquet", "PAR")]
)
def test_a_damaged_file_is_one_line(tmp_path: Path, name: str, text: str):
    """No traceback, and the file is named."""
    with pytest.raises((DatasetError, UseError), match=name):
        read_questions(put(tmp_path, name, text))


def test_an_expected_number_of_400_digits_is_an_answer(tmp_path: Path):
    """No float holds it; it is expected as it is written, in text or as a number."""
    digits = "9" * 400
    path = put(tmp_path, "q.jsonl", f'{{"id": "a", "question": "x?", "answer": {digits}}}\n')
    assert read_questions(path)[0].answers == (digits,)


def test_the_version_is_what_the_set_says_or_its_content(tmp_path: Path):
    """A metadata line names the version; otherwise order and spelling of the file do not matter."""
    lines = ['{"id": "a", "question": "x"}', '{"question": "y", "id": "b"}']
    one = put(tmp_path, "one.jsonl", "\n".join(lines))
    two = put(tmp_path, "two.jsonl", "\n".join(reversed(lines)))
    assert set_version(one) == set_version(two)
    named = put(tmp_path, "three.jsonl", '{"metadata": {"version": 3}}\n' + "\n".join(lines))
    assert set_version(named) == "3"
    assert len(read_questions(named)) == 2


def test_a_row_with_too_many_fields_is_named(tmp_path: Path):
    """A comma that is not quoted would cut the answer silently; empty fields at the end are fine."""
    path = put(
        tmp_path,
        "q.csv",
        "question,answer\nWhen?,1884,\nHow much, in pounds?,18500,extra\n",
    )
    with pytest.raises(DatasetError, match=r"q\.csv:3: too many fields: 4, .* 2 columns") as raised:
        read_questions(path)
    assert "quotation marks" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('question,answer\nWhen?,1884\n"How much?,5\nWho?,Ann\n', 3),
        ('question,answer\n"How much?,5\nWho?,"Ann"\n', 2),
        ('question,answer\nWhen?,"1884', 2),
        ('question,"answer\nWhen?,1884\n', 1),
    ],
)
def test_a_quotation_mark_that_is_not_closed_is_named(tmp_path: Path, text: str, line: int):
    """It swallows the rows that follow; the message gives the line where it begins."""
    with pytest.raises(DatasetError, match=rf"q\.csv:{line}: a quotation mark .* not closed"):
        read_questions(put(tmp_path, "q.csv", text))


def test_lines_of_a_table_are_those_of_its_file(tmp_path: Path):
    """Headers, empty lines and line breaks inside fields count."""
    text = 'id,question\n\na,"Two\nlines?"\na,Again?\n'
    with pytest.raises(DatasetError, match=r"q\.csv:5: question 'a' is already on line 3"):
        read_questions(put(tmp_path, "q.csv", text))
    listed = foreign_questions(put(tmp_path, "q.txt", "# Mine\n\nHow long?\nWhy?\n"))
    assert [row.line for row in listed] == [3, 4]
    book = Workbook()
    for row in ([], ["id", "question"], ["a", "Why?"], ["a", "How?"]):
        book.active.append(row)
    book.save(tmp_path / "q.xlsx")
    with pytest.raises(DatasetError, match=r"q\.xlsx:4: question 'a' is already on line 3"):
        read_questions(tmp_path / "q.xlsx")


@pytest.mark.parametrize("name", ["q.csv", "q.txt", "q.json"])
def test_the_id_of_a_question_follows_from_its_text(tmp_path: Path, name: str):
    """Deleting a row changes no other question, whatever the format; other answers stay separate."""

    def ids(*questions: str) -> dict[str, str]:
        lines = "\n".join(questions)
        rows = json.dumps([{"question": text} for text in questions])
        texts = {"q.csv": f"question\n{lines}\n", "q.txt": lines, "q.json": rows}
        return {each.text: each.id for each in read_questions(put(tmp_path, name, texts[name]))}

    every = ids("How long?", "Why?", "Who?", "Where?")
    assert ids("Where?", "How long?", "Who?") == {
        text: every[text] for text in ("Where?", "How long?", "Who?")
    }
    path = put(tmp_path, "twice.csv", "question,answer\nWhy?,a\nWhy?,b\nWhy?,c\n")
    first = text_id("Why?")
    assert [each.id for each in read_questions(path)] == [first, f"{first}-2", f"{first}-3"]


def test_further_columns_are_kept_and_seen_by_a_system(tmp_path: Path):
    """Nothing of a row is lost; `answer` beside `ground_truth` is kept, but no system sees it."""
    text = "question,answer,ground_truth,topic,draft,\nWhy?,So.,Because.,law,x,note\n"
    path = put(tmp_path, "q.csv", text)
    (row,) = foreign_questions(path)
    assert row.fields == {
        "id": text_id("Why?"),
        "question": "Why?",
        "answer": "Because.",
        "answer (column)": "So.",
        "topic": "law",
        "draft (column)": "x",
        "column 6": "note",
    }
    assert read_further_fields(path) == {text_id("Why?"): {"topic": "law", "column 6": "note"}}


def test_truth_values_of_a_workbook(tmp_path: Path):
    """FALSE is a flag in `answerable`, and "no" in the question's language as an answer."""
    book = Workbook()
    for row in (
        ["question", "answer", "answerable"],
        ["Is it open?", False, True],
        ["Он открыт?", True, None],
        ["Who?", None, False],
    ):
        book.active.append(row)
    book.save(tmp_path / "q.xlsx")
    first, second, third = read_questions(tmp_path / "q.xlsx")
    assert (first.answers, first.answerable) == (("no", "FALSE"), True)
    assert second.answers == ("да", "TRUE")
    assert third.answerable is False
    wrong = put(tmp_path, "q.csv", "question,answerable\nWhy?,perhaps\n")
    with pytest.raises(DatasetError, match=r"q\.csv:2: .*'perhaps'; write true or false"):
        read_questions(wrong)


def test_cells_without_a_value_are_all_named(tmp_path: Path):
    """An error or a formula that was never calculated is no text; each has its sheet and cell."""
    book = Workbook()
    book.active.title = "Set"
    for row in (
        ["question", "answer", "note"],
        ["How long?", "#REF!", "x"],
        ["=A2", "30 days", "#DIV/0!"],
        ["Who?", "The seller", None],
        ["Who?", '=CONCAT("a","b")', None],
    ):
        book.active.append(row)
    book.save(tmp_path / "q.xlsx")
    with pytest.raises(DatasetError) as caught:
        read_questions(tmp_path / "q.xlsx", {"answer": "answer"})
    first, second, third = caught.value.args
    assert "q.xlsx:2: sheet 'Set': cell B2 has the error #REF!: correct it" in first
    assert "q.xlsx:3: sheet 'Set': cell A3 has a formula without a stored value: open" in second
    assert "; cell C3 has the error #DIV/0!" in second
    assert "q.xlsx:5: sheet 'Set': cell B5 has a formula" in third


def test_an_error_in_a_header_is_named(tmp_path: Path):
    """The other headers still hold, so the rows below are judged too."""
    book = Workbook()
    book.active.append(["question", "#NAME?"])
    book.active.append(["Why?", "#N/A"])
    book.save(tmp_path / "q.xlsx")
    with pytest.raises(DatasetError, match=r"cell B1 has the error #NAME\?") as caught:
        read_questions(tmp_path / "q.xlsx", {"question": "question"})
    assert "cell B2 has the error #N/A" in caught.value.args[1]


def test_a_stored_value_of_a_formula_is_read(tmp_path: Path):
    """Also the empty text, which a formula may have calculated."""
    book = Workbook()
    book.active.append(["question", "answer", "note"])
    book.active.append(["=A1", "=B1", "=C1"])
    book.save(tmp_path / "plain.xlsx")
    stored = {
        "A2": b'<c r="A2" t="str"><f>A1</f><v>Why?</v></c>',
        "B2": b'<c r="B2"><f>B1</f><v>30</v></c>',
        "C2": b'<c r="C2" t="str"><f>C1</f><v></v></c>',
    }
    with ZipFile(tmp_path / "plain.xlsx") as plain, ZipFile(tmp_path / "q.xlsx", "w") as written:
        for name in plain.namelist():
            data = plain.read(name)
            if name.endswith("sheet1.xml"):
                for cell, new in stored.items():
                    data, count = re.subn(rb'<c r="%s".*?</c>' % cell.encode(), new, data)
                    assert count == 1
            written.writestr(name, data)
    (question,) = read_questions(tmp_path / "q.xlsx")
    assert (question.text, question.answers) == ("Why?", ("30",))


def test_an_answer_is_what_the_sheet_shows(tmp_path: Path):
    """Percent, currency and time are kept, and a format that cannot be followed is named."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Set"
    sheet.append(["question", "answer"])
    shown = {
        "0%": (0.05, "5%"),
        "[$$-409]#,##0": (1500000, "$1500000"),
        "hh:mm": (dt.time(14, 30), "14:30"),
        "dd.mm.yyyy hh:mm": (dt.datetime.fromisoformat("2024-03-05 09:30"), "2024-03-05 09:30"),
    }
    for number, (form, (value, _)) in enumerate(shown.items(), 2):
        sheet.append([f"Question {number}?", value])
        sheet.cell(row=number, column=2).number_format = form
    book.save(tmp_path / "q.xlsx")
    answers = [question.answers for question in read_questions(tmp_path / "q.xlsx")]
    assert answers == [(text,) for _, text in shown.values()]

    sheet.cell(row=2, column=2).number_format = "# ?/?"
    book.save(tmp_path / "q.xlsx")
    with pytest.raises(DatasetError, match=r"q\.xlsx:2: sheet 'Set': cell B2 has the value 0\.05"):
        read_questions(tmp_path / "q.xlsx")


def sheet(tmp_path: Path, *rows: list[object]) -> Path:
    """A workbook with these rows."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "q.xlsx")
    return tmp_path / "q.xlsx"


def test_two_columns_with_the_name_of_a_role_are_refused(tmp_path: Path):
    """Nobody can tell which one is meant; other names may be repeated."""
    path = put(tmp_path, "q.csv", "question,answer,Answer\nWho?,Bob,Ann\n")
    with pytest.raises(DatasetError, match=r"q\.csv:1: two columns are called 'answer'; rename"):
        read_questions(path)
    with pytest.raises(DatasetError, match="two columns are called 'response'"):
        read_questions(sheet(tmp_path, ["question", "response", "response"], ["Who?", "B", "A"]))
    (question,) = read_questions(put(tmp_path, "q.csv", "question,note,note\nWho?,x,y\n"))
    assert read_further_fields(path) == {question.id: {"note": "x", "note (2)": "y"}}


def test_titles_above_the_headers_are_left_out(tmp_path: Path):
    """A note counts them; without a known name below them the message says what to do."""
    path = sheet(
        tmp_path, ["Our questions"], [], ["May 2026"], ["question", "answer"], ["Who?", "B"]
    )
    (question,) = read_questions(path)
    assert (question.text, question.answers) == ("Who?", ("B",))
    assert tuple(map(str, question_notes(path))) == (
        f"{path}: 2 rows without a question were left out (line 1, 3)",
    )
    odd = sheet(tmp_path, ["Our questions"], ["Frage", "Antwort"], ["Who?", "B"])
    with pytest.raises(DatasetError, match="first row, and put no title above it") as raised:
        read_questions(odd)
    assert "quotation" not in str(raised.value)
    single = put(tmp_path, "q.csv", "question\nWho?\ntext,query\n")
    with pytest.raises(DatasetError, match=r"q\.csv:3: too many fields"):
        read_questions(single)
