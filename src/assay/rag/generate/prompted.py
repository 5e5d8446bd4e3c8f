"""The four roles over a chat model, with prompts that stand in files beside this module.

A prompt is chosen by the question's language: ``prompts/{zh,ru,en}/{role}.txt``. What stands
above its line ``---`` goes as the system message, what stands below as the user's. Question and
passages are fenced with a mark made from their own content, which no passage can therefore
contain, and the prompt says that what is inside is data.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, get_args

import msgspec

from assay.models import ModelClient
from assay.rag.generate.protocol import ROLES, GradesUnreadable, Role, citation, shortened
from assay.records import Passage, digest
from assay.text import NO_MENTION, Language, language, normalised

HIGHEST_GRADE: Final = 10
"""The grade a model gives a passage that answers fully; grades are told as shares of it."""

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_SPLIT: Final = re.compile(r"^---\n", re.MULTILINE)
_THOUGHT: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_JSON: Final = re.compile(r"\[.*\]|\{.*\}", re.DOTALL)
_WHOLE_STRING: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_NUMBERING: Final = re.compile(r"^\s*(?:[-*•]\s+|[(（\[]?\d{1,2}[.)）、:：\]]\s*)?")
_QUOTES: Final = " \t\"'“”«»「」`"
_GRADE_LINE: Final = re.compile(
    r"^\W*(?:[^\W\d]+\s*)?[\[(【]?(\d{1,4})[\])】]?\s*(?:[:：=|-]|—|–|\s)\s*"
    r"(\d{1,3}(?:\.\d+)?)\s*(?:/\s*10)?\W*$",
    re.MULTILINE,
)


class PromptedGenerator:
    """Asks one chat model in all four roles. ``close`` closes the client."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._calls: Counter[str] = Counter()

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self._client.identity} prompts={prompts_hash()}"

    @property
    def makes_calls(self) -> bool:
        """Always: one for each role it is asked in."""
        return True

    async def expand(self, question: str, count: int) -> list[str]:
        """Other wordings, read from a JSON list or from lines."""
        if count < 1:
            return []
        said = await self._ask("expand", question, count=str(count))
        return _distinct(question, _strings(said))[:count]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """The passage that the model imagines, cut to the words it may have."""
        said = await self._ask("hypothesise", question, max_words=str(max_words))
        return shortened(said, max_words)

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Grades of all passages from one call.

        Raises:
            GradesUnreadable: a passage has no grade, or one outside 0..10.
        """
        if not passages:
            return []
        said = await self._ask("grade", question, passages, count=str(len(passages)))
        grades = _grades(said)
        missing = [n for n in range(1, len(passages) + 1) if n not in grades]
        if missing or not all(0 <= grade <= HIGHEST_GRADE for grade in grades.values()):
            fault = f"no grade for {len(missing)} of {len(passages)}" if missing else "out of 0..10"
            raise GradesUnreadable(f"the grades cannot be read ({fault}): {_excerpt(said)}")
        return [grades[n] / HIGHEST_GRADE for n in range(1, len(passages) + 1)]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """The model's answer as it stands. Without passages there is nothing to ask about."""
        no_mention = NO_MENTION[language(question)]
        if not passages:
            return no_mention
        return await self._ask(
            "answer", question, passages, style=citation_style, no_mention=no_mention
        )

    def calls(self) -> Mapping[str, int]:
        """Calls made so far in each role, replayed ones included."""
        return {role: self._calls[role] for role in ROLES}

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
        spoken = language(question)
        fence = _fence(question, passages)
        slots |= {
            "fence": fence,
            "question": question,
            "passages": _fenced(passages, fence, style, spoken),
        }
        system, user = (_filled(part, slots) for part in prompt(spoken, role))
        self._calls[role] += 1
        reply = await self._client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )
        return _THOUGHT.sub("", reply.text).strip()


@cache
def prompt(spoken: Language, role: Role) -> tuple[str, str]:
    """The system and the user part of a role's prompt, with slots such as ``{{question}}``."""
    folder = files("assay.rag.generate") / "prompts" / spoken
    system, user = _SPLIT.split((folder / f"{role}.txt").read_text(encoding="utf-8"), maxsplit=1)
    return system.strip(), user.strip()


@cache
def prompts_hash() -> str:
    """Eight hex digits that stand for all prompts together."""
    return digest([prompt(spoken, role) for spoken in get_args(Language) for role in ROLES])


def _filled(part: str, slots: Mapping[str, str]) -> str:
    # In one pass, so that a question that contains a slot is left as it is.
    return _SLOT.sub(lambda match: slots[match[1]], part)


def _fence(question: str, passages: Iterable[Passage]) -> str:
    written = "\0".join([question, *(passage.text for passage in passages)])
    return f"data-{hashlib.blake2b(written.encode(), digest_size=6).hexdigest()}"


def _fenced(passages: Iterable[Passage], fence: str, style: str, spoken: Language) -> str:
    return "\n".join(
        f'<{fence} passage={n} cite="{citation(n, passage.page, style, spoken)}">\n'
        f"{passage.text}\n</{fence}>"
        for n, passage in enumerate(passages, start=1)
    )


def _json(said: str) -> Any:
    """The JSON value in a reply, whatever stands around it; ``None`` without one."""
    found = _JSON.search(said)
    if found is None:
        return None
    try:
        return msgspec.json.decode(found.group())
    except msgspec.DecodeError:
        return None


def _strings(said: str) -> list[str]:
    """The wordings in a reply: a JSON list, the lists of a JSON object, or lines."""
    value = _json(said)
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        value = lists[0] if lists else list(value.values())
    if isinstance(value, list):
        return [item.strip() for item in value if isinstance(item, str)]
    if said.lstrip("` \njson").startswith("["):
        # A list cut short, by a limit on tokens for one: its whole strings are still good.
        return [found[1] for found in _WHOLE_STRING.finditer(said)]
    lines = [line for line in said.splitlines() if not line.lstrip().startswith("```")]
    return [_NUMBERING.sub("", line, count=1).strip(_QUOTES) for line in lines]


def _distinct(question: str, wordings: Iterable[str]) -> list[str]:
    seen = {"", normalised(question, fold_case=True)}
    out: list[str] = []
    for wording in wordings:
        key = normalised(wording, fold_case=True)
        if key not in seen:
            seen.add(key)
            out.append(wording)
    return out


def _grades(said: str) -> dict[int, float]:
    """The grade of each passage number that a reply names, as JSON or as lines ``1: 7``."""
    value = _json(said)
    if isinstance(value, dict):
        pairs = list(value.items())
        if len(pairs) == 1 and isinstance(pairs[0][1], dict | list):
            return _grades_of(pairs[0][1])
    return _grades_of(value) or {
        int(match[1]): float(match[2]) for match in _GRADE_LINE.finditer(said)
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
    found = re.fullmatch(r"[^\d-]*(-?\d{1,4}(?:\.\d+)?)(?:\s*/\s*10)?", str(value).strip())
    return float(found[1]) if found else None


def _excerpt(said: str) -> str:
    line = " ".join(said.split())
    return repr(line if len(line) <= 80 else f"{line[:80]}…")
