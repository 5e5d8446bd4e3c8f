"""Twelve kinds of faults are found, each in the question that has it; clean questions are not."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.data.corpus.chunk import Chunk
from assay.questions.check.check import check_questions
from assay.questions.check.report import as_page, finding_line
from assay.words.message import text_of
from tests.questions.check.planted import chunks, clean_rows, write

HARBOUR = clean_rows()[0]
PILOT = clean_rows()[1]
MUSEUM = clean_rows()[8]
GARDEN = clean_rows()[16]

FAULTS: list[tuple[str, dict[str, Any] | str]] = [
    ("file_problem", '{"id": "bad", "question": '),
    ("file_problem", {"id": "harbour.md-3", "question": "Which id is here twice?"}),
    ("file_problem", {"id": "bad", "question": "  "}),
    (
        "duplicate",
        HARBOUR | {"id": "bad", "question": "In which year did builders repair the mole"},
    ),
    (
        "near_duplicate",
        PILOT | {"id": "bad", "question": "Where does the pilot come on board of a big tanker?"},
    ),
    ("near_duplicate", GARDEN | {"id": "bad", "question": "这座园子究竟有多大？"}),
    ("gold_missing", HARBOUR | {"id": "bad", "question": "Why so?", "gold": ["no such chunk"]}),
    (
        "gold_missing",
        {
            "id": "bad",
            "question": "Сколько окон в башне?",
            "gold": [
                {"source": "museum.md", "text": "В башне двенадцать узких окон с видом на реку."}
            ],
        },
    ),
    (
        "answer_not_in_evidence",
        HARBOUR | {"id": "bad", "question": "What year saw the works end?", "answer": "1978"},
    ),
    (
        "answer_not_in_evidence",
        MUSEUM | {"id": "bad", "question": "Где стоит дом с часами?", "answer": "в Костроме"},
    ),
    (
        "answer_in_question",
        PILOT
        | {"id": "bad", "question": "What happens two miles west of Gull Rock to each tanker?"},
    ),
    (
        "two_right_choices",
        {
            "id": "bad",
            "question": "How heavy is the clockwork from Riga?",
            "choice": {"a": "310 kg", "b": "250 kg", "c": "310 kg.", "d": "90 kg"},
            "answer": "a",
        },
    ),
    (
        "language_mix",
        MUSEUM | {"id": "bad", "question": "On what day did the museum of clocks first open?"},
    ),
    ("language_mix", {"id": "bad", "question": "Какова цена билетa в будни?"}),
    (
        "copied_words",
        PILOT
        | {
            "id": "bad",
            "question": "Pilots board inbound tankers two miles west of Gull Rock, in what?",
            "answer": "in daylight only",
        },
    ),
]


@pytest.mark.parametrize(("kind", "row"), FAULTS)
def test_a_planted_fault_is_found(kind: str, row: dict[str, Any] | str, tmp_path: Path):
    """The line with the fault has a finding of its kind, and no other line has any."""
    path = write(tmp_path / "set.jsonl", [*clean_rows(), row])
    found = check_questions(path, chunks())
    assert [finding.line for finding in found.findings if finding.kind == kind] == [25]
    assert {finding.line for finding in found.findings} == {25}


def test_another_passage_that_answers_is_proposed(tmp_path: Path):
    """A second passage with the same fact is proposed as gold."""
    row = HARBOUR | {"question": "In which year was the north mole rebuilt after the storm?"}
    plaque = "A plaque says that after the storm the north mole was rebuilt, in the year 1987."
    more = Chunk(id="plaque", text=plaque, source="town.md", start=0, end=len(plaque))
    found = check_questions(write(tmp_path / "set.jsonl", [row]), [*chunks(), more])
    (finding,) = found.findings
    assert (finding.kind, finding.other) == ("answer_elsewhere", "plaque")
    assert finding.proposal is not None
    assert finding.proposal["source"] == "town.md"
    assert not found.passed


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("In which year was the north mole rebuilt after the storm?", True),
        ("In which year was the south mole of Odessa rebuilt after the storm?", False),
        ("Who rebuilt the north mole after the storm?", False),
    ],
)
def test_an_unanswerable_question_that_the_corpus_answers(
    tmp_path: Path, question: str, is_answered: bool
):
    """A sentence with the words of the question and an answer of its kind is shown."""
    plaque = "After the storm the north mole was rebuilt in the year 1987."
    chunk = Chunk(id="plaque", text=plaque, source="town.md", start=0, end=len(plaque))
    row = {"id": "u", "question": question, "answerable": False}
    found = check_questions(write(tmp_path / "set.jsonl", [row]), [chunk])
    assert [each.kind for each in found.findings] == ["answered_by_corpus"] * is_answered


def test_a_named_document_that_the_corpus_does_not_have(tmp_path: Path):
    """Without gold, the source is what the question is about; one that is missing is found."""
    row = {"id": "s", "question": "Who sells the widgets?", "answer": "Acme", "source": "no.md"}
    found = check_questions(write(tmp_path / "set.jsonl", [row]), chunks())
    (finding,) = found.findings
    assert (finding.kind, str(finding.what)) == (
        "gold_missing",
        "the corpus has no document 'no.md'",
    )
    assert found.without_gold == 1


def test_an_answer_that_was_looked_for_in_its_source_is_checked(tmp_path: Path):
    """Only questions whose evidence was not looked at are counted as such."""
    row = {"id": "s", "question": "When did it end?", "answer": "1066", "source": "harbour.md"}
    found = check_questions(write(tmp_path / "set.jsonl", [row]), chunks())
    assert [each.kind for each in found.findings] == ["answer_not_in_evidence"]
    assert found.without_gold == 0


@pytest.mark.parametrize(("answer", "is_found"), [("Bob Stone", True), ("Not stated", False)])
def test_an_unanswerable_question_with_an_expected_answer(
    tmp_path: Path, answer: str, is_found: bool
):
    """One of the two is wrong, unless the expected answer says that there is none."""
    row = {"id": "u", "question": "Who signed the deed?", "answerable": False, "answer": answer}
    found = check_questions(write(tmp_path / "set.jsonl", [row]), chunks())
    assert [each.kind for each in found.findings] == ["unanswerable_answer"] * is_found


def test_an_answer_that_the_named_document_does_not_have(tmp_path: Path):
    """Without gold, the named source must have the expected answer; a set without one is not judged."""
    asked = {"question": "When was the mole rebuilt?", "source": "harbour.md"}
    rows = [asked | {"id": "a", "answer": "1987"}, asked | {"id": "b", "answer": "2031"}]
    rows[1]["question"] = "In what year did the works on the breakwater come to their end?"
    found = check_questions(write(tmp_path / "set.jsonl", rows), chunks())
    assert [(each.kind, each.id) for each in found.findings] == [("answer_not_in_evidence", "b")]


def test_questions_about_one_document_are_unbalanced(tmp_path: Path):
    """All questions about one of several documents, and about its beginning, are two findings."""
    rows = [
        row | {"id": f"{row['id']}-{turn}", "question": f"{row['question']} ({turn})"}
        for turn in range(11)
        for row in clean_rows()[:2]
    ]
    found = check_questions(write(tmp_path / "set.jsonl", rows), chunks())
    assert [finding.kind for finding in found.findings] == [
        "unbalanced_sources",
        "unbalanced_positions",
    ]
    assert found.balance.sources == {"harbour.md": 22}
    assert found.balance.without == 2


@pytest.mark.parametrize("form", ["offsets", "text", "chunk"])
def test_a_position_is_that_of_the_span_not_of_its_chunk(tmp_path: Path, form: str):
    """Spans that are spread over documents of one chunk each are balanced; a crowd is not."""
    lines = [f"Room {number} holds {number * 7 + 3} clocks." for number in range(100)]
    text = " ".join(lines)
    chunk = Chunk(id="all", text=text, source="rooms.md", start=0, end=len(text))

    def check(numbers: list[int]) -> list[str]:
        rows: list[dict[str, Any]] = []
        for number in numbers:
            start = text.index(lines[number])
            gold: dict[str, Any] = {"source": "rooms.md", "text": lines[number]}
            if form == "offsets":
                gold |= {"start": start, "end": start + len(lines[number])}
            row = {"id": f"r{number}", "question": f"Number of timepieces, hall no. {number}?"}
            rows.append(row | {"gold": ["all"] if form == "chunk" else [gold]})
        path = write(tmp_path / f"{len(numbers)}-{numbers[0]}.jsonl", rows)
        found = check_questions(path, [chunk])
        return [each.kind for each in found.findings if each.kind == "unbalanced_positions"]

    assert check(list(range(0, 100, 5))) == []
    assert check(list(range(20))) == ([] if form == "chunk" else ["unbalanced_positions"])


def test_clean_questions_have_no_findings(tmp_path: Path):
    """Of the clean questions in three languages, none is flagged, with and without the corpus."""
    path = write(tmp_path / "set.jsonl", clean_rows())
    for corpus in (chunks(), None):
        found = check_questions(path, corpus)
        assert found.findings == ()
        assert found.score == 1
        assert found.languages == {"en": 8, "ru": 8, "zh": 8}
        assert all(question.overlap is not None for question in found.questions)


def test_gold_by_offsets_is_found_where_it_is(tmp_path: Path):
    """A span with offsets is compared with the text there; one behind the end does not exist."""
    chunk = chunks()[1]
    right = {"source": chunk.source, "start": chunk.start, "end": chunk.end}
    row = PILOT | {"gold": [right]}
    moved = PILOT | {
        "id": "moved",
        "question": "Which place?",
        "gold": [right | {"text": "x" * 40}],
    }
    behind = PILOT | {
        "id": "behind",
        "question": "What else?",
        "gold": [right | {"start": 9000, "end": 9009}],
    }
    found = check_questions(write(tmp_path / "set.jsonl", [row, moved, behind]), chunks())
    missing = [finding.id for finding in found.findings if finding.kind == "gold_missing"]
    assert missing == ["moved", "behind"]


def test_a_corpus_without_offsets_is_searched_by_text(tmp_path: Path):
    """Chunks of other programs have no offsets; gold is then found by its words."""
    plain = [replace(chunk, start=None, end=None) for chunk in chunks()]
    found = check_questions(write(tmp_path / "set.jsonl", clean_rows()), plain)
    assert found.findings == ()


def test_questions_that_differ_in_a_name_or_a_number_are_not_duplicates(tmp_path: Path):
    """Templates give alike questions about different things."""
    rows = [
        {"id": "1", "question": "When did the company sign the contract with Oriel Ltd?"},
        {"id": "2", "question": "When did the company sign the contract with Tamsin Ltd?"},
        {"id": "3", "question": "How much did the firm pay in total for all repairs in 2019?"},
        {"id": "4", "question": "How much did the firm pay in total for all repairs in 2020?"},
        {"id": "5", "question": "违约金在2019年是多少钱，由谁支付？"},
        {"id": "6", "question": "违约金在2020年是多少钱，由谁支付？"},
    ]
    assert check_questions(write(tmp_path / "set.jsonl", rows)).findings == ()


def test_all_problems_of_a_file_are_listed(tmp_path: Path):
    """Not only the first one, and the other lines are checked all the same."""
    path = write(
        tmp_path / "set.jsonl",
        ["[1]", '{"question": "no id?"}', json.dumps(HARBOUR), '{"id": 1, "must_include": [""]}'],
    )
    found = check_questions(path, chunks())
    assert [finding.line for finding in found.findings] == [1, 2, 4]
    assert len(found.questions) == 1
    assert found.flagged == 3


@pytest.mark.parametrize("lang", ["ru", "zh"])
def test_findings_are_told_in_the_language(tmp_path: Path, lang: Any):
    """No sentence of assay's own stays English, whatever the fault, on the page and in the terminal."""
    rows = [*clean_rows(), *(row for kind, row in FAULTS if kind != "file_problem")]
    rows += [{"id": "u", "question": HARBOUR["question"], "answerable": False}]
    named = [row | {"id": str(n)} if isinstance(row, dict) else row for n, row in enumerate(rows)]
    found = check_questions(write(tmp_path / "set.jsonl", named), chunks(), "corpus")
    kept = [each.what for each in found.findings if text_of(each.what, lang) == str(each.what)]
    assert len(found.findings) > 10
    assert kept == []
    page = as_page(found, lang)
    told = text_of(found.findings[0].what, lang)
    assert told[:12] in page
    assert finding_line(found, found.findings[0], lang).endswith(told)
