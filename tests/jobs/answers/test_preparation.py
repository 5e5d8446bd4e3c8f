"""An experiment from its configuration to rows, summary and log lines."""

import hashlib
import json
import platform
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay import __version__
from assay.config.document import presets
from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.errors import AssayError, ConfigError, DatasetError, UseError
from assay.jobs.answers.handler import AblationHandler
from assay.jobs.answers.preparation import AblationOptions, check_experiments, prepare
from assay.jobs.answers.spec import AblationRow
from assay.jobs.corpus.new_workspace import create_workspace
from assay.jobs.experiment import all_experiments, choose_experiments
from assay.jobs.prepared import PreparedRun, RunOptions, run_prepared
from assay.records import Variant
from assay.runs.progress import LineReporter, Progress, SilentReporter, log_line
from assay.runs.summary import RunResult
from assay.systems.load import load_configuration, make_system_context
from assay.systems.scripted import ScriptedSystem
from tests.support.harbour import (
    CLERK,
    EXPERIMENTS,
    prepare_experiment,
    question,
    run_silently,
    write_harbour,
)

SEED_ROW = {
    "key",
    "question_id",
    "source",
    "config",
    "fast_mode",
    "dim",
    "top_k",
    "question",
    "answer",
    "citation_numbers",
    "citation_range_ok",
    "retrieved_chunk_ids",
    "gold_chunk_ids",
    "gold_metrics",
    "evaluation",
    "elapsed_s",
    "ts",
}


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    write_harbour(tmp_path)
    return tmp_path


def prepared(root: Path, name: str = "berths", **options: Any) -> PreparedRun:
    """An experiment of the workspace, prepared to run."""
    return prepare_experiment(root, name, **options)


def run(ablation: PreparedRun, **settings: Any) -> RunResult:
    """Run the experiment without any output."""
    return run_silently(ablation, **settings)


def check_all(root: Path, **options: Any) -> None:
    """Check all experiments of the workspace, as ``--all`` does."""
    workspace = Workspace(root=root)
    document = load_configuration(workspace)
    context = make_system_context(workspace, document)
    assert document is not None
    try:
        check_experiments(all_experiments(document), workspace, context, AblationOptions(**options))
    finally:
        context.close()


def rows(ablation: PreparedRun) -> list[dict[str, Any]]:
    """The rows in the journal."""
    return [json.loads(line) for line in ablation.journal.read_text().splitlines()]


def summary(ablation: PreparedRun) -> dict[str, Any]:
    """The content of the summary file."""
    content: dict[str, Any] = json.loads(ablation.journal.with_suffix(".json").read_text())
    return content


@pytest.mark.parametrize(
    ("configured", "limit", "asked"),
    [(None, None, 24), (5, None, 5), (5, 0, 24), (5, 3, 3), (0, None, 24), (None, 100, 24)],
)
def test_the_first_questions_in_file_order(
    root: Path, configured: int | None, limit: int | None, asked: int
):
    """``--limit`` overrides the configured limit; 0 and no limit mean all questions."""
    if configured is not None:
        limited = EXPERIMENTS.replace("values:", f"question_limit: {configured}\n    values:")
        write_harbour(root, experiments=limited)
    ablation = prepared(root, limit=limit)
    assert [
        case.question.id for case in ablation.plan.cases() if case.variant.name == "lookup_on"
    ] == [question(number)["id"] for number in range(1, asked + 1)]
    assert ablation.plan.total == 2 * asked


def test_presets_are_found_and_the_file_s_own_come_first(root: Path):
    """A preset can be named without an entry in the file; an entry in the file overrides it."""
    document = load_configuration(Workspace(root=root))
    names = [experiment.name for experiment in presets().value.experiments]
    assert {"mrl_dimension", "drift_filter", "multi_query", "hyde", "llm_rerank", "repack"} < {
        *names
    }
    for source in (document, None):
        choices = choose_experiments(source, presets(), names)
        assert [choice.experiment.name for choice in choices] == names
    write_harbour(root, experiments=EXPERIMENTS.replace("name: berths", "name: hyde"))
    assert prepared(root, "hyde").header.extra["ablation_variable"] == ["lookup"]


def test_every_preset_can_run_on_the_samples(tmp_path: Path):
    """All presets pass the checks in the workspace that ``assay init`` makes."""
    create_workspace(tmp_path / "w")
    check_all(tmp_path / "w")


@pytest.mark.parametrize(
    ("names", "all_of_file", "message"),
    [
        (["berth"], False, "there is no experiment 'berth'; did you mean 'berths'"),
        ([], False, "there are: berths, draws"),
        (["berths"], True, "not both"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused(
    root: Path, names: list[str], all_of_file: bool, message: str
):
    """An unknown, missing or contradictory choice is refused, and known names are listed."""
    options = AblationOptions(experiments=names, all_experiments=all_of_file)
    with pytest.raises(UseError, match=message):
        prepare(options, RunOptions(root=root))


def test_all_of_nothing_is_refused(tmp_path: Path):
    """``--all`` is refused if there is no file with experiments."""
    with pytest.raises(UseError, match="the configuration has no experiments"):
        prepare(AblationOptions(all_experiments=True), RunOptions(root=tmp_path))


@pytest.mark.parametrize(
    ("last", "error", "message"),
    [
        ("ablation_variable: lokup\n    values: [1, 2]", ConfigError, r"yaml:\d+: .*'lookup'"),
        ("questions_path: gone.jsonl", DatasetError, "gone.jsonl: cannot be read"),
        ("questions_path: ../out.jsonl", UseError, "lies outside"),
        ("system: python:nowhere:ask", UseError, "no Python module 'nowhere'"),
    ],
)
def test_all_are_checked_before_the_first_runs(
    root: Path, last: str, error: type[AssayError], message: str
):
    """An error in the last experiment is raised before the first one runs."""
    first = EXPERIMENTS.split("  - name: draws")[0]
    more = (
        "" if "variable" in last else "    ablation_variable: lookup\n    values: [true, false]\n"
    )
    write_harbour(root, experiments=f"{first}  - name: last\n    {last}\n{more}")
    with pytest.raises(error, match=message):
        check_all(root)


def test_two_of_one_name_are_refused(root: Path):
    """Two experiments with the same name are refused, because they would share a file."""
    first = EXPERIMENTS.split("  - name: draws")[0]
    write_harbour(root, experiments=first + first.removeprefix("experiments:\n"))
    with pytest.raises(UseError, match="two experiments are named 'berths'"):
        check_all(root)


def test_the_summary_says_what_was_run_on_what(root: Path):
    """The summary has the published fields, hashes, versions, all settings and times."""
    ablation = prepared(root, limit=4)
    result = run(ablation)
    assert result.is_complete
    content = summary(ablation)
    file = root / "questions/questions.jsonl"
    assert content["experiment_name"] == "berths"
    assert content["questions_path"] == "questions/questions.jsonl"
    assert (content["limit"], content["top_k"], content["total"]) == (4, 3, 8)
    assert content["variants"] == [
        {"name": "lookup_on", "settings": {"lookup": True}},
        {"name": "lookup_off", "settings": {"lookup": False}},
    ]
    assert content["started_at"] <= content["completed_at"]
    assert content["completed_at"].endswith("Z")
    assert content["questions_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert content["assay_version"] == __version__
    assert content["python_version"] == platform.python_version()
    assert (content["job"], content["system"], content["state"]) == (
        "ablation",
        f"{CLERK}@1",
        "complete",
    )
    assert content["extra"]["baseline"] == "lookup_on"
    assert content["extra"]["ablation_variable"] == ["lookup"]
    assert content["tally"] == {"scored": 8, "answered": 0, "failed": 0, "skipped": 0}


def test_a_system_with_a_corpus_has_its_hash_in_the_header(tmp_path: Path):
    """The header has the hash of the corpus; rows have settings, stages and passages."""
    create_workspace(tmp_path / "w")
    ablation = prepared(tmp_path / "w", "mrl_dimension", limit=1)
    assert run(ablation).is_complete
    assert len(summary(ablation)["extra"]["corpus_sha256"]) == 64
    assert summary(ablation)["extra"]["ordered"]["fast_dim_128"] == 128
    by_variant = {row["config"]: row for row in rows(ablation)}
    row = by_variant["fast_dim_256"]
    assert row.keys() >= SEED_ROW
    assert (row["fast_mode"], row["dim"]) == (True, 256)
    assert by_variant["normal_baseline"]["fast_mode"] is False
    assert {stage["name"] for stage in row["stages"]} == set(row["evaluation"])
    cited = set(row["cited_chunk_ids"])
    assert {passage["id"] for passage in row["passages"] if "text" in passage} == cited
    assert [passage["id"] for passage in row["passages"]] == row["retrieved_chunk_ids"]


def test_rows_have_the_seed_s_fields(root: Path):
    """A row has the published fields; a skipped row has the reason and no scores."""
    ablation = prepared(root, limit=13)
    run(ablation)
    by_key = {row["key"]: row for row in rows(ablation)}
    row = by_key["berth-001::lookup_on::topk=3"]
    assert row.keys() >= SEED_ROW | {"cite_ok", "cited_chunk_ids", "stages", "fingerprint"}
    assert (row["question_id"], row["source"], row["config"]) == (
        "berth-001",
        "quay 1",
        "lookup_on",
    )
    assert (row["top_k"], row["citation_numbers"], row["cited_chunk_ids"]) == (3, [1], ["fee-1"])
    assert row["retrieved_chunk_ids"] == ["fee-1", "hours"]
    assert row["gold_metrics"]["gold_coverage"] == 1.0
    skipped = by_key["berth-013::lookup_on::topk=3"]
    assert (skipped["status"], skipped["reason"]) == ("skipped", "the harbour has no berth 13")
    for name in ("answer", "scores", "gold_metrics", "cite_ok", "elapsed_s"):
        assert name not in skipped


def test_the_log_line_is_the_seed_s(root: Path, capsys: pytest.CaptureFixture[str]):
    """A log line has exactly the published format; a failed case has its error instead."""
    ablation = prepared(root, limit=3)
    replies = {
        "berth-001": {"answer": "5 [1].", "passages": ["fee-1"]},
        "berth-002": {"answer": "no", "passages": []},
    }
    ablation = replace(ablation, handler=AblationHandler(ScriptedSystem(replies)))
    run_prepared(
        ablation,
        settings=RunSettings(concurrency=1, retries=0),
        reporter=LineReporter,
    )
    # times depend on the machine, but their number of digits does not
    log = re.sub(r"elapsed=\d+\.\d\ds", "elapsed=0.00s", capsys.readouterr().err)
    lines = re.sub(r"ETA~\d+\.\dm", "ETA~0.0m", log).splitlines()
    eta = "ETA~0.0m"
    assert lines[0] == (
        f"[ablation] 1/6 config=lookup_on id=berth-001 elapsed=0.00s cite_ok=True gold_any=True {eta}"
    )
    assert lines[2] == (
        "[ablation] 3/6 config=lookup_off id=berth-002 elapsed=0.00s cite_ok=False "
        f"gold_any=False {eta}"
    )
    assert lines[4] == (
        "[ablation] 5/6 config=lookup_off id=berth-003 elapsed=0.00s failed: system: the script "
        f"has no answer for question 'berth-003' {eta}"
    )


def test_a_skipped_case_has_its_line_and_the_time_left(root: Path):
    """The line of a skipped case has no elapsed time; the time left is in minutes."""
    ablation = prepared(root)
    clock = iter([0.0, 100.0, 100.0, 100.0, 100.0])
    progress = Progress(total=48, clock=lambda: next(clock))
    progress.done = 10
    row = AblationRow(status="skipped", config="on", question_id="q", reason="no berth")
    lines = []
    run_prepared(
        ablation,
        settings=RunSettings(),
        reporter=lambda handler: (
            lines.append(log_line(progress, row, handler)) or SilentReporter()  # type: ignore[func-returns-value]
        ),
    )
    assert lines == ["[ablation] 10/48 config=on id=q skipped: no berth ETA~6.3m"]


def test_what_is_about_to_run_is_described(root: Path):
    """The description has the name, system, variable, variants, baseline, questions and cases."""
    assert list(prepared(root).description) == [
        "experiment  berths: Does the fee table help?",
        f"system      {CLERK}@1",
        "changes     lookup (single, baseline normal)",
        "variants    lookup_on, lookup_off; compared with lookup_on",
        "primary     Recall@3 (avg_gold_coverage)",
        "questions   24 of questions/questions.jsonl, top_k 3, 48 cases",
    ]


def test_the_command_line_wins_over_the_file(root: Path, tmp_path: Path):
    """The options for system, top_k and folder override the file."""
    ablation = prepared(root, top_k=7, out=tmp_path / "o", system="command:cat")
    assert ablation.header.top_k == 7
    assert ablation.journal == tmp_path / "o" / "berths.jsonl"
    assert ablation.system.identity.startswith("command:cat")
    assert ablation.plan.variants[0] == Variant(
        name="lookup_on", settings={"fast_mode": False, "lookup": True}
    )


def test_no_questions_is_said_with_the_place(root: Path):
    """The error names the missing key and the file and line of the experiment."""
    path = root / "experiments/experiments.yaml"
    path.write_text(path.read_text().replace("  questions_path: questions/questions.jsonl\n", ""))
    with pytest.raises(UseError, match=r"experiments\.yaml:\d+: no questions; .*questions_path"):
        prepared(root)
