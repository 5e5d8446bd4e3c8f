"""The data files of the languages: complete, consistent and without unused entries."""

import ast
import re
import string
from collections.abc import Iterable
from typing import Literal, get_args

import pytest

from assay.jobs.labelled import LABEL_METRIC
from assay.jobs.spec import JOBS
from assay.scorers.registered import SCORERS
from assay.words import Lang, Translation, translation
from tests.support.source import PACKAGE, package_nodes

Section = Literal["label", "heatmap", "page"]

LANGUAGES: tuple[Lang, ...] = get_args(Lang)
READERS: dict[Section, set[str]] = {
    "label": {"word"},
    "heatmap": {"heat_word"},
    "page": {"page_word", "page_text"},
}
"""The functions and methods that take a key of each section as their first argument."""


def modules() -> list[list[ast.AST]]:
    """The nodes of each module that may use a word."""
    own = {PACKAGE / "report" / "words", PACKAGE / "words"}
    return [
        nodes
        for path, nodes in package_nodes().items()
        if path.parent not in own or path.stem == "said"
    ]


def texts(words: Translation) -> dict[tuple[str, ...], str]:
    """All texts of a language by section and key."""
    values = {
        ("value", kind, value): text
        for kind, translations in words.value.items()
        for value, text in translations.items()
    }
    sections = {"label": words.label, "heatmap": words.heatmap, "page": words.page}
    named = {
        (section, key): text for section, each in sections.items() for key, text in each.items()
    }
    return named | values


def field_names(text: str) -> set[str]:
    """The names between braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def calls(nodes: Iterable[ast.AST], names: set[str]) -> list[ast.Call]:
    """The calls of functions or methods with these names."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
    ]


def strings(nodes: Iterable[ast.AST]) -> set[str]:
    """The string literals among the nodes."""
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def key_pattern(call: ast.Call) -> str:
    """A regular expression for the keys that the first argument builds if it is an f-string."""
    argument = call.args[0]
    parts = argument.values if isinstance(argument, ast.JoinedStr) else []
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_languages_have_the_same_keys(lang: Lang):
    """A text that exists in English exists in every language, and the other way round."""
    assert texts(translation(lang)).keys() == texts(translation("en")).keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_has_the_fields_of_the_english_text(lang: Lang):
    """A sentence that the program can fill in English can be filled in every language."""
    english = texts(translation("en"))
    for key, text in texts(translation(lang)).items():
        assert text, key
        assert field_names(text) == field_names(english[key]), key


@pytest.mark.parametrize("section", READERS)
def test_every_key_is_used(section: Section):
    """The data files have no word that no module asks for.

    A key may reach the function through a variable, so all string literals of a module that
    calls the function count as used keys.
    """
    used: set[str] = set()
    patterns: set[str] = set()
    for nodes in modules():
        reads = calls(nodes, READERS[section])
        used |= strings(nodes) if reads else set()
        patterns |= {key_pattern(call) for call in reads}
    unused = [
        key
        for key in getattr(translation("en"), section)
        if key not in used and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_every_kind_of_value_and_every_value_is_used():
    """Each kind is passed to a function that translates, and each value occurs in the source."""
    kinds: set[str] = set()
    for nodes in modules():
        reads = calls(nodes, {"value_word", "retold"})
        kinds |= strings(call.args[0] for call in reads)
        # the legal benchmark cuts the kind from the name of a table: "by_category"
        kinds |= {text[3:] for text in strings(nodes) if reads and text.startswith("by_")}
    values = translation("en").value
    assert values.keys() <= kinds
    literals = set().union(*(strings(nodes) for nodes in modules()))
    # of metrics, of users' files of questions, and sentences with gaps, which are put together
    theirs = {"undefined", "field", "field value", "finding", "fault", "note", "skipped"}
    listed = {value for kind, texts in values.items() for value in texts if kind not in theirs}
    assert listed <= literals


def test_why_a_metric_is_undefined_is_told_in_every_language():
    """Exactly the reasons that assay's own jobs, scorers and the labels of people declare."""
    metrics = [metric for name in JOBS.own for metric in JOBS.get_own(name).metrics]
    metrics += [LABEL_METRIC, *(SCORERS.get_own(name) for name in SCORERS.own)]
    declared = {metric.undefined for metric in metrics if metric.undefined}
    assert declared == translation("en").value["undefined"].keys()


def test_a_file_is_read_once():
    """The second use of a language costs no reading."""
    assert translation("ru") is translation("ru")
