"""What was run on what: facts, the header without secrets, and the command to repeat it.

A page may be sent to others, so folders of this computer are left out of paths.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.secret_field import without_secrets
from assay.jobs.study import RunFindings
from assay.journal import Summary
from assay.records import RunHeader
from assay.report.words import value_word
from assay.web.api import Setup, Text
from assay.web.difference import primary_metric
from assay.web.language import page_text

SAMPLE_CLAUSES: Final = "the sample's clauses"
SAMPLE_NOVEL: Final = "chronicle_"
SAMPLE_BENCH: Final = "bench-sample"


def setup_view(findings: RunFindings) -> Setup:
    """The set-up of a run; it is empty if there is no summary."""
    summary = findings.results.summary
    if summary is None:
        return Setup(facts=(), command="", header={})
    return Setup(
        facts=tuple(_facts(findings, summary)),
        command=repeat_command(summary, findings.results.path),
        header=_header(summary, findings.results.path),
    )


def _facts(findings: RunFindings, summary: Summary) -> Iterator[tuple[Text, str]]:
    digest, questions = summary.questions_sha256, summary.questions_path
    journal = findings.results.path
    facts = {
        "description": summary.extra.get("description"),
        "system": summary.system,
        "questions": findings.results.questions,
        "questions file": shown_path(value_word("source", questions, "en"), journal)
        if questions
        else None,
        "questions hash": digest[:16] if digest else None,
        "limit": summary.limit or None,
        "top_k": summary.top_k,
        "baseline": findings.baseline if len(findings.analysis.variants) > 1 else None,
        "primary": primary_metric(findings).name,
        "started": summary.started_at,
        "completed": summary.completed_at,
        "redact": summary.redact or None,
        "seconds": summary.elapsed_s,
        "version": summary.assay_version,
        "python": summary.python_version,
        "file": journal.name,
    }
    for key, value in facts.items():
        if value not in {None, ""}:
            yield page_text(f"fact {key}"), str(value)


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


def repeat_command(summary: Summary, journal: Path) -> str:
    """The command that makes such a run again, as far as the header tells."""
    make = _COMMANDS.get(summary.job)
    words = make(summary, journal) if make else [summary.job]
    return shlex.join(["assay", *words])


def _ablate(summary: Summary, _: Path) -> list[str]:
    limit = ["--limit", str(summary.limit)] if summary.limit else []
    top_k = ["--top-k", str(summary.top_k)] if summary.top_k else []
    return ["ablate", "--experiment", summary.name, *limit, *top_k]


def _depth(summary: Summary, journal: Path) -> list[str]:
    novel = str(summary.extra.get("novel_path") or "")
    mode = ["--depth-mode", str(summary.extra.get("depth_mode"))]
    if novel.startswith(SAMPLE_NOVEL):
        return ["depth", "--sample", *mode]
    questions = shown_path(summary.questions_path or "", journal)
    named = ["--novel", shown_path(novel, journal), "--data-set", questions]
    return ["depth", *named, *mode, "--system", summary.system]


def _quality(summary: Summary, journal: Path) -> list[str]:
    pdf = shown_path(str(summary.extra.get("pdf") or ""), journal)
    questions = shown_path(summary.questions_path or "", journal)
    limit = ["--limit", str(summary.limit)] if summary.limit else []
    return ["quality", "--pdf", pdf, "--questions", questions, *limit]


def _review(summary: Summary, journal: Path) -> list[str]:
    if summary.questions_path in {None, SAMPLE_CLAUSES}:
        return ["review", "--sample"]
    return ["review", "--data", shown_path(summary.questions_path or "", journal)]


def _bench(summary: Summary, journal: Path) -> list[str]:
    if summary.name == SAMPLE_BENCH:
        return ["bench", "--sample"]
    return ["bench", shown_path(summary.questions_path or "", journal)]


_COMMANDS: Final[Mapping[str, Callable[[Summary, Path], list[str]]]] = {
    "ablation": _ablate,
    "depth": _depth,
    "quality": _quality,
    "review": _review,
    "bench": _bench,
}
