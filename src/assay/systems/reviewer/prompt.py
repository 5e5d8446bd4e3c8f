"""The reviewer over a chat model, with prompts that stand in files beside this module.

``prompts/{zh,ru,en}/{raw,basic,guided,reflect}.md``: what stands above the line ``---``
goes as the system message, what stands below as the user's. The clause is fenced with a mark
made from its own content, and the prompt says that what is inside is data.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, get_args

from assay.data.contract import Rule
from assay.models import ModelClient, Reply
from assay.records import digest
from assay.scorers.risk.reply import LEVEL_WORDS
from assay.systems.reviewer.law import Article
from assay.systems.reviewer.text import Style
from assay.text import Language

ROLES: Final = ("raw", "basic", "guided", "reflect", "rules", "laws")

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_THOUGHT: Final = re.compile(r"<think>.*?</think>", re.DOTALL)


class PromptedReviewer:
    """Asks one chat model for a review and, where wanted, to check it."""

    def __init__(self, client: ModelClient) -> None:
        self.client = client

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self.client.identity} prompts={prompts_hash()}"

    async def review(
        self,
        clause: str,
        spoken: Language,
        style: Style,
        *,
        rules: Sequence[Rule] = (),
        articles: Sequence[Article] = (),
        reflect: bool = False,
    ) -> Reply:
        """The model's review; with ``reflect``, what a second look made of it."""
        hints = {
            "rules": _hint("rules", spoken, [_rule_line(rule, spoken) for rule in rules]),
            "laws": _hint("laws", spoken, [f"{one.citation}: {one.text}" for one in articles]),
        }
        draft = await self._ask(style, spoken, clause, hints)
        if not reflect:
            return draft
        return await self._ask("reflect", spoken, clause, {**hints, "draft": reply_text(draft)})

    async def _ask(
        self, role: str, spoken: Language, clause: str, slots: Mapping[str, str]
    ) -> Reply:
        everything = "\0".join((clause, *slots.values()))
        mark = hashlib.blake2b(everything.encode(), digest_size=6).hexdigest()
        filled = {**slots, "clause": clause, "fence": f"data-{mark}"}
        system, user = (_filled(part, filled) for part in prompt(role, spoken))
        return await self.client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )

    async def close(self) -> None:
        """Close the client's connections."""
        await self.client.close()


def reply_text(reply: Reply) -> str:
    """What a model said, without its thoughts."""
    return _THOUGHT.sub("", reply.text).strip()


@cache
def prompt(role: str, spoken: Language) -> tuple[str, str]:
    """The system and the user part of a prompt, with slots such as ``{{clause}}``.

    A prompt without the line ``---`` is a piece of another's and has no user part.
    """
    path = files("assay.systems.reviewer") / "prompts" / spoken / f"{role}.md"
    system, _, user = path.read_text(encoding="utf-8").partition("\n---\n")
    return system.strip(), user.strip()


@cache
def prompts_hash() -> str:
    """Eight hex digits that stand for all prompts together."""
    return digest([prompt(role, spoken) for spoken in get_args(Language) for role in ROLES])


def _hint(role: str, spoken: Language, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    piece, _ = prompt(role, spoken)
    return _filled(piece, {"items": "\n".join(f"- {line}" for line in lines)}) + "\n\n"


def _rule_line(rule: Rule, spoken: Language) -> str:
    level = LEVEL_WORDS[spoken][rule.level]
    laws = "; ".join(rule.laws[spoken])
    return f"{rule.risk_id} {rule.name[spoken]} ({level})" + (f" — {laws}" if laws else "")


def _filled(part: str, slots: Mapping[str, str]) -> str:
    # in one pass, so that a clause that contains a slot is left as it is
    return _SLOT.sub(lambda match: slots[match[1]], part)
