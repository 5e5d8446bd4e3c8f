"""Which direction of a metric is better, where nobody declared it: the words of its name say so.

A name with words of both kinds (``error_recall``), with a word that turns its meaning
(``hallucination_free_rate``) or without any of them (``tone``) says nothing. Such a metric is not
compared until the user says which direction is better.
"""

import re
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from assay.errors import UseError
from assay.records import Metric
from assay.words.message import Message, message

Better: TypeAlias = Literal["higher", "lower"]
_WORD: Final = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*|\d+")
_LOWER: Final = frozenset(
    {
        "hallucination", "hallucinations", "hallucinated", "invented", "fabricated", "error", "errors",
        "failure", "failures", "failed", "wrong", "mistakes", "perplexity", "ppl", "wer", "cer", "mae",
        "mse", "rmse", "loss", "distance", "penalty", "toxicity", "latency", "duration", "elapsed",
        "time", "seconds", "s", "ms", "minutes", "delay", "wait", "cost", "costs", "price", "paid",
        "usd", "tokens", "unparsed", "timeouts",
    }
)  # fmt: skip
_HIGHER: Final = frozenset(
    {
        "score", "accuracy", "recall", "precision", "f1", "f2", "correct", "correctness", "coverage",
        "faithfulness", "groundedness", "relevance", "relevancy", "similarity", "agreement", "kappa",
        "mrr", "ndcg", "map", "hit", "hits", "bleu", "rouge", "em", "exact", "match", "pass", "passed",
        "ok", "success", "quality", "win", "completeness", "helpfulness", "parse", "throughput",
    }
)  # fmt: skip
_TURNING: Final = frozenset(
    {
        "no", "non", "not", "free", "without", "per", "anti", "avoided", "saved", "saving", "savings",
    }
)  # fmt: skip


def direction(name: str) -> Better | None:
    """Which direction the name of a metric means; ``None`` if it does not say.

    >>> direction("hallucination_rate"), direction("timeToFirstToken"), direction("macro_f1")
    ('lower', 'lower', 'higher')
    >>> direction("tone"), direction("error_recall"), direction("hallucination_free_rate")
    (None, None, None)
    """
    words = {word.lower() for word in _WORD.findall(name)}
    is_lower, is_higher = bool(words & _LOWER), bool(words & _HIGHER)
    if is_lower == is_higher or words & _TURNING:
        return None
    return "lower" if is_lower else "higher"


def unknown_direction(name: str) -> Message:
    """What to do about a metric whose direction is not known."""
    return message(
        "{name}: it is not known which direction is better; say it with --better higher or --better lower, or choose another --metric",
        name=name,
    )


def directed(metric: Metric, better: Better | None) -> Metric:
    """The metric with the direction that the user says; raises ``UseError`` against a known one."""
    if better is None or metric.better == better:
        return metric
    refuse_turned(metric.name, metric.better, better)
    return replace(metric, better=better)


def refuse_turned(name: str, known: Better | None, better: Better | None) -> None:
    """Raise ``UseError`` if the user says another direction than the known one."""
    if better is not None and known not in {None, better}:
        raise UseError(f"{name}: {known} is better, so --better {better} is refused")
