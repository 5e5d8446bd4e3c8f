"""``--fix`` writes a cleaned copy and a list of what went; nothing is lost or changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data import samples
from assay.errors import UseError
from assay.questions.check.check import check_questions, write_fixed
from assay.questions.check.report import as_json, as_page
from tests.questions.check.planted import chunks, clean_rows, write
from tests.support.program import Program, program

BROKEN = '{"id": "torn", "question": "What'
ROWS: list[dict[str, Any] | str] = [
    {"metadata": {"version": "7", "author": "T."}},
    *clean_rows(),
    BROKEN,
    clean_rows()[0] | {"id": "again"},
    {"id": "mixed", "question": "Какова цена билетa в будни?"},
]


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "set.jsonl", ROWS)


def test_every_line_is_in_the_copy_or_in_the_list(path: Path):
    """Lines stay byte for byte; the list has the others whole, with the reasons."""
    before = path.read_bytes()
    fixed = write_fixed(check_questions(path, chunks()))
    assert path.read_bytes() == before
    assert (fixed.path.name, fixed.kept, fixed.removed) == ("set.v2.jsonl", 25, 2)
    kept = fixed.path.read_bytes().splitlines()
    assert kept[1:] == [line for line in before.splitlines()[1:] if line in kept]
    removed = [json.loads(line) for line in fixed.removed_path.read_bytes().splitlines()]
    assert [(row["line"], row["findings"][0]["kind"]) for row in removed] == [
        (26, "file_problem"),
        (27, "duplicate"),
    ]
    assert removed[0]["text"] == BROKEN
    assert removed[1]["row"]["id"] == "again"
    assert json.loads(kept[0])["metadata"] == {"version": "set.v2", "author": "T."}


def test_versions_are_counted_up_and_never_overwritten(path: Path):
    """The copy of a copy is the next version; an --out that exists is refused."""
    second = write_fixed(check_questions(path, chunks()))
    third = write_fixed(check_questions(path, chunks()))
    assert third.path.name == "set.v3.jsonl"
    assert write_fixed(check_questions(second.path, chunks())).path.name == "set.v4.jsonl"
    with pytest.raises(UseError, match="exists"):
        write_fixed(check_questions(path, chunks()), third.path)
    with pytest.raises(UseError, match="never changed"):
        write_fixed(check_questions(path, chunks()), path)


def test_a_copy_stays_if_the_first_one_goes_for_another_reason(tmp_path: Path):
    """Of two questions that ask the same, the sound one is kept."""
    good = clean_rows()[0]
    rows = [good | {"id": "first", "answer": "1978"}, good, clean_rows()[1]]
    path = write(tmp_path / "set.jsonl", rows)
    fixed = write_fixed(check_questions(path, chunks()))
    kept = [json.loads(line)["id"] for line in fixed.path.read_bytes().splitlines()]
    assert kept == ["harbour.md-0", "harbour.md-1"]
    path = write(tmp_path / "bad.jsonl", [good | {"answer": "1978"}])
    with pytest.raises(UseError, match="nothing would be left"):
        write_fixed(check_questions(path, chunks()))


def test_the_page_and_json_say_what_was_found(path: Path):
    """Both have the findings; text of the set cannot become markup."""
    found = check_questions(path, chunks())
    content = json.loads(as_json(found))
    assert content["counts"] == {"file_problem": 1, "duplicate": 1, "language_mix": 1}
    assert content["passed"] is False
    assert content["findings"][0]["level"] == "error"
    assert content["questions"][0]["score"] == 1.0
    for lang, title in (("en", "the same question twice"), ("zh", "重复的问题"), ("ru", "дважды")):
        page = as_page(found, lang)  # type: ignore[arg-type]
        assert title in page
        assert "harbour.md" in page


def test_the_command_says_what_is_wrong(path: Path, assay: Program, tmp_path: Path):
    """Exit code 1 with findings, 0 without, 2 if there is nothing to check."""
    result = assay("questions", "check", "set.jsonl", "--limit", "1", "--page", "page.md")
    assert result.code == 1
    assert "set.jsonl:26: file_problem: not JSON" in result.out
    assert "… and" in result.out
    assert (tmp_path / "page.md").read_text(encoding="utf-8").startswith("# Check of set.jsonl")
    write(tmp_path / "clean.jsonl", clean_rows())
    assert assay("questions", "check", "clean.jsonl").code == 0
    assert json.loads(assay("questions", "check", "clean.jsonl", "--json").out)["passed"] is True
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    assert assay("questions", "check", "empty.jsonl").code == 2
    assert assay("questions", "check", "missing.jsonl").code == 2
    assert assay("questions", "check", "clean.jsonl", "--corpus", "nowhere").code == 2
    assert assay("questions", "check", "clean.jsonl", "--out", "x.jsonl").code == 2


def test_a_document_can_be_the_corpus(path: Path, assay: Program, tmp_path: Path):
    """Gold quotations are looked up in a text file; those of other documents are missing."""
    texts = [chunk.text for chunk in chunks() if chunk.source == "harbour.md"]
    (tmp_path / "harbour.md").write_text("\n\n".join(texts), encoding="utf-8")
    write(tmp_path / "clean.jsonl", clean_rows())
    result = assay("questions", "check", "clean.jsonl", "--corpus", "harbour.md", "--json")
    missing = [each["id"] for each in json.loads(result.out)["findings"]]
    assert missing == [row["id"] for row in clean_rows()[8:]]


def test_questions_of_all_jobs_are_read(tmp_path: Path):
    """Quality, depth and tables of other tools: each has its own fields."""
    rows: list[dict[str, Any] | str] = [
        {"id": "q", "question": "What is the fee?", "must_include": ["46"]},
        {"id": "q2", "question": "What is the other fee?", "must_include": "46", "weight": -1},
        {
            "id": "d",
            "question": "Who keeps the register?",
            "choice": ["Edith Lowell", "Paul Renwick"],
            "answer": "a",
            "evidence": chunks()[3].text,
        },
        {"question": "What then?", "choice": ["x"], "answer": "a"},
    ]
    found = check_questions(write(tmp_path / "set.jsonl", rows), chunks())
    assert [(each.line, each.kind) for each in found.findings] == [
        (2, "file_problem"),
        (4, "file_problem"),
    ]
    (tmp_path / "table.csv").write_text("question,answer\nWho?,Ann\nWho?,Ann\n", encoding="utf-8")
    found = check_questions(tmp_path / "table.csv")
    assert [each.kind for each in found.findings] == ["duplicate"]
    assert write_fixed(found).path.name == "table.v2.jsonl"


def test_a_file_of_the_benchmark_is_checked_by_its_own_reader(tmp_path: Path):
    """Its problems and misplaced quotations are findings with lines; --fix leaves it alone."""
    for name in ("contract_fact_exact.json", "contract.txt"):
        (tmp_path / name).write_bytes((sample_folder() / name).read_bytes())
    path = tmp_path / "contract_fact_exact.json"
    assert check_questions(path).findings == ()
    content = json.loads(path.read_text(encoding="utf-8"))
    content["questions"].append(content["questions"][0] | {"id": "again"})
    content["questions"][1]["required_evidence"][0]["must_include"] = "no such words anywhere"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    found = check_questions(path)
    assert [each.kind for each in found.findings] == ["duplicate", "gold_missing"]
    assert all(each.line > 1 for each in found.findings)
    with pytest.raises(UseError, match="by hand"):
        write_fixed(found)
    del content["questions"][0]["question"]
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    assert "file_problem" in check_questions(path).counts


def sample_folder() -> Path:
    """The English files of the benchmark's samples."""
    return Path(samples.__file__).parent / "bench" / "en"


def test_a_line_with_a_key_twice_stays_as_it_is_written(tmp_path: Path):
    """An object can have only one of the two values, so the list has the text of the line."""
    line = '{"id": "two", "question": "What?", "answer": "a", "answer": "b"}'
    path = write(tmp_path / "set.jsonl", [*clean_rows(), line])
    fixed = write_fixed(check_questions(path, chunks()))
    (removed,) = [json.loads(each) for each in fixed.removed_path.read_bytes().splitlines()]
    assert removed["text"] == line
    assert 'the key "answer" is twice in one object' in removed["findings"][0]["what"]
