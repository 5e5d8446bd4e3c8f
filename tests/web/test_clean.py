"""What is left out of a page that is sent to others."""

from pathlib import Path

import pytest

from assay.web.language import Cleaner
from assay.words.message import Title, message, message_n
from tests.support.path import ROOT
from tools.words import LOCALE, key_of, read_catalogue

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


def test_the_fields_of_messages_are_cleaned_and_their_texts_stay(tmp_path: Path):
    """A message is still translated; a field inside a field is cleaned too."""
    inner = message_n("{n} row of {file}", "{n} rows of {file}", 2, file=f"{KEY}.csv")
    title = Title(en=KEY, zh="指标", ru="метрика")
    assert Cleaner().encoded(message("{a}: {b}, {c}", a=inner, b=title, c=3)) == {
        "text": "{a}: {b}, {c}",
        "fields": {
            "a": {
                "text": "{n} row of {file}",
                "fields": {"file": "***.csv"},
                "plural": "{n} rows of {file}",
                "n": 2,
            },
            "b": {"en": "***", "zh": "指标", "ru": "метрика"},
            "c": 3,
        },
    }


def test_a_secret_that_only_the_whole_sentence_shows_is_left_out():
    """Then the page gets the cleaned English sentence."""
    said = message("{name}={value}", name="password", value="hunter2 is it")
    assert Cleaner().encoded([said]) == [Cleaner().text("password=hunter2 is it")]
    assert "hunter2" not in str(Cleaner().encoded([said]))


def test_no_sentence_of_the_catalogues_looks_like_a_secret():
    """Otherwise the page would get another sentence, which has no translation."""
    clean = Cleaner()
    catalogue = read_catalogue((ROOT / LOCALE / "ru.po").read_bytes(), "ru")
    texts = [key_of(entry).text for entry in catalogue if entry.id]
    assert texts == [clean.text(text) for text in texts]
