"""Tokens and costs that others state are checked before they are used."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.meter import MOST_COST, CallBill, checked_usage, metering, read_bill, record_call
from assay.records import Usage
from tests.support.model_client import ASK, KEY, PRICE, VARIABLE, metered, model_config
from tests.support.model_server import ModelServer


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.lists(st.integers(), max_size=2), st.dictionaries(st.text(max_size=3), st.integers()),
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from(
            ["prompt_tokens", "completion_tokens", "total_tokens", "cost", "calls", "paid"]
        ),
        ODD,
    )
    | ODD
)
def test_no_number_that_cannot_be_right_is_used(usage: Any):
    """Whatever is stated, amounts are unknown or between 0 and a limit."""
    bill = read_bill(usage)
    assert bill.cost is None or 0 <= bill.cost <= MOST_COST
    assert bill.prompt_tokens is None or bill.prompt_tokens >= 0
    checked = checked_usage(usage)
    if checked is not None:
        assert checked.paid is None or 0 <= checked.paid <= MOST_COST
        assert checked.calls >= 0


@pytest.mark.parametrize(
    "stated",
    [
        '{"prompt_tokens": 1e400, "completion_tokens": 1}',
        '{"prompt_tokens": -5, "completion_tokens": -5}',
        '{"prompt_tokens": "many", "completion_tokens": {}}',
        '{"prompt_tokens": 1.5, "completion_tokens": 1}',
        '{"prompt_tokens": 99999999999999999999999, "completion_tokens": 1}',
        '"none of your business"',
        "[1, 2]",
        "7",
    ],
)
def test_a_malformed_usage_never_discards_a_good_answer(stated: str):
    """The answer is kept; its tokens are not known, and its cost is counted as unknown."""
    with ModelServer(respond=lambda _: {"usage": json.loads(stated)}) as server:
        reply, meter = metered(lambda client: client.chat(ASK), model_config(server))
    assert reply.text
    usage = meter.usage()
    assert usage is not None
    assert (usage.calls, usage.unmetered_calls, usage.uncounted_calls) == (1, 1, 1)
    assert (usage.cost, usage.paid, usage.is_counted) == (None, None, False)


@pytest.mark.parametrize("cost", ["1e400", "-1", "1e12", '"0.1"', "true", "null"])
def test_a_stated_cost_that_cannot_be_right_is_not_used(cost: str):
    """The configured price is used instead."""
    tokens = {"prompt_tokens": 10, "completion_tokens": 5}
    usage_sent = {"usage": {**tokens, "cost": json.loads(cost)}}
    with ModelServer(respond=lambda _: usage_sent) as server:
        _, meter = metered(lambda client: client.chat(ASK), model_config(server))
    usage = meter.usage()
    assert usage is not None
    assert usage.paid == pytest.approx((10 * PRICE.prompt + 5 * PRICE.completion) / 1e6)
    assert not usage.stated_calls


def test_the_cost_that_the_provider_states_is_used_and_marked():
    """It has precedence over the configured price, and needs none."""
    usage_sent = {"usage": {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25}}
    with ModelServer(respond=lambda _: usage_sent) as server:
        for price in (PRICE, None):
            config = model_config(server, price=price)
            _, meter = metered(lambda client: client.chat(ASK), config)
            usage = meter.usage()
            assert usage is not None
            assert (usage.cost, usage.paid, usage.stated_calls) == (0.25, 0.25, 1)
            assert usage.is_counted


def test_a_replayed_call_without_a_price_is_counted():
    """Nothing is paid for it in this run."""
    with metering() as meter:
        record_call(prompt_tokens=1, completion_tokens=1, cost=None, replayed=True)
    usage = meter.usage()
    assert usage is not None
    assert usage.is_counted


def test_a_sound_usage_is_the_same_object():
    """Nothing is copied in the usual case."""
    usage = Usage(calls=1, cost=0.5, paid=0.5)
    assert checked_usage(usage) is usage
    assert read_bill(None) == CallBill()
