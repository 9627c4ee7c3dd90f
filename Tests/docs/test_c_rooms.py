"""The files of C that the library, Python's extension and the benchmarks' floor are made
of use each other from the top down, without circles; and one folder alone knows Linux."""

import os
import re
import tempfile
import unittest

from c_rooms import Rooms, circles
from documents import TREE

# Each with its header for callers from outside.
FOLDERS = [
    ("Sources/CRACShims", "CRACShims.h"),
    ("python/src", None),
    ("benchmarks/floor/job", "job.h"),
]


def found(root):
    rooms = Rooms(root)
    return circles(rooms.of_files()), circles(rooms.of_layers()), rooms.declared_twice()


class RoomsTest(unittest.TestCase):
    def test_no_circles(self):
        for folder, face in FOLDERS:
            with self.subTest(folder=folder):
                rooms = Rooms(os.path.join(TREE, folder), face)
                self.assertGreater(len(list(rooms.arrows())), 50)
                self.assertEqual(circles(rooms.of_files()), [])
                self.assertEqual(circles(rooms.of_layers()), [])
                self.assertEqual(rooms.declared_twice(), [])

    def test_no_shim_includes_all_of_them(self):
        rooms = Rooms(os.path.join(TREE, "Sources", "CRACShims"))
        users = [name for name, file in rooms.files.items() if "CRACShims.h" in file.included]
        self.assertEqual(users, [])


class PlatformTest(unittest.TestCase):
    def test_one_folder_knows_the_system(self):
        """Elsewhere the headers are those of ISO C and POSIX, and no call is made by number."""
        knows = re.compile(
            r"#\s*include\s*<(?:linux/.*|sys/(?:epoll|eventfd|timerfd|inotify|syscall|auxv|random)\.h)>"
            r"|#\s*define\s+_GNU_SOURCE|\bsyscall\s*\("
        )
        root = os.path.join(TREE, "Sources", "CRACShims")
        users = set()
        for folder, _, names in os.walk(root):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    if knows.search(file.read()):
                        users.add(os.path.relpath(folder, root))
        self.assertEqual(users, {os.path.join("platform", "linux")})


class PlantedTest(unittest.TestCase):
    GOOD = {
        "low.h": "#include <stddef.h>\nint low(int it);\nextern int counted;\n",
        "low.c": '#include "low.h"\nint counted = 0;\nstatic int aside(void) { return 1; }\n'
        "int low(int it) {\n  return it + aside();\n}\n",
        "high.h": '#include "low.h"\nvoid high(void);\nstatic inline int twice(void) { return low(2); }\n',
        "high.c": '#include "high.h"\nstruct part { int high; };\nvoid high(void) { counted = twice(); }\n',
    }

    def found(self, **more):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**self.GOOD, **more}.items():
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text)
            return found(root)

    def test_none(self):
        self.assertEqual(self.found(), ([], [], []))

    def test_a_call_upwards(self):
        text = self.GOOD["low.c"] + "void high(void);\nvoid more(void) { high(); }\n"
        files, layers, _ = self.found(**{"low.c": text})
        self.assertEqual(files, [["high.c", "low.c"]])
        self.assertEqual(layers, [["high.c high.h", "low.c low.h"]])

    def test_a_name_in_a_table(self):
        text = self.GOOD["low.c"] + "void (*const table[])(void) = {high};\n"
        self.assertEqual(self.found(**{"low.c": text})[0], [["high.c", "low.c"]])

    def test_a_header_includes_upwards(self):
        files, _, _ = self.found(**{"low.h": self.GOOD["low.h"] + '#include "high.h"\n'})
        self.assertEqual(files, [["high.h", "low.h"]])

    def test_a_header_declares_what_is_above(self):
        more = {"low.h": self.GOOD["low.h"] + "void high(void);\n"}
        self.assertEqual(self.found(**more), ([], [], ["high"]))
        more["high.h"] = self.GOOD["high.h"].replace("void high(void);", "")
        self.assertEqual(self.found(**more), ([], [["high.c low.c low.h", "high.h"]], []))


if __name__ == "__main__":
    unittest.main()
