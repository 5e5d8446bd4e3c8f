"""What was run on what: facts, the header without secrets, and the command that was typed.

A page may be sent to others, so folders of this computer are left out of paths.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assay.data.secret_field import without_secrets
from assay.jobs.study import RunFindings
from assay.journal import Summary
from assay.records import RunHeader
from assay.report.words import value_word
from assay.systems import SIDE_BY_SIDE
from assay.web.api import Setup
from assay.web.difference import primary_metric
from assay.web.language import named_metric, page_text
from assay.web.text_api import Text


def setup_view(findings: RunFindings) -> Setup:
    """The set-up of a run; it is empty if there is no summary."""
    summary = findings.results.summary
    if summary is None:
        return Setup(facts=(), command="", resume="", header={})
    words = typed_command(summary)
    return Setup(
        facts=tuple(_facts(findings, summary)),
        command=shlex.join(words),
        resume=resume_line(words),
        header=_header(summary, findings.results.path),
    )


def _facts(findings: RunFindings, summary: Summary) -> Iterator[tuple[Text, str | Text]]:
    digest, questions = summary.questions_sha256, summary.questions_path
    journal = findings.results.path
    facts = {
        "description": summary.extra.get("description"),
        "system": system_text(summary.system),
        "questions": findings.results.questions,
        "questions file": shown_path(value_word("source", questions, "en"), journal)
        if questions
        else None,
        "questions hash": digest[:16] if digest else None,
        "limit": summary.limit or None,
        "top_k": summary.top_k,
        "baseline": findings.baseline if len(findings.analysis.variants) > 1 else None,
        "primary": named_metric(primary_metric(findings)),
        "started": _readable(summary.started_at),
        "completed": _readable(summary.completed_at),
        "redact": summary.redact or None,
        "seconds": None if summary.elapsed_s is None else f"{summary.elapsed_s:.1f}",
        "version": summary.assay_version,
        "python": summary.python_version,
        "file": journal.name,
    }
    for key, value in facts.items():
        if value is not None and value != "":
            yield page_text(f"fact {key}"), value if isinstance(value, Text) else str(value)


def system_text(system: str) -> str | Text:
    """The name of a system; that of several systems side by side in words."""
    return page_text("side by side") if system == SIDE_BY_SIDE else system


def _readable(moment: str | None) -> str:
    """A time as headers have it, for people.

    >>> _readable("2026-11-17T11:35:20Z")
    '2026-11-17 11:35:20 UTC'
    """
    return (moment or "").replace("T", " ").removesuffix("Z") + (" UTC" if moment else "")


def shown_path(text: str, journal: Path) -> str:
    """A path from the workspace of a journal, or only its name if it is somewhere else.

    >>> shown_path("/home/me/ws/eval/q.jsonl", Path("/home/me/ws/experiments/a.jsonl"))
    'eval/q.jsonl'
    >>> shown_path("/data/secret/q.jsonl", Path("/home/me/ws/experiments/a.jsonl"))
    'q.jsonl'
    """
    path = Path(text)
    if not path.is_absolute() or any(character in text for character in "\n\0"):
        return text
    folder = journal.resolve().parent
    for root in (folder, *folder.parents[:2]):
        if len(root.parts) > 2 and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def _header(summary: Summary, journal: Path) -> Mapping[str, Any]:
    """The header of the run without secrets, and without variants, which are shown apart."""
    fields = {
        name: value
        for name in RunHeader.__struct_fields__
        if name != "variants" and (value := getattr(summary, name)) is not msgspec.UNSET
    }
    header: Mapping[str, Any] = _without_folders(
        without_secrets(msgspec.to_builtins(fields)), journal
    )
    return header


def _without_folders(value: Any, journal: Path) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_folders(item, journal) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_folders(item, journal) for item in value]
    return shown_path(value, journal) if isinstance(value, str) else value


def typed_command(summary: Summary | None) -> tuple[str, ...]:
    """The words of the last command that worked on the run; empty if none is recorded."""
    for stretch in reversed(summary.stretches if summary else ()):
        if stretch.command:
            return tuple(stretch.command)
    return ()


def resume_line(words: Sequence[str]) -> str:
    """The command that goes on with a run: the one that was typed, without ``--fresh``.

    >>> resume_line(["assay", "ablate", "-e", "my run", "--fresh"])
    "assay ablate -e 'my run'"
    """
    return shlex.join(word for word in words if word != "--fresh")
