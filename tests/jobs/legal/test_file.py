"""Benchmark files: the schema, the samples, and problems with their line and path."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.document.document import read_paged
from assay.jobs.legal.benchmark_check import check_benchmark
from assay.jobs.legal.file import NotJson, benchmark_schema, locate_values
from tests.support.path import ROOT

SAMPLES = files("assay.data.samples").joinpath("bench")
DOCUMENT = "One boat was sold.\nThe price was £4,200 in all.\n\fIt was paid on 2 June 2031.\n"


def fact_file() -> dict[str, Any]:
    """A file with one correct question about a fact."""
    return {
        "benchmark_type": "fact_exact",
        "document": "sale.txt",
        "questions": [
            {
                "id": "q1",
                "question": "What was the price?",
                "expected": {"amount_total": 4200},
                "required_evidence": [{"page": 1, "must_include": "price was … in all"}],
            }
        ],
    }


def gap_file() -> dict[str, Any]:
    """A file with one correct ``conflict_gap`` question."""
    return {
        "benchmark_type": "conflict_gap",
        "document": "sale.txt",
        "questions": [
            {
                "id": "g1",
                "question": "When was it paid?",
                "should_abstain": False,
                "required_quote": "paid on 2 June",
                "evidence_location": {"page": 2, "lines": "3"},
            }
        ],
    }


def problems(folder: Path, raw: Any) -> list[tuple[str, str]]:
    """Write a file and return the path and message of each of its problems."""
    (folder / "sale.txt").write_text(DOCUMENT, encoding="utf-8")
    path = folder / "b.json"
    path.write_text(json.dumps(raw, indent=1, ensure_ascii=False), encoding="utf-8")
    return [(problem.path, problem.message) for problem in check_benchmark(path).problems]


def with_change(raw: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The file after a change to its question."""
    change(raw["questions"][0])
    return raw


def test_the_schema_is_checked_in_and_installed() -> None:
    """The schema files of the documentation and the package equal the generated schema."""
    schema = benchmark_schema()
    assert (ROOT / "docs" / "benchmark.schema.json").read_text(encoding="utf-8") == schema
    packaged = files("assay.data.samples").joinpath("bench", "schema.json")
    assert packaged.read_text(encoding="utf-8") == schema


def test_the_samples_fit_the_schema_and_have_no_problems() -> None:
    """All 21 sample files pass an independent validator and our own checks."""
    schema = json.loads(benchmark_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    paths = sorted(Path(str(SAMPLES)).rglob("*_*.json"))
    for path in paths:
        jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), schema)
        assert check_benchmark(path).problems == ()
    assert len(paths) == 21


def test_required_evidence_alone_is_enough_for_a_set_of_passages(tmp_path: Path) -> None:
    """An ``evidence_set`` question needs no ``expected``; with neither there is nothing to find."""
    (tmp_path / "lease.md").write_text("He paid me £4,200. The rest is due in May.")
    question: dict[str, Any] = {"id": "s1", "question": "What is known about the payment?"}
    content = {"benchmark_type": "evidence_set", "document": "lease.md", "questions": [question]}
    path = tmp_path / "set.json"
    path.write_text(json.dumps(content))
    (problem,) = check_benchmark(path).problems
    assert "neither `key_points` nor `required_evidence`" in str(problem)
    question["required_evidence"] = [{"must_include": "He paid me £4,200", "page": 1}]
    path.write_text(json.dumps(content))
    assert check_benchmark(path).problems == ()


FACT_FAULTS = [
    (
        lambda q: q["expected"].update(amount_total="some"),
        "$.questions[0].expected.amount_total",
        "number",
    ),
    (lambda q: q["expected"].update(date="2 June"), "$.questions[0].expected.date", "YYYY-MM-DD"),
    (lambda q: q["expected"].update(date="2031-02-30"), "$.questions[0].expected.date", "calendar"),
    (
        lambda q: q["required_evidence"][0].update(page=2),
        "$.questions[0].required_evidence[0].must_include",
        "page 1",
    ),
    (
        lambda q: q["required_evidence"][0].update(page=7),
        "$.questions[0].required_evidence[0].page",
        "2 pages",
    ),
    (lambda q: q.update(type="evidence_set"), "$.questions[0].type", "fact_exact"),
    (lambda q: q.update(expected={}), "$.questions[0].expected", "nothing is expected"),
    (lambda q: q.pop("id"), "$.questions[0]", "`id` is missing"),
    (
        lambda q: q.update(expected_answer=q.pop("expected")),
        "$.questions[0]",
        "`expected` is missing; there is `expected_answer`: did you mean `expected`?",
    ),
]


@pytest.mark.parametrize(("change", "path", "fragment"), FACT_FAULTS)
def test_a_fault_of_a_fact_is_named_with_its_path(
    tmp_path: Path, change: Callable[[Any], Any], path: str, fragment: str
) -> None:
    """One error gives one problem with its JSON path."""
    [(where, message)] = problems(tmp_path, with_change(fact_file(), change))
    assert (where, fragment in message) == (path, True)


ODD_FACTS: list[tuple[Any, Any]] = [
    ({"amount_total": "4200"}, {"amount_total": 4200}),
    ({"amount_total": "£4,200"}, {"amount_total": 4200}),
    ({"count": "3"}, {"count": 3}),
    ({"count": 3.0}, {"count": 3}),
    ({"date": "2 June 2031"}, {"date": "2031-06-02"}),
    ({"date": "2031/06/02"}, {"date": "2031-06-02"}),
    (
        {"date_range": ["2031-06-02", "2031-06-03"]},
        {"date_range": {"start": "2031-06-02", "end": "2031-06-03"}},
    ),
    ({"boolean_answer": "true"}, {"boolean_answer": True}),
    ({"text_answer": 4200}, {"text_answer": "4200"}),
    ({"entity": ["Hugh Orme"]}, {"entity": "Hugh Orme"}),
    (
        {"amount_breakdown": {"boat": "4000", "oars": 200}},
        {
            "amount_breakdown": [
                {"amount": 4000, "description": "boat"},
                {"amount": 200, "description": "oars"},
            ]
        },
    ),
    ("One boat", {"text_answer": "One boat"}),
    (4200, {"amount_total": 4200}),
]


@pytest.mark.parametrize(("written", "meant"), ODD_FACTS)
def test_odd_types_of_an_expected_fact_are_read_as_meant(
    tmp_path: Path, written: Any, meant: Any
) -> None:
    """Numbers and dates as text, one instead of a list, a value instead of an object."""
    raw = fact_file()
    raw["questions"][0]["expected"] = written
    assert problems(tmp_path, raw) == []
    checked = check_benchmark(tmp_path / "b.json")
    assert checked.raw["questions"][0]["expected"] == meant


def test_odd_types_of_a_whole_file_are_read(tmp_path: Path) -> None:
    """Nothing of a file from elsewhere is refused because its types are unusual."""
    raw = fact_file()
    raw |= {
        "document": ["sale.txt"],
        "schema_version": "2",
        "scoring_config": [],
        "evaluation_criteria": {"min_score": 70},
    }
    raw["questions"] = {
        "7": {
            "question": "What was the price?",
            "type": "fact",
            "expected": {"amount_total": 4200},
            "required_evidence": {"page": "p. 1", "must_include": ["One boat", "4,200"]},
            "scoring": {"numeric_exact": "true", "weight": "2"},
            "metadata": {"difficulty": 1, "category": ["a", "b"]},
        }
    }
    assert problems(tmp_path, raw) == []
    checked = check_benchmark(tmp_path / "b.json")
    assert checked.benchmark is not None
    (question,) = checked.benchmark.questions
    assert (question.id, question.scoring.weight) == ("7", 2.0)
    assert [(item.page, item.must_include) for item in question.required_evidence] == [
        (1, "One boat"),
        (1, "4,200"),
    ]
    assert checked.benchmark.evaluation_criteria.min_score == 0.7
    assert len(checked.remarks) == 3  # the version, the list, the unknown type


def test_a_misplaced_quote_does_not_block_a_file(tmp_path: Path) -> None:
    """It is a problem for ``bench validate``, and the file can be run."""
    raw = with_change(gap_file(), lambda q: q.update(required_quote="paid in May"))
    assert len(problems(tmp_path, raw)) == 1
    checked = check_benchmark(tmp_path / "b.json")
    assert checked.benchmark is not None
    assert not checked.problems[0].blocks


GAP_FAULTS = [
    (
        lambda q: q.update(required_quote="paid in May"),
        "$.questions[0].required_quote",
        "nowhere else",
    ),
    (
        lambda q: q["evidence_location"].update(lines="1-2"),
        "$.questions[0].evidence_location.lines",
        "lines 1-2",
    ),
    (
        lambda q: q["evidence_location"].update(lines="9"),
        "$.questions[0].evidence_location.lines",
        "not lines",
    ),
    (
        lambda q: q.update(scoring={"abstention_required": True}),
        "$.questions[0].scoring.abstention_required",
        "disagrees",
    ),
]


@pytest.mark.parametrize(("change", "path", "fragment"), GAP_FAULTS)
def test_a_fault_of_a_gap_is_named_with_its_path(
    tmp_path: Path, change: Callable[[Any], Any], path: str, fragment: str
) -> None:
    """A quote must be on its page and its lines, and settings must agree."""
    [(where, message)] = problems(tmp_path, with_change(gap_file(), change))
    assert (where, fragment in message) == (path, True)


def test_all_problems_come_at_once_with_their_lines(tmp_path: Path) -> None:
    """Several problems are reported together, in the order of their lines."""
    evidence = {"id": "e", "question": "?", "expected": {"key_points": ["a"]}}
    raw = {
        "benchmark_type": "evidence_set",
        "document": "gone.txt",
        "questions": [evidence, {**evidence, "scoring": {"evidence_recall_min": 1.5}}],
    }
    path = tmp_path / "b.json"
    path.write_text(json.dumps(raw, indent=1), encoding="utf-8")
    reported = check_benchmark(path).problems
    assert [problem.path for problem in reported] == [
        "$.questions[1].id",
        "$.questions[1].scoring.evidence_recall_min",
    ]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert "1.5" in lines[reported[1].line - 1]
    [remark] = check_benchmark(path).remarks
    assert (remark.path, "gone.txt" in lines[remark.line - 1]) == ("$.document", True)


def test_unknown_fields_are_listed_and_ignored(tmp_path: Path) -> None:
    """An unknown field is no problem; a similar name or the type that has the field is named."""
    raw = {**fact_file(), "author": "A. N."}
    raw["questions"][0].update(should_abstain=True, reviewer="B")
    raw["questions"][0]["expected"]["amount_totl"] = 1
    assert problems(tmp_path, raw) == []
    assert check_benchmark(tmp_path / "b.json").ignored == (
        "questions.expected.amount_totl (did you mean amount_total?)",
        "questions.should_abstain (belongs to conflict_gap)",
        "questions.reviewer",
        "author",
    )


def test_a_field_in_the_wrong_place_is_sent_to_the_right_one(tmp_path: Path) -> None:
    """A required quote among the expected fields is not read; the line says where it belongs."""
    raw = with_change(gap_file(), lambda q: q.update(expected={"required_quote": "a"}))
    raw["additional_quotes"] = ["b"]
    assert problems(tmp_path, raw) == []
    assert check_benchmark(tmp_path / "b.json").ignored == (
        "questions.expected.required_quote (write it as questions.required_quote)",
        "additional_quotes (write it as questions.additional_quotes)",
    )


def test_an_unknown_penalty_is_a_remark(tmp_path: Path) -> None:
    """A level that is not listed is said and refuses nothing, since penalties are only shown."""
    raw = with_change(gap_file(), lambda q: q.update(hallucination_penalty="hihg"))
    assert problems(tmp_path, raw) == []
    [remark] = check_benchmark(tmp_path / "b.json").remarks
    assert (remark.path, "'high'" in remark.message) == (
        "$.questions[0].hallucination_penalty",
        True,
    )


def test_a_file_without_problems_is_read(tmp_path: Path) -> None:
    """A quote with … is accepted, and missing fields of a question have their defaults."""
    assert problems(tmp_path, fact_file()) == []
    checked = check_benchmark(tmp_path / "b.json")
    assert checked.benchmark is not None
    assert checked.benchmark.questions[0].scoring.citation_required is True


def test_broken_json_is_named_by_line(tmp_path: Path) -> None:
    """A file that is not JSON gives one problem, with the line of the error."""
    path = tmp_path / "b.json"
    path.write_text('{"a": 1,\n "b": }', encoding="utf-8")
    [problem] = check_benchmark(path).problems
    assert (problem.line, "not JSON" in problem.message) == (2, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1]))
def test_json_is_read_as_the_standard_library_reads_it(value: Any, indent: int | None) -> None:
    """Every JSON text gives the same value as ``json.loads``, and its root is on line 1."""
    located = locate_values(json.dumps(value, indent=indent))
    assert (located.value, located.line(())) == (value, 1)


@given(st.text(max_size=20))
def test_what_is_not_json_is_refused_and_never_crashes(text: str) -> None:
    """An arbitrary text either raises ``NotJson`` or gives the value of ``json.loads``."""
    try:
        value = locate_values(text).value
    except NotJson:
        return
    assert json.loads(text) == value


def test_pages_and_lines_of_a_document(tmp_path: Path) -> None:
    """Form feeds separate pages; lines are counted through the whole document."""
    path = tmp_path / "sale.txt"
    path.write_text(DOCUMENT, encoding="utf-8")
    document = read_paged(path)
    assert len(document.pages) == 2
    assert document.lines(3, 3) == "It was paid on 2 June 2031."
    assert (document.page_of_line(3), document.page(3), document.lines(3, 9)) == (2, None, None)
