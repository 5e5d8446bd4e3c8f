"""What is fuzzed: each reader of files, and small whole files that it reads."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct
from openpyxl import Workbook

from assay.config.document import ExperimentFile, load_document
from assay.data.answered_set import read_answered
from assay.data.corpus.chunk import load_corpus
from assay.data.document.document import read_document
from assay.data.question import read_questions
from assay.data.samples.sample import sample_benchmark, sample_document_bytes
from assay.data.set_note import odd_question_notes, question_notes
from assay.errors import AssayError
from assay.gate.gate import Limits, compare
from assay.gate.run_file import read_runs
from assay.jobs.contract.clause import read_clause_file, read_risk_scores
from assay.jobs.contract.law import read_law_file
from assay.jobs.contract.mode_result import read_mode_results
from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.rule import read_rules
from assay.jobs.depth.map.mean import depth_map
from assay.jobs.depth.map.position import read_question_set
from assay.jobs.depth.map.results import read_cells
from assay.jobs.depth.question import read_question_file
from assay.jobs.legal.benchmark import read_benchmark_data
from assay.jobs.quality.question import load_benchmark, read_quality_file
from assay.judge.draw import read_draws
from assay.judge.label_store import read_decisions, read_labels, read_preferences
from assay.models.cache import CallCache, RecordedReply
from assay.models.cache_file import cache_info, prune_cache
from assay.models.reply import read_chat, read_embeddings, read_entailment, read_ranking
from assay.models.secret import _read_dotenv
from assay.redact.pseudonym import Cipher, KeyFile
from assay.runs.asking_order import read_order
from assay.runs.judging import VerdictStore
from assay.runs.plan_file import read_plan
from assay.study.analysis import analyse_run
from assay.study.history import past_runs
from assay.study.rescore import rescore
from assay.study.table import tables
from assay.systems.reply import to_answer
from assay.web.about import read_about

BASE: Final = Path(__file__).parent / "base"
JOBS: Final = ("ablation", "depth", "quality", "review", "bench")


class Target(Struct, frozen=True, kw_only=True):
    """A reader, and the names and contents of files that are damaged for it.

    ``beside`` are files that stay whole beside the damaged one.
    """

    name: str
    read: Callable[[Path], Any]
    kind: str
    files: Mapping[str, bytes]
    beside: Mapping[str, bytes] = {}


def targets() -> list[Target]:
    """All readers."""
    return [
        *_data_targets(),
        *_set_targets(),
        *_result_targets(),
        *_beside_targets(),
        *_other_targets(),
    ]


def _data_targets() -> list[Target]:
    clauses = sample_document_bytes("review/clauses.jsonl")
    laws = sample_document_bytes("review/laws.jsonl")
    chunk = b'{"id": "a-1", "text": "One.", "source": "a", "page": 1}\n'
    listed = b'{"id": "a", "name": "Civil Code", "article": "1", "text": "One."}'
    return [
        Target(name="questions", kind="jsonl", read=read_questions,
               files={"q.jsonl": _head(sample_document_bytes("en/questions.jsonl"), 4)}),
        Target(name="experiments", kind="yaml", read=_read_experiments,
               files={"experiments.yaml": _base("experiments.yaml")}),
        Target(name="quality questions", kind="jsonl", read=read_quality_file,
               files={"q.jsonl": _head(sample_document_bytes("ru/quality_questions.jsonl"), 4)}),
        Target(name="quality benchmark", kind="yaml", read=load_benchmark,
               files={"benchmark.yaml": _base("benchmark.yaml")}),
        Target(name="legal benchmark", kind="json", read=read_benchmark_data,
               files={path.name: path.read_bytes()
                      for path in sorted((sample_benchmark() / "en").glob("contract_*.json"))},
               beside={"contract.txt": (sample_benchmark() / "en/contract.txt").read_bytes()}),
        Target(name="novel questions", kind="jsonl", read=_read_novel_questions,
               files={"n.jsonl": _base("novel.jsonl")}),
        Target(name="clauses", kind="jsonl", read=read_clause_file,
               files={"c.jsonl": _head(clauses, 3), "c.json": _as_list(clauses, 3)}),
        Target(name="rules", kind="yaml", read=read_rules,
               files={"r.yaml": sample_document_bytes("review/rules.yaml")}),
        Target(name="laws", kind="jsonl", read=read_law_file,
               files={"l.jsonl": _head(laws, 3), "l.json": _as_list(laws, 3),
                      "l.csv": b"name,article,text\nCivil Code,1,One.\n",
                      "m.json": b'{"laws": [' + listed + b"]}"}),
        Target(name="chunks", kind="jsonl", read=load_corpus, files={"a.jsonl": chunk * 1}),
        Target(name="manifest", kind="json", read=load_corpus,
               files={"manifest.json": b'{"made_by": "assay ingest", "schema_version": 1, '
                      b'"sources": [{"file": "a.jsonl", "source": "a", "chunks": 1}]}'},
               beside={"a.jsonl": chunk}),
        Target(name="risk scores", kind="yaml", read=read_risk_scores,
               files={"r.json": b'{"high": {"high": 1, "medium": 0.4, "low": 0}, "medium": {"high": 0.8, '
                      b'"medium": 1, "low": 0.4}, "low": {"high": 0.5, "medium": 0.8, "low": 1}}'}),
    ]  # fmt: skip


def _set_targets() -> list[Target]:
    """Sets of questions and recorded answers in the formats of other tools, and databases."""
    table = b"id,question,expected,answer\n1,How long?,30 days,It is 30 days.\n2,Who?,nan,\n"
    answers = b'{"text": ["a"], "answer_start": [0]}'
    squad = (
        b'{"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": "One.", "qas": ['
        b'{"id": "1", "question": "q?", "answers": [{"text": "One", "answer_start": 0}]}, '
        b'{"id": "2", "question": "r?", "is_impossible": true, "answers": ' + answers + b"}]}]}]}"
    )
    promptfoo = (
        b'{"results": {"results": [{"provider": {"id": "m"}, "vars": {"question": "q?"}, "response": '
        b'{"output": "a"}, "testCase": {"assert": [{"type": "equals", "value": "a"}]}}]}}'
    )
    listed = b'[{"question": "q?", "ground_truth": "a", "contexts": ["c"], "answer": "b"}]'
    files = {
        "q.csv": table,
        "q.tsv": table.replace(b",", b"\t"),
        "q.txt": b"1. How long?\n2. Who?\n",
    }
    return [
        Target(name="question tables", kind="text", read=_read_question_set, files=files),
        Target(name="question objects", kind="json", read=_read_question_set,
               files={"squad.json": squad, "promptfoo.json": promptfoo, "ragas.json": listed}),
        Target(name="workbooks", kind="docx", read=_read_workbook, files={"q.xlsx": _xlsx()}),
        Target(name="law database", kind="pdf", read=read_law_file, files={"l.db": _law_database()}),
    ]  # fmt: skip


def _beside_targets() -> list[Target]:
    """What is beside a journal or belongs to a workspace: labels, draws, verdicts, keys, the cache."""
    time = '"time": "2026-01-02T03:04:05Z"'
    case = '"run": "r", "case_id": "q1", "variant": "v", "answer_hash": "0123456789abcdef"'
    label = f'{{{case}, "labeller": "ann", {time}, "verdict": "right"}}\n'
    preference = (
        f'{{{case}, "other_variant": "w", "other_answer_hash": "0123456789abcdee", '
        f'"labeller": "ann", {time}, "choice": "first"}}\n'
    )
    decision = (
        f'{{"drafts": "d", "question_id": "q1", "row_hash": "0123456789abcdef", "reviewer": "ann", '
        f'{time}, "verdict": "accepted"}}\n'
    )
    drawn = f'{{{case}, "probability": 0.5}}\n'
    verdict = (
        '{"key": "q1::v::topk=10", "answer_sha256": "00", "judge": "m", "verdict": {"score": 1}, '
        '"usage": {"calls": 1, "cost": 0.1}, "elapsed_s": 0.1, "ts": 1.0}\n'
    )
    key = (
        '{"secret": "'
        + "A" * 43
        + '="}\n{"tag": "[PHONE_1]", "kind": "PHONE", "value": "13812345678"}\n'
    )
    return [
        Target(name="labels", kind="jsonl", read=read_labels, files={"l.jsonl": label.encode()}),
        Target(name="preferences", kind="jsonl", read=read_preferences,
               files={"p.jsonl": preference.encode()}),
        Target(name="decisions", kind="jsonl", read=read_decisions,
               files={"d.jsonl": decision.encode()}),
        Target(name="draws", kind="jsonl", read=lambda path: read_draws(path.with_name("run.jsonl")),
               files={"run.draw.jsonl": drawn.encode()}),
        Target(name="verdicts", kind="jsonl",
               read=lambda path: VerdictStore(path.with_name("run.jsonl")).close(),
               files={"run.verdicts.jsonl": verdict.encode()}),
        Target(name="order", kind="jsonl", read=lambda path: read_order(path.with_name("run.jsonl")),
               files={"run.order.jsonl": b'{"rule": {"seed": 1}, "schema_version": 1}\n"q1"\n"q2"\n'},
               beside={"run.jsonl": b"{}\n"}),
        Target(name="about", kind="json", read=lambda path: read_about(path.with_name("run.jsonl")),
               files={"run.about.json": b'{"title": "t", "tags": ["a"], "note": "n"}'}),
        Target(name="redaction key", kind="jsonl", read=_read_key, files={"k.key": key.encode()}),
        Target(name="call cache", kind="pdf", read=_read_cache, files={"c.sqlite": _cache()}),
        Target(name="variables", kind="text", read=_read_dotenv,
               files={".env": b"A_KEY=abcdefgh12345\n# note\nexport B='x y'\n"}),
    ]  # fmt: skip


def _result_targets() -> list[Target]:
    made = []
    for job in JOBS:
        rows, summary = _base(f"{job}.jsonl"), _base(f"{job}.json")
        plan = _base(f"{job}.plan.jsonl")
        made += [
            Target(name=f"results of {job}", kind="jsonl", read=_read_results,
                   files={"run.jsonl": rows}, beside={"run.json": summary}),
            Target(name=f"summary of {job}", kind="json", read=_read_results,
                   files={"run.json": summary}, beside={"run.jsonl": rows}),
            Target(name=f"plan of {job}", kind="jsonl", read=_read_stored_plan,
                   files={"run.plan.jsonl": plan},
                   beside={"run.json": summary, "run.jsonl": rows}),
        ]  # fmt: skip
    return made


def _other_targets() -> list[Target]:
    pdf = sample_document_bytes("ru/report.pdf")
    return [
        Target(name="mode results", kind="json", read=_read_modes,
               files={"m.json": _base("modes.json")}),
        Target(name="published depth results", kind="jsonl", read=_read_map,
               files={"d.jsonl": _base("published.jsonl")}),
        Target(name="docx", kind="docx", read=read_document, files={"a.docx": _docx()}),
        Target(name="pdf", kind="pdf", read=read_document, files={"a.pdf": _small_pdf(), "b.pdf": pdf}),
        Target(name="markdown", kind="text", read=read_document,
               files={"a.md": sample_document_bytes("en/handbook.md")[:3000]}),
        Target(name="replies", kind="json", read=_read_reply, files={"r.json": _base("reply.json")}),
        Target(name="answers", kind="json", read=_read_answer,
               files={"a.json": b'{"answer": "x", "passages": [{"id": "c1", "page": 1, "score": 0.5}],'
                      b' "usage": {"prompt_tokens": 1, "completion_tokens": 2, "cost": 0.1},'
                      b' "finish_reason": "stop", "extra": {"a": 1}, "citations": [1]}'}),
        Target(name="reviews", kind="text", read=_read_review,
               files={"r.txt": b'```json\n{"risk_level": "high", "evidence": ["a"], "laws": ["b"]}\n```'
                      b"\n## Risk\nhigh\n\n> quoted\n"}),
    ]  # fmt: skip


def _read_question_set(path: Path) -> None:
    _each(
        lambda: [*odd_question_notes(path, read_questions(path))],
        lambda: question_notes(path),
        lambda: read_answered(path),
    )


def _read_workbook(path: Path) -> None:
    _each(lambda: _read_question_set(path), lambda: read_document(path))


def _read_key(path: Path) -> None:
    path.chmod(0o600)
    key = KeyFile(path)
    Cipher(key.secret)
    key.tags([("EMAIL", "li@example.cn")])


def _read_cache(path: Path) -> None:
    def use() -> None:
        with closing(CallCache(path)) as cache:
            cache.get(b"k")
            cache.put(b"l", "m", "chat", RecordedReply(b"{}", 0.1))

    _each(lambda: cache_info(path), use, lambda: prune_cache(path))


def _xlsx() -> bytes:
    book = Workbook()
    book.active.append(["id", "question", "expected", "answer"])
    book.active.append(["1", "How long?", 30, "30 days"])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _law_database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE laws (name TEXT, article TEXT, text TEXT)")
        database.execute("INSERT INTO laws VALUES ('Civil Code', '1', 'One.')")
        database.execute("CREATE VIEW more AS SELECT name, article, text FROM laws")
        database.commit()
        return database.serialize()


def _cache() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.sqlite"
        with closing(CallCache(path)) as cache:
            cache.put(b"k", "m", "chat", RecordedReply(b'{"choices": []}', 0.1))
        return path.read_bytes()


def _read_experiments(path: Path) -> None:
    load_document(path, ExperimentFile)


def _read_novel_questions(path: Path) -> None:
    read_question_file(path)
    with suppress(AssayError):
        read_question_set(path)


def _read_results(path: Path) -> None:
    """Everything that reads a recorded run: list, score, report, compare, heatmap."""
    journal = path.with_suffix(".jsonl")
    past_runs(path.parent)
    _each(
        lambda: [tables(analyse_run(journal), "en")],
        lambda: rescore(journal),
        lambda: compare(*read_runs(journal, journal), Limits()),
        lambda: [depth_map(cells) for cells in read_cells([journal])],
    )


def _read_stored_plan(path: Path) -> None:
    journal = path.with_name("run.jsonl")
    past_runs(path.parent)
    _each(lambda: read_plan(journal), lambda: analyse_run(journal))


def _read_modes(path: Path) -> None:
    read_mode_results(path)
    compare(*read_runs(path, path), Limits())


def _read_map(path: Path) -> None:
    for cells in read_cells([path]):
        depth_map(cells)


def _read_reply(path: Path) -> None:
    body = path.read_bytes()
    _each(
        lambda: read_chat(body),
        lambda: read_embeddings(body, 1, None),
        lambda: read_ranking(body, 1),
        lambda: read_entailment(body, 1),
    )


def _read_answer(path: Path) -> None:
    with suppress(ValueError, RecursionError):
        to_answer(json.loads(path.read_bytes()))


def _read_review(path: Path) -> None:
    parse_review(path.read_bytes().decode(errors="surrogateescape"))


def _each(*calls: Callable[[], Any]) -> None:
    """Make every call, although an earlier one was refused."""
    for call in calls:
        with suppress(AssayError):
            call()


def _base(name: str) -> bytes:
    return (BASE / name).read_bytes()


def _head(data: bytes, count: int) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:count])


def _as_list(data: bytes, count: int) -> bytes:
    return b"[" + b",".join(data.splitlines()[:count]) + b"]"


def _docx() -> bytes:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    heading = '<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>'
    table = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    text = "<w:p><w:r><w:t>Text</w:t><w:tab/><w:br/></w:r></w:p>"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        body = f"<w:document {w}><w:body>{heading}{text}{table}</w:body></w:document>"
        archive.writestr("word/document.xml", body)
        style = '<w:style w:styleId="1"><w:name w:val="heading 1"/></w:style>'
        archive.writestr("word/styles.xml", f"<w:styles {w}>{style}</w:styles>")
    return buffer.getvalue()


def _small_pdf() -> bytes:
    """A PDF of one page, without compression, so that damage reaches its structure."""
    stream = b"BT /F1 12 Tf 20 100 Td (One page of text) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(parts) + 1, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(parts) + 1, len(body))
    )
