"""Text that is struck out or hidden is not said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.normalise import Span
from assay.text.thought import scored_answer, scored_text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("~~500~~ 600", "600"), ("500 ~~lb~~ kg", "500 kg"), ("600 ~~500~~.", "600."),
        ("x ~~a~~ ~~b~~ c", "x c"), ("~~60 days\nor so~~ 30 days", "30 days"), ("<del>500</del> 600", "600"),
        ('<DEL class="x">500</DEL> 600', "600"), ("<s>500</s> 600", "600"), ("<strike>500</strike> 600", "600"),
        ("600 <!-- 500 -->", "600"), ("600<!-- 500", "600"), ("<span hidden>500</span> 600", "600"),
        ('<div hidden="hidden"><div>a</div> 500</div> 600', "600"),
        ("<p style='color:red; display : none'>500</p>600", "600"),
        ('<span style="visibility:hidden">500</span> 600', "600"), ("<template>500</template>600", "600"),
        ("应为~~30天~~60天", "应为60天"), ("甲方的~~30天~~60天", "甲方的60天"), ("应为60天~~30天~~", "应为60天"),
        ("您好，应为~~30天~~。", "您好，应为。"), ("<s>Paris</s>", "Paris"), (" <s> Paris</s>\n", "Paris"),
        ("<s> Paris", "Paris"), ("500</s>", "500"), ("600 <s>500</s>", "600"), ("<s>500</s> 600</s>", "600"),
        ("<s>500</s> 600 <s>700</s>", "600"), ("Par\u200bi\u2060s", "Paris"), ("Hugue\u00ad\nnots", "Huguenots"),
        ("5<!-- x -->00", "500"), ("5~~0~~0", "5 0"),
    ],
)  # fmt: skip
def test_what_is_struck_out_or_hidden_is_not_said(text: str, said: str):
    """Only the words that a reader sees without a line through them are left."""
    assert scored_text(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "~500 and ~600", "a ~~ b ~~ c", "~~500\n\n600~~", "`~~500~~` and `<del>500</del>`",
        "```\n<!-- 500 -->\n```", "<del>500", "a < b > c", '<a href="hidden" class="hidden">500</a>',
        "<input hidden> 500", "<b>hidden</b> 500", "好的~~答案是北京~~", "您好~~首都是北京哦~~", "嗯嗯~~是30天~~！", "~~~\n500\n~~~",
    ],
)  # fmt: skip
def test_other_text_is_said_as_it_is(text: str):
    """Marks in code, marks without an end, and other tags hide nothing."""
    assert scored_text(text) == text


MARKS = "~~|<del>|</del>|<!--|-->|<p hidden>|</p>|a|б|三| |`|\u200b|<think>|</think>|[THINK]"


@given(st.lists(st.sampled_from(MARKS.split("|"))))
def test_places_of_the_scored_text_lead_back_to_the_reply(parts: list[str]):
    """Every character that is scored is in the reply, or a space in the place of something struck out."""
    reply = "".join(parts)
    scored = scored_answer(reply)
    places = [scored.in_reply(Span(start=n, end=n + 1)) for n in range(len(scored.text))]
    assert places == sorted(places)
    for place, letter in zip(places, scored.text, strict=True):
        assert place.of(reply) == letter or letter == " "
