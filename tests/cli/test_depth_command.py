"""``assay depth``: options, errors and output."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from assay.jobs.depth.chronicle.story import chronicle

SMALL = ("--sample", "--depth-mode", "uniform", "--context-lengths", "1000,2000", "--per-cell", "1")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="files")
def _files(folder: Path) -> tuple[str, ...]:
    """A novel and its questions on disk, and the options that name them."""
    story = chronicle("ru", tokens=6_000, questions=8)
    (folder / "novel.txt").write_text(story.text, encoding="utf-8")
    questions = [
        {
            "question": question.text,
            "choice": dict(question.choices) or None,
            "question_type": question.question_type,
            "answer": list(question.answers),
            "evidence": question.evidence.of(story.text) if question.evidence else None,
        }
        for question in story.questions
    ]
    header = {"metadata": {"made_by": "a test", "api_key": "sk-0123456789"}}
    lines = [json.dumps(value, ensure_ascii=False) for value in (header, *questions)]
    (folder / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return ("--novel", "novel.txt", "--questions", "q.jsonl")


def assay(*words: str) -> tuple[int, str]:
    """Run ``assay depth``; return its exit code and its output."""
    done = CliRunner().invoke(app, ["depth", *words])
    if isinstance(done.exception, AssayError):
        return done.exception.exit_code, f"assay: {done.exception}"
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--depth-mode", "fixed", "--context-length", "1000"), "needs a depth"),
        (("--depth-mode", "uniform", "--depth", "50", "--context-length", "1000"), "fixed"),
        (("--depth-mode", "fixed", "--depth", "120%", "--context-length", "1000"), "0 and 100"),
        (("--depth-mode", "uniform", "--context_length", "20"), "no room for the evidence"),
        (("--depth-mode", "deep", "--context-length", "1000"), "names: fixed, legacy, uniform"),
        (("--depth-mode=fixed", "--depth=0.5", "--context-length=1000"), "0.5 % or 50 %?"),
        (("--depth-mode=fixed", "--depth=1.0", "--context-length=1000"), "1 % or 100 %?"),
        (("--context-length", "many"), "not a number of tokens"),
        (("--context-length=1000", "--position-tokenizer=none"), "no tokenizer"),
        ((), "give the lengths of the contexts"),
        (("--context-length", "1000", "--model", "m"), "not both"),
        (("--context-length", "1000", "--tokenizer", "none"), "no tokenizer"),
        (("--context-length", "1000", "--sample"), "remove --novel"),
        (("--context-length", "1000", "--lang", "fr"), "--lang fr"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    files: tuple[str, ...], words: tuple[str, ...], message: str
):
    """Options that contradict each other give exit code 2 and one line."""
    code, output = assay(*files, "--system", "reader", *words)
    assert code == 2
    assert message in output
    assert output.strip().count("\n") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--context-length", "1000"), "--novel is missing"),
        (("--context-length", "1000", "--novel", "none.txt"), "--questions is missing"),
        (("--context-length", "1000", "--novel", "no.txt", "--questions", "q"), "cannot be read"),
    ],
)
def test_missing_files_are_named(folder: Path, words: tuple[str, ...], message: str):
    """A missing option or file is named, with exit code 2."""
    code, output = assay("--system", "reader", *words)
    assert code == 2
    assert message in output


def test_something_must_be_asked(files: tuple[str, ...]):
    """Without a system or model the command fails, except with the sample."""
    code, output = assay(*files, "--context-length", "1000")
    assert code == 2
    assert "--model NAME" in output


def test_a_system_of_the_user_that_is_not_named_is_told(files: tuple[str, ...], folder: Path):
    """As the other commands do; the sample is read offline, whatever lies in the folder."""
    (folder / "clerk.py").write_text("def ask(question): ...\n")
    code, printed = assay(*files, "--context-length", "1000")
    assert code == 2
    assert "no system is named, and clerk.py in " in printed
    assert "--system python:clerk:ask; or, for the one that comes with assay: " in printed
    assert printed.rstrip().endswith("--system reader:12000")
    assert assay(*SMALL, "--dry-run")[0] == 0


@pytest.mark.parametrize("option", ["--context-length", "--context_length"])
def test_both_spellings_and_precedence(files: tuple[str, ...], option: str):
    """Both spellings work, and several lengths replace a single one, with a note."""
    alone = assay(*files, "--system", "reader", option, "2000", "--dry-run")
    assert alone[0] == 0
    assert "lengths     2000;" in alone[1]
    both = assay(
        *files, "--system", "reader", option, "2000", "--context-lengths", "1000", "--dry-run"
    )
    assert both[0] == 0
    assert "note: --context-lengths replaces --context-length" in both[1]
    assert "lengths     1000;" in both[1]


def test_a_dry_run_says_what_it_takes_and_asks_nobody(files: tuple[str, ...], folder: Path):
    """A dry run prints cases, tokens and cost, and writes nothing."""
    (folder / "experiments").mkdir()
    (folder / "experiments" / "experiments.yaml").write_text(
        "models:\n  m:\n    model: a/b\n    base_url: http://127.0.0.1:9/v1\n"
        "    api_key_env: null\n    price: {prompt: 2.0, completion: 8.0}\n",
        encoding="utf-8",
    )
    code, output = assay(
        *files, "--model", "m", "--depth-mode", "uniform", "--context-lengths", "1000,2000",
        "--min-per-cell", "0", "--dry-run",
    )  # fmt: skip
    assert code == 0
    assert "cases   16 (0 recorded, 16 to ask)" in output
    assert "calls   16 distinct" in output
    match = re.search(r"tokens  about ([\d,]+) in", output)
    assert match
    tokens = int(match[1].replace(",", ""))
    assert 24_000 < tokens < 24_000 + 16 * 300
    cost = re.search(r"cost    about ([\d.]+)", output)
    assert cost
    assert float(cost[1]) == pytest.approx((tokens * 2 + 16 * 40 * 8) / 1e6, abs=1e-4)
    assert [path.name for path in (folder / "experiments").iterdir()] == ["experiments.yaml"]


def test_the_sample_runs_offline_and_names_the_map(folder: Path):
    """The sample run prints the command for the map, which names the rows file."""
    code, output = assay(*SMALL)
    assert code == 0
    match = re.search(r"^the map +assay heatmap (\S+) --mode depth", output, re.MULTILINE)
    assert match
    rows = Path(match[1]).read_text(encoding="utf-8").splitlines()
    assert len(rows) == 11
    assert "accuracy 1.000" in output


def test_no_key_is_in_the_results(files: tuple[str, ...], folder: Path):
    """A key in the metadata of the questions is not copied into the results."""
    code, _ = assay(*files, "--system", "reader", "--context-length", "4000", "--out", "out.jsonl")
    assert code == 0
    text = (folder / "out.jsonl").read_text(encoding="utf-8")
    assert "sk-0123456789" not in text + (folder / "out.json").read_text(encoding="utf-8")
    metadata = json.loads(text.splitlines()[0])["metadata"]
    assert metadata["question_set_metadata"] == {"made_by": "a test"}
    assert metadata["depth_mode"] == "legacy"
