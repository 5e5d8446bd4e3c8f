"""The JSON Schema of the configuration, made from the structs that read it."""

import json

import msgspec

from assay.config.file import ExperimentFile


def experiments_schema() -> str:
    """JSON Schema (2020-12) of ``experiments.yaml``, indented, ending in a newline."""
    made = msgspec.json.schema(ExperimentFile)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay experiments.yaml",
        **made,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
