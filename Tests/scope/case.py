"""A test with a folder for its recordings."""

import pathlib
import tempfile
import unittest

import scope


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, writer, name="a.rac"):
        return writer.write(self.folder / name)

    def read(self, writer):
        return scope.load().read(self.path(writer))
