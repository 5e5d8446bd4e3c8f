"""The stored plan: which cases belong to a run."""

import json
import os
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import JournalCorrupt, JournalTooNew, JournalWriteFailed
from assay.records import SCHEMA_VERSION
from assay.runs.plan_file import PlanHeader, read_plan, read_plan_header, write_plan
from assay.runs.write import plan_path

PRODUCT = PlanHeader(
    made_of="5c6ead00",
    total=8,
    system="0a",
    variants={"on": "1b", "off": "2c"},
    placements=("topk=5", "topk=10"),
)
CASES = PlanHeader(made_of="x", total=2, system="0a", variants={"on": "1b"}, lines="cases")


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def test_a_plan_comes_back_as_it_was_stored(journal: Path):
    """Header and marks are unchanged, and the first line is the header."""
    write_plan(journal, PRODUCT, [("q1", "d1"), ("q2", "d2")])
    plan = read_plan(journal)
    assert plan is not None
    assert plan.header == read_plan_header(journal) == PRODUCT
    assert plan.marks == {"q1": "d1", "q2": "d2"}
    first, *lines = plan_path(journal).read_text().splitlines()
    assert json.loads(first)["schema_version"] == SCHEMA_VERSION
    assert lines == ['["q1","d1"]', '["q2","d2"]']
    assert [path.name for path in journal.parent.iterdir()] == ["a.plan.jsonl"]


@pytest.mark.parametrize(
    ("key", "is_in"),
    [
        ("q1::on::topk=5", True),
        ("q2::off::topk=10", True),
        ("q3::on::topk=5", False),
        ("q1::dim::topk=5", False),
        ("q1::on::topk=20", False),
        ("q1::on", False),
        ("q1", False),
        ("", False),
        ("x::q1::on::topk=5", False),
        ("q1::on::topk=5::rep=1", False),
    ],
)
def test_a_product_contains_every_question_with_every_variant(journal: Path, key: str, is_in: bool):
    """A key belongs to the plan if its question, its variant and its placement do."""
    write_plan(journal, PRODUCT, [("q1", "d1"), ("q2", "d2")])
    plan = read_plan(journal)
    assert plan is not None
    assert (key in plan) is is_in


def test_a_plan_of_cases_contains_its_cases(journal: Path):
    """If the cases are listed, exactly these belong to the plan."""
    write_plan(journal, CASES, [("q1::on::depth=0", "f1"), ("q2::on::depth=50", "f2")])
    plan = read_plan(journal)
    assert plan is not None
    assert "q1::on::depth=0" in plan
    assert "q1::on::depth=50" not in plan
    assert plan.marks["q2::on::depth=50"] == "f2"


NAMES = st.text("ab:=/ 条", min_size=1, max_size=4)


@given(
    st.lists(NAMES, max_size=5, unique=True),
    st.lists(
        NAMES.filter(lambda name: "::" not in name and name[0] != ":"), max_size=3, unique=True
    ),
    st.lists(NAMES.filter(lambda name: ":" not in name), max_size=2, unique=True),
    st.tuples(NAMES, NAMES, NAMES),
)
def test_any_product_contains_exactly_its_keys(
    questions: list[str], variants: list[str], placements: list[str], other: tuple[str, str, str]
):
    """Also where question ids contain the separator of keys."""
    header = PlanHeader(
        made_of="x",
        total=len(questions) * len(variants) * len(placements),
        system="s",
        variants=dict.fromkeys(variants, "d"),
        placements=tuple(placements),
    )
    keys = {f"{q}::{v}::{p}" for q in questions for v in variants for p in placements}
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "a.jsonl"
        write_plan(journal, header, [(question, "d") for question in questions])
        plan = read_plan(journal)
    assert plan is not None
    assert all(key in plan for key in keys)
    assert ("::".join(other) in plan) == ("::".join(other) in keys)


def test_no_plan_is_none(journal: Path):
    """The first version stored no plan."""
    assert read_plan(journal) is None
    assert read_plan_header(journal) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage\n",
        b'{"made_of":"x"}\n',
        b"\xff\n",
        b'{"made_of":"x","total":1,"system":"s","variants":{}}\n["q1"]\n',
        b'{"made_of":"x","total":1,"system":"s","variants":{}}\n{"q1":1}\n',
        b'{"made_of":"x","total":1,"system":"s","variants":{}}\n["q1","d',
    ],
)
def test_a_file_that_is_no_plan_is_refused(journal: Path, content: bytes):
    """The message names the file."""
    plan_path(journal).write_bytes(content)
    with pytest.raises(JournalCorrupt, match=r"a\.plan\.jsonl: not the plan of a run"):
        read_plan(journal)


@pytest.mark.parametrize("change", [{}, {"variants": 3}, {"lines": "rooms"}, {"made_of": None}])
@pytest.mark.parametrize("read", [read_plan, read_plan_header])
def test_a_newer_plan_is_refused_by_name(journal: Path, change: dict[str, Any], read: Any):
    """The message names the file and both versions, even if the header cannot be read."""
    write_plan(journal, PRODUCT, [("q1", "d1")])
    first, rest = plan_path(journal).read_text().split("\n", 1)
    header = json.loads(first) | {"schema_version": SCHEMA_VERSION + 1} | change
    plan_path(journal).write_text(json.dumps(header) + "\n" + rest)
    with pytest.raises(JournalTooNew, match=r"a\.plan\.jsonl: was written by a newer") as caught:
        read(journal)
    assert f"layout {SCHEMA_VERSION + 1}," in str(caught.value)


def test_a_plan_is_replaced_as_a_whole(journal: Path, monkeypatch: pytest.MonkeyPatch):
    """A failed write leaves the old plan and no temporary file."""
    write_plan(journal, PRODUCT, [("q1", "d1")])
    before = plan_path(journal).read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalWriteFailed, match=r"a\.plan\.jsonl: cannot be written"):
        write_plan(journal, CASES, [("k", "f")])
    monkeypatch.undo()
    assert plan_path(journal).read_bytes() == before
    assert [path.name for path in journal.parent.iterdir()] == ["a.plan.jsonl"]


def test_a_long_plan_is_written_without_holding_it(journal: Path):
    """Marks are drawn as they are written: memory does not grow with the number of questions."""
    count = 60_000
    tracemalloc.start()
    try:
        header = msgspec.structs.replace(PRODUCT, total=4 * count)
        write_plan(journal, header, ((f"question-{n:06d}", "5c6ead00") for n in range(count)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < plan_path(journal).stat().st_size
    plan = read_plan(journal)
    assert plan is not None
    assert len(plan.marks) == count


def test_a_plan_that_lost_lines_is_refused(journal: Path):
    """Rows of the lost questions would count as those of another run."""
    write_plan(journal, PRODUCT, [("q1", "d1"), ("q2", "d2")])
    text = plan_path(journal).read_text()
    plan_path(journal).write_text(text.replace('["q2","d2"]\n', ""))
    with pytest.raises(JournalCorrupt, match="1 of the 2 lines of the plan are left"):
        read_plan(journal)


def test_a_folder_in_place_of_a_plan_is_one_line(journal: Path):
    """Its name is in the message."""
    plan_path(journal).mkdir()
    for read in (read_plan, read_plan_header):
        with pytest.raises(JournalCorrupt, match=r"a\.plan\.jsonl: cannot be read"):
            read(journal)


def test_the_temporary_file_of_a_killed_process_is_removed(journal: Path):
    """A process that was killed while it stored the plan leaves nothing for ever."""
    dead = journal.parent / f".a.plan.jsonl.{2**22 - 3}"
    dead.write_text("{")
    write_plan(journal, PRODUCT, [("q1", "d1"), ("q2", "d2")])
    assert [path.name for path in journal.parent.iterdir()] == ["a.plan.jsonl"]
