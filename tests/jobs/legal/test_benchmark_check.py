"""Remarks about files of benchmarks that are read as they are."""

import json
import shutil
from pathlib import Path

from assay.data.samples.sample import sample_benchmark
from assay.jobs.legal.benchmark import read_benchmark_data


def test_a_negative_type_weight_is_noted(tmp_path: Path):
    """It does not count, which a line says; a description beside the weights is no weight."""
    source = sample_benchmark() / "en/contract_conflict_gap.json"
    content = json.loads(source.read_text(encoding="utf-8"))
    weights = {"conflict_gap": -1, "fact_exact": 2, "note": "of 3"}
    content.setdefault("scoring_config", {})["type_weights"] = weights
    shutil.copy(source.with_name("contract.txt"), tmp_path)
    path = tmp_path / source.name
    path.write_text(json.dumps(content), encoding="utf-8")
    (note,) = map(str, read_benchmark_data(path).notes)
    assert note.endswith("the type weight -1 is negative and does not count")
