"""The JSON Schema for editors accepts and rejects the same files as assay."""

import json
from typing import Any

import jsonschema
import pytest

from assay.config.yaml_tree import experiments_schema

GOOD: dict[str, Any] = {
    "defaults": {"top_k": 5, "run": {"concurrency": 2, "max_cost": None}},
    "experiments": [
        {"name": "dims", "variants": [{"name": "d128", "search_dim": 128}], "question_limit": 3}
    ],
}


@pytest.fixture(scope="module", name="validator")
def _validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(experiments_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_schema_accepts_a_good_file(validator: jsonschema.Draft202012Validator):
    """A correct configuration has no error in an editor."""
    validator.validate(GOOD)
    validator.validate({})


@pytest.mark.parametrize(
    "wrong",
    [
        {"experimnts": []},
        {"defaults": {"topk": 3}},
        {"defaults": {"run": {"concurency": 2}}},
        {"experiments": [{"name": "a", "variant": []}]},
        {"experiments": [{"description": "no name"}]},
        {"experiments": [{"name": "a b"}]},
        {"experiments": [{"name": "a", "question_limit": -1}]},
        {"defaults": {"run": {"concurrency": 0}}},
    ],
)
def test_the_schema_rejects_what_assay_rejects(
    validator: jsonschema.Draft202012Validator, wrong: dict[str, Any]
):
    """An editor reports unknown keys at any depth and values that are out of range."""
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(wrong)


def test_every_run_setting_is_described():
    """An editor can show the meaning of each limit."""
    settings = json.loads(experiments_schema())["$defs"]["RunSettings"]["properties"]
    assert all(setting.get("description") for setting in settings.values())


def test_the_schema_is_text_with_a_last_newline():
    """The schema can be written to a file without changes."""
    assert experiments_schema().endswith("}\n")
