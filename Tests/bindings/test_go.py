"""Go's binding: test_go.py GO CMAKE BUILD."""

import os
import sys

from common import EXPECTED, copied, run

GO, CMAKE, BUILD = sys.argv[1:]
place = copied("go", BUILD)
prefix = str(place / "installed")
run([CMAKE, "--install", BUILD, "--prefix", prefix, "--component", "Unspecified"], BUILD)
library = next(entry.parent for entry in (place / "installed").rglob("librac.so"))
environment = dict(
    os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library),
    GOCACHE=str(place / "cache"), GOFLAGS="-mod=mod", GOPROXY="off")
print(run([GO, "test", "."], place / "source", environment))
output = run([GO, "run", "./examples/words"], place / "source", environment)
assert output.endswith(EXPECTED), output
