"""One rule for names: titles as in papers for people, the seed's names for programs."""

import csv
import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from assay.records import Metric, Variant
from assay.report.label import metric_label
from assay.report.table.format import as_csv, as_json, as_markdown, as_text
from assay.report.table.latex import as_latex
from assay.results.job import job_spec
from assay.runs.summary import read_summary, write_summary
from assay.runs.write import summary_path
from assay.study.analysis import analyse_run
from assay.study.finding import RunFindings, effect_table
from assay.study.table import latency_table, overview_table, quality_table, short_table
from tests.support.journal import judged, write_header, write_rows

TITLES = {
    "avg_gold_coverage": "Recall@{k}",
    "gold_hit_any_rate": "Hit@{k}",
    "gold_mrr": "MRR",
    "gold_ndcg": "nDCG@{k}",
}


def run(folder: Path, top_k: int | None = 10, *, ks: tuple[int | None, ...] = ()) -> RunFindings:
    """A run of two variants; ``ks`` are values of ``top_k`` in their settings."""
    rows = [
        judged(f"q{number}", name, value)
        for number in range(10)
        for name, value in (("on", 1.0), ("off", number % 2))
    ]
    journal = write_rows(folder / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    summary = read_summary(summary_path(journal))
    assert summary is not None
    settings = [{"top_k": k} for k in ks] or [{}, {}]
    variants = tuple(
        Variant(name=name, settings=chosen)
        for name, chosen in zip(("on", "off"), settings, strict=True)
    )
    write_summary(summary_path(journal), replace(summary, top_k=top_k, variants=variants))
    return analyse_run(journal)


@pytest.mark.parametrize(
    ("top_k", "ks", "k"),
    [(10, (), "10"), (5, (), "5"), (None, (), "k"), (10, (3, 3), "3"), (10, (3, None), "k")],
)
def test_a_title_has_the_depth_of_the_run(
    tmp_path: Path, top_k: int | None, ks: tuple[int | None, ...], k: str
):
    """``Recall@10`` is that of a run with ``top_k`` 10; k stays a letter where variants differ."""
    findings = run(tmp_path, top_k, ks=ks)
    titles = {metric.name: metric.title for metric in findings.job.metrics}
    for name, title in TITLES.items():
        assert titles[name] == title.replace("{k}", k)


def test_programs_get_the_names_and_no_titles(tmp_path: Path):
    """CSV and JSON name metrics as the seed does, as columns and as values."""
    findings = run(tmp_path)
    header, *_ = csv.reader(io.StringIO(as_csv(overview_table(findings))))
    assert {"avg_gold_coverage", "gold_hit_any_rate", "avg_latency_s"} <= set(header)
    effects = effect_table(findings, findings.analysis.effects)
    listed = json.loads(as_json(effects))
    named = {row["cells"]["metric"]["value"] for row in listed["rows"]}
    assert "avg_gold_coverage" in named
    assert "Recall@10" not in named
    columns = list(csv.DictReader(io.StringIO(as_csv(effects))))
    assert {row["metric"] for row in columns} == named
    cells = json.loads(as_json(quality_table(findings)))["rows"][0]["cells"]
    assert "avg_gold_coverage" in cells


def test_a_terminal_shows_names_below_the_titles(tmp_path: Path):
    """The second line of the header has the names; so has the second column if it is turned."""
    table = quality_table(run(tmp_path))
    first, second, *_ = as_text(table, width=1000).splitlines()
    assert "Recall@10" in first
    assert "avg_gold_coverage" in second
    assert "scored" not in second
    turned = as_text(table, width=70).splitlines()
    (line,) = (line for line in turned if line.startswith("Recall@10"))
    assert line.split()[1] == "avg_gold_coverage"


@pytest.mark.parametrize("write", [as_markdown, as_latex])
@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_other_tables_have_names_in_the_legend(tmp_path: Path, write: object, lang: str):
    """Every metric of the table is there once, with its title and its name."""
    findings = run(tmp_path)
    for table in (
        quality_table(findings, lang),  # type: ignore[arg-type]
        latency_table(findings, lang),  # type: ignore[arg-type]
        effect_table(findings, findings.analysis.effects, lang),  # type: ignore[arg-type]
    ):
        text = write(table, lang).replace("\\_", "_")  # type: ignore[operator]
        names = [column.name for column in table.columns if column.name]
        names += [cell.name for row in table.rows for cell in row.cells if cell.name]
        assert names
        for name in names:
            assert text.count(f"= {name}") == 1, name


def test_a_table_without_metrics_has_no_names(tmp_path: Path):
    """The legend says nothing if there is nothing to say."""
    table = short_table(run(tmp_path))
    plain = replace(table, columns=tuple(replace(column, name="") for column in table.columns))
    assert "avg_gold_coverage" not in as_markdown(plain)
    assert as_text(plain).count("avg_gold_coverage") == 0


def test_charts_have_both():
    """The axis of a chart has the title and the name."""
    metric = Metric(name="avg_gold_coverage", field="c", title="Recall@10", title_zh="Recall@10")
    assert metric_label(metric, "zh") == "Recall@10 (avg_gold_coverage)"
    assert metric_label(Metric(name="mine", field="mine")) == "mine"


@pytest.mark.parametrize("job", ["ablation", "depth", "quality", "review", "bench"])
def test_no_two_metrics_of_a_job_share_a_title(job: str):
    """A legend by titles would otherwise lose a name."""
    spec = job_spec(job)
    for lang in ("title", "title_zh", "title_ru"):
        titles = [getattr(metric, lang) for metric in (*spec.metrics, *spec.variant_metrics)]
        assert len(set(titles)) == len(titles)


def test_the_names_are_those_of_the_last_version():
    """Old results, gates and options go on to work: no name for programs has changed."""
    names = [metric.name for metric in job_spec("ablation").metrics]
    assert names[:12] == [
        "cite_ok_rate", "gold_hit_any_rate", "gold_hit_all_rate", "avg_gold_coverage",
        "gold_precision", "gold_mrr", "gold_ndcg", "correct_abstention_rate", "answered_rate",
        "avg_latency_s", "p50_latency_s", "p95_latency_s",
    ]  # fmt: skip


def test_documents_are_counted_as_they_are(tmp_path: Path):
    """A document with one question is a document; one document is not "documents"."""

    def notes(sources: dict[str, str]) -> list[str]:
        rows = [
            judged(question, name, 1.0) | {"source": source}
            for question, source in sources.items()
            for name in ("on", "off")
        ]
        journal = write_rows(tmp_path / "d.jsonl", rows)
        write_header(journal, ["on", "off"], baseline="on")
        return list(quality_table(analyse_run(journal)).notes)

    three = notes({"a": "x", "b": "x", "c": "y", "d": "z"})
    assert any("on these 3 documents" in note for note in three)
    single = notes({"a": "x", "b": "x"})
    assert any("on this 1 document" in note for note in single)


@pytest.mark.parametrize("count", [1, 2])
def test_questions_without_gold_are_counted_in_words(tmp_path: Path, count: int):
    """One question has no gold, two have none."""
    rows = [judged(f"q{n}", name, 1.0) for n in range(4) for name in ("on", "off")]
    rows += [judged(f"x{n}", name, None) for n in range(count) for name in ("on", "off")]
    journal = write_rows(tmp_path / "g.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    (note,) = (note for note in quality_table(analyse_run(journal)).notes if "gold" in note)
    assert note.startswith("1 question has" if count == 1 else "2 questions have")
