"""Runs from Python: what may be asked, what is recorded, how a run goes on and how it ends."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.errors import DatasetError, RunStopped, SystemLoadError, UseError
from assay.records import Answer
from assay.systems.scripted import ScriptedSystem
from tests.support.json_server import JsonServer
from tests.support.judged import YAML, serve

QUESTIONS = [
    {"question": "How long is the notice period?", "answer": "30 days"},
    {"question": "How is a day of travel paid?", "answer": "12 crowns"},
    {"question": "Who approves a sabbatical?", "answer": "the board"},
]
MODULE = '''
def ask(question):
    """Knows one thing."""
    return "30 days" if "notice" in question else "The handbook does not say."
'''


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(name="module")
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A module of the user, with a system, and its questions as CSV."""
    (tmp_path / "my_rag.py").write_text(MODULE)
    pd.DataFrame(QUESTIONS).to_csv("questions.csv", index=False)
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("my_rag")
    del sys.modules["my_rag"]


def ask(question: str) -> str:
    """Knows one thing."""
    return "30 days" if "notice" in question else "I do not know"


def asked_last(run: assay.Run) -> int:
    """How many cases the last session of a run asked."""
    return run.summary.stretches[-1].asked or 0


def test_a_function_is_asked_and_scored():
    """The run has its counts, its values and the questions that were not answered."""
    run = assay.run(ask, QUESTIONS, name="first")
    assert (run.name, run.tally.scored, run.is_complete, run.stopped) == ("first", 3, True, None)
    assert run.variants == ("tests.library.test_run.ask",)
    table = run.table(metric="answer_contained")
    assert table["value"].tolist() == pytest.approx([1 / 3])
    assert (table["low"] < table["value"]).all()
    assert [case["question"] for case in run.wrong] == [q["question"] for q in QUESTIONS[1:]]
    assert len(run.failures) == len(run.unsure) == 0


class Asks:
    """An object with a method ``ask``, which must not be closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def ask(self, question: str) -> str:
        """Answer."""
        return ask(question)

    def close(self) -> None:
        """Nobody but its owner calls this."""
        self.is_closed = True


class Invokes:
    """An object with a method ``invoke``."""

    async def invoke(self, question: str) -> dict[str, str]:
        """Answer later."""
        await asyncio.sleep(0)
        return {"answer": ask(question)}


async def ask_later(question: str) -> str:
    """Answer later."""
    await asyncio.sleep(0)
    return ask(question)


@pytest.mark.parametrize(
    "system",
    [ask, ask_later, lambda question: ask(question) + "", Asks(), Asks().ask, Invokes()],
    ids=["function", "async", "lambda", "object", "method", "invoke"],
)
def test_anything_that_answers_can_be_asked(system: Any):
    """Synchronous or asynchronous, a function or a method, by a name or without one."""
    run = assay.run(system, QUESTIONS)
    assert run.table(metric="answer_contained")["value"].tolist() == pytest.approx([1 / 3])


def test_an_object_is_not_closed_and_can_be_asked_again():
    """It belongs to the program."""
    system = Asks()
    for name in ("one", "two"):
        assert assay.run(system, QUESTIONS, name=name).tally.scored == 3
    assert not system.is_closed


def test_a_system_of_the_library_is_not_closed():
    """Its owner may ask it again."""
    closed = []

    class Watched(ScriptedSystem):
        async def close(self) -> None:
            closed.append(self)

    run = assay.run(Watched(lambda asked, *_: Answer(text=ask(asked.text))), QUESTIONS)
    assert run.tally.scored == 3
    assert not closed


def test_an_address_is_asked():
    """As it is written on the command line."""
    with JsonServer(lambda _: {"answer": "30 days"}) as server:
        run = assay.run(server.url, QUESTIONS)
    assert run.table(metric="answer_contained")["value"].tolist() == pytest.approx([1 / 3])


TABLES = {
    "dictionaries": lambda: QUESTIONS,
    "a generator": lambda: (row for row in QUESTIONS),
    "pandas": lambda: pd.DataFrame(QUESTIONS),
    "polars": lambda: pl.DataFrame(QUESTIONS),
    "lazy polars": lambda: pl.DataFrame(QUESTIONS).lazy(),
    "pyarrow": lambda: pa.table(pd.DataFrame(QUESTIONS)),
    "a path": lambda: "questions.csv",
}


@pytest.mark.parametrize("kind", TABLES)
def test_questions_are_a_path_a_list_or_a_table(kind: str, module: Any):
    """All forms of the same questions are the same cases, so that each goes on with the others."""
    first = assay.run(module.ask, QUESTIONS, name="same")
    again = assay.run(module.ask, TABLES[kind](), name="same")
    assert asked_last(first) == 3 or asked_last(again) == 0
    assert again.summary.tally.scored == 3
    assert len(again.path.read_bytes().splitlines()) == 3


def test_questions_without_answers_are_texts():
    """Only what needs no expected answer has a value."""
    run = assay.run(ask, ["How long is notice?", "Who?"])
    assert run.tally.scored == 2
    assert "answer_contained" not in run.table()["metric"].tolist()


def test_the_header_says_that_questions_came_from_python(tmp_path: Path):
    """It has their number and a digest, and no file of theirs was written."""
    run = assay.run(ask, QUESTIONS)
    assert run.summary.questions_path is not None
    assert run.summary.questions_path.startswith("3 questions from Python, ")
    assert run.name.startswith("run-python-")
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {
        ".gitignore",
        *(f"{run.name}{end}" for end in (".json", ".jsonl", ".plan.jsonl")),
    }
    other = assay.run(ask, QUESTIONS[:2])
    assert other.name != run.name


def test_empty_cells_of_a_table_are_no_answers():
    """NaN and NA of pandas, and null of polars."""
    rows = pd.DataFrame({"question": ["How long?", "Who?"], "answer": ["30 days", None]})
    for table in (rows, rows.convert_dtypes(), pl.from_pandas(rows)):
        run = assay.run(lambda question: "30 days", table)
        assert run.table(metric="answer_contained")["n"].tolist() == [1]


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([], "the list is empty"),
        ([1], "question 1 is a int"),
        ({"question": "How long?"}, "pass a list of them"),
        (5, "questions is a int"),
        ("How long is it?", "a single question is a list"),
        ([{"frage": "Wie?"}], r"no key .* there are: frage; name it with columns="),
        ("missing.csv", "No such file"),
    ],
)
def test_what_is_no_set_of_questions_is_refused(questions: Any, message: str):
    """The line says what to pass instead, and nothing is asked."""
    with pytest.raises(UseError, match=message):
        assay.run(ask, questions)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (Asks, "is a class: pass an object of it"),
        (Path("my_rag.py"), "is a path"),
        ({}, "the dictionary is empty"),
        ([], "the list is empty"),
        (42, "not callable"),
        ("python:nothing:ask", "no Python module"),
    ],
)
def test_what_cannot_be_asked_is_refused(system: Any, message: str):
    """The line says what to pass instead."""
    with pytest.raises(SystemLoadError, match=message):
        assay.run(system, QUESTIONS)


def test_the_command_goes_on_with_a_run_of_a_program_and_the_other_way_round(module: Any):
    """Nothing that one of them has recorded is asked again by the other."""
    command = [
        sys.executable, "-m", "assay", "run", "--questions", "questions.csv",
        "--system", "python:my_rag:ask", "--name", "x", "--no-report",
    ]  # fmt: skip
    assay.run("python:my_rag:ask", "questions.csv", name="x", limit=1)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert asked_last(assay.open("x")) == 2
    rows = assay.open("x").path.read_bytes()
    for system in ("python:my_rag:ask", module.ask):
        assert assay.run(system, "questions.csv", name="x").tally.scored == 3
    assert assay.open("x").path.read_bytes() == rows
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "nothing was asked" in done.stderr


def test_an_edited_function_is_noticed():
    """Recorded answers of another function are not taken for its own."""

    def made(text: str) -> Any:
        return lambda question: text

    assay.run(made("30 days"), QUESTIONS, name="closure")
    with pytest.raises(UseError, match="system"):
        assay.run(made("12 crowns"), QUESTIONS, name="closure")
    run = assay.run(made("12 crowns"), QUESTIONS, name="closure", resume="refresh")
    assert asked_last(run) == 3


def test_systems_side_by_side_have_the_names_of_the_dictionary():
    """The first one is the baseline, and the others have differences to it."""
    run = assay.run({"old": ask, "new": lambda question: "30 days"}, QUESTIONS, name="both")
    assert run.variants == ("old", "new")
    found = run.differences(metric="answer_contained")
    assert found[["variant", "baseline", "difference"]].to_numpy().tolist() == [["new", "old", 0.0]]
    several = assay.run([ask, ask_later], QUESTIONS, name="list")
    assert len(several.variants) == 2


def test_failed_cases_raise_nothing_and_are_asked_again():
    """They are in ``failures`` with their error."""
    is_down = True

    def shaky(question: str) -> str:
        if is_down and "travel" in question:
            raise ValueError("no <b>luck</b>")
        return "12 crowns"

    run = assay.run(shaky, QUESTIONS, name="shaky")
    assert (run.tally.failed, run.is_complete) == (1, False)
    (case,) = run.failures
    assert case["error"] == "system: ValueError: no <b>luck</b>"
    assert "&lt;b&gt;luck" in run.failures._repr_html_()
    is_down = False
    assert asked_last(assay.run(shaky, QUESTIONS, name="shaky", resume="keep")) == 1


def test_a_limit_gives_a_run_that_says_why_it_stopped():
    """The same call without the limit goes on."""
    run = assay.run(ask, QUESTIONS, name="short", max_minutes=0.0)
    assert "time limit" in str(run.stopped)
    assert not run.is_complete
    assert repr(run).endswith(str(run.stopped))
    assert assay.run(ask, QUESTIONS, name="short").is_complete


def test_a_server_that_does_not_answer_raises():
    """No measure of quality is made of a service that is down."""
    with pytest.raises(RunStopped, match="cannot connect") as raised:
        assay.run("http://127.0.0.1:9/ask", QUESTIONS, retries=0, name="down")
    assert raised.value.__notes__ == ["What was answered is recorded; the same call goes on."]


def test_a_run_works_inside_a_running_event_loop():
    """As in a notebook; the system gets a loop of its own."""

    async def cell() -> assay.Run:
        return assay.run(ask_later, QUESTIONS, name="loop")

    assert asyncio.run(cell()).tally.scored == 3


def test_an_experiment_is_a_dictionary():
    """Its variants are settings of one system, compared with the first."""

    class Pipeline:
        SETTINGS = {"k": int}  # noqa: RUF012 - as users write it

        def ask(self, question: str, settings: dict[str, Any]) -> str:
            return "30 days" if settings["k"] > 3 else "no"

    questions = [{"question": f"How long is {n}?", "answer": "30 days"} for n in range(12)]
    run = assay.ablate(
        {
            "name": "depth",
            "ablation_variable": "k",
            "variants": [{"name": "a", "k": 1}, {"name": "b", "k": 5}],
        },
        Pipeline(),
        questions,
    )
    assert run.name == "depth"
    assert run.differences(metric="answer_contained")["verdict"].tolist() == ["better"]
    assert "better" in repr(run)
    with pytest.raises(UseError, match="asks one system"):
        assay.ablate({"name": "x"}, [ask, ask_later], questions)


def test_answers_that_exist_are_evaluated():
    """Of the columns with answers, one is the system's; alone it is never the expected one."""
    rows = [
        {
            "question": "How long?",
            "response": "30 days",
            "answer": "30 days",
            "contexts": ["30 days"],
        },
        {"question": "Who?", "response": "Nobody", "answer": "the board", "contexts": []},
    ]
    for table in (rows, pl.DataFrame(rows)):
        run = assay.evaluate(table)
        assert run.table(metric="answer_contained")["value"].tolist() == [0.5]
    alone = assay.evaluate([{"question": "How long?", "answer": "30 days"}])
    assert alone.tally.scored == 1
    assert "answer_contained" not in alone.table()["metric"].tolist()
    with pytest.raises(UseError, match="no column is known to hold the answers"):
        assay.evaluate([{"question": "How long?", "expected": "30 days"}])


def test_a_run_that_is_not_there_is_refused():
    """The line says where it was looked for."""
    assay.run(ask, QUESTIONS, name="first")
    with pytest.raises(UseError, match="did you mean 'first'"):
        assay.open("frist")


def test_questions_of_the_library_keep_their_gold():
    """A question of assay is written as a line of its own format."""
    from assay.data.memory_file import MemoryFile  # noqa: PLC0415
    from assay.data.question import CorpusQuestion, read_questions  # noqa: PLC0415
    from assay.records import GoldSpan  # noqa: PLC0415

    question = CorpusQuestion(
        id="q1", text="Who?", gold=("c1",), answers=("me",), answerable=True,
        spans=(GoldSpan(source="a.md", text="me"),),
    )  # fmt: skip
    assert read_questions(MemoryFile.of([question])) == [question]
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(DatasetError, match="question 1 cannot be written as JSON"):
        MemoryFile.of([{"question": "Who?", 1: {1, "a"}, "x": endless}])


def test_judges_are_asked_about_the_answers(tmp_path: Path):
    """Their scores are a column of the rows, and nothing is asked twice."""
    folder = tmp_path / "experiments"
    folder.mkdir()
    with serve(lambda _: '{"reason": "r", "verdict": "right"}') as server:
        (folder / "experiments.yaml").write_text(YAML.format(url=server.base_url))
        for _ in range(2):
            run = assay.run(ask, QUESTIONS, name="judged", judges=("correct",))
        assert len(server.calls) == 3
    assert run.notes == ()
    assert run.rows()["judge.correct"].notna().all()
    assert run.stopped is None


def test_the_name_of_a_variant_is_masked_before_it_is_made_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In a redacted run no file has the address that a program has put into a name, in any form."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    done = assay.run(
        {"for ivan.petrov@example.com": ask, "plain": ask},
        QUESTIONS,
        name="masked",
        redact="outputs",
        progress=False,
    )
    assert done.tally.scored == 2 * len(QUESTIONS)
    assert "plain" in done.variants
    for path in done.path.parent.glob("masked*"):
        assert "petrov" not in path.read_text(encoding="utf-8"), path


def test_an_object_that_has_every_attribute_is_refused_in_a_line():
    """A proxy is no system of assay just because it has what one has."""

    class Proxy:
        def __getattr__(self, name: str) -> Any:
            return self

        def __call__(self, *args: Any) -> Any:
            return self

    with pytest.raises(SystemLoadError):
        assay.run(Proxy(), QUESTIONS, progress=False)


def test_functions_of_ones_own_score_a_run():
    """Decorated or not, they are columns of the rows, and a new version scores the same answers again."""

    def numbering(wanted: bool) -> Any:
        @assay.scorer(title="Says a number")
        def numbered(answer: str) -> bool:
            return any(map(str.isdigit, answer)) is wanted

        return numbered

    def failing(answer: str, expected: str) -> float:
        raise LookupError(expected)

    done = assay.run(
        ask, QUESTIONS, name="scored", scorers=[numbering(True), failing], progress=False
    )
    assert list(done.rows()["numbered"]) == [True, False, False]
    assert any("failing failed for 3 of 3 answers" in note for note in done.notes)
    done = assay.run(ask, QUESTIONS, name="scored", scorers=[numbering(False)], progress=False)
    assert list(done.rows()["numbered"]) == [False, True, True]
    assert asked_last(done) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limits": 2}, r"assay\.run has no option 'limits'; did you mean 'limit'"),
        ({"limit": "2"}, "limit='2': pass a whole number"),
        ({"limit": -1}, "limit=-1: pass a whole number"),
    ],
)
def test_a_misspelt_option_asks_nothing(options: dict[str, Any], message: str, tmp_path: Path):
    """It is named with the nearest one; ``evaluate`` and ``ablate`` know their options too."""
    with pytest.raises(UseError, match=message):
        assay.run(ask, QUESTIONS, progress=False, **options)
    with pytest.raises(UseError, match=r"assay.evaluate has no option 'max_cost'"):
        assay.evaluate([{"question": "a", "answer": "b"}], max_cost=1)  # type: ignore[call-arg]
    with pytest.raises(UseError, match=r"assay.ablate has no option 'budget'"):
        assay.ablate("topk", ask, QUESTIONS, budget=1)  # type: ignore[call-overload]
    assert not list(tmp_path.rglob("*.jsonl"))
