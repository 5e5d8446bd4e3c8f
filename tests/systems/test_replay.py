"""Recorded answers as a system."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError, SystemFailed, SystemLoadError
from assay.records import Answer, Passage, Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.systems.load import SystemContext, load_system
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem

QUESTIONS = [Question(id=f"q{n}", text=f"question {n}?") for n in range(2)]
VARIANTS = [Variant(name="a", settings={"dim": 1}), Variant(name="b", settings={"dim": 2})]


def record(journal: Path, top_ks: tuple[int, ...] = (10,)) -> Path:
    """Record a run whose answers contain the question, the settings and ``top_k``."""

    class EchoSystem(ScriptedSystem):
        async def ask(self, question: Question, settings: Any, top_k: int) -> Answer:
            """Answer with the question's id, a setting and ``top_k``."""
            return Answer(
                text=f"{question.id} {settings['dim']} {top_k}",
                passages=(Passage(id="c1", page=2),),
                finish_reason="stop",
                extra={"lang": "ru"},
            )

    plan = product_plan(
        questions=QUESTIONS,
        variants=VARIANTS,
        placements=[top_k_placement(k) for k in top_ks],
        system="s",
    )
    header = RunHeader(job="j", name="r", system="s", variants=plan.variants, total=plan.total)
    run_plan(plan, SystemHandler(EchoSystem({})), header, journal)
    return journal


def ask(system: Any, question_id: str, settings: dict[str, Any], top_k: int = 10) -> Answer:
    """Ask one question and return the answer."""
    answer: Answer = asyncio.run(system.ask(Question(id=question_id, text="any"), settings, top_k))
    return answer


def write(path: Path, *rows: dict[str, Any]) -> Path:
    """Write rows in the form of another program."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_answers_come_back_by_question_and_settings(tmp_path: Path):
    """A run gets the answers that another run recorded, without the system."""
    system = load_system(f"replay:{record(tmp_path / 'r.jsonl')}")
    answer = ask(system, "q1", {"dim": 2})
    assert answer.text == "q1 2 10"
    assert answer.passages == (Passage(id="c1", page=2),)
    assert (answer.finish_reason, answer.extra) == ("stop", {"lang": "ru"})
    assert ask(system, "q0", {"dim": 1}).text == "q0 1 10"
    assert system.settings is None
    assert system.max_concurrency is None


def test_answers_come_back_by_top_k(tmp_path: Path):
    """The answer must have been recorded with the same ``top_k``."""
    system = ReplaySystem(record(tmp_path / "r.jsonl", top_ks=(3, 10)))
    assert ask(system, "q1", {"dim": 2}, 3).text == "q1 2 3"
    assert ask(system, "q1", {"dim": 2}, 10).text == "q1 2 10"


def test_a_question_recorded_once_is_answered_for_any_settings(tmp_path: Path):
    """If a question has only one recorded answer, it is used for any settings."""
    path = write(tmp_path / "r.jsonl", {"key": "k", "question_id": "q0", "answer": "x"})
    assert ask(ReplaySystem(path), "q0", {"whatever": 1}).text == "x"


def test_what_was_not_recorded_fails(tmp_path: Path):
    """An unknown question, or one recorded with other settings only, fails with a message."""
    system = ReplaySystem(record(tmp_path / "r.jsonl"))
    with pytest.raises(SystemFailed, match="no answer recorded for 'q9' at all"):
        ask(system, "q9", {})
    with pytest.raises(SystemFailed, match="no answer recorded for 'q0' with these settings"):
        ask(system, "q0", {"dim": 99})


def test_the_last_answer_of_a_question_wins_and_errors_are_left_out(tmp_path: Path):
    """Later rows replace earlier ones, and rows with errors give no answers."""
    path = write(
        tmp_path / "r.jsonl",
        {"run": "metadata"},
        {"question_id": "q0", "answer": "first"},
        {"question_id": "q0", "answer": "second"},
        {"question_id": "q1", "answer": "kept", "error": "scorer: bad"},
        {"question_id": "q2", "status": "skipped"},
    )
    system = ReplaySystem(path)
    assert ask(system, "q0", {}).text == "second"
    for absent in ("q1", "q2"):
        with pytest.raises(SystemFailed):
            ask(system, absent, {})


def test_chunk_ids_of_other_programs_are_passages(tmp_path: Path):
    """Rows that only list chunk ids give passages with these ids."""
    path = write(
        tmp_path / "r.jsonl",
        {"question_id": "q0", "answer": "x", "retrieved_chunk_ids": ["c1", "c2"]},
    )
    assert ask(ReplaySystem(path), "q0", {}).passages == (Passage(id="c1"), Passage(id="c2"))


def test_the_identity_follows_the_recording(tmp_path: Path):
    """A recording with other content has another identity."""
    path = write(tmp_path / "r.jsonl", {"question_id": "q0", "answer": "x"})
    first = ReplaySystem(path).identity
    assert first.startswith("replay:r.jsonl")
    assert ReplaySystem(path).identity == first
    write(path, {"question_id": "q0", "answer": "y"})
    assert ReplaySystem(path).identity != first


def test_a_recording_that_cannot_be_used_is_refused(tmp_path: Path):
    """A missing, empty or broken file is refused with a message that names it."""
    with pytest.raises(SystemLoadError, match="cannot be read: No such file"):
        ReplaySystem(tmp_path / "gone.jsonl")
    with pytest.raises(SystemLoadError, match="contains no recorded answers"):
        ReplaySystem(write(tmp_path / "empty.jsonl", {"question_id": "q0", "error": "e"}))
    (tmp_path / "bad.jsonl").write_text("{}\nbad\n")
    with pytest.raises(DatasetError, match=r"bad\.jsonl:2: "):
        ReplaySystem(tmp_path / "bad.jsonl")


def test_a_recording_that_is_still_growing_can_be_replayed(tmp_path: Path):
    """An incomplete last line is ignored."""
    path = write(tmp_path / "r.jsonl", {"question_id": "q0", "answer": "x"})
    with path.open("a") as file:
        file.write('{"question_id": "q1", "ans')
    assert ask(ReplaySystem(path), "q0", {}).text == "x"


def test_answers_of_another_tool(tmp_path: Path):
    """A question is found by its id or its text; one that is another question there fails."""
    path = tmp_path / "ragas.csv"
    path.write_text(
        "id,question,contexts,answer,ground_truth\n"
        "a,Who  is it?,['It is Ann.'],Bob,Ann\nb,Why?,,So.,Because.\nc,Why?,,Thus.,Because.\n",
        encoding="utf-8",
    )
    system = load_system(f"replay:{path}")

    def asked(name: str, text: str) -> Answer:
        answer: Answer = asyncio.run(system.ask(Question(id=name, text=text), {"dim": 1}, 5))
        return answer

    answer = asked("a", "Who is it?")
    assert (answer.text, [each.text for each in answer.passages or ()]) == ("Bob", ["It is Ann."])
    assert asked("other", "Who is it?").text == "Bob"
    assert asked("c", "Why?").text == "Thus."
    for name, text, reason in (
        ("a", "Where?", "'a' is another question there"),
        ("x", "Why?", "2 answers to the question of 'x'"),
        ("x", "When?", "no answer recorded for 'x' at all"),
    ):
        with pytest.raises(SystemFailed, match=reason):
            asked(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("new.jsonl", '{"user_input": "any", "response": "A", "reference": "B"}\n'),
        ("deep.json", '[{"input": "any", "actual_output": "A", "expected_output": "B"}]'),
        (
            "ids.jsonl",
            '{"question_id": "q", "question": "any", "answer": "A", "contexts": ["c"]}\n',
        ),
        ("rows.jsonl", '{"question_id": "q", "config": "x", "question": "any", "answer": "A"}\n'),
        ("plain.csv", "question,answer\nany,A\n"),
    ],
)
def test_the_names_of_other_tools(tmp_path: Path, name: str, text: str):
    """Their exports and rows of a run are distinguished."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert ask(load_system(f"replay:{path}"), "q", {}).text == "A"


def test_a_file_without_answers_says_so(tmp_path: Path):
    """One line that begins with the system."""
    path = tmp_path / "q.csv"
    path.write_text("question,ground_truth\nany,A\n", encoding="utf-8")
    with pytest.raises(
        SystemLoadError, match=r"^replay:.*q\.csv: no column is known to hold answers"
    ):
        load_system(f"replay:{path}")


def asked(system: Any, text: str, source: str | None = None) -> str:
    """The recorded answer to a question that has another id than in the file."""
    answer: Answer = asyncio.run(system.ask(Question(id="x", text=text, source=source), {}, 5))
    return answer.text


def table(path: Path, text: str) -> Path:
    """Write a table."""
    path.write_text(text, encoding="utf-8")
    return path


def test_a_question_with_two_answers_is_refused(tmp_path: Path):
    """Nobody can tell which answer counts; a repeated row is no second answer."""
    path = table(tmp_path / "a.csv", "question,response\nWho?,x\nWhen?,z\nWho?,y\n")
    with pytest.raises(SystemLoadError, match=r"lines 2 and 4 have different answers to 'Who\?'"):
        load_system(f"replay:{path}")
    table(path, "id,question,response\na,Who?,x\na,Who?,y\n")
    with pytest.raises(SystemLoadError, match="lines 2 and 3 have different answers to 'a'"):
        load_system(f"replay:{path}")
    table(path, "question,response\nWho?,x\nWho?,x\nWho?,\n")
    assert asked(load_system(f"replay:{path}"), "Who?") == "x"


def test_the_same_question_about_two_documents(tmp_path: Path):
    """The document decides; without one nobody can tell."""
    path = table(tmp_path / "a.csv", "question,source,response\nWho?,a.md,x\nWho?,b.md,y\n")
    system = load_system(f"replay:{path}")
    assert (asked(system, "Who?", "a.md"), asked(system, "Who?", "b.md")) == ("x", "y")
    with pytest.raises(SystemFailed, match="2 answers to the question of 'x'"):
        asked(system, "Who?")


def test_case_and_spaces_of_a_question_make_no_difference(tmp_path: Path):
    """A question with the same letters is the same, unless one is written just so."""
    path = table(tmp_path / "a.csv", "question,response\n  how long is IT ?,x\nWHO?,y\nWho?,z\n")
    system = load_system(f"replay:{path}")
    assert asked(system, "How long is it?") == "x"
    assert asked(system, "Who?") == "z"


def test_an_empty_answer_says_where(tmp_path: Path):
    """The message has the line of the empty cell."""
    path = table(tmp_path / "a.csv", "question,response\nWho?,x\nWhen?,\n")
    with pytest.raises(SystemFailed, match=r"a\.csv: line 3: the answer is empty"):
        asked(load_system(f"replay:{path}"), "When?")


def test_the_column_with_the_answers_is_named(tmp_path: Path):
    """After ``#``, or with ``--column``; another column is another system."""
    path = table(tmp_path / "wide.csv", "question,expected,gpt4,claude\nWho?,Bob,Bob,Ann\n")
    systems = [load_system(f"replay:{path}#{name}") for name in ("gpt4", "claude")]
    assert [asked(system, "Who?") for system in systems] == ["Bob", "Ann"]
    assert systems[0].identity != systems[1].identity
    context = SystemContext(tmp_path, columns={"response": "claude", "question": "absent"})
    assert asked(load_system(f"replay:{path}", context), "Who?") == "Ann"
    with pytest.raises(SystemLoadError, match="no column 'gpt5'; there are: question, expected,"):
        load_system(f"replay:{path}#gpt5")
    marked = table(tmp_path / "a#b.csv", "question,response\nWho?,x\n")
    assert asked(load_system(f"replay:{marked}"), "Who?") == "x"
