"""Reading one variant of a run from its journal: an item for each question and placement."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from assay.checks import registered as ruler
from assay.checks.correctness import EXPECTED
from assay.checks.own_scorer import declarations
from assay.checks.scorer import DESCRIBED, Scorer
from assay.data.jsonl import refuse_repeated_key
from assay.errors import Filtered, UseError
from assay.gate.compared_run import (
    ComparedCase,
    ComparedRun,
    Key,
    OtherMetric,
    keys_by_name,
    merge_cases,
    number,
)
from assay.records import Metric, Status
from assay.registry import nearest
from assay.results.column import NO_TIME, ROUNDING, TIMES
from assay.results.decoded_row import row_type
from assay.results.job import JobSpec, job_spec_of
from assay.results.results import read_row_texts
from assay.results.run_cases import (
    Doubt,
    RowFilter,
    SparedCases,
    doubt_line,
    outside_rows,
    read_run_cases,
)
from assay.runs.read import scan_journal
from assay.runs.summary import Summary, read_summary
from assay.runs.write import summary_path
from assay.systems.protocol import ORDER_ONLY
from assay.words.message import Message, message, message_n

HASHES: Final = ("pdf_sha256", "novel_sha256", "gold_sha256")
"""Hashes in a header's ``extra`` that must be the same in both runs."""
JUDGING: Final = ("threshold", "verifier", "laws_sha256", "costs", "exact_form")
"""Entries of a header's ``extra`` about how answers were judged; they must be the same too."""
INFORMATIONAL: Final = ("corpus_sha256",)
"""Entries that may differ; a note then says so. The corpus is one of them, because a different
division of the documents into chunks may be the change that is measured."""
WITHHELD: Final = ("error_kind", "lost", "spared_by")
"""Fields of rows without an answer, as texts."""
_STATUSES: Final[Mapping[str, Status]] = {
    "": "scored",
    "scored": "scored",
    "answered": "answered",
    "skipped": "skipped",
    "spared": "spared",
}
_ABSTAINS: Final = "assay.checks.abstention:abstains"
"""The function of metrics that say whether an abstention is right."""
_PlacedRow: TypeAlias = tuple[Any, slice]
"""A row with the fields of ``row_type``, and the byte range of the block that it is in."""
_RUN: Final = re.compile(r"(?:^|(?<=[,&:]))run=\d+(?:$|[,&]|::)")


def run_of_rows(
    journal: Path,
    metric_name: str | None = None,
    variant: str | None = None,
    preferred: str | None = None,
) -> ComparedRun:
    """Read one variant of a journal: ``variant``, else the only one, else ``preferred``.

    Raises ``UseError`` if the variant does not exist, or if there are several and none is named.
    """
    summary = read_summary(summary_path(journal))
    if summary is not None:
        refuse_repeated_key(summary_path(journal).read_bytes(), summary_path(journal))
    spec = job_spec_of(summary)
    metric = spec.metric(metric_name or _main_metric(summary, spec))
    cases = read_run_cases(journal, summary, spec)
    chosen_rows = RowFilter(cases)
    spared = SparedCases()
    others = [other for other in _correctness(spec) if other.name != metric.name]
    fields = [each.field for each in (metric, *others)]
    fields += metric.bounds if metric.is_share else ()
    last_rows = _read_last_rows(journal, fields, chosen_rows, spared)
    chosen = _choose_variant(
        journal, [row.config for row, _ in last_rows.values()], variant, preferred
    )
    rows = [(row, place) for row, place in last_rows.values() if row.config == chosen]
    statuses = Counter(_status(row) for row, _ in rows)
    failed, answered = statuses["failed"], statuses["answered"]
    if summary is not None:  # a run that counted more of them than it has rows of
        ended = Counter(_status(row) for row, _ in last_rows.values())
        failed += max(0, summary.tally.failed - ended["failed"])
        answered += max(0, summary.tally.answered - ended["answered"])
    stops_early = bool(summary and summary.extra.get("early_stop")) or any(
        row.key in spared.keys for row, _ in rows
    )
    asked = len(rows) - statuses["spared"]
    undecided = sum(
        _status(row) == "spared" and not _is_decided(row, summary, asked) for row, _ in rows
    )
    unasked = max(0, summary.total - len(last_rows)) + undecided if summary else undecided or None
    return ComparedRun(
        path=journal,
        job=spec.name,
        kind=summary.kind if summary else "",
        metric=metric,
        items=_items(journal, rows, metric, bounded=metric.is_share),
        state=_state(summary, has_all=unasked == 0 and not (failed or answered)),
        unasked=unasked,
        failed=failed,
        answered=answered,
        filtered=sum(1 for row, _ in rows if row.error_kind == Filtered.kind),
        lost=sum(1 for row, _ in rows if row.lost),
        first_error=next((row.error for row, _ in rows if row.error), ""),
        hashes=_hashes(summary),
        judging={**_extra(summary, JUDGING), **_own_version(summary, metric)},
        ruler=ruler.ruler_of(summary.extra) if summary else None,
        informational=_extra(summary, INFORMATIONAL),
        primary=spec.headline,
        metric_names=_metric_names(spec, summary, chosen),
        variant=chosen,
        settings=_settings(summary, chosen),
        order_settings=ORDER_ONLY.union(summary.extra.get("order_settings", ()) if summary else ()),
        journal=journal,
        others=tuple(_others(journal, rows, others)),
        stops_early=stops_early,
        estimand=summary.estimand if summary else None,
        notes=(
            *_early_notes(journal, stops_early=stops_early),
            *_notes(journal, summary, chosen_rows.outside, cases.doubt),
            *_lost_notes(journal, [row for row, _ in rows]),
            *_meaning_notes(metric),
        ),
    )


def _correctness(spec: JobSpec) -> Iterator[Metric]:
    """The metrics that say how right answers and abstentions are, and the main one of the job."""
    for metric in spec.metrics:
        compares = isinstance(metric, Scorer) and EXPECTED in metric.needs
        is_main = metric.name == spec.headline or metric.function == _ABSTAINS
        if is_main or (compares and metric.better == "higher"):
            yield metric


def _others(
    journal: Path, rows: Sequence[_PlacedRow], metrics: Iterable[Metric]
) -> Iterator[OtherMetric]:
    """Those of the metrics that have a value in these rows.

    A metric with values that cannot be compared is left out: it decides nothing.
    """
    for metric in metrics:
        value_of = attrgetter(metric.field)
        if any(value_of(row) is not None for row, _ in rows):
            with suppress(UseError):
                yield OtherMetric(metric=metric, items=_items(journal, rows, metric))


def _main_metric(summary: Summary | None, spec: JobSpec) -> str | None:
    """The main metric of the run: that of its job, unless no question defines it."""
    name = summary.results.get("headline") if summary else None
    return name if name in {metric.name for metric in spec.metrics} else None


def _state(summary: Summary | None, *, has_all: bool) -> str | None:
    """The state of the run as far as the chosen variant is concerned."""
    if summary is None:
        return None
    # every case was asked, and only cases of other variants have no score
    return "complete" if summary.state == "partial" and has_all else summary.state


def _meaning_notes(metric: Metric) -> Iterator[Message]:
    """What a metric does not say that decides where nobody has said which answers are right."""
    if metric.name == "abstained":
        yield message(
            "fewer abstentions are not more right answers: nothing says which answers are right"
        )


def _early_notes(journal: Path, *, stops_early: bool) -> Iterator[Message | str]:
    if stops_early:
        yield (
            message(
                "{journal}: with --stop-early the answers decide how many questions are asked, so there is no p-value",
                journal=journal,
            )
        )


def _lost_notes(journal: Path, rows: Iterable[Any]) -> Iterator[Message | str]:
    lost = sum(1 for row in rows if row.lost)
    if lost:
        yield message_n(
            "{file}: {n} answer that the provider's filter withheld counts as wrong (--count-filtered)",
            "{file}: {n} answers that the provider's filter withheld count as wrong (--count-filtered)",
            lost,
            file=journal,
        )


def _notes(
    journal: Path, summary: Summary | None, outside: int, doubt: Doubt
) -> Iterator[Message | str]:
    if summary is None:
        yield message(
            "{file}: there is no summary, so it is not known whether the run ended", file=journal
        )
    elif doubt:
        yield message(
            "{file}: {what}", file=journal, what=doubt_line(doubt, summary.questions_path)
        )
    if outside:
        yield message("{file}: {what}", file=journal, what=outside_rows(outside))


def _items(
    journal: Path, rows: Iterable[_PlacedRow], metric: Metric, *, bounded: bool = False
) -> dict[Key, ComparedCase]:
    """The cases by question and placement, with repetitions merged."""
    items: dict[Key, ComparedCase] = {}
    repeated: dict[Key, list[ComparedCase]] = {}
    value_of = attrgetter(metric.field)
    low_of, high_of = map(attrgetter, metric.bounds)
    for row, place in rows:
        case = _case(journal, row, value_of(row), place)
        if bounded and (low := low_of(row)) is not None:
            case = replace(case, at_least=float(low), at_most=float(high_of(row) or 0))
        if (
            metric.is_share
            and case.value is not None
            and not -ROUNDING <= case.value <= 1 + ROUNDING
        ):
            raise UseError(
                f"{journal}: {row.key}: {metric.name} is {case.value:g}, but it is a share from 0 to 1"
            )
        if metric.field in TIMES and case.value is not None and case.value < -ROUNDING:
            raise UseError(f"{journal}: {row.key}: {metric.field} is {case.value:g}, but {NO_TIME}")
        key = item_key(row.key, row.question_id, row.config)
        if key in items:
            repeated.setdefault(key, [items[key]]).append(case)
        else:
            items[key] = case
    items.update((key, merge_cases(cases)) for key, cases in repeated.items())
    return items


def item_key(key: str, question_id: str, config: str) -> Key:
    """The question and the placement of a row, without the number of the repetition (``run=2``).

    >>> item_key("q1::fast::topk=5", "q1", "fast"), item_key("q1::quality::run=2", "q1", "quality")
    (('q1', 'topk=5'), ('q1', ''))
    """
    label = key[len(question_id) + len(config) + 4 :]
    return question_id, _without_run(label)


@cache
def _without_run(label: str) -> str:
    return _RUN.sub("", label).strip(",&:")


def read_texts(run: ComparedRun, keys: Iterable[Key]) -> dict[Key, tuple[str, str]]:
    """Read the question and the answer of these items; the last answer of a repeated item.

    Only the parts of the journal that contain them are read.
    """
    assert run.journal is not None
    wanted = set(keys)
    texts: dict[Key, tuple[str, str]] = {}
    places = [place for key in wanted if (place := run.items[key].place) is not None]
    for row in read_row_texts(run.journal, places):
        item = item_key(row.key, row.question_id, row.config)
        if (
            row.config == run.variant
            and item in wanted
            and (row.answer is not None or item not in texts)
        ):
            texts[item] = (row.question or "", row.answer or "")
    return texts


def _read_last_rows(
    journal: Path, fields: Sequence[str], chosen: RowFilter, spared: SparedCases
) -> dict[str, _PlacedRow]:
    """Read the last row of each chosen key, with the byte range of the block that it is in."""
    last_rows: dict[str, _PlacedRow] = {}
    for place, (rows,) in scan_journal(journal, row_type([*fields, "weight"], WITHHELD), once=True):
        rows_of_run = chosen.rows_of_questions(rows)
        spared.add(rows_of_run)
        last_rows.update((row.key, (row, place)) for row in rows_of_run)
    return last_rows


def _choose_variant(
    journal: Path, configs: Iterable[str], requested: str | None, preferred: str | None
) -> str:
    variants = list(dict.fromkeys(configs))
    if not variants:
        raise UseError(f"{journal}: contains no rows")
    if requested is None and len(variants) > 1:
        requested = preferred
    if requested is None and len(variants) > 1:
        raise UseError(
            f"{journal}: contains the variants {', '.join(sorted(variants))}; "
            "choose one with --variant, and with --base-variant for the base"
        )
    if requested is not None and requested not in variants:
        raise UseError(f"{journal}: no variant {requested!r}{nearest(requested, variants)}")
    return requested or variants[0]


def _status(row: Any) -> Status:
    """How a case ended; a row of another program without a status is scored or has an error."""
    if row.error is not None or row.error_kind:
        return "failed"
    return _STATUSES.get(row.status, "failed")


def _is_decided(row: Any, summary: Summary | None, asked: int) -> bool:
    """Whether it is recorded by which decision a spared case was not asked.

    A decision needs the answers on which it rests: no more than were ``asked``. A run without ``--stop-early`` asks such cases: until it has, it is not complete.
    """
    stops = summary is None or bool(summary.extra.get("early_stop"))
    return stops and bool(row.spared_by) and 0 < row.decided_after <= asked


def _case(journal: Path, row: Any, value: Any, place: slice) -> ComparedCase:
    status = _status(row)
    where = f"{journal}: {row.key}"
    return ComparedCase(
        status=status,
        value=number(value, where, "score") if status == "scored" else None,
        weight=number(row.weight, where, "weight"),
        source=row.source,
        place=place,
    )


def _metric_names(spec: JobSpec, summary: Summary | None, variant: str) -> frozenset[str] | None:
    """The metrics that the variant was scored by; None if the summary has no results.

    A metric of the job that is undefined for all answers is one of them. A registered scorer
    without any value is not: it was installed when the summary was made, and not when the answers
    were scored. Neither is a metric that tables leave out where no answer takes part in it.
    """
    results: Mapping[str, Any] = summary.results if summary else {}
    counts = results.get("variants", {}).get(variant, {}).get("n")
    if not counts:
        return None
    needs_value = {
        metric.name for metric in spec.metrics if metric.only_if or isinstance(metric, Scorer)
    }
    return frozenset(name for name, count in counts.items() if count or name not in needs_value)


def _settings(summary: Summary | None, name: str) -> Mapping[str, Any] | None:
    variants = summary.variants if summary else ()
    return next((variant.settings for variant in variants if variant.name == name), None)


def _hashes(summary: Summary | None) -> dict[str, str | None]:
    if summary is None:
        return {"questions_sha256": None}
    documents = summary.extra.get("documents")
    document_hashes = documents.items() if isinstance(documents, dict) else ()
    return {
        "questions_sha256": summary.questions_sha256,
        **_extra(summary, HASHES),
        **{f"sha256 of {name}": str(value) for name, value in document_hashes},
    }


def _own_version(summary: Summary | None, metric: Metric) -> dict[str, str]:
    """The version of the compared metric, if a function of the user computed it."""
    own = declarations(summary.extra).get(metric.name) if summary else None
    return {f"the scorer {own.name}": own.version} if own else {}


def _extra(summary: Summary | None, names: Iterable[str]) -> dict[str, str]:
    extra: Mapping[str, Any] = summary.extra if summary else {}
    return {name: str(extra[name]) for name in names if extra.get(name) is not None}


# Pairs of questions: the same question in the base and in the candidate.

Standing = Literal["worse", "missing", "better", "same", "not compared", "added"]
RowPair: TypeAlias = tuple[ComparedCase | None, ComparedCase | None]
"""A question in the base and in the candidate; None if the run does not have it."""
_DIGITS: Final = 12


class QuestionPair(Struct, frozen=True, kw_only=True, gc=False):
    """One question in both runs. ``gain`` is positive if the question became better.

    ``unsure`` says in which run the check is unsure of the answer. The standing is ``missing`` if only the base has a value for the question; ``added`` if only the
    candidate has it; and ``not compared`` if a case failed or is not
    judged yet, or neither run has a value. ``reason`` then gives the details.
    """

    id: str
    standing: Standing
    before: float | None = None
    after: float | None = None
    gain: float | None = None
    unsure: Literal["", "base", "candidate", "both"] = ""
    reason: Message | str = ""
    question: str = ""
    answer_before: str = ""
    answer_after: str = ""


def pair_questions(base: ComparedRun, cand: ComparedRun) -> dict[str, RowPair]:
    """Every question of either run by name, sorted, so that the order of rows has no effect."""
    base_keys, cand_keys = keys_by_name(base, cand)
    return {
        name: (
            base.items[base_keys[name]] if name in base_keys else None,
            cand.items[cand_keys[name]] if name in cand_keys else None,
        )
        for name in sorted({*base_keys, *cand_keys})
    }


def value_of(case: ComparedCase | None) -> float | None:
    """The value of a scored case; None if the case is missing, not scored or undefined."""
    return case.value if case is not None and case.status == "scored" else None


def unsure_side(pair: RowPair) -> Literal["", "base", "candidate", "both"]:
    """In which run the check is unsure of the answer."""
    base, cand = (case is not None and case.at_least is not None for case in pair)
    if base and cand:
        return "both"
    return "base" if base else "candidate" if cand else ""


def compare_pair(name: str, pair: RowPair, metric: Metric, epsilon: float = 0.0) -> QuestionPair:
    """The comparison of one question; a change of at most ``epsilon`` does not count."""
    base, cand = pair
    before, after = value_of(base), value_of(cand)
    if before is not None and after is not None:
        change = round(after - before, _DIGITS)
        gain = -change if metric.better == "lower" else change
        standing: Standing = "same"
        if abs(gain) > epsilon:
            standing = "better" if gain > 0 else "worse"
        return QuestionPair(
            id=name,
            standing=standing,
            before=before,
            after=after,
            gain=gain + 0.0,
            unsure=unsure_side(pair),
        )
    standing, reason = _unpaired(base, cand, metric)
    return QuestionPair(id=name, standing=standing, before=before, after=after, reason=reason)


def _unpaired(
    base: ComparedCase | None, cand: ComparedCase | None, metric: Metric
) -> tuple[Standing, Message | str]:
    """The standing of a question that does not have two values, and the reason."""
    if cand is None:
        standing: Standing = "not compared" if value_of(base) is None else "missing"
        return standing, message("not in the candidate")
    if base is None:
        return "added", message("not in the base")
    sides = (("base", base), ("candidate", cand))
    for status, reasons in _WHERE.items():
        if ended := [name for name, case in sides if case.status == status]:
            return "not compared", reasons[" ".join(ended)]
    if value_of(base) is not None:
        if cand.status == "skipped":
            return "missing", message("skipped in the candidate")
        # an answer that states no figure has none that is wrong: the answer decides, nothing is lost
        by_answer = isinstance(metric, Scorer) and DESCRIBED in metric.needs
        standing = "not compared" if by_answer else "missing"
        return standing, message("{metric} is undefined in the candidate", metric=metric.name)
    if value_of(cand) is not None:
        if base.status == "skipped":
            return "added", message("skipped in the base")
        return "added", message("{metric} is undefined in the base", metric=metric.name)
    if base.status == cand.status == "skipped":
        return "not compared", message("skipped in both runs")
    return "not compared", message("no {metric} in either run", metric=metric.name)


_WHERE: Final = {
    "failed": {
        "base": message("failed in the base"),
        "candidate": message("failed in the candidate"),
        "base candidate": message("failed in the base and the candidate"),
    },
    "answered": {
        "base": message("not judged yet in the base"),
        "candidate": message("not judged yet in the candidate"),
        "base candidate": message("not judged yet in the base and the candidate"),
    },
    "spared": {
        "base": message("spared by an early decision in the base"),
        "candidate": message("spared by an early decision in the candidate"),
        "base candidate": message("spared by an early decision in the base and the candidate"),
    },
}
"""Why a question has no two values, by how its cases ended and in which runs."""
