"""The messages that put an answer to a judge.

What comes from outside is enclosed in a mark that is computed from its content, and the prompt
says that it is data. The judge sees the question, the answer, the expected answer and the texts
of the passages; it never sees the name of a variant, of a document or of a system.
"""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from assay.judges.rubric.rubric import Rubric, prompt
from assay.mask import keyed_digest
from assay.text import Language, language

Messages = list[dict[str, str]]
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class Subject(Struct, frozen=True, kw_only=True):
    """What is judged. ``other`` is the second answer if two are compared."""

    question: str
    answer: str
    expected: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    other: str = ""

    @property
    def language(self) -> Language:
        """The language of the question: that of the prompt."""
        return language(self.question)


def messages(rubric: Rubric, subject: Subject) -> Messages:
    """The messages of the first attempt."""
    read = [subject.question, subject.answer, subject.other]
    read += subject.expected if "expected" in rubric.reads else ()
    read += subject.passages if "passages" in rubric.reads else ()
    content = "\0".join(read).encode(errors="surrogatepass")
    fence = f"data-{keyed_digest(content)}"
    expected = "\n".join(subject.expected)
    slots = {
        "fence": fence,
        "question": subject.question,
        "answer": subject.answer,
        "other": subject.other,
        "expected": expected,
        "expectation": _block(subject, "expected", fence, expected) if expected else "",
        "passages": "".join(
            _block(subject, "passage", fence, text, number)
            for number, text in enumerate(subject.passages, 1)
        ).rstrip("\n"),
        "rules": rubric.rules,
        "levels": ", ".join(f'"{level}"' for level in rubric.scale),
        "level": next(iter(rubric.scale), ""),
    }
    system, _, user = prompt(subject.language, rubric.prompt).partition("\n---\n")
    return [
        {"role": "system", "content": filled(system.strip(), slots)},
        {"role": "user", "content": filled(user.strip(), slots)},
    ]


def request_text(rubric: Rubric, subject: Subject) -> str:
    """All that is sent about a subject, as one text: to count its tokens."""
    return "\n".join(message["content"] for message in messages(rubric, subject))


def repair_messages(asked: Messages, reply: str, problem: str, name: Language) -> Messages:
    """The messages of the second attempt, after a reply that could not be read."""
    request = filled(prompt(name, "repair").strip(), {"problem": problem})
    return [
        *asked,
        {"role": "assistant", "content": reply},
        {"role": "user", "content": request},
    ]


def filled(text: str, slots: Mapping[str, str]) -> str:
    """The text with its slots filled in one pass, so that a slot inside of data stays as it is.

    >>> filled("{{a}} {{b}}", {"a": "{{b}}", "b": "1"})
    '{{b}} 1'
    """
    return _SLOT.sub(lambda match: slots[match[1]], text)


def _block(subject: Subject, name: str, fence: str, text: str, number: int = 0) -> str:
    slots = {"fence": fence, "text": text, "number": str(number)}
    return filled(prompt(subject.language, name), slots)
