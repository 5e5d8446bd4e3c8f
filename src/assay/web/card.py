"""One run in the list of runs, from its summary; its rows are read only if it has not ended."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from assay.errors import AssayError, UseError
from assay.jobs.history import PastRun, past_run
from assay.jobs.spec import job_spec_of
from assay.journal import Summary, is_being_written, read_summary, summary_path
from assay.records import Metric, Tally
from assay.report.words import Lang, word
from assay.web.amount import shown_amount
from assay.web.api import Counts, RunCard
from assay.web.broken import count_broken
from assay.web.language import in_all, title_text
from assay.web.text_api import Interval, Text


def run_card(run_id: str, journal: Path) -> RunCard:
    """The card of a run. A problem with its files is shown in the card."""
    past = past_run(journal)
    try:
        summary = read_summary(summary_path(journal))
    except (AssayError, OSError):
        summary = None
    metric = _metric(summary)
    results: Mapping[str, Any] = summary.results if summary else {}
    variants: Mapping[str, Any] = results.get("variants", {})
    shown = results.get("baseline") or next(iter(variants), "")
    values: Mapping[str, Any] = variants.get(shown, {})
    name = metric.name if metric else ""
    return RunCard(
        id=run_id,
        name=past.name,
        job=past.job,
        kind=past.kind,
        system=summary.system if summary else "",
        state=_state(past, journal),
        counts=counts(past.tally, past.total),
        started_at=past.started_at,
        completed_at=summary.completed_at if summary else None,
        questions=past.questions,
        variants=past.variants,
        metric=title_text(metric) if metric else None,
        headline=values.get(name),
        interval=_interval(values.get("intervals", {}).get(name)),
        finding=_finding(results, metric),
        paid=past.paid,
        elapsed_s=summary.elapsed_s if summary else None,
        problem=past.problem,
        broken_lines=count_broken(journal),
    )


def with_state(card: RunCard, journal: Path) -> RunCard:
    """The card of a run whose rows have not changed: it may have begun or ended since."""
    if card.state not in {"running", "partial", "ended"}:
        return card
    is_running = is_being_written(journal)
    return replace(card, state="running" if is_running else _stopped(card.counts))


def counts(tally: Tally, total: int | None, unparsed: int = 0) -> Counts:
    """The counts of a tally."""
    return Counts(
        scored=tally.scored,
        answered=tally.answered,
        failed=tally.failed,
        skipped=tally.skipped,
        unparsed=unparsed,
        spared=tally.spared or 0,
        total=total,
    )


def _state(past: PastRun, journal: Path) -> str:
    """``complete``, ``ended``, ``partial``, ``running``, ``failed`` or ``unreadable``."""
    if past.state in {"complete", "failed", "unreadable"}:
        return past.state
    if is_being_written(journal):
        return "running"
    return "ended" if past.state == "ended" else "partial"


def _stopped(ends: Counts) -> str:
    """``ended`` if every case was asked, although some have no score, otherwise ``partial``."""
    asked = ends.scored + ends.answered + ends.failed + ends.skipped + ends.spared
    return "ended" if ends.total and asked >= ends.total else "partial"


def _metric(summary: Summary | None) -> Metric | None:
    """The metric that is shown for the run: its primary one."""
    if summary is None:
        return None
    name = summary.results.get("method", {}).get("primary") or summary.results.get("headline")
    try:
        return job_spec_of(summary).metric(name)
    except UseError:  # a job or metric of a package that is not installed
        return None


def _interval(ends: Any) -> Interval | None:
    return Interval(low=ends[0], high=ends[1]) if ends else None


def _finding(results: Mapping[str, Any], metric: Metric | None) -> Text | None:
    """The clearest difference to the baseline in a few words; ``None`` if none is shown."""
    if metric is None:
        return None
    shown = [
        effect
        for effect in results.get("effects", ())
        if effect["metric"] == metric.name
        and effect["baseline"] == results.get("baseline")
        and effect["verdict"] in {"better", "worse"}
        and effect["difference"] is not None
    ]
    if not shown:
        return None
    best = min(shown, key=lambda effect: (effect["p_adjusted"], -abs(effect["difference"])))
    verdict = f"verdict {best['verdict']}"

    def said(lang: Lang) -> str:
        amount = shown_amount(best["difference"], metric, lang)
        form = "{}：{}，{}" if lang == "zh" else "{}: {}, {}"
        return form.format(best["variant"], word(verdict, lang), amount)

    return in_all(said)
