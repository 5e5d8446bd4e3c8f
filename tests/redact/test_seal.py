"""Hashes of texts are keyed with redaction: nobody can try out what a masked text was."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.jobs.depth.handler import prompt_text
from assay.jobs.depth.question import NovelQuestion
from assay.mask import set_redactor
from assay.rag.generate import prompted
from assay.records import Passage, digest
from assay.redact.pseudonym import Forgotten
from assay.redact.redaction import Redaction
from assay.runs import plan
from tests.redact.main import Program

HASH = re.compile(rb"(?<![0-9A-Za-z.])(?=[0-9]*[a-f])[0-9a-f]{8,64}(?![0-9A-Za-z])")
ASK = "ablate -e phone --no-report"
QUESTIONS = (
    {"id": "q1", "question": "Call 13812345678 now?", "answer": "Yes, 13812345678"},
    {"id": "q2", "question": "Mail li@example.cn?", "answer": "No"},
)
EXPERIMENTS = """\
redact: {mode: MODE, no_key: NO_KEY}
defaults:
  questions_path: questions.jsonl
  system: "python:echo:ask"
experiments:
  - name: phone
    ablation_variable: tone
    values: ["call 13812345678", "plain"]
"""
ECHO = """\
VERSION = "1"


def ask(question, settings):
    return {"answer": f"Yes: {question}", "passages": [{"id": "a", "text": question}]}
"""


def write(folder: Path, mode: str, *, no_key: bool = False) -> None:
    """A workspace with two questions that have values in them."""
    (folder / "experiments").mkdir(parents=True, exist_ok=True)
    (folder / "echo.py").write_text(ECHO, encoding="utf-8")
    lines = "".join(json.dumps(each) + "\n" for each in QUESTIONS)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    config = EXPERIMENTS.replace("MODE", f"'{mode}'").replace("NO_KEY", str(no_key).lower())
    (folder / "experiments" / "experiments.yaml").write_text(config, encoding="utf-8")


def declare(folder: Path, *, k: int) -> None:
    """Let the system declare settings that it has by itself."""
    declared = f'SETTINGS = {{"tone": "", "k": {k}, "desk": "call 13987654321"}}\n'
    (folder / "echo.py").write_text(f"{declared}{ECHO}", encoding="utf-8")


def results(folder: Path) -> Iterator[Path]:
    """The files that runs wrote."""
    for path in sorted((folder / "experiments").iterdir()):
        if path.is_file() and path.suffix in {".json", ".jsonl"}:
            yield path


def hashes(folder: Path) -> set[bytes]:
    """Everything in the results that looks like a plain hash."""
    return {each for path in results(folder) for each in HASH.findall(path.read_bytes())}


def rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of the run."""
    journal = folder / "experiments" / "phone.jsonl"
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("no_key", [False, True])
def test_no_hash_of_a_text_is_the_one_without_a_key(program: Program, no_key: bool):
    """Rows, plan and summary share no hash with those of the same run without redaction."""
    write(program.folder, "off")
    assert program.run(ASK)[0] == 0
    plain = hashes(program.folder)
    assert len(plain) > 8
    write(program.folder, "outputs", no_key=no_key)
    assert program.run(f"{ASK} --resume fresh")[0] == 0
    for path in (program.folder / "experiments").glob("*.old"):
        path.unlink()
    assert plain & hashes(program.folder) == set()
    assert "[PHONE_" in rows(program.folder)[0]["question"]


def test_an_edited_question_is_noticed_with_the_key_only(program: Program):
    """With the key a run goes on, and an edit is refused; without one, rows are kept."""
    write(program.folder, "outputs")
    assert program.run(ASK)[0] == 0
    assert "nothing was asked" in program.run(ASK)[1]
    path = program.folder / "questions.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Call 13812345678 now", "Call 13812345679 now"), encoding="utf-8")
    code, printed = program.run(ASK)
    assert code == 2
    assert "the content of 1 question changed: q1" in printed


def test_a_run_without_a_key_goes_on(program: Program):
    """Nothing can be compared with its hashes, so recorded answers are kept, as the docs say."""
    write(program.folder, "outputs", no_key=True)
    config = program.folder / "experiments" / "experiments.yaml"
    text = config.read_text(encoding="utf-8")  # a value in a name has another tag in each process
    config.write_text(text.replace("call 13812345678", "warm"), encoding="utf-8")
    assert program.run(ASK)[0] == 0
    before = rows(program.folder)
    code, printed = program.run(ASK)
    assert (code, rows(program.folder)) == (0, before)
    assert "nothing was asked" in printed


def test_hashes_of_earlier_versions_are_understood(
    program: Program, monkeypatch: pytest.MonkeyPatch
):
    """A redacted run of 0.2.0 goes on, is compared, and is rewritten with keyed hashes."""
    write(program.folder, "outputs")
    with monkeypatch.context() as patch:  # as 0.2.0 wrote it
        patch.setattr(Redaction, "sealed", lambda _, text: text)
        patch.setattr(Redaction, "sealed_record", lambda _, value: value)
        assert program.run(ASK)[0] == 0
    old = hashes(program.folder)
    before = rows(program.folder)
    assert HASH.search(before[0]["fingerprint"].encode())
    experiments = program.folder / "experiments"
    for path in list(results(program.folder)):
        target = path.with_name(path.name.replace("phone", "former"))
        target.write_bytes(path.read_bytes())
    code, printed = program.run(ASK)
    assert (code, rows(program.folder)) == (0, before)
    assert "nothing was asked" in printed
    assert program.run(f"{ASK} --resume fresh")[0] == 0
    line = "compare --base experiments/former.jsonl --cand experiments/phone.jsonl --variant tone_plain"
    code, printed = program.run(line)
    assert code == 0, printed
    assert "differs: base" not in printed
    for path in experiments.glob("phone*"):
        path.unlink()
    assert program.run("report former --charts none")[0] == 0
    assert program.run("redact rewrite")[0] == 0
    assert old & hashes(program.folder) == set()


@pytest.mark.parametrize("was_sealed", [True, False])
def test_rows_without_a_configuration_go_on_under_redaction(
    program: Program, monkeypatch: pytest.MonkeyPatch, *, was_sealed: bool
):
    """Rows of earlier versions are compared by what they have, whether their hashes are keyed or not."""
    write(program.folder, "outputs")
    declare(program.folder, k=60)
    with monkeypatch.context() as patch:
        patch.setattr(plan, "settings_mark", lambda variant: digest(variant.settings))
        if not was_sealed:
            patch.setattr(Redaction, "sealed", lambda _, text: text)
            patch.setattr(Redaction, "sealed_record", lambda _, value: value)
        assert program.run(ASK)[0] == 0
    before = rows(program.folder)
    fingerprint = before[0]["fingerprint"]
    assert (fingerprint.startswith("k"), "." in fingerprint) == (was_sealed, False)
    code, printed = program.run(ASK)
    assert (code, rows(program.folder)) == (0, before)
    assert "nothing was asked" in printed
    path = program.folder / "experiments" / "experiments.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("plain", "cold"), encoding="utf-8")
    assert program.run(ASK)[0] == 0
    assert "." in rows(program.folder)[-1]["fingerprint"]  # of the new variant
    path = program.folder / "questions.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("Mail", "Ask"), encoding="utf-8")
    code, printed = program.run(ASK)
    assert code == 2
    assert "the content of 1 question changed: q2" in printed


@pytest.mark.parametrize("mode", ["off", "outputs"])
def test_a_changed_configuration_is_noticed_under_redaction(program: Program, mode: str):
    """What changed is named, and a masked value that stayed the same is not."""
    write(program.folder, mode)
    declare(program.folder, k=60)
    assert program.run(ASK)[0] == 0
    first = rows(program.folder)[0]["fingerprint"]
    assert first.partition("-")[2].partition("-")[0].count(".") == 1
    assert "nothing was asked" in program.run(ASK)[1]
    declare(program.folder, k=5)
    code, printed = program.run(ASK)
    assert code == 2
    assert "the configuration of the system: k 60 → 5. Use" in printed


def test_groups_of_questions_are_known_under_redaction(program: Program):
    """Their file is found by its sealed hash, and a question without an id by its masked text."""
    write(program.folder, "outputs")
    lines = (
        f"{each['question']},{each['answer'].partition(',')[0]},{topic}"
        for each, topic in zip(QUESTIONS, "ab", strict=True)
    )
    (program.folder / "questions.csv").write_text(
        "\n".join(["question,answer,topic", *lines]), encoding="utf-8"
    )
    config = program.folder / "experiments" / "experiments.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("questions.jsonl", "questions.csv"), encoding="utf-8")
    assert program.run(ASK)[0] == 0
    code, printed = program.run("report phone --by topic --charts none")
    assert code == 0, printed
    assert [f"| {topic} " in printed for topic in "ab"] == [True, True]


def test_another_key_is_named(program: Program):
    """Rows of another key cannot be told from edited ones; the message says so."""
    write(program.folder, "outputs")
    assert program.run("--help")[0] == 0
    assert program.run(f"{ASK} --key ../one.key")[0] == 0
    code, printed = program.run(f"{ASK} --key ../two.key")
    assert code == 2
    assert "redacted with a key that this run does not have" in printed
    code, printed = program.run(f"{ASK} --redact off")
    assert code == 2
    assert "redacted with a key that this run does not have" in printed


def test_an_id_that_follows_from_a_text_does_not_give_a_value_away(program: Program):
    """Questions without ids: the id is that of the text without its values, in every process."""
    write(program.folder, "off")
    plain = "question,answer\nCall 13812345678 now?,Yes\nCall 13912345679 now?,No\nWhy?,So\n"
    (program.folder / "q.csv").write_text(plain, encoding="utf-8")
    line = "run --questions q.csv --system python:echo:ask --name phone"
    for mode in ("off", "outputs --no-key"):
        assert program.run(f"{line} --redact {mode} --resume fresh")[0] == 0
        found = [row["question_id"] for row in rows(program.folder)]
        if mode == "off":
            before = found
        else:
            assert program.run(f"{line} --redact {mode}")[0] == 0
            assert [row["question_id"] for row in rows(program.folder)] == found
            assert found[0] not in before
            assert found[1] == f"{found[0]}-2"
            assert found[2] == before[2]


def test_a_run_of_an_earlier_version_keeps_its_ids(
    program: Program, monkeypatch: pytest.MonkeyPatch
):
    """A redacted run of 0.2.0 over questions without ids goes on; nothing is asked again."""
    write(program.folder, "outputs")
    (program.folder / "q.csv").write_text("question\nCall 13812345678 now?\n", encoding="utf-8")
    line = "run --questions q.csv --system python:echo:ask --name phone"
    with monkeypatch.context() as patch:
        patch.setattr(Redaction, "without_values", lambda _, text: text)
        patch.setattr("assay.jobs.answers.preparation.BY_MASKED_TEXT", "text")
        assert program.run(line)[0] == 0
    before = rows(program.folder)
    code, printed = program.run(line)
    assert (code, rows(program.folder)) == (0, before)
    assert "nothing was asked" in printed


@pytest.mark.parametrize("option", ["", " --closed-book", " --no-key"])
def test_a_depth_question_without_an_id_does_not_give_a_value_away(
    program: Program, monkeypatch: pytest.MonkeyPatch, option: str
):
    """Its id is that of the texts without their values; a run of 0.2.0 keeps the ids that it has."""
    write(program.folder, "outputs")
    (program.folder / "novel.txt").write_text("The desk has 13812345678. " * 300, encoding="utf-8")
    line = (
        "depth --novel novel.txt --questions q.jsonl --system python:echo:ask --context-lengths 900 --limit 1 "
        f"--depth-mode fixed --depth 50 --padding-size 50 --out experiments/phone.jsonl{option}"
    )

    def ids(number: str, resume: str = "fresh") -> set[str]:
        question = {"question": f"Call {number}?", "answer": "Yes", "evidence_span": [600, 610]}
        (program.folder / "q.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
        code, printed = program.run(f"{line} --resume {resume}")
        assert code == 0, printed
        assert ("nothing was asked" in printed) == (resume == "ask")
        return {row["question_id"] for row in rows(program.folder)[1:]}

    with monkeypatch.context() as patch:
        patch.setattr("assay.jobs.depth.question.redactor", lambda: None)
        patch.setattr("assay.jobs.depth.preparation.redactor", lambda: None)
        earlier = ids("13812345678")
    assert ids("13812345678", "ask") == earlier
    masked = ids("13812345678")
    assert masked != earlier
    assert ids("13812345678", "ask") == masked
    assert ids("13912345679") == masked


def test_systems_side_by_side_have_sealed_names(program: Program):
    """The hash of a command line is keyed on the terminal and in the settings; the run goes on."""
    write(program.folder, "outputs")
    lines = "systems:\n  a: {kind: command, command: [cat, 'call 13812345678']}\n"
    config = program.folder / "experiments" / "experiments.yaml"
    config.write_text(lines + config.read_text(encoding="utf-8"), encoding="utf-8")
    (program.folder / "q.csv").write_text("question\nWho?\n", encoding="utf-8")
    line = "run --questions q.csv --system a --system python:echo:ask --name phone"
    plain = digest(["cat", "call 13812345678"])
    code, printed = program.run(line)  # there is no file of that name to print
    assert (code, plain in printed) == (1, False)
    head = json.loads((program.folder / "experiments/phone.json").read_text(encoding="utf-8"))
    assert head["variants"][0]["settings"]["identity"].startswith("command:cat#k")
    assert not any(plain.encode() in path.read_bytes() for path in results(program.folder))
    asked = "1 scored, 1 failed"
    assert asked in printed
    assert asked in program.run(line)[1]


def test_marks_in_prompts_are_keyed():
    """What encloses a text in a prompt is no hash by which the model's provider could try it out."""
    question, text = "Call 13812345678 now?", "Ring 13987654321."
    asked = NovelQuestion(id="q", text=question, question_type="open", answers=("Yes",))

    def marks() -> set[str]:
        depth = re.findall(r"text-\w{12}", prompt_text(asked, text))
        return {*depth, prompted._fence(question, [Passage(id="a", text=text)])}

    plain = marks()
    assert len(plain) == 2
    set_redactor(Redaction("calls", Forgotten()))
    try:
        assert not plain & marks()
    finally:
        set_redactor(None)


def test_a_hash_that_looks_like_a_date_is_sealed():
    """One hash of 5,000 does; only the date in the name of a system stays."""
    redaction = Redaction("outputs", Forgotten())
    assert redaction.sealed("20240213-19991231.deadbeef").count("x") == 3
    row = {"fingerprint": "20240213-aaaaaaaa", "system": "openai:model-20240213@2386a03d7981"}
    masked = redaction.sealed_record(row)
    assert "20240213" not in masked["fingerprint"]
    assert masked["system"].startswith("openai:model-20240213@x")
