"""A stranger's program against an installed library.

    check_install.py BUILD CMAKE CC

Installs into a folder, moves that folder elsewhere, and builds the same program
there twice: with the flags of pkg-config, and with find_package(rac).
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, CMAKE, CC = sys.argv[1:4]
STRANGER = pathlib.Path(__file__).resolve().parent / "stranger"


def run(*command, **options):
    result = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        **options
    )
    if result.returncode != 0:
        raise AssertionError("{} failed\n{}".format(command, result.stdout))
    return result.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="rac-install-"))
        run(CMAKE, "--install", BUILD, "--prefix", cls.scratch / "first")
        cls.prefix = cls.scratch / "moved"
        (cls.scratch / "first").rename(cls.prefix)
        cls.library = next(cls.prefix.rglob("librac.so")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def environment(self):
        return dict(
            os.environ,
            LD_LIBRARY_PATH=str(self.library),
            PKG_CONFIG_PATH=str(self.library / "pkgconfig"),
        )

    def test_installed_files(self):
        self.assertEqual(
            sorted(path.name for path in self.library.glob("librac.so*")),
            ["librac.so", "librac.so.0.1", "librac.so." + self.version()],
        )
        headers = ["rac.h", "rac.hpp", "rac_callbacks.hpp", "rac_classes.hpp", "rac_functions.hpp", "rac_glib.h", "rac_marbles.h", "rac_replay.h", "rac_replay_file.h", "rac_step.hpp", "rac_types.h", "rac_uv.h"]
        # Of what is built where hiredis and libmosquitto are.
        for name in "redis", "mqtt":
            if any(pathlib.Path(BUILD).rglob(f"librac-{name}.so")):
                headers += [f"rac_{name}.h", f"rac_{name}.hpp"]
        self.assertEqual(
            sorted(path.name for path in (self.prefix / "include").iterdir()), sorted(headers)
        )

    def test_description(self):
        """It is where pkg-config says, and ctypes is served beside it."""
        where = pathlib.Path(run(
            "pkg-config", "--variable=description", "rac", env=self.environment()).strip())
        self.assertEqual(json.loads(where.read_text())["version"], self.version())
        program = (
            "import rac_abi; rac = rac_abi.load('librac.so.0.1');"
            "print(rac.rac_version_string().decode())"
        )
        environment = dict(self.environment(), PYTHONPATH=str(where.parent))
        self.assertEqual(
            run(sys.executable, "-B", "-c", program, env=environment).strip(), self.version())

    def version(self):
        return run(
            "pkg-config", "--modversion", "rac", env=self.environment()
        ).strip()

    def test_pkg_config(self):
        self.assertIsNotNone(shutil.which("pkg-config"), "pkg-config is missing")
        program = self.scratch / "with-pkg-config"
        command = '"{}" "{}" $(pkg-config --cflags --libs rac) -o "{}"'.format(
            CC, STRANGER / "stranger.c", program
        )
        run("sh", "-c", command, env=self.environment())
        self.assertEqual(run(program, env=self.environment()), "42\n")

    def test_static(self):
        """librac.a in a program that needs no library at all; it hides what is not of the interface."""
        archive = self.library / "librac.a"
        if not archive.exists():
            self.skipTest("built without RAC_STATIC")
        program = self.scratch / "static"
        command = (
            '"{}" -static "{}" $(pkg-config --static --cflags --libs rac) -Wl,--gc-sections -o "{}"'
        ).format(CC, STRANGER / "stranger.c", program)
        run("sh", "-c", command, env=self.environment())
        self.assertEqual(run(program, env={}), "42\n")
        listing = run("nm", "--extern-only", "--defined-only", "--format=posix", archive)
        names = {line.split()[0] for line in listing.splitlines() if len(line.split()) > 1}
        self.assertTrue(names)
        self.assertEqual([name for name in names if not name.startswith("rac_")], [])

    def test_find_package(self):
        build = self.scratch / "with-cmake"
        run(
            CMAKE,
            "-S", STRANGER,
            "-B", build,
            "-DCMAKE_PREFIX_PATH=" + str(self.prefix),
            "-DCMAKE_C_COMPILER=" + CC,
        )
        run(CMAKE, "--build", build)
        self.assertEqual(run(build / "stranger"), "42\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
