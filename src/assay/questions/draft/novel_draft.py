"""Choice questions about a novel, without a model: a name is missing, and others are offered.

The other names are from the same book, and none of them is in the sentence. The questions are spread
evenly over the book, and have the shape that ``assay depth`` reads.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct

from assay.data.corpus.chunker import estimated_tokens
from assay.questions.draft.draft import BY_TEMPLATE, text_hash
from assay.questions.draft.statement import Wording, wording
from assay.records import digest
from assay.text.language import language
from assay.text.normalise import Span
from assay.text.search_term import tagged_words
from assay.text.sentence import sentences

CHOICES: Final = "abcd"
LEAST_MENTIONS: Final = 5
"""A name that is mentioned less often is perhaps no name."""
LEAST_ACTS: Final = 3
"""A Chinese word counts as a name if so often something is said that only people do."""
_QUOTES: Final = re.compile('[«»“”„"「」『』]')
_SPACES: Final = re.compile(r"\s+")


class NovelDrafts(Struct, frozen=True, kw_only=True):
    """The lines of a file of questions about a novel, and how many names and tokens the book has."""

    rows: tuple[dict[str, Any], ...]
    names: int
    sentences: int
    tokens: int


class _Gap(Struct, frozen=True, kw_only=True):
    """A sentence of the book with a name in it; ``is_first`` if the name is its first word."""

    span: Span
    name: str
    gapped: str
    is_first: bool = False


def draft_novel(text: str, document: str, *, count: int, seed: int = 0) -> NovelDrafts:
    """Draft ``count`` questions, or as many as the book allows; the same for the same seed."""
    words = wording(language(text[:100_000]))
    spans = sentences(text)
    names = _names(text, words)
    by_ending = _by_ending(names, words)
    gaps = [
        gap
        for gap in _gaps(text, spans, names, words)
        if len(_others(gap, by_ending, words)) >= len(CHOICES) - 1
    ]
    repeated = Counter(gap.gapped for gap in gaps)
    chosen = _spread([gap for gap in gaps if repeated[gap.gapped] == 1], len(text), count, seed)
    rows = [
        _row(gap, _others(gap, by_ending, words), text, document, words, seed) for gap in chosen
    ]
    return NovelDrafts(
        rows=tuple(rows), names=len(names), sentences=len(spans), tokens=estimated_tokens(text)
    )


def _names(text: str, words: Wording) -> dict[str, int]:
    """The names of a book with the number of their mentions."""
    choice = words.choice
    if choice["name"]:
        return _capitalised_names(text, choice)
    tags, not_name = frozenset(choice["tags"].split()), re.compile(choice["not_name"])
    counts = Counter(
        word
        for word, tag in tagged_words(text)
        if tag in tags and 2 <= len(word) <= 4 and not not_name.search(word)
    )
    return {
        name: number
        for name, number in counts.items()
        if number >= LEAST_MENTIONS
        and len(re.findall(f"{re.escape(name)}(?:{choice['acts']})", text)) >= LEAST_ACTS
    }


def _capitalised_names(text: str, choice: Mapping[str, Any]) -> dict[str, int]:
    """The words that are never written small.

    Every sentence begins with a capital letter. So a word that is only there is no name if it is
    one with which sentences often begin.
    """
    counts = Counter(re.findall(choice["name"], text))
    inside = set(re.findall(f"{choice['inside']}{choice['name']}", text))
    small = {word for word in re.findall(r"\b\w+\b", text) if word[0].islower()}
    not_name = re.compile(choice["not_name"])
    return {
        name: number
        for name, number in counts.items()
        if number >= LEAST_MENTIONS
        and name.lower() not in small
        and (name in inside or not not_name.fullmatch(name.lower()))
    }


def _gaps(
    text: str, spans: Sequence[Span], names: Mapping[str, int], words: Wording
) -> Iterator[_Gap]:
    """The sentences that have one name once, and can be quoted."""
    choice = words.choice
    blank = choice["blank"]
    pattern = _any_of(names, words)
    for span in spans:
        sentence = span.of(text)
        if not choice["shortest"] <= len(sentence) <= choice["longest"]:
            continue
        if _QUOTES.search(sentence) or "\n\n" in sentence:
            continue
        found = list(pattern.finditer(sentence))
        if len(found) != 1 or _is_part_of_name(sentence, found[0], words):
            continue
        start, end = found[0].span()
        gapped = _SPACES.sub(" ", f"{sentence[:start]}{blank}{sentence[end:]}")
        yield _Gap(span=span, name=found[0][0], gapped=gapped, is_first=start == 0)


def _any_of(names: Mapping[str, int], words: Wording) -> re.Pattern[str]:
    if not names:
        return re.compile(r"(?!)")
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    edge = "" if words.language == "zh" else r"\b"
    return re.compile(f"{edge}(?:{'|'.join(map(re.escape, longest_first))}){edge}")


def _is_part_of_name(sentence: str, match: re.Match[str], words: Wording) -> bool:
    """Whether the word beside the name is a name as well, which would give it away."""
    if words.language == "zh":
        return False
    before, after = sentence[: match.start()].rstrip(), sentence[match.end() :].lstrip()
    left, right = re.search(r"[\w’-]+$", before), re.match(r"[\w’-]+", after)
    return any(word is not None and word[0][0].isupper() for word in (left, right))


def _spread(gaps: Sequence[_Gap], length: int, count: int, seed: int) -> list[_Gap]:
    """One sentence of each of ``count`` equal parts of the book, as far as there is one.

    Sentences that do not begin with the name are preferred: a first word is less surely a name.
    """
    by_part: dict[int, list[_Gap]] = defaultdict(list)
    for gap in gaps:
        by_part[gap.span.start * count // max(1, length)].append(gap)
    return [
        min(group, key=lambda gap: (gap.is_first, text_hash(f"{seed}:{gap.gapped}")))
        for _, group in sorted(by_part.items())
    ]


def _by_ending(names: Mapping[str, int], words: Wording) -> dict[str, list[str]]:
    """The names by their endings, those that are mentioned most first."""
    size = words.choice["same_ending"]
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names, key=lambda name: (-names[name], name)):
        groups[name[-size:] if size else ""].append(name)
    return groups


def _others(gap: _Gap, by_ending: Mapping[str, Sequence[str]], words: Wording) -> list[str]:
    """The names that fit into the gap and are not in the sentence."""
    size = words.choice["same_ending"]
    return [
        name
        for name in by_ending[gap.name[-size:] if size else ""]
        if name != gap.name and name not in gap.gapped and gap.name not in name
    ]


def _row(
    gap: _Gap, others: Sequence[str], text: str, document: str, words: Wording, seed: int
) -> dict[str, Any]:
    random = Random(f"{seed}:{gap.span.start}")  # noqa: S311 - no secret
    options = [gap.name, *random.sample(others[:30], len(CHOICES) - 1)]
    random.shuffle(options)
    question = words.choice["question"].replace("{sentence}", gap.gapped)
    place = {"start": gap.span.start, "end": gap.span.end}
    return {
        "id": f"d{digest([document, question, options])[:12]}",
        "question": question,
        "question_type": "single_choice",
        "choice": dict(zip(CHOICES, options, strict=True)),
        "answer": [CHOICES[options.index(gap.name)]],
        "evidence": gap.span.of(text),
        "evidence_span": place,
        "source": document,
        "draft": {"by": BY_TEMPLATE, "kind": "choice", "document": document, **place},
    }
