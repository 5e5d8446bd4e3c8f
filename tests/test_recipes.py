"""The recipes of ARCHITECTURE.md work: a test follows each in a copy of the project.

After the last step, the command line of the copy must show what the recipe promises.
"""

import importlib
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from assay.records import Status
from tests.support import recipe_source, recital
from tests.support.harbour import write_harbour
from tests.support.path import ROOT
from tests.support.recipe import (
    PAGE,
    AddEntry,
    Change,
    ProjectCopy,
    Step,
    Translate,
    Write,
    files_to_read,
    section,
    steps,
)

PACKAGE = ROOT / "src" / "assay"
ARCHITECTURE = (ROOT / PAGE).read_text(encoding="utf-8")
ABLATE = ("ablate", "-e", "berths", "--concurrency", "1", "--no-report")

CHECKED = ("layers", "index", "missing_texts")
"""What a job may break outside of its own files."""
TRANSLATED = ("missing_texts", "translations", "unused_texts")
"""What is checked of texts that are to be translated."""
MOST_LINES = 150
"""Of a small job."""
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


@pytest.fixture
def project(tmp_path: Path) -> ProjectCopy:
    """A copy of the project, in which nothing has been changed yet."""
    return ProjectCopy(tmp_path / "project")


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A workspace with an experiment of two variants."""
    write_harbour(tmp_path / "harbour", questions=6)
    return tmp_path / "harbour"


def rows(journal: Path) -> list[dict[str, Any]]:
    """The rows of a journal, in file order."""
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


def test_the_recipe_for_a_scorer(project: ProjectCopy, harbour: Path):
    """It is enough for rows, tables in Chinese, scoring again, the docs and the repository's checks."""
    project.assay(*ABLATE, "--limit", 3, folder=harbour)
    project.follow(
        "A scorer",
        {"NAME": "answer_length"},
        [
            [Write("src/assay/checks/catalogue/answer_length.py", recipe_source.SCORER)],
            [Write("tests/checks/catalogue/test_answer_length.py", recipe_source.SCORER_TEST)],
            [
                Translate(
                    project,
                    {
                        "characters": ("个字符", "символов"),
                        "nothing is answered": ("没有回答", "ответа нет"),
                    },
                )
            ],
        ],
    )
    project.python("-c", "from hatch_build import compile_words; compile_words()")
    project.assay(*ABLATE, folder=harbour)
    recorded = rows(harbour / "experiments/berths.jsonl")
    assert [row["scores"].get("answer_length") for row in recorded] == [None] * 6 + [22] * 6
    scored = project.assay("score", "berths", folder=harbour)
    assert "scores: 6 changed" in scored.stdout
    rescored = rows(harbour / "experiments/berths.rescored.jsonl")
    assert [row["scores"]["answer_length"] for row in rescored] == [22] * 12
    words = ("report", "berths.rescored", "--charts", "none", "--lang", "zh")
    report = project.assay(*words, folder=harbour)
    assert re.search(r"^回答长度.* 22\.0+ +22\.0+$", report.stdout, re.MULTILINE), report.stdout
    project.python("tools/generate_docs.py")
    line = "| `answer_length` | Length of the answer, characters · 回答长度（个字符） · "
    assert line in (project.root / "docs/metrics.md").read_text(encoding="utf-8")
    tested = ("src/assay/checks/catalogue", "tests/checks/catalogue")
    passed = project.python("-m", "pytest", "-v", "-p", "no:cacheprovider", *tested).stdout
    assert passed.count("answer_length") >= 2  # its example, and its test
    assert "failed" not in passed
    project.python("-m", "tools.check_repository", *CHECKED, "prefixes", *TRANSLATED)


def test_the_recipe_for_a_metric_of_a_job(project: ProjectCopy):
    """It is in the scores of an answer, among the metrics of the job, and in the docs."""
    spec, score = "src/assay/jobs/quality/spec.py", "src/assay/jobs/quality/score.py"
    project.follow(
        "A metric of a job",
        {"JOB": "quality"},
        [
            [Change(spec, "    *LATENCY,\n)", recipe_source.METRIC)],
            [
                Change(
                    score,
                    '            "base_score": base',
                    '            "no_page": None if not cites else len(cited) == 0,\n'
                    '            "base_score": base',
                )
            ],
            [Translate(project, {"the answer cites nothing": ("没有引用", "ссылок нет")})],
        ],
    )
    code = (
        "from assay.jobs.quality.question import Expectation\n"
        "from assay.jobs.quality.score import score_answer\n"
        "from assay.results.job import job_spec\n"
        "metric = job_spec('quality').metric('no_page_rate')\n"
        "row = score_answer(Expectation(), 'Why?', 'Paid (p. 2).', None)\n"
        "print(metric.field, row['metrics']['no_page'])"
    )
    assert project.python("-c", code).stdout == "metrics.no_page False\n"
    project.python("tools/generate_docs.py")
    assert "| `no_page_rate` | No page " in (project.root / "docs/metrics.md").read_text("utf-8")
    project.python("-m", "tools.check_repository", *TRANSLATED)


def test_the_recipe_for_a_job(project: ProjectCopy, tmp_path: Path):
    """Its command runs, resumes and reports, and the house is still valid."""
    room = "src/assay/jobs/recital"
    project.follow(
        "A job",
        {"NAME": "recital"},
        [
            [Write(f"{room}/__init__.py", recital.DOOR), Write(f"{room}/spec.py", recital.SPEC)],
            [AddEntry("src/assay/registry.py", "JOB_SPECS")],
        ],
    )
    assert (recital.DOOR + recital.SPEC).count("\n") <= MOST_LINES
    what = "Ask a system to repeat the lines of a file"
    assert re.search(rf"recital +{what}", project.assay("--help", folder=tmp_path).stdout)
    work = tmp_path / "work"
    work.mkdir()
    (work / "echo.py").write_text("def ask(question):\n    return question.strip()\n")
    words = ("recital", "poem.txt", "--system", "python:echo:ask", "--log-lines")
    (work / "poem.txt").write_text("one\n two\n")
    first = project.assay(*words, "--no-report", folder=work)
    assert re.findall(r"^\[recital\] \d/\d", first.stdout, re.MULTILINE) == [
        "[recital] 1/2",
        "[recital] 2/2",
    ]
    (work / "poem.txt").write_text("one\n two\nthree\n")
    resumed = project.assay(*words, "--no-report", folder=work)
    assert re.findall(r"^\[recital\].*id=(\S+)", resumed.stdout, re.MULTILINE) == ["line-3"]
    exact = {
        row["question_id"]: row["scores"]["exact"] for row in rows(work / "experiments/poem.jsonl")
    }
    assert exact == {"line-1": True, "line-2": False, "line-3": True}
    assert "no score changed" in project.assay("score", "poem", folder=work).stdout
    report = project.assay("report", "poem", "--charts", "none", "--lang", "ru", folder=work)
    assert re.search(
        r"^вариант +прочитано дословно .*\n +exact_rate .*\nplain +0\.667 ",
        report.stdout,
        re.MULTILINE,
    )
    listed = project.assay("list", folder=work)
    assert re.search(
        r"^poem +recital .* complete\n  3 questions, .*exact_rate\)? 0\.667$",
        listed.stdout,
        re.MULTILINE,
    )
    assert f"{what}, and count" in project.assay("recital", "--help", folder=work).stdout
    tested = ("tests/results/test_spec.py", f"{room}/spec.py")
    project.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "recital", *tested)
    project.python("-m", "tools.check_repository", *CHECKED)
    project.python("-c", LINT_IMPORTS)


def test_the_recipe_for_a_system(project: ProjectCopy, harbour: Path):
    """Its word is known to ``--system``, and gets what follows the colon."""
    project.follow(
        "A system",
        {"NAME": "parrot"},
        [
            [Write("src/assay/systems/parrot.py", recipe_source.SYSTEM)],
            [AddEntry("src/assay/systems/load.py", "SYSTEMS")],
            [
                Change(
                    "docs/adapters.md",
                    "| [replay](#replay) |",
                    "| parrot | `parrot:ENDING` | trying things out |\n| [replay](#replay) |",
                )
            ],
        ],
    )
    project.assay(*ABLATE, "--limit", 1, "--system", "parrot:!", folder=harbour)
    answers = {row["answer"] for row in rows(harbour / "experiments/berths.jsonl")}
    assert answers == {"What does berth 1 of the harbour cost a night?!"}
    summary = json.loads((harbour / "experiments/berths.json").read_text(encoding="utf-8"))
    assert summary["system"] == "parrot-1:!"
    unknown = project.assay(*ABLATE, "--system", "parott:!", folder=harbour, code=2)
    assert "did you mean 'parrot:…'?" in unknown.stderr


def test_the_recipe_for_a_chart(project: ProjectCopy, harbour: Path):
    """The report has the new chart beside the others."""
    study = "src/assay/study/chart.py"
    effect = "from assay.report.chart.effect import"
    imported = "from assay.report.chart.dot import dot_chart\n"
    project.follow(
        "A chart",
        {"NAME": "dot"},
        [
            [Write("src/assay/report/chart/dot.py", recipe_source.CHART)],
            [
                Change(study, effect, imported + effect),
                Change(study, "def _profile(", recipe_source.CHART_CALL),
                Change(study, "(_bars, _effects,", "(_bars, _dots, _effects,"),
            ],
            [
                Change(
                    "docs/statistics.md",
                    "| `effect-METRIC` |",
                    "| `dot-METRIC` | one metric for all variants |\n| `effect-METRIC` |",
                )
            ],
        ],
    )
    project.assay(*ABLATE, "--limit", 2, folder=harbour)
    project.assay("report", "berths", folder=harbour)
    name = "dot-avg_gold_coverage.png"
    chart = (harbour / "experiments/berths/charts" / name).read_bytes()
    assert chart.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(chart[start : start + 4]) for start in (16, 20))
    assert width == pytest.approx(3.35 * 300, abs=2)  # one column of a paper with 300 dpi
    assert height > 300
    assert f"(<berths/charts/{name}>)" in (harbour / "experiments/berths.md").read_text()


def test_the_recipe_for_a_journal_field(project: ProjectCopy, harbour: Path):
    """New rows have the field; a run whose older rows lack it is resumed and read."""
    project.assay(*ABLATE, "--limit", 2, folder=harbour)
    row, handler = "src/assay/jobs/answers/spec.py", "src/assay/jobs/answers/handler.py"
    project.follow(
        "A journal field",
        {"JOB": "answers", "docs/answers.md": "docs/ablation.md"},
        [
            [
                Change(
                    row,
                    "    abstained: bool | UnsetType = UNSET\n",
                    "    abstained: bool | UnsetType = UNSET\n    words: int | UnsetType = UNSET\n",
                )
            ],
            [
                Change(
                    handler,
                    "            answer=answer.text,\n",
                    "            answer=answer.text,\n            words=len(answer.text.split()),\n",
                )
            ],
            [
                Change(
                    "docs/ablation.md",
                    "| `gold_metrics`, `abstained` | as above |\n",
                    "| `gold_metrics`, `abstained` | as above |\n| `words` | of the answer |\n",
                )
            ],
        ],
    )
    resumed = project.assay(*ABLATE, "--limit", 3, "--log-lines", folder=harbour)
    assert len(re.findall(r"^\[ablation\] \d/6", resumed.stdout, re.MULTILINE)) == 2
    recorded = rows(harbour / "experiments/berths.jsonl")
    assert [row.get("words") for row in recorded] == [None] * 4 + [5] * 2
    report = project.assay("report", "berths", "--charts", "none", folder=harbour)
    assert re.search(r"^scored +3 +3$", report.stdout, re.MULTILINE)
    assert "no score changed" in project.assay("score", "berths", folder=harbour).stdout


def test_the_recipe_for_a_log_line(project: ProjectCopy, harbour: Path):
    """The job's words are in the line that all jobs share."""
    handler = "src/assay/jobs/answers/handler.py"
    project.follow(
        "A log line",
        {"JOB": "answers"},
        [
            [
                Change(
                    handler, "gold_any={gold_any}", "gold_any={gold_any} silent={row.abstained}"
                ),
                Change(handler, "    def result(", recipe_source.WHERE),
            ]
        ],
    )
    ran = project.assay(*ABLATE, "--limit", 1, "--log-lines", folder=harbour)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("[")]
    end = r"elapsed=\d+\.\d\ds cite_ok=True gold_any=True silent=False ETA~\d+\.\dm"
    for number, (line, variant) in enumerate(
        zip(lines, ("lookup_on", "lookup_off"), strict=True), 1
    ):
        start = rf"\[ablation\] {number}/2 config={variant} quay=quay 1 id=berth-001 "
        assert re.fullmatch(start + end, line)


def test_what_the_recipes_say_to_read_exists():
    """The shorter paths are those of files in the package."""
    named = files_to_read(ARCHITECTURE)
    assert named
    assert [path for path in named if not (PACKAGE / path).is_file()] == []


def test_the_way_of_a_case_is_short():
    """It has at most 15 stops."""
    assert 1 < len(way_of_a_case()) <= 15


def test_what_the_way_of_a_case_names_exists():
    """Files, modules, classes and functions that it names are in the package."""
    names = {code for stop in way_of_a_case() for code in stop.code}
    assert sorted(name for name in names if not exists(name)) == []


def way_of_a_case() -> list[Step]:
    """The stops of a case from the command line to the report."""
    return steps(section(ARCHITECTURE, "The way of a case"))


def exists(name: str) -> bool:
    """Whether a name in backticks means something: code of the package, or a key or an option."""
    if name.endswith(".py"):
        return bool(list(PACKAGE.glob(name)))
    if re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", name):
        return name in get_args(Status) or is_in_package(name)
    if defined := re.fullmatch(r"([A-Z][a-z]\w+)|([a-z_]+)\(.*\)", name):
        definition = re.compile(rf"^\s*(class|def) {defined[1] or defined[2]}\b", re.MULTILINE)
        sources = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
        return any(map(definition.search, sources))
    return bool(re.search("::|-|^NAME", name))  # a key, an option or a file of a workspace


def is_in_package(name: str) -> bool:
    """Whether ``room.module`` or ``room.module.function`` can be imported from the package."""
    try:
        importlib.import_module(f"assay.{name}")
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return bool(module) and hasattr(importlib.import_module(f"assay.{module}"), attribute)
    return True
