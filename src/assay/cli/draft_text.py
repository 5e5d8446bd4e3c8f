"""What ``assay questions draft`` says about its drafts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.jobs.draft import KINDS, Draft, Drafted, DraftEstimate, NovelDrafts, PromptedDrafts
from assay.text import counted

_UNREAD = (
    "These are drafts that nobody has read: correct or delete lines before you trust a number."
)


def template_lines(path: Path, drafted: Drafted, count: int) -> list[str]:
    """The lines after drafting by rules."""
    drafts = drafted.selection.drafts
    sources = {item.source for each in drafts for item in each.evidence}
    lines = [
        (
            f"{path}: {counted(len(drafts), 'draft')} about {len(sources)} of "
            f"{counted(drafted.documents, 'document')}"
        ),
        f"kinds       {_kinds(drafts)}",
    ]
    if len(drafts) < count:
        lines.append(f"fewer       {count} were asked for; the rules find no more")
    if drafted.selection.left_out:
        lines.append(f"left out    {_reasons(drafted.selection.left_out)}")
    if drafted.silent:
        names = ", ".join(drafted.silent[:3]) + (" …" if len(drafted.silent) > 3 else "")
        lines.append(f"nothing in  {counted(len(drafted.silent), 'document')}: {names}")
    return [*lines, _UNREAD, f"ask them    assay run --questions {path}"]


def prompted_lines(path: Path, drafted: PromptedDrafts, count: int) -> list[str]:
    """The lines after drafting with a model."""
    drafts = drafted.selection.drafts
    lines = [
        (
            f"{path}: {counted(len(drafts), 'draft')}, {drafted.asked} replies asked for, "
            f"{drafted.stored} known before"
        ),
        f"kinds       {_kinds(drafts)}",
    ]
    if len(drafts) < count:
        lines.append(f"fewer       {count} were asked for")
    if drafted.dropped:
        lines.append(f"dropped     {_reasons(drafted.dropped)}")
    if drafted.selection.left_out:
        lines.append(f"left out    {_reasons(drafted.selection.left_out)}")
    if drafted.paid is not None:
        lines.append(f"paid        {drafted.paid:.4f}")
    return [*lines, _UNREAD, f"ask them    assay run --questions {path}"]


def novel_lines(path: Path, novel: Path, drafted: NovelDrafts, count: int) -> list[str]:
    """The lines after drafting questions about a novel."""
    lines = [
        (
            f"{path}: {counted(len(drafted.rows), 'choice question')}, "
            f"{counted(drafted.names, 'name')} found in the book"
        )
    ]
    if len(drafted.rows) < count:
        lines.append(f"fewer       {count} were asked for; other parts of the book allow none")
    place = f"assay depth --novel {novel} --data-set {path} --context-lengths 4000,16000"
    return [*lines, _UNREAD, f"ask them    {place}"]


def estimate_lines(estimate: DraftEstimate) -> list[str]:
    """The lines of ``--dry-run``."""
    price = "unknown: the model has no price" if estimate.cost is None else f"{estimate.cost:.4f}"
    return [
        (
            f"calls       {estimate.calls}, {estimate.stored} known before; up to twice as many if "
            "drafts do not hold"
        ),
        f"tokens      about {estimate.prompt_tokens} sent, {estimate.completion_tokens} received",
        f"cost        {price}",
        "nothing was asked",
    ]


def empty_reason(drafted: Drafted) -> str:
    """Why there is no draft at all, and what to do."""
    left_out = drafted.selection.left_out
    if left_out:
        why = f"all were left out: {_reasons(left_out)}"
    elif not drafted.statements:
        why = (
            "no sentence can be understood alone (most begin with a pronoun, are fragments of lists "
            "and tables, or are in another language than Chinese, Russian and English)"
        )
    else:
        why = (
            f"{counted(drafted.statements, 'sentence')} can be understood alone, but no rule finds a "
            "name, an amount, a date or a definition to ask for, of the kinds that were asked for"
        )
    return (
        f"no question can be drafted from {counted(drafted.documents, 'document')}: {why}; "
        "let a model write them with --model NAME, or write some by hand into a CSV file with the "
        "columns question and answer"
    )


def _kinds(drafts: Sequence[Draft]) -> str:
    counts = Counter(draft.kind for draft in drafts)
    gaps = sum(draft.is_cloze for draft in drafts)
    text = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    return f"{text}; {gaps} with a gap to fill" if gaps else text


def _reasons(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in left_out.items())
