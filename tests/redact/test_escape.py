"""Values in text with the escapes of JSON, such as a model's reply that is JSON itself."""

import json

import pytest

from assay.redact.find import find_values
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten

VALUES = ("110105197504033397", "13812345678", "li@example.cn", "湖南省长沙市岳麓区麓山路932号")
SENTENCES = ("身份证号码{}，男。", "电话{}。", "邮箱{}谢谢", "收件地址：{}，邮编另附。")


@pytest.mark.parametrize(("value", "sentence"), tuple(zip(VALUES, SENTENCES, strict=True)))
@pytest.mark.parametrize("depth", [1, 2])
def test_values_are_found_between_escapes(value: str, sentence: str, depth: int):
    """The digits of an escape are not those of the value; JSON inside JSON too."""
    text = sentence.format(value)
    for _ in range(depth):
        text = json.dumps({"said": text})
    masked = Masker(Forgotten()).mask(text)
    assert json.dumps(value)[1:-1] not in masked.replace("\\\\", "\\"), masked
    for _ in range(depth):
        masked = json.loads(masked)["said"]
    assert masked.count("[") == 1


def test_a_known_value_is_found_between_escapes():
    """It needs no word there, and has the tag that it has elsewhere."""
    masker = Masker(Forgotten())
    tag = masker.mask(f"收件地址：{VALUES[3]}。")[5:-1]
    assert tag.startswith("[")
    assert (
        masker.mask(json.dumps(f"见：{VALUES[3]}。"))
        == json.dumps("见：")[:-1] + tag + json.dumps("。")[1:]
    )
    assert masker.mask(json.dumps(f"\n{VALUES[3]}\n")) == f'"\\n{tag}\\n"'


def test_places_are_those_of_the_text():
    """Also before, between and after escapes."""
    text = r"\u7535\u8bdd13812345678\n13912345678\u3002"
    assert [text[each.start : each.end] for each in find_values(text)] == [
        "13812345678",
        "13912345678",
    ]
    assert [each.value for each in find_values(text)] == ["13812345678", "13912345678"]


def test_other_backslashes_stay():
    """Paths and formulas are no escapes that matter."""
    masker = Masker(Forgotten())
    for text in (r"C:\users\new\table.txt", r"\frac{1}{2} \text{m}", "\\", "a\\", r"\u12"):
        assert masker.mask(text) == text
