"""Reading depth results: published files, journals, and irregularities of both."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.jobs.depth.map.heatmap import result_notes
from assay.jobs.depth.map.results import ModelResults, read_cells
from tests.support.depth_results import (
    UNPARSED,
    published_row,
    published_rows,
    small,
    write_results,
)


def read(path: Path) -> ModelResults:
    """The results of the only model in a file."""
    (results,) = read_cells([path])
    return results


def journal_row(key: str, status: str = "scored", **fields: Any) -> dict[str, Any]:
    """A row of assay's journal in the cell at 1000 tokens, 0%."""
    row = published_row(1, 1000, "0%", 1.0, key=key, question_id=key, status=status)
    if status != "scored":
        row["score"] = None
    return {**row, **fields}


def test_a_published_file_is_read_as_it_is(tmp_path: Path):
    """Without key and status every row is an answer; the metadata names model and data set."""
    results = read(write_results(tmp_path / "r.jsonl", published_rows()))
    assert (results.model, results.data_set) == ("lamp/reader-1", "lamps")
    assert (len(results.replies), results.unparsed, results.replaced) == (369, 1, 0)
    assert results.known is None


def test_failed_and_skipped_are_counted_apart(tmp_path: Path):
    """Failed and skipped cases are not answers, even if they have no cell."""
    rows = [
        journal_row("a"),
        journal_row("b", "failed", error="timeout"),
        journal_row("c", "skipped"),
        journal_row("e", "answered", score=None),
        journal_row("d", "skipped", depth_bin=None, depth=None),
    ]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert len(results.replies) == 1
    assert results.failed == {(1000, "0%"): 1}
    assert results.skipped == {(1000, "0%"): 1, None: 1}
    assert results.answered == {(1000, "0%"): 1}
    assert results.unscored == 0


@pytest.mark.parametrize("word", ["timeout", "error", "context_build_error"])
def test_a_published_row_without_an_answer_is_no_zero(tmp_path: Path, word: str):
    """A case that failed there is counted as failed, whatever score its row has."""
    rows = [
        published_row(1, 1000, "0%", 1.0),
        published_row(2, 1000, "0%", 0.0, parsing_status=word, model_answer=None),
    ]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert [reply.score for reply in results.replies] == [1.0]
    assert (results.failed[(1000, "0%")], results.unparsed) == (1, 0)


def test_an_answer_that_a_pattern_found_is_parsed(tmp_path: Path):
    """``regex_extracted`` is a word for a reply that was parsed."""
    rows = [published_row(1, 1000, "0%", 1.0, parsing_status="regex_extracted")]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert ([reply.score for reply in results.replies], results.unparsed) == ([1.0], 0)


def test_the_last_row_of_a_key_wins(tmp_path: Path):
    """A case that was asked again counts once, with its last row."""
    rows = [
        journal_row("a", "failed", error="timeout"),
        journal_row("b"),
        journal_row("a", score=0.5),
        journal_row("b", "failed", error="reset"),
    ]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert [reply.score for reply in results.replies] == [0.5]
    assert (results.failed, results.replaced) == ({(1000, "0%"): 1}, 2)


def test_a_doubled_case_without_a_key_is_told_by_its_content(tmp_path: Path):
    """Rows with the same question and cell are one case; another position is another question."""
    row = published_row(1, 1000, "0%", 0.0)
    elsewhere = {**row, "position": {"start_pos": 5, "end_pos": 9}}
    results = read(small(tmp_path / "r.jsonl", [row, {**row, "score": 1.0}, elsewhere]))
    assert sorted(reply.score for reply in results.replies) == [0.0, 1.0]
    assert (results.replaced, len(results.questions)) == (1, 2)


def test_an_unparsed_answer_scores_nothing_and_is_marked(tmp_path: Path):
    """An unparsed answer scores 0, even if the file has no score; its text is kept."""
    row = published_row(1, 1000, "0%", UNPARSED, answer="I would rather not say.")
    results = read(small(tmp_path / "r.jsonl", [{**row, "score": None}]))
    (reply,) = results.replies
    assert (reply.score, reply.parsed, reply.answer) == (0.0, False, "I would rather not say.")


def test_a_parsed_answer_without_a_score_is_no_zero(tmp_path: Path):
    """A parsed answer without a score is counted as unscored and not shown."""
    row = {**published_row(1, 1000, "0%", 1.0), "score": None}
    results = read(small(tmp_path / "r.jsonl", [row]))
    assert (results.replies, results.unscored) == ([], 1)


def test_a_depth_without_its_label_goes_to_the_nearest(tmp_path: Path):
    """A row with a depth but no label gets the nearest of the planned labels."""
    row = {**published_row(1, 1000, "0%", 1.0), "depth": 0.7}
    del row["depth_bin"]
    assert read(small(tmp_path / "r.jsonl", [row])).replies[0].depth_bin == "100%"


def test_rows_without_a_place_are_counted_not_shown(tmp_path: Path):
    """Closed-book answers and rows without a length are counted as unplaced."""
    rows = [
        {**published_row(1, 0, "0%", 1.0), "depth_bin": None, "depth": None, "closed_book": True},
        {**published_row(2, 0, "0%", 1.0), "test_context_length": None},
        published_row(3, 1000, "0%", 1.0),
    ]
    results = read(small(tmp_path / "r.jsonl", rows, context_lengths=[1000, 2000]))
    assert (len(results.replies), results.unplaced) == (1, 2)


def test_questions_known_by_heart_can_be_left_out(tmp_path: Path):
    """A question that is marked as known in one row is left out in all rows."""
    rows = [
        published_row(1, 1000, "0%", 1.0, question_id="x", closed_book_correct=True),
        published_row(1, 1000, "100%", 1.0, question_id="x"),
        published_row(2, 1000, "0%", 0.0, question_id="y", closed_book_correct=False),
    ]
    left = read(small(tmp_path / "r.jsonl", rows)).without_known()
    assert ([reply.score for reply in left.replies], left.excluded) == ([0.0], 2)
    assert left.known == {0}


def test_configurations_of_one_file_are_models_of_their_own(tmp_path: Path):
    """Each configuration in a file becomes a separate model."""
    rows = [journal_row("a", config="plain"), journal_row("b", config="terse")]
    models = [results.model for results in read_cells([small(tmp_path / "r.jsonl", rows)])]
    assert models == ["lamp/reader-1 · plain", "lamp/reader-1 · terse"]


def test_models_of_one_name_are_told_apart(tmp_path: Path):
    """Equal model names get the file's name, and the same file twice also a number."""
    paths = [
        small(tmp_path / f"{name}.jsonl", [published_row(1, 1000, "0%", 1.0)]) for name in "ab"
    ]
    names = [results.model for results in read_cells([*paths, paths[0]])]
    assert names == ["lamp/reader-1 (a)", "lamp/reader-1 (b)", "lamp/reader-1 (a) #2"]


def test_a_file_still_being_written_is_read_to_its_last_whole_row(tmp_path: Path):
    """An incomplete last line is ignored; a complete line without a line break counts."""
    path = small(tmp_path / "r.jsonl", [published_row(n, 1000, "0%", 1.0) for n in (1, 2)])
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    assert len(read(path).replies) == 2
    path.write_bytes(content[:-40])
    assert len(read(path).replies) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no results"),
        ('{"metadata": {}}\n', "no results"),
        ('{"metadata": {}}\n[1]\n', ":2: not a row"),
        ('{"name": "x"}\n', "a row has no question"),
        ('{"question": "Who?", "answer": ["b"]}\n', "no row has a context length"),
    ],
)
def test_a_file_without_depth_results_is_refused_in_one_line(
    tmp_path: Path, text: str, message: str
):
    """The message names the file, and the line if there is one."""
    path = tmp_path / "odd.jsonl"
    path.write_text(text)
    with pytest.raises(AssayError, match=message) as caught:
        read_cells([path])
    assert "\n" not in str(caught.value)
    assert "odd.jsonl" in str(caught.value)


def test_metadata_may_not_stand_in_the_middle(tmp_path: Path):
    """Two joined files are refused, because their rows would be mixed."""
    path = write_results(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    path.write_text(path.read_text() + json.dumps({"metadata": {"model_name": "other"}}) + "\n")
    with pytest.raises(AssayError, match="metadata after the first line"):
        read_cells([path])


@pytest.mark.parametrize(
    ("status", "parsed"), [("success", True), ("regex_extracted", True), ("parsing_error", False)]
)
def test_a_published_status_says_whether_the_reply_was_parsed(
    tmp_path: Path, status: str, parsed: bool
):
    """An answer that a pattern extracted is parsed; only a parsing error is not."""
    row = published_row(1, 1000, "0%", 1.0, parsing_status=status)
    results = read(small(tmp_path / "r.jsonl", [row]))
    assert [reply.parsed for reply in results.replies] == [parsed]
    assert results.unknown_statuses == ()


@pytest.mark.parametrize("status", ["timeout", "error", "context_build_error"])
def test_a_published_row_without_an_answer_is_failed_and_no_zero(tmp_path: Path, status: str):
    """A row whose status says that there is no answer is a failure, whatever its score says."""
    row = published_row(1, 1000, "0%", 0.0, parsing_status=status, model_answer=[])
    results = read(small(tmp_path / "r.jsonl", [row, published_row(2, 1000, "0%", 1.0)]))
    assert len(results.replies) == 1
    assert results.failed == {(1000, "0%"): 1}


def test_an_unknown_status_is_named_and_counts_by_the_answer(tmp_path: Path):
    """With an unknown status, a reply with an answer is parsed, one without is not."""
    rows = [
        published_row(1, 1000, "0%", 1.0, parsing_status="llm_extracted"),
        published_row(2, 1000, "0%", 0.0, parsing_status="llm_extracted", model_answer=[]),
    ]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert [reply.parsed for reply in results.replies] == [True, False]
    assert results.unknown_statuses == ("llm_extracted",)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"score": "1.0"}, (1, 0, 0)),
        ({"score": True}, (1, 0, 0)),
        ({"depth": "0.5", "depth_bin": 50}, (1, 0, 0)),
        ({"test_context_length": "1k"}, (1, 0, 0)),
        (
            {"test_context_length": 1000.0, "position": {"start_pos": "5", "end_pos": "9"}},
            (1, 0, 0),
        ),
        ({"position": [1, 5], "config": {"temperature": 1}, "status": 200}, (1, 0, 0)),
        ({"position": {"start_pos": None, "end_pos": None}}, (1, 0, 0)),
        ({"error": ""}, (1, 0, 0)),
        ({"error": "no", "score": None}, (0, 1, 0)),
        ({"score": float("nan")}, (0, 0, 1)),
    ],
)
def test_odd_types_of_other_tools_are_read(
    tmp_path: Path, fields: dict[str, Any], expected: tuple[int, int, int]
):
    """Numbers as text, labels as numbers, NaN: the row is read, and nothing becomes a zero."""
    row = {**published_row(1, 1000, "50%", 1.0), **fields}
    results = read(small(tmp_path / "r.jsonl", [row, published_row(2, 1000, "0%", 1.0)]))
    ((length, label, depth),) = {
        (reply.length, reply.depth_bin, reply.score) for reply in results.replies
    } - {(1000, "0%", 1.0)} or {(1000, "50%", 1.0)}
    assert (length, label, depth) == (1000, "50%", 1.0)
    found = (len(results.replies) - 1, sum(results.failed.values()), results.unscored)
    assert found == expected


def test_a_depth_in_percent_is_not_misplaced(tmp_path: Path):
    """A depth of 75 without a label is 75%, not past the end."""
    row = {**published_row(1, 1000, "75%", 1.0), "depth": 75, "depth_bin": None}
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (reply,) = read(path).replies
    assert (reply.depth_bin, reply.depth) == ("75%", 0.75)


@pytest.mark.parametrize("depth", [-5, 250])
def test_a_depth_outside_the_context_is_in_no_cell(tmp_path: Path, depth: float):
    """It is not moved to the nearest end; the row counts as one without a depth."""
    rows = [
        {**published_row(1, 1000, "0%", 1.0), "depth": depth, "depth_bin": None},
        published_row(2, 1000, "50%", 1.0),
    ]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [reply.depth_bin for reply in read(path).replies] == ["50%"]


def test_a_file_with_a_byte_order_mark_and_odd_metadata_is_read(tmp_path: Path):
    """Lengths and labels of the header may be texts or numbers."""
    metadata = {"context_lengths": ["1000", "8k"], "depth_bins": [0, 50], "config": None}
    rows = [{"metadata": metadata}, published_row(1, 1000, "50%", 1.0)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows)
    path = tmp_path / "结果.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    results = read(path)
    assert (results.lengths, results.depth_bins) == ((1000, 8000), ("0%", "50%"))
    assert len(results.replies) == 1


def test_a_score_beside_no_answer_is_counted(tmp_path: Path):
    """The note says what counts: a failure stays one, an unparsed answer keeps its score."""
    rows = [
        published_row(1, 1000, "0%", 1.0, parsing_status="parsing_error"),
        published_row(2, 1000, "0%", 1.0, parsing_status="timeout"),
        published_row(3, 1000, "0%", 0.0, parsing_status="timeout"),
        published_row(4, 1000, "0%", 1.0),
    ]
    results = read(small(tmp_path / "r.jsonl", rows))
    assert (results.contradicted, len(results.replies)) == (2, 2)
    (note,) = result_notes([results], "en")
    assert "2 rows with a score above 0 say that there is no answer" in note


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"score": 7}, "the score is 7; a score is from 0 to 1"),
        ({"score": -1}, "the score is -1"),
        ({"score": "7"}, "the score is 7"),
        ({"test_context_length": -5}, "`test_context_length` is -5"),
    ],
)
def test_a_number_that_cannot_be_is_refused_with_its_line(
    tmp_path: Path, fields: dict[str, Any], message: str
):
    """A mean above 100 % or below 0 % is never shown."""
    rows = [published_row(1, 1000, "0%", 1.0), published_row(2, 1000, "0%", 1.0) | fields]
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(["", *map(json.dumps, rows), ""]), encoding="utf-8")
    with pytest.raises(AssayError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}:3: {message}")


def test_the_score_of_a_row_without_an_answer_means_nothing(tmp_path: Path):
    """Some tools write −1 for a case that failed: it is counted as failed."""
    row = published_row(1, 1000, "0%", -1.0, parsing_status="timeout")
    results = read(small(tmp_path / "r.jsonl", [row, published_row(2, 1000, "0%", 1.0)]))
    assert (len(results.replies), results.failed) == (1, {(1000, "0%"): 1})
