"""Every score of an answer with its reason in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from assay.records import Metric
from assay.report.label import title_of
from assay.report.look import MISSING
from assay.results.job import JobSpec
from assay.web.about import shown_value
from assay.web.item_api import ScoreView
from assay.words.message import Message, Said, joined, message

LONGEST: Final = 1_000
_ABSTAINS: Final = message("the answer says that the documents do not tell")
_ANSWERS: Final = message("the answer gives an answer")
Row = Mapping[str, Any]
Reason = Callable[[Row], Said | None]


def score_views(job: JobSpec, row: Row) -> Iterator[ScoreView]:
    """The values of the job's metrics in a row; metrics of the same field are shown once."""
    if row.get("status", "scored") != "scored" or row.get("error") is not None or not row:
        return
    seen: set[str] = set()
    for metric in job.metrics:
        if metric.field in seen or metric.family == "latency":
            continue
        seen.add(metric.field)
        value = _value(row, metric.field)
        yield ScoreView(
            name=metric.name,
            title=title_of(metric),
            value=shown_value(value),
            reason=_undefined(metric) if value is None else _reason(job.name, metric, row),
            unsure=_doubt(metric, value, row),
        )


def _value(row: Row, field: str) -> float | None:
    value: Any = row
    for step in field.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, bool | int | float) else None


def _doubt(metric: Metric, value: float | None, row: Row) -> Message | None:
    """Which way an unsure score leans, and why if the row says so; ``None`` if it is sure."""
    least, most = (_value(row, field) for field in metric.bounds)
    if value is None or least is None or most is None:
        return None
    worst = most if metric.better == "lower" else least
    recorded = (row.get("reasons") or {}).get(metric.field.rpartition(".")[2])
    if least < value < most:
        leaning = message(
            "unsure: between {low} and {high}", low=shown_value(least), high=shown_value(most)
        )
    elif value == worst:
        leaning = message("unsure, leans wrong")
    else:
        leaning = message("unsure, leans right")
    if recorded is None:
        return leaning
    return message("{leaning}: {why}", leaning=leaning, why=Message(str(recorded)))


def _undefined(metric: Metric) -> Message | None:
    if not metric.undefined:
        return None
    return message("undefined: {why}", why=message(metric.undefined, "undefined"))


def _reason(job: str, metric: Metric, row: Row) -> Said | None:
    find = _REASONS.get(job, {}).get(metric.name) or _OF_EVERY_JOB.get(metric.name)
    return find(row) if find else None


def _listed(values: Sequence[Any]) -> str:
    """The values in quotation marks; one that begins with a quotation has its own.

    >>> _listed(["Nomi", "“in all” (page 2)"])
    '“Nomi”, “in all” (page 2)'
    """
    shown = (text if text.startswith("“") else f"“{text}”" for text in map(str, values))
    return ", ".join(shown)[:LONGEST]


# ablation


def _citations(row: Row) -> Message | None:
    numbers = row.get("citation_numbers")
    if not numbers:
        return message("the answer cites no passage")
    shown = ", ".join(f"[{number}]" for number in numbers[:50])
    return message(
        "the answer cites {numbers}; passages given: {n}",
        numbers=shown,
        n=len(row.get("retrieved_chunk_ids") or ()),
    )


def _gold_found(row: Row) -> Message | None:
    if row.get("gold_spans"):
        return None
    gold = row.get("gold_chunk_ids") or []
    retrieved = row.get("retrieved_chunk_ids") or []
    found = [name for name in gold if name in retrieved]
    return message(
        "gold passages retrieved: {found} of {gold}, among {n}",
        found=len(found),
        gold=len(gold),
        n=len(retrieved),
    )


def _gold_rank(row: Row) -> Message | None:
    if row.get("gold_spans"):
        return None
    gold = set(row.get("gold_chunk_ids") or ())
    ranks = [
        passage.get("rank") or number
        for number, passage in enumerate(row.get("passages") or (), 1)
        if passage.get("id") in gold
    ]
    return (
        message("the first gold passage has rank {rank}", rank=min(ranks))
        if ranks
        else message("no gold passage was retrieved")
    )


def _abstention(row: Row) -> Message | None:
    return _ABSTAINS if row.get("abstained") else _ANSWERS


# every job whose questions have an expected answer


def _accepted(row: Row) -> Message | None:
    answers = row.get("expected_answer")
    listed = answers if isinstance(answers, list) else [answers] if answers else []
    return message("accepted: {answers}", answers=_listed(listed)) if listed else None


def _unsupported(score: str) -> Reason:
    """What the answer states that is in no passage."""

    def texts(row: Row) -> Message | None:
        said = (row.get("reasons") or {}).get(score)
        return message("in no passage: {texts}", texts=said) if said else None

    return texts


_OF_EVERY_JOB: Final[Mapping[str, Reason]] = {
    "answer_contained": _accepted,
    "answer_exact": _accepted,
    "answer_f1": _accepted,
    "word_f1": _accepted,
    "wrong_abstention": _abstention,
    "abstained": _abstention,
    "unsupported_figure": _unsupported("unsupported_figure"),
    "unsupported_quotation": _unsupported("unsupported_quotation"),
}


# quality


def _included(row: Row) -> Message | None:
    matches = row.get("matches") or ()
    wanted = [match for match in matches if match.get("rule") != "must_not_include"]
    lacking = [
        " / ".join(match.get("wanted") or ()) for match in wanted if match.get("phrase") is None
    ]
    if lacking:
        return message("the answer lacks {texts}", texts=_listed(lacking))
    return message("everything required is in the answer: {n}", n=len(wanted))


def _forbidden(row: Row) -> Message | None:
    said = [
        match.get("text")
        for match in row.get("matches") or ()
        if match.get("rule") == "must_not_include" and match.get("phrase") is not None
    ]
    return (
        message("the answer says {texts}, which it must not", texts=_listed(said))
        if said
        else message("the answer says nothing that it must not")
    )


def _pages(row: Row) -> Message | None:
    pages = row.get("cited_pages") or ()
    if not pages:
        return message("the answer cites no page")
    return message("cited pages: {pages}", pages=", ".join(map(str, pages[:50])))


def _supported(row: Row) -> Message | None:
    lacking = row.get("unsupported") or ()
    if not lacking:
        return message("the cited pages contain what the answer states")
    texts = [each.get("text", each) if isinstance(each, Mapping) else each for each in lacking]
    return message("not on the cited pages: {texts}", texts=_listed(texts))


def _quality_score(row: Row) -> Message | None:
    metrics = row.get("metrics") or {}
    return message(
        "required texts in the answer: {hits} of {total}; penalty for citations: {penalty}",
        hits=metrics.get("include_hits", 0),
        total=metrics.get("include_total", 0),
        penalty=f"{metrics.get('citation_penalty') or 0:g}",
    )


# depth


def _choice(row: Row) -> Message | None:
    given, right = row.get("model_answer"), row.get("correct_answer")
    shown = [
        ", ".join(map(str, each)) if isinstance(each, list) else str(each)
        for each in (given, right)
    ]
    return message(
        "answered {given}, right is {right}", given=shown[0][:LONGEST], right=shown[1][:LONGEST]
    )


def _parsing(row: Row) -> Message | None:
    status = row.get("parsing_status")
    return message("parsing: {status}", status=status) if status else None


# review


def _level(row: Row) -> Message | None:
    def shown(name: str) -> Message | str:
        level = row.get(name)
        title = str(level).capitalize() if level else "Unparsed"
        known = title in {"High", "Medium", "Low", "Unparsed"}
        return message(title, "level") if known else str(level)

    return message(
        "stated {given}, true is {right}", given=shown("risk_level"), right=shown("expected_level")
    )


def _evidence(row: Row) -> Message | None:
    invented = [each.get("text", "") for each in row.get("evidence") or () if not each.get("valid")]
    laws = [
        each.get("text", "")
        for each in row.get("citations") or ()
        if each.get("finding") not in {"valid", None}
    ]
    if invented or laws:
        return message("invented or not found: {texts}", texts=_listed([*invented, *laws]))
    return message(
        "quotations and citations that were found: {n}",
        n=len(row.get("evidence") or ()) + len(row.get("citations") or ()),
    )


def _risk(row: Row) -> Message | None:
    truth = row.get("ground_truth") or {}
    return message("the main risk is {right}", right=truth.get("risk_id") or MISSING)


def _task(row: Row) -> Message | None:
    if row.get("task_success"):
        return message("the level is right, and what is quoted is real")
    return message("the level is wrong, something quoted is not real, or the advice is missing")


# bench


def _bench_score(row: Row) -> Said | None:
    """Everything that cost points: what is missing, what is invented, and what else is wrong."""
    missing = [str(each) for each in row.get("missing") or ()]
    invented = [str(each.get("text", "")) for each in row.get("invented") or ()]
    faults = [str(each) for each in row.get("faults") or ()]
    parts = []
    if missing:
        parts.append(message("missing: {texts}", texts=_listed(missing)))
    if invented:
        parts.append(message("invented or not found: {texts}", texts=_listed(invented)))
    parts += [_fault(fault[:LONGEST]) for fault in faults[:20]]
    if not parts:
        return message("nothing is wrong")
    return joined(parts)


def _fault(fault: str) -> Message:
    return Message(fault)


def _bench_missing(row: Row) -> Message | None:
    missing = [str(each) for each in row.get("missing") or ()]
    return message("missing: {texts}", texts=_listed(missing)) if missing else None


def _bench_invented(row: Row) -> Message | None:
    invented = [str(each.get("text", "")) for each in row.get("invented") or ()]
    return message("invented or not found: {texts}", texts=_listed(invented)) if invented else None


def _bench_abstention(row: Row) -> Message | None:
    abstained = (row.get("terms") or {}).get("abstained")
    return _ABSTAINS if abstained else _ANSWERS


def _threshold(row: Row) -> Message | None:
    least = row.get("min_score")
    return message("the threshold is {n}", n=f"{least:g}") if least is not None else None


_REASONS: Final[Mapping[str, Mapping[str, Reason]]] = {
    "ablation": {
        "cite_ok_rate": _citations,
        "gold_hit_any_rate": _gold_found,
        "gold_hit_all_rate": _gold_found,
        "avg_gold_coverage": _gold_found,
        "gold_precision": _gold_found,
        "gold_mrr": _gold_rank,
        "gold_ndcg": _gold_rank,
        "correct_abstention_rate": _abstention,
        "answered_rate": _abstention,
    },
    "quality": {
        "score": _quality_score,
        "include_rate": _included,
        "safe_ok": _forbidden,
        "citation_ok": _pages,
        "citation_page_exists": _pages,
        "citation_supported": _supported,
    },
    "depth": {
        "accuracy": _choice,
        "accuracy_parsed": _choice,
        "exact_rate": _choice,
        "parse_rate": _parsing,
    },
    "review": {
        "accuracy": _level,
        "weighted_accuracy": _level,
        "high_risk_recall": _level,
        "parse_rate": _level,
        "risk_id_accuracy": _risk,
        "clauses_with_invented_evidence": _evidence,
        "task_success_rate": _task,
    },
    "bench": {
        "score": _bench_score,
        "passed_rate": _threshold,
        "exact_match": _bench_score,
        "citation_correct": _bench_missing,
        "partial": _bench_score,
        "evidence_recall": _bench_missing,
        "evidence_precision": _bench_score,
        "correct_abstention": _bench_abstention,
        "no_hallucination": _bench_invented,
        "quote_included": _bench_missing,
        "hallucination_severity": _bench_invented,
    },
}
"""How the reason for a score is found in a row, by job and metric."""
