"""Names of metrics in other tools, and which metric here they are.

``--metric``, ``--primary`` and ``--scorer`` take them, in any spelling: ``context_recall``,
``ContextualRecallMetric``, ``context-recall``. docs/metrics.md shows the table.
"""

import re
import warnings
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from assay.registry import NameNote, nearest
from assay.words.say import say

JUDGED: Final = "a model judges it: assay judge RUN --judge NAME, with {rubric} (docs/judge.md)"


class KnownName(Struct, frozen=True, kw_only=True):
    """A metric of other tools: its ``names`` there, and what it is here.

    ``ours`` are metrics, of which a job has the first that it has; or it is judged with a ``rubric``.
    ``here`` says what ours measures, ``differs`` how that differs from theirs.
    """

    names: tuple[str, ...]
    ours: tuple[str, ...] = ()
    rubric: str = ""
    here: str
    differs: str


KNOWN_NAMES: Final = (
    KnownName(
        names=(
            "context_precision", "ContextualPrecisionMetric", "LLMContextPrecisionWithReference",
            "NonLLMContextPrecisionWithReference", "RetrievalPrecision",
        ),
        ours=("gold_precision",),
        here="the share of the retrieved chunks that are gold",
        differs="Ragas and DeepEval let a model say which chunks are relevant, and weigh them by rank; with ranks ours are "
        "`gold_ndcg` and `gold_mrr`. Gold does not change with a model, and must be there",
    ),
    KnownName(
        names=(
            "context_recall", "ContextualRecallMetric", "context-recall", "LLMContextRecall",
            "NonLLMContextRecall", "RetrievalSufficiency",
        ),
        ours=("avg_gold_coverage",),
        here="the share of the gold chunks that are among the best k",
        differs="theirs is the share of the statements of the expected answer that a model attributes to the context, so it needs "
        "no gold chunks; ours needs no model",
    ),
    KnownName(
        names=(
            "faithfulness", "FaithfulnessMetric", "context-faithfulness", "groundedness",
            "RetrievalGroundedness", "ResponseGroundedness",
        ),
        rubric="rubric: faithfulness",
        here="the share of the claims of the answer that its passages support, told by a judge",
        differs="the same idea; MLflow says yes or no for the whole answer, TruLens grades each statement. Ours names the passage of each "
        "claim, and labels of people correct its rate",
    ),
    KnownName(
        names=("hallucination_rate", "hallucination", "HallucinationMetric"),
        rubric="rubric: faithfulness",
        here="1 minus the share of supported claims",
        differs="that of DeepEval is the share of the given contexts that the answer contradicts, so what it merely adds does not "
        "count. Without a model, `assay.inventions` finds figures, dates and names that no passage has",
    ),
    KnownName(
        names=(
            "answer_relevancy", "AnswerRelevancyMetric", "answer-relevance", "response_relevancy",
            "RelevanceToQuery",
        ),
        rubric="rubric: relevance",
        here="1 if the answer is about the question, told by a judge",
        differs="Ragas has a model write questions from the answer and compares their embeddings with the question; DeepEval takes "
        "the share of relevant statements. None of them says whether the answer is right",
    ),
    KnownName(
        names=(
            "answer_correctness", "factuality", "Correctness", "factual_correctness",
            "semantic_similarity", "model-graded-closedqa",
        ),
        ours=("answer_contained",),
        here="1 if the answer gives an accepted answer, told by rules without a model",
        differs="Ragas mixes an F1 of statements told by a model with a similarity of embeddings; promptfoo and MLflow ask a model. "
        "With a model: `rubric: correctness`",
    ),
    KnownName(
        names=("exact_match", "ExactMatchMetric", "equals"),
        ours=("answer_exact", "exact_rate"),
        here="1 if the answer has the same tokens as an accepted answer",
        differs="numbers and dates are compared as values, Russian by stems",
    ),
    KnownName(
        names=("citation_precision",),
        ours=("citation_precision",),
        here="the share of the citations whose passage supports their sentence (`--scorer citation_precision`)",
        differs="the definition of ALCE, with rules about words in place of its model of entailment. "
        "With a model: `rubric: citation_precision`",
    ),
    KnownName(
        names=("citation_recall",),
        ours=("citation_recall",),
        here="the share of the sentences with a claim that what they cite supports (`--scorer citation_recall`)",
        differs="as above; sentences without a claim are left out. With a model: `rubric: citation_recall`",
    ),
    KnownName(
        names=("refusal_rate", "is-refusal", "refusal"),
        ours=("wrong_abstention",),
        here="the share of the questions with an expected answer to which the answer abstains",
        differs="the others count every refusal, also a right one; refusals where nothing can be known are `correct_abstention_rate`",
    ),
    KnownName(
        names=("llm-rubric", "GEval", "g-eval", "Guidelines", "AspectCritic"),
        rubric="rubric: FILE.md",
        here="a score of your own scale, told by a judge",
        differs="the scale is fixed, the reply must name one of its levels, and labels of people measure the judge",
    ),
)  # fmt: skip

_LETTERS: Final = re.compile(r"[^a-z]+")


def _key(name: str) -> str:
    """A name without its spelling.

    >>> _key("ContextualRecallMetric"), _key("context-recall")
    ('contextualrecall', 'contextrecall')
    """
    return _LETTERS.sub("", name.casefold()).removesuffix("metric")


def known_name(name: str) -> KnownName | None:
    """What other tools call so; ``None`` if none of them does.

    >>> found = known_name("context-recall")
    >>> found.ours if found else None
    ('avg_gold_coverage',)
    """
    key = _key(name)
    return next((each for each in KNOWN_NAMES if key in map(_key, each.names)), None)


def metric_of_name(name: str, metrics: Iterable[str]) -> str | None:
    """The metric here that other tools call so, if it is one of ``metrics``; a note says which one it is."""
    known, names = known_name(name), set(metrics)
    ours = next((each for each in (known.ours if known else ()) if each in names), None)
    if ours is not None and ours != name:
        note_name(name, ours)
    return ours


def note_name(name: str, ours: str) -> None:
    """Say which metric a name of other tools is; once, however often it is looked up."""
    text = say(
        "{name} is {metric} here; how it differs: docs/metrics.md, names of other tools",
        name=name,
        metric=ours,
    )
    warnings.warn(text, NameNote, stacklevel=2)


def unknown_metric(name: str, metrics: Iterable[str]) -> str:
    """The end of a message about a metric that is not there: what to do, or the nearest one.

    >>> unknown_metric("FaithfulnessMetric", [])
    '; a model judges it: assay judge RUN --judge NAME, with rubric: faithfulness (docs/judge.md)'
    """
    known = known_name(name)
    if known is not None and known.rubric:
        return f"; {JUDGED.format(rubric=known.rubric)}"
    if known is not None and name in known.ours:
        return f"; score the run with --scorer {name}"
    return nearest(name, metrics)
