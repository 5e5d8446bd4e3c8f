"""The reviewer that asks a chat model. Its prompts are in files beside this module.

In ``prompts/{zh,ru,en}/{raw,basic,guided,reflect}.md`` the text above the line ``---`` is the
system message, and the text below it is the user message. The clause is enclosed in a mark that
is computed from its content, and the prompt says that the enclosed text is data, not an
instruction.
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
from assay.scorers.risk.reply import level_word
from assay.systems.reviewer.law import Article
from assay.systems.reviewer.text import Style
from assay.text import Language, without_thoughts

ROLES: Final = ("raw", "basic", "guided", "reflect", "rules", "laws")

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class PromptedReviewer:
    """Asks a chat model for a review and, on request, to check that review."""

    def __init__(self, client: ModelClient) -> None:
        self.client = client

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self.client.identity} prompts={prompts_hash()}"

    async def review(
        self,
        clause: str,
        language: Language,
        style: Style,
        *,
        rules: Sequence[Rule] = (),
        articles: Sequence[Article] = (),
        reflect: bool = False,
    ) -> Reply:
        """Ask for a review; with ``reflect``, ask the model to check it and return the result."""
        hints = {
            "rules": _hint("rules", language, [_rule_line(rule, language) for rule in rules]),
            "laws": _hint(
                "laws", language, [f"{article.citation}: {article.text}" for article in articles]
            ),
        }
        draft = await self._ask(style, language, clause, hints)
        if not reflect:
            return draft
        return await self._ask("reflect", language, clause, {**hints, "draft": reply_text(draft)})

    async def _ask(
        self, role: str, language: Language, clause: str, slots: Mapping[str, str]
    ) -> Reply:
        content = "\0".join((clause, *slots.values()))
        mark = hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
        values = {**slots, "clause": clause, "fence": f"data-{mark}"}
        system, user = (_fill(part, values) for part in prompt(role, language))
        return await self.client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` of the client's connections; nothing is sent."""
        await self.client.open_connections(count)

    async def close(self) -> None:
        """Close the client's connections."""
        await self.client.close()


def reply_text(reply: Reply) -> str:
    """The text of a model's reply without its thoughts."""
    return without_thoughts(reply.text).strip()


@cache
def prompt(role: str, language: Language) -> tuple[str, str]:
    """The system message and the user message of a prompt, with slots such as ``{{clause}}``.

    A file without the line ``---`` is a part of another prompt, and its user message is empty.
    """
    path = files("assay.systems.reviewer") / "prompts" / language / f"{role}.md"
    system, _, user = path.read_text(encoding="utf-8").partition("\n---\n")
    return system.strip(), user.strip()


@cache
def prompts_hash() -> str:
    """A hash of all prompts together."""
    return digest([prompt(role, language) for language in get_args(Language) for role in ROLES])


def _hint(role: str, language: Language, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    piece, _ = prompt(role, language)
    return _fill(piece, {"items": "\n".join(f"- {line}" for line in lines)}) + "\n\n"


def _rule_line(rule: Rule, language: Language) -> str:
    level = f" ({level_word(rule.level, language)})" if rule.level else ""
    laws = "; ".join(rule.laws[language])
    return f"{rule.risk_id} {rule.name[language]}{level}" + (f" — {laws}" if laws else "")


def _fill(part: str, slots: Mapping[str, str]) -> str:
    # in one pass, so that a slot inside a clause is not replaced
    return _SLOT.sub(lambda match: slots[match[1]], part)
