"""The names that ``assay`` itself has: kept from now on, and imported only when they are used."""

import subprocess
import sys

import pytest

import assay
from assay.checks.quotation import verify_quotation
from assay.text.date import read_dates
from assay.text.number import read_numbers


def test_every_public_name_exists():
    """Each name of ``__all__`` can be imported, and nothing else is promised."""
    assert {name: getattr(assay, name) is not None for name in assay.__all__} == dict.fromkeys(
        assay.__all__, True
    )
    with pytest.raises(AttributeError, match="no attribute 'verify'"):
        assay.verify  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    """The functions are loaded when they are first used, so ``import assay`` stays fast."""
    code = "import sys, assay; print(sorted({'numpy', 'msgspec', 'assay.text'} & set(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_a_quotation_is_verified():
    """The result has a verdict, a score and the reasons."""
    source = "合同由陈明飞签署。租金为五千元。"
    kept = verify_quotation("合同由陳明飛簽署", source)
    assert (kept.valid, kept.score, kept.reasons) == (True, 1.0, ())
    changed = verify_quotation("租金为六千元", source)
    assert not changed.valid
    assert changed.reasons == ("number changed: 五 -> 六",)


def test_numbers_and_dates_have_values_and_places():
    """The places are offsets of the original text."""
    text = "Около 2,5 млн руб. до 15 сент. 2024 г."
    number, *_ = read_numbers(text)
    assert (number.canonical, number.currency, number.approximate) == ("2500000", "RUB", True)
    assert text[number.start : number.end] == "2,5 млн"
    (date,) = read_dates(text)
    assert date.iso == "2024-09-15"
    assert text[date.start : date.end] == "15 сент. 2024 г."


def test_the_package_loads_nothing():
    """Importing the package imports only what finds its names."""
    code = "import assay, sys; print(sorted(m for m in sys.modules if m.startswith('assay.')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['assay.lazy', 'assay.moved']"


def test_a_public_function_is_the_one_of_its_room():
    """The package hands on the function, and lists it."""
    from assay.checks.abstention import abstains, assess_abstention  # noqa: PLC0415

    assert assay.abstains is abstains
    assert assay.assess_abstention is assess_abstention
    assert {"abstains", "assess_abstention"} <= set(dir(assay))


def test_another_name_is_an_attribute_error():
    """A misspelt name fails as it does in any module."""
    with pytest.raises(AttributeError, match="abstans"):
        _ = assay.abstans  # type: ignore[attr-defined]


ODD_CHARACTERS = ("\ud83d", "\udc00", "\x00", "\x01", "\x1b", "\x7f", "\x85", "\u2028", "\uffff")
SOURCES = (
    "The contract is for 500 dollars and of 5 May 2024.",
    "Договор на 500 рублей от 5 мая 2024 г.",
    "合同金额500元，2024年5月5日签订，甲方应付款。",
)


@pytest.mark.parametrize("source", SOURCES)
def test_no_character_makes_a_public_function_raise(source: str):
    """Half of a surrogate pair, a NUL and control characters are read over in every place."""
    for odd in ODD_CHARACTERS:
        places = range(0, len(source) + 1, 4)
        for text in (odd, odd.join(source), *(source[:at] + odd + source[at:] for at in places)):
            read_numbers(text)
            read_dates(text)
            assay.abstains(text, source)
            assay.assess_abstention(source, text)
            for pair in ((text, source), (source, text), (text, text)):
                verify_quotation(*pair)
