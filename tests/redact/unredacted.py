"""A run that was recorded without redaction, with labels, and with what killed commands left behind."""

from copy import copy
from pathlib import Path
from typing import Any, Final

from assay.judge.draw import Drawn, drawn_order, write_drawn
from assay.judge.label import Label, text_hash
from assay.judge.label_store import append, labels_path, read_labels
from tests.redact.canary import CanaryWorkspace
from tests.redact.test_canary import leaks, numbers, rows_of

ASK: Final = "ablate -e echo --no-report --redact off"
_LEFT: Final = (
    "experiments/.echo.json.999999999", "experiments/.page.html.999999999",
    "experiments/echo.jsonl.torn", "labels/echo.jsonl.torn", "labels/pairs/echo.jsonl.torn",
    "experiments/.echo.merge-ab12_cd3/echo.jsonl", "chunks/lexical-0123456789abcdef/store",
    "chunks/.lexical-ab12_cd3/store", ".assay/calls.sqlite-wal",
)  # fmt: skip
"""What commands leave that are killed: temporary files, torn lines, parts of folders."""


class UnredactedRun:
    """The run that ``ASK`` has recorded in the workspace."""

    def __init__(self, workspace: CanaryWorkspace) -> None:
        self._given = workspace
        self._label()
        for name in _LEFT:
            path = workspace.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'{{"answer": "It is {workspace.canaries[0].value}', encoding="utf-8")
        self._scores = _scores(workspace.root)

    def _label(self) -> None:
        """Draw and label all answers."""
        journal = _journal(self._given.root)
        about = [
            {"run": "experiments/echo", "case_id": row["question_id"], "variant": row["config"],
             "answer_hash": text_hash(row["answer"])}
            for row in rows_of(journal)
        ]  # fmt: skip
        comment = self._given.canaries[0].sentence
        for each in about:
            label = Label(**each, labeller="ann@firm.ru", time="", verdict="right", comment=comment)
            append(labels_path(journal), label)
        write_drawn(journal, [Drawn(**each, probability=0.5, seed=0, count=4) for each in about])

    def check(self, root: Path) -> None:
        """In this copy, which may be masked in part, every row is whole, with its numbers."""
        assert _scores(root) == self._scores

    def check_masked(self, root: Path) -> None:
        """In this copy no value is left, and labels and draws are still about the answers."""
        self.check(root)
        workspace = copy(self._given)
        workspace.root = root
        workspace.inputs = {
            root / path.relative_to(self._given.root) for path in self._given.inputs
        }
        assert leaks(workspace) == {}
        journal = _journal(root)
        answers = {
            (row["question_id"], row["config"], text_hash(row["answer"]))
            for row in rows_of(journal)
        }
        labels = read_labels(labels_path(journal))
        assert {(each.case_id, each.variant, each.answer_hash) for each in labels} == answers
        assert len(labels) == len(answers)
        assert set(drawn_order(journal)) == answers


def _journal(root: Path) -> Path:
    return root / "experiments" / "echo.jsonl"


def _scores(root: Path) -> list[Any]:
    """The numbers of the rows, in any order."""
    return sorted((numbers(row) for row in rows_of(_journal(root))), key=str)
