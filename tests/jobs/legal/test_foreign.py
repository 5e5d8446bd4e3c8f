"""Benchmarks of other runners, unchanged: what is read, what is scored and what is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.bench import BenchmarkRunner
from assay.errors import DatasetError, UseError
from assay.jobs.legal.benchmark import validate_benchmark
from assay.records import Answer
from assay.study.rescore import rescore
from tests.jobs.legal.owner import (
    BY_TYPE,
    FACTS,
    FILES,
    OVERALL,
    PASSED,
    RECORD,
    REPLIES,
    ROOT,
    SCORES,
    write_owner,
)


def write(folder: Path, kind: str, questions: list[dict[str, Any]], **root: Any) -> Path:
    """Write one benchmark file of this type, without a document unless ``root`` names one."""
    path = folder / f"{kind}.json"
    content = {"benchmark_type": kind, **root, "questions": questions}
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def result(path: Path, reply: Any) -> dict[str, Any]:
    """The result of the only question of a file, with this reply to it."""
    [only] = BenchmarkRunner(path).run_benchmark(lambda _: reply)["questions"]
    return dict(only)


def fact(**fields: Any) -> dict[str, Any]:
    """A question about a fact, which needs no citation unless ``fields`` says so."""
    base = {"id": "q", "question": "一共多少钱？", "expected": {"amount_total": 38000}}
    return {**base, "scoring": {"citation_required": False}, **fields}


def gap(**fields: Any) -> dict[str, Any]:
    """A question that must be left open, without a quote unless ``fields`` has one."""
    return {"id": "q", "question": "请了谁吃饭？", "should_abstain": True, **fields}


def test_the_files_of_the_owner_have_no_problems(tmp_path: Path):
    """All listed fields are known; the record is found in another folder and format."""
    checked = validate_benchmark(write_owner(tmp_path))
    assert (checked.problems, checked.ignored, checked.questions) == ((), (), 6)
    messages = [remark.message for remark in checked.remarks]
    assert sum("is read for '询问笔录.pdf'" in message for message in messages) == 3
    assert sum("has no page marks" in message for message in messages) == 3


@pytest.mark.parametrize("record", [True, False], ids=["markdown", "absent"])
def test_the_table_of_the_owner_is_that_of_the_formulas(tmp_path: Path, *, record: bool):
    """Scores, percentages and passed questions are those computed by hand, also with no record."""
    runner = BenchmarkRunner(write_owner(tmp_path, record=record))
    summary = runner.run_benchmark(REPLIES.get)
    scores = {question["id"]: question["score"] for question in summary["questions"]}
    assert scores == pytest.approx(SCORES)
    by_type = {kind: group["percentage"] for kind, group in summary["by_type"].items()}
    assert by_type == pytest.approx(BY_TYPE)
    assert summary["overall_percentage"] == pytest.approx(OVERALL)
    assert {question["id"] for question in summary["questions"] if question["passed"]} == PASSED
    assert summary["counts"]["passed"] == len(PASSED)
    said = " ".join(summary["notes"])
    assert ("has no page marks" if record else "was not found") in said


def test_the_terms_have_the_names_of_the_formulas(tmp_path: Path):
    """The summary names every term as the formulas of the benchmark do."""
    summary = BenchmarkRunner(write_owner(tmp_path)).run_benchmark(REPLIES.get)
    terms = {kind: set(group["terms"]) for kind, group in summary["by_type"].items()}
    assert {"exact_match", "citation_correctness"} <= terms["fact_exact"]
    assert {"recall", "precision", "citation_provided"} <= terms["evidence_set"]
    assert {"correct_abstention", "no_hallucination", "quote_included"} <= terms["conflict_gap"]


def test_unknown_fields_are_kept_and_one_line_names_them(tmp_path: Path):
    """An unknown field anywhere is no refusal: one line lists it, and the row keeps it."""
    question = fact(reviewer="甲", expected={"amount_total": 38000, "unit": "元"})
    path = write(tmp_path, "fact_exact", [question], author="乙")
    runner = BenchmarkRunner(path, out=tmp_path / "out")
    line = "ignored 3 fields: author, questions.expected.unit, questions.reviewer"
    assert line in runner.notes
    assert runner.run_benchmark(lambda _: "38000元")["overall_percentage"] == 100.0
    [row] = map(json.loads, (tmp_path / "out/bench-fact_exact.jsonl").read_text().splitlines())
    assert row["gold"]["reviewer"] == "甲"
    assert row["gold"]["expected"]["unit"] == "元"
    assert runner.load_questions()[0]["reviewer"] == "甲"
    summary = json.loads((tmp_path / "out/bench-fact_exact.json").read_text(encoding="utf-8"))
    assert summary["extra"]["benchmark"]["fact_exact.json"]["author"] == "乙"


def test_a_question_without_a_type_has_that_of_its_file(tmp_path: Path):
    """The type comes from the file; without one there, from the questions or the file's name."""
    path = write(tmp_path, "fact_exact", [fact()])
    assert BenchmarkRunner(path).load_questions()[0]["type"] == "fact_exact"
    path.write_text(json.dumps({"questions": [fact()]}), encoding="utf-8")
    assert result(path, "38000元")["type"] == "fact_exact"
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"questions": [gap(type="conflict_gap")]}), encoding="utf-8")
    assert result(other, "未提及。")["type"] == "conflict_gap"
    other.write_text(json.dumps({"questions": [gap()]}), encoding="utf-8")
    with pytest.raises(DatasetError, match="benchmark_type"):
        BenchmarkRunner(other)


def test_nulls_are_fields_that_are_absent(tmp_path: Path):
    """A field that is null is treated as if it were not there."""
    question = fact(metadata=None, required_evidence=None, type=None)
    question["expected"]["date"] = None
    assert result(write(tmp_path, "fact_exact", [question]), "38000元")["score"] == 1.0


def test_odd_values_beside_the_score_refuse_nothing(tmp_path: Path):
    """Descriptions among weights, a text as the expected stance, and evidence of another form."""
    question = gap(
        expected="应当拒答",
        required_evidence=[{"page": 4, "quote": "忘记了"}],
        evidence_location=[{"page": 4}],
        metadata={"tags": "金额", "difficulty": "very hard"},
        scoring={"partial_credit": 0.5, "quote_required": False},
        expected_behavior=["拒答", "引用原话"],
    )
    config = {"type_weights": {"conflict_gap": 2, "description": "…"}}
    criteria = {"passing_threshold": {"overall": 60}}
    path = write(
        tmp_path, "conflict_gap", [question], scoring_config=config, evaluation_criteria=criteria
    )
    scored = result(path, "笔录中没有提到。")
    assert (scored["score"], scored["min_score"], scored["difficulty"]) == (1.0, 0.6, "very hard")
    assert any("partial_credit" in str(remark) for remark in validate_benchmark(path).remarks)


def test_the_parts_of_a_sum_may_be_objects(tmp_path: Path):
    """``amount_breakdown`` may have descriptions beside its amounts."""
    parts = [{"amount": 20000, "description": "第一次"}, {"amount": 18000, "description": "第二次"}]
    path = write(tmp_path, "fact_exact", [fact(expected={"amount_breakdown": parts})])
    assert result(path, "20000元和18000元")["terms"]["exact_match"] is True
    assert result(path, "20000元和15000元")["terms"]["exact_match"] is False


def test_a_fact_may_have_to_be_left_open(tmp_path: Path):
    """``should_abstain`` and ``conflict_detected`` of a fact are fields like the others."""
    silent = write(tmp_path, "fact_exact", [fact(expected={"should_abstain": True})])
    assert result(silent, "笔录中没有提到。")["score"] == 1.0
    assert result(silent, "38000元")["score"] == pytest.approx(0.3)
    assert result(silent, {"answer": "–", "abstained": True})["score"] == 1.0
    conflict = write(tmp_path, "fact_exact", [fact(expected={"conflict_detected": True})])
    assert result(conflict, "正文写38000元，附件写50000元，二者不一致。")["score"] == 1.0
    assert result(conflict, "38000元")["score"] == pytest.approx(0.3)


def test_expected_says_whether_to_abstain(tmp_path: Path):
    """A gap may say it in ``expected``; a conflict that must be reported is no abstention."""
    quote = {"quote_required": False, "hallucination_check": "none"}
    open_gap = gap(expected={"should_abstain": True}, scoring=quote)
    del open_gap["should_abstain"]
    path = write(tmp_path, "conflict_gap", [open_gap])
    assert result(path, "笔录中没有提到。")["terms"]["correct_abstention"] is True
    conflict = {**open_gap, "expected": {"should_abstain": False, "conflict_detected": True}}
    path = write(tmp_path, "conflict_gap", [conflict])
    assert result(path, "赵敏和钱立的说法不一致。")["score"] == 1.0
    assert result(path, "是赵敏。")["terms"]["correct_abstention"] is False
    assert result(path, "笔录中没有提到。")["terms"]["correct_abstention"] is False
    del conflict["expected"]
    with pytest.raises(DatasetError, match="`should_abstain` is missing"):
        BenchmarkRunner(write(tmp_path, "conflict_gap", [conflict]))


def test_partial_credit_counts_the_right_fields(tmp_path: Path):
    """The share of right fields takes the place of the exact match only if the question says so."""
    expected = {"amount_total": 38000, "date": "2030-05-06"}
    scoring = {"citation_required": False, "partial_credit": True}
    path = write(tmp_path, "fact_exact", [fact(expected=expected, scoring=scoring)])
    assert result(path, "38000元")["score"] == pytest.approx(0.7 / 2 + 0.3)
    scoring["partial_credit"] = False
    path = write(tmp_path, "fact_exact", [fact(expected=expected, scoring=scoring)])
    assert result(path, "38000元")["score"] == pytest.approx(0.3)


def test_weights_enter_the_overall_percentage(tmp_path: Path):
    """Questions count by their weight; the unweighted percentage is beside it."""
    light = fact(id="a", weight=1)
    heavy = fact(id="b", question="给了多少？", scoring={"citation_required": False, "weight": 3})
    path = write(tmp_path, "fact_exact", [light, heavy])
    replies = {"一共多少钱？": "38000元", "给了多少？": "1元"}
    summary = BenchmarkRunner(path).run_benchmark(replies.get)
    assert summary["overall_percentage"] == pytest.approx(100 * (1 * 1 + 3 * 0.3) / 4)
    assert summary["unweighted_percentage"] == pytest.approx(100 * (1 + 0.3) / 2)
    heavy["scoring"]["weight"] = -1
    with pytest.raises(DatasetError, match="weight: is -1"):
        BenchmarkRunner(write(tmp_path, "fact_exact", [light, heavy]))


def test_type_weights_weigh_the_percentages_of_the_types(tmp_path: Path):
    """With ``type_weights`` the number of questions of a type does not matter, as computed here."""
    facts = [fact(id=name, question=f"{name}？") for name in ("a", "b", "c")]
    config = {"type_weights": {"fact_exact": 1, "conflict_gap": 3}}
    write(tmp_path, "fact_exact", facts, scoring_config=config)
    write(tmp_path, "conflict_gap", [gap()], scoring_config=config)
    summary = BenchmarkRunner(tmp_path).run_benchmark(lambda _: "38000元")
    assert summary["overall_percentage"] == pytest.approx((1 * 100 + 3 * 100 * 0.2 / 0.6) / 4)
    one = BenchmarkRunner(tmp_path).run_benchmark(lambda _: "38000元", "fact_exact")
    assert one["overall_percentage"] == 100.0


@pytest.mark.parametrize(
    ("where", "threshold"),
    [
        ({"question": {"min_score": 0.5}, "criteria": {"min_score": 0.9}}, 0.5),
        ({"scoring": {"passing_threshold": 0.6}, "criteria": {"passing_threshold": 0.9}}, 0.6),
        ({"criteria": {"passing_threshold": 70}, "overall": 0.9}, 0.7),
        ({"criteria": {"passing_score": {"easy": 0.4, "fact_exact": 0.5}}, "overall": 0.9}, 0.4),
        ({"criteria": {"passing_score": {"fact_exact": 0.5, "note": "…"}}, "overall": 0.9}, 0.5),
        ({"criteria": {"passing_score": {"minimum": 60, "note": "…"}}}, 0.6),
        ({"criteria": {"passing_score": {"recall": 0.4}}, "overall": 0.9}, 0.9),
        ({"criteria": {"exact_match": "数字一致"}, "overall": 0.8}, 0.8),
        ({"criteria": {}}, None),
    ],
)
def test_what_decides_whether_a_question_passes(
    tmp_path: Path, where: dict[str, Any], threshold: float | None
):
    """The threshold is the question's, else the file's, else that of the whole benchmark."""
    scoring = {"citation_required": False, **where.get("scoring", {})}
    question = fact(scoring=scoring, metadata={"difficulty": "easy"}, **where.get("question", {}))
    config = {"overall_pass_threshold": where["overall"]} if "overall" in where else {}
    path = write(
        tmp_path,
        "fact_exact",
        [question],
        evaluation_criteria=where["criteria"],
        scoring_config=config,
    )
    wrong = result(path, "1元")
    assert wrong["min_score"] == threshold
    assert wrong["passed"] is (None if threshold is None else False)
    if threshold is not None:
        assert result(path, "38000元")["passed"] is True


def test_a_threshold_that_is_not_understood_is_said(tmp_path: Path):
    """A ``passing_score`` without a known key sets nothing, and a line says so."""
    criteria = {"passing_score": {"recall": 0.4}}
    path = write(tmp_path, "fact_exact", [fact()], evaluation_criteria=criteria)
    assert any("not understood as a threshold" in note for note in BenchmarkRunner(path).notes)


def test_penalties_are_shown_and_not_subtracted(tmp_path: Path):
    """A penalty changes the severity of inventions, whatever its form, and never the score."""
    (tmp_path / "r.md").write_text(RECORD, encoding="utf-8")
    scores = []
    for penalty, severity in (
        (2, 2.0),
        (-0.5, 0.5),
        ("high", 1.0),
        ("low", 0.25),
        ("critical", 1.0),
    ):
        question = gap(hallucination_penalty=penalty)
        path = write(tmp_path, "conflict_gap", [question], document="r.md")
        scored = result(path, "花了9000元。")
        assert scored["terms"]["severity"] == severity, penalty
        scores.append(scored["score"])
    assert scores == pytest.approx([0.2] * 5)


def cited(path: Path, *citations: Any) -> bool:
    """Whether the citations of an answer to the only question are right."""
    reply = {"answer": "38000元", "citations": list(citations)}
    return bool(result(path, reply)["terms"]["citation_correctness"])


def paged_fact(**fields: Any) -> dict[str, Any]:
    """A fact that must be cited from page 2."""
    evidence = [{"page": 2, "must_include": "一共给了我38000元", **fields}]
    return fact(required_evidence=evidence, scoring={"citation_required": True})


def test_citations_of_a_record_without_page_marks(tmp_path: Path):
    """Pages are compared with those of the evidence, and words are looked up in the record."""
    (tmp_path / "r.md").write_text(RECORD, encoding="utf-8")
    path = write(tmp_path, "fact_exact", [paged_fact()], document="r.md")
    assert cited(path, {"page": 2, "text": "一共给了我38000元"})
    assert cited(path, {"text": "答：一共给了我38000元，分两次给的。"})
    assert cited(path, {"page": 2})
    assert not cited(path, {"page": 3})
    assert not cited(path, {"page": 3, "text": "一共给了我38000元"})
    assert not cited(path, {"page": 2, "text": "一共给了我50000元"})
    assert not cited(path)
    reply = {"answer": "38000元", "citations": [{"page": 2}]}
    assert any("no page marks" in note for note in result(path, reply)["notes"])


def test_citations_without_a_record(tmp_path: Path):
    """Without a document, pages and words are compared with the required evidence."""
    for root in ({}, {"document": "gone.pdf"}):
        path = write(tmp_path, "fact_exact", [paged_fact()], **root)
        assert cited(path, {"page": 2, "text": "他说一共给了我38000元，分两次"})
        assert cited(path, "一共给了我38000元")
        assert cited(path, 2)
        assert not cited(path, 3)
        assert not cited(path, {"page": 2, "text": "一共给了我50000元"})
        reply = {"answer": "38000元", "citations": [2]}
        assert any("without a document" in note for note in result(path, reply)["notes"])
    unlisted = write(tmp_path, "fact_exact", [fact(scoring={"citation_required": True})])
    assert cited(unlisted, {"page": 9})


def test_a_reference_pipeline_needs_the_document(tmp_path: Path):
    """The default system has nothing to search without a document, and one line says so."""
    path = write(tmp_path, "fact_exact", [fact()], document="gone.pdf")
    with pytest.raises(DatasetError, match=r"gone\.pdf: was not found.*--system"):
        BenchmarkRunner(path).run_benchmark("reference")


def test_the_reference_pipeline_reads_a_record_without_page_marks(tmp_path: Path):
    """Its passages have no page then, so they are cited by their words."""
    summary = BenchmarkRunner(write_owner(tmp_path)).run_benchmark("reference", "fact_exact")
    first = summary["questions"][0]
    assert first["terms"]["citation_correctness"] is True, first
    assert all(citation["page"] is None for citation in first["citations"])


def test_structured_fields_are_used_as_given(tmp_path: Path):
    """A stated value counts and not what the text says; what is not stated is read from the text."""
    expected = {"amount_total": 38000, "date": "2030-05-06", "boolean_answer": True}
    path = write(tmp_path, "fact_exact", [fact(expected=expected)])
    stated = {"amount": 38000, "date": "2030年5月6日", "boolean": True}
    assert result(path, {"answer": "不清楚。", **stated})["score"] == 1.0
    assert result(path, stated)["score"] == 1.0
    wrong = {"answer": "是的，38000元，2030年5月6日", "amount": 50000}
    assert result(path, wrong)["terms"]["partial"] == pytest.approx(2 / 3)
    assert result(path, {**stated, "answer": "", "abstained": True})["terms"]["partial"] == 0.0
    text = write(tmp_path, "fact_exact", [fact(expected={"text_answer": "吃饭"})])
    assert result(text, {"answer": "见下", "text": "用于吃饭"})["score"] == 1.0


def test_an_answer_of_assay_is_a_reply(tmp_path: Path):
    """An object with ``query`` may return text, an ``Answer`` or the owner's mapping."""
    path = write(tmp_path, "fact_exact", [paged_fact()])

    class Rag:
        reply: Any = None

        def query(self, question: str) -> Any:
            assert question == "一共多少钱？"
            return self.reply

    for reply in (
        "38000元（第2页）",
        Answer(text="38000元", extra={"citations": [{"page": 2}]}),
        {"answer": "38000元", "citation": {"page": 2, "text": "一共给了我38000元"}},
        {"answer": 38000, "citation": "第2页"},
        {"amount": 38000, "evidence": [{"page": "2", "content": "一共给了我38000元"}]},
        {"amount": 38000, "evidence": ["第2页：一共给了我38000元"]},
    ):
        Rag.reply = reply
        assert BenchmarkRunner(path).run_benchmark(Rag())["overall_percentage"] == 100.0, reply


def test_recorded_structured_replies_are_scored_again_alike(tmp_path: Path):
    """Scoring the recorded rows again changes nothing, with and without a document."""
    for record in (True, False):
        folder = tmp_path / str(record)
        bench = write_owner(folder, record=record)
        BenchmarkRunner(bench, out=folder / "out").run_benchmark(REPLIES.get)
        again = rescore(folder / "out" / "bench-benchmark.jsonl")
        assert (again.judged, dict(again.changed)) == (6, {})


def test_key_points_count_beside_the_evidence(tmp_path: Path):
    """Recall is over the evidence and the key points; a key point may be stated in the answer."""
    question = {
        "id": "q",
        "question": "有哪些证据？",
        "expected": {"key_points": ["办不成就退款", "赵敏在场"]},
        "required_evidence": [{"page": 2, "must_include": "给了我38000元"}],
        "scoring": {"evidence_recall_min": 0.9, "evidence_precision_min": 0.9},
    }
    path = write(tmp_path, "evidence_set", [question])
    evidence = [{"page": 2, "text": "一共给了我38000元"}]
    few = result(path, {"answer": "见笔录。", "evidence": evidence})
    assert few["terms"]["recall"] == pytest.approx(1 / 3)
    assert few["score"] == pytest.approx(0.3 + 0.2)
    assert few["missing"] == ["“办不成就退款”", "“赵敏在场”"]
    all_found = result(path, {"answer": "办不成就退款。赵敏在场。", "evidence": evidence})
    assert (all_found["terms"]["recall"], all_found["score"]) == (1.0, 1.0)


def test_a_speaker_restricts_where_evidence_is_found(tmp_path: Path):
    """Words of the question do not support evidence that the answer must contain."""
    (tmp_path / "r.md").write_text(
        "被询问人：罗小舟，收条38000元\n问：是不是38000元？\n答：是的，38000元。\n",
        encoding="utf-8",
    )
    item = {"page": 1, "must_include": "38000元"}

    def supported(text: str, **where: str) -> bool:
        question = fact(required_evidence=[{**item, **where}], scoring={"citation_required": True})
        return cited(write(tmp_path, "fact_exact", [question], document="r.md"), {"text": text})

    assert supported("是不是38000元？")
    assert supported("是不是38000元？", speaker="question")
    assert not supported("是不是38000元？", speaker="answer")
    assert supported("是的，38000元。", speaker="answer", section="qa_pair")
    assert supported("问：是不是38000元？答：是的，38000元。", speaker="answer")
    assert supported("收条38000元", section="header")
    assert not supported("收条38000元", section="qa_pair")
    assert not supported("是的，38000元", section="header")
    (tmp_path / "r.md").write_text("收条38000元。\n", encoding="utf-8")
    assert supported("收条38000元", speaker="answer", section="qa_pair")


def test_a_heading_restricts_where_evidence_is_found(tmp_path: Path):
    """A section that is a heading of the document restricts evidence to the text below it."""
    text = "# 付款\n共38000元。\n# 退款\n退还38000元。\n"
    (tmp_path / "r.md").write_text(text, encoding="utf-8")
    evidence = {"page": 1, "must_include": "38000元", "section": "退款"}
    question = fact(required_evidence=[evidence], scoring={"citation_required": True})
    path = write(tmp_path, "fact_exact", [question], document="r.md")
    assert cited(path, {"text": "退还38000元"})
    assert not cited(path, {"text": "共38000元"})


def test_no_check_of_inventions_scales_the_other_terms(tmp_path: Path):
    """``hallucination_check: none`` drops that term, scales the others to 1, and the row says so."""
    (tmp_path / "r.md").write_text(RECORD, encoding="utf-8")
    scoring = {"hallucination_check": "none"}
    question = gap(required_quote="具体请了谁都忘记了", scoring=scoring)
    path = write(tmp_path, "conflict_gap", [question], document="r.md")
    silent = result(path, "笔录中没有提到。")
    assert silent["score"] == pytest.approx(0.4 / 0.6)
    assert silent["terms"]["no_hallucination"] is None
    assert any("scaled to 1" in note for note in silent["notes"])
    quoted = result(path, {"answer": "没有提到。", "citation": "具体请了谁都忘记了"})
    assert quoted["score"] == 1.0


@pytest.mark.parametrize("quote", ["具体请了谁都忘记了", "请人吃饭用掉了"])
def test_any_additional_quote_earns_the_point(tmp_path: Path, quote: str):
    """The required quote or one of the additional ones is enough; another text is not."""
    (tmp_path / "r.md").write_text(RECORD, encoding="utf-8")
    question = gap(required_quote="具体请了谁都忘记了", additional_quotes=["请人吃饭用掉了"])
    path = write(tmp_path, "conflict_gap", [question], document="r.md")
    assert result(path, f"没有提到。“{quote}”")["score"] == 1.0
    assert result(path, "没有提到。")["score"] == pytest.approx(0.8)


QUESTION = "罗小舟具体请了谁吃饭？"
ABSTAINING = [
    "笔录中无法确定请了谁。“答：请人吃饭用掉了，具体请了谁都忘记了。”",
    "不明确。",
    "笔录中对此不明确。",
    "请了谁吃饭不详。",
    "他记不清请了谁。",
    "Кого он пригласил, не установлено.",
    "It is unclear from the record whom he invited.",
    "The record does not say whom he invited: “具体请了谁都忘记了”.",
]


@pytest.mark.parametrize("answer", ABSTAINING)
def test_an_answer_that_is_not_known_abstains(tmp_path: Path, answer: str):
    """Saying that it is not known is an abstention, also with the quotation that shows it."""
    (tmp_path / "r.md").write_text(RECORD, encoding="utf-8")
    path = write(tmp_path, "conflict_gap", [gap(question=QUESTION)], document="r.md")
    terms = result(path, answer)["terms"]
    assert (terms["abstained"], terms["correct_abstention"]) == (True, True)


def test_a_question_that_cannot_be_scored_is_skipped(tmp_path: Path):
    """A question whose expected fields are all unknown is skipped with the reason, not refused."""
    odd = fact(id="odd", question="谁？", expected={"purpose": "吃饭"})
    empty = {"id": "e", "question": "？", "expected": {"summary": "…"}}
    write(tmp_path, "fact_exact", [fact(), odd])
    write(tmp_path, "evidence_set", [empty])
    summary = BenchmarkRunner(tmp_path).run_benchmark(lambda _: "38000元")
    assert summary["overall_percentage"] == 100.0
    assert (summary["counts"]["scored"], summary["counts"]["skipped"]) == (1, 2)
    skipped = next(item for item in summary["questions"] if item["id"] == "odd")
    assert skipped["error"] == "`expected` has no field that can be checked"


def test_the_steps_of_a_run_one_by_one(tmp_path: Path):
    """Loading, single tests, the summary and the file give what the whole run gives."""
    runner = BenchmarkRunner(write_owner(tmp_path))
    questions = runner.load_questions("fact_exact")
    assert [question["id"] for question in questions] == ["fact_001", "fact_002"]
    assert questions[0]["required_evidence"] == FACTS[0]["required_evidence"]
    assert len(runner.load_questions()) == sum(map(len, FILES.values()))
    system = type("Rag", (), {"query": lambda _, question: REPLIES[question]})()
    results = [runner.run_test(question, system) for question in questions]
    assert runner.run_test(system, questions[1]) == {
        **results[1],
        "elapsed_s": pytest.approx(0, abs=9),
    }
    assert [item["score"] for item in results] == pytest.approx([1.0, 0.65])
    assert runner.run_test("conflict_gap_001", system)["score"] == 1.0
    summary = runner.generate_summary(results)
    assert summary["overall_percentage"] == pytest.approx(BY_TYPE["fact_exact"])
    assert runner.generate_summary()["counts"]["scored"] == 3
    whole = runner.run_benchmark(system)
    assert runner.generate_summary()["overall_percentage"] == whole["overall_percentage"]
    path = runner.save_results(tmp_path / "out" / "results.json", whole)
    assert json.loads(path.read_text(encoding="utf-8")) == whole
    assert runner.save_results(whole, tmp_path / "out") == tmp_path / "out/benchmark_results.json"
    with pytest.raises(UseError, match="no question 'fact_01'; did you mean 'fact_001'"):
        runner.run_test("fact_01", system)


def test_saved_results_are_no_benchmark(tmp_path: Path):
    """Results that are saved beside the questions are not taken for a benchmark file."""
    bench = write_owner(tmp_path)
    runner = BenchmarkRunner(bench)
    runner.run_benchmark(REPLIES.get)
    saved = runner.save_results(bench)
    assert validate_benchmark(bench).passed_over == (saved,)


def test_the_root_of_the_owner_is_kept(tmp_path: Path):
    """Name, version and instructions of a benchmark are in the header of the run."""
    bench = write_owner(tmp_path)
    BenchmarkRunner(bench, out=tmp_path / "out").run_benchmark(REPLIES.get)
    header = json.loads((tmp_path / "out/bench-benchmark.json").read_text(encoding="utf-8"))
    kept = header["extra"]["benchmark"]["questions/fact_exact.json"]
    assert kept["benchmark_name"] == ROOT["benchmark_name"]
    assert kept["system_instructions"] == ROOT["system_instructions"]
