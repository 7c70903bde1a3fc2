#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# audit.sh WHEEL...: shows each with auditwheel, and fails if it asks for more than its name says.
set -eu
venv=build/auditwheel
if [ ! -x "$venv/bin/auditwheel" ]; then
  echo "fetching auditwheel from PyPI into $venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check auditwheel
fi
for wheel in "$@"; do
  shown=$("$venv/bin/python" -m auditwheel show "$wheel" | tr '\n' ' ')
  echo "$shown" | fold -s -w 110
  case $shown in
    *'following platform tag: "manylinux_2_17_'*) ;;
    *) echo "wheel: $wheel asks for more than manylinux_2_17" >&2; exit 1 ;;
  esac
done
