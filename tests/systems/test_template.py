"""Templates: placeholders are replaced, with the right type, and quoted in URLs."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.systems.protocol import check_placeholders, fill_template, fill_url, with_texts

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
def test_placeholders_are_filled(template: Any, value: Any):
    """A string of one placeholder keeps the value's type; within other text it becomes text."""
    assert fill_template(template, VALUES) == value


def test_a_template_is_not_changed_by_filling():
    """Filling a template does not change it."""
    template = {"q": "{{question}}", "list": ["{{top_k}}"]}
    fill_template(template, VALUES)
    assert template == {"q": "{{question}}", "list": ["{{top_k}}"]}


@given(st.text())
def test_a_question_is_not_a_template(text: str):
    """Braces, quotes and dollar signs in a question are not interpreted."""
    assert fill_template({"q": "{{question}}"}, {"question": text}) == {"q": text}
    assert fill_template("<{{question}}>", {"question": text}) == f"<{text}>"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_url_says_exactly_what_was_asked(text: str):
    """A server decodes any question unchanged."""
    url = fill_url("http://x/ask?q={{question}}&k={{top_k}}", {"question": text, "top_k": 5})
    query = parse_qs(urlsplit(url).query, keep_blank_values=True)
    assert query == {"q": [text], "k": ["5"]}


def test_a_placeholder_in_the_path_cannot_leave_it():
    """A slash in a value is quoted, so that it does not change the path."""
    assert fill_url("http://x/{{question}}", {"question": "a/b?c"}) == "http://x/a%2Fb%3Fc"


@pytest.mark.parametrize("template", ["{{qestion}}", {"a": ["{{qestion}}"]}, "{{user.name}}"])
def test_an_unknown_placeholder_is_refused(template: Any):
    """The message names the unknown placeholder and the known ones."""
    with pytest.raises(UseError, match=r"^shop: there is no \{\{.*question_id") as caught:
        check_placeholders(template, set(VALUES), "shop")
    assert "\n" not in str(caught.value)


def test_known_placeholders_pass():
    """Known placeholders, including single settings, are accepted."""
    check_placeholders(["{{question}}{{settings.any}}", {"k": "{{ top_k }}"}], set(VALUES), "shop")


def test_every_text_is_changed_and_nothing_else():
    """Strings at any depth are changed; keys, numbers and None are not."""
    template = {"a": ["x", {"b": "y"}], "c": 7, "d": None, "e": True}
    changed = with_texts(template, str.upper)
    assert changed == {"a": ["X", {"b": "Y"}], "c": 7, "d": None, "e": True}
