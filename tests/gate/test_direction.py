"""Which direction is better, by the words of a name; what they do not say is refused."""

import pytest

from assay.errors import UseError
from assay.gate.direction import directed, direction
from assay.records import Metric


@pytest.mark.parametrize(
    ("names", "better"),
    [
        (
            "hallucination_rate error_rate perplexity PPL avgLatencyMs duration cost_usd WER",
            "lower",
        ),
        ("accuracy class_recall.High macro-f1 faithfulness pass_rate exactMatch NDCG", "higher"),
        ("tone length n rate error_recall no_errors hallucination-free tokens_per_second", None),
        ("cost_score accuracy_loss timeSaved terror scorer", None),
    ],
)
def test_the_words_of_a_name_say_the_direction(names: str, better: str | None):
    """Whole words count, in any spelling; both kinds, or one that turns the meaning, say nothing."""
    assert {name: direction(name) for name in names.split()} == dict.fromkeys(names.split(), better)


def test_a_known_direction_is_not_turned():
    """``--better`` says what is not known; against what is known it is a mistake."""
    known = Metric(name="score", field="score")
    assert directed(known, "higher") is directed(known, None) is known
    with pytest.raises(UseError, match="score: higher is better, so --better lower is refused"):
        directed(known, "lower")
    tone = Metric(name="tone", field="tone", better=None)
    assert directed(tone, "lower").better == "lower"
