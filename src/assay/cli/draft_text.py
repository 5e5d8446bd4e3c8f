"""What ``assay questions draft`` says about its drafts."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from assay.jobs.draft import KINDS, Draft, Drafted, DraftEstimate, NovelDrafts, PromptedDrafts
from assay.text import counted, labelled
from assay.words import listed, say

OFFLINE_READER: Final = "reader:12000"
"""A system that reads without a model (docs/depth.md)."""
_LENGTHS: Final = (4000, 16000)
_FILLED: Final = 0.6
"""The share of a book that is certainly there for a context, whatever the tokenizer."""
_UNREAD = (
    "These are drafts that nobody has read: correct or delete lines before you trust a number."
)


def template_lines(path: Path, drafted: Drafted, count: int) -> list[str]:
    """The lines after drafting by rules."""
    drafts = drafted.selection.drafts
    sources = {item.source for each in drafts for item in each.evidence}
    about = "{n} {n:draft|drafts} about {some} of {all} {all:document|documents}"
    count_text = say(about, n=len(drafts), some=len(sources), all=drafted.documents)
    lines = [f"{path}: {count_text}", labelled(say("kinds"), _kinds(drafts))]
    if len(drafts) < count:
        line = "{n} {n:was|were} asked for; the rules find no more"
        lines.append(labelled(say("fewer"), say(line, n=count)))
    if drafted.selection.left_out:
        lines.append(labelled(say("left out"), _reasons(drafted.selection.left_out)))
    if drafted.silent:
        names = ", ".join(drafted.silent[:3]) + (" …" if len(drafted.silent) > 3 else "")
        documents = say("{n} {n:document|documents}", n=len(drafted.silent))
        lines.append(labelled(say("nothing in"), f"{documents}: {names}"))
    return [*lines, *_next(path)]


def prompted_lines(path: Path, drafted: PromptedDrafts, count: int) -> list[str]:
    """The lines after drafting with a model."""
    drafts = drafted.selection.drafts
    facts = [
        say("{n} {n:draft|drafts}", n=len(drafts)),
        say("{n} {n:reply|replies} asked for", n=drafted.asked),
        say("{n} known before", n=drafted.stored),
    ]
    lines = [f"{path}: {listed(facts)}", labelled(say("kinds"), _kinds(drafts))]
    if len(drafts) < count:
        lines.append(labelled(say("fewer"), say("{n} {n:was|were} asked for", n=count)))
    if drafted.dropped:
        lines.append(labelled(say("dropped"), _reasons(drafted.dropped)))
    if drafted.selection.left_out:
        lines.append(labelled(say("left out"), _reasons(drafted.selection.left_out)))
    if drafted.paid is not None:
        lines.append(labelled(say("paid"), f"{drafted.paid:.4f}"))
    return [*lines, *_next(path)]


def novel_lines(path: Path, novel: Path, drafted: NovelDrafts, count: int) -> list[str]:
    """The lines after drafting questions about a novel."""
    facts = [
        say("{n} choice {n:question|questions}", n=len(drafted.rows)),
        say("{n} {n:name|names} found in the book", n=drafted.names),
    ]
    lines = [f"{path}: {listed(facts)}"]
    if len(drafted.rows) < count:
        line = "{n} {n:was|were} asked for; other parts of the book allow none"
        lines.append(labelled(say("fewer"), say(line, n=count)))
    words = ("assay", "depth", "--novel", str(novel), "--data-set", str(path))
    more = ("--context-lengths", _lengths(drafted.tokens), "--system", OFFLINE_READER)
    reader = say(
        "without a model; yours: --model NAME in place of --system {reader}", reader=OFFLINE_READER
    )
    return [
        *lines,
        say(_UNREAD),
        labelled(say("ask them"), shlex.join([*words, *more])),
        labelled("", reader),
    ]


def _lengths(tokens: int) -> str:
    """Lengths of contexts that a book of so many tokens fills.

    >>> _lengths(100_000), _lengths(10_000), _lengths(2_000)
    ('4000,16000', '4000', '1000')
    """
    fitting = [str(length) for length in _LENGTHS if length <= _FILLED * tokens]
    return ",".join(fitting) or str(max(1, tokens // 200) * 100)


def estimate_lines(estimate: DraftEstimate) -> list[str]:
    """The lines of ``--dry-run``."""
    no_price = say("unknown: the model has no price")
    calls = say(
        "{n}, {stored} known before; up to twice as many if drafts do not hold",
        n=estimate.calls,
        stored=estimate.stored,
    )
    tokens = say(
        "about {given} sent, {out} received",
        given=estimate.prompt_tokens,
        out=estimate.completion_tokens,
    )
    return [
        labelled(say("calls"), calls),
        labelled(say("tokens"), tokens),
        labelled(say("cost"), no_price if estimate.cost is None else f"{estimate.cost:.4f}"),
        say("nothing was asked"),
    ]


def empty_reason(drafted: Drafted) -> str:
    """Why there is no draft at all, and what to do."""
    left_out = drafted.selection.left_out
    if left_out:
        reasons = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
        why = f"all were left out: {reasons}"
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


def _next(path: Path) -> list[str]:
    return [
        say(_UNREAD),
        labelled(say("check them"), f"assay questions check {shlex.quote(str(path))}"),
        labelled(say("ask them"), f"assay run --questions {shlex.quote(str(path))}"),
    ]


def _kinds(drafts: Sequence[Draft]) -> str:
    counts = Counter(draft.kind for draft in drafts)
    gaps = sum(draft.is_cloze for draft in drafts)
    text = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    return f"{text}; {say('{n} with a gap to fill', n=gaps)}" if gaps else text


def _reasons(left_out: Mapping[str, int]) -> str:
    return listed(f"{number} {say(reason)}" for reason, number in left_out.items())
