# Sourced by scripts/test and scripts/format: finds the tools they need and
# installs what is missing, from the system's packages when root and else into a
# Python environment under build/tools. Quiet unless something fails.

# One version for everybody: releases of clang-format differ in what they write.
CLANG_FORMAT_VERSION=18.1.8

TOOLS="$ROOT/build/tools"
PATH="$PATH:$TOOLS/bin"

# quietly COMMAND...: shows what the command printed only when it failed.
quietly() {
  local log status
  log=$(mktemp)
  "$@" >"$log" 2>&1
  status=$?
  [ $status -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return $status
}

pip_install() {
  if [ ! -x "$TOOLS/bin/pip" ]; then
    if ! python3 -m venv "$TOOLS" >/dev/null 2>&1; then
      # Debian splits venv from Python.
      rm -rf "$TOOLS"
      apt_install python3-venv && quietly python3 -m venv "$TOOLS" || return 1
    fi
  fi
  quietly "$TOOLS/bin/pip" install --disable-pip-version-check "$@"
}

apt_install() {
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
  if [ -z "${APT_UPDATED-}" ]; then
    quietly apt-get update || return 1
    APT_UPDATED=1
  fi
  DEBIAN_FRONTEND=noninteractive quietly \
    apt-get install -y --no-install-recommends "$@"
}

# need COMMAND APT-PACKAGE [PYPI-PACKAGE]
need() {
  command -v "$1" >/dev/null && return
  echo "installing $1"
  apt_install "$2" || { [ -n "${3-}" ] && pip_install "$3"; } || {
    echo "cannot install $1: please do, and run this again" >&2
    exit 1
  }
}

# Without it, where it cannot be installed, CMake says what is not tested. It needs
# the symbols of the C library.
need_valgrind() {
  command -v valgrind >/dev/null && return
  echo "installing valgrind"
  apt_install valgrind libc6-dbg
}

# GLib and libuv, for what runs librac in their loops.
need_loops() {
  local name
  for name in glib-2.0 libuv; do
    pkg-config --exists "$name" && continue
    echo "installing $name"
    case $name in
    glib-2.0) apt_install libglib2.0-dev ;;
    libuv) apt_install libuv1-dev ;;
    esac
  done
}

# For librac-redis, and a broker to test it with.
need_redis() {
  pkg-config --exists hiredis && pkg-config --exists openssl &&
    command -v redis-server >/dev/null && return
  echo "installing hiredis and redis-server"
  apt_install libhiredis-dev libssl-dev redis-server
}

# The same for librac-mqtt.
need_mqtt() {
  pkg-config --exists libmosquitto && command -v mosquitto_pub >/dev/null &&
    { command -v mosquitto || [ -x /usr/sbin/mosquitto ]; } >/dev/null && return
  echo "installing libmosquitto and mosquitto"
  apt_install libmosquitto-dev mosquitto mosquitto-clients
}

# What building Python's package takes: headers, and environments of one's own.
need_python() {
  python3 -c 'if 1:
    import ensurepip, os, sysconfig, venv
    assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
  ' 2>/dev/null && return
  echo "installing what builds Python extensions"
  apt_install python3-dev python3-venv
}

need_clang_format() {
  local version
  version=$("$TOOLS/bin/clang-format" --version 2>/dev/null)
  case $version in
  *"$CLANG_FORMAT_VERSION"*) return ;;
  esac
  echo "installing clang-format $CLANG_FORMAT_VERSION"
  pip_install "clang-format==$CLANG_FORMAT_VERSION" || exit 1
}

# The Python tests leave out what needs it where it cannot be had.
need_numpy() {
  local site
  python3 -c 'import numpy' 2>/dev/null && return
  if ! "$TOOLS/bin/python" -c 'import numpy' 2>/dev/null; then
    echo "installing numpy"
    pip_install numpy || {
      echo "cannot install numpy: the tests with it are left out" >&2
      return
    }
  fi
  site=$("$TOOLS/bin/python" -c \
    'import sysconfig; print(sysconfig.get_path("platlib"))')
  export PYTHONPATH="$site${PYTHONPATH:+:$PYTHONPATH}"
}

need_swift() {
  command -v swiftc >/dev/null && return
  echo "swiftc is not on the PATH: install Swift 6.3 or later" >&2
  exit 1
}
