"""Lines about a run that several jobs show: its primary metric and its files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from assay.records import Estimand, Metric
from assay.report.label import metric_title
from assay.text.width import padded
from assay.words.language import language
from assay.words.message import Message, Said, message_n
from assay.words.say import listed, say, say_n

_MOST_PAGES: Final = 10


def primary_line(metric: Metric, top_k: int | None = None) -> str:
    """The title of the metric that decides, and its name for programs.

    >>> primary_line(Metric(name="avg_gold_coverage", field="c", title="Recall@{k}"), 10)
    'Recall@10 (avg_gold_coverage)'
    """
    titles = {
        field: getattr(metric, field).replace("{k}", str(top_k or "k"))
        for field in ("title", "title_zh", "title_ru")
    }
    return f"{metric_title(replace(metric, unit='', **titles), language())} ({metric.name})"


def band_text(low: float, high: float, unsure: int, digits: int = 3) -> str:
    """What unsure answers leave open.

    >>> band_text(0.25, 0.75, 2)
    'between 0.250 and 0.750 by 2 unsure answers'
    """
    return say_n(
        "between {low} and {high} by {n} unsure answer",
        "between {low} and {high} by {n} unsure answers",
        unsure,
        low=f"{low:.{digits}f}",
        high=f"{high:.{digits}f}",
    )


def band_note(
    what: Said, value: float, low: float, high: float, unsure: int, *, digits: int = 3
) -> Message:
    """What unsure answers leave open of a value in a table, as a note below it.

    >>> str(band_note("Score", 0.5, 0.25, 0.75, 2))
    '0.500 between 0.250 and 0.750 by 2 unsure answers: Score.'
    """
    return message_n(
        "{value} between {low} and {high} by {n} unsure answer: {metric}.",
        "{value} between {low} and {high} by {n} unsure answers: {metric}.",
        unsure,
        metric=what,
        value=f"{value:.{digits}f}",
        low=f"{low:.{digits}f}",
        high=f"{high:.{digits}f}",
    )


def about_documents(estimand: Estimand, documents: int) -> Message:
    """What all numbers of a run on so many documents are about.

    >>> str(about_documents("sample", 34))
    'These results are about documents like these 34, so each document counts as one observation (documents: sample).'
    """
    if estimand == "sample":
        return message_n(
            "These results are about documents like this {n}, so each document counts as one observation (documents: sample).",
            "These results are about documents like these {n}, so each document counts as one observation (documents: sample).",
            documents,
        )
    return message_n(
        "These results are about questions on this {n} document only; other documents may give other results (documents: fixed).",
        "These results are about questions on these {n} documents only; other documents may give other results (documents: fixed).",
        documents,
    )


def noted(note: Message | str) -> str:
    """A note in the language in use; one that a file has in English, if it is a fixed sentence."""
    return say(note) if isinstance(note, str) else note.text_in(language())


def file_lines(rows: Path) -> str:
    """Where the rows and the summary of a run are, in two lines."""
    return "\n".join([file_line("rows", rows), file_line("summary", rows.with_suffix(".json"))])


def file_line(what: str, path: Path | str) -> str:
    """Where a file of a run is; ``what`` is an English word of the catalogue.

    >>> file_line("report", "hyde.md")
    'report   hyde.md'
    """
    return f"{padded(say(what), 9)}{path}"


def counts_line(counts: Mapping[str, int]) -> str:
    """How many cases were scored, not judged, failed, skipped and not asked.

    >>> counts_line({"scored": 7, "failed": 1, "skipped": 0, "not_asked": 0})
    '7 scored, 1 failed, 0 skipped, 0 not asked'
    """
    return listed(
        [
            say("{n} scored", n=counts["scored"]),
            *([say("{n} not judged yet", n=counts["answered"])] if counts.get("answered") else []),
            say("{n} failed", n=counts["failed"]),
            say("{n} skipped", n=counts["skipped"]),
            say("{n} not asked", n=counts["not_asked"]),
        ]
    )


def unread_note(unread: Mapping[int, int]) -> str:
    """How many characters of a PDF could not be read, and on which pages; the first ten of them.

    >>> unread_note({3: 2, 7: 1})
    '3 characters could not be read, because the PDF does not say which they are: page 3 (2), page 7 (1)'
    """
    pages = [say("page {page} ({n})", page=page, n=n) for page, n in sorted(unread.items())]
    more = " …" if len(pages) > _MOST_PAGES else ""
    return say_n(
        "{n} character could not be read, because the PDF does not say which it is: {pages}",
        "{n} characters could not be read, because the PDF does not say which they are: {pages}",
        sum(unread.values()),
        pages=listed(pages[:_MOST_PAGES]) + more,
    )
