"""``assay report``: output formats and error messages."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.support.journal import judged, write_header, write_rows
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A workspace with one run whose variant names need escaping."""
    (tmp_path / "experiments").mkdir()
    rows = [
        judged(f"q{n}", variant, value, elapsed_s=n + value)
        for n in range(8)
        for variant, value in (("=on_&%", 1.0), ("off|#", 0.0))
    ]
    journal = write_rows(tmp_path / "experiments/study.jsonl", rows)
    write_header(journal, ["=on_&%", "off|#"], baseline="=on_&%")
    return tmp_path


def test_the_page_is_written_and_its_path_is_printed(assay: Program, root: Path):
    """A run can be given by name, by its journal or by its summary file."""
    journal = root / "experiments/study.jsonl"
    for results in ("study", journal, journal.with_suffix(".json"), journal.with_suffix("")):
        ran = assay("report", results, "--root", root, "--charts", "none")
        assert ran.code == 0, ran.err
        assert f"report   {journal.with_suffix('.md')}" in ran.out
    assert not (root / "experiments/study").exists()


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_charts_in_the_format_asked_for(assay: Program, root: Path, suffix: str):
    """All charts are written in the format of ``--charts``."""
    assert assay("report", "study", "--root", root, "--charts", suffix).code == 0
    charts = list((root / "experiments/study/charts").iterdir())
    assert len(charts) == 3
    assert {chart.suffix for chart in charts} == {f".{suffix}"}


def test_csv_is_one_flat_table(assay: Program, root: Path):
    """CSV has one row per variant, and no cell is read as a formula."""
    ran = assay("report", "study", "--root", root, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["variant"].lstrip("'") for row in rows] == ["=on_&%", "off|#"]
    assert not rows[0]["variant"].startswith("=")
    assert float(rows[0]["avg_gold_coverage"]) == 1.0
    assert float(rows[1]["p95_latency_s"]) > 0
    assert rows[0]["gold_mrr"] == ""


def test_json_is_a_list_of_tables(assay: Program, root: Path):
    """JSON output is a list of tables with their titles."""
    ran = assay("report", "study", "--root", root, "--format", "json")
    tables = json.loads(ran.out)
    assert [table["title"] for table in tables] == [
        "Overview",
        "Quality",
        "Latency",
        "Differences to the baseline",
    ]


def test_latex_is_escaped_and_balanced(assay: Program, root: Path):
    """LaTeX tables are escaped, and all rows have the same number of cells."""
    out = assay("report", "study", "--root", root, "--format", "latex").out
    floats = out.count(r"\begin{table}")  # a table that is too high goes on in another float
    assert floats == out.count(r"\end{table}")
    assert len({caption.split(" (")[0] for caption in re.findall(r"\\caption{([^}]*)", out)}) == 4
    parts = out.count(r"\toprule")  # a wide table is printed in parts
    assert parts > floats
    assert out.count(r"\bottomrule") == parts
    assert out.count(r"\begin{tabular}") == out.count(r"\end{tabular}")
    assert r"\&\%" in out
    for body in re.findall(r"\\toprule\n(.*?)\\bottomrule", out, flags=re.DOTALL):
        lines = [line for line in body.splitlines() if line.rstrip().endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", line)) for line in lines}) == 1
        assert not re.search(r"(?<!\\)[#%_]", body)


def test_markdown_goes_to_the_terminal_or_a_file(assay: Program, root: Path):
    """``--out`` writes the same text to a file and creates its folder."""
    printed = assay("report", "study", "--root", root, "--format", "markdown")
    assert "### Quality" in printed.out
    target = root / "deep/er/tables.md"
    written = assay("report", "study", "--root", root, "--format", "markdown", "--out", target)
    assert written.out == ""
    assert target.read_text(encoding="utf-8") == printed.out


@pytest.mark.parametrize(("lang", "word"), [("zh", "质量"), ("ru", "Качество")])
def test_tables_in_another_language(assay: Program, root: Path, lang: str, word: str):
    """``--lang`` sets the language of Markdown and LaTeX tables."""
    for form in ("markdown", "latex"):
        ran = assay("report", "study", "--root", root, "--format", form, "--lang", lang)
        assert word in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("studdy",), "no such file, and no run of that name"),
        (("study", "--lang", "xx"), "--lang xx: not one of en, zh, ru"),
        (("study", "--format", "xml"), "--format xml: not one of markdown, latex, csv, json, html"),
        (("study", "study"), "several runs are shown together with --site FOLDER only"),
        (("study", "study", "--format", "html"), "for several, use --site FOLDER"),
        (("study", "--site", "pages", "--format", "csv"), "leave out --format and --out"),
        (("study", "--out", "tables.md"), "say in which format"),
        (("study", "--charts", "gif"), "--charts gif: not one of png, svg, pdf, none"),
        (("study", "--metric", "gold_coverage"), "there is no metric 'gold_coverage'"),
        (("study", "--format", "csv", "--out", "experiments/study.jsonl/x"), "cannot be created"),
    ],
)
def test_wrong_input_is_one_line(
    assay: Program,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
):
    """Wrong input gives exit code 2 and one line."""
    monkeypatch.chdir(root)
    ran = assay("report", *words)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.startswith("assay: ")
    assert ran.err.count("\n") == 1


def test_rows_of_another_job_are_not_guessed_at(assay: Program, root: Path):
    """The results of an unknown job give exit code 2 and one line."""
    path = root / "experiments/study.json"
    path.write_text(path.read_text().replace('"job": "ablation"', '"job": "tomorrow"'))
    ran = assay("report", "study", "--root", root)
    assert (ran.code, ran.err) == (
        2,
        "assay: results of a job 'tomorrow' are not known here; install the package that adds it\n",
    )


def test_a_recorded_number_that_its_results_do_not_give_is_named(assay: Program, tmp_path: Path):
    """The note is below the table in a terminal too."""
    matrix = [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    mode = {"mode": 1, "mode_name": "M", "metrics": {"accuracy": 0.9, "conf_matrix": matrix}}
    path = tmp_path / "modes.json"
    path.write_text(json.dumps({"mode_1": mode}))
    ran = assay("report", str(path))
    assert ran.code == 0, ran.err
    assert "- mode_1 M: accuracy is 0.9 in the file, 0.6667 by its results." in ran.out


@pytest.mark.parametrize("lang", ["en", "ru", "zh"])
def test_a_line_that_is_no_row_is_named_and_left_out(assay: Program, root: Path, lang: str):
    """The rest is reported, with its labels; the page says it too."""
    journal = root / "experiments/study.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text("".join([*lines[:2], "not json\n", *lines[2:]]), encoding="utf-8")
    (root / "labels").mkdir()
    (root / "labels" / "study.jsonl").touch()
    ran = assay("report", "study", "--root", root, "--charts", "svg", "--lang", lang)
    assert ran.code == 0, ran.err
    page = journal.with_suffix(".md")
    assert f" {page}\n" in ran.out
    assert (root / "experiments/study/charts").is_dir()
    for text in (ran.out, page.read_text(encoding="utf-8")):
        assert "1" in text
        assert {"en": "in line 3", "ru": "в строке 3", "zh": "第 3 行"}[lang] in text
    ran = assay("report", "study", "--root", root, "--format", "csv", "--lang", lang)
    assert ran.code == 0, ran.err
    assert {"en": "in line 3", "ru": "в строке 3", "zh": "第 3 行"}[lang] in ran.err


@pytest.mark.parametrize(
    "content", ["not json\nnor this\n", '{"metadata": {"model": "m"}}\n{"question": "q"}\n']
)
def test_a_file_without_any_row_is_refused(assay: Program, root: Path, content: str):
    """There is nothing left to report: no row, or results of something else."""
    journal = root / "experiments/study.jsonl"
    journal.write_text(content, encoding="utf-8")
    ran = assay("report", "study", "--root", root, "--charts", "none")
    assert ran.code == 2
    assert "study.jsonl" in ran.err


def groups(root: Path, *variants: str) -> None:
    """A run with a field in its rows, in which ``off`` is worse in Chinese only."""
    rows = [
        judged(
            f"q{n:02d}",
            variant,
            0.1 * (n % 5) + (variant == "on" and n % 2) * 0.4,
            language=("en", "zh")[n % 2],
        )
        for n in range(40)
        for variant in variants
    ]
    journal = write_rows(root / "experiments/grouped.jsonl", rows)
    write_header(journal, variants, baseline=variants[0], total=len(rows))


def test_a_metric_by_groups_in_every_format(assay: Program, root: Path):
    """``--by`` prints tables of the groups instead; CSV is one flat table."""
    groups(root, "on", "off")
    asked = ("report", "grouped", "--root", root, "--by", "language")
    printed = assay(*asked)
    assert printed.code == 0, printed.err
    assert "Recall@k by language" in printed.out
    assert "off: the effect differs between groups (language, p corrected" in printed.out
    assert not (root / "experiments/grouped.md").exists()
    assert assay(*asked, "--format", "markdown").out == printed.out
    rows = list(csv.DictReader(io.StringIO(assay(*asked, "--format", "csv").out)))
    assert [
        (row["group"], row["variant"], row["verdict"]) for row in rows if row["variant"] == "off"
    ] == [
        ("en", "off", "too few to say"),
        ("zh", "off", "worse"),
    ]
    tables = json.loads(assay(*asked, "--format", "json").out)
    assert [table["rows"][0]["label"] for table in tables] == ["en", "off"]
    assert "\\begin{tabular}" in assay(*asked, "--format", "latex").out
    assert "by language" in assay(*asked, "--metric", "cite_ok_rate").out


def test_fields_that_make_no_groups_are_refused(assay: Program, root: Path):
    """In one line that names the fields there are."""
    groups(root, "on", "off")
    for words in (("--by", "langage"), ("--by", "langage", "--format", "html")):
        refused = assay("report", "grouped", "--root", root, *words)
        assert refused.code == 2
        assert "did you mean 'language'?" in refused.err
        assert "language (2)" in refused.err
        assert refused.err.count("\n") == 1
    assert assay("report", "grouped", "--root", root, "--by", "").code == 2
    site = assay("report", "grouped", "--root", root, "--by", "language", "--site", root / "site")
    assert (site.code, "leave it out with --site" in site.err) == (2, True)


def test_one_variant_has_values_by_group(assay: Program, root: Path):
    """There is nothing to compare and so no test."""
    groups(root, "on")
    printed = assay("report", "grouped", "--root", root, "--by", "language").out
    assert "| en " in printed
    assert "Does the effect differ" not in printed


def test_tables_and_charts_in_one_command(assay: Program, root: Path):
    """``--format latex --charts pdf`` prints the tables and draws the charts; alone it draws none."""
    charts = root / "experiments/study/charts"
    alone = assay("report", "study", "--root", root, "--format", "latex")
    assert not charts.exists()
    both = assay("report", "study", "--root", root, "--format", "latex", "--charts", "pdf")
    assert both.code == 0, both.err
    assert both.out == alone.out
    assert both.err == f"charts   {charts}\n"
    assert {path.suffix for path in charts.iterdir()} == {".pdf"}
