"""The metrics of the legal benchmark; each is a mean over the questions that define it."""

from typing import Final

from assay.records import Metric
from assay.scorers.latency import LATENCY

METRICS: Final = (
    Metric(name="score", field="score", title="Score"),
    Metric(name="passed_rate", field="passed", title="Passed", kind="rate"),
    Metric(name="exact_match", field="terms.exact_match", title="Facts exact", kind="rate"),
    Metric(
        name="citation_correct",
        field="terms.citation_correct",
        title="Facts cited rightly",
        kind="rate",
    ),
    Metric(name="partial", field="terms.partial", title="Fields of facts that hold"),
    Metric(name="evidence_recall", field="terms.recall", title="Evidence recall"),
    Metric(name="evidence_precision", field="terms.precision", title="Evidence precision"),
    Metric(
        name="correct_abstention",
        field="terms.correct_abstention",
        title="Abstention as it should be",
        kind="rate",
    ),
    Metric(
        name="no_hallucination",
        field="terms.no_hallucination",
        title="Nothing invented",
        kind="rate",
    ),
    Metric(
        name="quote_included", field="terms.quote_included", title="Quote included", kind="rate"
    ),
    Metric(
        name="hallucination_severity",
        field="terms.severity",
        title="Severity of inventions",
        better="lower",
    ),
    *LATENCY,
)
"""A term is defined only for questions of its type, ``score`` and latency for all questions.

``passed`` is defined if the file of the question sets a ``min_score``.
"""
