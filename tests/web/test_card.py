"""A run in the list of runs."""

import json
from pathlib import Path

from assay.web.run_index import open_run
from assay.web.run_view import run_card, run_view
from assay.words.language import LANGUAGES
from assay.words.message import text_of
from tests.support.journal import judged
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


def test_the_card_has_the_band_that_unsure_answers_leave(tmp_path: Path):
    """That of the value which it shows, as ``assay list`` has it."""
    journal = write_study(tmp_path / "a.jsonl")
    assert run_card("a", journal).band is None
    path = journal.with_suffix(".json")
    summary = json.loads(path.read_text())
    unsure = {METRIC: {"n": 7, "low": 0.503, "high": 0.628}}
    variants = {"on": {METRIC: 0.592, "unsure": unsure}}
    summary["results"] = {"method": {"primary": METRIC}, "baseline": "on", "variants": variants}
    path.write_text(json.dumps(summary))
    card = run_card("a", journal)
    assert (card.headline, card.unsure) == (0.592, 7)
    assert card.band is not None
    assert (card.band.low, card.band.high) == (0.503, 0.628)


def test_the_overview_begins_with_the_finding_of_the_card(tmp_path: Path):
    """The clearest difference, not the first one."""
    losses = {"on": 0.0, "mild": 0.25, "bad": 0.75}
    rows = [
        judged(f"q{number}", name, 1.0 - loss)
        for number in range(30)
        for name, loss in losses.items()
    ]
    journal = write_study(tmp_path / "a.jsonl", rows)
    first, second, *_ = run_view(open_run(journal), run_card("a", journal)).sentences
    assert str(first).startswith("bad against on: ")
    assert str(second).startswith("mild against on: ")
