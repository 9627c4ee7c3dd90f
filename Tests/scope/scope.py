"""The package librac.scope, loaded by itself: it has to work where the extension cannot be."""

import importlib.util
import pathlib
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = TREE / "python" / "librac" / "scope"


def load():
    if "librac_scope" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "librac_scope", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules["librac_scope"] = module
        spec.loader.exec_module(module)
    return sys.modules["librac_scope"]


def part(name):
    """A module of the package."""
    load()
    return importlib.import_module(f"librac_scope.{name}")
