"""Digests of questions: computed, or taken from the stored plan of the same questions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.records import Question, digest
from assay.runs.plan import Plan, product_plan, recall_digests, store_plan, top_k_placement
from assay.runs.write import plan_path
from tests.runs.test_runner_plan import header_of
from tests.support.plans import ON, question

MANY = [question(number) for number in range(200)]


class Counted:
    """What is asked of a question, and how many questions were hashed for it."""

    def __init__(self) -> None:
        self.hashed = 0

    def __call__(self, asked: Question) -> Question:
        """Count a question that is hashed."""
        self.hashed += 1
        return asked


def resumed(
    journal: Path, questions: list[Question], *, covers: bool = True, **fields: Any
) -> tuple[Plan, Counted]:
    """The plan of a run that is resumed, after it has looked for stored digests."""
    counted = Counted()
    plan = product_plan(
        questions=questions,
        variants=[ON],
        placements=[top_k_placement(10)],
        system="sys-1",
        asked=counted,
        header_covers_questions=covers,
    )
    recall_digests(journal, plan, header_of(plan, **{"questions_sha256": "5f", **fields}))
    return plan, counted


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    """The path of a journal whose plan of ``MANY`` is stored."""
    journal = tmp_path / "a.jsonl"
    plan, _ = resumed(journal, MANY)
    store_plan(journal, plan, header_of(plan, questions_sha256="5f"))
    return journal


def fingerprints(plan: Plan) -> list[str]:
    """The last part of each fingerprint."""
    return [mark.rpartition("-")[2] for _, mark in plan.marks()]


def test_stored_digests_are_not_computed_again(journal: Path):
    """A resumed run hashes one question of a batch and takes the other digests from the plan."""
    plan, counted = resumed(journal, MANY)
    assert fingerprints(plan) == [digest(each) for each in MANY]
    assert counted.hashed == 4
    assert [case.fingerprint for case in plan.cases()] == [mark for _, mark in plan.marks()]
    assert counted.hashed == 4


def test_what_answers_are_compared_with_is_stored_too(tmp_path: Path):
    """A resumed run takes the digests of the gold from the plan, with those of the questions."""
    journal, compared = tmp_path / "a.jsonl", Counted()

    def plan() -> Plan:
        return product_plan(
            questions=MANY,
            variants=[ON],
            placements=[top_k_placement(10)],
            system="sys-1",
            asked=Counted(),
            against=lambda each: [compared(each).gold, each.id],
            header_covers_questions=True,
        )

    first = plan()
    store_plan(journal, first, header_of(first, questions_sha256="5f"))
    again, compared.hashed = plan(), 0
    recall_digests(journal, again, header_of(again, questions_sha256="5f"))
    assert fingerprints(again) == [digest(each) for each in MANY]
    assert again.further_marks is not None
    expected = [digest([each.gold, each.id]) for each in MANY]
    assert [mark.against for mark in again.further_marks()] == expected
    assert [case.against for case in again.cases()] == expected
    assert compared.hashed == 4


@pytest.mark.parametrize(
    "options",
    [{"covers": False}, {"questions_sha256": None}, {"questions_sha256": "60"}, {"limit": 5}],
)
def test_only_a_plan_made_of_the_same_is_trusted(journal: Path, options: dict[str, Any]):
    """Another header, or one that does not cover the questions, has every question hashed."""
    plan, counted = resumed(journal, MANY, **options)
    assert fingerprints(plan) == [digest(each) for each in MANY]
    assert counted.hashed >= len(MANY)


@pytest.mark.parametrize("number", [0, 64, 128])
def test_questions_that_differ_from_the_stored_plan_are_hashed(journal: Path, number: int):
    """If a sample or an id does not agree, everything from its batch on is computed."""
    edited = [*MANY]
    edited[number] = replace(MANY[number], text="what?")
    assert fingerprints(resumed(journal, edited)[0]) == [digest(each) for each in edited]
    edited[number + 1] = replace(MANY[number], id="other")
    assert fingerprints(resumed(journal, edited)[0]) == [digest(each) for each in edited]


@pytest.mark.parametrize("damage", [b'{"schema_version":99}', b"[", b'["q0",'])
def test_a_damaged_plan_is_not_recalled(journal: Path, damage: bytes):
    """A plan that cannot be read is no reason to refuse: the questions are hashed."""
    lines = plan_path(journal).read_bytes().splitlines(keepends=True)
    first = [] if damage.startswith(b"{") else lines[:1]
    plan_path(journal).write_bytes(b"".join((*first, damage + b"\n", *lines[2:])))
    assert fingerprints(resumed(journal, MANY)[0]) == [digest(each) for each in MANY]


def test_digests_can_be_drawn_by_two_at_once(journal: Path):
    """Two iterations that take turns see the same digests."""
    plan, _ = resumed(journal, MANY)
    first: Iterator[tuple[str, str]] = plan.marks()
    second = plan.marks()
    pairs = list(zip(first, second, strict=True))
    assert len(pairs) == len(MANY)
    assert all(one == other for one, other in pairs)


@pytest.mark.parametrize("wrong", ["zzzzzzzz", "0123", "0123456789abcdef", "", "0 123 45", "ééééé"])
def test_a_stored_digest_that_is_no_digest_is_not_recalled(journal: Path, wrong: str):
    """A plan that somebody edited by hand is made again."""
    path = plan_path(journal)
    lines = path.read_text(encoding="utf-8").splitlines()
    name, _ = json.loads(lines[2])
    lines[2] = json.dumps([name, wrong])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    plan, counted = resumed(journal, MANY)
    assert fingerprints(plan) == [digest(each) for each in MANY]
    assert counted.hashed >= len(MANY)
