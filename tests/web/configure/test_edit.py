from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from assay.config.yaml_tree import parse_yaml
from assay.errors import UseError
from assay.web.configure.api import Draft, DraftVariable, NewSystem
from assay.web.configure.edit import with_draft, with_system

TEXT = """\
# What we compare. Важно.
defaults:
  questions_path: "q.jsonl"   # the long set

experiments:
  # the first one
  - name: rerank   # keep this name
    baseline: normal
    values: [true, false]  # both
    ablation_variable: llm_rerank_enabled
    x_note: ''   # of somebody

  # the second one
  - { name: hyde, ablation_variable: hyde_enabled }

  - name: dims
    variants:
      - { dim: 128, name: d128 }
      - { dim: 256, name: d256 }
# the end
models: {}
"""


def draft(name: str, *variables: str, **fields: object) -> Draft:
    """A form with variables that have their values by default."""
    named = tuple(DraftVariable(name=each) for each in variables)
    return Draft(name=name, variables=named, **fields)  # type: ignore[arg-type]


def test_only_the_lines_of_the_experiment_change():
    """Comments, quotes, order and every other line stay as they are."""
    variable = DraftVariable(name="llm_rerank_enabled", values=(True, False))
    changed = with_draft(
        TEXT, "rerank", Draft(name="rerank", variables=(variable,), top_k=5, description="Does it help?")
    )  # fmt: skip
    before, after = TEXT.splitlines(), changed.splitlines()
    assert after[:9] == before[:9]
    assert "    values: [true, false]  # both" in after
    assert "    x_note: ''   # of somebody" in after
    assert changed.endswith(TEXT[TEXT.index("\n  # the second one") :])
    found = yaml.safe_load(changed)["experiments"][0]
    assert (found["top_k"], found["description"]) == (5, "Does it help?")


def test_nothing_to_change_changes_nothing():
    """The text comes back byte for byte."""
    variable = DraftVariable(name="llm_rerank_enabled", values=(True, False))
    assert with_draft(TEXT, "rerank", Draft(name="rerank", variables=(variable,))) == TEXT
    assert with_draft(TEXT, "dims", Draft(name="dims", baseline="", has_variants=True)) == TEXT


def test_variants_of_the_file_are_left_alone():
    """A form does not know them."""
    changed = with_draft(TEXT, "dims", Draft(name="dims", has_variants=True, question_limit=7))
    assert yaml.safe_load(changed)["experiments"][2] == {
        "name": "dims", "variants": [{"dim": 128, "name": "d128"}, {"dim": 256, "name": "d256"}],
        "baseline": "normal", "question_limit": 7,
    }  # fmt: skip
    assert changed.startswith(TEXT[: TEXT.index("  - name: dims")])
    assert changed.endswith("# the end\nmodels: {}\n")


def test_a_new_experiment_stands_after_the_others():
    """Indented as they are; the rest of the file stays."""
    new = draft("both", "hyde_enabled", "llm_rerank_enabled", design="factorial")
    changed = with_draft(TEXT, "", new)
    assert (
        changed.replace(
            "\n  - name: both\n    baseline: normal\n    design: factorial\n"
            "    components: [hyde_enabled, llm_rerank_enabled]\n",
            "",
        )
        == TEXT
    )
    assert [each["name"] for each in yaml.safe_load(changed)["experiments"]] == ["rerank", "hyde", "dims", "both"]  # fmt: skip


def test_components_with_and_without_values():
    """A component without values is switched off and on."""
    variables = (DraftVariable(name="hyde_enabled"), DraftVariable(name="dim", values=(128, 256)))
    changed = with_draft("", "", Draft(name="x", design="add_one", variables=variables))
    components = yaml.safe_load(changed)["experiments"][0]["components"]
    assert components == {"hyde_enabled": [False, True], "dim": [128, 256]}


@pytest.mark.parametrize("text", ["", "# only a comment\n", "defaults:\n  top_k: 3", "experiments:\n", "experiments: []\n"])  # fmt: skip
def test_the_first_experiment_of_a_file(text: str):
    """A file that is missing, or has no experiments yet."""
    changed = with_draft(text, "", draft("one", "hyde_enabled", questions_path="q.jsonl"))
    assert yaml.safe_load(changed)["experiments"] == [
        {"name": "one", "questions_path": "q.jsonl", "baseline": "normal", "ablation_variable": "hyde_enabled"}
    ]  # fmt: skip
    assert (
        with_draft(changed, "one", draft("one", "hyde_enabled", questions_path="q.jsonl"))
        == changed
    )


def test_what_cannot_be_written_safely_is_refused():
    """Anchors, brackets, and text that is no YAML: they are edited as text."""
    anchored = "experiments:\n  - &a {name: a}\n  - <<: *a\n    name: b\n"
    for text in (anchored, "experiments: [{name: b}]\n", "{experiments: []}", "a: [", "- 1\n"):
        with pytest.raises(UseError):
            with_draft(text, "b", draft("b", top_k=3))


def test_systems_are_added_and_never_replaced():
    """An address, or a model with the system that uses it."""
    http = NewSystem(name="mine", kind="http", url="http://localhost:9/ask", answer="reply.text")
    changed = with_system(TEXT.replace("models: {}\n", ""), http)
    assert yaml.safe_load(changed)["systems"] == {
        "mine": {"kind": "http", "url": "http://localhost:9/ask", "answer": "reply.text"}
    }
    chat = NewSystem(
        name="chat", kind="openai", url="http://h/v1", model="m", api_key_env="A_API_KEY"
    )
    both = with_system(changed, chat)
    assert yaml.safe_load(both)["systems"]["chat"] == {"kind": "openai", "model": "chat"}
    assert yaml.safe_load(both)["models"]["chat"]["base_url"] == "http://h/v1"
    assert both.startswith(TEXT.replace("models: {}\n", ""))
    with pytest.raises(UseError, match="already"):
        with_system(both, http)


SHAPES = """\
experiments:
  - description: first   # in the line of the dash
    # about the name
    name: lines
    values:   # why these
      # the short one
      - 128

      - 256
      # the end of the list
    ablation_variable: dim
    primary:
    x_kept: |
      # a heading, no comment
      text

    # a comment of the file

  - name: text
    description: >-
      in
      two lines

    ablation_variable: hyde_enabled
    values:
    - on
    top_k: 3 # here
  - {description: 'a, b', name: brackets, values: [1, 2],
     ablation_variable: dim, top_k: 3}
  -   name: map
      components:
        hyde_enabled: [false, true]
        dim: # sizes
          - 128
          - 256
      design: add_one"""


def read(text: str) -> Any:
    """What the text says; a key that stands there twice is refused."""
    return parse_yaml(text, Path("experiments.yaml"))[0]


@pytest.mark.parametrize("name", ["lines", "text", "brackets", "map"])
@pytest.mark.parametrize(
    "form",
    [
        {},
        {"description": "1e-3", "primary": "on", "top_k": 7, "question_limit": 5},
        {"variables": (DraftVariable(name="a: b", values=("yes", True, 0.5, "x, y", None)),)},
        {"design": "factorial", "variables": (DraftVariable(name="a"), DraftVariable(name="b"))},
        {"design": "add_one", "variables": (DraftVariable(name="a", values=(1, 2)),)},
    ],
    ids=["emptied", "texts", "values", "names", "levels"],
)
def test_however_it_is_written(name: str, form: dict[str, object]):
    """Lists, texts and brackets of every shape are changed, added and taken out in their place."""
    changed = with_draft(SHAPES, name, Draft(name=name, **form))  # type: ignore[arg-type]
    items = {each["name"]: each for each in read(SHAPES)["experiments"]}
    found = {each["name"]: each for each in read(changed)["experiments"]}
    assert list(found) == list(items)
    ours = found.pop(name)
    assert found == {other: item for other, item in items.items() if other != name}
    assert ours.get("description") == form.get("description")
    assert ours.get("top_k") == form.get("top_k")
    variables = form.get("variables", ())
    if "design" not in form:
        assert ours.get("values", []) == [each for one in variables for each in one.values]  # type: ignore[attr-defined]
    else:
        levels = {"a": [1, 2]} if form["design"] == "add_one" else ["a", "b"]
        assert ours["components"] == levels
    for kept in ("# a comment of the file", "x_kept: |\n      # a heading, no comment\n      text"):
        assert kept in changed
    assert with_draft(changed, name, Draft(name=name, **form)) == changed  # type: ignore[arg-type]


def test_a_file_without_a_last_line_break():
    """A list in brackets over two lines and a last line without its end are whole."""
    in_brackets = SHAPES[: SHAPES.index("  -   name: map")].rstrip()
    for text in (SHAPES, in_brackets):
        changed = with_draft(text, "", draft("new", "dim"))
        assert changed.startswith(text)
        assert len(read(changed)["experiments"]) == len(read(text)["experiments"]) + 1
    with_system_too = with_system(
        "systems:\n  a: {kind: http,\n    url: x}",
        NewSystem(name="b", kind="http", url="http://h/"),
    )
    assert list(read(with_system_too)["systems"]) == ["a", "b"]


def test_comments_stay_where_a_list_is_written_anew():
    """Those behind the key and after the list are not part of the list."""
    variable = DraftVariable(name="dim", values=(64,))
    changed = with_draft(SHAPES, "lines", Draft(name="lines", variables=(variable,)))
    assert "    values: [64]   # why these\n" in changed
    assert "      # the end of the list\n    ablation_variable: dim\n" in changed


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


@given(
    description=WORDS,
    values=st.lists(st.one_of(st.booleans(), st.integers(-9, 999), WORDS), max_size=4),
    limit=st.none() | st.integers(0, 99),
)
def test_any_value_survives(description: str, values: list[object], limit: int | None):
    """What the form says is what a YAML reader finds, and the second time nothing changes."""
    variable = DraftVariable(name="hyde_enabled", values=tuple(values))
    new = Draft(name="rerank", description=description, variables=(variable,), question_limit=limit)
    changed = with_draft(TEXT, "rerank", new)
    found = yaml.safe_load(changed)["experiments"][0]
    assert found.get("description", "") == description
    assert found.get("values", []) == values
    assert found.get("question_limit") == limit
    assert with_draft(changed, "rerank", new) == changed
    assert changed.endswith(TEXT[TEXT.index("  # the second one") :])
