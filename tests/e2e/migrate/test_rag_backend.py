"""The RAG backend under ablation: its repository as its owner has it, and its commands."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EVAL = Path("Research Files", "rag_eval")
EXPERIMENTS = """\
defaults:
  questions_path: "Research Files/rag_eval/questions/questions_clean_allow_meta_100.jsonl"
  corpus_dir: "Research Files/rag_eval/corpus"
  chunks_manifest: "Research Files/rag_eval/chunks/manifest.json"
  embedding_cache_dir: "Research Files/rag_eval/embeddings"
  top_k: 10
experiments:
  - name: "mrl_dimension_ablation"
    description: "Compare MRL dimensions in Fast mode"
    baseline: "fast"
    ablation_variable: "mrl_dimension"      # a label, not a setting's name
    variants:
      - { dim: 128, name: "fast_dim_128" }
      - { dim: 256, name: "fast_dim_256" }
    include_normal_baseline: true
    question_limit: 100
  - name: "drift_filter_ablation"
    baseline: "normal"
    ablation_variable: "drift_filter"        # likewise: hyde, multi_query, llm_rerank
    variants:
      - { drift_filter_enabled: true, name: "drift_on" }
      - { drift_filter_enabled: false, name: "drift_off" }
"""
CONFIG = """
import os
from pydantic import BaseModel, Field, SecretStr

def variable(name, value):  # as pydantic-settings reads it, with env_prefix
    return Field(default_factory=lambda: type(value)(os.environ.get(name, value)))

class Settings(BaseModel):
    fast_mode: bool = False
    rrf_k: int = variable("ERR_RRF_K", 60)
    chat_model_simple: str = variable("OPENROUTER_CHAT_MODEL_SIMPLE", "simple-model")
    reranker: SecretStr = variable("ERR_RERANKER", "")
    embedding_dim: int = 2048
    embedding_dim_fast_mode: int = 1024
    drift_filter_enabled: bool = True
    drift_sim_threshold: float = 0.3
    query_fusion_enabled: bool = True
    hyde_enabled: bool = True
    llm_rerank_enabled: bool = True
    repack_strategy: str = "reverse"
    openrouter_api_key: str = variable("OPENROUTER_API_KEY", "")
    max_tokens: int = 400
    openrouter_base_url: str = "http://127.0.0.1:9/v1"
"""
BACKEND = '''
"""A backend for one user: one session, one document in it at a time."""
import json
from dataclasses import dataclass, field
from pathlib import Path

CHUNKS = Path("Research Files/rag_eval/chunks")
FOUND = {  # the last digits of the chunks that each way of searching finds
    "128": {"q1": "12", "q2": "21", "q3": "23", "q4": "21"},
    "256": {"q1": "12", "q2": "23", "q3": "13", "q4": "21"},
    "normal": {"q1": "1", "q2": "23", "q3": "1", "q4": "23"},
    "unfiltered": {"q1": "31", "q2": "32", "q3": "21", "q4": "1"},
}

@dataclass
class Session:
    chat_history: list = field(default_factory=list)
    reference_ids: dict = field(default_factory=dict)
    references: list = field(default_factory=list)
    latest_evaluation: dict | None = None
    source: str | None = None

session = Session()
ingested = {}

@dataclass
class Request:
    question_id: str
    question: str
    top_k: int

@dataclass
class Citation:
    id: str
    text: str

@dataclass
class Response:
    answer: str
    citations: list

def ingest_one(source):
    """Slow: it must be done once a source, before any question."""
    with open("ingested.log", "a") as log:
        log.write(source + "\\\\n")
    lines = (CHUNKS / f"{source}.jsonl").read_text().splitlines()
    ingested[source] = {chunk["id"]: chunk["text"] for chunk in map(json.loads, lines)}

def chat(request, settings, client):
    """Answer from the session's document; `settings` was cloned for this call."""
    assert session.chat_history == [] and session.latest_evaluation is None, "not flushed"
    session.chat_history.append(request.question)
    chunks = ingested[session.source]
    if settings.fast_mode:
        way = str(settings.embedding_dim_fast_mode)
    else:
        way = "normal" if settings.drift_filter_enabled else "unfiltered"
    ids = [f"{session.source}-{digit}" for digit in FOUND[way][request.question_id]]
    session.latest_evaluation = {"search": {"way": way, "kept": len(ids)}, "model": client}
    answer = "See [3]." if way == "128" and request.question_id == "q4" else "See [1]."
    return Response(answer, [Citation(name, chunks[name]) for name in ids[: request.top_k]])
'''
ADAPTER = """
from backend.app.chat import Request, chat, ingest_one, session
from backend.app.config import Settings

SETTINGS = Settings
BASE = Settings()

def prepare(sources):
    for source in sources:
        ingest_one(source)

def reset():
    session.chat_history = []
    session.reference_ids = {}
    session.references = []
    session.latest_evaluation = None

def ask(question, question_id, source, row, settings, top_k):
    assert row == {"difficulty": "easy"}, row
    session.source = source
    response = chat(Request(question_id, question, top_k), BASE.model_copy(update=settings), "m")
    return {
        "answer": response.answer,
        "passages": [{"id": each.id, "text": each.text} for each in response.citations],
        "evaluation": session.latest_evaluation,
    }
"""
GOLD = {"q1": ["act-1"], "q2": ["act-2", "act-3"], "q3": ["law-1"], "q4": ["law-2", "law-3"]}
SEED_FIELDS = (
    "key", "question_id", "source", "config", "fast_mode", "dim", "top_k", "question", "answer",
    "citation_numbers", "citation_range_ok", "retrieved_chunk_ids", "gold_chunk_ids",
    "gold_metrics", "evaluation", "elapsed_s", "ts",
)  # fmt: skip


@pytest.fixture(name="repository")
def _repository(assay: Any) -> Path:
    """The owner's repository, in the folder of the command."""
    root: Path = assay.folder
    app = root / "backend" / "app"
    app.mkdir(parents=True)
    (app / "config.py").write_text(CONFIG, encoding="utf-8")
    (app / "chat.py").write_text(BACKEND.replace("\\\\n", "\\n"), encoding="utf-8")
    (root / "err_system.py").write_text(ADAPTER, encoding="utf-8")
    for folder in ("questions", "corpus", "chunks", "embeddings", "experiments"):
        (root / EVAL / folder).mkdir(parents=True)
    (root / EVAL / "experiments" / "experiments.yaml").write_text(EXPERIMENTS, encoding="utf-8")
    lines = [
        {"id": name, "question": f"What is in {name}?", "source": gold[0].split("-")[0],
         "bundle": [{"chunk_id": chunk} for chunk in gold], "difficulty": "easy"}
        for name, gold in GOLD.items()
    ]  # fmt: skip
    path = root / EVAL / "questions" / "questions_clean_allow_meta_100.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for source in ("act", "law"):
        chunks = [{"id": f"{source}-{n}", "text": f"Chunk {n} of the {source}."} for n in (1, 2, 3)]
        chunk_file = root / EVAL / "chunks" / f"{source}.jsonl"
        chunk_file.write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))
        np.save(root / EVAL / "embeddings" / f"{source}.npy", np.eye(3, 8, dtype=np.float32))
    return root


def ablate(assay: Any, name: str, *words: str, env: dict[str, str] | None = None) -> Any:
    """Run an experiment of the owner with the owner's backend."""
    before = assay.environment
    assay.environment = {**before, **(env or {})}
    try:
        system = ("--system", "python:err_system:ask")
        return assay.run("ablate", "-e", name, *system, "--log-lines", *words)
    finally:
        assay.environment = before


def metrics(repository: Path, experiment: str) -> dict[str, dict[str, Any]]:
    """The seed's quality metrics of each variant, from the summary."""
    path = repository / EVAL / "experiments" / f"{experiment}.json"
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    names = ("cite_ok_rate", "gold_hit_any_rate", "gold_hit_all_rate", "avg_gold_coverage")
    return {
        variant: {name: found[name] for name in names}
        for variant, found in results["variants"].items()
    }


def test_the_owner_s_experiments_run_unchanged(assay: Any, repository: Path):
    """From the repository's top, with labels as variables, without a manifest."""
    done = ablate(assay, "mrl_dimension_ablation")
    assert done.returncode == 0, done.stderr
    assert metrics(repository, "mrl_dimension_ablation") == {
        # found: q1 1 of 1, q2 1 of 2, q3 0 of 1, q4 1 of 2; q4 cites a passage that is not there
        "fast_dim_128": {
            "cite_ok_rate": 0.75, "gold_hit_any_rate": 0.75, "gold_hit_all_rate": 0.25,
            "avg_gold_coverage": 0.5,
        },
        # found: 1 of 1, 2 of 2, 1 of 1, 1 of 2
        "fast_dim_256": {
            "cite_ok_rate": 1.0, "gold_hit_any_rate": 1.0, "gold_hit_all_rate": 0.75,
            "avg_gold_coverage": 0.875,
        },
        "normal_baseline": {
            "cite_ok_rate": 1.0, "gold_hit_any_rate": 1.0, "gold_hit_all_rate": 1.0,
            "avg_gold_coverage": 1.0,
        },
    }  # fmt: skip
    table = (repository / EVAL / "experiments" / "mrl_dimension_ablation.md").read_text()
    assert "0.875" in table
    # each document was ingested once, before the questions, for all variants
    assert (repository / "ingested.log").read_text().split() == ["act", "law"]
    check_rows(assay.rows(str(EVAL / "experiments" / "mrl_dimension_ablation.jsonl")))


def check_rows(rows: list[dict[str, Any]]) -> None:
    """Rows have the fields and the nesting that the owner's ``summarize_results.py`` reads."""
    assert len(rows) == 12
    assert all(set(SEED_FIELDS) <= row.keys() for row in rows)
    row = next(row for row in rows if row["key"] == "q2::fast_dim_256::topk=10")
    assert (row["fast_mode"], row["dim"], row["source"], row["top_k"]) == (True, 256, "act", 10)
    assert row["retrieved_chunk_ids"] == ["act-2", "act-3"] == row["gold_chunk_ids"]
    assert (row["citation_numbers"], row["citation_range_ok"]) == ([1], True)
    assert row["evaluation"] == {"search": {"way": "256", "kept": 2}, "model": "m"}
    assert "extra" not in row  # it is stored once
    # the settings repack the passages, whose ranks the adapter does not know
    assert (row["gold_metrics"]["gold_mrr"], row["gold_metrics"]["gold_ndcg"]) == (None, None)
    assert row["prompt_order"] is True
    assert row["gold_metrics"]["gold_coverage"] == 1.0
    normal = next(row for row in rows if row["config"] == "normal_baseline")
    assert (normal["fast_mode"], normal["dim"]) == (False, None)


def test_a_label_stands_for_the_setting_that_the_variants_change(assay: Any, repository: Path):
    """``drift_filter`` is no setting of this backend; ``drift_filter_enabled`` is."""
    done = ablate(assay, "drift_filter_ablation", "--no-report")
    assert done.returncode == 0, done.stderr
    assert "changes     drift_filter_enabled (single, baseline normal)" in done.stdout
    found = metrics(repository, "drift_filter_ablation")
    # without the filter: 1 of 1, 2 of 2, 1 of 1, 0 of 2
    assert found["drift_off"]["avg_gold_coverage"] == 0.75
    assert found["drift_on"]["avg_gold_coverage"] == 1.0


def test_a_dimension_ablation_in_normal_mode_is_refused(assay: Any, repository: Path):
    """As seed 000 asks; the backend's own name of the dimension says so."""
    path = repository / EVAL / "experiments" / "experiments.yaml"
    path.write_text(EXPERIMENTS.replace('baseline: "fast"', 'baseline: "normal"'))
    done = ablate(assay, "mrl_dimension_ablation")
    assert done.returncode == 2
    assert "embedding_dim_fast_mode has no effect with fast_mode: off; use baseline: fast" in (
        done.stderr
    )
    assert "experiments.yaml:13" in done.stderr


def test_the_doctor_asks_the_backend_a_question_of_its_file(assay: Any, repository: Path):
    """It needs no manifest and no embedder, and shows that settings do not leak."""
    done = assay.run("doctor", "--system", "python:err_system:ask")
    assert done.returncode == 0, done.stdout
    assert "FAIL" not in done.stdout
    assert "s: See [1]." in done.stdout
    assert "in turn, each keeps its answer" in done.stdout


def test_the_reference_pipeline_reads_the_same_chunks(assay: Any, repository: Path):
    """Without a manifest; vectors whose embedder nobody names are not used, and that is said."""
    words = ("ablate", "-e", "drift_filter_ablation", "--limit", "1", "--no-report")
    done = assay.run(*words, "--system", "reference")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "asks        the reference pipeline"
    assert "2 files of vectors in" in done.stderr
    assert "not used (act.npy, law.npy)" in done.stderr


def header(repository: Path, experiment: str) -> dict[str, Any]:
    """The header of the run, which is the beginning of its summary."""
    path = repository / EVAL / "experiments" / f"{experiment}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_nobody_measures_our_pipeline_by_mistake(assay: Any, repository: Path):
    """The owner's file names no system, and an adapter lies beside it: both commands are told."""
    refused = assay.run("ablate", "-e", "drift_filter_ablation", "--limit", "1")
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert f"no system is named, and err_system.py in {repository} can be asked" in line
    command = "assay ablate -e drift_filter_ablation --limit 1 --system"
    assert f": {command} python:err_system:ask; or, for the one that comes with assay: " in line
    assert line.endswith(f"{command} reference")
    assert not list((repository / EVAL / "experiments").glob("*.jsonl"))
    path = repository / EVAL / "experiments" / "experiments.yaml"
    path.write_text(
        EXPERIMENTS.replace("defaults:", 'defaults:\n  system: "python:err_system:ask"')
    )
    done = assay.run("ablate", "-e", "drift_filter_ablation", "--limit", "1", "--no-report")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "asks        python:err_system:ask"


def test_the_header_has_the_whole_configuration_of_each_variant(assay: Any, repository: Path):
    """Defaults and the environment included; of a secret only whether there is one."""
    keys = {"OPENROUTER_API_KEY": "sk-house-0123456789", "ERR_RRF_K": "7", "ERR_RERANKER": "hidden"}
    done = ablate(assay, "drift_filter_ablation", "--no-report", env=keys)
    assert done.returncode == 0, done.stderr
    on, off = header(repository, "drift_filter_ablation")["variants"]
    assert on["settings"] == {"fast_mode": False, "drift_filter_enabled": True}
    assert on["configuration"] == {
        "fast_mode": False, "rrf_k": 7, "chat_model_simple": "simple-model", "embedding_dim": 2048,
        "embedding_dim_fast_mode": 1024, "drift_filter_enabled": True, "drift_sim_threshold": 0.3,
        "query_fusion_enabled": True, "hyde_enabled": True, "llm_rerank_enabled": True,
        "repack_strategy": "reverse", "max_tokens": 400,
        "openrouter_base_url": "http://127.0.0.1:9/v1",
    }  # fmt: skip
    assert off["configuration"] == {**on["configuration"], "drift_filter_enabled": False}
    assert on["secrets"] == {"openrouter_api_key": "set", "reranker": "set"}
    written = "".join(path.read_text() for path in (repository / EVAL / "experiments").iterdir())
    assert "sk-house" not in written
    assert '"hidden"' not in written


def test_a_changed_base_configuration_is_refused_and_named(assay: Any, repository: Path):
    """Before the first call; a key that is set meanwhile changes nothing."""
    assert ablate(assay, "drift_filter_ablation", "--no-report").returncode == 0
    asked = len(assay.rows(str(EVAL / "experiments" / "drift_filter_ablation.jsonl")))
    other = {"ERR_RRF_K": "5", "OPENROUTER_CHAT_MODEL_SIMPLE": "other"}
    refused = ablate(assay, "drift_filter_ablation", "--no-report", env=other)
    assert refused.returncode == 2, refused.stdout
    assert (
        "8 recorded answers belong to an earlier version of this experiment: the configuration of "
        "the system: chat_model_simple 'simple-model' → 'other', rrf_k 60 → 5."
    ) in refused.stderr
    rows = assay.rows(str(EVAL / "experiments" / "drift_filter_ablation.jsonl"))
    assert len(rows) == asked
    key = {"OPENROUTER_API_KEY": "sk-house-0123456789"}
    again = ablate(assay, "drift_filter_ablation", "--no-report", env=key)
    assert again.returncode == 0, again.stderr
    assert "nothing was asked" in again.stderr


def test_rows_are_compared_by_the_scheme_that_wrote_them(assay: Any, repository: Path):
    """Rows without a configuration in their fingerprint go on, and nothing is asked again."""
    assert ablate(assay, "drift_filter_ablation", "--no-report").returncode == 0
    journal = repository / EVAL / "experiments" / "drift_filter_ablation.jsonl"
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    assert all("." in row["fingerprint"] for row in rows)
    for row in rows[:5]:
        system, settings, question = row["fingerprint"].split("-")
        row["fingerprint"] = f"{system}-{settings.partition('.')[0]}-{question}"
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = ablate(assay, "drift_filter_ablation", "--no-report")
    assert "nothing was asked" in again.stderr, again.stderr
    refused = ablate(assay, "drift_filter_ablation", "--no-report", env={"ERR_RRF_K": "5"})
    assert refused.returncode == 2
    assert "3 recorded answers belong to an earlier version" in refused.stderr


@pytest.fixture(name="mode_of_the_request")
def _mode_of_the_request(repository: Path) -> None:
    """The owner's request has ``fast_mode``, and the settings only what fast mode needs."""
    path = repository / "backend" / "app" / "config.py"
    path.write_text(CONFIG.replace("    fast_mode: bool = False\n", ""))
    path = repository / "backend" / "app" / "chat.py"
    path.write_text(
        path.read_text()
        .replace("settings.fast_mode", "request.fast_mode")
        .replace("    top_k: int\n", "    top_k: int\n    fast_mode: bool\n")
    )
    path = repository / "err_system.py"
    path.write_text(
        ADAPTER.replace("question, top_k)", "question, top_k, fast)").replace(
            "    session.source", "    fast = settings.pop('fast_mode', False)\n    session.source"
        )
    )


@pytest.mark.usefixtures("mode_of_the_request")
def test_a_settings_class_without_the_mode_takes_it_with_the_baseline(assay: Any):
    """Rows say the mode of each question, and the dimension where it counts."""
    done = ablate(assay, "mrl_dimension_ablation", "--no-report")
    assert done.returncode == 0, done.stderr
    rows = assay.rows(str(EVAL / "experiments" / "mrl_dimension_ablation.jsonl"))
    assert {(row["config"], row["fast_mode"], row["dim"]) for row in rows} == {
        ("fast_dim_128", True, 128),
        ("fast_dim_256", True, 256),
        ("normal_baseline", False, None),
    }
    done = ablate(assay, "drift_filter_ablation", "--no-report")
    assert done.returncode == 0, done.stderr
    rows = assay.rows(str(EVAL / "experiments" / "drift_filter_ablation.jsonl"))
    assert {(row["config"], row["fast_mode"], row["dim"]) for row in rows} == {
        ("drift_on", False, None),
        ("drift_off", False, None),
    }


@pytest.mark.usefixtures("mode_of_the_request")
def test_without_the_mode_a_dimension_ablation_in_normal_mode_is_refused_too(
    assay: Any, repository: Path
):
    """As seed 000 asks; the dimension of fast mode would change nothing."""
    path = repository / EVAL / "experiments" / "experiments.yaml"
    path.write_text(EXPERIMENTS.replace('baseline: "fast"', 'baseline: "normal"'))
    done = ablate(assay, "mrl_dimension_ablation")
    assert done.returncode == 2
    assert "embedding_dim_fast_mode has no effect with fast_mode: off; use baseline: fast" in (
        done.stderr
    )


def test_where_there_is_no_fast_mode_the_message_says_how_to_declare_it(
    assay: Any, repository: Path
):
    """Nothing in the settings is about a fast mode."""
    path = repository / "err_system.py"
    path.write_text(ADAPTER.replace("SETTINGS = Settings", "SETTINGS = {'dim': int}"))
    done = ablate(assay, "mrl_dimension_ablation")
    assert done.returncode == 2
    assert "class SETTINGS(Settings): fast_mode: bool = False" in done.stderr
