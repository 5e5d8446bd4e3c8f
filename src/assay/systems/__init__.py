"""Systems under test: whatever can be asked a question and gives an answer.

``load_system("python:package.module:callable")`` and its kin make one from a word on the
command line; the classes are public for use from Python and in tests.
"""

from assay.systems.protocol import ChecksSettings
from assay.systems.command import CommandSystem
from assay.systems.protocol import CountsCalls
from assay.systems.context import GUESSES
from assay.systems.http import HttpSystem
from assay.systems.openai import OpenAISystem
from assay.systems.protocol import Prepares
from assay.systems.python import PythonSystem
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem
from assay.systems.protocol import Setting
from assay.systems.protocol import System
from assay.systems.context import SystemContext
from assay.systems.protocol import check_settings
from assay.systems.load import load_system
from assay.systems.context import model_client

__all__ = [
    "ChecksSettings",
    "CommandSystem",
    "CountsCalls",
    "GUESSES",
    "HttpSystem",
    "OpenAISystem",
    "Prepares",
    "PythonSystem",
    "ReplaySystem",
    "ScriptedSystem",
    "Setting",
    "System",
    "SystemContext",
    "check_settings",
    "load_system",
    "model_client",
]
