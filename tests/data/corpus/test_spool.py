"""What a killed ingestion leaves behind is removed by the next one, and only that."""

import os
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen

from assay.data.corpus.corpus_files import Spool

OWN = """
import sys
from pathlib import Path
from assay.data.corpus.corpus_files import Spool
spool = Spool(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.read()
"""


def folders(root: Path) -> set[Path]:
    """The folders of spools in a workspace."""
    return set(root.glob(".assay-ingest-*"))


def test_a_folder_is_removed_when_its_process_is_gone(tmp_path: Path):
    """While the process lives, its folder stays; after kill -9, the next spool removes it."""
    words = [sys.executable, "-c", OWN, str(tmp_path / "chunks")]
    with Popen(words, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        (owned,) = folders(tmp_path)
        second = Spool(tmp_path / "chunks")
        assert len(folders(tmp_path)) == 2, "somebody works there"
        second.close()
        process.send_signal(signal.SIGKILL)
    assert folders(tmp_path) == {owned}
    third = Spool(tmp_path / "chunks")
    assert not owned.exists()
    third.close()
    assert folders(tmp_path) == set()


def test_a_folder_of_an_earlier_version_is_removed_when_it_is_old(tmp_path: Path):
    """It does not say who owns it; a day later nobody does."""
    new, old = tmp_path / ".assay-ingest-new", tmp_path / ".assay-ingest-old"
    new.mkdir()
    old.mkdir()
    os.utime(old, (1, 1))
    Spool(tmp_path / "chunks").close()
    assert folders(tmp_path) == {new}
