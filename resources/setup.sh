#!/bin/sh
# All that kernelviz needs on this machine: the package in .venv and, on Linux, the system libraries of Qt.
#
#   sh resources/setup.sh         to use it
#   sh resources/setup.sh test    to test and change it
#
# What is there already is left alone, so it may be run again at any time.
set -eu
cd "$(dirname "$0")/.."

# Runs a command that needs the administrator, if it may; otherwise says what to type.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    sudo=sudo
  else
    printf 'Something of the system is missing. Install it with\n\n  sudo %s\n\nand try again.\n' "$1" >&2
    exit 1
  fi
  case $1 in
    apt-get*) $sudo apt-get update -qq || true ;;  # without a network it may still be in the cache
  esac
  echo "+ ${sudo:+$sudo }$1"
  $sudo sh -c "DEBIAN_FRONTEND=noninteractive $1" >/dev/null
}

new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
  for python in python3 python3.14 python3.13 python3.12 python3.11; do
    if new_enough "$python"; then return; fi
  done
  return 1
}

if ! find_python; then
  if command -v apt-get >/dev/null && ! command -v python3 >/dev/null; then
    as_root "apt-get install -y --no-install-recommends python3 python3-venv ca-certificates"
  fi
  find_python || { echo "kernelviz needs Python 3.11 or newer; install it and try again." >&2; exit 1; }
fi

if ! { new_enough .venv/bin/python && .venv/bin/python -m pip --version; } >/dev/null 2>&1; then
  # Debian keeps what makes an environment in a package of its own.
  if command -v apt-get >/dev/null && ! "$python" -c 'import ensurepip' 2>/dev/null; then
    as_root "apt-get install -y --no-install-recommends $python-venv"
  fi
  "$python" -m venv .venv
fi

case ${1:-} in
  test) set -- --tests; package='.[test]'; editable=-e ;;
  *) set --; package=.; editable= ;;
esac
.venv/bin/python -m pip install --quiet --disable-pip-version-check $editable "$package"

missing=$(.venv/bin/python -m kernelviz.scene.qt_check "$@")
if [ -n "$missing" ]; then as_root "$missing"; fi
