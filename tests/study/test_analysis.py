"""From a journal to findings and the summary's results."""

from pathlib import Path

import msgspec
import pytest

from assay.records import Tally
from assay.study.analysis import analyse_run, sequences, summarise_run
from assay.study.finding import RunFindings
from assay.study.finding_text import verdicts
from assay.study.table import quality_table, reservations
from tests.support.journal import failed, judged, skipped, spared, write_header, write_rows

SEED_METRICS = {
    "cite_ok_rate",
    "gold_hit_any_rate",
    "gold_hit_all_rate",
    "avg_gold_coverage",
    "avg_latency_s",
    "p50_latency_s",
    "p95_latency_s",
}


def study(tmp_path: Path, **extra: object) -> Path:
    """Twelve questions with gold, one without, one unanswerable; ``off`` is worse."""
    rows = []
    for number in range(12):
        rows.append(judged(f"q{number:02d}", "on", 1.0, elapsed_s=2.0))
        rows.append(judged(f"q{number:02d}", "off", 0.5 if number % 4 else 1.0))
    for name, answerable in (("x", None), ("y", False)):
        for variant in ("on", "off"):
            told = {} if answerable is None else {"answerable": answerable}
            rows.append(judged(name, variant, None, **told))
    rows += [failed("z", "on"), skipped("z", "off")]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], **{"baseline": "on", **extra})
    return journal


def test_the_header_says_what_is_compared_with_what(tmp_path: Path):
    """Baseline, order and variable come from the summary."""
    found = analyse_run(
        study(tmp_path, baseline="off", ordered={"on": 1.0}, ablation_variable=["v"])
    )
    assert (found.baseline, found.ordered, found.variables) == ("off", {"on": 1.0}, ("v",))
    assert {(one.variant, one.baseline) for one in found.analysis.effects} == {("on", "off")}


def test_a_baseline_that_is_not_there_is_the_first_variant(tmp_path: Path):
    """Rows without a summary, or of an edited one, are still compared."""
    assert analyse_run(study(tmp_path, baseline="gone")).baseline == "on"
    (tmp_path / "a.json").unlink()
    found = analyse_run(tmp_path / "a.jsonl")
    assert (found.baseline, found.results.summary, found.results.name) == ("on", None, "a")


def test_questions_without_gold_are_counted_separately(tmp_path: Path):
    """They are in no gold average; those known to have no answer are told too."""
    found = analyse_run(study(tmp_path))
    assert (found.items, found.unlabelled, found.unanswerable) == (15, 2, 1)
    on = found.analysis.variants[0]
    assert on.cells["avg_gold_coverage"].n == 12
    assert on.cells["cite_ok_rate"].n == 14
    assert on.tally == Tally(scored=14, failed=1)


def test_metrics_without_a_value_are_left_out(tmp_path: Path):
    """A column of dashes says nothing; what one variant has is kept."""
    names = [metric.name for metric in analyse_run(study(tmp_path)).metrics]
    assert "avg_gold_coverage" in names
    assert "gold_mrr" not in names


def test_the_summary_has_the_seed_s_names_for_every_variant(tmp_path: Path):
    """Values, how many items each is of, intervals, counts and the bill, all as JSON."""
    made = summarise_run(study(tmp_path))
    again = msgspec.json.decode(msgspec.json.encode(made))
    assert set(again["variants"]) == {"on", "off"}
    for values in again["variants"].values():
        assert values.keys() >= SEED_METRICS
    off = again["variants"]["off"]
    assert off["avg_gold_coverage"] == pytest.approx((3 * 1.0 + 9 * 0.5) / 12)
    assert (off["scored"], off["failed"], off["skipped"]) == (14, 0, 1)
    assert off["n"]["avg_gold_coverage"] == 12
    assert off["gold_mrr"] is None
    low, high = off["intervals"]["avg_gold_coverage"]
    assert low < off["avg_gold_coverage"] < high
    assert off["bill"] == {
        "calls": 0,
        "replayed_calls": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "cost": None,
        "paid": None,
    }
    assert (again["headline"], again["baseline"], again["questions"]) == (
        "avg_gold_coverage",
        "on",
        15,
    )
    assert (again["questions_without_gold"], again["unanswerable_questions"]) == (2, 1)
    assert again["method"]["level"] == 0.95


def test_effects_are_paired_and_summed_up(tmp_path: Path):
    """Nine of twelve questions lost half of their gold: the difference, and the verdict."""
    (effect,) = (
        one
        for one in summarise_run(study(tmp_path))["effects"]
        if one["metric"] == "avg_gold_coverage"
    )
    assert effect["difference"] == pytest.approx(-9 * 0.5 / 12)
    assert (effect["n"], effect["gained"], effect["lost"]) == (12, 0, 9)
    assert effect["verdict"] == "worse"


def test_the_primary_metric_has_a_family_of_its_own(tmp_path: Path):
    """By default it is the headline; otherwise it is the one that the header names."""
    results = summarise_run(study(tmp_path))
    families = {effect["metric"]: effect["family"] for effect in results["effects"]}
    assert families["avg_gold_coverage"] == "primary"
    assert families["gold_hit_any_rate"] == "quality"
    assert families["avg_latency_s"] == "latency"
    assert results["method"]["primary"] == "avg_gold_coverage"
    chosen = summarise_run(study(tmp_path, primary="cite_ok_rate"))
    families = {effect["metric"]: effect["family"] for effect in chosen["effects"]}
    assert (families["cite_ok_rate"], families["avg_gold_coverage"]) == ("primary", "quality")


def test_a_primary_metric_that_is_not_known_here_is_told(tmp_path: Path):
    """The package of the scorer may be missing: then all quality metrics are one family."""
    findings = analyse_run(study(tmp_path, primary="of_a_package"))
    assert findings.lost_primary == "of_a_package"
    assert findings.analysis.primary is None
    assert {effect.family for effect in findings.analysis.effects} == {"quality", "latency"}
    (note,) = (note for note in quality_table(findings).notes if "of_a_package" in note)
    assert "corrected together" in note


def test_a_factorial_has_main_effects_and_interactions(tmp_path: Path):
    """Each switch by itself, and what the pair does beyond that."""
    value = {"none": 0.2, "b": 0.3, "a": 0.4, "a+b": 0.9}
    rows = [judged(f"q{n}", name, value[name]) for n in range(8) for name in value]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    switched = {name: {"a": "a" in name, "b": "b" in name} for name in value}
    switched["none"] = {"a": False, "b": False}
    write_header(journal, value, baseline="none", design="factorial", switched=switched)
    found: RunFindings = analyse_run(journal)
    effects = {one.variant: one for one in found.combined if one.metric == "avg_gold_coverage"}
    assert effects["a"].difference == pytest.approx((0.2 + 0.6) / 2)
    assert effects["b"].difference == pytest.approx((0.1 + 0.5) / 2)
    assert effects["a×b"].difference == pytest.approx(0.6 - 0.2)
    assert analyse_run(study(tmp_path)).combined == ()


RULE = {
    "level": 0.05,
    "margin": 0.0,
    "max_questions": None,
    "about": "questions like these",
    "seed": 0,
    "metric": "answer_contained",
}


def early_rows(*, later: str = "") -> list[dict[str, object]]:
    """Twenty questions that an early stop chose, and twenty that it spared; ``later`` their end."""
    rows = []
    for number in range(20):
        rows += [judged(f"q{number}", "on", 1.0), judged(f"q{number}", "off", 0.0)]
    left = [(f"q{number}", name) for number in range(20, 40) for name in ("on", "off")]
    rows += [spared(*each) for each in left]
    ends = {"failed": failed, "scored": lambda *each: judged(*each, 1.0)}
    return [*rows, *(ends[later](*each) for each in left if later)]


@pytest.mark.parametrize("later", ["", "failed"])
def test_spared_cases_without_an_answer_leave_nothing_to_test(tmp_path: Path, later: str):
    """The answers chose the questions, whatever the header of the last run says."""
    journal = write_rows(tmp_path / "a.jsonl", early_rows(later=later))
    write_header(journal, ["on", "off"], total=80, baseline="off")
    found = analyse_run(journal)
    assert found.stops_early
    assert {effect.p_value for effect in found.analysis.effects} == {None}
    assert {effect.interval for effect in found.analysis.effects} == {None}
    sentence = str(verdicts(found, found.job.metric("avg_gold_coverage"))[0])
    assert sentence == "on against off: +100.0 points Recall@k, no test"
    assert any("40 cases that it spared" in note for note in map(str, reservations(found)))


def test_spared_cases_that_were_answered_later_are_tested(tmp_path: Path):
    """Then all questions were asked, and no answer chose among them."""
    journal = write_rows(tmp_path / "a.jsonl", early_rows(later="scored"))
    write_header(journal, ["on", "off"], total=80, baseline="off")
    found = analyse_run(journal)
    assert not found.stops_early
    assert found.results.spared == 0
    assert any(effect.p_value for effect in found.analysis.effects)


def test_an_early_stop_of_which_every_case_failed_is_a_run_like_any_other(tmp_path: Path):
    """The metric that was to decide has no value anywhere, and that is what the report says."""
    rows = [failed(f"q{number}", name) for number in range(5) for name in ("on", "off")]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="off", primary=RULE["metric"], early_stop=RULE)
    found = analyse_run(journal)
    (sentence,) = map(str, verdicts(found, found.job.metric("answer_contained")))
    assert "cannot be compared" in sentence
    assert reservations(found)
    assert sequences(found) is not None
    assert quality_table(found).rows


def test_the_decision_of_a_metric_that_is_not_known_here_is_no_test_either(tmp_path: Path):
    """Its scorer is not installed: the report is made all the same."""
    journal = write_rows(tmp_path / "a.jsonl", early_rows())
    rule = {**RULE, "metric": "elsewhere"}
    write_header(journal, ["on", "off"], baseline="off", primary="elsewhere", early_stop=rule)
    found = analyse_run(journal)
    assert (found.stops_early, sequences(found)) == (True, None)
    assert {effect.p_value for effect in found.analysis.effects} == {None}
