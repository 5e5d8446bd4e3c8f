"""A run in the list of runs."""

import json
from pathlib import Path

from assay.web.run_view import run_card
from assay.words.language import LANGUAGES
from assay.words.message import text_of
from tests.support.page import write_study


def test_the_finding_says_which_variant_is_better_or_worse(tmp_path: Path):
    """The clearest one of the primary metric, in all languages; without a verdict there is none."""
    journal = write_study(tmp_path / "a.jsonl")
    path = journal.with_suffix(".json")
    summary = json.loads(path.read_text())
    effects = [effect("off", "worse", -0.136, 0.01), effect("raw", "unclear", -0.2, 0.2)]
    summary["results"] = {"method": {"primary": METRIC}, "baseline": "on", "effects": effects}
    path.write_text(json.dumps(summary))
    finding = run_card("a", journal).finding
    assert finding is not None
    assert [text_of(finding, lang) for lang in LANGUAGES] == [
        "off: worse, −13.6 points",
        "off：更差，−13.6 个百分点",
        "off: хуже, −13.6 п. п.",
    ]
    effects[0]["verdict"] = "unclear"
    path.write_text(json.dumps(summary))
    assert run_card("a", journal).finding is None


METRIC = "avg_gold_coverage"


def effect(variant: str, verdict: str, difference: float, p: float) -> dict[str, object]:
    """A difference to the baseline as a summary has it."""
    return {
        "metric": METRIC,
        "baseline": "on",
        "variant": variant,
        "verdict": verdict,
        "difference": difference,
        "p_adjusted": p,
    }


def test_a_plain_run_is_called_as_the_list_calls_it(tmp_path: Path):
    """``assay run`` makes an ablation without variables; nobody calls it so."""
    journal = write_study(tmp_path / "a.jsonl")
    assert run_card("a", journal).kind == "ablation"
    path = journal.with_suffix(".json")
    summary = json.loads(path.read_text())
    stretch = {
        "started_at": "2026-11-17T10:00:00Z",
        "command": ["assay", "run", "--questions", "q"],
    }
    path.write_text(json.dumps(summary | {"stretches": [stretch]}))
    card = run_card("a", journal)
    assert (card.job, card.kind) == ("ablation", "run")
