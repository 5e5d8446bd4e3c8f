"""One question: answers, errors and texts, also of cases that did not end well."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.web.item import field_part, item_view, row_part
from assay.web.run_index import RunIndex, open_run
from tests.support.journal import judged, row
from tests.support.page import study_rows, write_study


@pytest.fixture(name="index")
def _index(tmp_path: Path) -> RunIndex:
    rows = study_rows()
    rows.append(judged("q1", "on", 0.0, answer="A newer answer."))
    recorded = {"status": "answered", "answer": {"text": "Not judged."}, "elapsed_s": 1.0}
    rows.append(row("later", "on", question="Later?", recorded=recorded) | {"status": "answered"})
    return open_run(write_study(tmp_path / "a.jsonl", rows))


def item(index: RunIndex, name: str) -> int:
    """The number of an item."""
    return list(index.findings.results.scores.items).index(name)


def test_the_last_row_of_a_case_is_shown(index: RunIndex):
    """As everywhere: a later row replaces an earlier one."""
    view = item_view(index, item(index, "q1"))
    assert view.answers[0].answer == "A newer answer."
    assert (view.answers[0].value, view.answers[1].mark) == (0.0, "better")
    assert "A newer" in row_part(index, view.item, "on", 0).text


def test_a_failed_case_shows_its_error_and_a_skipped_one_its_reason(index: RunIndex):
    """Neither has scores."""
    failed, skipped = item_view(index, item(index, "broken")).answers
    assert (failed.status, failed.error, failed.scores) == ("failed", "system: no", ())
    assert (skipped.status, skipped.error, skipped.value) == ("skipped", "none", None)


def test_an_answer_that_waits_for_its_judge_is_shown(index: RunIndex):
    """Without a value; the variant that was not asked is absent."""
    asked, absent = item_view(index, item(index, "later")).answers
    assert (asked.status, asked.answer, asked.value) == ("answered", "Not judged.", None)
    assert (absent.status, absent.answer, absent.passages) == ("absent", None, None)


def test_a_score_has_its_reason(tmp_path: Path):
    """In words, in three languages."""
    rows = [
        judged(
            "q",
            "on",
            0.5,
            gold_chunk_ids=["a", "b"],
            retrieved_chunk_ids=["a", "c", "d"],
            citation_numbers=[],
        )
    ]
    view = item_view(open_run(write_study(tmp_path / "a.jsonl", rows)), 0)
    reasons = {score.name: score.reason for score in view.answers[0].scores if score.reason}
    assert reasons["avg_gold_coverage"].en == "gold passages retrieved: 1 of 2, among 3"
    assert reasons["cite_ok_rate"].zh == "回答没有引用任何段落"
    assert reasons["gold_mrr"].ru.startswith("не определено: у вопроса нет эталона")


@pytest.mark.parametrize("field", ["", "nope", "passage:0", "passage:x", "passage:"])
def test_a_text_that_is_not_there_is_told(index: RunIndex, field: str):
    """With the names of those that are."""
    with pytest.raises(UseError, match="passage:N"):
        field_part(index, item(index, "q1"), "on", field, 0)
