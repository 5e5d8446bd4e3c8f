"""The path of a newcomer: own documents in three languages and a table of questions, four commands."""

import json
import zipfile
from pathlib import Path

import pytest

from assay.data.samples.sample import sample_document_bytes
from tests.support.program import program

HANDBOOK = (
    "A deckhand on probation gives two weeks of warning before leaving.",
    "The ferry office pays 900 crowns for a recommended engineer.",
    "Lost property is kept for ninety days at the northern pier.",
)
QUESTIONS = """question,answer
How much warning does a deckhand on probation give?,two weeks
How long is lost property kept?,90 days
申请材料不齐的，受理机构应当在几个工作日内一次告知？,三个工作日
Какая была цена акции на 29 декабря 2023 года?,"171,5 руб."
Сколько акций выкуплено в 2023 году?,250 000
"""


def write_docx(path: Path, paragraphs: tuple[str, ...]) -> None:
    """A Word document of plain paragraphs."""
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>',
        )


def test_from_documents_to_a_table_without_an_id_or_yaml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Four commands give a table with sensible values; no id is copied, no YAML is written."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "code.md").write_bytes(sample_document_bytes("zh/code.md"))
    (documents / "report.pdf").write_bytes(sample_document_bytes("ru/report.pdf"))
    write_docx(documents / "handbook.docx", HANDBOOK)
    (tmp_path / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = [
        ("init", "--empty", "."),
        ("ingest", "documents"),
        ("search", "выкуп акций", "--json"),
        ("run", "--questions", "questions.csv", "--no-report"),
    ]
    assay = program(capsys)
    shown = []
    for words in commands:
        ran = assay(*words)
        assert ran.code == 0, ran.err
        shown.append(ran.out)
    typed = sum(1 + len(words) for words in commands)
    found = json.loads(shown[2])
    assert found[0]["source"] == "report.pdf"
    assert found[0]["page"] > 1
    summary = json.loads((tmp_path / "experiments/run-questions.json").read_bytes())
    means = summary["results"]["variants"]["reference"]
    assert summary["tally"]["scored"] == 5
    assert means["answer_contained"] >= 0.6
    assert 0 < means["answer_f1"] < 1
    assert "Answer right" in shown[3]
    print(f"{len(commands)} commands, {typed} words")  # noqa: T201 - what a newcomer has to do
    assert (len(commands), typed) == (4, 16)
