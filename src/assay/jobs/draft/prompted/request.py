"""What a model is asked: one question of one kind about one passage, or about two.

The requests are spread over kinds, documents and places. The prompt is in the language of the
passage. What comes from documents is enclosed in a mark that is computed from its content.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import cycle
from typing import Any, Final

from msgspec import Struct

from assay.data.corpus import Chunk
from assay.jobs.draft.kind import Kind
from assay.jobs.draft.order import far_apart, text_hash
from assay.jobs.draft.selection import WEIGHTS
from assay.records import digest
from assay.text import Language, language

LANGUAGES: Final[tuple[Language, ...]] = ("en", "ru", "zh")
SHORTEST: Final = 80
"""A passage with fewer characters is a heading or a scrap; Chinese says more with fewer."""
_HAN_WORTH: Final = 3
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_TWO: Final = frozenset({"multi_passage", "multi_document", "comparison"})


class Request(Struct, frozen=True, kw_only=True):
    """One question to be written, about these passages."""

    kind: Kind
    passages: tuple[Chunk, ...]
    wants_yes: bool = True

    @property
    def language(self) -> Language:
        """The language of the first passage: that of the prompt and of the question."""
        return language(self.passages[0].text)

    @property
    def key(self) -> str:
        """Identifies what is asked."""
        return digest([self.kind, self.wants_yes, [chunk.text for chunk in self.passages]])

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages that are sent."""
        words = wording(self.language)
        content = "\0".join(chunk.text for chunk in self.passages)
        mark = hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=6).hexdigest()
        slots = {"fence": f"data-{mark}", "wanted": words["yes" if self.wants_yes else "no"][0]}
        passages = [
            _filled(words["passage"], {**slots, "number": str(number), "text": chunk.text})
            for number, chunk in enumerate(self.passages, 1)
        ]
        slots["task"] = _filled(words["task"][self.kind], slots)
        slots["passages"] = "\n".join(text.strip() for text in passages)
        return [
            {"role": "system", "content": _filled(words["system"].strip(), slots)},
            {"role": "user", "content": _filled(words["user"].strip(), slots)},
        ]


@cache
def wording(name: Language) -> Mapping[str, Any]:
    """The prompts of a language."""
    path = files("assay.jobs.draft.prompted").joinpath(f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def prompt_digest() -> str:
    """A hash of all prompts: a changed prompt asks again."""
    return digest([dict(wording(name)) for name in LANGUAGES])


def _filled(text: str, slots: Mapping[str, str]) -> str:
    """The text with its slots filled in one pass, so that a slot inside of data stays as it is."""
    return _SLOT.sub(lambda match: slots[match[1]], text)


def requests(chunks: Sequence[Chunk], kinds: Sequence[Kind], seed: int) -> Iterator[Request]:
    """Requests, each about another passage, until all are used; the same for the same seed."""
    order = _places([chunk for chunk in chunks if _is_long(chunk.text)], seed)
    turns = cycle([kind for turn in range(4) for kind in kinds if turn < WEIGHTS[kind]])
    neighbours = _neighbours(order)
    others = _others(order)
    for number, chunk in enumerate(order):
        kind = next(turns)
        second = others if kind == "multi_document" else neighbours
        passages = (chunk, *second.get(chunk.id, ())) if kind in _TWO else (chunk,)
        if kind in {"multi_passage", "multi_document"} and len(passages) == 1:
            single = [other for other in kinds if other not in _TWO]
            if not single:
                continue
            kind = single[number % len(single)]
        yield Request(kind=kind, passages=passages, wants_yes=number % 2 == 0)


def _is_long(text: str) -> bool:
    worth = _HAN_WORTH if language(text) == "zh" else 1
    return len(text) * worth >= SHORTEST


def _places(chunks: Sequence[Chunk], seed: int) -> list[Chunk]:
    """The chunks so that every beginning of the list is spread over documents and places."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk.source, []).append(chunk)
    documents = sorted(by_document, key=lambda name: text_hash(f"{seed}:{name}"))
    orders = [far_apart(by_document[name], text_hash(f"{seed}/{name}")) for name in documents]
    longest = max(map(len, orders), default=0)
    return [order[turn] for turn in range(longest) for order in orders if turn < len(order)]


def _neighbours(order: Sequence[Chunk]) -> dict[str, tuple[Chunk]]:
    """For each chunk another one of its document, in the same language."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in order:
        by_document.setdefault(chunk.source, []).append(chunk)
    return {
        chunk.id: (other,)
        for group in by_document.values()
        for chunk, other in zip(group, [*group[1:], group[0]], strict=True)
        if chunk.id != other.id and language(chunk.text) == language(other.text)
    }


def _others(order: Sequence[Chunk]) -> dict[str, tuple[Chunk]]:
    """For each chunk one of another document, in the same language."""
    found: dict[str, tuple[Chunk]] = {}
    last: dict[Language, Chunk] = {}
    for chunk in reversed(order):
        speech = language(chunk.text)
        if speech in last and last[speech].source != chunk.source:
            found[chunk.id] = (last[speech],)
        last[speech] = chunk
    return found
