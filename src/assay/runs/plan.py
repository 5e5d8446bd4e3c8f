"""The plan: the cases of a run, created one by one when they are needed.

The ``fingerprint`` of a case is three short hashes, ``system-settings-question``. When a run is
resumed, a recorded key is skipped only if all three hashes are unchanged. Otherwise the hash
that differs shows what was edited. The hash of a question covers what the system is asked. What
the answer is compared with has a hash of its own, ``against``: if it changes, the recorded answer
is judged again and not asked again.

A ``Layout`` has the variants of an experiment, and what is known about them together.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from itertools import chain, cycle, islice, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.checks import own_scorer
from assay.checks import registered as ruler
from assay.errors import JournalCorrupt, JournalTooNew, UseError
from assay.mask import mask_identifier, mask_identifiers, mask_name, redactor, same_hash, sealed
from assay.records import (
    DIGEST_BYTES,
    Case,
    Question,
    RunHeader,
    Variant,
    digest,
    draw_key,
    key_parts,
    without_draw,
)
from assay.runs.early_stop import EarlyStop
from assay.runs.plan_file import (
    PlanHeader,
    is_whole_plan,
    read_plan_header,
    read_plan_marks,
    write_plan,
)
from assay.systems.protocol import System, order_settings

# Fingerprints of today and of earlier versions.
#
# If a system has a configuration of its own, the hash of the whole configuration follows that of the
# settings: ``system-settings.configuration-question``. Rows of earlier versions do not have it; such a row
# is compared by what it has. Redaction replaces each hash by one that depends on a key and keeps what is
# between them, so both rules hold together.

CONFIGURED: Final = "."


def settings_mark(variant: Variant) -> str:
    """The middle part of the fingerprints of a variant.

    >>> on = Variant(name="on", settings={"x": 1})
    >>> whole = Variant(name="on", settings={"x": 1}, configuration={"x": 1, "k": 60})
    >>> settings_mark(whole).startswith(settings_mark(on) + ".")
    True
    """
    mark = digest(variant.settings)
    if not variant.configuration:
        return mark
    return f"{mark}{CONFIGURED}{digest(variant.configuration)}"


def in_scheme_of(recorded: str, fingerprint: str) -> str:
    """A fingerprint of today as the version that wrote ``recorded`` would have written it.

    >>> in_scheme_of("a1-b2-c3", "a1-b2.d4-c3"), in_scheme_of("a1-b2.d5-c3", "a1-b2.d4-c3")
    ('a1-b2-c3', 'a1-b2.d4-c3')
    """
    if CONFIGURED in recorded or CONFIGURED not in fingerprint:
        return fingerprint
    start, _, rest = fingerprint.partition(CONFIGURED)
    _, dash, question = rest.partition("-")
    return f"{start}{dash}{question}"


def same_fingerprint(recorded: str, planned: str) -> bool | None:
    """Whether two fingerprints, or two middle parts of them, agree in what the recorded one has.

    ``None`` if the key that this needs is not there (see ``assay.mask.same_hash``).

    >>> same_fingerprint("b2", "b2.d4"), same_fingerprint("b2.d5", "b2.d4")
    (True, False)
    """
    return same_hash(recorded, in_scheme_of(recorded, planned))


# The digests of a plan's questions: computed once, or taken from the plan that a run stored.
#
# The digest of what is asked has eight digits. If an answer is compared with parts of the question, the
# digest of these follows, with eight digits more.

BATCH: Final = 64
"""How many questions are held in memory at a time; each may have a long text."""

DIGITS: Final = 2 * DIGEST_BYTES
"""How many digits of a question's digests are that of what is asked."""


_HEX: Final = frozenset("0123456789abcdef")


class QuestionDigests:
    """The digests of the questions from the first one on, as far as they were needed.

    Only the part of a question that ``asked`` returns counts, and what ``against`` returns.
    """

    def __init__(
        self,
        asked: Callable[[Any], Question] | None,
        against: Callable[[Any], Any] | None = None,
    ) -> None:
        self._asked = asked
        self._against = against
        self._bytes = DIGEST_BYTES * (1 if against is None else 2)
        self._known = bytearray()
        self._stored: Iterator[tuple[str, str]] | None = None

    def recall(self, stored: Iterator[tuple[str, str]]) -> None:
        """Take the digests from a stored plan, which has the id and the digest of each question.

        Of every batch the ids are compared and one question is hashed. From the first batch on
        that does not agree, everything is hashed.
        """
        self._stored = stored

    def of(
        self, questions: Iterable[Question]
    ) -> Iterator[tuple[list[Question], list[str], list[str]]]:
        """The questions, their masked ids and their digests, from the first on, in batches."""
        rest, start = iter(questions), 0
        while batch := list(islice(rest, BATCH)):
            names = mask_identifiers([question.id for question in batch])
            end = start + len(batch) * self._bytes
            if end <= len(self._known):
                digests = self._known[start:end].hex(" ", self._bytes).split()
            else:
                is_next = start == len(self._known)
                digests = (self._recalled(batch, names) if is_next else None) or [
                    self._made(question) for question in batch
                ]
                self._known[start:] = bytes.fromhex("".join(digests))
            yield batch, names, digests
            start = end

    def get(self, number: int, question: Question) -> str:
        """The digest of a question, which is the one with this number."""
        start = number * self._bytes
        known = self._known[start : start + self._bytes]
        return known.hex() if known else self._made(question)

    def _made(self, question: Question) -> str:
        asked = digest(question if self._asked is None else self._asked(question))
        return asked if self._against is None else asked + digest(self._against(question))

    def _is_digest(self, text: str) -> bool:
        return len(text) == 2 * self._bytes and _HEX.issuperset(text)

    def _recalled(self, batch: list[Question], names: list[str]) -> list[str] | None:
        """The stored digests of the next questions; ``None`` if they are not known for certain."""
        if self._stored is None:
            return None
        try:
            stored = list(islice(self._stored, len(batch)))
        except JournalCorrupt:  # the run stores the plan again
            stored = []
        digests = [current for _, current in stored]
        is_known = [name for name, _ in stored] == names and digests[0] == self._made(batch[0])
        if is_known and all(map(self._is_digest, digests)):
            return digests
        self._stored = None
        return None


WithRecordedGold: TypeAlias = Callable[[Any, Mapping[str, Any]], Question]


class Placement(Struct, frozen=True, kw_only=True):
    """What distinguishes cases of the same question and variant: ``top_k``, depth, repetition.

    ``label`` is the last part of the key (``topk=10``); ``values`` are passed to the case. The
    draws of ``--runs`` are no placements: see ``repeated_plan``.
    """

    label: str
    top_k: int = 10
    values: Mapping[str, Any] = {}


def top_k_placement(top_k: int) -> Placement:
    """The placement of a retrieval case; its key ends in ``topk=N``."""
    return Placement(label=f"topk={top_k}", top_k=top_k)


def other_top_k(keys: Collection[str], placements: Collection[str]) -> tuple[int, ...]:
    """The values of ``top_k`` in the keys, if none of them is that of one of the placements.

    >>> other_top_k({"q1::on::topk=10", "q2::on::topk=10"}, ["topk=5"])
    (10,)
    >>> other_top_k({"q1::on::topk=10", "q2::on::topk=5"}, ["topk=5"])
    ()
    """
    labels = {without_draw(parts[2]) for key in keys if (parts := key_parts(key))}
    values = [label.removeprefix("topk=") for label in labels - set(placements)]
    is_top_k = len(values) == len(labels) and all(map(str.isdecimal, values))
    return tuple(sorted(map(int, values))) if is_top_k and placements else ()


class MakeCases(Protocol):
    """Creates the cases of a plan in order, without those that are done.

    Of the first ``first`` cases it yields only those in ``open_keys``. After these it yields
    all cases except those in ``done_keys``.
    """

    def __call__(
        self, *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        """Yield the cases."""


class FurtherMark(Struct, frozen=True, gc=False):
    """What a recorded row is compared with besides its fingerprint; ``None`` if unknown.

    ``against`` is the digest of what the answer is compared with. ``former`` returns the digest of
    the question that the first version of assay recorded, which covered the gold too.
    """

    against: str | None = None
    former: Callable[[], str] | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """The number of cases and functions to iterate over them, any number of times.

    ``marks()`` yields only the key and the fingerprint of each case. This is several times
    cheaper than ``cases()``, which matters when a million recorded answers are compared before
    the first call. ``variants`` and ``system`` are for the header and for messages about edits.
    ``placements`` and ``questions()``, which yields the id and the digest of each question, are
    stored beside the journal. A plan that is not every question with every variant at every
    placement has no ``questions``; the marks of its cases are stored instead.

    ``further_marks()`` yields a ``FurtherMark`` for each case, in the order of ``marks()``.
    ``with_recorded_gold`` returns a question with the gold of a recorded row in place of its own,
    for rows of the first version whose gold was corrected since. With ``early_stop``, cases are
    asked only until the comparison of their variant is decided; the plan's order is that of asking.
    ``every(start, step)`` is the plan of each ``step``-th question, from the question ``start`` on.
    ``recall`` takes the digests from a stored plan (see ``product_plan``), whose lines are those of
    ``recalled_marks()``.
    """

    total: int
    cases: MakeCases
    marks: Callable[[], Iterator[tuple[str, str]]]
    system: str
    variants: tuple[Variant, ...]
    placements: tuple[str, ...] = ()
    questions: Callable[[], Iterator[tuple[str, str]]] | None = None
    further_marks: Callable[[], Iterator[FurtherMark]] | None = None
    with_recorded_gold: WithRecordedGold | None = None
    early_stop: EarlyStop | None = None
    every: "Callable[[int, int], Plan] | None" = None
    recall: Callable[[Iterator[tuple[str, str]]], None] | None = None
    recalled_marks: Callable[[], Iterator[tuple[str, str]]] | None = None

    def spared_by(self) -> str:
        """Identifies the rule by which cases need not be asked; empty if there is none."""
        if self.early_stop is None or self.questions is None:
            return ""
        return self.early_stop.identity(name for name, _ in self.questions())


def product_plan(
    *,
    questions: Collection[Question],
    variants: Sequence[Variant],
    placements: Sequence[Placement],
    system: str,
    asked: Callable[[Any], Question] | None = None,
    against: Callable[[Any], Any] | None = None,
    with_recorded_gold: WithRecordedGold | None = None,
    early_stop: EarlyStop | None = None,
    header_covers_questions: bool = False,
) -> Plan:
    """Every question with every variant at every placement, question by question.

    With this order, a run that stops early has asked about the same number of cases of each
    variant, and calls that variants share follow each other closely. The order of the variants
    changes from question to question, so that no variant always meets cold caches, or caches
    warmed by the same other variant, and looks slow or fast only because of its position.
    ``questions`` may read from disk during iteration; every iteration must yield the same. Of each
    question only its digests are kept, which are four or eight bytes.

    ``asked`` returns the part of a question that the system is asked, if it has other parts, and
    ``against`` what the answer to it is compared with. ``header_covers_questions`` says that nothing
    of a question can change without the header of the run: then a resumed run takes the digests
    from the stored plan, which costs a fraction of computing them.
    """
    _check_variants(variants)
    system_digest = digest(system)
    setups = [
        _Setup(
            variant=variant,
            placement=placement,
            key_end=mask_identifier(f"::{variant.name}::{placement.label}"),
            fingerprint_start=sealed(f"{system_digest}-{settings_mark(variant)}") + "-",
        )
        for variant in variants
        for placement in placements
    ]
    product = _Product(questions, setups, asked, against)
    has_further = asked is not None or against is not None
    return Plan(
        total=len(questions) * len(setups),
        cases=product.cases,
        marks=product.marks,
        system=system,
        variants=tuple(variants),
        placements=tuple(placement.label for placement in placements),
        questions=product.question_marks,
        further_marks=product.further_marks if has_further else None,
        with_recorded_gold=with_recorded_gold,
        early_stop=early_stop,
        every=lambda start, step: product_plan(
            questions=_EveryNth(questions, start, step),
            variants=variants,
            placements=placements,
            system=system,
            asked=asked,
            against=against,
            with_recorded_gold=with_recorded_gold,
            early_stop=early_stop,
            header_covers_questions=header_covers_questions,
        ),
        recall=product.recall if header_covers_questions else None,
        recalled_marks=product.stored_marks if header_covers_questions else None,
    )


class _EveryNth(Collection[Question]):
    """Each ``step``-th question, from the question ``start`` on; nothing is kept in memory."""

    def __init__(self, questions: Collection[Question], start: int, step: int) -> None:
        self._questions = questions
        self._start = start
        self._step = step

    def __len__(self) -> int:
        return len(range(self._start, len(self._questions), self._step))

    def __iter__(self) -> Iterator[Question]:
        return islice(self._questions, self._start, None, self._step)

    def __contains__(self, question: object) -> bool:
        return any(each == question for each in self)


class _Setup(NamedTuple):
    """A variant at a placement, with the parts of keys and fingerprints that they give."""

    variant: Variant
    placement: Placement
    key_end: str
    fingerprint_start: str


class _Product:
    """Every question with every setup, question by question."""

    def __init__(
        self,
        questions: Collection[Question],
        setups: list[_Setup],
        asked: Callable[[Any], Question] | None,
        against: Callable[[Any], Any] | None,
    ) -> None:
        self._questions = questions
        self._size = len(setups)
        rotations = [setups[start:] + setups[:start] for start in range(len(setups))]
        self._orders = [order for rotation in rotations for order in (rotation, rotation[::-1])]
        self._orders = self._orders or [[]]
        self._asked = asked
        self._against = against
        self._digests = QuestionDigests(asked, against)
        self.recall = self._digests.recall

    def cases(
        self, *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        """The cases (see ``MakeCases``)."""
        skipped_questions = self._first_open(first, open_keys)
        position = skipped_questions * self._size
        for number, question in enumerate(
            islice(self._questions, skipped_questions, None), skipped_questions
        ):
            current = against = ""
            name = mask_identifier(question.id)
            for setup in self._orders[number % len(self._orders)]:
                key = name + setup.key_end
                position += 1
                if (key not in open_keys) if position <= first else (key in done_keys):
                    continue
                if not current:
                    both = self._digests.get(number, question)
                    current, against = sealed(both[:DIGITS]), sealed(both[DIGITS:])
                yield Case(
                    key=key,
                    question=question,
                    variant=setup.variant,
                    fingerprint=setup.fingerprint_start + current,
                    against=against,
                    top_k=setup.placement.top_k,
                    placement=setup.placement.values,
                )

    def _first_open(self, first: int, open_keys: Collection[str]) -> int:
        """The number of questions at the start, of those of the ``first`` cases, that are done."""
        passed = first // self._size if self._size else 0
        if not open_keys:
            return passed
        # a key that is cut at the length of another end gives a name too many, which does no harm
        lengths = {len(setup.key_end) for setup in self._orders[0]}
        open_names = {key[:-length] for key in open_keys for length in lengths}
        questions, done = iter(self._questions), 0
        while batch := list(islice(questions, min(BATCH, passed - done))):
            names = mask_identifiers([question.id for question in batch])
            if not open_names.isdisjoint(names):
                break
            done += len(batch)
        return done

    def marks(self) -> Iterator[tuple[str, str]]:
        """The key and the fingerprint of each case."""
        return chain.from_iterable(self._mark_batches())

    def _mark_batches(self) -> Iterator[Iterable[tuple[str, str]]]:
        """The marks in batches: two lists each, which cost less than a generator of pairs."""
        ends = [[setup.key_end for setup in order] for order in self._orders]
        starts = [[setup.fingerprint_start for setup in order] for order in self._orders]
        all_ends, all_starts = cycle(ends), cycle(starts)
        for _, names, both in self._digests.of(self._questions):
            is_plain = self._against is None and redactor() is None
            digests = both if is_plain else [sealed(each[:DIGITS]) for each in both]
            if self._size == 1:
                ((end,), *_), ((start,), *_) = ends, starts
                keys = [name + end for name in names]
                fingerprints = [start + current for current in digests]
            else:
                keys = [
                    name + end for name, each in zip(names, all_ends, strict=False) for end in each
                ]
                fingerprints = [
                    start + current
                    for current, each in zip(digests, all_starts, strict=False)
                    for start in each
                ]
            yield zip(keys, fingerprints, strict=True)

    def further_marks(self) -> Iterator[FurtherMark]:
        """What else the rows of the cases are compared with."""
        size = self._size
        for batch, _, both in self._digests.of(self._questions):
            formers = [partial(digest, question) for question in batch] if self._asked else ()
            marks = [
                FurtherMark(sealed(each[DIGITS:]) or None, former)
                for each, former in zip_longest(both, formers)
            ]
            yield from marks if size == 1 else [mark for mark in marks for _ in range(size)]

    def question_marks(self) -> Iterator[tuple[str, str]]:
        """The id and the digest of each question."""
        for name, both in self.stored_marks():
            yield name, sealed(both[:DIGITS])

    def stored_marks(self) -> Iterator[tuple[str, str]]:
        """The id of each question, and its digest with that of what its answer is compared with."""
        for _, names, both in self._digests.of(self._questions):
            yield from zip(names, both, strict=True)


# A plan that asks each of its cases several times: ``--runs 3``.
#
# All first draws come before all second draws. A run that stops has then asked about as many
# questions as possible, a run that grows from one draw to three goes on where its rows end, and no
# draw profits from what a server still holds of the one before.


def repeated_plan(plan: Plan, runs: int) -> Plan:
    """The plan with each of its cases asked ``runs`` times; the same plan if that is once.

    The first draw of a case has its key, and all draws have its fingerprint: what is asked is the
    same.

    Raises:
        UseError: the plan stops early, and a decision counts a question when its answer comes.
    """
    if runs == 1:
        return plan
    if plan.early_stop is not None:
        raise UseError(
            "--stop-early cannot be combined with --runs: a decision counts each question once, "
            "as soon as it is answered, and does not wait for the mean of its draws"
        )
    every = plan.every
    draws = _Draws(plan, runs)
    return replace(
        plan,
        total=plan.total * runs,
        cases=draws.cases,
        marks=draws.marks,
        further_marks=None if plan.further_marks is None else draws.further_marks,
        placements=tuple(
            draw_key(label, draw) for draw in draws.numbers for label in plan.placements
        ),
        every=None
        if every is None
        else lambda start, step: repeated_plan(every(start, step), runs),
    )


class _Draws:
    """The cases of a plan, draw after draw."""

    def __init__(self, plan: Plan, runs: int) -> None:
        self._plan = plan
        self.numbers = range(1, runs + 1)

    def cases(
        self, *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        """The cases (see ``MakeCases``)."""
        for draw in self.numbers:
            before = (draw - 1) * self._plan.total
            end = draw_key("", draw)
            cases = self._plan.cases(
                first=min(max(first - before, 0), self._plan.total),
                open_keys={key[: len(key) - len(end)] for key in open_keys if key.endswith(end)},
                done_keys=_DrawKeys(done_keys, end),
            )
            for case in cases:
                yield replace(case, key=case.key + end, run=draw)

    def marks(self) -> Iterator[tuple[str, str]]:
        """The key and the fingerprint of each case."""
        yield from self._plan.marks()
        for draw in self.numbers[1:]:
            end = draw_key("", draw)
            yield from ((key + end, fingerprint) for key, fingerprint in self._plan.marks())

    def further_marks(self) -> Iterator[FurtherMark]:
        """What else the rows of the cases are compared with."""
        assert self._plan.further_marks is not None
        for _ in self.numbers:
            yield from self._plan.further_marks()


class _DrawKeys(Container[str]):
    """The keys of one draw, as those of cases that are asked once."""

    def __init__(self, keys: Container[str], end: str) -> None:
        self._keys = keys
        self._end = end

    def __contains__(self, key: object) -> bool:
        return f"{key}{self._end}" in self._keys


def store_plan(journal: Path, plan: Plan, header: RunHeader) -> None:
    """Store the plan beside the journal, unless the same plan is stored there already."""
    made_of = plan_digest(plan, header)
    try:
        stored = read_plan_header(journal)
    except JournalCorrupt:
        stored = None  # it is written again below
    if stored is not None and stored.made_of == made_of and is_whole_plan(journal, stored):
        return
    plan_header = PlanHeader(
        made_of=made_of,
        total=plan.total,
        system=sealed(digest(plan.system)),
        variants={
            mask_identifier(variant.name): sealed(settings_mark(variant))
            for variant in plan.variants
        },
        placements=plan.placements,
        lines="questions" if plan.questions is not None else "cases",
    )
    recalled = plan.recalled_marks if redactor() is None else None  # sealed digests tell nothing
    write_plan(journal, plan_header, (recalled or plan.questions or plan.marks)())


def recall_digests(journal: Path, plan: Plan, header: RunHeader) -> None:
    """Take the digests of questions from the stored plan, if it was made of the same."""
    if plan.recall is None or header.questions_sha256 is None or redactor() is not None:
        return
    with suppress(JournalCorrupt, JournalTooNew):
        stored = read_plan_header(journal)
        if stored is not None and stored.made_of == plan_digest(plan, header):
            plan.recall(read_plan_marks(journal))


def question_of_key(key: str) -> str:
    """The id of the question in the key of a case.

    >>> question_of_key("q1::on::topk=5"), question_of_key("q1::on::topk=5::run=2")
    ('q1', 'q1')
    """
    parts = key_parts(key)
    return key if parts is None else parts[0]


def header_digest(header: RunHeader) -> str:
    """A digest of a header without times, versions, the rules that scored it, and which keys are set."""
    moment = {"started_at": "", "completed_at": None, "assay_version": "", "python_version": ""}
    rules = (ruler.FIELD, own_scorer.FIELD)
    extra = {name: value for name, value in header.extra.items() if name not in rules}
    variants = tuple(replace(variant, secrets=UNSET) for variant in header.variants)
    return sealed(digest(replace(header, extra=extra, variants=variants, **moment)))


def plan_digest(plan: Plan, header: RunHeader) -> str:
    """A digest of what the plan is made of: the header and, unless it has their hash, questions."""
    # the variants of the header may be described further, which changes nothing of the plan
    made_of = header_digest(replace(header, variants=plan.variants))
    if header.questions_sha256 is not None:
        return made_of
    content = blake2b(digest_size=4)
    for mark in (plan.questions or plan.marks)():
        content.update("\0".join((*mark, "")).encode())
    return f"{made_of}-{sealed(content.hexdigest())}"


def _check_variants(variants: Sequence[Variant]) -> None:
    names = [variant.name for variant in variants]
    for name in names:
        if "::" in name or name.startswith(":") or name.endswith(":") or not name.strip():
            raise UseError(
                f"variant {name!r}: a name may not be empty, contain '::', or start or end with ':'"
            )
        if mask_name(name) != name:  # rows and summary would have different names
            raise UseError(f"variant {mask_name(name)!r}: the name contains a secret; change it")
        if names.count(name) > 1:
            raise UseError(f"two variants are named {name!r}; give each variant a different name")


# Parts of a plan that run independently: ``--shard 2/4`` is the second of four parts.
#
# A question belongs to one part, with all its variants and placements: the calls that its variants
# share are then made in one place. The questions are dealt out in turn, so that the parts are of
# about the same size and each has questions from everywhere in the set.

T = TypeVar("T")
_WRITTEN: Final = re.compile(r"(\d{1,9})/(\d{1,9})")


class Shard(Struct, frozen=True):
    """Part ``number`` of ``of`` parts; the first is 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """The part that ``--shard`` names.

    >>> parse_shard("2/4")
    Shard(number=2, of=4)
    """
    found = _WRITTEN.fullmatch(text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.of:
        raise UseError(
            f"--shard {text}: write it as PART/PARTS, for example 1/4 for the first of 4"
        )
    return shard


def plan_part(plan: Plan, shard: Shard) -> Plan:
    """The cases of a plan that belong to one part."""
    if plan.early_stop is not None:
        raise UseError(
            "--shard cannot be combined with --stop-early: what is decided early depends on the "
            "answers of all parts"
        )
    if plan.every is not None:
        return plan.every(shard.number - 1, shard.of)
    return _filtered(plan, shard)


def _filtered(plan: Plan, shard: Shard) -> Plan:
    """The part of a plan that is no product; it is found by going through the whole plan."""

    def own(keys: Iterator[str]) -> Iterator[bool]:
        numbers: dict[str, int] = {}
        for key in keys:
            number = numbers.setdefault(question_of_key(key), len(numbers))
            yield number % shard.of == shard.number - 1

    def marks() -> Iterator[tuple[str, str]]:
        belongs = own(key for key, _ in plan.marks())
        return (mark for mark, is_own in zip(plan.marks(), belongs, strict=True) if is_own)

    def further_marks() -> Iterator[FurtherMark]:
        assert plan.further_marks is not None
        belongs = own(key for key, _ in plan.marks())
        return (mark for mark, is_own in zip(plan.further_marks(), belongs, strict=True) if is_own)

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        position = 0
        belongs = own(key for key, _ in plan.marks())
        for case, is_own in zip(plan.cases(), belongs, strict=True):
            position += is_own
            if not is_own or (
                (case.key not in open_keys) if position <= first else (case.key in done_keys)
            ):
                continue
            yield case

    return replace(
        plan,
        total=sum(1 for _ in marks()),
        cases=cases,
        marks=marks,
        questions=None,
        further_marks=None if plan.further_marks is None else further_marks,
    )


def in_turn(parts: Sequence[Iterator[T]]) -> Iterator[T]:
    """What was dealt out to the parts, in its former order.

    >>> "".join(in_turn([iter("ad"), iter("be"), iter("c")]))
    'abcde'
    """
    while dealt := [each for part in parts for each in islice(part, 1)]:
        yield from dealt


class Layout(Struct, frozen=True, kw_only=True):
    """The variants of an experiment, and the name of the one they are compared with.

    For a design, ``switched`` says which components are on in each variant. For a numeric
    variable, for example a dimension or a weight, ``ordered`` has its value in each variant.
    ``order_settings`` are the settings that differ between the variants and change only the order
    of the passages.
    """

    variants: tuple[Variant, ...]
    baseline: str
    variables: tuple[str, ...] = ()
    switched: Mapping[str, Mapping[str, bool]] = {}
    ordered: Mapping[str, float] = {}
    order_settings: tuple[str, ...] = ()

    def reordered(self) -> frozenset[str]:
        """The variants whose passages are in another order than those of the baseline."""
        settings = {variant.name: variant.settings for variant in self.variants}
        base = settings[self.baseline]
        return frozenset(
            name
            for name, chosen in settings.items()
            if any(chosen.get(order) != base.get(order) for order in self.order_settings)
        )


def differs_in_order_only(
    first: Mapping[str, Any], second: Mapping[str, Any], order_settings: Collection[str]
) -> bool:
    """Whether two variants differ, and only in the order of their passages.

    >>> differs_in_order_only({"repack": "forward"}, {"repack": "reverse"}, ["repack"])
    True
    """
    differing = {name for name in {*first, *second} if first.get(name) != second.get(name)}
    return bool(differing) and differing <= set(order_settings)


def numeric_values(variants: Sequence[Variant], variables: tuple[str, ...]) -> dict[str, float]:
    """The value of the first variable in each variant; empty unless all are different numbers."""
    if not variables:
        return {}
    values = {variant.name: variant.settings.get(variables[0]) for variant in variants}
    numbers = {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    all_numeric = len(numbers) == len(variants) > 1
    return numbers if all_numeric and len(set(numbers.values())) == len(numbers) else {}


def varied_order_settings(variants: Sequence[Variant], system: System) -> tuple[str, ...]:
    """The settings that differ between the variants and change only the order of the passages."""
    names = {name for variant in variants for name in variant.settings} & order_settings(system)
    values = {name: [variant.settings.get(name) for variant in variants] for name in names}
    return tuple(
        sorted(name for name in names if values[name].count(values[name][0]) < len(variants))
    )
