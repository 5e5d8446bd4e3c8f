import pytest

from assay.jobs.depth.score import open_match, stated_answers


def test_the_matched_span_is_kept():
    """The match names the accepted answer, the answer that contains it, and the offsets."""
    match = open_match(["Olm", "Bravegund"], ["She was called Bravegund"]).match
    assert match is not None
    assert (match.accepted, match.said[match.start : match.end]) == ("Bravegund", "Bravegund")


def test_who_names_two_has_not_chosen():
    """Each of several answers must be accepted, unless joined they are an accepted answer."""
    assert not open_match(["Olm"], ["Olm", "Rus"]).right
    assert open_match(["Olm", "Rus"], ["Olm", "Rus"]).right
    assert open_match(["Olm, Rus"], ["Olm", "Rus"]).right
    assert not open_match(["Olm"], []).right


def test_an_unsure_answer_leaves_both_open():
    """A denied answer leans wrong and may be right; one that is clearly wrong may not."""
    found = open_match(["Olm"], ["She was not called Olm"])
    assert (found.unsure, found.match is None) == (True, not found.right)
    assert not open_match(["Olm"], ["She was called Rus"]).unsure


@pytest.mark.parametrize(
    ("reply", "answers", "source"),
    [
        ('{"answer": ["Olm"]}', ("Olm",), "json"),
        ('{"answer": "Olm"}', ("Olm",), "json"),
        ('{"answer": [42000]}', ("42000",), "json"),
        ('{"answer": []}', (), "json"),
        ("Let me see.\n**Ответ:** Олм", ("Олм",), "labelled"),
        ("答案：琛澜昀", ("琛澜昀",), "labelled"),
        ("It was Olm.", ("It was Olm.",), "text"),
    ],
)
def test_answers_are_read_from_json_a_label_or_the_whole(
    reply: str, answers: tuple[str, ...], source: str
):
    """JSON is read first, then a line with a label, then the whole reply."""
    stated = stated_answers(reply)
    assert stated is not None
    assert (stated.answers, stated.source) == (answers, source)


@pytest.mark.parametrize("reply", ["", " \n", '{"answer": {"text": 1}}', '{"answer": true}'])
def test_a_reply_that_says_nothing_is_unread(reply: str):
    """An empty reply and JSON of another shape give no answer."""
    assert stated_answers(reply) is None
