"""``assay run``: one system or several, any question set, no configuration."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Program, program

SYSTEM = """
def right(question):
    return {"answer": "thirty days [1]", "passages": [{"id": "a", "text": "Notice is thirty days."}]}

def cut(question):
    reason = "max_tokens" if "3" in question else "length" if "4" in question else "stop"
    return {"answer": "30 da", "finish_reason": reason}

def endless(question):
    return "thirty days, " * 5000

def vain(question):
    return {"answer": "thirty days", "passages": []}

def bare(question):
    return "thirty days"

def number(question):
    return 5

def silent(question):
    return {"answer": "The document does not mention this", "passages": []}
"""


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module and eight questions as a table; no configuration."""
    module = f"plain_rag_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{module}.py").write_text(SYSTEM, encoding="utf-8")
    rows = "".join(f"Question {number}?,30 days,\n" for number in range(8))
    (tmp_path / "q.csv").write_text(f"Вопрос,Ответ,note\n{rows}", encoding="utf-8")
    (tmp_path / "module.txt").write_text(module, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def spec(root: Path, name: str) -> str:
    """The specification of a function of the module."""
    return f"python:{(root / 'module.txt').read_text(encoding='utf-8')}:{name}"


def summary(root: Path, name: str) -> dict[str, Any]:
    """The summary of a run."""
    content: dict[str, Any] = json.loads((root / f"experiments/{name}.json").read_bytes())
    return content


def test_questions_without_their_option_are_refused_with_it(root: Path, assay: Program):
    """One line says what to type; help and usage do not mention a file without an option."""
    (root / "my questions.csv").write_text("question\nWhen?\n")
    for typed, suggested in (("q.csv", "q.csv"), ("my questions.csv", "'my questions.csv'")):
        ran = assay("run", typed)
        assert ran.code == 2
        (line,) = ran.err.splitlines()
        assert line.endswith(f"--questions {suggested}")
    assert assay("run", "--help").out.splitlines()[0] == "Usage: assay run [OPTIONS]"


def test_one_system_is_scored_with_intervals(root: Path, assay: Program):
    """The answer is contained; the summary has the set's hash and version."""
    ran = assay("run", "--system", spec(root, "right"), "--questions", "q.csv", "--no-report")
    assert ran.code == 0, ran.err
    assert "Answer right" in ran.out
    assert "1.000 [" in ran.out
    header = summary(root, "run-q")
    assert header["questions_sha256"]
    assert header["extra"]["questions_version"]
    (variant,) = header["variants"]
    assert variant["settings"] == {}


def test_several_systems_are_compared_in_pairs(root: Path, assay: Program):
    """Two systems are variants of one run with a verdict; the silent one is wrong and abstains."""
    words = ("--system", spec(root, "right"), "--system", spec(root, "silent"))
    ran = assay("run", *words, "--questions", "q.csv", "--name", "two")
    assert ran.code == 0, ran.err
    assert "8 of 16 cases wrong or failed" in ran.out
    assert "abstained" in ran.out
    assert "against" in ran.out
    rows = [
        json.loads(line)
        for line in (root / "experiments/two.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(rows) == 16
    silent = [row for row in rows if row["config"].endswith("silent")]
    assert all(row["scores"]["wrong_abstention"] for row in silent)
    assert all(row["scores"]["answer_f1"] == 0 for row in silent)


def test_another_system_beside_it_asks_nothing_again(root: Path, assay: Program):
    """A third system is asked; the recorded answers of the first two stay."""
    pair = ("--system", spec(root, "right"), "--system", spec(root, "silent"))
    assay("run", *pair, "--questions", "q.csv", "--name", "three", "--no-report")
    before = (root / "experiments/three.jsonl").read_bytes()
    ran = assay(
        "run", *pair, "--system", spec(root, "right"), "--questions", "q.csv", "--name", "three",
        "--no-report",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    after = (root / "experiments/three.jsonl").read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--questions", "gone.csv"), "gone.csv"),
        (("--questions", "a.docx"), "it is a .jsonl, .csv, .xlsx or .txt file"),
        (("--questions", "q.csv", "--column", "question=Frage"), "there is no column 'Frage'"),
        (("--questions", "q.csv", "--column", "Frage"), "write it as ROLE=NAME"),
        (("--questions", "q.csv", "--primary", "nothing"), "no such mean or rate"),
        ((), "name a file of questions"),
    ],
)
def test_wrong_input_is_one_line(root: Path, assay: Program, words: tuple[str, ...], message: str):
    """Each message says what is wrong; nothing is asked."""
    (root / "a.docx").write_bytes(b"PK\xff")
    ran = assay("run", "--system", spec(root, "right"), *words)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_program_reads_the_figures_and_what_went_wrong(root: Path, assay: Program):
    """With --json, standard output is one object, also when nothing is asked again."""
    words = ("--system", spec(root, "right"), "--system", spec(root, "silent"))
    for _ in range(2):
        ran = assay("run", *words, "--questions", "q.csv", "--name", "two", "--json")
        assert ran.code == 0, ran.err
        said = json.loads(ran.out)
        assert (said["name"], said["state"], said["answers"]) == ("two", "complete", 16)
        assert said["questions_version"]
        right, silent = said["results"]["variants"].values()
        assert (right["answer_contained"], silent["answer_contained"]) == (1.0, 0.0)
        assert [fault["reason"] for fault in said["not_right"]] == ["abstained"] * 8


def test_a_deleted_row_pairs_no_other_question(root: Path, assay: Program):
    """The table has no ids: the other questions keep theirs, and the gate pairs only these."""
    words = ("--system", spec(root, "right"), "--no-report")
    assay("run", *words, "--questions", "q.csv", "--name", "old")
    lines = (root / "q.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (root / "new.csv").write_text("".join([*lines[:2], *lines[3:]]), encoding="utf-8")
    diff = assay("questions", "diff", "q.csv", "new.csv")
    assert "0 added, 1 removed, 0 changed" in diff.out
    assay("run", *words, "--questions", "new.csv", "--name", "new")
    files = ("--base", "old", "--cand", "new")  # the names of the runs
    metric = ("--metric", "answer_f1")
    compared = assay("compare", *files, *metric, "--allow-mismatch", "--allow-missing")
    assert compared.code == 0, compared.err
    assert "7 in both; 1 only in the base" in compared.out


def test_another_question_under_the_same_id_is_left_out(root: Path, assay: Program):
    """``--allow-mismatch`` never pairs two different questions; it counts them."""
    for name, asked in (("old", "Why?"), ("new", "When was it built?")):
        rows = [{"id": "a", "question": asked, "answer": "30 days"}]
        rows += [
            {"id": str(n), "question": f"How long {n}?", "answer": "30 days"} for n in range(6)
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (root / f"{name}.jsonl").write_text(text, encoding="utf-8")
        words = ("--questions", f"{name}.jsonl", "--name", name, "--no-report")
        assay("run", "--system", spec(root, "right"), *words)
    files = ("--base", "experiments/old.jsonl", "--cand", "experiments/new.jsonl")
    metric = ("--metric", "answer_f1", "--format", "json")
    compared = assay("compare", *files, *metric, "--allow-mismatch")
    assert "1 with the same id but another question, left out" in compared.out
    content = json.loads(compared.out)
    assert (content["same"], content["changed"], content["missing"]) == (6, [], [])


def test_a_run_with_numbered_questions_is_resumed(root: Path, assay: Program):
    """An earlier version named questions by their rows: they stay, as long as the file does."""
    words = ("run", "--system", spec(root, "right"), "--questions", "q.csv", "--no-report")
    assay(*words)
    journal = root / "experiments/run-q.jsonl"
    header = summary(root, "run-q")
    del header["extra"]["question_ids"]
    (root / "experiments/run-q.json").write_text(json.dumps(header), encoding="utf-8")
    journal.write_bytes(b"")
    again = assay(*words)
    assert again.code == 0, again.err
    rows = [json.loads(line) for line in journal.read_bytes().splitlines()]
    assert [row["question_id"] for row in rows] == [f"q{number}" for number in range(1, 9)]
    before = journal.read_bytes()
    assert assay(*words).code == 0
    assert journal.read_bytes() == before, "nothing was asked again"
    with (root / "q.csv").open("a", encoding="utf-8") as file:
        file.write("One more?,1,\n")
    refused = assay(*words)
    assert refused.code == 2
    assert "give the new run another --name" in refused.err


def test_a_set_with_expected_answers_only_is_shown_by_them(root: Path, assay: Program):
    """Table, verdict, list, JSON and report show the metric that decides, and no empty gold."""
    pair = ("--system", spec(root, "right"), "--system", spec(root, "silent"))
    words = ("run", *pair, "--questions", "q.csv", "--name", "two")
    ran = assay(*words, "--no-report")
    assert ran.code == 0, ran.err
    assert "Answer right [" in ran.out, "the verdict is printed without a report"
    assert "** p < 0.01" in ran.out, "and what the stars mean"
    assert "gold_any" not in ran.out + ran.err
    assert "Answer right (answer_contained)" in assay("list").out
    results = json.loads(assay(*words, "--json").out)["results"]
    assert (results["headline"], results["questions_without_gold"]) == ("answer_contained", 8)
    assay("report", "two", "--charts", "none")
    page = (root / "experiments/two.md").read_text(encoding="utf-8")
    overview = page.split("### Overview")[1].split("### Quality")[0]
    assert overview.index("answer_contained") < overview.index("cite_ok_rate")
    assert "gold" not in overview
    power = assay("questions", "power", "q.csv", "--run", "two")
    assert power.code == 0, power.err


def test_citations_are_not_shown_where_nothing_says_what_was_retrieved(root: Path, assay: Program):
    """They have no value, which is not 0; what decides comes first, in JSON they are null."""
    words = ("run", "--system", spec(root, "bare"), "--questions", "q.csv", "--name", "bare")
    out = assay(*words, "--charts", "none").out
    lines = out.splitlines()
    figures = [line.split("  ")[0] for line in lines[lines.index("") :] if " n=8" in line]
    assert figures[0] == "Answer right"
    assert "Valid citations" not in figures
    table = out.split("variant ", 1)[1]
    assert table.index("answer_contained") < table.index("answer_f1")
    assert "8 answers do not say which passages were retrieved: their citation scores" in table
    page = (root / "experiments/bare.md").read_text(encoding="utf-8")
    assert "cite_ok_rate" not in page.split("### Overview")[1].split("### Quality")[0]
    (values,) = json.loads(assay(*words, "--json").out)["results"]["variants"].values()
    assert (values["cite_ok_rate"], values["n"]["cite_ok_rate"]) == (None, 0)


def test_citations_keep_their_place_where_there_are_some(root: Path, assay: Program):
    """Gold decides and the answers cite: the order of the job stays, and what is right is shown."""
    line = {"id": "a", "question": "How long?", "answer": "30 days", "gold": ["a"]}
    (root / "gold.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    words = ("--system", spec(root, "right"), "--questions", "gold.jsonl", "--name", "gold")
    assay("run", *words, "--charts", "none")
    page = (root / "experiments/gold.md").read_text(encoding="utf-8")
    head = page.split("### Overview")[1].splitlines()[2]
    names = [cell.strip() for cell in head.strip("|").split("|")]
    assert names[1:6] == [
        "cite_ok_rate", "gold_hit_any_rate", "gold_hit_all_rate", "avg_gold_coverage",
        "answer_contained",
    ]  # fmt: skip


def test_two_files_of_one_name_are_two_runs(root: Path, assay: Program):
    """The second does not take the place of the first; each is found again."""
    (root / "q.txt").write_text("How long is the notice?\n", encoding="utf-8")
    for file in ("q.csv", "q.txt", "q.csv", "q.txt"):
        ran = assay("run", "--system", spec(root, "right"), "--questions", file, "--no-report")
        assert ran.code == 0, ran.err
    assert summary(root, "run-q")["questions_path"] == "q.csv"
    assert summary(root, "run-q-txt")["questions_path"] == "q.txt"
    assert not (root / "experiments/run-q-txt-2.json").exists()


def test_every_command_that_reads_questions_names_a_misspelt_field(root: Path, assay: Program):
    """Otherwise the expected answers are missing without a word."""
    (root / "bad.jsonl").write_text('{"id": "a", "question": "x?", "anwser": "1"}\n', "utf-8")
    note = "ignored 1 field: anwser (did you mean 'answer'?)"
    system = ("--system", spec(root, "right"))
    for words in (
        ("run", *system, "--questions", "bad.jsonl", "--no-report"),
        ("questions", "check", "bad.jsonl"),
        ("questions", "diff", "bad.jsonl", "bad.jsonl"),
        ("questions", "power", "bad.jsonl"),
    ):
        done = assay(*words)
        assert note in done.err + done.out, words


def test_a_system_beside_others_goes_on_with_their_run(root: Path, assay: Program):
    """Only the added system is asked, and the run keeps its name."""
    for names in (("right", "silent"), ("right", "silent", "vain")):
        systems = (word for name in names for word in ("--system", spec(root, name)))
        ran = assay("run", *systems, "--questions", "q.csv", "--no-report")
        assert ran.code == 0, ran.err
    assert [path.stem for path in (root / "experiments").glob("*.json")] == ["run-q"]
    assert len((root / "experiments/run-q.jsonl").read_bytes().splitlines()) == 24


def test_a_second_system_does_not_replace_the_first_run(root: Path, assay: Program):
    """Both are listed, each is found again by its own command, and the gate compares them."""
    for name in ("right", "silent", "right", "silent"):
        words = ("--system", spec(root, name), "--questions", "q.csv", "--no-report")
        ran = assay("run", *words)
        assert ran.code == 0, ran.err
    names = {path.stem for path in (root / "experiments").glob("*.json")}
    (second,) = names - {"run-q"}
    assert second.endswith(".silent")
    assert summary(root, "run-q")["variants"][0]["name"].endswith(".right")
    files = [f"experiments/{name}.jsonl" for name in ("run-q", second)]
    compared = assay("compare", "--base", files[0], "--cand", files[1])
    assert compared.code == 1, compared.err


def test_answers_that_are_scored_in_part_are_counted(root: Path, assay: Program):
    """A row says that only the beginning and the end of its answer were scored, and a note counts such rows."""
    words = ("run", "--system", spec(root, "endless"), "--questions", "q.csv", "--name", "endless")
    note = "of 8 answers only the beginning and the end were scored"
    ran = assay(*words)
    assert (ran.out + ran.err).lower().count(note) == 1
    assert (root / "experiments" / "endless.md").read_text(encoding="utf-8").lower().count(
        note
    ) == 1
    rows = (root / "experiments" / "endless.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(row)["scored_in_part"] is True for row in rows)
    for further in ("--no-report", "--json"):
        assert assay(*words, "--resume=fresh", further).err.count(f"note: {note}") == 1
    whole = assay("run", "--system", spec(root, "right"), "--questions", "q.csv", "--name", "w")
    assert "only the beginning" not in whole.err + whole.out
    assert "scored_in_part" not in (root / "experiments" / "w.jsonl").read_text(encoding="utf-8")


def test_answers_that_were_cut_off_are_counted(root: Path, assay: Program):
    """Once in what the run prints, and in its report; a run without such answers has no note."""
    ran = assay("run", "--system", spec(root, "cut"), "--questions", "q.csv", "--name", "cut")
    assert (ran.out + ran.err).count("2 answers were cut off at the limit of tokens") == 1
    report = (root / "experiments" / "cut.md").read_text(encoding="utf-8")
    assert report.count("2 answers were cut off at the limit of tokens.") == 1
    words = ("run", "--system", spec(root, "cut"), "--questions", "q.csv", "--name", "cut")
    for further in ("--no-report", "--json"):
        told = assay(*words, "--resume=fresh", further)
        assert told.err.count("note: 2 answers were cut off at the limit of tokens") == 1
    whole = assay("run", "--system", spec(root, "right"), "--questions", "q.csv", "--name", "w")
    assert "cut off" not in whole.err + whole.out


@pytest.mark.parametrize("name", ["q1\n\ngate passed\n::warning::x", "::warning::x", "a\x1b[2Jb"])
def test_an_id_cannot_forge_lines(root: Path, assay: Program, name: str):
    """No line of the terminal begins with what the data say, for a reader or GitHub Actions."""
    question = {"id": name, "question": "How long?", "answer": "30 days"}
    (root / "q.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    systems = ("--system", spec(root, "silent"), "--system", spec(root, "cut"))
    for words in (systems[:2], systems):
        ran = assay("run", *words, "--questions", "q.jsonl", "--name", f"n{len(words)}")
        for line in (ran.out + ran.err).splitlines():
            assert not line.lstrip().startswith(("gate passed", "::"))
            assert "\x1b" not in line
        assert "1 of 1" in ran.out or "of 2 cases unsure, 1 wrong" in ran.out


def test_nothing_is_wrong_where_nothing_is_known(root: Path, assay: Program):
    """Questions without gold and answers: no case is listed, whether or not passages are named."""
    (root / "q.jsonl").write_text('{"id": "a", "question": "How long?"}\n', encoding="utf-8")
    plain = assay("run", "--system", spec(root, "cut"), "--questions", "q.jsonl", "--name", "p")
    assert "wrong or failed" not in plain.out
    empty = assay("run", "--system", spec(root, "vain"), "--questions", "q.jsonl", "--name", "v")
    assert "wrong or failed" not in empty.out
    assert "Whether the 1 answer is right is not known." in empty.out


def test_a_metric_of_few_questions_has_a_wide_interval_in_the_first_list(
    root: Path, assay: Program
):
    """Three equal scores are not certain, and the log says run."""
    lines = [
        {"question": f"Q{n}?", "answer": "30 days of notice", "source": "a.md"} for n in range(3)
    ]
    lines += [{"question": f"R{n}?", "source": name} for n in range(4) for name in ("b", "c", "d")]
    rows = ({"id": f"q{number}", **line} for number, line in enumerate(lines))
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (root / "few.jsonl").write_text(text, encoding="utf-8")
    ran = assay("run", "--system", spec(root, "right"), "--questions", "few.jsonl", "--no-report")
    assert ran.code == 0, ran.err
    line = next(each for each in ran.out.splitlines() if each.startswith("Answer F1 "))
    low, high = re.search(r"\[([0-9.]+), ([0-9.]+)\]  n=3$", line).groups()  # type: ignore[union-attr]
    assert float(high) - float(low) > 0.5
    assert "[run] 15/15 " in ran.out


FAILING = """
KEY = "sk-proj-abcdef0123456789abcdef0123456789abcdef"
LOGIN = "https://user:hunter2secret@example.com/x?api_key=topsecret123456"

def ask(question):
    if "1" in question:
        return f"the key is {KEY}"
    raise RuntimeError(f"401 with key {KEY} for {LOGIN}")

def loud(question):
    print("\\x1b]0;pwn\\x07hello\\x1b[2J")
    return "30 days"
"""


def test_a_key_in_an_error_is_neither_written_nor_shown(root: Path, assay: Program):
    """It is known by its form alone; an answer stays as it is."""
    (root / "failing_rag.py").write_text(FAILING, encoding="utf-8")
    ran = assay("run", "--system", "python:failing_rag:ask", "--questions", "q.csv")
    assert "401 with key ***" in ran.out + ran.err
    written = {
        path: path.read_text(encoding="utf-8", errors="replace")
        for path in (root / "experiments").rglob("*")
        if path.suffix in {".json", ".jsonl", ".md", ".txt", ".html"}
    }
    assert written
    for text in (ran.out, ran.err, *written.values()):
        assert "hunter2secret" not in text
        assert "topsecret123456" not in text
    rows = (root / "experiments/run-q.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, rows):
        assert "sk-proj" not in row.get("error", "")
        assert row["status"] == "failed" or "sk-proj" in row["answer"]
    assert "sk-proj" not in assay("report", "run-q", "--format", "md").out


@pytest.mark.parametrize("isolate", [False, True])
def test_what_a_system_prints_does_not_steer_the_terminal(
    root: Path, assay: Program, isolate: bool
):
    """Escape sequences are shown as text, also from a process of its own."""
    (root / "failing_rag.py").write_text(FAILING, encoding="utf-8")
    (root / "experiments").mkdir(exist_ok=True)
    system = "{kind: python, target: 'failing_rag:loud', isolate: process}"
    text = f"systems:\n  apart: {system}\n"
    (root / "experiments/experiments.yaml").write_text(text, encoding="utf-8")
    chosen = "apart" if isolate else "python:failing_rag:loud"
    ran = assay("run", "--system", chosen, "--questions", "q.csv", "--no-report")
    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out + ran.err
    assert "\x07" not in ran.out + ran.err
    assert r"\x1b]0;pwn\x07hello\x1b[2J" in ran.out


def test_the_terminal_says_why_cases_failed(root: Path, assay: Program):
    """The error of a failed case is below it, and once if all failed for one reason."""
    ran = assay("run", "--questions", "q.csv", "--system", spec(root, "number"), "--name", "num")
    lines = ran.out[ran.out.index("8 of 8 cases wrong or failed") :].splitlines()
    assert "failed (system): Question 0?" in lines[1]
    assert lines[2].startswith("    ")
    assert "int" in lines[2]
    assert sum("int" in line for line in lines) == 1
