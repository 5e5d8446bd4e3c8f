import asyncio
import json

import pytest

from assay.data.chronicle.story import chronicle
from assay.errors import SystemFailed, SystemLoadError
from assay.jobs.depth.prompt import prompt_text
from assay.records import Answer, Question
from assay.systems import load_system
from assay.systems.windowed_reader import WindowedReader
from assay.text import Language


def ask(system: WindowedReader, prompt: str) -> Answer:
    """The reader's answer to a prompt."""
    return asyncio.run(system.ask(Question(id="q", text=prompt), {}, 1))


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_it_finds_what_its_window_holds(language: Language):
    """Over a whole chronicle within its window it answers every kind of question."""
    told = chronicle(language, tokens=4000, questions=9)
    reader = WindowedReader(20_000)
    assert {question.question_type for question in told.questions} == {
        "open",
        "single_choice",
        "multiple_choice",
    }
    for question in told.questions:
        answer = json.loads(ask(reader, prompt_text(question, told.text)).text)["answer"]
        if question.question_type == "open":
            assert any(accepted in answer[0] for accepted in question.answers)
            assert answer[0] in told.text
        else:
            assert tuple(answer) == question.answers


def test_it_keeps_the_edges_and_drops_the_middle():
    """Of a prompt beyond the window the first and the last half of the window are left."""
    words = [f" w{number}" for number in range(1000)]
    prompt = "".join(words)
    kept, tokens = WindowedReader(100).kept(prompt)
    assert tokens == 100
    assert prompt.startswith(kept[:20])
    assert prompt.endswith(kept[-20:])
    assert " w500" not in kept


def test_it_does_not_peek():
    """Evidence that the window has dropped is not found, and the usage tells what was read."""
    told = chronicle("en", tokens=9000, questions=9)
    question = told.questions[4]
    assert question.evidence is not None
    at = question.evidence.start / len(told.text)
    assert 0.3 < at < 0.7
    answer = ask(WindowedReader(2000), prompt_text(question, told.text))
    assert json.loads(answer.text)["answer"] != list(question.answers)
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 2000


def test_without_a_text_it_says_that_it_found_nothing():
    """A closed-book prompt gets an empty answer; a prompt without a question fails."""
    question = chronicle("ru", tokens=1000, questions=5).questions[0]
    assert json.loads(ask(WindowedReader(), prompt_text(question, None)).text) == {"answer": []}
    with pytest.raises(SystemFailed, match="no question"):
        ask(WindowedReader(), "hello")


def test_it_is_loaded_by_a_word():
    """``reader:N`` sets the window; another word after the colon is refused in one line."""
    assert load_system("reader:5000").identity == "reader:5000"
    assert load_system("reader").identity == "reader:12000"
    for word in ("reader:x", "reader:1", "reader:-5"):
        with pytest.raises(SystemLoadError, match="window in tokens"):
            load_system(word)
