"""A generator that uses a chat model for all four roles, with prompts from files.

The prompt depends on the language of the question: ``prompts/{zh,ru,en}/{role}.txt``. The part
above the line ``---`` is the system message, the part below it the user message. Question and
passages are enclosed in tags whose name is a hash of their content, so that no passage can
contain a closing tag, and the prompt says that everything inside is data.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, get_args

import msgspec

from assay.config.system import ModelConfig
from assay.data.jsonl import UNREADABLE
from assay.mask import keyed_digest
from assay.models.client import ModelClient
from assay.rag.generate.protocol import ROLES, GradesUnreadable, Role, citation, first_words
from assay.records import Passage, digest
from assay.text.citation import NO_MENTION
from assay.text.language import Language, language
from assay.text.normalise import normalised
from assay.text.thought import without_thoughts

HIGHEST_GRADE: Final = 10
"""The highest grade in the prompts; grades are divided by it, so that they are from 0 to 1."""

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_SPLIT: Final = re.compile(r"^---\n", re.MULTILINE)
_JSON: Final = re.compile(r"\[.*\]|\{.*\}", re.DOTALL)
_COMPLETE_STRING: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_NUMBERING: Final = re.compile(r"^\s*(?:[-*•]\s+|[(（\[]?\d{1,2}[.)）、:：\]]\s*)?")
_QUOTES: Final = " \t\"'“”«»「」`"
_GRADE_LINE: Final = re.compile(
    r"^\W*(?:[^\W\d]+\s*)?[\[(【]?(\d{1,4})[\])】]?\s*(?:[:：=|-]|—|–|\s)\s*"
    r"(\d{1,3}(?:\.\d+)?)\s*(?:/\s*10)?\W*$",
    re.MULTILINE,
)


class PromptedGenerator:
    """Uses one chat model for all four roles. ``close`` closes the client."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._calls: Counter[str] = Counter()

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self._client.identity} prompts={prompts_hash()}"

    @property
    def makes_calls(self) -> bool:
        """Always True."""
        return True

    @property
    def model_config(self) -> ModelConfig:
        """The configuration of the model, with its price and averages."""
        return self._client.config

    async def expand(self, question: str, count: int) -> list[str]:
        """Return other wordings of the question, from a JSON list or lines in the reply."""
        if count < 1:
            return []
        reply = await self._ask("expand", question, count=str(count))
        return _distinct(question, _strings(reply))[:count]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return a passage written by the model, cut off after ``max_words`` words."""
        reply = await self._ask("hypothesise", question, max_words=str(max_words))
        return first_words(reply, max_words)

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Return the grades of all passages, from 0 to 1, with one call.

        Raises:
            GradesUnreadable: a passage has no grade, or a grade is not between 0 and 10.
        """
        if not passages:
            return []
        reply = await self._ask("grade", question, passages, count=str(len(passages)))
        return read_grades(reply, len(passages))

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Return the model's answer unchanged; without passages the no-mention answer."""
        no_mention = NO_MENTION[language(question)]
        if not passages:
            return no_mention
        return await self._ask(
            "answer", question, passages, style=citation_style, no_mention=no_mention
        )

    def calls(self) -> Mapping[str, int]:
        """The number of calls so far for each role, including replayed calls."""
        return {role: self._calls[role] for role in ROLES}

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` of the client's connections; nothing is sent."""
        await self._client.open_connections(count)

    async def close(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    async def _ask(
        self,
        role: Role,
        question: str,
        passages: Sequence[Passage] = (),
        *,
        style: str = "index",
        **slots: str,
    ) -> str:
        question_language = language(question)
        fence = _fence(question, passages)
        slots |= {
            "fence": fence,
            "question": question,
            "passages": _fenced_passages(passages, fence, style, question_language),
        }
        system, user = (_fill_slots(part, slots) for part in prompt(question_language, role))
        self._calls[role] += 1
        reply = await self._client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )
        return without_thoughts(reply.text).strip()


@cache
def prompt(language: Language, role: Role) -> tuple[str, str]:
    """Read the system and the user part of a prompt, with slots like ``{{question}}``."""
    folder = files("assay.rag.generate") / "prompts" / language
    system, user = _SPLIT.split((folder / f"{role}.txt").read_text(encoding="utf-8"), maxsplit=1)
    return system.strip(), user.strip()


@cache
def prompts_hash() -> str:
    """A hash of all prompts, as eight hex digits."""
    return digest([prompt(language, role) for language in get_args(Language) for role in ROLES])


def _fill_slots(part: str, slots: Mapping[str, str]) -> str:
    # In one pass, so that a slot inside the question is not replaced.
    return _SLOT.sub(lambda match: slots[match[1]], part)


def _fence(question: str, passages: Iterable[Passage]) -> str:
    content = "\0".join([question, *(passage.text for passage in passages)])
    return f"data-{keyed_digest(content.encode())}"


def _fenced_passages(
    passages: Iterable[Passage], fence: str, style: str, language: Language
) -> str:
    return "\n".join(
        f'<{fence} passage={n} cite="{citation(n, passage.page, style, language)}">\n'
        f"{passage.text}\n</{fence}>"
        for n, passage in enumerate(passages, start=1)
    )


def _json(reply: str) -> Any:
    """The JSON list or object in a reply, with any text around it; None if there is none."""
    match = _JSON.search(reply)
    if match is None:
        return None
    try:
        return msgspec.json.decode(match.group())
    except UNREADABLE:
        return None


def _strings(reply: str) -> list[str]:
    """The wordings in a reply: a JSON list, the first list of a JSON object, or lines."""
    value = _json(reply)
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        value = lists[0] if lists else list(value.values())
    if isinstance(value, list):
        return [item.strip() for item in value if isinstance(item, str)]
    if reply.lstrip("` \njson").startswith("["):
        # The list was cut off, for example at the token limit; its complete strings are usable.
        return [match[1] for match in _COMPLETE_STRING.finditer(reply)]
    lines = [line for line in reply.splitlines() if not line.lstrip().startswith("```")]
    return [_NUMBERING.sub("", line, count=1).strip(_QUOTES) for line in lines]


def _distinct(question: str, wordings: Iterable[str]) -> list[str]:
    """The wordings without duplicates, empty ones and the question itself."""
    seen = {"", normalised(question, fold_case=True)}
    distinct: list[str] = []
    for wording in wordings:
        key = normalised(wording, fold_case=True)
        if key not in seen:
            seen.add(key)
            distinct.append(wording)
    return distinct


def read_grades(reply: str, count: int) -> list[float]:
    """The grades of ``count`` passages in a model's reply, from 0 to 1.

    Raises:
        GradesUnreadable: a passage has no grade, or a grade is not between 0 and 10.

    >>> read_grades('{"1": 7, "2": 0}', 2)
    [0.7, 0.0]
    """
    grades = _grades(reply)
    missing = [n for n in range(1, count + 1) if n not in grades]
    if missing or not all(0 <= grade <= HIGHEST_GRADE for grade in grades.values()):
        fault = f"no grade for {len(missing)} of {count}" if missing else "out of 0..10"
        raise GradesUnreadable(f"the grades cannot be read ({fault}): {_excerpt(reply)}")
    return [grades[n] / HIGHEST_GRADE for n in range(1, count + 1)]


def _grades(reply: str) -> dict[int, float]:
    """The grades in a reply by passage number, from JSON or from lines like ``1: 7``."""
    value = _json(reply)
    if isinstance(value, dict):
        pairs = list(value.items())
        if len(pairs) == 1 and isinstance(pairs[0][1], dict | list):
            return _grades_of(pairs[0][1])
    return _grades_of(value) or {
        int(match[1]): float(match[2]) for match in _GRADE_LINE.finditer(reply)
    }


def _grades_of(value: Any) -> dict[int, float]:
    """Grades from ``{"1": 7}``, ``[7, 0]`` or ``[{"passage": 1, "score": 7}]``."""
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        rows = [[_number(cell) for cell in item.values()] for item in value]
        pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
    elif isinstance(value, list):
        pairs = [(float(n), _number(item)) for n, item in enumerate(value, start=1)]
    elif isinstance(value, dict):
        pairs = [(_number(key), _number(item)) for key, item in value.items()]
    else:
        return {}
    return {int(key): grade for key, grade in pairs if key is not None and grade is not None}


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = re.fullmatch(r"[^\d-]*(-?\d{1,4}(?:\.\d+)?)(?:\s*/\s*10)?", str(value).strip())
    return float(match[1]) if match else None


def _excerpt(reply: str) -> str:
    line = " ".join(reply.split())
    return repr(line if len(line) <= 80 else f"{line[:80]}…")
