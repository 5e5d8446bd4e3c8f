"""The JSON Schema of the configuration, generated from the structs that read it."""

import json

import msgspec

from assay.config.file import ExperimentFile


def experiments_schema() -> str:
    """The JSON Schema (2020-12) of ``experiments.yaml``, indented, with a newline at the end."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay experiments.yaml",
        **msgspec.json.schema(ExperimentFile),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
