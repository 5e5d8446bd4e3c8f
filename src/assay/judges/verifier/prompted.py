"""A reranker of quotations that asks a chat model to grade the candidates.

The prompt is in the language of the quotation: ``prompts/{zh,ru,en}.txt``. The text above the line
``---`` is the system message, the text below it the user message. The quotation and the candidates
are enclosed in a mark that is computed from their content, and the prompt says that they are data.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, get_args

from assay.errors import TransientError
from assay.judges.verifier.reranker import Reranked
from assay.models import ModelClient
from assay.rag.generate import GradesUnreadable, read_grades
from assay.records import digest
from assay.text import Language, language, without_thoughts

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class PromptedReranker:
    """Asks a chat model how far each candidate contains the quotation. ``close`` closes the client."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    @property
    def identity(self) -> str:
        """The model's identity and a hash of all prompts."""
        return f"prompted {self._client.identity} prompts={_prompts_hash()}"

    async def rerank(
        self, evidence: str, candidates: Sequence[str], *, clause: str
    ) -> list[Reranked]:
        """Ask for all grades with one call.

        Raises:
            TransientError: the reply has no usable grade for a candidate.
        """
        if not candidates:
            return []
        content = "\0".join((evidence, *candidates))
        fence = f"data-{hashlib.blake2b(content.encode(), digest_size=6).hexdigest()}"
        slots = {
            "fence": fence,
            "count": str(len(candidates)),
            "quotation": evidence,
            "passages": "\n".join(
                f"<{fence} passage={number}>\n{candidate}\n</{fence}>"
                for number, candidate in enumerate(candidates, 1)
            ),
        }
        # In one pass, so that a slot inside of the quotation is not replaced.
        system, user = (
            _SLOT.sub(lambda match: slots[match[1]], part) for part in _prompt(language(evidence))
        )
        reply = await self._client.chat(
            [{"role": "system", "content": system}, {"role": "user", "content": user}]
        )
        try:
            grades = read_grades(without_thoughts(reply.text), len(candidates))
        except GradesUnreadable as error:
            raise TransientError(f"the verifier: {error}") from None
        return [Reranked(score=grade) for grade in grades]

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


@cache
def _prompt(name: Language) -> tuple[str, str]:
    path = files("assay.judges.verifier") / "prompts" / f"{name}.txt"
    system, _, user = path.read_text(encoding="utf-8").partition("\n---\n")
    return system.strip(), user.strip()


@cache
def _prompts_hash() -> str:
    return digest([_prompt(name) for name in get_args(Language)])
