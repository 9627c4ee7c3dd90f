"""What the figures were measured on."""

import datetime
import os
import platform
import re
import subprocess


def _first_line(*command):
    try:
        output = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
            check=False,
        ).stdout
    except OSError:
        return ""
    return output.strip().splitlines()[0] if output.strip() else ""


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*: (.*)", file.read(), re.M)
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.machine()


def _system():
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            found = re.search(r'^PRETTY_NAME="?([^"\n]*)', file.read(), re.M)
    except OSError:
        found = None
    return found.group(1) if found else platform.system()


def load():
    """How many have wanted a processor in the last minute."""
    return round(os.getloadavg()[0], 1)


def describe():
    return {
        "date": datetime.date.today().isoformat(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": _system(),
        # By its release alone: what follows names one machine.
        "kernel": ".".join(platform.release().split(".")[:2]),
        "compiler": _first_line("cc", "--version"),
        "swift": _first_line("swiftc", "--version"),
        "python": platform.python_version(),
    }
