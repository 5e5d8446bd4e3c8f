"""One question: answers, errors and texts, also of cases that did not end well."""

import hashlib
import json
from pathlib import Path

import pytest

from assay.data.corpus.chunk import Chunk, load_corpus
from assay.data.corpus.chunker import chunk_document
from assay.data.corpus.corpus_files import write_corpus
from assay.data.document.document import Document, Page
from assay.errors import UseError
from assay.web.item import field_part, item_view, row_part
from assay.web.run_index import RunIndex, open_run
from assay.words.language import LANGUAGES
from assay.words.message import text_of
from tests.support.journal import failed, judged, row, write_header
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
    assert str(reasons["avg_gold_coverage"]) == "gold passages retrieved: 1 of 2, among 3"
    assert text_of(reasons["cite_ok_rate"], "zh") == "回答没有引用任何段落"
    assert text_of(reasons["gold_mrr"], "ru").startswith("не определено: у вопроса нет эталона")


@pytest.mark.parametrize("field", ["", "nope", "passage:0", "passage:x", "passage:"])
def test_a_text_that_is_not_there_is_told(index: RunIndex, field: str):
    """With the names of those that are."""
    with pytest.raises(UseError, match="passage:N"):
        field_part(index, item(index, "q1"), "on", field, 0)


def test_gold_passages_and_the_expected_answer_have_their_texts(tmp_path: Path):
    """From the rows, from the corpus, and from the file of questions that the run was made with."""
    questions = b'{"id": "q", "answer": "Thirty days."}\n'
    for name, text in {
        "experiments/experiments.yaml": b"",
        "questions/q.jsonl": questions,
        "chunks/a.jsonl": b'{"id": "b", "text": "From the corpus."}\n',
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)
    gold = {"gold_chunk_ids": ["a", "b", "c"]}
    passages = [{"id": "a", "text": "From a row.", "rank": 1}]
    rows = [judged("q", "on", 1.0, **gold), judged("q", "off", 1.0, passages=passages, **gold)]
    journal = write_study(tmp_path / "experiments" / "a.jsonl", rows)
    summary = journal.with_suffix(".json")
    digest = hashlib.sha256(questions).hexdigest()
    fields = json.loads(summary.read_text())
    fields.update(questions_path="questions/q.jsonl", questions_sha256=digest)
    summary.write_text(json.dumps(fields))
    view = item_view(open_run(journal), 0)
    assert [(each.id, each.text) for each in view.gold] == [
        ("a", "From a row."),
        ("b", "From the corpus."),
        ("c", None),
    ]
    assert [(str(name), value) for name, value in view.expected] == [("answer", "Thirty days.")]
    (tmp_path / "questions" / "q.jsonl").write_bytes(questions + b"\n")  # another file by now
    assert item_view(open_run(journal), 0).expected == ()


def test_the_expected_answer_of_a_table_is_that_of_its_rows(tmp_path: Path):
    """The page cannot read a table of questions; rows of failed cases have the answer too."""
    rows = [
        failed("q", "on") | {"expected_answer": ["30 days", "thirty days"]},
        judged("q", "off", 1.0),
        judged("r", "off", 1.0, expected_answer=["A year"]),
        judged("s", "off", 1.0, expected_answer=["Rent"], gold={"expected": {"answer": "Rent"}}),
    ]
    index = open_run(write_study(tmp_path / "a.jsonl", rows))
    shown = {
        name: [value for _, value in item_view(index, item(index, name)).expected]
        for name in ("q", "r", "s")
    }
    assert shown == {"q": ["30 days / thirty days"], "r": ["A year"], "s": ["Rent"]}


def test_retrieved_passages_that_a_row_leaves_out_have_the_text_of_the_corpus(tmp_path: Path):
    """If the corpus is still that of the run, or the id of the chunk follows from its text."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "experiments.yaml").write_text("")
    (made,) = chunk_document(Document(name="lease", pages=(Page(text="The term is a year."),)))
    chunks = [made, Chunk(id="b", text="The rent is due.", source="lease")]
    write_corpus(tmp_path / "chunks", chunks)
    names = (made.id, "b", "gone")
    passages = [{"id": name} for name in names]
    rows = [judged("q", "on", 1.0, passages=passages)]
    journal = write_study(tmp_path / "experiments" / "a.jsonl", rows)

    def texts(corpus: str | None) -> list[str | None]:
        write_header(
            journal, ["on"], baseline="on", **({"corpus_sha256": corpus} if corpus else {})
        )
        index = open_run(journal)
        shown = item_view(index, 0).answers[0].passages or ()
        part = field_part(index, 0, "on", "passage:2", 0)
        assert part.text == (shown[1].text or "")
        return [passage.text for passage in shown]

    now = load_corpus(tmp_path / "chunks").sha256
    assert texts(now) == ["The term is a year.", "The rent is due.", None]
    assert texts("another") == ["The term is a year.", None, None]
    assert texts(None) == texts("another")  # a foreign system; other ids may be its own


def test_what_was_expected_is_told_in_words(tmp_path: Path):
    """Fields of a file of questions have names in every language; texts stay as they are."""
    evidence = {"page": 1, "must_include": "from 1 May", "is_critical": True}
    gold = {
        "id": "q",
        "expected": {"date_range": {"start": "2031-05-01", "end": "2031-09-30"}},
        "required_evidence": [evidence],
        "must_include_any": [["a", "b"]],
        "scoring": {"citation_required": True},
        "my_own": 3,
    }
    view = item_view(
        open_run(write_study(tmp_path / "a.jsonl", [judged("q", "on", 1.0, gold=gold)])), 0
    )
    shown = {text_of(name, "ru"): text_of(value, "ru") for name, value in view.expected}
    assert shown == {
        "период": "2031-05-01 – 2031-09-30",
        "нужные доказательства": "“from 1 May” (стр. 1, обязательно)",
        "должно быть одно из": "a / b",
        "как оценивается": "нужна ссылка: да",
        "my own": "3",
    }


def test_a_citation_of_a_page_marks_the_passage_that_has_its_text(tmp_path: Path):
    """Or all passages of the page if none has it."""
    passages = [
        {"id": "a", "page": 1, "text": "The term is a year."},
        {"id": "b", "page": 1},
        {"id": "c", "page": 2},
    ]

    def cited(text: str) -> list[str]:
        row = judged("q", "on", 1.0, passages=passages, citations=[{"page": 1, "text": text}])
        answer = item_view(open_run(write_study(tmp_path / "a.jsonl", [row])), 0).answers[0]
        return [passage.id for passage in answer.passages or () if passage.is_cited]

    assert cited("The term  is a year.") == ["a"]
    assert cited("Not recorded.") == ["a", "b"]


def test_scores_of_correctness_say_what_would_have_been_accepted(tmp_path: Path):
    """In words, whatever the job."""
    scores = {"answer_f1": 0.5, "answer_contained": False, "wrong_abstention": True}
    rows = [judged("q", "on", 1.0, expected_answer=["30 days", "a month"], abstained=True)]
    rows[0]["scores"] |= scores
    (answer,) = item_view(open_run(write_study(tmp_path / "c.jsonl", rows)), 0).answers
    reasons = {score.name: score.reason for score in answer.scores}
    for name in ("answer_f1", "answer_contained"):
        assert reasons[name] is not None
        assert text_of(reasons[name], "ru") == "принимается: “30 days”, “a month”"
    assert reasons["wrong_abstention"] is not None


def test_an_unsure_score_says_which_way_it_leans_and_why(tmp_path: Path):
    """As the terminal does, in three languages; a sure score says nothing."""
    bounds = {
        "at_least": {"cite_ok": 0.0, "gold_coverage": 0.0},
        "at_most": {"cite_ok": 1.0, "gold_coverage": 1.0},
        "reasons": {"cite_ok": "the answer may say it in other words"},
    }
    rows = [judged("q", "on", 0.5, **bounds)]
    rows[0]["scores"]["cite_ok"] = False
    view = item_view(open_run(write_study(tmp_path / "a.jsonl", rows)), 0)
    unsure = {score.name: score.unsure for score in view.answers[0].scores if score.unsure}
    told = unsure.pop("cite_ok_rate")
    assert str(told) == "unsure, leans wrong: the answer may say it in other words"
    assert len({text_of(told, lang) for lang in LANGUAGES}) == 3
    assert str(unsure.pop("avg_gold_coverage")) == "unsure: between 0 and 1"
    assert not unsure
