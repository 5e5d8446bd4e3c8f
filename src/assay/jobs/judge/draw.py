"""``NAME.draw.jsonl``: which answers were drawn for labelling, and with which probability.

An answer is drawn if a number between 0 and 1 that belongs to it for ever is below its probability
(B. Rosén's sequential Poisson sampling, "On sampling with probability proportional to size",
Journal of Statistical Planning and Inference 62, 1997). A later, larger draw therefore contains the
earlier one, and every answer in it has the probability of the larger draw: the file gets a new
line for it, and the last line of an answer counts.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.data.jsonl import decode_block, read_line_blocks
from assay.journal import draw_path, write_atomically

OFTEN: Final = 3.0
"""How much likelier an answer is drawn on which judges disagree, or whose score is near the
threshold."""
NEAR: Final = 0.2
"""A score this near to the threshold is uncertain."""
Answer = tuple[str, str, str]
"""The item, the variant and the hash of the answer's text, as labels have them."""


class Drawn(Struct, frozen=True, kw_only=True):
    """One drawn answer; ``why`` says if it was likelier than others."""

    run: str
    case_id: str
    variant: str
    answer_hash: str
    probability: float
    why: str = ""
    schema_version: int = 1


def read_draw(journal: Path) -> dict[Answer, float]:
    """The probability of each drawn answer; empty if there was no draw."""
    return {
        (row.case_id, row.variant, row.answer_hash): row.probability for row in read_drawn(journal)
    }


def read_drawn(journal: Path) -> list[Drawn]:
    """The drawn answers; the last line of each counts."""
    path = draw_path(journal)
    if not path.exists():
        return []
    decoder = msgspec.json.Decoder(Drawn)
    rows = {
        (row.case_id, row.variant, row.answer_hash): row
        for block in read_line_blocks(path, torn_end=True)
        for row in decode_block(path, block, decoder)
    }
    return list(rows.values())


def write_drawn(journal: Path, drawn: Iterable[Drawn]) -> Path:
    """Add a draw to the file; earlier lines stay."""
    path = draw_path(journal)
    before = path.read_bytes() if path.exists() else b""
    lines = b"".join(msgspec.json.encode(row) + b"\n" for row in drawn)
    write_atomically(path, before + lines)
    return path


def probabilities(sizes: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The probabilities proportional to ``sizes``, at most 1, that draw ``count`` on average.

    >>> probabilities(np.array([1.0, 1.0, 3.0, 3.0]), 2).tolist()
    [0.25, 0.25, 0.75, 0.75]
    >>> probabilities(np.array([1.0, 9.0]), 2).tolist()
    [1.0, 1.0]
    """
    count = min(count, len(sizes))
    result = np.zeros(len(sizes))
    sure = np.zeros(len(sizes), dtype=bool)
    while count > int(sure.sum()):
        result = np.where(sure, 1.0, sizes * (count - sure.sum()) / sizes[~sure].sum())
        over = ~sure & (result >= 1.0)
        if not over.any():
            break
        sure |= over
    return np.where(sure, 1.0, result)


def draw(
    answers: Sequence[Answer], sizes: Sequence[float], count: int, seed: int
) -> list[tuple[int, float]]:
    """The numbers of the drawn answers with their probabilities, in random order.

    Exactly ``count`` answers are drawn: those whose own number is smallest for their size.
    """
    sized = np.asarray(sizes, dtype=np.float64)
    chances = probabilities(sized, count)
    own = np.array([_own_number(answer, seed) for answer in answers])
    with np.errstate(divide="ignore"):
        order = np.argsort(np.where(chances > 0, own / chances, np.inf), kind="stable")
    return [(int(place), float(chances[place])) for place in order[:count]]


def _own_number(answer: Answer, seed: int) -> float:
    """A number between 0 and 1 that belongs to this answer and seed."""
    text = "\0".join((str(seed), *answer))
    number = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(number, "big") + 0.5) / 2.0**64


def size(
    score: float | None, others: Mapping[str, float | None], threshold: float
) -> tuple[float, str]:
    """How likely an answer is drawn in comparison with others, and why."""
    if score is None:
        return 1.0, ""
    said = score >= threshold
    known = [other for other in others.values() if other is not None]
    if any((other >= threshold) != said for other in known):
        return OFTEN, "judges disagree"
    if 0 < score < 1 and abs(score - threshold) <= NEAR:
        return OFTEN, "near the threshold"
    return 1.0, ""
