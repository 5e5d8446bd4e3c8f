"""The program does what it did when the records were made; ``record.py`` makes them anew."""

from pathlib import Path

import pytest

from tests.golden.compared import Stage, differences, recorded
from tests.golden.scenarios import SCENARIOS
from tests.golden.step import RECORDS

MOST_SHOWN = 6_000


@pytest.fixture(scope="session")
def stage() -> Stage:
    """One for all scenarios."""
    return Stage()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_ends_as_recorded(name: str, stage: Stage, tmp_path: Path):
    """Rows, summaries, tables, charts, messages and exit codes equal the stored ones."""
    now = stage.play(name, tmp_path)
    for wrong in ("(declared", "CHANGED", "ABSENT", "UNREADABLE"):
        assert wrong not in now["exits.txt"], now["exits.txt"]
    found = "\n".join(differences(recorded(name), now))
    shown = found[:MOST_SHOWN] + ("\n…" if len(found) > MOST_SHOWN else "")
    if found:
        pytest.fail(
            f"{shown}\nto record it anew: python -m tests.golden.record {name}", pytrace=False
        )


def test_every_record_belongs_to_a_scenario():
    """No folder of records is left behind by a scenario that is gone."""
    assert {path.name for path in RECORDS.iterdir()} == set(SCENARIOS)


def test_a_changed_value_is_a_difference_and_a_last_digit_is_none():
    """A decimal may differ in its sixth place; a word, a count or a larger step may not."""
    before = {"rows.jsonl": '{"score": 0.123456, "n": 4, "answer": "a"}'}
    assert not differences(before, {"rows.jsonl": '{"score": 0.123457, "n": 4, "answer": "a"}'})
    for other in (
        '{"score": 0.1235, "n": 4, "answer": "a"}',
        before["rows.jsonl"].replace("4", "5"),
    ):
        assert differences(before, {"rows.jsonl": other})
    assert differences(before, {})
    assert differences({}, before)
