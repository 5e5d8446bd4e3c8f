"""What a cell of a workbook shows."""

import datetime as dt
from typing import Any

import pytest

from assay.data.document.cell import shown_text

_MOMENT = dt.datetime.fromisoformat("2024-03-05 09:30")


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (0.05, "0%", "5%"),
        (0.125, "0.0%", "12.5%"),
        (0.054, "0%", "5%"),
        (0.07, "0.##%", "7%"),
        (1500000, "[$$-409]#,##0", "$1500000"),
        (1234.5, '#,##0.00 "₽"', "1234.50 ₽"),
        (1234.5, "#,##0.00\\ [$₽-419]", "1234.50 ₽"),
        (1500, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "$1500.00"),
        (-1500, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "-$1500.00"),
        (0, '_-* #,##0\\ "₽"_-;-* #,##0\\ "₽"_-;_-* "-"_-;_-@_-', "0 ₽"),
        (-1500, "$#,##0", "-$1500"),
        (-5, "0;-0", "-5"),
        (-5, "#,##0_);[Red](#,##0)", "-5"),
        (2020, '0"年"', "2020年"),
        (7, "000", "007"),
        (1012024, "00000-0000", "00101-2024"),
        (2.5, "0", "3"),
        (3.14159, "0.00", "3.14"),
        (0.5, ".00", ".50"),
        (12.5, ".00", "12.50"),
        (5, "#.##", "5"),
        (2500000, '0.0,,"M"', "2.5M"),
        (12345, "0.00E+00", "1.23E+4"),
        (3, 'General" days"', "3 days"),
        (1, '"yes";"minus";"no"', "yes"),
        (0, '"yes";"minus";"no"', "no"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, None, "3"),
        (True, "0%", "TRUE"),
        ("007", "@", "007"),
        ("12", '"No. "@', "No. 12"),
        (None, "0%", ""),
        (dt.time(14, 30), "hh:mm", "14:30"),
        (dt.time(9, 5), "h:mm AM/PM", "9:05 AM"),
        (dt.time(14, 30), 'h"时"mm"分"', "14时30分"),
        (dt.time(0, 5, 7), "mm:ss", "05:07"),
        (dt.time(0, 5, 7, 250_000), "mm:ss.0", "05:07.2"),
        (dt.timedelta(hours=36, minutes=5), "[h]:mm", "36:05"),
        (_MOMENT, "dd.mm.yyyy hh:mm", "2024-03-05 09:30"),
        (_MOMENT, "yyyy-mm-dd hh:mm:ss", "2024-03-05 09:30:00"),
        (_MOMENT, "[$-419]d mmmm yyyy", "2024-03-05"),
        (_MOMENT, "dddd, d mmmm yyyy", "2024-03-05"),
        (_MOMENT, 'yyyy"年"m"月"d"日"', "2024-03-05"),
        (_MOMENT, "mmm yyyy", "2024-03"),
        (_MOMENT, "yyyy", "2024"),
        (_MOMENT.replace(hour=0, minute=0), "yyyy-mm-dd hh:mm:ss", "2024-03-05"),
    ],
)
def test_shown(value: Any, number_format: str | None, shown: str) -> None:
    """A cell gives what its sheet shows, in a form that no region changes."""
    assert shown_text(value, number_format) == shown


@pytest.mark.parametrize(
    ("value", "number_format"),
    [
        (2.5, "# ?/?"),
        (1500, '[>=1000]0.0,"k";0'),
        (5, ";;;"),
        (_MOMENT, "d mmmm"),
        (_MOMENT, "dddd"),
        (_MOMENT, "mmmm"),
        (-0.5, "hh:mm"),
    ],
)
def test_untold(value: Any, number_format: str) -> None:
    """Where what the sheet shows is not known, nothing is guessed."""
    assert shown_text(value, number_format) is None
