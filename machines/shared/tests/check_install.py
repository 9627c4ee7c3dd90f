"""A stranger's programs against what is installed: in C and C++, with the flags of pkg-config
and with find_package.

    check_install.py BUILD CMAKE CC CXX MACHINE...
"""

import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, CMAKE, CC, CXX, *MACHINES = sys.argv[1:]
STRANGER = pathlib.Path(__file__).resolve().parent / "stranger"


def run(*command, **options):
    return subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **options
    ).stdout


def check(program, **options):
    answer = run(program, **options)
    assert answer == "unreachable\n", (program, answer)


def main(scratch):
    run(CMAKE, "--install", BUILD, "--prefix", scratch / "first")
    # Nothing in it knows where it was.
    prefix = (scratch / "first").rename(scratch / "moved")
    library = next(prefix.rglob("librac.so")).parent
    environment = dict(
        os.environ, LD_LIBRARY_PATH=str(library), PKG_CONFIG_PATH=str(library / "pkgconfig")
    )
    for name in MACHINES:
        for compiler, ending in (CC, "c"), (f"{CXX} -std=c++17", "cpp"):
            program = scratch / f"{name}_{ending}"
            flags = f"$(pkg-config --cflags --libs rac-{name})"
            command = f'{compiler} "{STRANGER / name}.{ending}" {flags} -o "{program}"'
            run("sh", "-c", command, env=environment)
            check(program, env=environment)
    build = scratch / "build"
    run(
        CMAKE, "-S", STRANGER, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
        f"-DMACHINES={';'.join(MACHINES)}",
    )  # fmt: skip
    run(CMAKE, "--build", build, "--parallel", "2")
    for name in MACHINES:
        for ending in "c", "cpp":
            check(build / f"{name}_{ending}")


with tempfile.TemporaryDirectory(prefix="rac-machines-") as folder:
    main(pathlib.Path(folder))
