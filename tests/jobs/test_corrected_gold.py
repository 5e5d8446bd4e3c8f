"""Correcting gold or expected answers: recorded answers are judged again and not asked again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.data.question import CorpusQuestion
from assay.errors import JournalStale
from assay.jobs.answers.handler import asked, compared_with
from assay.jobs.depth.plan import LayoutOptions
from assay.jobs.depth.preparation import DepthOptions
from assay.jobs.depth.preparation import prepare as prepare_depth
from assay.jobs.prepared import RunOptions
from assay.records import Question, digest
from assay.runs.summary import RunResult
from assay.runs.write import plan_path, summary_path
from assay.study.analysis import analyse_run
from tests.support.harbour import prepare_experiment, run_silently, write_harbour
from tests.support.program import Program, program

QUESTIONS = "questions/questions.jsonl"


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_harbour(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def run(root: Path, **options: Any) -> RunResult:
    """Run the experiment, which has two variants."""
    return run_silently(prepare_experiment(root, **options))


def journal_of(root: Path) -> Path:
    """The journal of the experiment."""
    return root / "experiments/berths.jsonl"


def rows(root: Path) -> list[dict[str, Any]]:
    """The rows of the journal, in file order."""
    return [json.loads(line) for line in journal_of(root).read_text().splitlines()]


def edit(path: Path, question_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Edit a question of a file."""
    questions = [json.loads(line) for line in path.read_text().splitlines()]
    for question in questions:
        if question.get("id") == question_id:
            change(question)
    path.write_text("".join(json.dumps(question) + "\n" for question in questions))


def correct(root: Path, question_id: str = "berth-002", **fields: Any) -> None:
    """Correct fields of a question; by default its gold, to a chunk that nobody retrieves."""
    fields = fields or {"gold_chunk_ids": ["fee-99"]}
    edit(root / QUESTIONS, question_id, lambda question: question.update(fields))


def as_version_1(root: Path) -> None:
    """Change the journal into what the first version recorded: fingerprints cover the gold."""
    journal = journal_of(root)
    lines = []
    for row in rows(root):
        question = CorpusQuestion(
            id=row["question_id"],
            text=row["question"],
            source=row["source"],
            gold=tuple(row["gold_chunk_ids"]),
            answerable=row.get("answerable"),
        )
        start = row["fingerprint"].rpartition("-")[0]
        del row["scored_against"]
        row |= {"fingerprint": f"{start}-{digest(question)}", "schema_version": 1}
        lines.append(json.dumps(row) + "\n")
    journal.write_text("".join(lines))
    summary = json.loads(summary_path(journal).read_text())
    summary |= {"schema_version": 1, "judging": ""}
    summary_path(journal).write_text(json.dumps(summary))
    plan_path(journal).unlink()


def test_corrected_gold_is_judged_and_not_asked(root: Path, assay: Program):
    """``assay ablate`` says how many answers it judged again, and the report has their scores."""
    run(root, limit=4)
    before = journal_of(root).read_bytes()
    correct(root)
    ran = assay("ablate", "-e", "berths", "--limit", "4")
    assert ran.code == 0, ran.err
    assert "2 recorded answers were judged, without asking again" in ran.err
    assert "all 8 cases were recorded earlier; nothing was asked" in ran.err
    assert journal_of(root).read_bytes().startswith(before)
    last = rows(root)[-2:]
    assert {row["question_id"] for row in last} == {"berth-002"}
    assert {row["scores"]["gold_coverage"] for row in last} == {0.0}
    assert {tuple(row["gold_chunk_ids"]) for row in last} == {("fee-99",)}
    variants = analyse_run(journal_of(root)).analysis.variants
    assert [variant.cells["avg_gold_coverage"].value for variant in variants] == [0.75, 0.5]


def test_a_row_records_what_it_was_compared_with(root: Path):
    """The digest covers the gold and whether there is an answer; the fingerprint does not."""
    run(root, limit=2)
    first = {row["key"]: row for row in rows(root)}
    correct(root)
    run(root, limit=2)
    last = {row["key"]: row for row in rows(root)}
    for key, row in last.items():
        assert row["fingerprint"] == first[key]["fingerprint"]
        is_same = row["scored_against"] == first[key]["scored_against"]
        assert is_same == (row["question_id"] != "berth-002")


def test_nothing_is_judged_twice(root: Path):
    """After the correction the next run changes no file."""
    run(root, limit=4)
    correct(root)
    assert run(root, limit=4).judged == 2
    before = journal_of(root).read_bytes()
    result = run(root, limit=4)
    assert (result.asked, result.judged) == (0, 0)
    assert journal_of(root).read_bytes() == before


def test_a_question_that_becomes_unanswerable_is_judged_so(root: Path):
    """Gold that is removed is removed from the row as well."""
    run(root, limit=2)
    correct(root, gold_chunk_ids=[], answerable=False)
    assert run(root, limit=2).judged == 2
    assert rows(root)[-1]["answerable"] is False
    correct(root, answerable=None)
    assert run(root, limit=2).judged == 2
    assert "answerable" not in rows(root)[-1]
    assert rows(root)[-1]["scores"]["gold_coverage"] is None


def test_a_correction_outside_the_limit_is_noticed_when_it_counts_again(root: Path):
    """The rows that were outside the plan are judged by the corrected gold."""
    run(root, limit=4)
    correct(root, "berth-003")
    assert run(root, limit=2).judged == 0
    assert run(root, limit=4).judged == 2
    assert analyse_run(journal_of(root)).results.scores.values["scores.gold_coverage"][0, 2] == 0


def test_a_question_that_is_asked_in_other_words_is_stale(root: Path):
    """What the system was asked decides, and only this."""
    run(root, limit=4)
    correct(root, question="What does berth 2 of the harbour cost a year?")
    with pytest.raises(JournalStale, match=r"the content of 1 question changed: berth-002"):
        run(root, limit=4)


def test_the_system_does_not_see_the_gold(root: Path):
    """What it is asked is what the fingerprint covers."""
    prepared = prepare_experiment(root, limit=1)
    case = next(iter(prepared.plan.cases()))
    assert case.question.gold
    prompt = prepared.handler.compose(case)
    assert prompt.question == Question(
        id="berth-001", text=case.question.text, source=case.question.source
    )
    assert case.fingerprint.endswith(digest(prompt.question))


def test_scores_that_were_given_in_place_give_way_to_the_questions_of_the_run(
    root: Path, assay: Program
):
    """After ``assay score --questions OTHER --in-place`` the next run judges by its own file."""
    run(root, limit=2)
    before = rows(root)
    other = root / "other.jsonl"
    other.write_text((root / QUESTIONS).read_text())
    edit(other, "berth-001", lambda question: question.update(gold_chunk_ids=["fee-99"]))
    assert assay("score", "berths", "--questions", other, "--in-place").code == 0
    assert "scored_against" not in next(row for row in rows(root) if "fee-99" in str(row))
    result = run(root, limit=2)
    assert (result.asked, result.judged) == (0, 2)
    last = {row["key"]: row for row in rows(root)}
    assert {key: row["scores"] for key, row in last.items()} == {
        row["key"]: row["scores"] for row in before
    }


def test_rows_that_were_compared_with_something_else_are_noticed(root: Path):
    """The digest of the row decides, even if the header says that nothing changed."""
    run(root, limit=2)
    lines = [{**row, "scored_against": "00000000"} for row in rows(root)]
    journal_of(root).write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = run(root, limit=2)
    assert (result.asked, result.judged) == (0, 4)
    assert "00000000" not in {row["scored_against"] for row in rows(root)[4:]}
    assert run(root, limit=2).judged == 0


# --- fingerprints of the first version, which cover the gold ----------------------------


def test_a_fingerprint_of_version_1_counts_as_current(root: Path):
    """Nothing is asked, judged or written if neither question nor gold changed."""
    run(root, limit=4)
    as_version_1(root)
    before = journal_of(root).read_bytes()
    result = run(root, limit=4)
    assert (result.asked, result.judged, result.tally.scored) == (0, 0, 8)
    assert journal_of(root).read_bytes() == before


def test_corrected_gold_of_version_1_is_judged_and_not_asked(root: Path):
    """The row has the gold that its fingerprint covers, so that the correction is recognised."""
    run(root, limit=4)
    as_version_1(root)
    correct(root)
    result = run(root, limit=4)
    assert (result.asked, result.judged) == (0, 2)
    assert {row["scores"]["gold_coverage"] for row in rows(root)[-2:]} == {0.0}
    correct(root, gold_chunk_ids=["fee-2"])
    result = run(root, limit=4)
    assert (result.asked, result.judged) == (0, 2)
    assert {row["scores"]["gold_coverage"] for row in rows(root)[-2:]} == {1.0, 0.0}


def test_a_dry_run_does_not_take_corrected_gold_for_an_edit(root: Path, assay: Program):
    """It announces what the run does: nothing is stale, and nothing is left to ask."""
    run(root, limit=4)
    as_version_1(root)
    correct(root)
    ran = assay("ablate", "-e", "berths", "--limit", "4", "--dry-run")
    assert ran.code == 0, ran.err
    assert "stale" not in ran.out


def test_another_question_of_version_1_is_stale(root: Path):
    """Corrected gold does not hide that the words of the question changed."""
    run(root, limit=4)
    as_version_1(root)
    correct(root, question="What does berth 2 of the harbour cost a year?", gold_chunk_ids=["x"])
    with pytest.raises(JournalStale, match="berth-002"):
        run(root, limit=4)


# --- other jobs --------------------------------------------------------------------------


def depth_files(root: Path) -> tuple[Path, Path]:
    """A novel and questions about it, as files."""
    between = ("It rained.", "The sea was calm that day.", "Nobody came to the tower at night.")
    novel = " ".join(
        f"On day {n} the keeper lit lamp {n} with oil from jar {n}. {between[n % 3]}"
        for n in range(400)
    )
    (root / "novel.txt").write_text(novel)
    questions = [
        {
            "id": f"d{n}",
            "question": f"From which jar came the oil of lamp {n}?",
            "choice": {"a": "none", "b": f"jar {n}", "c": "the sea", "d": "a well"},
            "answer": ["b"],
            "evidence": f"On day {n} the keeper lit lamp {n} with oil from jar {n}.",
        }
        for n in (50, 150, 250, 350)
    ]
    path = root / "deep.jsonl"
    path.write_text("".join(json.dumps(question) + "\n" for question in questions))
    return root / "novel.txt", path


def test_a_corrected_answer_of_a_depth_test_is_judged_and_not_asked(root: Path, assay: Program):
    """The letters that were right are corrected; the recorded replies get their new scores."""
    novel, questions = depth_files(root)
    words = (
        "depth", "--novel", novel, "--questions", questions, "--context-lengths", "500",
        "--depth-mode", "fixed", "--depth", "50", "--system", "reader:4000",
        "--out", "deep_results.jsonl",
    )  # fmt: skip
    ran = assay(*words)
    assert ran.code == 0, ran.err
    assert "4 scored" in ran.err, ran.out
    edit(questions, "d150", lambda question: question.update(answer=["c"]))
    ran = assay(*words)
    assert ran.code == 0, ran.err
    assert "1 recorded answer was judged, without asking again" in ran.err
    last = json.loads((root / "deep_results.jsonl").read_text().splitlines()[-1])
    assert (last["question_id"], last["correct_answer"], last["score"]) == ("d150", ["c"], 0.0)


def test_a_depth_case_of_version_1_counts_as_current(root: Path):
    """Its fingerprint covers the right answers; a correction of them is recognised."""
    novel, questions = depth_files(root)
    options = DepthOptions(
        layout=LayoutOptions(context_lengths="500", mode="fixed", depth="50"),
        novel=novel,
        questions=questions,
        system="reader:4000",
        out=root / "deep_results.jsonl",
    )

    def again() -> RunResult:
        runs = prepare_depth(options, RunOptions(root=root))
        (prepared,) = runs.prepared()
        return run_silently(prepared)

    assert again().asked == 4
    runs = prepare_depth(options, RunOptions(root=root))
    (prepared,) = runs.prepared()
    assert prepared.plan.further_marks is not None
    formers = {
        key: f"{mark.rpartition('-')[0]}-{further.former()}"
        for (key, mark), further in zip(
            prepared.plan.marks(), prepared.plan.further_marks(), strict=True
        )
        if further.former is not None
    }
    journal = root / "deep_results.jsonl"
    head, *lines = journal.read_text().splitlines()
    old = [json.loads(line) for line in lines]
    for row in old:
        row["fingerprint"] = formers[row["key"]]
        del row["scored_against"]
    journal.write_text("\n".join([head, *map(json.dumps, old)]) + "\n")
    assert (again().asked, again().judged) == (0, 0)
    edit(questions, "d150", lambda question: question.update(answer=["c"]))
    result = again()
    assert (result.asked, result.judged) == (0, 1)


def test_a_fingerprint_covers_the_question_alone():
    """Two questions that differ in gold have the same fingerprint and other digests of gold."""
    first = CorpusQuestion(id="q", text="Why?", gold=("a",), answerable=True)
    second = replace(first, gold=("b",))
    assert asked(first) == asked(second)
    assert digest(compared_with(first)) != digest(compared_with(second))
