"""What a model is sent: the context and the question, worded in the question's language.

The wording stands in files beside this module: ``text`` (with a context) or ``closed``
(without one) is the frame, ``single_choice``, ``multiple_choice`` and ``open`` say what form
the answer is to have. The context is fenced with a mark made from its own content, so that
nothing in a novel can end the fence, and questions over the same context share its beginning
(which providers that remember prompts charge less for).
"""

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Final, get_args

from assay.data.novel import NovelQuestion, QuestionType
from assay.records import digest
from assay.text import Language, language

_FRAMES: Final = ("text", "closed")
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


def prompt_text(question: NovelQuestion, context: str | None) -> str:
    """The whole prompt of a question over ``context``, or from memory where that is ``None``."""
    spoken = language(question.text)
    slots = {
        "question": question.text.strip(),
        "choices": "".join(f"{letter}. {text}\n" for letter, text in question.choices.items()),
        "task": _wording(question.question_type, spoken),
    }
    if context is not None:
        mark = hashlib.blake2b(context.encode(errors="replace"), digest_size=6).hexdigest()
        slots |= {"context": context, "fence": f"text-{mark}"}
    frame = _wording("text" if context is not None else "closed", spoken)
    # in one pass, so that a novel that contains a slot is left as it is
    return _SLOT.sub(lambda match: slots[match[1]], frame)


@cache
def prompts_hash() -> str:
    """Eight hex digits that stand for all wordings together."""
    names = (*_FRAMES, *get_args(QuestionType))
    return digest([_wording(name, spoken) for spoken in get_args(Language) for name in names])


@cache
def _wording(name: str, spoken: Language) -> str:
    path = files("assay.jobs.depth") / "prompts" / spoken / f"{name}.txt"
    return path.read_text(encoding="utf-8").strip()
