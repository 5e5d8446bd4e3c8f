"""Templates: every place filled, with the right type, quoted where it must be."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.systems.template import check_places, fill_template, fill_url, with_texts

VALUES = {
    "question": 'What is "第３条"?',
    "question_id": "q1",
    "top_k": 3,
    "settings": {"mode": "deep", "dim": 128, "flag": True},
}


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{{question}}", VALUES["question"]),
        ("{{ question }}", VALUES["question"]),
        (" {{top_k}} ", 3),
        ("{{settings}}", VALUES["settings"]),
        ("{{settings.flag}}", True),
        ("{{settings.absent}}", None),
        ("id={{question_id}}", "id=q1"),
        ("{{settings.mode}}/{{settings.dim}}", "deep/128"),
        ("[{{settings.absent}}]", "[]"),
        ("flag: {{settings.flag}}", "flag: true"),
        ("nothing", "nothing"),
        (7, 7),
        (None, None),
        (["{{top_k}}", {"a": ["{{question_id}}"]}], [3, {"a": ["q1"]}]),
    ],
)
def test_places_are_filled(template: Any, value: Any):
    """A place alone keeps its type; among words it becomes text; the rest stays."""
    assert fill_template(template, VALUES) == value


def test_a_template_is_not_changed_by_filling():
    """The next case finds it as it was."""
    template = {"q": "{{question}}", "list": ["{{top_k}}"]}
    fill_template(template, VALUES)
    assert template == {"q": "{{question}}", "list": ["{{top_k}}"]}


@given(st.text())
def test_a_question_is_not_a_template(text: str):
    """Braces, quotes and dollars in a question are its own."""
    assert fill_template({"q": "{{question}}"}, {"question": text}) == {"q": text}
    assert fill_template("<{{question}}>", {"question": text}) == f"<{text}>"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_url_says_exactly_what_was_asked(text: str):
    """Whatever the question holds, a server reads it back unchanged."""
    url = fill_url("http://x/ask?q={{question}}&k={{top_k}}", {"question": text, "top_k": 5})
    found = parse_qs(urlsplit(url).query, keep_blank_values=True)
    assert found == {"q": [text], "k": ["5"]}


def test_a_place_in_the_path_cannot_leave_it():
    """A slash in a value does not make a folder."""
    assert fill_url("http://x/{{question}}", {"question": "a/b?c"}) == "http://x/a%2Fb%3Fc"


@pytest.mark.parametrize("template", ["{{qestion}}", {"a": ["{{qestion}}"]}, "{{user.name}}"])
def test_a_place_nobody_can_fill_is_refused(template: Any):
    """The line names the place and those there are."""
    with pytest.raises(UseError, match=r"^shop: there is no \{\{.*question_id") as caught:
        check_places(template, set(VALUES), "shop")
    assert "\n" not in str(caught.value)


def test_known_places_pass():
    """Settings may be named one by one."""
    check_places(["{{question}}{{settings.any}}", {"k": "{{ top_k }}"}], set(VALUES), "shop")


def test_every_text_is_changed_and_nothing_else():
    """Texts at any depth; names, numbers and nothing stay."""
    template = {"a": ["x", {"b": "y"}], "c": 7, "d": None, "e": True}
    changed = with_texts(template, str.upper)
    assert changed == {"a": ["X", {"b": "Y"}], "c": 7, "d": None, "e": True}
