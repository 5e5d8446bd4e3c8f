"""The order in which drafts are taken: documents in turn, and places far from each other."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, TypeVar

from assay.jobs.draft.draft import Draft

T = TypeVar("T")
_GOLDEN: Final = 0.6180339887498949


def spread(drafts: Sequence[Draft], seed: int) -> list[Draft]:
    """The drafts so that every beginning of the list is spread over documents and places.

    Those with a gap, and those that name nothing, come last.
    """
    by_document: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_document[draft.evidence[0].source].append(draft)
    for items in by_document.values():
        items.sort(key=lambda draft: (draft.evidence[0].start or 0, draft.question))
    documents = sorted(by_document, key=lambda name: text_hash(f"{seed}:{name}"))
    orders = [far_apart(by_document[name], text_hash(f"{seed}/{name}")) for name in documents]
    longest = max(map(len, orders), default=0)
    mixed = [order[turn] for turn in range(longest) for order in orders if turn < len(order)]
    return sorted(mixed, key=lambda draft: (draft.is_general, draft.is_cloze))


def far_apart(items: Sequence[T], shift: int) -> list[T]:
    """The items in steps of the golden section, which leave no large gap at any time."""
    order = sorted(range(len(items)), key=lambda place: (place * _GOLDEN + shift / 997) % 1.0)
    return [items[place] for place in order]


def text_hash(text: str) -> int:
    """A hash that is the same in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=7).digest())
