"""The plan: the cases of a run, created when they are needed."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import UseError
from assay.mask import read_environment
from assay.records import Question, RunHeader, Variant, digest
from assay.runs.plan import Placement, Plan, product_plan, store_plan, top_k_placement
from assay.runs.plan_file import read_plan
from assay.runs.resume import Resume
from assay.runs.write import plan_path
from assay.systems.scripted import ScriptedSystem
from tests.support.lab import Lab, echo
from tests.support.plans import OFF, ON, Endless, make_plan, question


def test_a_key_is_question_variant_and_placement():
    """Keys have the form of the seed format, and cases come question by question."""
    plan = make_plan(placements=(top_k_placement(5), top_k_placement(10)))
    keys = [case.key for case in plan.cases()]
    ends = [f"{variant}::topk={k}" for variant in ("on", "off") for k in (5, 10)]
    assert keys[:4] == [f"q1::{end}" for end in ends]
    assert sorted(keys[4:]) == sorted(f"q2::{end}" for end in ends)
    assert plan.total == 8


def test_the_variants_take_turns_at_being_first():
    """Each variant is first equally often, because the first one meets cold caches.

    Each variant also follows each neighbour as often as it precedes it.
    """
    plan = make_plan(questions=[question(number) for number in range(4)])
    firsts = [case.variant.name for case in plan.cases()][::2]
    assert firsts == ["on", "off", "off", "on"]
    three = (ON, OFF, Variant(name="dim", settings={"x": 5}))
    names = [
        case.variant.name
        for case in make_plan(
            questions=[question(number) for number in range(6)], variants=three
        ).cases()
    ]
    orders = [names[start : start + 3] for start in range(0, 18, 3)]
    assert Counter(order[0] for order in orders) == {"on": 2, "off": 2, "dim": 2}
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    assert all(pairs[left, right] == pairs[right, left] for left, right in pairs)
    assert [case.key for case in plan.cases()] == [key for key, _ in plan.marks()]
    assert [case.key for case in plan.cases(first=3, open_keys=())] == [
        case.key for case in plan.cases()
    ][3:]


def test_a_case_carries_all_it_was_made_from():
    """A case holds its question, variant, ``top_k`` and placement."""
    placement = Placement(label="depth=50", top_k=3, values={"depth": 50})
    case = next(make_plan(placements=(placement,)).cases())
    assert case.key == "q1::on::depth=50"
    assert (case.question, case.variant, case.top_k) == (question(1), ON, 3)
    assert case.placement == {"depth": 50}


def test_a_fingerprint_has_a_part_for_system_settings_and_question():
    """The three parts are the digests of system, settings and question."""
    case = next(make_plan().cases())
    assert case.fingerprint == f"{digest('sys-1')}-{digest({'x': 1})}-{digest(question(1))}"


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"system": "sys-2"}, 0),
        ({"variants": (Variant(name="on", settings={"x": 2}), OFF)}, 1),
        ({"questions": (question(1, "what?"), question(2))}, 2),
        ({"questions": (Question(id="q1", text="why?", gold=("c1",)), question(2))}, 2),
        ({"questions": (Question(id="q1", text="why?", source="s"), question(2))}, 2),
    ],
)
def test_an_edit_changes_its_part_of_the_fingerprint_alone(changed: dict[str, Any], part: int):
    """An edit of system, settings or question changes exactly one part."""
    was = next(make_plan().cases()).fingerprint.split("-")
    now = next(make_plan(**changed).cases()).fingerprint.split("-")
    assert [number for number in range(3) if was[number] != now[number]] == [part]


def test_a_subclass_of_question_is_fingerprinted_with_its_own_fields():
    """Fields that a job adds to its questions are part of the fingerprint."""

    class Choice(Question, frozen=True, kw_only=True):
        choices: tuple[str, ...]

    questions = [Choice(id="q1", text="?", choices=choices) for choices in (("a",), ("b",))]
    marks = [next(make_plan(questions=(choice,)).marks())[1] for choice in questions]
    assert marks[0] != marks[1]


def test_the_order_of_settings_does_not_matter():
    """The same settings in another order give the same fingerprints."""
    plan = make_plan(variants=(Variant(name="a", settings={"x": 1, "y": 2}),))
    reordered = make_plan(variants=(Variant(name="a", settings={"y": 2, "x": 1}),))
    assert list(plan.marks()) == list(reordered.marks())


@given(
    st.lists(st.text(min_size=1), max_size=4, unique=True),
    st.integers(1, 3),
    st.integers(1, 2),
    st.data(),
)
def test_marks_and_cases_agree(ids: list[str], variants: int, placements: int, data: st.DataObject):
    """``marks`` and ``cases`` agree, and ``cases`` omits exactly the cases it is asked to omit."""
    plan = make_plan(
        questions=[Question(id=name, text="?") for name in ids],
        variants=tuple(Variant(name=f"v{n}") for n in range(variants)),
        placements=tuple(top_k_placement(n + 1) for n in range(placements)),
    )
    marks = list(plan.marks())
    assert [(case.key, case.fingerprint) for case in plan.cases()] == marks
    assert len(marks) == plan.total
    skip = data.draw(st.sets(st.sampled_from(marks))) if marks else set()
    skipped = {key for key, _ in skip}
    first = data.draw(st.integers(0, len(marks)))
    cases = plan.cases(first=first, open_keys=skipped, done_keys=skipped)
    assert [case.key for case in cases] == [
        key for index, (key, _) in enumerate(marks) if (key in skipped) == (index < first)
    ]


@pytest.mark.parametrize("name", ["a::b", "::", "", "  ", ":a", "a:"])
def test_a_variant_name_that_breaks_keys_is_refused(name: str):
    """``::`` separates the parts of a key, so a variant name must not contain it."""
    with pytest.raises(UseError, match="may not be empty, contain '::', or start or end with ':'"):
        make_plan(variants=(Variant(name=name),))


def test_two_variants_of_one_name_are_refused():
    """Two variants with the same name are an error: their rows would have the same keys."""
    with pytest.raises(UseError, match="two variants are named 'on'"):
        make_plan(variants=(ON, OFF, Variant(name="on", settings={"x": 5})))


def test_a_plan_of_any_length_is_drawn_only_as_far_as_needed():
    """Three cases of a plan with a thousand million draw only two questions."""
    questions = Endless()
    plan = make_plan(questions=questions)
    assert plan.total == 2 * 10**9
    assert questions.drawn == 0
    assert [case.key for case in islice(plan.cases(), 3)] == [
        "q0::on::topk=10",
        "q0::off::topk=10",
        "q1::off::topk=10",
    ]
    assert questions.drawn == 2


def header_of(plan: Plan, **fields: Any) -> RunHeader:
    """The header of a run of ``plan``."""
    return RunHeader(
        job="j",
        name="a",
        system=plan.system,
        variants=plan.variants,
        total=plan.total,
        **fields,
    )


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def is_stored_again(journal: Path, plan: Plan, **fields: Any) -> bool:
    """Store a plan; return whether the file was written."""
    path = plan_path(journal)
    before = path.stat().st_ino if path.exists() else None
    store_plan(journal, plan, header_of(plan, **fields))
    return path.stat().st_ino != before


def test_a_stored_plan_says_what_it_was_made_of(journal: Path):
    """It has the digests of system, settings and questions, as the fingerprints have them."""
    plan = make_plan(placements=(top_k_placement(5), top_k_placement(10)))
    store_plan(journal, plan, header_of(plan))
    stored = read_plan(journal)
    assert stored is not None
    header = stored.header
    assert (header.total, header.lines) == (8, "questions")
    assert header.system == digest("sys-1")
    assert header.variants == {"on": digest({"x": 1}), "off": digest({"x": 0})}
    assert header.placements == ("topk=5", "topk=10")
    assert stored.marks == {"q1": digest(question(1)), "q2": digest(question(2))}


def test_a_plan_that_is_no_product_is_stored_case_by_case(journal: Path):
    """Its keys and fingerprints are stored, and only these belong to it."""
    plan = replace(make_plan(), questions=None)
    store_plan(journal, plan, header_of(plan))
    stored = read_plan(journal)
    assert stored is not None
    assert stored.header.lines == "cases"
    assert stored.marks == dict(plan.marks())
    assert "q1::on::topk=10" in stored
    assert "q3::on::topk=10" not in stored


@given(
    st.lists(st.text(min_size=1, max_size=4), max_size=4, unique=True),
    st.integers(1, 3),
    st.integers(1, 2),
    st.booleans(),
)
def test_the_rows_of_a_plan_are_those_of_its_cases(
    ids: list[str], variants: int, placements: int, product: bool
):
    """Every key of a plan is in the stored plan, with ids of any characters."""
    plan = make_plan(
        questions=[Question(id=name, text="?") for name in ids],
        variants=tuple(Variant(name=f"v{n}") for n in range(variants)),
        placements=tuple(top_k_placement(n + 1) for n in range(placements)),
    )
    plan = plan if product else replace(plan, questions=None)
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "a.jsonl"
        store_plan(journal, plan, header_of(plan))
        stored = read_plan(journal)
    assert stored is not None
    assert all(key in stored for key, _ in plan.marks())
    assert stored.header.total == plan.total
    other = next(make_plan(questions=[Question(id="other", text="?")]).marks())[0]
    assert other not in stored


@pytest.mark.parametrize("sha256", [None, "5f"])
def test_the_same_plan_is_not_stored_twice(journal: Path, sha256: str | None):
    """Times and versions do not matter: a resumed run leaves the file as it is."""
    assert is_stored_again(journal, make_plan(), questions_sha256=sha256)
    assert not is_stored_again(journal, make_plan(), questions_sha256=sha256)
    assert not is_stored_again(
        journal,
        make_plan(),
        questions_sha256=sha256,
        started_at="2024-01-01T00:00:00Z",
        completed_at="2024-01-02T00:00:00Z",
        assay_version="9",
        python_version="4",
    )


@pytest.mark.parametrize(
    ("plan", "fields"),
    [
        (make_plan(questions=(question(1), question(3))), {}),
        (make_plan(questions=(question(1), question(2, "what?"))), {}),
        (make_plan(questions=(question(2), question(1))), {}),
        (make_plan(questions=(question(1),)), {"limit": 1}),
        (make_plan(), {"limit": 5}),
        (make_plan(), {"questions_sha256": "5f"}),
        (make_plan(system="sys-2"), {}),
        (make_plan(variants=(ON,)), {}),
        (make_plan(variants=(ON, Variant(name="off", settings={"x": 2}))), {}),
    ],
)
def test_another_plan_is_stored_anew(journal: Path, plan: Plan, fields: dict[str, Any]):
    """A change to questions, limit, system or variants replaces the stored plan."""
    store_plan(journal, make_plan(), header_of(make_plan()))
    assert is_stored_again(journal, plan, **fields)
    stored = read_plan(journal)
    assert stored is not None
    assert stored.header.system == digest(plan.system)
    assert stored.header.variants == {each.name: digest(each.settings) for each in plan.variants}
    assert all(key in stored for key, _ in plan.marks())
    assert stored.header.total == plan.total


def test_questions_whose_hash_is_known_are_not_read_to_compare_plans(journal: Path):
    """With the hash of the questions, an unchanged plan costs no iteration."""

    def unread() -> Iterator[tuple[str, str]]:
        raise AssertionError("the questions were read")

    plan = make_plan()
    store_plan(journal, plan, header_of(plan, questions_sha256="5f"))
    assert not is_stored_again(
        journal, replace(plan, questions=unread, marks=unread), questions_sha256="5f"
    )


def test_the_plan_is_stored_before_the_first_case_is_asked(lab: Lab):
    """A run that is killed at its first case has left its plan."""
    stored: list[bool] = []

    def reply(*_: Any) -> str:
        plan = read_plan(lab.journal)
        stored.append(plan is not None and "q1::plain::topk=10" in plan)
        return "x"

    lab.run(ScriptedSystem(reply), 2)
    assert stored == [True, True]


def test_a_run_with_fewer_questions_has_a_smaller_plan(lab: Lab):
    """The journal keeps all rows; the plan tells which of them belong to the last run."""
    lab.run(ScriptedSystem(echo), 4)
    lab.run(ScriptedSystem(echo), 2)
    stored = read_plan(lab.journal)
    assert stored is not None
    assert [row["key"] for row in lab.rows() if row["key"] in stored] == [
        "q0::plain::topk=10",
        "q1::plain::topk=10",
    ]


def test_a_refused_run_leaves_the_stored_plan(lab: Lab):
    """The plan of an edited experiment replaces the old one only if its run is accepted."""
    lab.run(ScriptedSystem(echo), 2)
    before = lab.files()
    edited = ScriptedSystem(echo, identity="v2")
    with pytest.raises(UseError):
        lab.run(edited, 2)
    assert lab.files() == before
    lab.run(edited, 2, resume="keep")
    stored = read_plan(lab.journal)
    assert stored is not None
    assert stored.header.system == digest("v2")


def test_a_fresh_start_sets_the_plan_aside(lab: Lab):
    """The old plan is kept beside the old rows."""
    lab.run(ScriptedSystem(echo), 4)
    old = plan_path(lab.journal).read_bytes()
    lab.run(ScriptedSystem(echo), 2, resume="fresh")
    (kept,) = lab.folder.glob("lab.plan.jsonl.*.old")
    assert kept.read_bytes() == old
    stored = read_plan(lab.journal)
    assert stored is not None
    assert list(stored.marks) == ["q0", "q1"]


@pytest.mark.parametrize("name", ["lab.plan.jsonl", "lab.verdicts.jsonl", "a.b.plan.jsonl"])
@pytest.mark.parametrize("resume", ["fresh", "ask"])
def test_a_run_cannot_have_the_name_of_a_plan_or_of_verdicts(lab: Lab, name: str, resume: Resume):
    """Such a journal would be taken for the file of another run; nothing is created."""
    lab.journal = lab.folder / name
    system = ScriptedSystem(echo)
    with pytest.raises(UseError, match="files with this ending belong to another run"):
        lab.run(system, 1, resume=resume)
    assert (system.asked, list(lab.folder.iterdir())) == ([], [])


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_plan_is_written_again(lab: Lab, damage: bytes | None):
    """The next run has all it needs to store the plan; nobody has to delete the file."""
    lab.run(ScriptedSystem(echo), 3)
    path = lab.folder / "lab.plan.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"[")] if damage is None else damage)
    lab.run(ScriptedSystem(echo), 3)
    assert path.read_bytes() == whole


def test_a_name_of_a_variant_that_contains_a_secret_is_refused(monkeypatch: pytest.MonkeyPatch):
    """It would be masked in the summary and not in the rows, so that no row had a variant."""
    monkeypatch.setenv("MY_RAG_TOKEN", "t0ken-0123456789")
    read_environment()
    with pytest.raises(UseError, match=r"variant 'on-\*\*\*': the name contains a secret"):
        product_plan(
            questions=[],
            variants=[Variant(name="on-t0ken-0123456789")],
            placements=[],
            system="s",
        )
