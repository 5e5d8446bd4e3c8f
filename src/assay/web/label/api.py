"""The structs of labelling, beside those of ``api``.

    GET  /api/v1/runs/{run}/labels?labeller=…                    LabelBoard
    GET  /api/v1/runs/{run}/labels/next?labeller=…&after=…&…     LabelPlace
    GET  /api/v1/runs/{run}/labels/items/{item}?labeller=…&…     LabelTask
    POST /api/v1/runs/{run}/labels       NewLabel       LabelSaved
    POST /api/v1/runs/{run}/preferences  NewPreference  LabelSaved

``blind=true`` leaves the variants out and shuffles the answers, in an order that stays the same
for a person and a question. ``pair=A&pair=B`` is for preferences: only these two answers.
An answer is named by its hash, which says nothing about its variant; equal answers of several
variants are one answer and are labelled together.
"""

from typing import Literal

from msgspec import Struct

from assay.web.item_api import PassageView
from assay.web.text_store import Interval
from assay.words.message import Said

LabelVerdict = Literal["right", "wrong", "partly", "unclear"]


class OwnLabel(Struct, frozen=True, kw_only=True):
    """What the person who asks has said about an answer."""

    verdict: LabelVerdict
    span: tuple[int, int] | None
    comment: str | None
    corrected_answer: str | None
    time: str


class LabelledAnswer(Struct, frozen=True, kw_only=True):
    """An answer to be labelled; ``variants`` is empty if it is shown blind.

    ``span`` of a label counts code points of ``text``.
    """

    hash: str
    text: str
    is_cut: bool
    variants: tuple[str, ...]
    passages: tuple[PassageView, ...] | None
    label: OwnLabel | None


class LabelTask(Struct, frozen=True, kw_only=True):
    """One question with its answers. ``chosen`` is the preference of a pair.

    ``chosen`` is the hash of an answer, ``equal``, ``unclear``, or empty if nothing was said.
    """

    item: int
    id: str
    question: str
    source: str
    expected: tuple[tuple[Said, Said], ...]
    answers: tuple[LabelledAnswer, ...]
    is_blind: bool
    chosen: str = ""


class LabelPlace(Struct, frozen=True, kw_only=True):
    """The next question with an answer that the person has not labelled; ``None`` if all are.

    ``done`` of ``total`` answers (or pairs) are labelled.
    """

    item: int | None
    done: int
    total: int


class LabelPerson(Struct, frozen=True, kw_only=True):
    """A person, and how many answers got which verdict: right, partly, wrong, cannot tell."""

    name: str
    verdicts: tuple[int, ...]


class LabelPair(Struct, frozen=True, kw_only=True):
    """Two people: answers in common, how many verdicts are the same, Cohen's kappa."""

    first: str
    second: str
    n: int
    same: int
    kappa: float | None
    interval: Interval | None


class Disagreement(Struct, frozen=True, kw_only=True):
    """An answer with different verdicts: who said what, and with which comment."""

    item: int
    id: str
    question: str
    variants: tuple[str, ...]
    said: tuple[tuple[str, str, str], ...]


class PairCount(Struct, frozen=True, kw_only=True):
    """How often people preferred which of two variants; the interval is of ``first`` of decided."""

    first: str
    second: str
    first_wins: int
    second_wins: int
    equal: int
    unclear: int
    interval: Interval | None


class LabelBoard(Struct, frozen=True, kw_only=True):
    """The labels of a run: people, agreement, disagreements, preferences, and the file.

    ``labelled`` of the ``answers`` of all variants have a label. Equal answers of several variants to a
    question are one answer to people and to agreement: ``distinct`` is the number of these.
    ``outdated`` labels are about answers that have changed since, or are gone; they count nowhere.
    """

    file: str
    answers: int
    labelled: int
    distinct: int
    outdated: int
    people: tuple[LabelPerson, ...]
    shared: int
    alpha: float | None
    interval: Interval | None
    pairs: tuple[LabelPair, ...]
    disagreements: tuple[Disagreement, ...]
    disagreement_count: int
    preferences: tuple[PairCount, ...]


class NewLabel(Struct, frozen=True, kw_only=True):
    """A label as the page sends it."""

    item: int
    labeller: str
    answer_hash: str
    verdict: LabelVerdict
    span: tuple[int, int] | None = None
    comment: str | None = None
    corrected_answer: str | None = None
    is_blind: bool = False


class NewPreference(Struct, frozen=True, kw_only=True):
    """A preference as the page sends it; ``chosen`` as in ``LabelTask``."""

    item: int
    labeller: str
    pair: tuple[str, str]
    chosen: str
    comment: str | None = None
    is_blind: bool = False


class LabelSaved(Struct, frozen=True, kw_only=True):
    """How many rows say this now, and how many of them were written by this request."""

    rows: int
    written: int
