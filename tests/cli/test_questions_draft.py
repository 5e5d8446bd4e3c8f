"""``assay questions draft``: from documents in three languages to a table."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Program, program

ENGLISH = (
    "The Harlow Bridge was opened by Queen Anne in 1874. The Owl Society employed 42 keepers in "
    "Harlow.\n\nNicholas Barrow moved to Port Mellin in 1861. A tide table is a list of the hours of "
    "high water.\n"
)
RUSSIAN = (
    "В 1874 году Николай Баров переехал в Мурино. В порту Меллин работает 45 опытных лоцманов.\n\n"
    "В 1861 году Пётр Ольшин открыл в Мурино школу лоцманов. Николай Баров построил старый маяк в "
    "порту Меллин.\n"
)
CHINESE = (
    "梅林港灯塔协会成立于1874年，总部设在上海。北京灯塔博物馆有120名讲解员，每天开放。\n\n"
    "1861年，上海潮汐研究所迁往南京。上海潮汐表是一种记录高潮时间的表格。\n"
)


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a document in each language, in an empty workspace."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("bridge.md", ENGLISH), ("маяк.txt", RUSSIAN), ("灯塔.txt", CHINESE)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_documents_in_three_languages_become_a_table(
    documents: Path, assay: Program, tmp_path: Path
):
    """Ingest, draft, check and run need no id, no YAML and no model."""
    assert assay("ingest", "docs").code == 0
    drafted = assay("questions", "draft", "--name", "sea")
    assert drafted.code == 0, drafted.err
    rows = lines(tmp_path / "questions" / "sea.draft.jsonl")
    assert {row["draft"]["document"] for row in rows} == {"bridge.md", "маяк.txt", "灯塔.txt"}
    assert {row["draft"]["by"] for row in rows} == {"template"}
    assert "nobody has read" in drafted.out
    checked = assay("questions", "check", "questions/sea.draft.jsonl", "--json")
    assert checked.code == 0, checked.out
    ran = assay("run", "--questions", "questions/sea.draft.jsonl", "--no-report")
    assert ran.code == 0, ran.err
    assert f"{len(rows)} scored, 0 failed" in ran.err
    assert "Answer F1" in ran.out or "answer_f1" in ran.out


def test_a_run_over_drafts_says_first_that_nobody_has_read_them(
    documents: Path, assay: Program, tmp_path: Path
):
    """In the terminal and in the report, until a person has accepted them; recall 1 is a ceiling."""
    assert assay("questions", "draft", "docs").code == 0
    path = tmp_path / "questions" / "docs.draft.jsonl"
    rows = lines(path)
    ran = assay("run", "--questions", str(path), "--name", "a")
    assert ran.code == 0, ran.err
    first = f"{len(rows)} of {len(rows)} questions are drafts that nobody has read."
    assert first in ran.out
    assert assay("report", "a").out.strip().splitlines()[0] == first
    assert "is a ceiling: drafts share" in ran.out
    (page,) = tmp_path.rglob("a.md")
    assert page.read_text(encoding="utf-8").splitlines()[2] == first
    assert first in assay("report", "a", "--format", "markdown").err
    for row in rows:
        row["draft"]["reviewed_by"] = "Anna"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    read = assay("run", "--questions", str(path), "--name", "b")
    assert read.code == 0, read.err
    assert "nobody" not in read.out


def test_kinds_that_rules_do_not_draft_need_a_model(documents: Path, assay: Program):
    """Rules would write what nobody asks."""
    refused = assay("questions", "draft", "docs", "--kinds", "date,comparison")
    assert refused.code == 2
    assert "comparison needs a model" in refused.err


def test_a_folder_is_ingested_first(documents: Path, assay: Program, tmp_path: Path):
    """One command is enough."""
    drafted = assay("questions", "draft", "docs", "--count", "4", "--json")
    assert drafted.code == 0, drafted.err
    assert json.loads(drafted.out)["drafts"] == 4
    assert (tmp_path / "chunks" / "manifest.json").exists()
    assert len(lines(tmp_path / "questions" / "docs.draft.jsonl")) == 4


def test_an_existing_corpus_of_the_documents_is_used_as_it_is(
    documents: Path, assay: Program, tmp_path: Path
):
    """Drafting does not cut documents anew: questions may refer to the chunks that are there."""
    assert assay("ingest", "docs", "--tokens", "20", "--overlap", "0").code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "chunks").iterdir()}
    drafted = assay("questions", "draft", "docs", "--count", "3")
    assert drafted.code == 0, drafted.err
    assert "used as they are" in drafted.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "chunks").iterdir()} == before
    (documents / "new.md").write_text(ENGLISH, encoding="utf-8")
    added = assay("questions", "draft", "docs", "--name", "more")
    assert added.code == 0, added.err
    assert "cut as before: 20 tokens, overlap 0" in added.err
    (documents / "bridge.md").write_text("The bridge fell.", encoding="utf-8")
    changed = assay("questions", "draft", "docs", "--name", "again")
    assert changed.code == 2
    assert "would be lost; run assay ingest" in changed.err
    assert all((tmp_path / "chunks" / name).exists() for name in before)


def test_evidence_lies_where_it_says_also_under_a_heading(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The sign of a heading is not in the chunk, but in the document."""
    monkeypatch.chdir(tmp_path)
    text = f"# Harbour\n\n## The old town\n\n{ENGLISH}"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert assay("questions", "draft", "a.md").code == 0
    for row in lines(tmp_path / "questions" / "a.draft.jsonl"):
        for gold in row.get("gold", []):
            assert text[gold["start"] : gold["end"]] == gold["text"]


def test_drafts_are_never_overwritten(documents: Path, assay: Program):
    """They may have been corrected."""
    assert assay("questions", "draft", "docs").code == 0
    again = assay("questions", "draft", "docs", "--seed", "5")
    assert again.code == 2
    assert "docs.draft.jsonl exists" in again.err


def test_nothing_to_ask_is_said_with_the_reason(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An empty file is not written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("He said so. It was late. They left.\n", encoding="utf-8")
    empty = assay("questions", "draft", "a.txt")
    assert empty.code == 2
    assert "no sentence can be understood alone" in empty.err
    assert "--model" in empty.err
    assert not (tmp_path / "questions").exists()


def test_an_unknown_kind_is_refused_with_the_known_ones(documents: Path, assay: Program):
    """The nearest name is suggested."""
    wrong = assay("questions", "draft", "docs", "--kinds", "datum")
    assert wrong.code == 2
    assert "did you mean 'date'" in wrong.err or "date" in wrong.err


def test_a_dry_run_without_a_model_writes_nothing(documents: Path, assay: Program, tmp_path: Path):
    """There is nothing to pay for."""
    ran = assay("questions", "draft", "docs", "--dry-run")
    assert ran.code == 0
    assert "no call, no cost" in ran.out
    assert not (tmp_path / "questions").exists()
