"""The prompt for a model: the context and the question, in the question's language.

The wording is in files beside this module: ``text`` (with a context) and ``closed`` (without a
context) are the frames, and ``single_choice``, ``multiple_choice`` and ``open`` say what form the
answer must have. The context is enclosed in a mark that is computed from its content, so that no
text of a novel can end it. Prompts about the same context begin with the same text, so that
providers that cache prompts charge less for it.
"""

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Final, get_args

from assay.data.novel import NovelQuestion, QuestionType
from assay.records import digest
from assay.text import Language
from assay.text import language as detect_language

_FRAMES: Final = ("text", "closed")
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


def prompt_text(question: NovelQuestion, context: str | None) -> str:
    """The prompt for a question about ``context``; None asks the model to answer from memory."""
    language = detect_language(question.text)
    slots = {
        "question": question.text.strip(),
        "choices": "".join(f"{letter}. {text}\n" for letter, text in question.choices.items()),
        "task": _read_wording(question.question_type, language),
    }
    if context is not None:
        mark = hashlib.blake2b(context.encode(errors="replace"), digest_size=6).hexdigest()
        slots |= {"context": context, "fence": f"text-{mark}"}
    frame = _read_wording("text" if context is not None else "closed", language)
    # in one pass, so that a slot inside the novel is not replaced
    return _SLOT.sub(lambda match: slots[match[1]], frame)


@cache
def prompts_hash() -> str:
    """A hash of all wordings together."""
    names = (*_FRAMES, *get_args(QuestionType))
    return digest(
        [_read_wording(name, language) for language in get_args(Language) for name in names]
    )


@cache
def _read_wording(name: str, language: Language) -> str:
    path = files("assay.jobs.depth") / "prompts" / language / f"{name}.txt"
    return path.read_text(encoding="utf-8").strip()
