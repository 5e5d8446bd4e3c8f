"""An experiment from its file to rows, summary and log lines."""

import hashlib
import json
import platform
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay import __version__
from assay.config import RunSettings, Workspace
from assay.errors import AssayError, ConfigError, DatasetError, UseError
from assay.jobs.ablation.handler import AblationHandler
from assay.jobs.ablation.preparation import AblationOptions, check_experiments, prepare
from assay.jobs.ablation.preset import presets
from assay.jobs.corpus.workspace import create_workspace
from assay.jobs.experiment import all_experiments, choose_experiments
from assay.jobs.prepared import PreparedRun, RunOptions, run_prepared
from assay.jobs.setup import load_configuration, make_system_context
from assay.records import Variant
from assay.runner import Progress, RunResult
from assay.runner.progress import LineReporter, SilentReporter
from assay.systems import ScriptedSystem
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


def ran(run: PreparedRun, **settings: Any) -> RunResult:
    """The experiment run in silence."""
    return run_silently(run, **settings)


def checked(root: Path, **overrides: Any) -> None:
    """Check all experiments of the workspace, as ``--all`` does."""
    workspace = Workspace(root=root)
    document = load_configuration(workspace)
    around = make_system_context(workspace, document)
    assert document is not None
    try:
        check_experiments(
            all_experiments(document), workspace, around, AblationOptions(**overrides)
        )
    finally:
        around.close()


def rows(ablation: PreparedRun) -> list[dict[str, Any]]:
    """What was written."""
    return [json.loads(line) for line in ablation.journal.read_text().splitlines()]


def summary(ablation: PreparedRun) -> dict[str, Any]:
    """The summary beside it."""
    made: dict[str, Any] = json.loads(ablation.journal.with_suffix(".json").read_text())
    return made


@pytest.mark.parametrize(
    ("configured", "given", "asked"),
    [(None, None, 24), (5, None, 5), (5, 0, 24), (5, 3, 3), (0, None, 24), (None, 100, 24)],
)
def test_the_first_questions_in_file_order(
    root: Path, configured: int | None, given: int | None, asked: int
):
    """``--limit`` wins over the file; 0 and nothing are all."""
    if configured is not None:
        limited = EXPERIMENTS.replace("values:", f"question_limit: {configured}\n    values:")
        write_harbour(root, experiments=limited)
    ablation = prepared(root, limit=given)
    assert [
        case.question.id for case in ablation.plan.cases() if case.variant.name == "lookup_on"
    ] == [question(number)["id"] for number in range(1, asked + 1)]
    assert ablation.plan.total == 2 * asked


def test_presets_are_found_and_the_file_s_own_come_first(root: Path):
    """Every shipped experiment can be named without being written down."""
    document = load_configuration(Workspace(root=root))
    names = [one.name for one in presets().value.experiments]
    assert {"mrl_dimension", "drift_filter", "multi_query", "hyde", "llm_rerank", "repack"} < {
        *names
    }
    assert [one.experiment.name for one in choose_experiments(document, presets(), names)] == names
    assert [one.experiment.name for one in choose_experiments(None, presets(), names)] == names
    own = EXPERIMENTS.replace("name: berths", "name: hyde")
    write_harbour(root, experiments=own)
    assert prepared(root, "hyde").header.extra["ablation_variable"] == ["lookup"]


def test_every_preset_can_run_on_the_samples(tmp_path: Path):
    """All shipped experiments pass the checks of the workspace that ``assay init`` makes."""
    create_workspace(tmp_path / "w")
    checked(tmp_path / "w")


@pytest.mark.parametrize(
    ("names", "everything", "words"),
    [
        (["berth"], False, "there is no experiment 'berth'; did you mean 'berths'"),
        ([], False, "there are: berths, draws"),
        (["berths"], True, "not both"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused(
    root: Path, names: list[str], everything: bool, words: str
):
    """The line says what there is."""
    options = AblationOptions(experiments=names, all_experiments=everything)
    with pytest.raises(UseError, match=words):
        prepare(options, RunOptions(root=root))


def test_all_of_nothing_is_refused(tmp_path: Path):
    """Without a file there is nothing to run all of."""
    with pytest.raises(UseError, match="no experiments to run all of"):
        prepare(AblationOptions(all_experiments=True), RunOptions(root=tmp_path))


@pytest.mark.parametrize(
    ("last", "kind", "words"),
    [
        ("ablation_variable: lokup\n    values: [1, 2]", ConfigError, r"yaml:\d+: .*'lookup'"),
        ("questions_path: gone.jsonl", DatasetError, "gone.jsonl: cannot be read"),
        ("questions_path: ../out.jsonl", UseError, "lies outside"),
        ("system: python:nowhere:ask", UseError, "no Python module 'nowhere'"),
    ],
)
def test_all_are_checked_before_the_first_runs(
    root: Path, last: str, kind: type[AssayError], words: str
):
    """What is wrong with the last is said before anything is asked of the first."""
    first = EXPERIMENTS.split("  - name: draws")[0]
    more = (
        "" if "variable" in last else "    ablation_variable: lookup\n    values: [true, false]\n"
    )
    write_harbour(root, experiments=f"{first}  - name: last\n    {last}\n{more}")
    with pytest.raises(kind, match=words):
        checked(root)


def test_two_of_one_name_are_refused(root: Path):
    """Their rows would go into one file."""
    first = EXPERIMENTS.split("  - name: draws")[0]
    write_harbour(root, experiments=first + first.removeprefix("experiments:\n"))
    with pytest.raises(UseError, match="two experiments are named 'berths'"):
        checked(root)


def test_the_summary_says_what_was_run_on_what(root: Path):
    """The seed's header, hashes, versions, settings in full, times."""
    ablation = prepared(root, limit=4)
    result = ran(ablation)
    assert result.is_complete
    made = summary(ablation)
    file = root / "questions/questions.jsonl"
    assert made["experiment_name"] == "berths"
    assert made["questions_path"] == "questions/questions.jsonl"
    assert (made["limit"], made["top_k"], made["total"]) == (4, 3, 8)
    assert made["variants"] == [
        {"name": "lookup_on", "settings": {"lookup": True}},
        {"name": "lookup_off", "settings": {"lookup": False}},
    ]
    assert made["started_at"] <= made["completed_at"]
    assert made["completed_at"].endswith("Z")
    assert made["questions_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert made["assay_version"] == __version__
    assert made["python_version"] == platform.python_version()
    assert (made["job"], made["system"], made["state"]) == ("ablation", f"{CLERK}@1", "complete")
    assert made["extra"]["baseline"] == "lookup_on"
    assert made["extra"]["ablation_variable"] == ["lookup"]
    assert made["tally"] == {"scored": 8, "failed": 0, "skipped": 0}


def test_a_system_with_a_corpus_has_its_hash_in_the_header(tmp_path: Path):
    """The reference pipeline's rows have the pipeline's settings, stages and passages."""
    create_workspace(tmp_path / "w")
    ablation = prepared(tmp_path / "w", "mrl_dimension", limit=1)
    assert ran(ablation).is_complete
    assert len(summary(ablation)["extra"]["corpus_sha256"]) == 64
    assert summary(ablation)["extra"]["ordered"]["fast_dim_128"] == 128
    by_variant = {row["config"]: row for row in rows(ablation)}
    row = by_variant["fast_dim_256"]
    assert row.keys() >= SEED_ROW
    assert (row["fast_mode"], row["dim"]) == (True, 256)
    assert by_variant["normal_baseline"]["fast_mode"] is False
    assert {stage["name"] for stage in row["stages"]} == set(row["evaluation"])
    cited = set(row["cited_chunk_ids"])
    assert {one["id"] for one in row["passages"] if "text" in one} == cited
    assert [one["id"] for one in row["passages"]] == row["retrieved_chunk_ids"]


def test_rows_have_the_seed_s_fields(root: Path):
    """Under their names; a failed or skipped row has the question and how it ended, no score."""
    ablation = prepared(root, limit=13)
    ran(ablation)
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
    """Word by word; a case without scores says how it ended in their place."""
    ablation = prepared(root, limit=3)
    replies = {"berth-001": {"answer": "5 [1].", "passages": ["fee-1"]}, "berth-002": "no"}
    ablation = replace(ablation, handler=AblationHandler(ScriptedSystem(replies)))
    run_prepared(
        ablation,
        settings=RunSettings(concurrency=1, retries=0),
        reporter=lambda handler: LineReporter(handler.line),
    )
    # how long it took is the machine's affair; two digits are the format's
    said = re.sub(r"elapsed=\d+\.\d\ds", "elapsed=0.00s", capsys.readouterr().err)
    lines = re.sub(r"ETA~\d+\.\dm", "ETA~0.0m", said).splitlines()
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
    """No elapsed time is made up; minutes to go have one digit."""
    ablation = prepared(root)
    clock = iter([0.0, 100.0, 100.0, 100.0, 100.0])
    progress = Progress(total=48, clock=lambda: next(clock))
    progress.done = 10
    row = {"status": "skipped", "config": "on", "question_id": "q", "reason": "no berth"}
    lines = []
    run_prepared(
        ablation,
        settings=RunSettings(),
        reporter=lambda handler: lines.append(handler.line(progress, row)) or SilentReporter(),  # type: ignore[func-returns-value]
    )
    assert lines == ["[ablation] 10/48 config=on id=q skipped: no berth ETA~6.3m"]


def test_what_is_about_to_run_is_described(root: Path):
    """Name, system, variable, variants, the one compared with, questions and cases."""
    assert list(prepared(root).description) == [
        "experiment  berths: Does the fee table help?",
        f"system      {CLERK}@1",
        "changes     lookup (single, baseline normal)",
        "variants    lookup_on, lookup_off; compared with lookup_on",
        "questions   24 of questions/questions.jsonl, top_k 3, 48 cases",
    ]


def test_the_command_line_wins_over_the_file(root: Path, tmp_path: Path):
    """System, top_k and folder can be given."""
    ablation = prepared(root, top_k=7, out_dir=tmp_path / "o", system="command:cat")
    assert ablation.header.top_k == 7
    assert ablation.journal == tmp_path / "o" / "berths.jsonl"
    assert ablation.system.identity.startswith("command:cat")
    assert ablation.plan.variants[0] == Variant(
        name="lookup_on", settings={"fast_mode": False, "lookup": True}
    )


def test_no_questions_is_said_with_the_place(root: Path):
    """The line names the key to write and the file to write it in."""
    path = root / "experiments/experiments.yaml"
    path.write_text(path.read_text().replace("  questions_path: questions/questions.jsonl\n", ""))
    with pytest.raises(UseError, match=r"experiments\.yaml:\d+: no questions; .*questions_path"):
        prepared(root)
