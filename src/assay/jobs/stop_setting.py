"""Whether and when an experiment stops before all questions were asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from assay.config.experiment import EarlyStopSettings
from assay.errors import ConfigError, UseError
from assay.jobs.experiment import ExperimentChoice
from assay.records import Metric, Question, Variant
from assay.runs.early_stop import EarlyStop
from assay.text.width import padded
from assay.words.say import say


def early_stop(
    primary: Metric,
    variants: Sequence[Variant],
    baseline: str,
    *,
    is_asked_for: bool,
    choice: ExperimentChoice | None = None,
) -> EarlyStop | None:
    """The rule of the experiment, or of ``--stop-early``; ``None`` to ask all questions.

    Raises:
        UseError: The primary metric has no bounds, nothing says which values are better, or there is
            nothing to compare.
    """
    settings = choice.experiment.early_stop if choice is not None else None
    where = "--stop-early"
    if choice is not None and settings is not None:
        where = choice.document.where("experiments", choice.number, "early_stop")
    elif is_asked_for:
        settings = EarlyStopSettings()
    if settings is None:
        return None
    problem = ""
    if primary.unit or primary.better is None:
        problem = (
            f"{primary.name} cannot decide when to stop: its differences have no bounds; choose a "
            "primary metric that is a share from 0 to 1"
        )
    elif len(variants) == 1:
        problem = "there is nothing to compare; name two systems or prompts, or two variants"
    if problem:
        raise (UseError if where == "--stop-early" else ConfigError)(f"{where}: {problem}")
    return EarlyStop(
        metric=primary,
        baseline=baseline,
        level=settings.level,
        margin=settings.margin,
        about_set=settings.about == "this set",
        largest=settings.max_questions,
        seed=settings.seed,
    )


def early_stop_fields(rule: EarlyStop | None, questions: Iterable[Question]) -> dict[str, Any]:
    """The rule as it is recorded in the header of the run about these questions."""
    if rule is None:
        return {}
    recorded = {
        "level": rule.level,
        "margin": rule.margin,
        "max_questions": rule.largest,
        "about": "this set" if rule.about_set else "questions like these",
        "seed": rule.seed,
        "metric": rule.metric.name,
        "identity": rule.identity(question.id for question in questions),
    }
    return {"early_stop": recorded}


def describe_early_stop(rule: EarlyStop | None) -> Iterator[str]:
    """The line that describes the rule before the run starts."""
    if rule is None:
        return
    margin = ""
    if rule.margin:
        margin = say(", or within {n:g} points of the baseline", n=100 * rule.margin)
    about = say("this set of questions" if rule.about_set else "questions like these")
    at_most = say("; at most {n} questions", n=rule.largest) if rule.largest else ""
    text = say(
        "a variant is asked until it is better or worse{margin}; errors at most {level:g}%, about "
        "{about}{at_most}",
        margin=margin,
        level=100 * rule.level,
        about=about,
        at_most=at_most,
    )
    yield padded(say("stops early"), 12) + text
