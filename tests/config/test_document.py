"""Reading a YAML file into a struct: each error names the file, the line and a remedy."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from assay.config.document import ExperimentFile, load_document, parse_document
from assay.errors import ConfigError

PATH = Path("lab.yaml")


class Tool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A struct inside the configuration."""

    name: str
    size: float = 1.0
    open: bool = False


class Bench(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A configuration that contains structs in every kind of container."""

    title: str | None = None
    count: int = 0
    first: Tool | None = None
    tools: list[Tool] = []
    shelves: dict[str, Tool] = {}
    pair: tuple[Tool, ...] = ()
    notes: dict[str, Any] = {}
    words: list[dict[str, str]] = []


def refusal(text: str, as_type: type = Bench) -> str:
    """The error message for ``text``."""
    with pytest.raises(ConfigError) as caught:
        parse_document(text, as_type, PATH)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("titel: x", "lab.yaml:1: unknown key 'titel'; did you mean 'title'?"),
        (
            "count: 1\nfirst:\n  name: a\n  sise: 2",
            "lab.yaml:4: unknown key 'sise'; did you mean 'size'?",
        ),
        (
            "tools:\n- name: a\n- name: b\n  opn: true",
            "lab.yaml:4: unknown key 'opn'; did you mean 'open'?",
        ),
        ("shelves:\n  top:\n    nam: a", "lab.yaml:3: unknown key 'nam'; did you mean 'name'?"),
        (
            "pair:\n- {name: a}\n- {name: b, sizes: 3}",
            "lab.yaml:3: unknown key 'sizes'; did you mean 'size'?",
        ),
        (
            "first: {zzz: 1, name: a}",
            "lab.yaml:1: unknown key 'zzz'; valid names: name, open, size",
        ),
        ("first:\n  name: a\n  7: b", "lab.yaml:3: unknown key 7; valid names: name, open, size"),
    ],
)
def test_an_unknown_key_is_refused_at_any_depth(text: str, message: str):
    """At any depth, an unknown key is reported with its line and the nearest valid name."""
    assert refusal(text) == message


def test_unknown_keys_are_reported_together_in_line_order():
    """All unknown keys are reported at once, ordered by line, so a user can fix them together."""
    text = "shelves:\n  a: {nam: x}\ntools:\n- {name: y, sice: 1}\ntitel: z\n"
    lines = refusal(text).splitlines()
    assert [line.split(" unknown key ")[0] for line in lines] == [
        "lab.yaml:2:",
        "lab.yaml:4:",
        "lab.yaml:5:",
    ]


def test_all_mistakes_of_a_file_are_reported_together():
    """Unknown keys, wrong types and missing fields, each with its own line and index."""
    text = (
        "count: many\n"
        "tools:\n"
        "  - {size: 1}\n"
        "  - {name: a, size: big}\n"
        "  - {name: b, open: 3}\n"
        "  - {name: c, colour: red}\n"
        "shelves: {x: {name: 5}}\n"
    )
    lines = [line.removeprefix("lab.yaml:") for line in refusal(text).splitlines()]
    assert lines == [
        "1: count: expected `int`, got `str`",
        "3: tools.0: 'name' is missing",
        "4: tools.1.size: expected `float`, got `str`",
        "5: tools.2.open: expected `bool`, got `int`",
        "6: unknown key 'colour'; valid names: name, open, size",
        "7: shelves.x.name: expected `str`, got `int`; put it in quotes to make it text",
    ]


def test_free_mappings_take_any_key():
    """If the type of a field is any mapping, every key is allowed."""
    document = parse_document("notes: {titel: 1, deep: {er: [2]}}", Bench, PATH)
    assert document.value.notes == {"titel": 1, "deep": {"er": [2]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count: 1\ntitle: a\ncount: 2", "lab.yaml:3: the key 'count' appears twice"),
        ("notes:\n  a: 1\n  b: {c: 1,\n    c: 2}", "lab.yaml:4: the key 'c' appears twice"),
    ],
)
def test_a_duplicate_key_is_refused(text: str, message: str):
    """The second of two equal keys is reported; plain YAML would silently drop the first."""
    assert refusal(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count: many", "lab.yaml:1: count: expected `int`, got `str`"),
        ("tools:\n- name: a\n  size: big", "lab.yaml:3: tools.0.size: expected `float`, got `str`"),
        ("tools: 3", "lab.yaml:1: tools: expected `array`, got `int`"),
        ("title: x\nfirst: [a]", "lab.yaml:2: first: expected `object | null`, got `array`"),
        ("- a\n- b", "lab.yaml:1: the file: expected `object`, got `array`"),
        ("only text", "lab.yaml:1: the file: expected `object`, got `str`"),
    ],
)
def test_a_wrong_type_is_refused(text: str, message: str):
    """A value of the wrong type is reported with its line, its path and the expected type."""
    assert refusal(text) == message


def test_a_missing_field_is_refused_where_its_owner_begins():
    """A missing field is reported at the line of the entry that should contain it."""
    assert refusal("tools:\n- name: a\n- size: 2\n") == "lab.yaml:3: tools.1: 'name' is missing"


@pytest.mark.parametrize("value", ["yes", "off", "true", "12", "1.5", "1e3", "0x1F"])
def test_text_that_yaml_reads_otherwise_gets_the_hint_to_quote(value: str):
    """A name like ``on`` or ``12`` is refused, and the message says to put it in quotes."""
    message = refusal(f"title: t\nfirst:\n  name: {value}\n")
    assert message.startswith("lab.yaml:3: first.name: expected `str`, got ")
    assert message.endswith("; put it in quotes to make it text")


def test_an_optional_text_gets_the_hint_too():
    """An optional field gets the same hint as a required one."""
    assert refusal("title: 12").endswith("put it in quotes to make it text")


def test_a_wrong_type_that_quotes_cannot_repair_gets_no_such_hint():
    """The hint is given only if quotes would make the value valid."""
    assert "quotes" not in refusal("title: [a]")
    assert "quotes" not in refusal("count: true")


@pytest.mark.parametrize("key", ["5", "true"])
def test_a_key_that_is_no_text_is_placed_and_explained(key: str):
    """In a mapping with text keys, a key that YAML reads as a number is refused at its line."""
    message = refusal(f"title: t\nwords:\n- {{a: b}}\n- {{{key}: c}}\n")
    assert message.startswith("lab.yaml:4: words.1: ")
    assert message.endswith("put it in quotes to make it text")
    assert "`$" not in message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("count: 1\n\ttitle: x", 2),
        ("title: [a, b", 1),
        ("title: 'open\ncount: 1\n", 3),
        ("count: 1\ntitle: a: b", 2),
        ("count: 1\n---\ncount: 2", 2),
        ("count: *nowhere", 1),
        ("count: 1\ntitle: @x", 2),
    ],
)
def test_invalid_yaml_is_refused_with_its_line(text: str, line: int):
    """Text that is not valid YAML gives a message of one line that says where the error is."""
    assert re.fullmatch(rf"lab\.yaml:{line}: not valid YAML: [^\n]+", refusal(text))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("count: 1\ntitle: \x07", 2),
        ("\x00", 1),
        ("count: 1\nnotes: {a: 2020-13-45}", 2),
        ("count: !!int many", 1),
        ("notes: {a: !!bool maybe}", 1),
        ("notes:\n  a: !!timestamp soon", 2),
        ("? !!set {a}\n: 1", 1),
        ("count: " + "1" * 5000, 1),
        ("title: a\nnotes: " + "[" * 800, 2),
        ("title: a\nnotes: {a: !mine b}", 2),
    ],
)
def test_what_the_yaml_library_stumbles_over_is_refused_with_its_line(text: str, line: int):
    """Control characters, impossible dates and similar input give a message, not a traceback."""
    assert re.match(rf"lab\.yaml:{line}: [^\n]+$", refusal(text))


def test_a_list_as_a_key_is_refused():
    """A key must be a plain name, not a list."""
    assert refusal("count: 1\n? [a]\n: 2") == "lab.yaml:2: a key must be a plain name"


def test_an_empty_file_is_refused():
    """A file without content is reported as empty, even if it contains comments."""
    assert refusal("") == refusal("# nothing yet\n") == "lab.yaml:1: the file is empty"


def test_an_alias_that_contains_itself_is_refused():
    """A list or mapping that contains itself is refused, because it has no end."""
    assert refusal("notes: &n\n  a: 1\n  me: *n") == "lab.yaml:1: an alias contains itself"
    assert refusal("tools: &t [*t]") == "lab.yaml:1: an alias contains itself"


def test_aliases_of_aliases_cannot_fill_the_memory():
    """A short file that stands for a billion values is refused at once."""
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    message = refusal(f"a0: &a0 [x, x]\n{levels}")
    assert message.endswith("the aliases stand for more than 100,000 values")


def test_an_alias_may_be_used_twice():
    """Using the same alias in two places is allowed; it does not contain itself."""
    document = parse_document("notes:\n  a: &x [1, 2]\n  b: *x\n  c: *x\n", Bench, PATH)
    assert document.value.notes == {"a": [1, 2], "b": [1, 2], "c": [1, 2]}


def test_merge_keys_fill_in_and_are_overridden():
    """Keys merged with ``<<`` are overridden by the keys of the mapping; that is no duplicate."""
    text = """
shelves:
  one: &one {name: a, size: 2}
  two:
    <<: *one
    name: b
"""
    shelves = parse_document(text, Bench, PATH).value.shelves
    assert shelves["two"] == Tool(name="b", size=2)


def test_a_merged_mapping_may_be_used_again():
    """An alias to a mapping that overrides a merged key is not reported as a duplicate."""
    text = """
shelves:
  one: &one {name: a, size: 2}
  two: &two {<<: *one, name: b}
  three: *two
  four: {<<: *two, open: true}
"""
    shelves = parse_document(text, Bench, PATH).value.shelves
    assert shelves["three"] == Tool(name="b", size=2)
    assert shelves["four"] == Tool(name="b", size=2, open=True)


def test_a_duplicate_key_beside_a_merge_is_still_refused():
    """A key that appears twice in the mapping itself is refused even beside a merge."""
    text = "notes:\n  a: &a {x: 1}\n  b:\n    <<: *a\n    y: 1\n    y: 2\n"
    assert refusal(text) == "lab.yaml:6: the key 'y' appears twice"


@pytest.mark.parametrize(
    ("written", "number"),
    [("1e-3", 0.001), ("1E5", 1e5), ("-2e+3", -2000.0), ("1.5e3", 1500.0), ("3", 3.0), (".5", 0.5)],
)
def test_numbers_are_read_as_people_write_them(written: str, number: float):
    """``1e-3`` and ``1.5e3`` are numbers, although they are text in YAML 1.1."""
    assert parse_document(f"first: {{name: a, size: {written}}}", Bench, PATH).value.first == Tool(
        name="a", size=number
    )


@pytest.mark.parametrize("word", ["e5", "1e", "1e5x", "v1e5", "'1e5'"])
def test_words_that_look_like_numbers_stay_text(word: str):
    """A word that only contains a number is text."""
    document = parse_document(f"title: {word}", Bench, PATH)
    assert document.value.title == word.strip("'")


def test_where_names_the_line_of_a_value_or_of_the_enclosing_value():
    """``where`` gives the line of a value, or of the nearest enclosing value if it has none."""
    text = "title: t\ntools:\n- name: a\n- name: b\n  size: 2\nnotes:\n  deep:\n    er: 1\n"
    document = parse_document(text, Bench, PATH)
    assert document.where("title") == "lab.yaml:1"
    assert document.where("tools", 1) == "lab.yaml:4"
    assert document.where("tools", 1, "size") == "lab.yaml:5"
    assert document.where("tools", 1, "open") == "lab.yaml:4"
    assert document.where("notes", "deep", "er") == "lab.yaml:8"
    assert document.where("nowhere") == "lab.yaml:1"
    assert document.where() == "lab.yaml:1"


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path):
    """A byte order mark at the start of the file is ignored."""
    path = tmp_path / "lab.yaml"
    for mark in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(mark + "title: 第３条\n".encode())
        assert load_document(path, Bench).value.title == "第３条"


def test_a_file_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path):
    """The message gives the position of the first byte that is not UTF-8, and a remedy."""
    path = tmp_path / "lab.yaml"
    path.write_bytes(b"count: 1\ntitle: " + "статья".encode("cp1251") + b"\n")
    with pytest.raises(ConfigError) as caught:
        load_document(path, Bench)
    assert str(caught.value) == f"{path}:2: not UTF-8 (byte 16); save the file as UTF-8"


def test_an_absent_file_and_a_folder_are_refused(tmp_path: Path):
    """If the file cannot be opened, the message is one line with the path."""
    with pytest.raises(ConfigError, match=r"gone\.yaml: no such file$"):
        load_document(tmp_path / "gone.yaml", Bench)
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory$"):
        load_document(tmp_path, Bench)


YAML_PIECES = st.sampled_from(
    [
        *"abc:-[]{},&*!|>'\"#%@`?<=~0159.\n \t",
        *("\n  ", "\n- ", ": ", "<<: ", "&a ", "*a", "---\n", "null", "yes", ".nan", "1e3", "0o"),
        *(
            "title: ",
            "count: ",
            "first:\n  name: ",
            "tools:\n- ",
            "notes: ",
            "shelves: ",
            "2020-01-",
        ),
        *("!!int ", "!!set ", "!!bool ", "!!binary ", "\x07", "é", "条", "\u2028"),
    ]
)


@settings(max_examples=400)
@given(st.one_of(st.text(), st.lists(YAML_PIECES, max_size=25).map("".join)))
@example("!!timestamp x")
@example("? !!set {a}\n: 1")
@example("{0: &a [*a]}")
@example("a: 0b")
def test_any_text_loads_or_is_refused(text: str):
    """Any text either loads or raises ``ConfigError``; no other exception is raised."""
    for as_type in (Bench, dict[str, Any]):
        try:
            parse_document(text, as_type, PATH)
        except ConfigError as error:
            assert re.match(r"lab\.yaml:\d+: ", str(error))  # noqa: PT017 - both ends are right


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text("aé条 :#'-1"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab_"), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("xyz", min_size=1), PLAIN, min_size=1, max_size=4), st.booleans())
def test_what_yaml_writes_is_read_back(notes: dict[str, Any], flow: bool):
    """Values written by the YAML library are read back unchanged, and each has a line."""
    text = yaml.safe_dump({"notes": notes}, allow_unicode=True, default_flow_style=flow)
    document = parse_document(text, Bench, PATH)
    assert document.value.notes == notes
    assert all(("notes", key) in document.lines for key in notes)


def test_the_experiments_file_of_the_seed_format_loads():
    """All documented fields of ``experiments.yaml`` are read."""
    text = """
defaults:
  questions_path: questions/set.jsonl
  chunks_manifest: chunks/manifest.json
  embedding_cache_dir: embeddings
  top_k: 10
  run: {concurrency: 4, timeout_s: 60, max_cost: 1.5}
experiments:
- name: search_dim
  baseline: normal
  ablation_variable: search_dim
  variants:
  - {name: d128, search_dim: 128}
  - {name: d256, search_dim: 256}
  include_normal_baseline: true
  question_limit: 5
"""
    value = parse_document(text, ExperimentFile, PATH).value
    assert value.defaults.run.concurrency == 4
    assert value.defaults.run.retries == 3
    assert value.experiments[0].variants[1] == {"name": "d256", "search_dim": 256}
    assert value.experiments[0].question_limit == 5


@pytest.mark.parametrize(
    ("line", "key_path"),
    [
        ("question_limit: -1", "experiments.0.question_limit"),
        ("question_limit: few", "experiments.0.question_limit"),
        ("variants: {name: a}", "experiments.0.variants"),
        ("include_normal_baseline: 1", "experiments.0.include_normal_baseline"),
    ],
)
def test_an_experiment_with_a_wrong_value_is_refused(line: str, key_path: str):
    """A field of an experiment with a value out of range is reported at its line."""
    message = refusal(f"experiments:\n- name: a\n  {line}\n", ExperimentFile)
    assert message.startswith(f"lab.yaml:3: {key_path}: ")


@pytest.mark.parametrize(
    "run",
    [
        "concurrency: 0",
        "timeout_s: 0",
        "timeout_s: .nan",
        "retries: -1",
        "max_cost: -1",
        "max_minutes: -2",
    ],
)
def test_a_run_setting_out_of_range_is_refused(run: str):
    """A limit that cannot work is refused before the run starts."""
    message = refusal(f"defaults:\n  run:\n    {run}\n", ExperimentFile)
    assert message.startswith(f"lab.yaml:3: defaults.run.{run.split(':', maxsplit=1)[0]}: ")


@pytest.mark.parametrize("name", ["a b", "a/b", "", "..", '"a\\n"', "a:b"])
def test_an_experiment_name_that_makes_no_file_name_is_refused(name: str):
    """The name is also the file name of the results: no path and no line break is allowed."""
    message = refusal(f"experiments:\n- name: {name}\n", ExperimentFile)
    assert message.startswith("lab.yaml:2: experiments.0.name: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "systems:\n  mine:\n    kind: htpp\n    url: http://x/\n",
            "lab.yaml:3: unknown kind 'htpp'; did you mean 'http'?",
        ),
        (
            "systems:\n  mine:\n    kind: http\n    url: http://x/\n    anser: a\n",
            "lab.yaml:5: unknown key 'anser'; did you mean 'answer'?",
        ),
        (
            "systems:\n  a: {kind: replay, path: r.jsonl}\n  b: {kind: python}\n",
            "lab.yaml:3: systems.b: 'target' is missing",
        ),
        (
            "models:\n  good: {model: m}\n  bad:\n    model: m\n    concurrency: 0\n",
            "lab.yaml:5: models.bad.concurrency: expected `int` >= 1",
        ),
        (
            "experiments:\n  - name: ../a\n",
            (
                "lab.yaml:2: experiments.0.name: '../a' cannot be a file name: use letters, "
                "digits, '_', '-' and '.', and begin with a letter, a digit or '_'"
            ),
        ),
        (
            "models:\n  mine: {model: m, base_url: localhost:8000}\n",
            (
                "lab.yaml:2: models.mine.base_url: 'localhost:8000' is not an address: it must "
                "begin with http:// or https://"
            ),
        ),
    ],
)
def test_models_and_systems_are_checked_by_name_and_kind(text: str, message: str):
    """An error in a named entry is reported for that entry, using the fields of its kind."""
    assert refusal(text, ExperimentFile) == message
