"""Which redaction a command has: what the configuration says about it."""

from pathlib import Path

import pytest

from assay.config.workspace import Workspace
from assay.errors import ConfigError
from assay.runs.redaction import RedactOptions, redact_settings

EXPERIMENTS = "experiments:\n  - name: e\n    variants:\n      - name: v\n"


def _mode(root: Path, text: str) -> str:
    (root / "experiments").mkdir(exist_ok=True)
    (root / "experiments" / "experiments.yaml").write_text(text, encoding="utf-8")
    return redact_settings(Workspace.find(root), RedactOptions()).mode


def test_the_word_counts_however_it_is_written(tmp_path: Path):
    """A key that is written with an escape switches redaction on, like the plain key."""
    assert _mode(tmp_path, EXPERIMENTS) == "off"
    assert _mode(tmp_path, f"redact: outputs\n{EXPERIMENTS}") == "outputs"
    assert _mode(tmp_path, f'"red\\x61ct": outputs\n{EXPERIMENTS}') == "outputs"


def test_a_wrong_file_is_an_error_only_if_it_mentions_redaction(tmp_path: Path):
    """Results can be shown beside a wrong configuration, but not without its redaction."""
    assert _mode(tmp_path, "experiments: [") == "off"
    assert _mode(tmp_path, 'experiments: ["\\x61"') == "off"
    with pytest.raises(ConfigError):
        _mode(tmp_path, "redact: outputs\nexperiments: [")
