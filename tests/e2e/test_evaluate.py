"""``assay evaluate``: answers that exist already, scored by the installed command."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

HEAD = ("question", "answer", "contexts", "latency_ms", "cost", "rating", "status")
NOTICE = json.dumps(["Notice is given thirty days ahead."])
ROWS = [
    ("How long is the notice period?", "It is 30 days.", NOTICE, "812", "0.002", "1", "ok"),
    ("how long is the notice period", "It is 45 days.", NOTICE, "420", "0.001", "-1", "ok"),
    ("How is travel paid?", "I could not find that in the documents.", "[]", "300", "0.001", "", "ok"),
    ("Сколько длится отпуск?", "It says “the holiday is four weeks long”.", NOTICE, "", "", "1", "ok"),
    ("Who approves it?", "", "", "", "", "", "timeout"),
]  # fmt: skip


def write_log(path: Path, rows: list[tuple[str, ...]] = ROWS, head: tuple[str, ...] = HEAD) -> None:
    """A log as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])


def rows_of(journal: Path) -> list[dict[str, Any]]:
    """The rows of a journal."""
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


def test_what_can_be_said_without_gold_comes_first(assay: Any):
    """With counts and examples; what was not measured is not called wrong, and one line says what would tell."""
    write_log(assay.folder / "log.csv")
    ran = assay.run("evaluate", "log.csv")
    assert ran.returncode == 0, ran.stderr
    said = [line.strip().replace("\u00a0", " ") for line in ran.stdout.splitlines()]
    first = said.index(
        "Which of the 4 answers are right is not known. What they show by themselves:"
    )
    assert said[first + 1].startswith("Abstained: 1 of 4, 25 % [")
    assert said[first + 2].endswith("How is travel paid? → I could not find that in the documents.")
    assert any(line.startswith("Without any passage: 1 of 4, 25 %") for line in said)
    assert any(line.startswith("Figure in no passage: 2 of 3, 67 %") for line in said)
    assert any(line.endswith("how long is the notice period → “45”") for line in said)
    assert any(line.startswith("Quotation in no passage: 1 of 1, 100 %") for line in said)
    assert any(line.startswith("In another language: 1 of 2, 50 %") for line in said)
    assert any(line.startswith("Rated good by users: 2 of 3, 67 %") for line in said)
    assert "Latency: median 0.42 s, 95 % have at most 0.77 s" in said
    assert "Cost: 0.004 in all, 0.001333 an answer" in said
    assert "Questions by their script: Latin 4, Cyrillic 1" in said
    assert any(line.startswith("1 question is nearly the same as an earlier one") for line in said)
    assert "without an answer: 1 of 5 cases" in said
    command = "assay labels plan log-log --metric abstained --draw 4 --out labels.csv"
    assert any(
        line.startswith(f"4 labels or a judge would tell how many are right: {command}; or: ")
        for line in said
    )
    report = (assay.folder / "experiments" / "log-log.md").read_text(encoding="utf-8")
    assert report.index("## What the answers show") < report.index("### ")
    for text in (ran.stdout, ran.stderr, report):
        assert "wrong" not in text
        assert "itation" not in text.replace("Quotation", "")  # no answer cites
    drawn = assay.run(*command.split()[1:])
    assert drawn.returncode == 0, drawn.stderr
    assert len((assay.folder / "labels.csv").read_text(encoding="utf-8").splitlines()) == 5


def test_a_replayed_log_is_not_called_wrong_either(assay: Any):
    """``assay run`` on the same log: 200 production answers are not 200 faults."""
    write_log(assay.folder / "log.csv", ROWS[:4])
    ran = assay.run("run", "--questions", "log.csv", "--system", "replay:log.csv", "--column", "response=answer")  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "wrong" not in ran.stdout
    assert "Which of the 4 answers are right is not known." in ran.stdout
    as_json = assay.run("run", "--questions", "log.csv", "--system", "replay:log.csv", "--column", "response=answer", "--json")  # fmt: skip
    found = json.loads(as_json.stdout)
    assert (found["not_right"], found["primary"]) == ([], "abstained")
    assert not found["observations"]["right_is_known"]


def test_the_same_command_scores_what_is_new_or_has_changed(assay: Any):
    """A longer log keeps its rows; a changed answer is noticed, scored again and counted once."""
    log, journal = assay.folder / "log.csv", assay.folder / "experiments" / "log-log.jsonl"
    write_log(log, ROWS[:3])
    assert assay.run("evaluate", "log.csv", "--no-report").returncode == 0
    before = rows_of(journal)
    write_log(log, ROWS[:4])
    grown = assay.run("evaluate", "log.csv", "--no-report")
    assert "3 cases recorded earlier" in grown.stdout
    assert [row["key"] for row in rows_of(journal)[:3]] == [row["key"] for row in before]
    assert len(rows_of(journal)) == 4
    changed = [ROWS[0], (ROWS[1][0], "It is 30 days.", *ROWS[1][2:]), *ROWS[2:4]]
    write_log(log, changed)
    again = assay.run("evaluate", "log.csv", "--no-report")
    assert again.returncode == 0, again.stderr
    assert "1 row of the log has changed since it was scored, and is scored again" in again.stderr
    assert "Figure in no passage: 1 of 3" in again.stdout
    assert "Cost: 0.004 in all" in again.stdout
    write_log(assay.folder / "other.csv", ROWS[:2])
    taken = assay.run("evaluate", "other.csv", "--name", "log-log")
    assert (taken.returncode, len(taken.stderr.splitlines())) == (2, 1)
    assert "this name belongs to a run of log:log.csv" in taken.stderr


def test_expected_answers_are_told_as_well(assay: Any):
    """Then the share of right answers is said, and no labels are asked for."""
    rows = [
        ("How long?", "30 days.", "30 days"),
        ("Is it open?", "Yes.", "no"),
        ("How far?", "9 km.", "12 km"),
    ]
    write_log(assay.folder / "log.csv", rows, ("question", "answer", "ground_truth"))
    ran = assay.run("evaluate", "log.csv", "--json")
    found = json.loads(ran.stdout)
    assert found["results"]["variants"]["answers"]["answer_contained"] == pytest.approx(1 / 3)
    assert found["observations"]["right_is_known"]
    shown = assay.run("evaluate", "log.csv")
    assert "What 3 answers show by themselves:" in shown.stdout
    assert "Answer right" in shown.stdout
    assert "would tell how many are right" not in shown.stdout
    assert "1 of 3 cases unsure, 1 wrong or failed:" in shown.stdout


def test_citations_are_checked_if_an_answer_cites(assay: Any):
    """Only then."""
    rows = [("How long?", "30 days [1].", NOTICE), ("Who pays?", "The tenant [4].", NOTICE)]
    write_log(assay.folder / "log.csv", rows, ("question", "answer", "contexts"))
    assert "Valid citations: 1 of 2" in assay.run("evaluate", "log.csv", "--no-report").stdout


def test_two_logs_are_compared_by_what_they_have(assay: Any):
    """The gate says that abstentions are not right answers; a metric of the passages can be chosen."""
    for name, answer in (("old", "It is 30 days."), ("new", "I could not find that.")):
        rows = [(f"How long is {n}?", answer if n % 2 else "It is 45 days.", NOTICE) for n in range(24)]  # fmt: skip
        write_log(assay.folder / f"{name}.csv", rows, ("question", "answer", "contexts"))
        assert assay.run("evaluate", f"{name}.csv", "--no-report").returncode == 0
    both = ("compare", "--base", "log-old", "--cand", "log-new")
    ran = assay.run(*both)
    assert ran.returncode == 1, ran.stderr
    assert "Abstained (abstained; lower is better)" in ran.stdout
    assert "fewer abstentions are not more right answers" in ran.stdout
    assert assay.run(*both, "--metric", "unsupported_figure").returncode == 0


def test_personal_data_is_masked(assay: Any):
    """In the journal, the report and the terminal; scores are those of the text as it was."""
    rows = [("Who is ann@example.org?", "Write to bob@example.org by 3 May.", NOTICE)]
    write_log(assay.folder / "log.csv", rows, ("question", "answer", "contexts"))
    ran = assay.run("evaluate", "log.csv", "--redact", "outputs", "--no-key")
    assert ran.returncode == 0, ran.stderr
    written = "".join(
        path.read_text(encoding="utf-8") for path in (assay.folder / "experiments").glob("log-*.*")
    )
    for text in (ran.stdout, ran.stderr, written):
        assert "ann@example.org" not in text
        assert "bob@example.org" not in text
    assert "Figure in no passage: 1 of 1" in ran.stdout


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_it_is_said_in_three_languages(assay: Any, lang: str):
    """No English sentence is left."""
    write_log(assay.folder / "log.csv")
    ran = assay.run("evaluate", "log.csv", "--lang", lang)
    assert {"zh": "不知道", "ru": "неизвестно"}[lang] in ran.stdout
    for english in ("What they show", "of 4", "Length:", "would tell", "without an answer"):
        assert english not in ran.stdout


def test_wrong_input_is_one_line(assay: Any):
    """With the columns that there are, and the option; rows of a run are no log."""
    write_log(assay.folder / "log.csv", [("Who?", "x")], ("question", "note"))
    ran = assay.run("evaluate", "log.csv")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
    assert "there are: question, note; name it with --column response=NAME" in ran.stderr
    assert assay.run("evaluate", "log.csv", "--column", "response=note").returncode == 0
    ran = assay.run("evaluate", "log.csv", "--column", "latency=note")
    assert "not one of" in ran.stderr
    assert "latency_s, latency_ms, cost, rating" in ran.stderr
    ran = assay.run("evaluate", "experiments/log-log.jsonl")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
    assert "these are rows of a run" in ran.stderr
    (assay.folder / "empty.csv").write_text("")
    assert "the file has no rows" in assay.run("evaluate", "empty.csv").stderr


def test_columns_that_are_not_used_are_said(assay: Any):
    """With the option by which a user says what they hold."""
    write_log(assay.folder / "log.csv", [("Who?", "x", "1.5")], ("question", "answer", "latency"))
    ran = assay.run("evaluate", "log.csv", "--no-report")
    assert "log.csv: no metric uses latency; --column ROLE=NAME" in ran.stdout + ran.stderr
    ran = assay.run("evaluate", "log.csv", "--no-report", "--column", "latency_s=latency")
    assert "no metric uses" not in ran.stdout + ran.stderr


def test_a_log_in_another_language_is_not_called_free_of_abstentions(assay: Any):
    """Abstentions are recognised in three languages, and a log in German is said to be of another."""
    rows = [(f"Wer prüft Antrag {n}?", "Dazu finde ich leider nichts.") for n in range(4)]
    write_log(assay.folder / "log.csv", rows, ("question", "answer"))
    line = "4 of 4 questions in Latin script have letters that English has not"
    assert line in assay.run("evaluate", "log.csv", "--no-report").stdout
    write_log(assay.folder / "en.csv", [("Where is the café?", "x"), *[(f"Who {n}?", "x") for n in range(20)]], ("question", "answer"))  # fmt: skip
    assert "English has not" not in assay.run("evaluate", "en.csv", "--no-report").stdout


def test_workbooks_and_json_lines_are_logs(assay: Any):
    """As tables of questions are."""
    from openpyxl import Workbook  # noqa: PLC0415 - slow to import

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (HEAD[:2], *[row[:2] for row in ROWS[:3]]):
        sheet.append(row)
    book.save(assay.folder / "log.xlsx")
    lines = [json.dumps(dict(zip(HEAD, row, strict=True))) for row in ROWS[:3]]
    (assay.folder / "log.jsonl").write_text("\n".join(lines))
    for name in ("log.xlsx", "log.jsonl"):
        ran = assay.run("evaluate", name, "--no-report")
        assert ran.returncode == 0, ran.stderr
        assert "Which of the 3 answers are right is not known." in ran.stdout
