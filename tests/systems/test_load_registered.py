"""Systems of other packages: ``--system NAME:REST`` calls the factory that is registered."""

import asyncio
from pathlib import Path

import pytest

from assay.config.system import PythonConfig
from assay.errors import SystemLoadError
from assay.records import Question
from assay.systems.load import SystemContext, load_system
from tests.support.installed import install_package

SYSTEM = """\
from assay.records import Answer

class Echo:
    settings = None
    max_concurrency = None

    def __init__(self, rest, root):
        self.identity = f"echo:{rest}"
        self.root = root

    async def ask(self, question, settings, top_k):
        return Answer(text=self.identity)

    async def close(self):
        pass

def load(rest, context):
    if rest == "broken":
        raise ValueError("no echo\\nhere")
    if rest == "leaving":
        raise SystemExit(3)
    if rest == "half":
        return object()
    return Echo(rest, context.root)
"""


@pytest.fixture(name="context")
def _context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SystemContext:
    """The context of a workspace; a package that registers ``echo`` and ``openai`` is installed."""
    install_package(
        monkeypatch,
        tmp_path / "site",
        entry_points="[assay.systems]\necho = load_echo:load\nopenai = load_echo:load\n"
        "flat = load_echo:__doc__\n",
        modules={"load_echo": SYSTEM},
    )
    return SystemContext(tmp_path)


@pytest.mark.parametrize(
    ("spec", "identity"), [("echo", "echo:"), ("echo:a:b c", "echo:a:b c"), ("echo:", "echo:")]
)
def test_the_factory_gets_what_is_after_the_colon(context: SystemContext, spec: str, identity: str):
    """The rest is passed as it is, with the context of the workspace."""
    system = load_system(spec, context)
    assert system.identity == identity
    assert system.root == context.root  # type: ignore[attr-defined]
    assert asyncio.run(system.ask(Question(id="q", text="?"), {}, 1)).text == identity


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ecco:x", "there is no system 'ecco:x'; did you mean 'echo:…'?"),
        ("echo:broken", "the system 'echo' of the package 'acme' cannot be created: ValueError: no echo here"),
        ("echo:leaving", "the system 'echo' of the package 'acme' cannot be created: SystemExit: 3"),
        ("echo:half", "the system 'echo' of the package 'acme' is a object without identity, settings, max_concurrency, ask, close (see assay.systems.protocol.System)"),
        ("flat", "the entry point 'flat' (assay.systems) of the package 'acme' cannot be used: it is a NoneType, not a function of (rest, context)"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line(context: SystemContext, spec: str, message: str):
    """The message names the package; a word that is nearly right is suggested."""
    with pytest.raises(SystemLoadError) as refused:
        load_system(spec, context)
    assert str(refused.value) == message


def test_all_known_words_are_listed(context: SystemContext):
    """A word that resembles none lists ours and those of other packages."""
    with pytest.raises(SystemLoadError, match=r"valid names: command:…, echo:…, flat:…, http:…,"):
        load_system("zebra", context)


def test_a_word_of_assay_cannot_be_taken_over(context: SystemContext):
    """``openai`` stays what it is, although the package registers it too."""
    with pytest.raises(SystemLoadError, match="there is no 'x' under 'models'"):
        load_system("openai:x", context)


def test_a_name_in_the_configuration_comes_first(context: SystemContext):
    """What the user's own file calls ``echo`` is asked."""
    own = {"echo": PythonConfig(target="tests.support.harbour:ask")}
    system = load_system("echo", SystemContext(context.root, systems=own))
    assert system.identity.startswith("python:")
