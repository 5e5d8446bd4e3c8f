from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DatasetError
from assay.judge.exchange import (
    import_labels,
    labels_as_csv,
    labels_as_jsonl,
    read_label_file,
    sheet_as_csv,
)
from assay.judge.label import Label, current
from assay.judge.label_store import merge, read_labels

PLAIN = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
LABELS = st.lists(
    st.builds(
        Label,
        run=PLAIN, case_id=PLAIN, variant=PLAIN, answer_hash=PLAIN,
        labeller=PLAIN.filter(str.strip),
        time=st.sampled_from(["2026-01-01T00:00:00.000000Z", "2026-02-01T10:00:00.000001Z"]),
        verdict=st.sampled_from(["right", "wrong", "partly", "unclear"]),
        span=st.none() | st.tuples(st.integers(0, 9), st.integers(10, 19)),
        comment=st.none() | PLAIN | st.sampled_from(["=1+1", "'=1", "''", 'a "b"\nc', "да, но"]),
        corrected_answer=st.none() | PLAIN,
        probability=st.none() | st.floats(0.001, 1),
        blind=st.booleans(),
    ),
    max_size=5,
)  # fmt: skip


@settings(max_examples=25)
@given(labels=LABELS, suffix=st.sampled_from(["jsonl", "csv"]))
def test_what_is_exported_can_be_imported(
    tmp_path_factory: pytest.TempPathFactory, labels: list[Label], suffix: str
):
    """Every field survives both formats, and a second import adds nothing."""
    folder = tmp_path_factory.mktemp("exchange")
    path, into = folder / f"out.{suffix}", folder / "labels.jsonl"
    write = labels_as_csv if suffix == "csv" else labels_as_jsonl
    path.write_text(write(labels), encoding="utf-8", newline="")
    unique = list(dict.fromkeys(labels))
    assert import_labels(path, into)[:2] == (len(labels), len(unique))
    assert read_labels(into) == unique
    assert import_labels(path, into)[:2] == (len(labels), 0)


def test_no_cell_is_a_formula():
    """A spreadsheet must not run what a person wrote."""
    label = Label(run="=r", case_id="+1", variant="-v", answer_hash="@", labeller="Wei", time="t", verdict="right")  # fmt: skip
    cells = labels_as_csv([label]).splitlines()[1].split(",")
    assert cells[:4] == ["'=r", "'+1", "'-v", "'@"]


def test_a_table_of_another_program_is_read(tmp_path: Path):
    """Only the columns that a label needs; times with a zone become UTC."""
    path = tmp_path / "given.csv"
    path.write_bytes(
        "\ufeffrun,case_id,variant,answer_hash,labeller,time,verdict\r\n"
        "r,q1,a,h,Анна,2026-01-01T03:00:00+03:00,partly\r\n".encode()
    )
    assert import_labels(path, tmp_path / "l.jsonl")[:2] == (1, 1)
    (label,) = read_labels(tmp_path / "l.jsonl")
    assert (label.time, label.verdict) == ("2026-01-01T00:00:00.000000Z", "partly")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "run,verdikt\nr,right\n", "a.csv:1: no such column 'verdikt'"),
        ("a.csv", "run,verdict\nr\n", "a.csv:2: has more or fewer cells"),
        ("a.csv", "run,verdict\nr,good\n", "a.csv:2: not a label: .*verdict|a.csv:2: not a label"),
        ("a.jsonl", '{"run": 1}\n', "label 1: not a label"),
        ("a.jsonl", '{"schema_version": 2}\n', "newer version"),
        ("a.jsonl", "no\n", "a.jsonl:1: not a label"),
    ],
)
def test_a_wrong_file_changes_nothing(tmp_path: Path, name: str, text: str, message: str):
    """The message names the line; no label of the file is taken."""
    good = Label(run="r", case_id="q", variant="a", answer_hash="h", labeller="W", time="2026-01-01", verdict="right")  # fmt: skip
    into = tmp_path / "l.jsonl"
    merge(into, [good], Label)
    before = into.read_bytes()
    if name.endswith(".jsonl"):
        text = msgspec.json.encode(good).decode() + "\n" + text
        message = message.replace(":1:", ":2:").replace("label 1", "label 2")
    (tmp_path / name).write_text(text)
    with pytest.raises(DatasetError, match=message):
        import_labels(tmp_path / name, into)
    assert into.read_bytes() == before


HEADER = "run,case_id,variant,answer_hash,labeller,time,verdict,probability,blind"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "cp1251"])
def test_a_table_as_a_russian_spreadsheet_saves_it(tmp_path: Path, encoding: str):
    """Semicolons, a decimal comma, words for truth values, empty rows, any usual encoding."""
    path = tmp_path / "given.csv"
    text = (
        f"{HEADER.replace(',', ';')}\r\nr;вопрос 1;а;h;Анна;2026-01-01;неверно;0,25;ЛОЖЬ\r\n"
        ";;;;;;;;\r\nr;вопрос 2;а;h;Анна;2026-01-01;Верно;;ИСТИНА\r\n"
    )
    path.write_bytes(text.encode(encoding))
    assert import_labels(path, tmp_path / "l.jsonl")[:2] == (2, 2)
    first, second = read_labels(tmp_path / "l.jsonl")
    assert (first.verdict, first.probability, first.blind) == ("wrong", 0.25, False)
    assert (second.case_id, second.verdict, second.blind) == ("вопрос 2", "right", True)


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("Correct", "right"), ("yes", "right"), ("верно", "right"), ("对", "right"),
        ("incorrect", "wrong"), ("no", "wrong"), ("Неверно", "wrong"), ("错", "wrong"),
        ("partially correct", "partly"), ("частично", "partly"), ("部分正确", "partly"),
        ("cannot tell", "unclear"), ("не знаю", "unclear"), ("无法判断", "unclear"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_verdicts_in_three_languages(tmp_path: Path, word: str, verdict: str, ending: str):
    """Whoever fills in a sheet writes their own words."""
    row = {"run": "r", "case_id": "q", "variant": "a", "answer_hash": "h", "labeller": "Wei",
           "time": "2026-01-01", "verdict": word}  # fmt: skip
    path = tmp_path / f"given.{ending}"
    table = f"{','.join(row)}\n{','.join(row.values())}\n"
    path.write_bytes(table.encode() if ending == "csv" else msgspec.json.encode(row) + b"\n")
    import_labels(path, tmp_path / "l.jsonl")
    assert read_labels(tmp_path / "l.jsonl")[0].verdict == verdict


def test_an_unknown_verdict_is_refused_with_the_known_ones(tmp_path: Path):
    """The line says what to write."""
    path = tmp_path / "given.csv"
    path.write_text(f"{HEADER}\nr,q,a,h,Wei,2026-01-01,good,,\n", encoding="utf-8")
    with pytest.raises(
        DatasetError, match=r"given\.csv:2: not a label: `verdict` is 'good'; write right"
    ):
        import_labels(path, tmp_path / "l.jsonl")


def test_a_sheet_can_be_read_back(tmp_path: Path):
    """Its texts are for people; no cell of it is a formula."""
    row = {"question": "Who?", "answer": "=1+1", "expected": "Ann", "run": "r", "case_id": "q",
           "variant": "a", "answer_hash": "h", "labeller": "Wei", "time": "2026-01-01",
           "verdict": "unclear", "probability": 0.3}  # fmt: skip
    path = tmp_path / "sheet.csv"
    text = sheet_as_csv([row])
    assert text.startswith("question,answer,expected,verdict,comment,run,")
    assert "Who?,'=1+1,Ann,unclear,," in text
    path.write_text(text.replace("unclear", "yes"), encoding="utf-8")
    (label,) = read_label_file(path)
    assert (label.verdict, label.probability) == ("right", 0.3)


SHEET = "question,answer,verdict,comment,run,case_id,variant,answer_hash,labeller,time"


@pytest.mark.parametrize(
    ("cell", "comment", "unfilled"),
    [("unclear", "", True), ("", "", True), (" Unclear ", "", True), ("cannot tell", "", False),
     ("unclear", "two readings", False)],
)  # fmt: skip
def test_a_row_that_nobody_filled_in_is_no_label(
    tmp_path: Path, cell: str, comment: str, *, unfilled: bool
):
    """A sheet comes with "unclear" in each row; an emptied cell says as little."""
    path = tmp_path / "sheet.csv"
    rows = f"Who?,Ann,{cell},{comment},r,q1,a,h,me,2026-01-01\nWho?,Ann,right,,r,q2,a,h,me,2026-01-01\n"
    path.write_text(f"{SHEET}\n{rows}")
    found = import_labels(path, tmp_path / "l.jsonl")
    assert (found.read, found.unfilled) == ((1, 1) if unfilled else (2, 0))
    assert len(read_label_file(path)) == found.read


def test_two_verdicts_of_one_person_are_named(tmp_path: Path):
    """Their lines are told; a later label that replaces an earlier one is no contradiction."""
    path = tmp_path / "sheet.csv"
    row = "Who?,Ann,{verdict},,r,q1,a,h,{who},{time}\n"
    path.write_text(
        f"{SHEET}\n"
        + row.format(verdict="right", who="me", time="2026-01-01")
        + row.format(verdict="wrong", who="Wei", time="2026-01-01")
        + row.format(verdict="wrong", who="me", time="2026-01-01")
        + row.format(verdict="right", who="Wei", time="2026-01-02")
    )
    found = import_labels(path, tmp_path / "l.jsonl")
    assert found.contradictions == ((f"{path}:2", f"{path}:4"),)
    assert {each.labeller: each.verdict for each in current(read_labels(tmp_path / "l.jsonl"))} == {
        "me": "wrong",
        "Wei": "right",
    }
