"""What a person says about an answer, and which of two answers a person prefers."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from msgspec import Meta, Struct

LABEL_VERSION: Final = 1
"""Version of the layout of both kinds of rows."""

LabelVerdict = Literal["right", "wrong", "partly", "unclear"]
Choice = Literal["first", "second", "equal", "unclear"]
Person = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")
]
LONGEST: Final = {"comment": 10_000, "corrected_answer": 50_000}
"""The longest texts, in characters."""
SMALLEST_PROBABILITY: Final = 1e-9
"""No draw from a run of any size gives a smaller one, and its weight would outweigh all others."""
Probability = Annotated[float, Meta(ge=SMALLEST_PROBABILITY, le=1)]
Span = tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]

VERDICTS: Final[tuple[LabelVerdict, ...]] = ("right", "partly", "wrong", "unclear")
WORTH: Final[dict[LabelVerdict, float | None]] = {
    "right": 1.0,
    "partly": 0.5,
    "wrong": 0.0,
    "unclear": None,
}
"""What a verdict counts as a score; "cannot tell" is not a score."""


class Label(Struct, frozen=True, kw_only=True):
    """One person's verdict on one version of an answer.

    - ``run``: the id of the run, its path in the workspace without ``.jsonl``;
    - ``case_id``: the question, with its placement if the run has several placements;
    - ``answer_hash``: see ``text_hash``; a label of another version of the answer does not count;
    - ``span``: the part of the answer that the verdict is about, in code points;
    - ``probability``: that with which the answer was drawn for labelling; ``None`` if a person
      chose it;
    - ``blind``: whether the variant was hidden.
    """

    run: str
    case_id: str
    variant: str
    answer_hash: str
    labeller: Person
    time: str
    verdict: LabelVerdict
    span: Span | None = None
    comment: Annotated[str, Meta(max_length=LONGEST["comment"])] | None = None
    corrected_answer: Annotated[str, Meta(max_length=LONGEST["corrected_answer"])] | None = None
    probability: Probability | None = None
    blind: bool = False
    schema_version: int = LABEL_VERSION

    @property
    def identity(self) -> tuple[str, ...]:
        """Of two labels with the same one, only the newer one counts."""
        return (self.run, self.case_id, self.variant, self.answer_hash, self.labeller)

    @property
    def answer(self) -> tuple[str, ...]:
        """The version of the answer that is labelled; equal answers of variants are one."""
        return (self.run, self.case_id, self.answer_hash)


class Preference(Struct, frozen=True, kw_only=True):
    """Which of two answers to a question one person prefers.

    ``variant`` and ``other_variant`` are in alphabetical order, whatever side they were shown on,
    so that a pair has one name. ``choice`` is about this order.
    """

    run: str
    case_id: str
    variant: str
    other_variant: str
    answer_hash: str
    other_answer_hash: str
    labeller: Person
    time: str
    choice: Choice
    comment: Annotated[str, Meta(max_length=LONGEST["comment"])] | None = None
    probability: Probability | None = None
    blind: bool = False
    schema_version: int = LABEL_VERSION

    @property
    def identity(self) -> tuple[str, ...]:
        """Of two preferences with the same one, only the newer one counts."""
        return (
            self.run, self.case_id, self.variant, self.other_variant,
            self.answer_hash, self.other_answer_hash, self.labeller,
        )  # fmt: skip


def text_hash(answer: str) -> str:
    """The version of an answer: a hash of its text, without its passages.

    Equal answers of two variants have one hash, so they are labelled together.

    >>> text_hash("42"), len(text_hash(""))
    ('73475cb40a568e8d', 16)
    """
    return hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def shown_time(moment: datetime) -> str:
    """A moment as rows have it: UTC with microseconds, so that texts sort as times.

    >>> shown_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_time(text: str) -> datetime:
    """The moment of a text; raises ``ValueError`` if it is none. Without a zone it is UTC.

    >>> read_time("2026-01-02T05:04:05+02:00").isoformat()
    '2026-01-02T03:04:05+00:00'
    """
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def utc_time(text: str) -> str:
    """The time of a row as ``shown_time`` writes it, whatever its zone; only then do texts compare.

    Raises ``ValueError`` if it is no time.

    >>> utc_time("2026-11-17T10:00:00+05:00")
    '2026-11-17T05:00:00.000000Z'
    """
    try:
        return shown_time(read_time(text))
    except (ValueError, OverflowError):
        raise ValueError(
            f"`time` is {text!r}; write it as 2026-01-02T03:04:05Z or with another zone"
        ) from None


def after(text: str) -> str:
    """The next possible time.

    >>> after("2026-01-02T03:04:05.000000Z")
    '2026-01-02T03:04:05.000001Z'
    """
    return shown_time(read_time(text) + timedelta(microseconds=1))


# What a person decides about a drafted question.

DraftVerdict = Literal["accepted", "rejected", "open"]


class DraftDecision(Struct, frozen=True, kw_only=True):
    """One person's decision about one version of a draft; the newest one counts, whoever made it.

    - ``drafts``: the name of the file of drafts, without ``.jsonl``;
    - ``row_hash``: the hash of the draft's line; a decision about another version does not count;
    - ``verdict``: ``open`` takes an earlier decision back;
    - ``question``, ``answer``: the text that replaces the drafted one; ``None`` if it stays.
    """

    drafts: str
    question_id: str
    row_hash: str
    reviewer: Person
    time: str
    verdict: DraftVerdict
    question: Annotated[str, Meta(min_length=1, max_length=10_000)] | None = None
    answer: Annotated[str, Meta(max_length=10_000)] | None = None
    schema_version: int = LABEL_VERSION

    @property
    def identity(self) -> tuple[str, ...]:
        """Of two decisions with the same one, only the newer one counts."""
        return (self.drafts, self.question_id, self.row_hash)


# Which rows of a file that only grows count.

Row = TypeVar("Row", Label, Preference, DraftDecision)


def current(rows: Iterable[Row]) -> list[Row]:
    """The rows that count: the newest of each identity, in the order of their first appearance.

    Of two with the same time, the later one of the file counts.
    """
    newest: dict[tuple[str, ...], Row] = {}
    for row in rows:
        known = newest.get(row.identity)
        if known is None or row.time >= known.time:
            newest[row.identity] = row
    return list(newest.values())


# The words for verdicts that people write in a spreadsheet, in three languages.


def read_verdict(word: Any) -> str:
    """The verdict that a word means; raises ``ValueError`` with the allowed words if it is none.

    >>> read_verdict("Верно"), read_verdict("错"), read_verdict(" no ")
    ('right', 'wrong', 'wrong')
    """
    key = " ".join(str(word).lower().split())
    verdict = next((verdict for verdict in VERDICTS if key in _words()[verdict]), None)
    if verdict is None:
        raise ValueError(f"`verdict` is {word!r}; {_words()['allowed']}")
    return verdict


def read_flag(word: str) -> Any:
    """True or false as a spreadsheet in any language writes it; another word stays."""
    key = word.strip().lower()
    flags = _words()["flag"]
    return next((name == "true" for name in flags if key in flags[name]), word)


@cache
def _words() -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most commands that know labels read no words

    path = Path(__file__).with_name("verdict_word.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
