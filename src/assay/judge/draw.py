"""``NAME.draw.jsonl``: which answers were drawn for labelling, and with which probability.

An answer is drawn if a number between 0 and 1 that belongs to it for ever is below its probability
(B. Rosén's sequential Poisson sampling, "On sampling with probability proportional to size",
Journal of Statistical Planning and Inference 62, 1997). A later, larger draw therefore contains the
earlier one. An answer is in one of several draws if its number is below the largest of its
probabilities, so the line with the largest one counts, and a recorded probability never falls.
This holds for draws with one seed only: the numbers of another seed are others.
"""

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.data.jsonl import decode_block, read_line_blocks
from assay.errors import UseError
from assay.judge.label import Probability
from assay.runs.summary import write_atomically
from assay.runs.write import draw_path

OFTEN: Final = 3.0
"""How much likelier an answer is drawn on which judges disagree, or whose score is near the
threshold."""
UNSURE: Final = 2.0
"""How much likelier an answer is drawn that the check is unsure of. The errors of a check lie there,
but some are among the answers that it is sure of, of which too few labels would say too little:
twice as likely gives the narrowest intervals on real answers (``bench/label_coverage.py``)."""
NEAR: Final = 0.2
"""A score this near to the threshold is uncertain."""
MOST_NAMED: Final = 10
"""How many wrong lines a message names."""
MOST_UNCLEAR: Final = 0.1
"""The share of drawn answers of which people may say that they cannot tell."""
DrawnAnswer = tuple[str, str, str]
"""The item, the variant and the hash of the answer's text, as labels have them."""


class Drawn(Struct, frozen=True, kw_only=True):
    """One drawn answer; ``why`` says if it was likelier than others.

    ``count`` is the number of answers of its variant that were asked for, ``seed`` that of the
    draw; earlier versions recorded neither.
    """

    run: str
    case_id: str
    variant: str
    answer_hash: str
    probability: Probability
    why: str = ""
    seed: int | None = None
    count: int | None = None
    schema_version: int = 1

    @property
    def answer(self) -> DrawnAnswer:
        """What identifies the drawn answer."""
        return (self.case_id, self.variant, self.answer_hash)


def read_draws(journal: Path) -> list[Drawn]:
    """All lines of the file; an answer that several draws contain has several."""
    path = draw_path(journal)
    if not path.exists():
        return []
    decoder = msgspec.json.Decoder(Drawn)
    blocks = read_line_blocks(path, torn_end=True)
    return [row for block in blocks for row in decode_block(path, block, decoder)]


def read_drawn(journal: Path) -> list[Drawn]:
    """The drawn answers; of several lines about one, that with the largest probability counts."""
    return _likeliest(read_draws(journal))


def check_stated(journal: Path, places: Iterable[tuple[str, DrawnAnswer, float | None]]) -> None:
    """Raise ``UseError`` for labels that state another probability than the draws gave their answers.

    Such a label would count as chosen by hand and end the labelled part of the draw. ``places`` have
    where a label is, the answer that it is about, and the probability that it states.
    """
    stated: dict[DrawnAnswer, list[float]] = {}
    for row in read_draws(journal):
        stated.setdefault(row.answer, []).append(row.probability)
    wrong = [
        f"{place}: states the probability {given:g}, and the draw gave this answer "
        f"{stated[answer][-1]!r}; write that, or empty the cell (in .jsonl: null)"
        for place, answer, given in places
        if given is not None and answer in stated and not is_stated(given, stated[answer])
    ]
    if wrong:
        raise UseError(
            *wrong[:MOST_NAMED],
            *([f"and {len(wrong) - MOST_NAMED} more"] if len(wrong) > MOST_NAMED else []),
        )


def is_stated(given: float, stated: Iterable[float]) -> bool:
    """Whether a probability is one of those that draws gave an answer."""
    return any(math.isclose(given, each, rel_tol=1e-6) for each in stated)


def drawn_order(journal: Path) -> list[DrawnAnswer]:
    """The drawn answers in the random order in which they must be labelled."""
    return [row.answer for row in sorted(read_drawn(journal), key=_turn)]


def _likeliest(lines: Iterable[Drawn]) -> list[Drawn]:
    rows: dict[DrawnAnswer, Drawn] = {}
    for row in lines:
        known = rows.get(row.answer)
        if known is None or row.probability >= known.probability:
            rows[row.answer] = row
    return list(rows.values())


def drawn_part(
    lines: Sequence[Drawn], is_clear: Mapping[DrawnAnswer, bool]
) -> dict[DrawnAnswer, float]:
    """The part of a draw that is labelled without a gap, with the probabilities of its answers.

    People may have labelled what they liked of a draw, so labels count only up to the first answer
    without one, in the random order of the draw: such a part is a smaller draw with proportional
    probabilities. ``is_clear`` has all labelled answers: ``False`` if nobody could tell. Of these
    there may be ``MOST_UNCLEAR`` in the part, because a sheet has them where it is not filled in.
    Of several draws, that with the longest part counts. Lines without a seed have no known order:
    they count if all of them are labelled.
    """
    longest: Sequence[Drawn] = ()
    for count in {row.count or 0 for row in lines}:
        rows = _likeliest(row for row in lines if (row.count or 0) <= count)
        part = _labelled_start(sorted(rows, key=_turn), is_clear)
        if len(part) == len(rows) or all(row.seed is not None for row in rows):
            longest = max(longest, part, key=len)
    return {row.answer: row.probability for row in longest}


def _labelled_start(rows: Sequence[Drawn], is_clear: Mapping[DrawnAnswer, bool]) -> Sequence[Drawn]:
    unclear = end = 0
    for number, row in enumerate(rows, start=1):
        if row.answer not in is_clear:
            break
        unclear += not is_clear[row.answer]
        if unclear <= MOST_UNCLEAR * number:
            end = number
    return rows[:end]


def _turn(row: Drawn) -> float:
    """The place of an answer in the order of its draw."""
    return 0.0 if row.seed is None else _own_number(row.answer, row.seed) / row.probability


def write_drawn(journal: Path, drawn: Iterable[Drawn]) -> Path:
    """Add a draw to the file; earlier lines stay, and what is known already is not repeated."""
    path = draw_path(journal)
    known = {row.answer: row.probability for row in read_drawn(journal)}
    before = path.read_bytes() if path.exists() else b""
    if before and not before.endswith(b"\n"):
        before = before[: before.rfind(b"\n") + 1]  # a torn line
    new = [row for row in drawn if row.probability > known.get(row.answer, 0.0)]
    write_atomically(path, before + b"".join(msgspec.json.encode(row) + b"\n" for row in new))
    return path


def check_draw(journal: Path, answers: Collection[DrawnAnswer], count: int, seed: int) -> None:
    """Raise ``UseError`` if a draw of ``count`` of ``answers`` does not contain the earlier ones.

    ``answers`` are all answers of one variant that can be drawn.
    """
    path = draw_path(journal)
    earlier = [row for row in read_drawn(journal) if row.answer in answers]
    seeds = {row.seed for row in earlier} - {None}
    if seeds - {seed}:
        first = next(iter(seeds - {seed}))
        raise UseError(
            f"{path}: answers were drawn with --seed {first}, and the probabilities of their labels "
            f"hold for this seed only; use --seed {first}, or move this file and its labels away "
            "to begin anew"
        )
    counts = [row.count for row in earlier if row.count is not None]
    drawn = max(counts) if counts else len(earlier)
    if count < min(drawn, len(answers)):
        variant = earlier[0].variant
        raise UseError(
            f"{path}: {drawn} answers of {variant} are drawn already, and a smaller draw would "
            f"change what their labels stand for; use --draw {drawn} or more"
        )


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
    answers: Sequence[DrawnAnswer], sizes: Sequence[float], count: int, seed: int
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


def _own_number(answer: DrawnAnswer, seed: int) -> float:
    """A number between 0 and 1 that belongs to this answer and seed."""
    text = "\0".join((str(seed), *answer))
    number = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(number, "big") + 0.5) / 2.0**64


def size(
    score: float | None,
    others: Mapping[str, float | None],
    threshold: float,
    *,
    is_unsure: bool = False,
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
    if is_unsure:
        return UNSURE, "the check is unsure"
    return 1.0, ""
