"""The package librac.scope without librac's extension, which need not be there."""

import importlib
import pathlib
import sys
import types

TREE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = TREE / "python" / "librac" / "scope"


def load():
    """In a package that is librac's folder and nothing else."""
    if "librac_alone" not in sys.modules:
        alone = sys.modules["librac_alone"] = types.ModuleType("librac_alone")
        alone.__path__ = [str(FOLDER.parent)]
    return importlib.import_module("librac_alone.scope")


def part(name):
    """A module of the package."""
    load()
    return importlib.import_module(f"librac_alone.scope.{name}")
