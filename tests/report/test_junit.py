"""Reports in JUnit's XML format: well formed for any text, with the layout servers expect."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from assay.report.junit import JUnitCase, Suite, as_junit

NOW = "2026-01-02T03:04:05Z"


def document(*checks: JUnitCase, **properties: str) -> ET.Element:
    """The parsed document with one suite of these checks."""
    suite = Suite(name="suite", checks=checks, properties=properties)
    return ET.fromstring(as_junit([suite], timestamp=NOW).encode())


def test_counts_are_on_every_level():
    """The document and each suite state how many checks there are of each outcome."""
    root = document(
        JUnitCase(name="a", group="g"),
        JUnitCase(name="b", group="g", outcome="failure", message="m", detail="d"),
        JUnitCase(name="c", group="g", outcome="error", message="m"),
        JUnitCase(name="d", group="g", outcome="skipped", message="m"),
    )
    (suite,) = root
    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["4", "1", "1"]
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == [
        "4",
        "1",
        "1",
        "1",
    ]


def test_the_layout_is_the_strict_one():
    """The elements have the order and the attributes that the common schemas require."""
    root = document(
        JUnitCase(name="a", group="g"),
        JUnitCase(name="b", group="g", outcome="failure", message="m", detail="d"),
        fact="value",
    )
    (suite,) = root
    assert root.tag == "testsuites"
    assert [child.tag for child in suite] == [
        "properties",
        "testcase",
        "testcase",
        "system-out",
        "system-err",
    ]
    required = {"id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors"}
    assert required | {"time", "skipped"} == set(suite.attrib)
    assert suite.get("timestamp") == "2026-01-02T03:04:05"
    for case in suite.iter("testcase"):
        assert set(case.attrib) == {"name", "classname", "time"}
    (failure,) = suite.iter("failure")
    assert failure.attrib == {"message": "m", "type": "assay"}
    assert failure.text == "d"
    (fact,) = suite.iter("property")
    assert fact.attrib == {"name": "fact", "value": "value"}


def test_markup_and_controls_do_no_harm():
    """Markup in a text is escaped, and characters that XML cannot represent are left out."""
    hostile = "]]>\x00\x1b[31m<script>&amp;\"'\n\ufffe\U0001f600第３条"
    root = document(
        JUnitCase(name=hostile, group=hostile, outcome="failure", message=hostile, detail=hostile)
    )
    (case,) = root.iter("testcase")
    (failure,) = root.iter("failure")
    assert case.get("name") == "]]>[31m<script>&amp;\"' \U0001f600第３条"
    assert failure.text == "]]>[31m<script>&amp;\"'\n\U0001f600第３条"


@given(st.text(st.characters()))
def test_any_text_makes_a_document_that_parses(text: str):
    """Any text, also with lone surrogates, gives valid XML, and no name is empty."""
    root = document(
        JUnitCase(name=text, group=text, outcome="failure", message=text, detail=text), key=text
    )
    (case,) = root.iter("testcase")
    assert case.get("name")
