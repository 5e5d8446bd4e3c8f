"""The report as a page: whole whatever an answer holds, and the same bytes every time."""

import re
from pathlib import Path
from typing import Any

import pytest

from assay.errors import JournalWriteFailed, UseError
from assay.report.label import metric_title
from assay.results.job import job_spec_of
from assay.runs.summary import Summary
from assay.study.analysis import analyse_run
from assay.study.page import LONGEST_ANSWER, Report, write_report
from assay.words.language import Lang
from tests.support.journal import judged, write_header, write_rows

HOSTILE = (
    "| a | b |\n|---|---|\n# heading\n```\n<script>alert(1)</script> ![x](http://e/x.png) "
    "[link](javascript:x) **bold** \\| end\r\n- item\n1. one\x00\u202e"
)


def journal(path: Path, *, answer: str = "yes [1].", count: int = 10, **extra: object) -> Path:
    """A study in which ``off`` loses every question."""
    rows = [
        judged(f"q{n}", variant, value, answer=answer, question=f"What of {n}? {answer}")
        for n in range(count)
        for variant, value in (("on", 1.0), ("off", 0.0))
    ]
    write_header(write_rows(path, rows), ["on", "off"], **{"baseline": "on", **extra})
    return path


def report(path: Path, **options: Any) -> Report:
    """Analyse a journal and write its report."""
    return write_report(analyse_run(path), **options)


def test_the_page_has_facts_findings_tables_charts_and_changes(tmp_path: Path):
    """In this order; every chart that is named is there."""
    made = report(journal(tmp_path / "a.jsonl", description="Is it on?"))
    text = made.page.read_text(encoding="utf-8")
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == [
        "# a",
        "## Findings",
        "### Overview",
        "### Quality",
        "### Latency",
        "### Differences to the baseline",
        "## Charts",
        "## What changed: Recall@k (avg_gold_coverage)",
        "### off: 10",
    ]
    assert "Is it on?" in text
    assert "None" not in text
    assert (
        f"- {made.sentences[0]}".replace("[", "\\[").replace("]", "\\]").replace("<", "&lt;")
        in text
    )
    named = re.findall(r"!\[[^]]*\]\(<([^>]+)>\)", text)
    assert named == [
        f"a/charts/{kind}-avg_gold_coverage.png" for kind in ("bar", "effect", "latency")
    ]
    for name in named:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_a_hostile_answer_breaks_nothing(tmp_path: Path):
    """No table, heading, code block, image, link or tag comes of what a system said."""
    plain = report(journal(tmp_path / "a.jsonl"), charts=None).page.read_text()
    made = report(journal(tmp_path / "b.jsonl", answer=HOSTILE), charts=None)
    text = made.page.read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(plain.splitlines())
    for line, other in zip(text.splitlines()[1:], plain.splitlines()[1:], strict=True):
        assert line[:4] == other[:4]
        assert line.startswith("|") == other.startswith("|")
    unescaped = re.sub(r"\\.", "", text)
    for sign in ("<script", "```", "![", "](", "\x00", "\u202e", "**bold"):
        assert sign not in unescaped
    widths = {}
    for block in re.findall(r"(?m)(?:^\|.*\n)+", text):
        counts = {re.sub(r"\\.", "", line).count("|") for line in block.splitlines()}
        widths[block] = counts
        assert len(counts) == 1
    assert len(widths) == 4


def test_long_answers_are_cut_and_long_lists_too(tmp_path: Path):
    """A page stays readable; it says how much is left out and how to get it."""
    path = journal(tmp_path / "a.jsonl", answer="x" * 5000, count=30)
    text = report(path, charts=None, most_changes=4).page.read_text(encoding="utf-8")
    assert "x" * LONGEST_ANSWER + "…" in text
    assert "x" * (LONGEST_ANSWER + 1) not in text
    assert text.count("- **q") == 4
    assert re.search(r"… and 26 more; .*assay report --changes 0", text)
    whole = report(path, charts=None, most_changes=0).page.read_text(encoding="utf-8")
    assert whole.count("- **q") == 30


def test_the_same_rows_give_the_same_bytes(tmp_path: Path):
    """Page and charts hold no clock and no chance; tests of charts draw them in other formats."""
    path = journal(tmp_path / "a.jsonl", ordered={"on": 1.0, "off": 2.0}, ablation_variable=["v"])
    seen = []
    for _ in range(2):
        made = report(path, charts="png")
        assert len(made.charts) == 4
        seen.append([one.read_bytes() for one in (made.page, *made.charts)])
    assert seen[0] == seen[1]


def test_another_metric_can_be_the_subject(tmp_path: Path):
    """Findings, charts and changes follow; one that is unknown is refused with a suggestion."""
    path = journal(tmp_path / "a.jsonl")
    made = report(path, metric="gold_hit_any_rate", charts="svg")
    assert "## What changed: Hit@k (gold_hit_any_rate)" in made.page.read_text(encoding="utf-8")
    assert {chart.stem.split("-", 1)[1] for chart in made.charts} == {"gold_hit_any_rate"}
    with pytest.raises(UseError, match="avg_gold_coverage"):
        report(path, metric="avg_gold_coverag")


def test_the_primary_metric_is_named_and_is_the_subject(tmp_path: Path):
    """The page says which metric decides, and its findings are about that metric."""
    path = journal(tmp_path / "a.jsonl", primary="gold_hit_any_rate")
    text = report(path, charts=None).page.read_text(encoding="utf-8")
    assert "- primary metric: Hit@k (gold_hit_any_rate)" in text
    assert "## What changed: Hit@k" in text
    assert "Hit@k" in text.split("## Findings")[1].split("###")[0]


def test_a_page_in_chinese_and_russian(tmp_path: Path):
    """Everything but names and answers is in the language."""
    path = journal(tmp_path / "a.jsonl")
    assert "## 变化明细: Recall@k (avg_gold_coverage)" in report(
        path, lang="zh", charts=None
    ).page.read_text(encoding="utf-8")
    assert "## Что изменилось: Recall@k (avg_gold_coverage)" in report(
        path, lang="ru", charts=None
    ).page.read_text(encoding="utf-8")


def test_charts_that_cannot_be_written_are_one_line(tmp_path: Path):
    """A file in the way of the folder is named, with no traceback of a drawing library."""
    path = journal(tmp_path / "a.jsonl")
    (tmp_path / "a").write_text("in the way")
    with pytest.raises(JournalWriteFailed, match="charts cannot be written"):
        report(path)


@pytest.mark.parametrize("lang", ["zh", "ru"])
@pytest.mark.parametrize("job", ["ablation", "depth", "quality", "review", "bench"])
def test_every_metric_of_every_job_has_a_title_in_the_language(job: str, lang: Lang):
    """A report in Chinese or Russian has no English title, except names that papers use as they are."""
    header = Summary(job=job, name="a", system="s", variants=(), total=0)
    spec = job_spec_of(header)
    metrics = (*spec.metrics, *spec.variant_metrics)
    titles = [metric_title(metric, lang) for metric in metrics]
    script = {"zh": "[一-鿿]", "ru": "[а-я]"}[lang]
    in_english = [title for title in titles if not re.search(script, title)]
    assert set(in_english) <= {"Recall@k", "Hit@k", "All-hit@k", "MRR", "nDCG@k"}


def test_state_and_tests_are_said_in_the_language(tmp_path: Path):
    """The head of the page and the column of tests are not left in English."""
    text = report(journal(tmp_path / "a.jsonl"), lang="zh", charts=None).page.read_text(
        encoding="utf-8"
    )
    assert "McNemar mid-p 检验" in text
    assert not re.search("mcnemar|permutation|complete|running", text)


def test_one_variant_alone_is_shown_and_not_compared(tmp_path: Path):
    """No findings, no baseline, no changes: a profile of its metrics instead."""
    rows = [judged(f"q{n}", "only", n % 2) for n in range(8)]
    path = write_rows(tmp_path / "a.jsonl", rows)
    write_header(path, ["only"], baseline="only")
    made = report(path)
    text = made.page.read_text(encoding="utf-8")
    assert made.sentences == ()
    assert "## Findings" not in text
    assert "Baseline" not in text
    assert "What changed" not in text
    assert [chart.name for chart in made.charts] == ["profile.png"]


def test_drafts_that_nobody_has_read_are_named_first(tmp_path: Path):
    """The line below the title says it, and that a high value is a ceiling."""
    path = journal(tmp_path / "a.jsonl", unread_drafts=9, draft_word_overlap=0.791, questions=10)
    lines = report(path).page.read_text(encoding="utf-8").splitlines()
    assert lines[2] == "9 of 10 questions are drafts that nobody has read."
    assert "ceiling: drafts share 79 % of their words with the passage" in lines[4]
    low = journal(tmp_path / "b.jsonl", count=0, unread_drafts=9, draft_word_overlap=0.791)
    rows = [judged(f"q{n}", variant, n % 2) for n in range(10) for variant in ("on", "off")]
    write_rows(low, rows)
    assert "ceiling" not in report(low).page.read_text(encoding="utf-8")
