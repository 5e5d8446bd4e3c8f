"""Gold chunks that the system cannot retrieve, because they are not in its corpus."""

from collections.abc import Collection, Sequence
from typing import Final

from assay.data.question import CorpusQuestion
from assay.errors import UseError
from assay.records import Variant
from assay.systems import KnowsChunks, KnowsSources, KnowsSpans, System
from assay.text import counted

MOST_NAMED: Final = 3


def without_gold(questions: Sequence[CorpusQuestion]) -> dict[str, int]:
    """The number of questions without gold, for the header; empty if there are none."""
    count = sum(not (question.gold or question.spans) for question in questions)
    return {"questions_without_gold": count} if count else {}


def refuse_recut_gold(
    questions: Sequence[CorpusQuestion], variants: Sequence[Variant], name: str
) -> None:
    """Refuse gold chunks if variants cut the documents into other chunks, which have other ids."""
    cutting = [
        setting
        for setting in ("chunk_tokens", "chunk_overlap", "chunker")
        if any(variant.settings.get(setting) is not None for variant in variants)
    ]
    if cutting and any(question.gold for question in questions):
        raise UseError(
            f"{name}: the gold chunks have other ids where {', '.join(cutting)} changes; "
            "turn them into spans of the documents with `assay questions respan`"
        )


def _missing_gold(question: CorpusQuestion, system: System, known: Collection[str]) -> list[str]:
    """The names of the gold of a question that the system cannot retrieve."""
    missing = [chunk for chunk in question.gold if chunk not in known]
    sources = system.sources if isinstance(system, KnowsSources) else None
    for span in question.spans:
        is_elsewhere = sources is not None and span.source and span.source not in sources
        if is_elsewhere or (isinstance(system, KnowsSpans) and not system.holds_span(span)):
            missing.append(f"a span of {span.source}" if span.source else "a span")
    return missing


def unchecked_gold_notes(system: System, *, allow: bool) -> tuple[str, ...]:
    """A note if gold outside the corpus is to be left out and cannot be recognised."""
    if not allow or isinstance(system, KnowsChunks):
        return ()
    return ("--allow-missing-gold has no effect: the system does not say which chunks it has",)


def with_known_gold(
    questions: Sequence[CorpusQuestion], system: System, name: str, *, allow: bool
) -> tuple[CorpusQuestion, ...]:
    """The questions, without those that have gold chunks outside the corpus if ``allow`` is true.

    A system that does not say which chunks it has is not checked. ``name`` is the path of the
    questions, for the message.

    Raises:
        UseError: Gold chunks are not in the corpus, and ``allow`` is false or no question is left.
    """
    if not isinstance(system, KnowsChunks):
        return tuple(questions)
    known = {*system.chunk_ids}
    missing_of = {question.id: _missing_gold(question, system, known) for question in questions}
    kept = [question for question in questions if not missing_of[question.id]]
    if len(kept) == len(questions) or (kept and allow):
        return tuple(kept)
    missing = list(dict.fromkeys(name for names in missing_of.values() for name in names))
    chunks = {chunk for question in questions for chunk in question.gold}
    gold = len(chunks) + sum(len(question.spans) for question in questions)
    examples = ", ".join(missing[:MOST_NAMED]) + (" …" if len(missing) > MOST_NAMED else "")
    if not kept:
        raise UseError(
            f"{name}: no question has all its gold chunks in the corpus (not there: {examples}); "
            "ingest their documents as before, or correct the questions"
        )
    verb = "needs" if len(questions) - len(kept) == 1 else "need"
    raise UseError(
        f"{name}: {len(missing)} of {gold} gold chunks are not in the corpus ({examples}); "
        "ingest their documents as before, or correct the questions; --allow-missing-gold leaves "
        f"out {counted(len(questions) - len(kept), 'question')} that {verb} them"
    )
