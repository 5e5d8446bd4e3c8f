"""The questions that a run did not answer well, for the terminal."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from assay.jobs.answers.handler import JOB
from assay.jobs.prepared import FinishedRun, PreparedRun
from assay.records import Metric, RunHeader
from assay.report.description import band_text
from assay.report.label import metric_title
from assay.report.look import MISSING
from assay.results.job import job_spec, job_spec_of
from assay.runs.read import last_row_fields
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.text.width import display_width, padded
from assay.words.language import language
from assay.words.message import Message, message, text_of
from assay.words.say import say, say_n

if TYPE_CHECKING:
    from assay.stats.analysis import MetricCell
    from assay.stats.corrected import Corrected
    from assay.study.finding import RunFindings
    from assay.study.observation import Example, Observation


MOST: Final = 10
_LONGEST: Final = 60
_LONGEST_ERROR: Final = 160
_UNSURE: Final = "unsure, "
"""How the fault of an answer begins that the check is unsure of: a person should look at it first."""
_ABSTENTIONS: Final = {
    "wrong_abstention": False,
    "abstained_when_unanswerable": True,
    "answered_when_answerable": True,
}
"""The scores of an abstention, with the value that is right."""


def interval_lines(findings: "RunFindings", said: Collection[str] = ()) -> list[str]:
    """Each quality metric with its 95 % interval and the number of questions, for one system.

    A dash stands for an interval that is not known.

    Several systems are compared in the table, which has no room for intervals. Metrics that are
    ``said`` otherwise are left out.
    """
    if len(findings.analysis.variants) != 1:
        return []
    # whoever has findings has loaded it, and other commands need not
    from assay.study.table import LABELS, has_draw  # noqa: PLC0415

    (variant,) = findings.analysis.variants
    shown = []
    for metric in findings.metrics:
        cell = variant.cells[metric.name]
        if metric.family == "quality" and cell.value is not None and metric.name not in said:
            ends = f"[{each.low:.3f}, {each.high:.3f}]" if (each := cell.interval) else MISSING
            figures = f"{cell.value:.3f} {ends}  n={cell.n}{_band(cell)}"
            shown.append((metric_title(metric, language()), figures))
            if metric.name == LABELS and has_draw(findings):
                shown.append(("", say("unsure answers were drawn more often: no rate of all")))
            if cell.corrected is not None:
                shown.append(("", _corrected(cell.corrected)))
    width = max((display_width(title) for title, _ in shown), default=0)
    lines = [f"{padded(title, width + 2)}{figures}" for title, figures in shown]
    return ["", *lines] if lines else []


def _corrected(found: "Corrected") -> str:
    """The value by labels of people."""
    ends = f" [{each.low:.3f}, {each.high:.3f}]" if (each := found.interval) else ""
    return say_n(
        "corrected by {n} label: {value}",
        "corrected by {n} labels: {value}",
        found.labelled,
        value=f"{found.estimate:.3f}{ends}",
    )


def _band(cell: "MetricCell") -> str:
    """What unsure answers leave open; empty if there are none."""
    if cell.band is None:
        return ""
    return f"  {band_text(cell.band.low, cell.band.high, cell.unsure)}"


def outcome_lines(
    findings: "RunFindings", journal: Path, header: RunHeader, primary: Metric
) -> list[str]:
    """What a terminal shows of a run: what its answers show if nobody said which are right."""
    # whoever has findings has loaded it, and other commands need not
    from assay.study.observation import SAID, observations  # noqa: PLC0415

    found = observations(findings)
    if found is None:
        return [*interval_lines(findings), *failed_lines(journal, header, primary)]
    lines = ["", text_of(found.head, language())]
    for each in found.counted:
        lines += [f"  {_shown_observation(each)}", *map(_shown_example, each.examples)]
    lines += [f"  {text_of(fact, language())}" for fact in found.facts]
    lines += interval_lines(findings, {*(each.metric.name for each in found.counted), *SAID})
    lines += failed_lines(journal, header, primary, is_measured=found.is_labelled)
    return [*lines, "", text_of(found.next_step, language())] if found.next_step else lines


def _shown_observation(seen: "Observation") -> str:
    text = text_of(seen.text, language())
    return f"{seen.variant}  {text}" if seen.variant else text


def _shown_example(example: "Example") -> str:
    said = example.why or _short(example.answer, _LONGEST)
    return f"      {example.question_id}  {_short(example.question, _LONGEST)} → {said}"


def failed_lines(
    journal: Path, header: RunHeader, primary: Metric, *, is_measured: bool = True
) -> list[str]:
    """The questions with an answer to look at, a failed call, or a low primary score.

    Unless it ``is_measured`` whether answers are right, there are only those without an answer.
    """
    names = {variant.name for variant in header.variants}
    found, asked = faults(journal, header, primary)
    if not found:
        return []
    unsure = sum(is_unsure(reason) for _, reason in found)
    wrong = len(found) - unsure
    if not is_measured:
        line = say_n(
            "without an answer: {n} of {total} case",
            "without an answer: {n} of {total} cases",
            asked,
            n=wrong,
            total=asked,
        )
    elif unsure:
        line = say_n(
            "{unsure} of {total} case unsure, {n} wrong or failed:",
            "{unsure} of {total} cases unsure, {n} wrong or failed:",
            asked,
            n=wrong,
            unsure=unsure,
            total=asked,
        )
    else:
        line = say_n(
            "{n} of {total} case wrong or failed:",
            "{n} of {total} cases wrong or failed:",
            asked,
            n=wrong,
            total=asked,
        )
    lines = ["", line]
    errors: set[str] = set()
    for row, reason in found[:MOST]:
        shown = _short(row.get("question"), _LONGEST)
        fault = text_of(reason, language())
        who = f"{row['config']}  " if len(names) > 1 else ""
        lines.append(f"  {who}{row.get('question_id')}  {fault}: {shown}")
        error = _short(row.get("error"), _LONGEST_ERROR)
        if error and error not in errors:  # many cases often fail for one reason
            errors.add(error)
            lines.append(f"    {error}")
    if len(found) > MOST:
        more = say("and {n} more: assay view {folder}", n=len(found) - MOST, folder=journal.parent)
        lines.append(f"  {more}")
    return lines


def _short(text: Any, most: int) -> str:
    """The text on one line, cut if it is longer than ``most`` characters."""
    line = " ".join(str(text or "").split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def faults(
    journal: Path, header: RunHeader, primary: Metric
) -> tuple[list[tuple[dict[str, Any], Message | str]], int]:
    """The rows with something to look at and what it is, and the number of all that were asked.

    Answers that the check is unsure of come first, also those that lean right.
    """
    from assay.results.run_cases import read_run_cases  # noqa: PLC0415 - as above

    names = {variant.name for variant in header.variants}
    summary = read_summary(summary_path(journal))
    cases = read_run_cases(journal, summary, job_spec_of(summary))
    rows = [
        row
        for key, row in last_row_fields(journal).items()
        if key in cases and row.get("config") in names and row.get("status") != "spared"
    ]
    return faulty_rows(rows, primary), len(rows)


def faulty_rows(
    rows: Iterable[dict[str, Any]], primary: Metric
) -> list[tuple[dict[str, Any], Message | str]]:
    """The rows with something to look at and what it is; those that the check is unsure of first."""
    found = [(row, reason) for row in rows if (reason := _fault(row, primary))]
    return sorted(found, key=lambda each: not is_unsure(each[1]))


def is_unsure(reason: Message | str) -> bool:
    """Whether something is only perhaps wrong with an answer: the check is unsure of it."""
    return str(reason).startswith(_UNSURE)


def _doubt(row: dict[str, Any]) -> Message | str:
    """What the check is unsure of and which way the answer leans; empty if it is sure.

    Whether it abstains is in doubt only if there is no expected answer to decide.
    """
    bounds, scores = row.get("at_least") or {}, row.get("scores") or {}
    if scores.get("answer_contained") is not None:
        doubts = {"answer_contained": True} if "answer_contained" in bounds else {}
    else:
        doubts = {name: right for name, right in _ABSTENTIONS.items() if name in bounds}
    for name, right in doubts.items():
        why = _why(row, name, message("whether it abstains"))
        if bool(scores.get(name)) is right:
            return message("unsure, leans right: {why}", why=why)
        return message("unsure, leans wrong: {why}", why=why)
    return ""


def _why(row: dict[str, Any], score: str, otherwise: Message) -> Message:
    """Why an answer has its score, in the words of the check."""
    recorded = (row.get("reasons") or {}).get(score)
    return otherwise if recorded is None else Message(str(recorded))


def _fault(row: dict[str, Any], primary: Metric) -> Message | str:
    """What is wrong with the answer of a row; empty if nothing is known to be."""
    if row.get("status") == "failed" or row.get("error"):
        return message("failed ({kind})", kind=row.get("error_kind") or "error")
    if not str(row.get("answer", "-") or "").strip():
        return message("the answer is empty")
    if doubt := _doubt(row):
        return doubt
    scores = row.get("scores") or {}
    if scores.get("wrong_abstention") or scores.get("answered_when_answerable") is False:
        return message("abstained")
    if scores.get("abstained_when_unanswerable") is False:
        return message("answered although there is no answer")
    if scores.get("gold_hit_any") is False:
        return message("gold not retrieved")
    if scores.get("answer_contained") is False:
        return _why(row, "answer_contained", message("the expected answer is not in it"))
    value = scores.get(primary.field.removeprefix("scores."))
    if value in (0, False) and primary.better == "higher":
        return message("{metric} is 0", metric=primary.name)
    return ""


# What ``--json`` prints: the figures of a run, and the questions that went wrong.


class EndedRuns:
    """The runs of a command that have ended, for the JSON at its end."""

    def __init__(self) -> None:
        self._ended: list[tuple[FinishedRun, PreparedRun]] = []

    def collecting(self, run: PreparedRun) -> PreparedRun:
        """The run, which is noted when it ends."""

        def finish(result: FinishedRun) -> FinishedRun:
            finished = run.finish(result)
            self._ended.append((finished, run))
            return finished

        return replace(run, finish=finish)

    def as_json(self) -> list[Any]:
        """The figures of each run."""
        return [
            run_json(
                result,
                run.journal,
                run.header,
                job_spec(JOB, result.summary.extra).metric(str(run.header.extra["primary"])),
            )
            for result, run in self._ended
        ]


def run_json(result: FinishedRun, journal: Path, header: RunHeader, primary: Metric) -> Any:
    """The results of the summary with what the run was, where its files are, and its faults."""
    from assay.study.observation import observations  # noqa: PLC0415 - as above

    summary = read_summary(summary_path(journal))
    found, asked = faults(journal, header, primary)
    seen = observations(result.recorded.findings)
    return {
        "name": header.name,
        "state": summary.state if summary else None,
        "rows": str(journal),
        "summary": str(summary_path(journal)),
        "system": header.system,
        "questions_path": header.questions_path,
        "questions_sha256": header.questions_sha256,
        "questions_version": header.extra.get("questions_version"),
        "primary": primary.name,
        "paid": summary.paid if summary else None,
        "elapsed_s": summary.elapsed_s if summary else None,
        "results": msgspec.to_builtins(result.recorded.summary_results()),
        **({"observations": seen.as_json()} if seen is not None else {}),
        "answers": asked,
        "not_right": [
            {
                "question_id": row.get("question_id"),
                "variant": row.get("config"),
                "reason": str(reason),
                "question": row.get("question"),
            }
            for row, reason in found
        ],
    }
