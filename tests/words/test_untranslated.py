"""No command prints an English sentence where another language was asked for; errors stay English."""

import ast
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.checks import answer
from assay.cli.main import app
from assay.gate.correction import EARLY
from assay.gate.gate import change_fault
from assay.gate.shared import SharedQuestions
from assay.words.language import Lang, use_language
from assay.words.message import message, text_of
from assay.words.say import say_in
from tests.support.path import ROOT

PACKAGE = ROOT / "src" / "assay"
OTHERS: tuple[Lang, ...] = ("zh", "ru")
SENTENCE = re.compile(r"[A-Za-z]+,? [a-z]{2,}")


def joined(node: ast.JoinedStr, filler: str = "{}") -> str:
    """The text of an f-string, with a filler for what is filled in."""
    parts = (str(v.value) if isinstance(v, ast.Constant) else filler for v in node.values)
    return "".join(parts)


@pytest.mark.parametrize("lang", OTHERS)
def test_what_a_benchmark_says_of_a_wrong_answer_is_retold(lang: Lang):
    """Every reason of a verdict that does not hold has a translation."""
    nodes = [
        node
        for path in sorted((PACKAGE / "jobs" / "legal").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    verdicts = [
        {word.arg: word.value for word in node.keywords}
        for node in nodes
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "FieldVerdict"
    ]
    wrong = [each["why"] for each in verdicts if ast.unparse(each["holds"]) == "False"]
    reasons = {joined(why, "x") for why in wrong if isinstance(why, ast.JoinedStr)}
    reasons |= {str(why.value) for why in wrong if isinstance(why, ast.Constant)}
    reasons |= {rule.why for rule in answer._RULES.values() if rule.outcome != "right"}
    assert len(reasons) > 8
    fixed = reasons - {joined(why, "x") for why in wrong if isinstance(why, ast.JoinedStr)}
    assert [reason for reason in fixed if say_in(lang, reason) == reason] == []


SAID = (
    change_fault(message("{metric}, corrected by labels,", metric="judge.a"), -0.1, 0.0),
    change_fault(message("{metric}, corrected by labels,", metric="judge.a"), -0.1, 0.2),
    message("{n} labels of randomly drawn answers", n=240),
    SharedQuestions(
        both=4, changed=("a", "b"), reworded=frozenset("a"), only_base=1, only_cand=2
    ).sentence,
    EARLY,
)
"""What ``assay compare`` tells of its figures."""


@pytest.mark.parametrize("lang", OTHERS)
def test_what_a_comparison_says_is_translated(lang: Lang):
    """Corrections by labels and differences of question sets, without a stray sign."""
    for text in SAID:
        told = text_of(text, lang)
        assert WORDS.search(QUOTED.sub("", told)) is None, told
        assert ",:" not in told


def test_skipped_files_are_told_in_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Every reason why a file is left out, with the name of the file before a colon."""
    for name, content in {"a.md": "Порт.", "b.png": "x", "c.pdf": "x", "e.txt": ""}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "l.txt").symlink_to("nothing")
    monkeypatch.chdir(tmp_path)
    use_language("ru")
    shown = CliRunner().invoke(app, ["ingest", ".", "--out", "o"]).output
    assert "пропущено: b.png: это не файл .csv" in shown
    assert "пропущено: c.pdf: это не PDF, или файл повреждён: pdfium не может его открыть" in shown
    assert "пропущено: e.txt: в документе нет текста" in shown
    assert "пропущено: l.txt: ссылка на файл, которого нет" in shown


TOWN = """# Порт

Маяк построен в 1874 году. Длина мола составляет 340 метров. Лоцманская служба берёт 120 рублей
за час. Музей открыт с 1931 года. Начальник порта — Анна Сергеевна Белова.
"""
DRAFT = "questions/corpus.draft.jsonl"
COMMANDS = (
    ("doctor",),
    ("list",),
    ("ingest", "documents"),
    ("search", "zzzzz"),
    ("questions", "draft", "--count", "3"),
    ("questions", "draft", "--dry-run", "--name", "other"),
    ("questions", "check", DRAFT),
    ("questions", "power", DRAFT),
    ("questions", "respan", DRAFT),
    ("questions", "diff", DRAFT, "questions/corpus.draft.spans.jsonl"),
    ("run", "--questions", DRAFT, "--name", "town", "--no-report"),
    ("list",),
    ("compare", "--base", "experiments/town.jsonl", "--cand", "experiments/town.jsonl"),
    ("judge", "plan", "town", "--metric", "answer_contained"),
    ("baseline", "town", "--out", "town.base.jsonl"),
    ("score", "town"),
    ("redact", "scan", "documents"),
    ("cache", "info"),
)
"""Commands, called one after the other in a workspace with one document."""
WORDS = re.compile(r"[a-z]{2,},? [a-z]{2,},? [a-z]{2,}")
QUOTED = re.compile(r"'[^']*'|assay [a-z].*|\S*/\S*")
"""Names and commands, which are the same in all languages."""


def test_commands_print_nothing_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No line that a command prints in another language has three English words in a row."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "town.md").write_text(TOWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    use_language("ru")
    for words in COMMANDS:
        shown = CliRunner().invoke(app, list(words))
        assert shown.exit_code in {0, 1}, (words, shown.output)
        lines = [QUOTED.sub("", line) for line in shown.output.splitlines()]
        assert [line for line in lines if WORDS.search(line)] == [], words
