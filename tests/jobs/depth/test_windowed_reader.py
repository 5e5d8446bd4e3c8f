"""The offline reader, which drops the middle of a prompt longer than its window."""

import asyncio
import json

import pytest

from assay.errors import SystemFailed, SystemLoadError
from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.handler import prompt_text
from assay.jobs.depth.reader import WindowedReader
from assay.records import Answer, Question
from assay.systems.load import load_system
from assay.text.language import Language


def ask(system: WindowedReader, prompt: str) -> Answer:
    """Ask the reader a prompt and return its answer."""
    return asyncio.run(system.ask(Question(id="q", text=prompt), {}, 1))


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_it_finds_what_its_window_holds(language: Language):
    """If the text fits the window, the reader answers every type of question."""
    story = chronicle(language, tokens=4000, questions=9)
    reader = WindowedReader(20_000)
    assert {question.question_type for question in story.questions} == {
        "open",
        "single_choice",
        "multiple_choice",
    }
    for question in story.questions:
        answer = json.loads(ask(reader, prompt_text(question, story.text)).text)["answer"]
        if question.question_type == "open":
            assert any(accepted in answer[0] for accepted in question.answers)
            assert answer[0] in story.text
        else:
            assert tuple(answer) == question.answers


def test_it_keeps_the_edges_and_drops_the_middle():
    """Half a window is kept from the beginning and half from the end of a long prompt."""
    words = [f" w{number}" for number in range(1000)]
    prompt = "".join(words)
    kept, tokens = WindowedReader(100).cut(prompt)
    assert tokens == 100
    assert prompt.startswith(kept[:20])
    assert prompt.endswith(kept[-20:])
    assert " w500" not in kept


def test_text_outside_the_window_is_not_read():
    """Evidence outside the window is not found, and the usage counts only what was read."""
    story = chronicle("en", tokens=9000, questions=9)
    question = story.questions[4]
    assert question.evidence is not None
    position = question.evidence.start / len(story.text)
    assert 0.3 < position < 0.7
    answer = ask(WindowedReader(2000), prompt_text(question, story.text))
    assert json.loads(answer.text)["answer"] != list(question.answers)
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 2000


def test_without_a_text_it_says_that_it_found_nothing():
    """A prompt without a text gets an empty answer; a prompt without a question fails."""
    question = chronicle("ru", tokens=1000, questions=5).questions[0]
    assert json.loads(ask(WindowedReader(), prompt_text(question, None)).text) == {"answer": []}
    with pytest.raises(SystemFailed, match="no question"):
        ask(WindowedReader(), "hello")


def test_it_is_loaded_by_a_word():
    """``reader:N`` sets the window; anything else after the colon is refused."""
    assert load_system("reader:5000").identity == "reader:5000"
    assert load_system("reader").identity == "reader:12000"
    for word in ("reader:x", "reader:1", "reader:-5"):
        with pytest.raises(SystemLoadError, match="number of tokens"):
            load_system(word)
