"""Answers of a system: ablation of a pipeline (``assay ablate``), and one plain run (``assay run``)."""
