"""What is left out of a page that is sent to others."""

from pathlib import Path

import pytest

from assay.web.language import Cleaner

KEY = "sk-proj-" + "Ab3" * 8


def test_what_must_not_be_sent_is_left_out_of_every_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Known secrets, what has the form of one, the workspace, and the user's own folder."""
    root = tmp_path / "ws"
    (root / "experiments").mkdir(parents=True)
    (root / "experiments" / "experiments.yaml").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    clean = Cleaner(root / "experiments" / "a.jsonl")
    given = {
        "error": f"401 for {KEY} in {root}/rag.py, see {tmp_path}/home/log",
        "list": [f"postgres://me:pa55word@host/{root}", 1, None, True],
        "words": ("plain", f"{root}-2/x"),
    }
    assert clean.value(given) == {
        "error": "401 for *** in ./rag.py, see ~/log",
        "list": ["postgres://***@host/.", 1, None, True],
        "words": ["plain", f"{root}-2/x"],
    }


def test_two_findings_at_one_place_are_one_mask():
    """A key that is also named as one."""
    assert Cleaner().text(f"api_key={KEY} and more") == "api_key=*** and more"
