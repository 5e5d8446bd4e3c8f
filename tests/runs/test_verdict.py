"""The stored verdicts: appended once, found again, and kept through an incomplete end."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import JournalCorrupt
from assay.records import SCHEMA_VERSION, Answer, Passage, Usage
from assay.runs.verdict import Verdict, VerdictStore, answer_hash
from assay.runs.write import verdicts_path

ANSWER = Answer(text="yes [1]", passages=(Passage(id="c1", text="t", page=3),))


def verdict(
    value: Any = "fine", *, key: str = "k", answer: Answer = ANSWER, judge: str = "j1"
) -> Verdict:
    """A verdict on an answer."""
    return Verdict(
        key=key,
        answer_sha256=answer_hash(answer),
        judge=judge,
        verdict=value,
        usage=Usage(calls=1, paid=0.5),
        elapsed_s=1.5,
        ts=12.5,
    )


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def test_a_verdict_is_found_at_once_and_later(journal: Path):
    """The store that got it and one that is opened later give the same verdict."""
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") is None
        store.add(verdict())
        assert store.find("k", ANSWER, "j1") == verdict()
        assert VerdictStore(journal).find("k", ANSWER, "j1") == verdict()
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()


@pytest.mark.parametrize(
    ("key", "answer", "judge"),
    [
        ("other", ANSWER, "j1"),
        ("k", Answer(text="no"), "j1"),
        ("k", Answer(text=ANSWER.text), "j1"),
        ("k", ANSWER, "j2"),
        ("k", ANSWER, ""),
    ],
)
def test_a_verdict_counts_for_its_case_answer_and_judge_alone(
    journal: Path, key: str, answer: Answer, judge: str
):
    """Another case, another answer or another judge needs a verdict of its own."""
    with VerdictStore(journal) as store:
        store.add(verdict())
        assert store.find(key, answer, judge) is None


def test_the_last_verdict_counts_and_none_is_removed(journal: Path):
    """The file only grows."""
    with VerdictStore(journal) as store:
        store.add(verdict("first"))
        first = verdicts_path(journal).read_bytes()
        store.add(verdict("second"))
    assert verdicts_path(journal).read_bytes().startswith(first)
    with VerdictStore(journal) as store:
        found = store.find("k", ANSWER, "j1")
        assert found is not None
        assert found.verdict == "second"
    assert verdicts_path(journal).read_bytes().count(b"\n") == 2


def test_a_file_is_created_with_the_first_verdict(journal: Path):
    """A store without verdicts leaves nothing behind, nor does one that is only read."""
    with VerdictStore(journal):
        pass
    assert list(journal.parent.iterdir()) == []
    with VerdictStore(journal) as store:
        store.add(verdict())
        store.close()
        store.close()
    assert [path.name for path in journal.parent.iterdir()] == ["a.verdicts.jsonl"]
    (line,) = verdicts_path(journal).read_text().splitlines()
    assert json.loads(line)["schema_version"] == SCHEMA_VERSION


def test_a_torn_end_is_set_aside_with_the_next_verdict(journal: Path):
    """An incomplete verdict is ignored; the complete ones are kept, and the next one follows."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    whole = verdicts_path(journal).read_bytes()
    with verdicts_path(journal).open("ab") as file:
        file.write(whole[: len(whole) // 2])
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()
        store.add(verdict(key="k2"))
    assert verdicts_path(journal).read_bytes().startswith(whole)
    with VerdictStore(journal) as store:
        assert store.find("k2", ANSWER, "j1") == verdict(key="k2")
    torn = journal.with_name("a.verdicts.jsonl.torn")
    assert torn.read_bytes() == whole[: len(whole) // 2] + b"\n"


def test_a_verdict_without_its_newline_counts(journal: Path):
    """If only the newline was lost, the verdict is complete, as in a journal."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    path = verdicts_path(journal)
    path.write_bytes(path.read_bytes().rstrip())
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()


def test_a_corrupt_file_is_refused_by_its_line(journal: Path):
    """A bad line is an error with its number, and the file is not changed."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    path = verdicts_path(journal)
    path.write_bytes(path.read_bytes() + b"garbage\n")
    before = path.read_bytes()
    with pytest.raises(JournalCorrupt, match=r"a\.verdicts\.jsonl:2: "):
        VerdictStore(journal)
    assert path.read_bytes() == before


def test_the_hash_is_that_of_what_a_judge_reads():
    """Text and passages change it; cost, time and reason of the end do not."""
    same = replace(ANSWER, usage=Usage(calls=3), finish_reason="stop", latency_s=2.0)
    assert answer_hash(same) == answer_hash(ANSWER)
    passage = ANSWER.passages[0]
    others = [
        replace(ANSWER, text="yes"),
        replace(ANSWER, passages=()),
        replace(ANSWER, passages=(replace(passage, text="other"),)),
        replace(ANSWER, passages=(replace(passage, id="c2"),)),
        replace(ANSWER, passages=(passage, passage)),
    ]
    hashes = {answer_hash(answer) for answer in (ANSWER, *others)}
    assert len(hashes) == len(others) + 1


TEXT = st.text(max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=2), TEXT, TEXT, JSON), max_size=6))
def test_any_verdicts_come_back(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, str, str, Any]]
):
    """Each key, answer and judge finds its last verdict, as it was given."""
    journal = tmp_path_factory.mktemp("verdicts") / "a.jsonl"
    with VerdictStore(journal) as store:
        for key, text, judge, value in entries:
            store.add(verdict(value, key=key, answer=Answer(text=text), judge=judge))
    expected = {(key, text, judge): value for key, text, judge, value in entries}
    with VerdictStore(journal) as store:
        for (key, text, judge), value in expected.items():
            found = store.find(key, Answer(text=text), judge)
            assert found is not None
            assert found.verdict == value
