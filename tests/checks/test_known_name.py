"""Names of other tools: which metric they are here."""

import warnings

import pytest

from assay.checks.known_name import KNOWN_NAMES, known_name, unknown_metric
from assay.checks.own_scorer import OPTIONAL
from assay.judge.rubric import RUBRICS
from assay.registry import NameNote
from assay.results.job import JOBS, job_spec


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("context_precision", "gold_precision"),
        ("ContextualPrecisionMetric", "gold_precision"),
        ("context-recall", "avg_gold_coverage"),
        ("Context Recall", "avg_gold_coverage"),
        ("factuality", "answer_contained"),
        ("answer_correctness", "answer_contained"),
        ("is-refusal", "wrong_abstention"),
    ],
)
def test_a_name_of_another_tool_is_a_metric_here_and_a_note_says_which(name: str, ours: str):
    """In any spelling."""
    with pytest.warns(NameNote, match=f"{name} is {ours} here"):
        assert job_spec("ablation").metric(name).name == ours


def test_names_of_assay_and_titles_need_no_note():
    """They come first."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert job_spec("ablation").metric("answer_contained").title == "Answer right"
        assert job_spec("ablation").metric("Answer right").name == "answer_contained"


def test_what_a_model_judges_is_refused_with_the_command():
    """There is no offline metric in its place."""
    for name in (
        "faithfulness",
        "FaithfulnessMetric",
        "groundedness",
        "answer-relevance",
        "HallucinationMetric",
    ):
        assert "assay judge RUN --judge NAME, with rubric: " in unknown_metric(name, ())
    assert "--scorer citation_recall" in unknown_metric("citation_recall", ())


def test_the_table_names_only_what_is_there():
    """Every metric is one of a job, of the scorers or optional, every rubric exists, and no name is twice."""
    metrics = {
        metric.name for job in JOBS.own for metric in job_spec(job).metrics
    } | OPTIONAL.keys()
    for known in KNOWN_NAMES:
        assert set(known.ours) <= metrics
        assert bool(known.ours) != bool(known.rubric)
        rubric = known.rubric.removeprefix("rubric: ")
        assert rubric in {"", "FILE.md", *RUBRICS}
        assert all(known_name(name) is known for name in known.names)
