"""Question sets of other tools: what is not as they write it is refused with its place."""

import re
from pathlib import Path
from typing import Any

import pytest

from assay.data.foreign_set import json_set
from assay.errors import DatasetError


@pytest.mark.parametrize(
    ("article", "place"),
    [
        ({"paragraphs": {"context": "c"}}, "data[0].paragraphs is no list"),
        ({"paragraphs": ["c"]}, "data[0].paragraphs[0] is no object"),
        ({"paragraphs": [{"qas": 7}]}, "data[0].paragraphs[0].qas is no list"),
        (
            {"paragraphs": [{"qas": [{"id": "1"}, None]}]},
            "data[0].paragraphs[0].qas[1] is no object",
        ),
        (
            {"paragraphs": [{"qas": [{"answers": "a"}]}]},
            "data[0].paragraphs[0].qas[0].answers is no list",
        ),
        (
            {"paragraphs": [{"qas": [{"answers": ["a"]}]}]},
            "data[0].paragraphs[0].qas[0].answers[0] is no object",
        ),
    ],
)
def test_squad_of_another_shape_is_refused_with_its_place(article: dict[str, Any], place: str):
    """What is not as in SQuAD is named, also if other articles are."""
    with pytest.raises(DatasetError, match=re.escape(f"s.json: {place}")):
        list(json_set({"data": [article, {"paragraphs": []}]}, Path("s.json")))


def test_an_article_that_is_no_object_is_refused():
    """The first article is one of SQuAD, the second is a text."""
    with pytest.raises(DatasetError, match=re.escape("s.json: data[1] is no object")):
        list(json_set({"data": [{"paragraphs": []}, "a"]}, Path("s.json")))


def test_squad_with_the_answers_of_hugging_face():
    """Answers may be one object with a list of texts."""
    question = {
        "id": "1",
        "question": "q?",
        "answers": {"text": ["a", "b"], "answer_start": [0, 1]},
    }
    content = {"data": [{"paragraphs": [{"context": "c", "qas": [question]}]}]}
    assert [row["answer"] for row in json_set(content, Path("s.json"))] == [["a", "b"]]
