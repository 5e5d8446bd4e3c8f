"""What programs read stays valid with redaction: JSON, lines of JSON, CSV, XML and HTML."""

import csv
import io
import json
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from assay.cli.masked import masked_cells, masked_form
from assay.mask import set_redactor
from assay.redact.pseudonym import Forgotten
from assay.redact.redaction import Redaction
from tests.redact.main import Program

PHONE = 13812345678
SYSTEM = '''\
def ask(question):
    """Numbers, quotes and separators around values, in every place of an answer."""
    return {
        "answer": 'Call "13812345678", 12 Baker Street, London <b>&amp; ИНН "7707083893"</b>\\n| x',
        "extra": {"n": 13812345678, "password": 'a"b,c<d>12', "phone": "+7 903 555-77-88",
                  "ratio": 0.13812345678, "inn": 7707083893, "list": [13812345678, "13812345678"]},
    }
'''
QUESTIONS = [
    {
        "id": f"q{n}",
        "question": f'Тел. "+7 903 555-77-88" и 13812345678, случай {n}?',
        "answer": "x",
    }
    for n in range(3)
]
CONFIG = "redact: {mode: outputs}\ndefaults: {run: {retries: 0}}\n"


@pytest.fixture
def workspace(program: Program) -> Program:
    """A recorded run with redaction."""
    (program.folder / "experiments").mkdir()
    (program.folder / "experiments" / "experiments.yaml").write_text(CONFIG, encoding="utf-8")
    (program.folder / "shown.py").write_text(SYSTEM, encoding="utf-8")
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in QUESTIONS)
    (program.folder / "q.jsonl").write_text(lines, encoding="utf-8")
    run = "run --system python:shown:ask --questions q.jsonl --charts none --no-report"
    for name in ("a", "b"):
        code, printed = program.run(f"{run} --name {name}")
        assert code == 0, printed
    return program


def leaks(text: str) -> list[str]:
    """The values that are in a text outside of numbers of JSON."""
    parts = ("903 555", "7903555", "Baker", 'a"b', "a&quot;b", '"13812345678"', "7707083893\\")
    return [part for part in parts if part in text]


def test_the_result_of_a_query_is_json(workspace: Program):
    """A number stays a number, and texts are masked."""
    sql = "'select key, answer, extra from rows'"
    for end in ("", " --out rows.json"):
        code, printed = workspace.run(f"query a {sql} --format json{end}")
        assert code == 0, printed
        printed = workspace.output
        if end:
            printed = (workspace.folder / "rows.json").read_text(encoding="utf-8")
        rows = json.loads(printed)
        assert rows[0]["extra"]["n"] == PHONE
        assert rows[0]["extra"]["ratio"] == pytest.approx(0.13812345678)
        assert leaks(printed) == []


def test_the_result_of_a_query_is_csv(workspace: Program):
    """Every row has all its cells, whatever the values contain."""
    sql = "'select key, answer, extra, extra.n as n, extra.ratio as ratio from rows'"
    for end in ("", " --out rows.csv"):
        code, printed = workspace.run(f"query a {sql} --format csv{end}")
        assert code == 0, printed
        printed = workspace.output
        if end:
            printed = (workspace.folder / "rows.csv").read_text(encoding="utf-8")
        rows = list(csv.reader(io.StringIO(printed), quoting=csv.QUOTE_NONNUMERIC))
        assert [len(row) for row in rows] == [5] * 4
        assert str(rows[1][3]).startswith("[PHONE_")
        assert rows[1][4] == pytest.approx(0.13812345678)
        assert leaks(printed) == []


@pytest.mark.parametrize(
    "line",
    [
        "list --json",
        "report a --format json",
        "compare --base a --cand b --format json",
        "score a --json",
        "questions check q.jsonl --json",
        "questions diff q.jsonl q.jsonl --json",
        "doctor --json",
        "run --system python:shown:ask --questions q.jsonl --name c --json --no-report",
        "query a --schema --format json",
    ],
)
def test_json_is_json(workspace: Program, line: str):
    """All commands that print JSON, and nothing but JSON on standard output."""
    printed = workspace.run(line)[1]
    assert json.loads(workspace.output) is not None, printed
    assert leaks(printed) == []


def test_reports_keep_their_form(workspace: Program):
    """CSV, XML and HTML files."""
    folder = workspace.folder
    assert workspace.run("report a --format csv --out t.csv")[0] == 0
    rows = list(csv.reader(io.StringIO((folder / "t.csv").read_text(encoding="utf-8"))))
    assert len({len(row) for row in rows if row}) == 1
    assert workspace.run("compare --base a --cand b --format junit --out gate.xml")[0] in {0, 1}
    ET.parse(folder / "gate.xml")
    workspace.run("questions check q.jsonl --page check.html")
    text = (folder / "check.html").read_text(encoding="utf-8")
    assert leaks(text) == []
    for name in ("a.jsonl", "a.json", "a.plan.jsonl"):
        content = (folder / "experiments" / name).read_text(encoding="utf-8")
        documents = content.splitlines() if name.endswith("l") else [content]
        assert all(json.loads(each) for each in documents)


@pytest.fixture
def masking() -> Any:
    """Redaction in this process."""
    set_redactor(Redaction("outputs", Forgotten()))
    yield
    set_redactor(None)


@pytest.mark.usefixtures("masking")
def test_csv_keeps_its_cells():
    """A value that goes on in the next cell for a reader of plain text stays in its own."""
    text = '"name","address","n","x"\n"12 Baker Street, ""old""","London",13812345678,0.25\n'
    text += '"a\nb","a@b.example",5,\n\n"phone"\n"5550136789"\n'
    masked = masked_form(text, "csv")
    rows = list(csv.reader(io.StringIO(masked)))
    assert [len(row) for row in rows] == [4, 4, 4, 0, 1, 1]
    assert rows[1][2].startswith("[PHONE_")
    assert rows[1][3] == "0.25"
    assert rows[2][0] == "a\nb"
    assert rows[2][1].startswith("[EMAIL_")


@pytest.mark.usefixtures("masking")
def test_plain_csv_is_not_changed():
    """Without a value every byte stays."""
    text = 'a,b\n"x ""y""",1\n\n,\n"last",2.50'
    assert masked_form(text, "csv") == text


@pytest.mark.usefixtures("masking")
def test_markup_stays_markup():
    """Tags, styles, counts and references stay; texts and attributes are masked."""
    text = (
        '<?xml version="1.0"?><s time="13812345678" name="call &quot;13812345678&quot; &lt;now&gt;">'
        "<style>.a{width:13812345678px}</style><c>password: Zx12&amp;abcd34 end</c>"
        "<d>&amp;amp; plain</d></s>"
    )
    masked = masked_form(text, "junit")
    root = ET.fromstring(masked)
    assert root.attrib["time"] == str(PHONE)
    assert str(PHONE) not in root.attrib["name"]
    assert root.attrib["name"].endswith("<now>")
    assert "abcd34" not in masked
    assert "width:13812345678px" in masked
    assert "<d>&amp;amp; plain</d>" in masked
    HTMLParser().feed(masked)


@pytest.mark.usefixtures("masking")
def test_numbers_that_no_program_can_hold_stay():
    """A number of thirty digits, and the order and names of fields."""
    text = '{"b": 123456789012345678901234567890, "a": "13812345678", "f": 1.50}'
    masked = json.loads(masked_form(text, "json"))
    assert masked["b"] == 123456789012345678901234567890
    assert masked["a"].startswith("[PHONE_")
    assert list(masked) == ["b", "a", "f"]


@pytest.mark.usefixtures("masking")
def test_cells_are_masked_by_the_names_of_their_columns():
    """The heading says that a cell is a password; a true value is no number."""
    names = ("password", "is_ok", "n")
    assert masked_cells(names, ("Zx1234!abcd", True, 5))[0].startswith("[API_KEY_")
    assert masked_cells(names, ("x", True, 5)) == ["x", True, 5]
