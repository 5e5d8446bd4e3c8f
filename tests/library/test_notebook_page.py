"""The notebook docs/start.ipynb, executed by a real kernel, and what it shows."""

import json
from pathlib import Path

from tests.support.notebook import executed, shown
from tests.support.path import ROOT

NOTEBOOK = json.loads((ROOT / "docs" / "start.ipynb").read_text(encoding="utf-8"))
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
MOST_LINES = 25


def test_the_notebook_runs_and_shows_tables_and_figures(tmp_path: Path):
    """A run with its bar, its wrong answers, a chart, a comparison with a margin, and Parquet."""
    notebook = executed(NOTEBOOK, tmp_path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    run, wrong, chart, compared, table = cells
    assert "0.600" in shown(run, "text/html")[-1]
    assert any("40/40" in each for each in shown(run, "text/html"))
    assert shown(wrong, "text/html")[-1].count("abstained") == 3
    assert shown(chart, "image/png")
    assert "not worse by more than 3 points" in shown(compared, "text/html")[-1]
    assert "answer_contained" in shown(table, "text/html")[-1]
    assert (tmp_path / "candidate.parquet").stat().st_size > 1000


def test_the_notebook_is_short():
    """Its code fits on a screen, and it is stored without outputs."""
    lines = [line for cell in CODE for line in "".join(cell["source"]).splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    assert not any(cell["outputs"] for cell in CODE)


INTERRUPTED = """
import os, signal, time
import assay

asked = []

def ask(question):
    asked.append(question)
    if len(asked) == 5:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.02)
    return "30 days"

questions = [{"question": f"How long is notice {n}?", "answer": "30 days"} for n in range(40)]
try:
    assay.run(ask, questions, name="slow")
except KeyboardInterrupt:
    done = assay.open("slow").tally.scored
run = assay.run(ask, questions, name="slow")
print(5 <= done < 40, run.tally.scored, len(asked), run.summary.stretches[-1].asked == 40 - done)
"""


def test_an_interrupted_cell_is_run_again_and_goes_on(tmp_path: Path):
    """Ctrl+C ends the cell with KeyboardInterrupt; nothing that was answered is asked again."""
    cell = {"cell_type": "code", "source": INTERRUPTED, "metadata": {}, "outputs": []}
    cell |= {"id": "a", "execution_count": None}
    (ran,) = executed({**NOTEBOOK, "cells": [cell]}, tmp_path)["cells"]
    text = "".join("".join(each.get("text", "")) for each in ran["outputs"])
    assert text.strip().endswith("True 40 40 True")
