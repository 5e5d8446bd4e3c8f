"""What can be said of the answers of a run where nobody has said which are right.

How often they abstain, what they state that no passage has, their lengths and languages, and what users
thought of them. It leads the report, the page and what a terminal shows; whether an answer is right is
not measured, and is not said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from assay.records import Metric
from assay.report.label import title_of
from assay.report.look import real_minus
from assay.results.results import case_lines
from assay.stats.interval import Interval
from assay.stats.resample import quantiles
from assay.stats.scores import FAILED, SCORED
from assay.study.finding import RunFindings
from assay.text.language import language as language_of
from assay.text.width import shortened
from assay.words.message import Message, Said, joined, message, message_n

FACTS: Final = "question_facts"
"""The field of a header with what is known about the questions (``question_facts``)."""
_NEGATIVE: Final = (
    "abstained", "without_passages", "unsupported_figure", "unsupported_quotation", "other_language",
)  # fmt: skip
"""What is counted of answers, in the order in which it is said; examples are those that have it."""
_POSITIVE: Final = ("cite_ok_rate", "thumbs_up")
"""The same, with examples that do not have it."""
SAID: Final = frozenset({"answer_characters", "user_rating", "answer_cost"})
"""Metrics that the lines about the whole say."""
MOST_EXAMPLES: Final = 3
_MOST_GROUPS: Final = 3
_MOST_ERRORS: Final = 3
LABELS: Final = 40
_LONGEST: Final = 80
_ENGLISH_ACCENTED: Final = 0.1
"""Of questions in English, fewer have letters as in "café"; more are of another language."""
_SCRIPTS: Final = {
    "en": message("Latin", "script"),
    "ru": message("Cyrillic", "script"),
    "zh": message("Chinese", "script"),
}


class Example(Struct, frozen=True, kw_only=True):
    """An answer that is counted, and why: what it states that no passage has, for example."""

    question_id: str
    variant: str
    question: str
    answer: str
    why: str = ""


class Observation(Struct, frozen=True, kw_only=True):
    """How many answers of a variant have something, of those of which one can say it."""

    metric: Metric
    variant: str
    count: int
    n: int
    unsure: int = 0
    interval: Interval | None = None
    examples: tuple[Example, ...] = ()

    @property
    def text(self) -> Message:
        """The counts in words."""
        title = title_of(self.metric)
        fields: dict[str, Any] = {"metric": title, "count": self.count, "n": self.n}
        share = f"{100 * self.count / self.n:.0f}\u00a0%"
        if self.interval is not None:
            share += f" [{100 * self.interval.low:.0f}, {100 * self.interval.high:.0f}]"
        if self.unsure:
            return message(
                "{metric}: {count} of {n}, {share}; of {unsure} this is unsure",
                **fields,
                share=share,
                unsure=self.unsure,
            )
        return message("{metric}: {count} of {n}, {share}", **fields, share=share)

    @property
    def sentence(self) -> Said:
        """The counts in words, with the first example."""
        who: tuple[Said, ...] = (self.variant,) if self.variant else ()
        text = joined((*who, self.text), ": ")
        if not self.examples:
            return text
        first = self.examples[0]
        return message(
            "{counts}. For example: {question} → {said}",
            counts=text,
            question=shortened(first.question, _LONGEST),
            said=first.why or shortened(first.answer, _LONGEST),
        )


class Observations(Struct, frozen=True, kw_only=True):
    """What the answers of a run show by themselves.

    ``is_labelled`` is true if expected answers or gold say of some which are right. ``facts`` are
    lines about lengths, latency, cost, languages and questions that are nearly the same.
    """

    name: str
    answers: int
    failed: int
    is_labelled: bool
    counted: tuple[Observation, ...]
    facts: tuple[Said, ...]

    @property
    def head(self) -> Said:
        """What is known of the answers, and what is not."""
        if self.is_labelled:
            return message_n(
                "What {n} answer shows by itself:",
                "What {n} answers show by themselves:",
                self.answers,
            )
        return message_n(
            "Whether the {n} answer is right is not known. What it shows by itself:",
            "Which of the {n} answers are right is not known. What they show by themselves:",
            self.answers,
        )

    @property
    def next_step(self) -> Said:
        """How one would learn how many are right; empty if that is known."""
        if self.is_labelled:
            return ""
        return message(
            "{n} labels or a judge would tell how many are right: {labels}; or: {judge}",
            n=min(LABELS, self.answers),
            labels=(
                f"assay labels plan {self.name} --metric abstained "
                f"--draw {min(LABELS, self.answers)} --out labels.csv"
            ),
            judge=f"assay judge {self.name} --judge NAME",
        )

    @property
    def sentences(self) -> tuple[Said, ...]:
        """Everything, a line each, with one example of what is counted."""
        last = (self.next_step,) if self.next_step else ()
        return (self.head, *(each.sentence for each in self.counted), *self.facts, *last)

    def as_json(self) -> dict[str, Any]:
        """What programs read: the counts with their examples, and the lines about the whole."""
        return {
            "right_is_known": self.is_labelled,
            "counted": [
                {
                    "metric": each.metric.name,
                    "count": each.count,
                    "n": each.n,
                    "unsure": each.unsure,
                    **({"variant": each.variant} if each.variant else {}),
                    "examples": msgspec.to_builtins(each.examples),
                }
                for each in self.counted
            ],
            "facts": [str(each) for each in self.facts],
        }


def observations(findings: RunFindings) -> Observations | None:
    """What the answers show; ``None`` if they are not described, because what is right is known."""
    scores, metrics = findings.results.scores, {each.name: each for each in findings.metrics}
    if not metrics.keys() & {*_NEGATIVE, "answer_characters"} or not scores.variants:
        return None
    counted = [
        (metric, place, values, shown)
        for names, shown in ((_NEGATIVE, 1.0), (_POSITIVE, 0.0))
        for name in names
        if (metric := metrics.get(name)) is not None
        for place in range(len(scores.variants))
        if np.isfinite(values := scores.values[metric.field][place]).any()
    ]
    chosen = [
        np.flatnonzero(values == shown)[:MOST_EXAMPLES].tolist() for _, _, values, shown in counted
    ]
    wanted = {
        (item, place)
        for (_, place, _, _), items in zip(counted, chosen, strict=True)
        for item in items
    }
    lines = case_lines(findings.results, wanted)
    rows = {place: msgspec.json.decode(line) for place, line in lines.items()}
    return Observations(
        name=findings.results.name,
        answers=int(np.count_nonzero(scores.status == SCORED)),
        failed=int(np.count_nonzero(scores.status == FAILED)),
        is_labelled=_is_labelled(findings),
        counted=tuple(
            Observation(
                metric=metric,
                variant=scores.variants[place] if len(scores.variants) > 1 else "",
                count=int(np.count_nonzero(values == 1)),
                n=int(np.count_nonzero(np.isfinite(values))),
                unsure=findings.analysis.variants[place].cells[metric.name].unsure,
                interval=findings.analysis.variants[place].cells[metric.name].interval,
                examples=tuple(
                    _example(rows[item, place], metric) for item in items if (item, place) in rows
                ),
            )
            for (metric, place, values, _), items in zip(counted, chosen, strict=True)
        ),
        facts=tuple(_facts(findings, metrics)),
    )


def _is_labelled(findings: RunFindings) -> bool:
    """Whether something says of an answer of the run that it is right."""
    names = ("answer_contained", "avg_gold_coverage")
    return any(metric.name in names for metric in findings.metrics)


def _example(row: Mapping[str, Any], metric: Metric) -> Example:
    score = metric.field.rpartition(".")[2]
    return Example(
        question_id=str(row.get("question_id", "")),
        variant=str(row.get("config", "")),
        question=str(row.get("question") or ""),
        answer=str(row.get("answer") or ""),
        why=str((row.get("reasons") or {}).get(score, "")),
    )


def _facts(findings: RunFindings, metrics: Mapping[str, Metric]) -> Iterator[Said]:
    """Lines about the whole: lengths, time, money, languages, and questions that are alike."""
    scores = findings.results.scores
    several = len(scores.variants) > 1
    for place, name in enumerate(scores.variants):
        who = name if several else ""
        if "answer_characters" in metrics:
            lengths = _known(scores.values[metrics["answer_characters"].field][place])
            if len(lengths):
                middle, most = quantiles(lengths, 0.5, 0.95)
                yield _of(who, message(
                    "Length: median {middle} characters, 95 % have at most {most}",
                    middle=f"{middle:.0f}", most=f"{most:.0f}",
                ))  # fmt: skip
        seconds = _known(scores.values["elapsed_s"][place])
        if len(seconds) and "p50_latency_s" in metrics:
            middle, most = quantiles(seconds, 0.5, 0.95)
            yield _of(who, message(
                "Latency: median {middle} s, 95 % have at most {most} s",
                middle=f"{middle:.2f}", most=f"{most:.2f}",
            ))  # fmt: skip
        if "user_rating" in metrics:
            rated = _known(scores.values[metrics["user_rating"].field][place])
            if len(rated):
                yield _of(who, message(
                    "Rating by users: {value} points on average, over {n} rated answers",
                    value=real_minus(f"{rated.mean():.2f}"), n=len(rated),
                ))  # fmt: skip
        if "answer_cost" in metrics:
            costs = _known(scores.values[metrics["answer_cost"].field][place])
            if len(costs):
                yield _of(who, message(
                    "Cost: {total} in all, {each} an answer",
                    total=f"{costs.sum():.4g}", each=f"{costs.mean():.4g}",
                ))  # fmt: skip
    yield from _question_lines(findings)


def _of(variant: str, line: Message) -> Said:
    return joined((variant, line), ": ") if variant else line


def _known(values: Any) -> Any:
    return values[np.isfinite(values)]


def _question_lines(findings: RunFindings) -> Iterator[Said]:
    summary = findings.results.summary
    facts: Mapping[str, Any] = (summary.extra.get(FACTS) or {}) if summary is not None else {}
    languages = facts.get("languages") or {}
    if languages:
        shown = (
            message("{script} {n}", script=_SCRIPTS[name], n=count)
            for name, count in languages.items()
            if name in _SCRIPTS
        )
        yield message("Questions by their script: {scripts}", scripts=joined(shown, ", "))
    if accented := facts.get("accented"):
        yield message(
            "{n} of {total} questions in Latin script have letters that English has not: what says that it cannot answer is recognised in English, Chinese and Russian only",
            n=accented,
            total=languages["en"],
        )
    if alike := facts.get("alike"):
        examples = "; ".join(" = ".join(map(str, group)) for group in facts.get("examples", ()))
        yield message_n(
            "{n} question is nearly the same as an earlier one, for example {examples}",
            "{n} questions are nearly the same as an earlier one, for example {examples}",
            alike,
            examples=examples,
        )


# What is known of questions before anything is asked.


def _is_accented(letter: str) -> bool:
    return letter.isalpha() and letter > "\x7f"


def question_facts(questions: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The languages of questions, each given with its id, and how many are nearly the same.

    >>> facts = question_facts([("a", "How long is the notice period?"), ("b", "How long is the notice period")])
    >>> facts["languages"], facts["alike"], facts["examples"]
    ({'en': 2}, 1, [['a', 'b']])
    """
    # the stemmers and hashes are slow to import, and only runs without gold need them
    from assay.text.search_term import words  # noqa: PLC0415
    from assay.text.shingle import shingles, similar_pairs  # noqa: PLC0415

    first_of: dict[str, int] = {}
    ids: list[str] = []
    texts: list[str] = []
    copies = Counter[int]()
    groups: dict[int, list[str]] = {}
    for name, text in questions:
        place = first_of.setdefault(" ".join(text.split()), len(texts))
        if place < len(texts):
            copies[place] += 1
            groups.setdefault(place, [ids[place]]).append(name)
        else:
            ids.append(name)
            texts.append(text)
    known: set[int] = set()
    for first, second, _ in similar_pairs([shingles(text, words(text)) for text in texts]):
        if second not in known and first not in known:
            known.add(second)
            groups.setdefault(first, [ids[first]]).append(ids[second])
    languages = Counter(language_of(text) for _, text in questions)
    alike = len(known) + sum(copies.values())
    largest = sorted(groups.values(), key=len, reverse=True)[:_MOST_GROUPS]
    accented = sum(
        language_of(text) == "en" and not text.isascii() and any(map(_is_accented, text))
        for _, text in questions
    )
    return {
        "languages": dict(languages.most_common()),
        **({"accented": accented} if accented > _ENGLISH_ACCENTED * languages["en"] else {}),
        **({"alike": alike, "examples": [group[:3] for group in largest]} if alike else {}),
    }
